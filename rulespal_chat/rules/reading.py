"""The state of a game as far as a text tells it.

Precision goes before recall: a number that no phrase claims is left alone, a value that is said and
denied, or said in two ways, is not read, and what isn't read is asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from rulespal_chat.rules.counting import PLAYERS as PLAYERS
from rulespal_chat.rules.model import Input
from rulespal_chat.rules.phrases import find_phrase, plain
from rulespal_chat.rules.said import bare, each, places
from rulespal_chat.rules.state import means_something
from rulespal_chat.rules.told_numbers import numbers_said
from rulespal_chat.rules.told_words import LEVELS, spoken, spoken_of, words_said

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Output, Rule, Ruleset, State

_LEVEL = re.compile(r" (?:difficulty|level|setting|mode) ")


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text tells for a rule.

    Attributes:
        state: the inputs read.
        claimed: numbers said of outputs: (output's name, value).
        left: numbers of the text that nothing claimed, save "one".
        mentioned: inputs that the text speaks of without telling their value.
        compared: inputs of which the text tells several values.
        bounded: inputs of which the text tells no number, but a bound: "up to 7 players".
    """

    state: State
    claimed: tuple[tuple[str, int], ...] = ()
    left: tuple[int, ...] = ()
    mentioned: frozenset[str] = frozenset()
    compared: frozenset[str] = frozenset()
    bounded: frozenset[str] = frozenset()


def read_inputs(text: str, rules: Ruleset, rule: Rule) -> State:
    """The inputs of a rule that a text gives."""
    return read(text, rules, rule).state


def read(text: str, rules: Ruleset, rule: Rule, *, outputs: Iterable[Output] = ()) -> Reading:
    """Reads a text for a rule.

    Args:
        text: what somebody wrote.
        rules: of the game.
        rule: whose inputs are looked for.
        outputs: also look for numbers said of these.
    """
    form = plain(text)
    inputs = _inputs(rules, rule)
    told, bounded, compared = numbers_said(form, inputs, tuple(outputs))
    changed = {g.name for g in inputs if any(map(partial(_says, form), g.unless))}
    numbers = [said for said in told if said.thing.name not in compared | changed]
    state: State = {}
    for said in numbers:
        if said.thing.name in rules.inputs:
            state.setdefault(said.thing.name, said.value)
    state |= words_said(form, inputs, rule, state)
    taken = {place for said in numbers for place in places(said.match)}
    left = [int(m[0]) for m in re.finditer(r"\d+\b", form) if m.start() not in taken]
    mentioned = {g.name for g in inputs if g.name not in state and _is_mentioned(form, g, taken)}
    is_output = {output.name for output in outputs}
    pronouns = len(re.findall(r"\b(?:one|single|lone)\b", text.lower()))  # no numbers
    claimed = tuple(
        (s.thing.name, s.value)
        for s in numbers
        if s.thing.name in is_output and isinstance(s.value, int) and (s.value != 1 or not pronouns)
    )
    ones = [1] * max(0, left.count(1) - pronouns)
    return Reading(
        state,
        claimed,
        left=(*(number for number in left if number != 1), *ones),
        mentioned=frozenset(mentioned),
        compared=compared | _compared(form, inputs, state),
        bounded=bounded.intersection(g.name for g in inputs).difference(state),
    )


def _says(form: str, phrase: str) -> bool:
    return next(find_phrase(phrase, form), None) is not None


def _compared(form: str, inputs: Sequence[Input], state: State) -> frozenset[str]:
    """The enums that aren't read because several of their values are said: "hard vs easy"."""
    values: dict[str, set[Value]] = {}
    for said in spoken(form, inputs):
        if said.thing.type.kind == "enum" and said.thing.name not in state:
            values.setdefault(said.thing.name, set()).add(said.value)
    return frozenset(name for name, several in values.items() if len(several) > 1)


def _is_mentioned(form: str, given: Input, taken: set[int]) -> bool:
    """Whether a text speaks of an input with a standard, which then is not to be assumed."""
    if given.default is None:
        return False
    if given.type.kind == "int":
        found = each(find_phrase, bare(given), form)
        around = (_around(form, range(m.start, m.end + 1)) for m in found)
        return any(taken.isdisjoint(place) for place in around)
    is_level = given.name.endswith(LEVELS) and _LEVEL.search(form) is not None
    return is_level or next(spoken_of(form, given), None) is not None


def _around(form: str, place: range) -> range:
    """A place in a text with the word on either side of it."""
    before = form.rfind(" ", 0, max(0, place.start - 1))
    after = form.find(" ", place.stop)
    return range(max(0, before), after if after >= 0 else len(form))


def lasting(text: str, rules: Ruleset, roles: Iterable[str] = ()) -> State:
    """What a text tells that holds for the whole game, such as the number of players.

    Args:
        text: what somebody wrote.
        rules: of the game.
        roles: headings of the roles in question. A word that several inputs know, as two roles
            know "hard", is one for the input of these roles, and says nothing without them.
    """
    form = plain(text)
    inputs = [given for given in rules.inputs.values() if given.lasts]
    state: State = {}
    told, _, compared = numbers_said(form, inputs, ())
    for said in told:
        if said.thing.name not in compared:
            state.setdefault(said.thing.name, said.value)
    words = list(spoken(form, inputs))
    for said in words:
        shared = [s for s in words if s.match == said.match and s.thing.name != said.thing.name]
        is_meant = not shared or _is_of(said.thing, roles)
        if is_meant and isinstance(said.thing, Input) and means_something(said.thing, state):
            state.setdefault(said.thing.name, said.value)
    return state


def _is_of(thing: Input | Output, roles: Iterable[str]) -> bool:
    """Whether an input is one of these roles: its bounds stand in the chapter of one."""
    bounds = thing.bounds if isinstance(thing, Input) else ()
    return any(pick.section.chapter in roles for pick in bounds)


def _inputs(rules: Ruleset, rule: Rule) -> list[Input]:
    """The inputs of a rule, and the lists that they are sums and counts of."""
    names = dict.fromkeys(rule.inputs)
    for name in rule.inputs:
        given = rules.inputs[name]
        names |= dict.fromkeys(n for n in (given.sum_of, given.count_of) if n)
    return [rules.inputs[name] for name in names]
