"""What is known at the table, as key=value pairs, bound to the inputs of a game.

A key is the name of an input or the end of one: "difficulty" is that of whichever role is asked
about, and a solo level where one plays alone.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespal_chat.corpus.text import one_line
from rulespal_chat.errors import BadStateError
from rulespal_chat.rules.phrases import plain
from rulespal_chat.rules.state import means_something, read_value
from rulespal_chat.rules.wording import listed, shown, with_unit, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Input, Ruleset, State

Pairs = tuple[tuple[str, str], ...]
_DIFFICULTY = ("difficulty", "level")


def split_pairs(typed: str) -> Pairs:
    """The pairs in "players=5 difficulty=hard".

    Raises:
        BadStateError: a part is no key=value.
    """
    pairs = []
    for part in typed.split():
        key, equals, value = part.partition("=")
        if not (key and equals):
            raise BadStateError(
                f"'{one_line(part)[:60]}' is no key=value", "/table players=5, or key= to forget it"
            )
        pairs.append((key.strip().lower().replace("-", "_"), value.strip()))
    return tuple(pairs)


def updated(pairs: Pairs, news: Iterable[tuple[str, str]]) -> Pairs:
    """The pairs with newer ones in place; an empty value forgets its key."""
    merged = {**dict(pairs), **dict(news)}
    return tuple((key, value) for key, value in merged.items() if value)


def check_pairs(rules: Ruleset, pairs: Pairs) -> None:
    """Checks that a game knows every key, and can read its value.

    Raises:
        BadStateError: it doesn't.
    """
    for key, value in pairs:
        inputs = list(_meant(rules, key))
        if not inputs:
            names = sorted(given.name for given in rules.inputs.values() if given.lasts)
            raise BadStateError(
                f"{rules.book.title} has no '{one_line(key)[:60]}'; what lasts is {listed(names)}",
                "/table players=5",
            )
        if value and not any(_read(given, value) is not None for given in inputs):
            read_value(inputs[0], value)  # says what it may be


def bound(rules: Ruleset, pairs: Pairs) -> State:
    """The inputs of a game that the pairs give; what can't be read, or means nothing, is left out.

    A word for several inputs is one for those that are known to mean something.
    """
    state: State = {}
    for key, text in sorted(pairs, key=lambda pair: pair[0] not in rules.inputs):
        for given in sorted(_meant(rules, key), key=lambda meant: meant.only is not None):
            value = _read(given, text)
            holds = means_something(given, state)
            is_known = bool(holds) if given.name != key else holds is not False
            if value is not None and is_known and given.name not in state:
                state[given.name] = value
    return state


def typed_pairs(state: State) -> Pairs:
    """A state as pairs that `bound` reads again."""
    return tuple((name, _typed(value)) for name, value in state.items())


def _typed(value: Value) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return shown(value) if isinstance(value, bool) else str(value)


def reply_value(given: Input, text: str) -> str | None:
    """The value, to be kept, of an input that a reply gives; None if it is no such reply.

    A number word counts, and so does a number with its unit: "five", "5 players"; a choice may be
    told by its number in the list.
    """
    if text.strip().isdigit() and given.type.kind in {"enum", "bool"}:
        return _numbered(given, int(text))
    form = plain(text).strip(" .!")
    if given.type.kind == "list":
        form = re.sub(r"\b(?:and|&) |[,;] ", "", form)
    for unit in {plain(given.unit.one).strip(), plain(given.unit.many).strip()} - {""}:
        form = form.removesuffix(unit).strip()
    for typed in (text.strip(" .!"), form):
        value = _read(given, typed)
        if value is not None:
            return _typed(value)
    return None


def _numbered(given: Input, number: int) -> str | None:
    """The choice of this number, counted from 1; of a yes or no, yes is the first."""
    choices = (True, False) if given.type.kind == "bool" else given.domain
    return _typed(choices[number - 1]) if 1 <= number <= len(choices) else None


def in_words(rules: Ruleset, state: State) -> str:
    """A state as a list in a sentence: "5 players and standard ghoul difficulty"."""
    return listed([_in_words(rules.inputs[name], value) for name, value in state.items()])


def _in_words(given: Input, value: Value) -> str:
    name = words_of(given.name)
    if isinstance(value, bool):
        return name if value else f"no {name}"
    if isinstance(value, str):
        text = shown(value, given)
        return text if given.is_reading else f"{text} {name}"
    return with_unit(value, given.unit, given) if given.unit.many else f"{name} {shown(value)}"


def _meant(rules: Ruleset, key: str) -> Iterator[Input]:
    """The inputs that a key may stand for."""
    if key in rules.inputs:
        yield rules.inputs[key]
        return
    endings = _DIFFICULTY if key in _DIFFICULTY else (key,)
    for name, given in rules.inputs.items():
        if given.lasts and name.endswith(tuple(f"_{ending}" for ending in endings)):
            yield given


def _read(given: Input, text: str) -> Value | None:
    try:
        return read_value(given, text)
    except BadStateError:
        return None
