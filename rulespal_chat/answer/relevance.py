"""Whether a question is about the library at all, from how well it was found.

A logistic regression on six signals, none of which is enough alone: small talk shares words with
rules, and a question in a player's own words shares none. `evals/relevance.py` fits it and says how
many questions each limit would refuse.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.corpus.lookup import words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespal_chat.types import Found, Query

# Log-odds for one unit of each signal; positive speaks for a question about something else.
WEIGHTS = {
    "late": -8.8,
    "covered": -7.4,
    "passage": -1.3,
    "shared": -4.5,
    "unknown": 3.6,
    "length": -0.33,
}
BIAS = 12.3
LIMIT = 1.0  # the log-odds from which a question is about something else
LIMIT_IF_NAMED = 3.0  # for one that names a game or role of ours
# With books that the encoder wasn't trained on, more has to be said against a question: of 200 on
# five texts of others, written to share few words with them, this refuses 0.05.
LIMIT_UNFAMILIAR = 4.5
_SHORTEST, _LONGEST = 4, 25  # words: a term of the book alone is a question, too


def signals(query: Query, found: Sequence[Found], unknown: float) -> dict[str, float]:
    """What `doubt` adds up.

    Args:
        query: the question.
        found: what was found, best first; not empty.
        unknown: the share of its content words, 0 to 1, that no book has.
    """
    why = [dict(f.why) for f in found]
    return {
        "late": max(w["late"] for w in why),
        "covered": max(w["covered"] for w in why),
        "passage": why[0]["passage"],
        "shared": why[0]["passage words"],
        "unknown": unknown,
        "length": float(min(_LONGEST, max(_SHORTEST, len(words(query.text))))),
    }


def doubt(query: Query, found: Sequence[Found], unknown: float) -> float:
    """The log-odds that a question is about something else; arguments as for `signals`."""
    told = signals(query, found, unknown)
    return BIAS + sum(WEIGHTS[name] * value for name, value in told.items())


def is_doubtful(
    query: Query, found: Sequence[Found], unknown: float, familiar: frozenset[str]
) -> bool:
    """Whether the question is more likely about something else.

    Args:
        query: the question.
        found: what was found, best first; not empty.
        unknown: the share of its content words, 0 to 1, that no book has.
        familiar: the ids of the books that the encoder was trained on.
    """
    return doubt(query, found, unknown) > _limit(query, familiar)


def _limit(query: Query, familiar: frozenset[str]) -> float:
    if not familiar.issuperset(query.games):
        return LIMIT_UNFAMILIAR
    return LIMIT_IF_NAMED if query.game_named or query.roles else LIMIT
