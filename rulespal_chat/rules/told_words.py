"""The choices and the yes or no of inputs that a text tells in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.rules.hedges import is_denied, is_in_passing, is_verdict
from rulespal_chat.rules.model import Input
from rulespal_chat.rules.phrases import find_phrase, plain
from rulespal_chat.rules.said import Said, each
from rulespal_chat.rules.state import means_something

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Rule, State

LEVELS = ("difficulty", "level")  # how the names of such inputs end


def words_said(form: str, inputs: Sequence[Input], rule: Rule, numbers: State) -> State:
    """The enums and bools that words give; what is said in two ways isn't read."""
    said: dict[str, list[Said]] = {}
    for one in spoken(form, inputs):
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


def _drop_shared(said: dict[str, list[Said]], name: str, *, everywhere: bool) -> None:
    """Forgets what other inputs, or those with a condition, made of the words of an input."""
    places = {(one.match.start, one.match.end) for one in said[name]}
    for other, found in said.items():
        is_late = everywhere or any(
            isinstance(one.thing, Input) and one.thing.only is not None for one in found
        )
        if other != name and is_late:
            found[:] = [s for s in found if (s.match.start, s.match.end) not in places]


def _values(said: Sequence[Said], rule: Rule) -> set[Value]:
    """The values said; the rule's own role is named anyway, and counts only if it is alone."""
    values = {one.value for one in said}
    if len(values) > 1:
        own = plain(rule.section.split(" > ")[0])
        others = {
            v for v in values if not (isinstance(v, str) and plain(v.replace("_", " ")) == own)
        }
        return others or values
    return values


def spoken(form: str, inputs: Sequence[Input]) -> Iterator[Said]:
    """The enums and bools that phrases say, without those inside a longer one of the same input."""
    for given in inputs:
        found = [said for said in spoken_of(form, given) if not said.is_unsure]
        for said in found:
            inside = any(
                other.match.start <= said.match.start
                and said.match.end <= other.match.end
                and other.match.end - other.match.start > said.match.end - said.match.start
                for other in found
            )
            if not inside:
                yield said


def spoken_of(form: str, given: Input) -> Iterator[Said]:
    """The values of an enum or bool that phrases say; "is it hard?" may mean none of them."""
    if given.type.kind == "enum":
        is_level = given.name.endswith(LEVELS)
        for value, called in given.values:
            for match in each(find_phrase, called, form):
                if not (is_denied(form, match) or (is_level and is_in_passing(form, match))):
                    unsure = is_level and is_verdict(form, match)
                    yield Said(given, value, match, is_unsure=unsure)
    elif given.type.kind == "bool":
        for match in each(find_phrase, given.yes, form):
            yield Said(given, not is_denied(form, match), match)
        for match in each(find_phrase, given.no, form):
            yield Said(given, False, match)
