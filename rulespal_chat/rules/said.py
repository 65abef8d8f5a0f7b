"""What a place in a text says of an input or output, and the phrases by which it is looked for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Input, Output
    from rulespal_chat.rules.phrases import Match

    Find = Callable[[str, str], Iterator[Match]]


@dataclass(frozen=True, slots=True)
class Said:
    """A value that a place in the text gives to an input or output, or only hints at or bounds."""

    thing: Input | Output
    value: Value
    match: Match
    is_unsure: bool = False


def places(match: Match) -> Iterator[int]:
    """Where the numbers of a match begin; a number said in a word has no place."""
    if match.number_at is not None:
        yield from range(*match.number_at)


def each(find: Find, phrases: Iterable[str], form: str) -> Iterator[Match]:
    """Where one of the phrases is found."""
    for phrase in phrases:
        yield from find(phrase, form)


def phrases_of(thing: Input | Output) -> tuple[str, ...]:
    """The phrases of an input or output, its units among them."""
    units = (thing.unit.one, thing.unit.many)
    return tuple(dict.fromkeys([*thing.says, *(unit for unit in units if unit)]))


def bare(thing: Input | Output) -> list[str]:
    """The phrases that are words alone."""
    return [phrase for phrase in phrases_of(thing) if "{" not in phrase]
