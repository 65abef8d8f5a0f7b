"""The state of a game as far as a text tells it.

Precision goes before recall: a number that no phrase claims is left alone, a value that is said and
denied, or said in two ways, is not read, and what isn't read is asked for.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulespal_chat.rules.expressions import ExpressionError, MissingError, Value, evaluate
from rulespal_chat.rules.model import Input
from rulespal_chat.rules.phrases import Match, find_list, find_number, find_phrase, plain
from rulespal_chat.rules.state import fits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from rulespal_chat.rules.model import Output, Rule, Ruleset, State

    Find = Callable[[str, str], Iterator[Match]]

PLAYERS = "players"
_INPUTS_FIRST = 2  # how much surer a phrase of an input is than one of an output as long
# How people say how many play, in any game: a phrase, and what its number lacks.
_COUNTS = (
    ("{n} of us", 0), ("{n} (player|people|person)", 0), ("{n} p", 0), ("{n}p", 0),
    ("were (just|only)? {n} (player|people)", 0), ("we are (just|only)? {n}", 0),
    ("group of {n}", 0), ("table of {n}", 0), ("party of {n}", 0), ("{n} at (table|our table)", 0),
    ("(me|i|myself) (and|plus) {n} (other|friend|people|more|mate)", 1),
    ("{n} (other|friend|people|mate) (and|plus) (me|myself|i)", 1),
    ("(plus|and|with|against|versus|vs) {n} other", 1),
    ("{n} other (player|people|role)", 1), ("{n} (opponent|enemy|enemies)", 1),
    ("{n} (gamer|folk)", 0), ("(play|playing) with {n}", 0),
    ("player (=|:) {n}", 0), ("player count (is|of|=|:) {n}", 0),
    ("number of player (is|=|:) {n}", 0),
)  # fmt: skip
_FIXED = (
    ("solo", 1), ("alone", 1), ("single player", 1), ("single-player", 1), ("by myself", 1),
    ("on my own", 1), ("lone (ghoul|ghost|vile|cave|unicorn)", 1), ("1 player", 1),
    ("foursome", 4), ("trio", 3), ("threesome", 3), ("head to head", 2), ("1 on 1", 2),
    ("1v1", 2), ("2 hander", 2), ("duel", 2), ("duelling", 2), ("dueling", 2),
    ("me (vs|versus|against) (my|1) (friend|wife|husband|partner|son|daughter|brother|sister)", 2),
)  # fmt: skip
# "I attacked 3 players": they are what is done to, not who plays.
_OBJECT = re.compile(
    r" (?:attack|attacked|attacking|hit|kill|killed|touch|target|targeted|choose|chose|between|"
    r"pass|of|other|possess|possessed|move|moved|visible) (?:[a-z]+ )?$"
)
_WERE = re.compile(r"(?<= )were (?:just |only )?(?P<n>\d+) (?=[.,;:!?)]|and |in |here |so |on |$)")
_DENIED = re.compile(
    r" (?:no|not|without|never|isnt|arent|wasnt|werent|dont|doesnt|didnt|hasnt|havent|hadnt|cannot|"
    r"cant|nobody|none|neither|nor|instead of|rather than|non)(?: \w+)? $"
)
_HAS = r"(?:has |have |had |got |with |at |: |is |= |also |only )*"
_LEVEL = re.compile(r" (?:difficulty|level|setting|mode) ")
_NAMED = re.compile(
    rf"(?<= )(?:[a-z]+ )?{_HAS}\d+(?: (?!and )[a-z]+)?"
    rf"(?: (?:[,;] (?:and )?|and )(?!other |rest |then |for )[a-z]+ {_HAS}\d+"
    r"(?: (?!and )[a-z]+)?)+ "
)
_EACH = re.compile(
    rf"(?<= )(?P<count>[2-9]) (?:of us|of them|player|people) (?:each |all )?{_HAS}(?P<each>\d+) "
    r"(?:[a-z]+ )?(?:each )?"
    rf"(?:(?:[,;] )?(?:and |but )?(?:last|other|3rd|4th)(?: 1| player)? {_HAS}"
    r"(?P<last>\d+) )?"
)
_OTHERS = re.compile(
    rf"(?<= )(?P<first>\d+) (?:[a-z]+ )?(?:[,;] )?(?:(?:and|while|but) )?"
    rf"(?:other|others) (?P<count>\d+) (?:player |of them )?{_HAS}(?P<rest>\d+) "
)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text tells for a rule.

    Attributes:
        state: the inputs read.
        claimed: numbers said of outputs: (output's name, value).
        left: numbers of the text that nothing claimed, save "one".
        mentioned: inputs that the text speaks of without telling their value.
        compared: inputs of which the text tells several values.
    """

    state: State
    claimed: tuple[tuple[str, int], ...] = ()
    left: tuple[int, ...] = ()
    mentioned: frozenset[str] = frozenset()
    compared: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Said:
    """A value that a place in the text may give to an input or output."""

    thing: Input | Output
    value: Value
    match: Match


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
    numbers = _numbers(form, inputs, tuple(outputs))
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
    told = (*(number for number in left if number != 1), *ones)
    return Reading(state, claimed, told, frozenset(mentioned), _compared(form, inputs, state))


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
    is_level = given.name.endswith(("difficulty", "level")) and _LEVEL.search(form) is not None
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
    for said in _numbers(form, inputs, ()):
        state.setdefault(said.thing.name, said.value)
    spoken = list(_spoken(form, inputs))
    for said in spoken:
        shared = [s for s in spoken if s.match == said.match and s.thing.name != said.thing.name]
        is_meant = not shared or _is_of(said.thing, roles)
        if is_meant and _means_something(said.thing, state):
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


def _numbers(form: str, inputs: Sequence[Input], outputs: Sequence[Output]) -> list[_Said]:
    """The numbers that phrases claim, each number once: the surer phrase first."""
    told = [said for given in inputs for said in _numbers_of(form, given)]
    claimed = [said for output in outputs for said in _claims_of(form, output)]
    rated = [(_INPUTS_FIRST * s.match.weight, s) for s in told]
    rated += [(s.match.weight, s) for s in claimed]
    rated.sort(key=lambda r: (-len(r[1].match.numbers), -r[0], r[1].match.start))
    found = [said for _, said in rated]
    taken: set[int] = set()
    given: dict[str, Value] = {}
    kept = []
    for said in found:
        places = set(_places(said.match))
        if taken.isdisjoint(places) and given.get(said.thing.name, said.value) == said.value:
            taken |= places
            given[said.thing.name] = said.value
            kept.append(said)
    return kept


def _places(match: Match) -> Iterator[int]:
    """Where the numbers of a match begin; a number said in a word has no place."""
    if match.number_at is not None:
        yield from range(*match.number_at)


def _numbers_of(form: str, given: Input) -> Iterator[_Said]:
    if given.name == PLAYERS:
        yield from _players(form, given)
        return  # "the nearest player is 4 spaces away" tells no number of players
    if given.type.kind == "int":
        yield from _fitting(given, _each(find_number, _phrases(given), form))
        yield from _nones(form, given)
    elif given.type.kind == "list":
        for match in _each(find_list, _phrases(given), form):
            if fits(given, match.numbers):
                yield _Said(given, match.numbers, match)
        yield from _named_list(form, given)


def _each(find: Find, phrases: Iterable[str], form: str) -> Iterator[Match]:
    for phrase in phrases:
        yield from find(phrase, form)


def _fitting(given: Input, matches: Iterable[Match], more: int = 0) -> Iterator[_Said]:
    """What the numbers found, with some more added, say of an input that they are in bounds of."""
    for match in matches:
        if match.number is not None and fits(given, match.number + more):
            yield _Said(given, match.number + more, match)


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


def _named_list(form: str, given: Input) -> Iterator[_Said]:
    """Numbers told one by one, "A has 5, B 5, C 3", where the thing is named as well."""
    words = (phrase for phrase in _phrases(given) if "{" not in phrase)
    if next(_each(find_phrase, words, form), None) is None:
        return
    for found in _NAMED.finditer(form):
        yield from _listed(given, tuple(map(int, re.findall(r"\d+", found[0]))), found)
    for found in _EACH.finditer(form):
        last = [int(found["last"])] if found["last"] else []
        yield from _listed(given, (*[int(found["each"])] * int(found["count"]), *last), found)
    for found in _OTHERS.finditer(form):
        count = min(int(found["count"]), given.length[1])
        yield from _listed(given, (int(found["first"]), *[int(found["rest"])] * count), found)


def _listed(given: Input, numbers: tuple[int, ...], found: re.Match[str]) -> Iterator[_Said]:
    if fits(given, numbers):
        match = Match(found.start(), found.end(), None, numbers, found.span(), len(found[0]))
        yield _Said(given, numbers, match)


def _players(form: str, given: Input) -> Iterator[_Said]:
    own = ((phrase, 0) for phrase in given.says if "{" in phrase)
    for phrase, more in (*_COUNTS, *own):
        matches = (m for m in find_phrase(phrase, form) if not _OBJECT.search(form[: m.start]))
        for said in _fitting(given, matches, more):
            # "me and 4 others" is surer than the "4 others" in it
            yield replace(said, match=replace(said.match, weight=said.match.weight + 20 * more))
    for found in _WERE.finditer(form):
        match = Match(*found.span(), int(found["n"]), (), found.span("n"), weight=4)
        yield from _fitting(given, [match])
    for phrase, number in _FIXED:
        for match in find_phrase(phrase, form):
            if fits(given, number) and not _is_denied(form, match):
                yield _Said(given, number, match)


def _claims_of(form: str, output: Output) -> Iterator[_Said]:
    if output.type.kind == "int":
        phrases = dict.fromkeys([*output.says, *output.unit.words])
        for match in _each(find_number, phrases, form):
            if match.number is not None:
                yield _Said(output, match.number, match)


def _words(form: str, inputs: Sequence[Input], rule: Rule, numbers: State) -> State:
    """The enums and bools that words give; what is said in two ways isn't read."""
    said: dict[str, list[_Said]] = {}
    for one in _spoken(form, inputs):
        said.setdefault(one.thing.name, []).append(one)
    state: State = {}
    by_name = {given.name: given for given in inputs}
    # What means something only now and then goes first: "hard" is a solo level when alone.
    for name in sorted(said, key=lambda n: by_name[n].only is None):
        given = by_name[name]
        values = _values(said[name], rule)
        known = {**numbers, **state}
        if len(values) == 1 and name not in numbers and _means_something(given, known):
            state[name] = values.pop()
            if given.only is not None:
                _drop_shared(said, name)
    return state


def _drop_shared(said: dict[str, list[_Said]], name: str) -> None:
    """Forgets what other inputs made of the words that an input has taken."""
    places = {(one.match.start, one.match.end) for one in said[name]}
    for other, found in said.items():
        if other != name:
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
        for value, called in given.values:
            for match in _each(find_phrase, called, form):
                if not _is_denied(form, match):
                    yield _Said(given, value, match)
    elif given.type.kind == "bool":
        for match in _each(find_phrase, given.yes, form):
            yield _Said(given, not _is_denied(form, match), match)
        for match in _each(find_phrase, given.no, form):
            yield _Said(given, False, match)


def _is_denied(form: str, match: Match) -> bool:
    return _DENIED.search(form[: match.start]) is not None


def _means_something(given: Input | Output, state: State) -> bool:
    only = getattr(given, "only", None)
    if only is None:
        return True

    def value_of(name: str) -> Value:
        if name not in state:
            raise MissingError(name)
        return state[name]

    try:
        return bool(evaluate(only, value_of))
    except (MissingError, ExpressionError):
        return False
