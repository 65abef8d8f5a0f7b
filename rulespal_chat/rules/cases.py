"""What a sentence claims, each claim with the case that it is about.

"6 with 3 players and 7 with 4 players" claims two things, each of a case of its own: such a
sentence is read clause by clause. A claim whose case stays unclear is left out.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespal_chat.rules.claims import read_claims
from rulespal_chat.rules.reading import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Rule, Ruleset, State
    from rulespal_chat.rules.reading import Reading
    from rulespal_chat.rules.results import Claim

_CLAUSES = re.compile(
    r"\s*;\s*|[.,:]\s+(?:(?:and|but|while|whereas|or)\s+)?|\s+(?:and|but|while|whereas|or)\s+",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Case:
    """What is claimed of one case.

    Attributes:
        told: the inputs that tell the case.
        claims: what is claimed of it.
    """

    told: State
    claims: tuple[Claim, ...]


@dataclass(frozen=True, slots=True)
class _Clause:
    """A part of a sentence, as it is read alone."""

    reading: Reading
    claims: tuple[Claim, ...]


def read_cases(
    sentence: str, rules: Ruleset, rule: Rule, known: Mapping[str, Value]
) -> tuple[Case, ...]:
    """The claims of a sentence about the outputs of a rule, by case.

    Args:
        sentence: in plain words, without quotes of the book.
        rules: of the game.
        rule: whose outputs may be claimed.
        known: what is known beside the sentence.
    """
    whole = _clause(sentence, rules, rule)
    if not whole.claims or whole.reading.bounded:
        return ()
    several = whole.reading.compared or (whole.reading.state and _are_at_odds(whole.claims))
    parts = [_clause(part, rules, rule) for part in _CLAUSES.split(sentence) if part.strip()]
    is_same = _is_same(whole, parts)
    if not (several or (is_same and _varying(parts))):
        return (Case(whole.reading.state, whole.claims),)
    if not is_same:
        return ()
    varying = _varying(parts) or frozenset(whole.reading.state)
    told = _told(parts)
    return tuple(case for case in _paired(parts) if _is_told_apart(case, varying, told, known))


def _is_same(whole: _Clause, parts: Sequence[_Clause]) -> bool:
    """Whether a sentence says in parts what it says as a whole; one with a list may not."""
    told = _told(parts)
    names = whole.reading.state.keys() | whole.reading.compared
    return (
        _claimed([whole]) == _claimed(parts)
        and whole.reading.state.items() <= told
        and {name for name, _ in told} <= names
    )


def _told(clauses: Sequence[_Clause]) -> set[tuple[str, Value]]:
    return {told for clause in clauses for told in clause.reading.state.items()}


def _are_at_odds(claims: Sequence[Claim]) -> bool:
    """Whether two values are claimed of one output, so that it can't be in one case."""
    equal = {(claim.output, claim.value) for claim in claims if claim.operator == "=="}
    return len(equal) > len({output for output, _ in equal})


def _clause(text: str, rules: Ruleset, rule: Rule) -> _Clause:
    return _Clause(read(text, rules, rule, outputs=rule.outputs), read_claims(text, rule))


def _claimed(clauses: Sequence[_Clause]) -> Counter[tuple[str, str, Value]]:
    return Counter((c.output, c.operator, c.value) for clause in clauses for c in clause.claims)


def _varying(clauses: Sequence[_Clause]) -> frozenset[str]:
    """The inputs that clauses tell different values of."""
    values = Counter(name for name, _ in _told(clauses))
    return frozenset(name for name, several in values.items() if several > 1)


def _paired(clauses: Sequence[_Clause]) -> Iterator[Case]:
    """The claims with what their own clause tells of the case, or the one beside it.

    "With 3 players, it is 6, and with 4 players, 7" has the case in a clause before each claim.
    """
    apart = [c for c in clauses if bool(c.claims) != bool(c.reading.state)]
    both = [c for c in clauses if c.claims and c.reading.state]
    yield from (Case(c.reading.state, c.claims) for c in both if _is_clear(c))
    firsts, seconds = apart[::2], apart[1::2]
    alternate = len({bool(c.claims) for c in firsts}) == len({bool(c.claims) for c in seconds}) == 1
    if both or not alternate or len(firsts) != len(seconds) or not all(map(_is_clear, apart)):
        return
    for one, other in zip(firsts, seconds, strict=True):
        yield Case({**one.reading.state, **other.reading.state}, one.claims or other.claims)


def _is_clear(clause: _Clause) -> bool:
    return not (clause.reading.bounded or clause.reading.compared)


def _is_told_apart(
    case: Case,
    varying: frozenset[str],
    told: set[tuple[str, Value]],
    known: Mapping[str, Value],
) -> bool:
    """Whether a case tells all that differs, and lacks nothing that another part may tell it."""
    state = {**known, **case.told}
    lacks = any(name not in case.told and state.get(name) != value for name, value in told)
    return varying <= case.told.keys() and not lacks and not _are_at_odds(case.claims)
