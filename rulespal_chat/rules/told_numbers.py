"""The numbers and lists that a text tells of inputs, or claims of outputs."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rulespal_chat.rules.counting import PLAYERS, players
from rulespal_chat.rules.hedges import is_bounded, is_gone
from rulespal_chat.rules.lists import named_lists
from rulespal_chat.rules.phrases import Match, find_claimed, find_list, find_number, find_phrase
from rulespal_chat.rules.said import Said, bare, each, phrases_of, places
from rulespal_chat.rules.state import fits

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulespal_chat.rules.model import Input, Output

_INPUTS_FIRST = 2  # how much surer a phrase of an input is than one of an output as long
_AS_SURE = 15  # letters: players said by phrases that differ by less are said in two ways
_OR_MORE = "{n} (or (more|less|fewer)|+) (player|people|person|of us)"


def numbers_said(
    form: str, inputs: Sequence[Input], outputs: Sequence[Output]
) -> tuple[list[Said], frozenset[str], frozenset[str]]:
    """The numbers that phrases claim, each number once: the surer phrase first.

    With them, the names of what is only bounded, and of what is told in two ways.
    """
    told = [said for given in inputs for said in _numbers_of(form, given)]
    claimed = [said for output in outputs for said in _claims_of(form, output)]
    rated = [(_INPUTS_FIRST * s.match.weight, s) for s in told]
    rated += [(s.match.weight, s) for s in claimed]
    rated.sort(key=lambda r: (-len(r[1].match.numbers), -r[0], r[1].match.start))
    taken: set[int] = set()
    first: dict[str, Said] = {}
    kept, bounded, compared = [], set(), set()
    for _, said in rated:
        name, here = said.thing.name, set(places(said.match))
        if not taken.isdisjoint(here):
            continue
        if said.is_unsure:
            taken |= here
            bounded.add(name)
        elif first.setdefault(name, said).value == said.value:
            taken |= here
            kept.append(said)
        elif name == PLAYERS and said.match.weight > first[name].match.weight - _AS_SURE:
            compared.add(name)
    return kept, frozenset(bounded), frozenset(compared)


def _numbers_of(form: str, given: Input) -> Iterator[Said]:
    if given.name == PLAYERS:  # "the nearest player is 4 spaces away" tells no number of players
        yield from _fitting(form, given, players(form, given))
        yield from _bounds(form, given, find_phrase(_OR_MORE, form))
    elif given.type.kind == "int":
        for phrase in phrases_of(given):
            matches = find_number(phrase, form)
            there = (m for m in matches if "{" in phrase or not is_gone(form, m, given))
            yield from _fitting(form, given, there)
        yield from _bounds(form, given, each(find_claimed, bare(given), form))
        yield from _nones(form, given)
    elif given.type.kind == "list":
        for match in _lists(form, given):
            if fits(given, match.numbers):
                yield Said(given, match.numbers, match)


def _lists(form: str, given: Input) -> Iterator[Match]:
    """Lists told at once; those told one by one, where the thing is named as well."""
    yield from each(find_list, phrases_of(given), form)
    if next(each(find_phrase, bare(given), form), None) is not None:
        yield from named_lists(form, given.length[1])


def _fitting(form: str, thing: Input, matches: Iterable[Match]) -> Iterator[Said]:
    """What the numbers found say of an input that they are in bounds of."""
    for match in matches:
        if match.number is not None and fits(thing, match.number):
            yield Said(thing, match.number, match, is_unsure=is_bounded(form, match))


def _bounds(form: str, given: Input, matches: Iterable[Match]) -> Iterator[Said]:
    """Numbers that are bounds at most, as in "3 or more rings", unless a phrase claims them."""
    for match in matches:
        if not is_gone(form, match, given):
            yield Said(given, match.number or 0, replace(match, weight=0), is_unsure=True)


def _nones(form: str, given: Input) -> Iterator[Said]:
    """Places that say there is none of it: "no Ghost tiles"."""
    if given.low > 0:
        return
    nones = (f"(no|zero|without) (more|other)? {phrase}" for phrase in bare(given))
    for match in each(find_phrase, nones, form):
        yield Said(given, 0, match)


def _claims_of(form: str, output: Output) -> Iterator[Said]:
    if output.type.kind == "int":
        phrases = dict.fromkeys([*output.says, *output.unit.words])
        for match in each(find_number, phrases, form):
            if match.number is not None:
                yield Said(output, match.number, match, is_unsure=is_bounded(form, match))
