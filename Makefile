# `make install` sets everything up in $(VENV); it may be run again at any time.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed
Q ?= Five players, I'm the Ghoul: how much Fury do I need?

.DEFAULT_GOAL := help
.PHONY: help install ask test test-fast lint format types eval numeric benchmark check clean

help:  ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP)  ## Create .venv with everything that RulesPal and its tests need.

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@echo 'Installing into $(VENV): a few minutes the first time.'
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(STAMP)

export Q
ask: install  ## Answer a question: make ask Q="How does the Ghoul win?"
	@$(BIN)/rulespal ask "$$Q" || test $$? -eq 3  # 3: the book doesn't say, which is no failure

test: install  ## Run every test and measure coverage.
	@$(BIN)/pytest --cov --cov-report=term

test-fast: install  ## Run the tests that need neither the model nor an installation.
	@$(BIN)/pytest -m "not model and not install"

lint: install  ## Check style and imports.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: install  ## Format the code and mend what can be mended.
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: install  ## Check the types.
	@$(BIN)/mypy

eval: install  ## Measure answers, compare them with those of evals/baseline.json.
	@$(BIN)/rulespal eval --lint
	@$(BIN)/rulespal eval --baseline evals/baseline.json

numeric: install  ## Measure the symbolic engine, and how well its examples hold its rules.
	@$(BIN)/python evals/numeric.py
	@$(BIN)/python evals/mutate.py

benchmark: install  ## Time RulesPal against the usual recipe.
	@$(BIN)/python evals/benchmark.py

check: lint types test  ## All of it.

clean:  ## Remove what can be made again.
	@rm -rf $(VENV) dist build .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
