"""The proof that each number of a rule file stands in the statements that it cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.rules.numbers import numbers_in
from rulespal_chat.rules.problems import FileProblem

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulespal_chat.rules.expressions import Expression
    from rulespal_chat.types import Pick


def quoted_numbers(picks: Iterable[Pick]) -> frozenset[int]:
    """The numbers that statements give."""
    return frozenset[int]().union(*(numbers_in(pick.statement.text) for pick in picks))


def numbers_of(*expressions: Expression | None) -> frozenset[int]:
    """The numbers written in expressions; None has none."""
    return frozenset(n for e in expressions if e is not None for n in e.numbers)


def check_numbers(
    written: Iterable[int],
    derived: Sequence[int],
    picks: Iterable[Pick],
    what: str,
    *place: str | int,
) -> None:
    """Checks that each number is quoted, or else marked derived; and nothing more is marked so.

    Args:
        written: the numbers.
        derived: those marked derived.
        picks: the statements cited.
        what: has the numbers: a row, a condition, an input.
        place: the path to it.

    Raises:
        FileProblem: a number is neither, or both.
    """
    written, quoted = frozenset(written), quoted_numbers(picks)
    for number in sorted(written - quoted - {*derived}):
        raise FileProblem(f"the number {number} stands in no quote of its {what}", *place)
    for number in sorted(derived):
        if number not in written:
            raise FileProblem(f"the number {number}, marked derived, isn't used", *place)
        if number in quoted:
            raise FileProblem(f"the number {number}, marked derived, stands in a quote", *place)
