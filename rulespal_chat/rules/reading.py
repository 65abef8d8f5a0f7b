"""The state of a game as far as a text tells it.

Precision goes before recall: a number that no phrase claims is left alone, a value that is said and
denied, or said in two ways, is not read, and what isn't read is asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespal_chat.rules.counting import PLAYERS as PLAYERS
from rulespal_chat.rules.counting import players
from rulespal_chat.rules.hedges import is_bounded, is_denied, is_gone, is_in_passing
from rulespal_chat.rules.lists import named_lists
from rulespal_chat.rules.model import Input
from rulespal_chat.rules.phrases import Match, find_list, find_number, find_phrase, plain
from rulespal_chat.rules.state import fits, means_something

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Output, Rule, Ruleset, State

    Find = Callable[[str, str], Iterator[Match]]

_INPUTS_FIRST = 2  # how much surer a phrase of an input is than one of an output as long
_AS_SURE = (
    15  # letters: players told otherwise, by a phrase not so much shorter, are told in two ways
)
_LEVELS = ("difficulty", "level")
_LEVEL = re.compile(r" (?:difficulty|level|setting|mode) ")
_OR_MORE = "(or (more|less|fewer|higher|lower)|+)"


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


@dataclass(frozen=True, slots=True)
class _Said:
    """A value that a place in the text may give to an input or output, or only a bound of it."""

    thing: Input | Output
    value: Value
    match: Match
    is_bound: bool = False


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
    told, bounded, compared = _numbers(form, inputs, tuple(outputs))
    numbers = [said for said in told if said.thing.name not in compared]
    state: State = {}
    for said in numbers:
        if said.thing.name in rules.inputs:
            state.setdefault(said.thing.name, said.value)
    state |= _words(form, inputs, rule, state)
    taken = {place for said in numbers for place in _places(said.match)}
    left = [int(m[0]) for m in re.finditer(r"\d+\b", form) if m.start() not in taken]
    mentioned = {g.name for g in inputs if g.name not in state and _is_mentioned(form, g, taken)}
    is_output = {output.name for output in outputs}
    claimed = tuple(
        (s.thing.name, s.value)
        for s in numbers
        if s.thing.name in is_output and isinstance(s.value, int)
    )
    pronouns = len(re.findall(r"\b(?:one|single|lone)\b", text.lower()))  # no numbers
    ones = [1] * max(0, left.count(1) - pronouns)
    return Reading(
        state,
        claimed,
        left=(*(number for number in left if number != 1), *ones),
        mentioned=frozenset(mentioned),
        compared=compared | _compared(form, inputs, state),
        bounded=bounded.difference(state),
    )


def _compared(form: str, inputs: Sequence[Input], state: State) -> frozenset[str]:
    """The enums that aren't read because several of their values are said: "hard vs easy"."""
    values: dict[str, set[Value]] = {}
    for said in _spoken(form, inputs):
        if said.thing.type.kind == "enum" and said.thing.name not in state:
            values.setdefault(said.thing.name, set()).add(said.value)
    return frozenset(name for name, several in values.items() if len(several) > 1)


def _is_mentioned(form: str, given: Input, taken: set[int]) -> bool:
    """Whether a text speaks of an input with a standard, which then is not to be assumed."""
    if given.default is None:
        return False
    if given.type.kind == "int":
        words = [phrase for phrase in _phrases(given) if "{" not in phrase]
        places = (range(m.start, m.end + 1) for m in _each(find_phrase, words, form))
        return any(taken.isdisjoint(_around(form, place)) for place in places)
    is_level = given.name.endswith(_LEVELS) and _LEVEL.search(form) is not None
    return is_level or next(_spoken_of(form, given), None) is not None


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
    told, _, compared = _numbers(form, inputs, ())
    for said in told:
        if said.thing.name not in compared:
            state.setdefault(said.thing.name, said.value)
    spoken = list(_spoken(form, inputs))
    for said in spoken:
        shared = [s for s in spoken if s.match == said.match and s.thing.name != said.thing.name]
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


def _numbers(
    form: str, inputs: Sequence[Input], outputs: Sequence[Output]
) -> tuple[list[_Said], frozenset[str], frozenset[str]]:
    """The numbers that phrases claim, each number once: the surer phrase first.

    With them, the names of what is only bounded, and of what is told in two ways.
    """
    told = [said for given in inputs for said in _numbers_of(form, given)]
    claimed = [said for output in outputs for said in _claims_of(form, output)]
    rated = [(_INPUTS_FIRST * s.match.weight, s) for s in told]
    rated += [(s.match.weight, s) for s in claimed]
    rated.sort(key=lambda r: (-len(r[1].match.numbers), -r[0], r[1].match.start))
    taken: set[int] = set()
    first: dict[str, _Said] = {}
    kept, bounded, compared = [], set(), set()
    for _, said in rated:
        name, places = said.thing.name, set(_places(said.match))
        if not taken.isdisjoint(places):
            continue
        if said.is_bound:
            taken |= places
            bounded.add(name)
        elif first.setdefault(name, said).value == said.value:
            taken |= places
            kept.append(said)
        elif name == PLAYERS and said.match.weight > first[name].match.weight - _AS_SURE:
            compared.add(name)
    return kept, frozenset(bounded), frozenset(compared)


def _places(match: Match) -> Iterator[int]:
    """Where the numbers of a match begin; a number said in a word has no place."""
    if match.number_at is not None:
        yield from range(*match.number_at)


def _numbers_of(form: str, given: Input) -> Iterator[_Said]:
    if given.name == PLAYERS:  # "the nearest player is 4 spaces away" tells no number of players
        yield from _fitting(form, given, players(form, given))
        yield from _or_more(form, given, ["(player|people|person|of us)"])
    elif given.type.kind == "int":
        phrases = _phrases(given)
        bare = [phrase for phrase in phrases if "{" not in phrase]
        yield from _fitting(form, given, _each(find_number, set(phrases).difference(bare), form))
        for match in _each(find_number, bare, form):
            if not is_gone(form, match, given):
                yield from _fitting(form, given, [match])
        yield from _or_more(form, given, bare)
        yield from _nones(form, given)
    elif given.type.kind == "list":
        for match in _lists(form, given):
            if fits(given, match.numbers):
                yield _Said(given, match.numbers, match)


def _lists(form: str, given: Input) -> Iterator[Match]:
    """Lists told at once; those told one by one, where the thing is named as well."""
    yield from _each(find_list, _phrases(given), form)
    words = (phrase for phrase in _phrases(given) if "{" not in phrase)
    if next(_each(find_phrase, words, form), None) is not None:
        yield from named_lists(form, given.length[1])


def _each(find: Find, phrases: Iterable[str], form: str) -> Iterator[Match]:
    for phrase in phrases:
        yield from find(phrase, form)


def _fitting(form: str, thing: Input, matches: Iterable[Match]) -> Iterator[_Said]:
    """What the numbers found say of an input that they are in bounds of."""
    for match in matches:
        if match.number is not None and fits(thing, match.number):
            yield _Said(thing, match.number, match, is_bound=is_bounded(form, match))


def _or_more(form: str, given: Input, phrases: Iterable[str]) -> Iterator[_Said]:
    """The bounds in "3 or more rings" and "5+ rings"."""
    for match in _each(find_phrase, (f"{{n}} {_OR_MORE} {phrase}" for phrase in phrases), form):
        yield _Said(given, match.number or 0, match, is_bound=True)


def _phrases(thing: Input | Output) -> tuple[str, ...]:
    units = (thing.unit.one, thing.unit.many)
    return tuple(dict.fromkeys([*thing.says, *(unit for unit in units if unit)]))


def _nones(form: str, given: Input) -> Iterator[_Said]:
    """Places that say there is none of it: "no Ghost tiles"."""
    if given.low > 0:
        return
    nones = (f"(no|zero|without) (more|other)? {p}" for p in _phrases(given) if "{" not in p)
    for match in _each(find_phrase, nones, form):
        yield _Said(given, 0, match)


def _claims_of(form: str, output: Output) -> Iterator[_Said]:
    if output.type.kind == "int":
        phrases = dict.fromkeys([*output.says, *output.unit.words])
        for match in _each(find_number, phrases, form):
            if match.number is not None:
                yield _Said(output, match.number, match, is_bound=is_bounded(form, match))


def _words(form: str, inputs: Sequence[Input], rule: Rule, numbers: State) -> State:
    """The enums and bools that words give; what is said in two ways isn't read."""
    said: dict[str, list[_Said]] = {}
    for one in _spoken(form, inputs):
        said.setdefault(one.thing.name, []).append(one)
    # What means something only now and then goes first: "hard" is a solo level when alone. Then it
    # has another turn, for what that depends on may be told in words as well.
    only = [given for given in inputs if given.name in said and given.only is not None]
    plainly = [given for given in inputs if given.name in said and given.only is None]
    state: State = {}
    for given in (*only, *plainly, *only):
        values = _values(said[given.name], rule)
        known = {**numbers, **state}
        if len(values) == 1 and given.name not in known and means_something(given, known):
            state[given.name] = values.pop()
            _drop_shared(said, given.name, everywhere=given.only is not None)
    return state


def _drop_shared(said: dict[str, list[_Said]], name: str, *, everywhere: bool) -> None:
    """Forgets what other inputs, or those with a condition, made of the words of an input."""
    places = {(one.match.start, one.match.end) for one in said[name]}
    for other, found in said.items():
        is_late = everywhere or any(
            isinstance(one.thing, Input) and one.thing.only is not None for one in found
        )
        if other != name and is_late:
            found[:] = [s for s in found if (s.match.start, s.match.end) not in places]


def _values(said: Sequence[_Said], rule: Rule) -> set[Value]:
    """The values said; the rule's own role is named anyway, and counts only if it is alone."""
    values = {one.value for one in said}
    if len(values) > 1:
        own = plain(rule.section.split(" > ")[0])
        others = {
            v for v in values if not (isinstance(v, str) and plain(v.replace("_", " ")) == own)
        }
        return others or values
    return values


def _spoken(form: str, inputs: Sequence[Input]) -> Iterator[_Said]:
    """The enums and bools that phrases say, without those inside a longer one of the same input."""
    for given in inputs:
        found = list(_spoken_of(form, given))
        for said in found:
            inside = any(
                other.match.start <= said.match.start
                and said.match.end <= other.match.end
                and other.match.end - other.match.start > said.match.end - said.match.start
                for other in found
            )
            if not inside:
                yield said


def _spoken_of(form: str, given: Input) -> Iterator[_Said]:
    if given.type.kind == "enum":
        is_level = given.name.endswith(_LEVELS)
        for value, called in given.values:
            for match in _each(find_phrase, called, form):
                if not (is_denied(form, match) or (is_level and is_in_passing(form, match))):
                    yield _Said(given, value, match)
    elif given.type.kind == "bool":
        for match in _each(find_phrase, given.yes, form):
            yield _Said(given, not is_denied(form, match), match)
        for match in _each(find_phrase, given.no, form):
            yield _Said(given, False, match)
