"""Fits what `rulespal_chat.answer.relevance` knows: python evals/relevance.py.

Asks the questions of `evals/development` and of the tune split, fits a logistic regression on the
signals of each, and prints the weights, and for each limit how many questions about other things
are recognised and how many others would be refused. The test split is only measured.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from scipy.optimize import minimize

from rulespal_chat.answer.relevance import WEIGHTS, signals
from rulespal_chat.errors import BadQuestionError
from rulespal_chat.evaluation.questions import read_questions
from rulespal_chat.pipeline import RulesPal
from rulespal_chat.search.index import open_index
from rulespal_chat.search.retriever import Retriever
from rulespal_chat.search.scope import Scope
from rulespal_chat.settings import Settings
from rulespal_chat.types import Question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from rulespal_chat.search.index import Index

    Numbers = NDArray[np.float64]

FOLDER = Path(__file__).parent
PENALTY = 1.0  # of the squared weights, of standardised signals
LIMITS = (-2.0, -1.0, 0.0, 1.0, 2.0, 3.0, 4.0)


@dataclass(frozen=True)
class Case:
    """A question with its signals."""

    split: str
    is_foreign: bool
    is_named: bool
    signals: tuple[float, ...]


def main() -> None:
    """Prints the fit."""
    settings = Settings()
    RulesPal.open()  # builds the index if there is none
    cases = list(measured(open_index(settings.home_folder, settings.embedder)))
    known = [c for c in cases if c.split != "test"]
    weights, bias = fit(
        np.array([c.signals for c in known]), np.array([c.is_foreign for c in known])
    )
    print({name: round(float(w), 2) for name, w in zip(WEIGHTS, weights, strict=True)}, end=" ")
    print(f"bias {bias:.2f}")
    for split in ("development", "tune", "test"):
        for is_named in (False, True):
            own = [c for c in cases if c.split == split and c.is_named == is_named]
            odds = np.array([c.signals for c in own]) @ weights + bias
            foreign = np.array([c.is_foreign for c in own])
            print(f"{split}, {'named' if is_named else 'not named'}: {foreign.sum()} of {len(own)}")
            for limit in LIMITS:
                said = odds > limit
                print(
                    f"  above {limit:4.1f}: recognised {said[foreign].sum()}, "
                    f"refused {said[~foreign].mean():.3f} of the others"
                )


def measured(index: Index) -> Iterator[Case]:
    """Each question with the signals that the product has of it."""
    scope, retriever = Scope(index.library), Retriever(index)
    for split, is_foreign, text in questions():
        try:
            query = scope(Question(text))
        except BadQuestionError:
            continue
        unknown = retriever.unknown_words(query.topic)
        told = signals(query, retriever(query), unknown)
        named = query.game_named or bool(query.roles)
        yield Case(split, is_foreign, named, tuple(told[name] for name in WEIGHTS))


def questions() -> Iterator[tuple[str, bool, str]]:
    """The split of each question, whether it is about something else, and its text."""
    for name in ("near_misses", "out_of_scope"):
        for line in (FOLDER / "development" / f"{name}.jsonl").read_text("utf-8").splitlines():
            yield "development", name == "out_of_scope", json.loads(line)["question"]
    for question in read_questions(sorted((FOLDER / "questions").glob("*.jsonl")))[0]:
        if not question.turns:
            yield question.split, question.kind == "out_of_scope", question.question


def fit(told: Numbers, foreign: NDArray[np.bool_]) -> tuple[Numbers, float]:
    """Weights and bias of a logistic regression in which both kinds count as much."""
    mean, spread = told.mean(axis=0), told.std(axis=0)
    scaled = np.c_[(told - mean) / spread, np.ones(len(told))]
    sign = np.where(foreign, 1.0, -1.0)
    share = np.where(foreign, 0.5 / foreign.mean(), 0.5 / (1 - foreign.mean()))

    def loss(b: Numbers) -> float:
        losses = share * np.logaddexp(0.0, -sign * (scaled @ b))
        return float(losses.sum() + PENALTY * (b[:-1] ** 2).sum())

    best = minimize(loss, np.zeros(scaled.shape[1]), method="L-BFGS-B").x
    weights = best[:-1] / spread
    return weights, float(best[-1] - weights @ mean)


if __name__ == "__main__":
    main()
