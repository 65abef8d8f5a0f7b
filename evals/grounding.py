"""Fits what `rulespal_chat.grounding.support` knows: python evals/grounding.py.

Scores the sentences of `evals/training/claims` of which the verifier learnt nothing, fits a
logistic regression on the signals of the tune part, and prints the weights, and for each limit what
passes of the tune and of the test part. The first sentence on each statement is in the book's
terms, the second in everyday words, the third a short one.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from relevance import fit

from rulespal_chat.corpus.library import load_library
from rulespal_chat.grounding.judge import Judge, role_names
from rulespal_chat.grounding.support import BIAS, LIMIT, WEIGHTS, signals
from rulespal_chat.grounding.verifier import Verifier, evidence
from rulespal_chat.settings import Settings
from rulespal_chat.types import Pick
from rulespal_chat.weights import VERIFIER

sys.path.append(str(Path(__file__).parent / "training"))
from claims import Claims, Part, read_claims

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from numpy.typing import NDArray

    from rulespal_chat.types import Rulebook

LIES = "lies"
KINDS = ("terms", "free", "short", LIES)
SHARES = (0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.6)  # of the sentences in the book's terms


@dataclass(frozen=True)
class Case:
    """A sentence with its signals, and whether the words alone rule it out."""

    part: Part
    kind: str
    is_ruled_out: bool
    signals: tuple[float, ...]


def main() -> None:
    """Prints the fit."""
    library = load_library(Path("/nonexistent"))
    verifier = Verifier(VERIFIER.unfold(Settings().home_folder))
    books = {book.id: book for book in library.books}
    known = [c for c in read_claims(library) if c.part is not Part.TRAIN]
    cases = [case for one in known for case in measured(one, books, verifier)]
    tune = [c for c in cases if c.part is Part.TUNE and not c.is_ruled_out]
    told = np.array([c.signals for c in tune])
    weights, bias = fit(told, np.array([c.kind != LIES for c in tune]))
    print({name: round(float(w), 2) for name, w in zip(WEIGHTS, weights, strict=True)}, end=" ")
    print(f"bias {bias:.2f}")
    odds = np.array([np.array(c.signals) @ weights + bias for c in cases])
    odds[[c.is_ruled_out for c in cases]] = -np.inf
    of_tune = np.array([c.part is Part.TUNE and c.kind == "terms" for c in cases])
    limits = [float(np.quantile(odds[of_tune], 1 - share)) for share in SHARES]
    for limit in (*limits, LIMIT):
        print(f"limit {limit:5.2f}: {passing(cases, odds >= limit)}")
    shown = np.array([support_of(c) >= LIMIT and not c.is_ruled_out for c in cases])
    print(f"as packaged: {passing(cases, shown)}")


def measured(claims: Claims, books: Mapping[str, Rulebook], verifier: Verifier) -> Iterator[Case]:
    """The sentences on a statement, with what the product knows of each."""
    section, statement = claims.section, claims.statement
    pick = Pick(books[statement.id.split("/")[0]], section, statement)
    believing = Judge(lambda _told, _sentence: np.inf)
    sentences = [*zip(KINDS, claims.said, strict=False), *((LIES, lie) for lie in claims.lies)]
    for kind, sentence in sentences:
        sure = verifier(evidence([(section.name, statement.text)]), sentence)
        found = signals(sentence, [statement.text], sure, role_names([pick]))
        is_ruled_out = believing(sentence, [pick]) != ""
        yield Case(claims.part, kind, is_ruled_out, tuple(found[name] for name in WEIGHTS))


def support_of(case: Case) -> float:
    """The log-odds as packaged."""
    return BIAS + sum(w * value for w, value in zip(WEIGHTS.values(), case.signals, strict=True))


def passing(cases: list[Case], shown: NDArray[np.bool_]) -> str:
    """The share of each kind that is shown, in both parts."""
    told = []
    for part in (Part.TUNE, Part.TEST):
        kinds = []
        for kind in KINDS:
            own = np.array([c.part is part and c.kind == kind for c in cases])
            kinds.append(f"{kind} {shown[own].mean():.3f} of {own.sum()}")
        told.append(f"{part}: {', '.join(kinds)}")
    return "; ".join(told)


if __name__ == "__main__":
    main()
