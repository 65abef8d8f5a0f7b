"""The inputs of a game and the outputs of its rules, as a rule file declares them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.rules.algorithms import LIST
from rulespal_chat.rules.expressions import Type
from rulespal_chat.rules.formulas import condition
from rulespal_chat.rules.model import Input, Output, Unit
from rulespal_chat.rules.problems import FileProblem
from rulespal_chat.rules.proving import check_numbers

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulespal_chat.rules.expressions import Expression
    from rulespal_chat.rules.schema import InputModel, OutputModel, RuleModel
    from rulespal_chat.types import Pick

MOST_VALUES = 1000  # of an int: each may have to be tried
LONGEST_LIST = 100
_OF_TYPE = {
    "min": "int", "max": "int", "sum_of": "int", "count_of": "int", "values": "enum",
    "of": "list", "length": "list", "yes": "bool", "no": "bool",
}  # fmt: skip


def type_declared(given: InputModel | OutputModel) -> Type:
    """The type that an entry declares."""
    return Type(given.type, frozenset(given.values))


def unit_of(words: str | list[str] | None) -> Unit | None:
    """The unit with these words for one and for several."""
    if words is None:
        return None
    return Unit(words, words) if isinstance(words, str) else Unit(words[0], words[1])


def made_input(
    name: str, given: InputModel, bounds: tuple[Pick, ...], declared: Mapping[str, Type]
) -> Input:
    """An input.

    Args:
        name: its name.
        given: its entry.
        bounds: the statements that its entry quotes.
        declared: the types of all inputs of the file.

    Raises:
        FileProblem: it can't be so.
    """
    _check_fields(given)
    low, high = _range(given)
    _check_sources(given, declared)
    made = Input(
        name=name,
        type=type_declared(given),
        ask=given.ask,
        unit=unit_of(given.unit) or Unit(),
        low=low,
        high=high,
        length=_length(given),
        default=given.default,
        values=tuple((value, tuple(called)) for value, called in given.values.items()),
        says=tuple(given.says),
        yes=tuple(given.yes),
        no=tuple(given.no),
        unless=tuple(given.unless),
        lasts=given.lasts,
        sum_of=given.sum_of or "",
        count_of=given.count_of or "",
        only=_only(name, given, declared),
        bounds=bounds,
    )
    _check_default(made)
    _check_bounds_quoted(made, given)
    return made


def _check_fields(given: InputModel | OutputModel, *place: str) -> None:
    """Raises FileProblem for a field that means nothing for the type."""
    for field, kind in _OF_TYPE.items():
        if field in given.model_fields_set and given.type != kind:
            raise FileProblem(f"'{field}' is for type {kind} only", *place, field)
    if given.type == "enum" and not given.values:
        raise FileProblem("an enum without values", *place)


def _range(given: InputModel) -> tuple[int, int]:
    """The bounds of an int or of a list's members."""
    if given.type == "int":
        if given.min is None or given.max is None:
            raise FileProblem("an int without min and max")
        _check_order(given.min, given.max, "max")
        count = given.max - given.min + 1
        if count > MOST_VALUES:
            raise FileProblem(f"an int of {count:,} values; {MOST_VALUES:,} are the most", "max")
        return given.min, given.max
    if given.of is None:
        return 0, 0
    _check_order(given.of.min, given.of.max, "of")
    return given.of.min, given.of.max


def _check_order(low: int, high: int, *place: str) -> None:
    if low > high:
        raise FileProblem(f"min {low} is above max {high}", *place)


def _length(given: InputModel) -> tuple[int, int]:
    """The fewest and the most members of a list; zeros for another type."""
    if given.type != "list":
        return 0, 0
    if given.of is None or given.length is None:
        raise FileProblem("a list without 'of' and 'length'")
    fewest, most = given.length
    if not 1 <= fewest <= most <= LONGEST_LIST:
        problem = f"a length of {fewest} to {most}, where 1 to {LONGEST_LIST} is the widest"
        raise FileProblem(problem, "length")
    return fewest, most


def _check_sources(given: InputModel, declared: Mapping[str, Type]) -> None:
    """Raises FileProblem unless what is summed up or counted is one list."""
    if given.sum_of is not None and given.count_of is not None:
        raise FileProblem("either sum_of or count_of", "count_of")
    for field, source in (("sum_of", given.sum_of), ("count_of", given.count_of)):
        if source is not None and declared.get(source) != LIST:
            raise FileProblem(f"'{source}' is no input that is a list", field)


def _only(name: str, given: InputModel, declared: Mapping[str, Type]) -> Expression | None:
    if given.only is None:
        return None
    others = {other: kind for other, kind in declared.items() if other != name}
    return condition(given.only, others, "only")


def _check_default(made: Input) -> None:
    default = made.default
    if default is None:
        return
    fits = any(type(default) is type(value) and default == value for value in made.domain)
    if not fits:
        raise FileProblem(f"the default {default!r} is none of its values", "default")


def _check_bounds_quoted(made: Input, given: InputModel) -> None:
    """Raises FileProblem if a statement is quoted for the bounds, and lacks them."""
    numbers = {"int": {made.low, made.high}, "list": {made.low, made.high, *made.length}}
    written = numbers.get(made.type.kind, set()) if made.bounds else set()
    check_numbers(written, given.derived, made.bounds, "input", "quote")


def made_output(name: str, given: OutputModel) -> Output:
    """An output of a rule.

    Raises:
        FileProblem: it can't be so.
    """
    place = ("outputs", name)
    _check_fields(given, *place)
    if given.type == "bool" and not (given.yes and given.no):
        raise FileProblem(f"the output '{name}' is a bool without yes and no", *place)
    if given.min is not None and given.max is not None:
        _check_order(given.min, given.max, *place, "max")
    return Output(
        name=name,
        type=type_declared(given),
        unit=unit_of(given.unit) or Unit(),
        low=given.min or 0,
        high=given.max or 0,
        values=tuple((value, tuple(called)) for value, called in given.values.items()),
        says=tuple(given.says),
        yes=given.yes,
        no=given.no,
    )


def check_bounded(rule: RuleModel, determined: set[str]) -> None:
    """Checks that an int that the book gives has bounds.

    Args:
        rule: the rule's entry.
        determined: its steps whose value the book gives.

    Raises:
        FileProblem: an output of it hasn't.
    """
    for name, output in rule.outputs.items():
        unbounded = output.min is None or output.max is None
        if output.type == "int" and unbounded and name in determined and not rule.undetermined:
            raise FileProblem(f"the output '{name}' is an int without min and max", "outputs", name)
