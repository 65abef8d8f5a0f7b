"""How surely statements bear out a sentence: what the verifier says, weighed with the words.

A logistic regression. The verifier alone is taken in by sentences that are nearly the book's and
have two of its names, numbers or ends of a move in each other's place: the more alike, and the more
turned round, the surer it has to be. `evals/grounding.py` fits it and says how much each limit lets
through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.grounding.places import misplaced
from rulespal_chat.grounding.words import difference, likeness

if TYPE_CHECKING:
    from collections.abc import Sequence

# Log-odds for one unit of each signal; positive speaks for a sentence that is borne out.
WEIGHTS = {"verifier": 0.76, "alike": -8.19, "repeated": -1.51, "misplaced": -1.07}
BIAS = 6.26
LIMIT = -0.5  # the log-odds from which a sentence is shown
_MOST_REPEATED = 3
_LEAST_ALIKE = 0.5  # below, less likeness doesn't make a sentence more credible


def signals(
    sentence: str, statements: Sequence[str], verifier: float, names: Sequence[str] = ()
) -> dict[str, float]:
    """What `support` adds up.

    Args:
        sentence: without marks.
        statements: that it is held against; at least one.
        verifier: the verifier's log-odds for it.
        names: of roles.
    """
    told = "\n".join(statements)
    repeated = difference(sentence, told).repeated
    return {
        "verifier": verifier,
        "alike": max(_LEAST_ALIKE, *(likeness(sentence, statement) for statement in statements)),
        "repeated": float(min(_MOST_REPEATED, repeated)),
        "misplaced": misplaced(sentence, told, names),
    }


def support(
    sentence: str, statements: Sequence[str], verifier: float, names: Sequence[str] = ()
) -> float:
    """The log-odds that statements bear out a sentence; arguments as for `signals`."""
    told = signals(sentence, statements, verifier, names)
    return BIAS + sum(WEIGHTS[name] * value for name, value in told.items())
