"""What is known of a game: values of inputs, read and checked."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespal_chat.corpus.lookup import words
from rulespal_chat.corpus.text import one_line
from rulespal_chat.errors import BadStateError
from rulespal_chat.rules.expressions import ExpressionError, MissingError, Value, evaluate
from rulespal_chat.rules.wording import listed, words_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulespal_chat.rules.model import Input, Rule, Ruleset, State
    from rulespal_chat.types import Pick

_YES, _NO = {"yes", "true", "y", "on", "1"}, {"no", "false", "n", "off", "0"}
_INT = re.compile(r"[-+]?\d{1,6}")
_CELL = 2


def completed(rules: Ruleset, state: Mapping[str, Value]) -> State:
    """A state with the sums and counts that its lists give."""
    known = dict(state)
    for name, given in rules.inputs.items():
        if name not in known and (follows := _follows(given, known)) is not None:
            known[name] = follows[0]
    return known


def _follows(given: Input, state: Mapping[str, Value]) -> tuple[int, str] | None:
    """The value of an input that follows from a list, if that is known, and what of it that is."""
    members = state.get(given.sum_of or given.count_of)
    if not isinstance(members, tuple):
        return None
    if given.sum_of:
        numbers = (member for member in members if isinstance(member, int))
        return sum(numbers), f"the sum of {words_of(given.sum_of)}"
    return len(members), f"the number of {words_of(given.count_of)}"


def broken_bounds(
    rules: Ruleset, rule: Rule, state: Mapping[str, Value]
) -> tuple[str, tuple[Pick, ...]] | None:
    """Why a state can't be, if it can't: a value out of bounds, or one that means nothing."""
    for name in rule.inputs:
        given = rules.inputs[name]
        if name in state and (broken := _broken(given, state)):
            return broken, given.bounds
    return None


def _broken(given: Input, state: Mapping[str, Value]) -> str:
    """Why an input can't have its value, empty if it can."""
    name, value = words_of(given.name), state[given.name]
    if not fits(given, value):
        return f"{name} is {_limits(given)}"
    if given.only is not None and means_something(given, state) is False:
        return f"{name} means something only if {given.only.text}"
    follows = _follows(given, state)
    if follows is not None and follows[0] != value:
        return f"{name} is {follows[0]}, {follows[1]}"
    return ""


def means_something(given: Input, state: Mapping[str, Value]) -> bool | None:
    """Whether an input means anything in a state; None if that isn't known."""
    if given.only is None:
        return True

    def value_of(name: str) -> Value:
        if name not in state:
            raise MissingError(name)
        return state[name]

    try:
        return bool(evaluate(given.only, value_of))
    except (MissingError, ExpressionError):
        return None


def has_type(given: Input, value: Value) -> bool:
    """Whether a value is of the input's type, whatever the bounds."""
    match given.type.kind:
        case "int":
            return type(value) is int
        case "bool":
            return type(value) is bool
        case "list":
            return isinstance(value, tuple) and all(type(member) is int for member in value)
        case "cell":
            return _is_cell(value)
        case "cells":
            return isinstance(value, tuple) and bool(value) and all(map(_is_cell, value))
    return value in given.type.values


def without_idle(rules: Ruleset, state: Mapping[str, Value], told: Mapping[str, Value]) -> State:
    """A state without what means nothing in it: a solo level where five play.

    What is told just now stays, so that a contradiction is seen.
    """
    return {
        name: value
        for name, value in state.items()
        if name in told or means_something(rules.inputs[name], state) is not False
    }


def fits(given: Input, value: Value) -> bool:
    """Whether a value is one that the input may have."""
    if not has_type(given, value):
        return False
    if given.type.kind == "list":
        members = value if isinstance(value, tuple) else ()
        fewest, most = given.length
        return fewest <= len(members) <= most and all(_within(given, m) for m in members)
    return given.type.kind != "int" or _within(given, value)


def _within(given: Input, value: Value) -> bool:
    return isinstance(value, int) and given.low <= value <= given.high


def _is_cell(value: Value) -> bool:
    return isinstance(value, tuple) and len(value) == _CELL and all(type(n) is int for n in value)


def _limits(given: Input) -> str:
    match given.type.kind:
        case "int":
            return f"{given.low} to {given.high}"
        case "bool":
            return "yes or no"
        case "enum":
            return (
                f"one of {listed([called[0] if called else v for v, called in given.values], 'or')}"
            )
        case "list":
            fewest, most = given.length
            return f"{fewest} to {most} numbers of {given.low} to {given.high}"
    return "two whole numbers, as in 2,1; several with semicolons"


def read_state(rules: Ruleset, pairs: Iterable[str], known: Iterable[str] = ()) -> State:
    """The state that "name=value" pairs give.

    Args:
        rules: of the game.
        pairs: as typed.
        known: names of inputs that are meant; by default all of the game.

    Raises:
        BadStateError: a pair is no pair, or names no input, or a value that it can't have.
    """
    names = tuple(known) or tuple(rules.inputs)
    state: State = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        name = name.strip().lower().replace("-", "_").replace(" ", "_")
        if not equals:
            raise BadStateError(f"'{one_line(pair)[:60]}' is no key=value", _hint(rules, names))
        if name not in rules.inputs:
            others = f", but {listed(sorted(names))}" if names else ""
            raise BadStateError(
                f"There is no input '{one_line(name)[:60]}'{others}", _hint(rules, names)
            )
        state[name] = read_value(rules.inputs[name], text)
    return state


def _hint(rules: Ruleset, names: tuple[str, ...]) -> str:
    if not names:
        return "rulespal rules"
    first = rules.inputs[names[0]]
    return f"give them as key=value, such as {first.name}={_example(first)}"


def _example(given: Input) -> str:
    if given.domain:
        value = given.domain[-1]
        return str(value).lower()
    if given.type.kind != "list":
        return "2,1"
    member = min(max(2, given.low), given.high)
    return ",".join([str(member)] * given.length[0])


def read_value(given: Input, text: str) -> Value:
    """The value of an input as somebody types it.

    Raises:
        BadStateError: it can't have this value.
    """
    value = _parsed(given, text.strip())
    if value is None or not fits(given, value):
        raise BadStateError(
            f"{words_of(given.name)} can't be '{one_line(text)[:60]}': it is {_limits(given)}",
            f"give it as {given.name}={_example(given)}",
        )
    return value


def _parsed(given: Input, text: str) -> Value | None:
    match given.type.kind:
        case "int":
            return int(text) if _INT.fullmatch(text) else None
        case "bool":
            return {**dict.fromkeys(_YES, True), **dict.fromkeys(_NO, False)}.get(text.lower())
        case "enum":
            return _enum_value(given, text)
        case "cells":
            return tuple(_numbers(part) for part in text.split(";"))
    return _numbers(text)


def _numbers(text: str) -> tuple[int, ...]:
    parts = re.split(r"[\s,/]+", text.strip("()[] \t"))
    return tuple(int(p) for p in parts) if all(_INT.fullmatch(p) for p in parts) else ()


def _enum_value(given: Input, text: str) -> str | None:
    """The value that goes by this name: its own, or one that it is called."""
    said = words(text)
    for value, called in given.values:
        if said in [words(words_of(value)), *map(words, called)]:
            return value
    return None
