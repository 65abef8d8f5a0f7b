# `make install` sets everything up in $(VENV); it may be run again at any time.
PYTHON ?= python3
VENV ?= .venv
BIN = $(VENV)/bin
STAMP = $(VENV)/.installed

.DEFAULT_GOAL := help
.PHONY: help install test test-fast lint format types check clean

help:  ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

install: $(STAMP)  ## Create .venv with everything that RulesPal and its tests need.

$(STAMP): pyproject.toml
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $(STAMP)

test: install  ## Run every test and measure coverage.
	@$(BIN)/pytest --cov --cov-report=term

test-fast: install  ## Run the tests that take seconds.
	@$(BIN)/pytest -m "not install"

lint: install  ## Check style and imports.
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .

format: install  ## Format the code and mend what can be mended.
	@$(BIN)/ruff check --fix .
	@$(BIN)/ruff format .

types: install  ## Check the types.
	@$(BIN)/mypy

check: lint types test  ## All of it.

clean:  ## Remove what can be made again.
	@rm -rf $(VENV) dist build .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache
