"""The steps of a rule, proved against the book."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.rules.algorithms import ALGORITHMS
from rulespal_chat.rules.declarations import unit_of
from rulespal_chat.rules.expressions import BOOL, INT, joined, parse, type_of
from rulespal_chat.rules.formulas import literal, text_of
from rulespal_chat.rules.model import Output, Row, Step
from rulespal_chat.rules.problems import FileProblem
from rulespal_chat.rules.proving import check_numbers, numbers_of
from rulespal_chat.rules.schema import RowModel
from rulespal_chat.rules.tables import condition_of
from rulespal_chat.rules.wording import listed, names_in

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulespal_chat.rules.algorithms import Algorithm
    from rulespal_chat.rules.expressions import Expression, Type
    from rulespal_chat.rules.plain_yaml import Path
    from rulespal_chat.rules.quotes import Quotes
    from rulespal_chat.rules.schema import StepModel

_WAYS = {
    "value": {"quote", "say", "unit", "derived"},
    "rows": {"by"},
    "algorithm": {"of", "quote"},
    "undetermined": {"quote"},
}  # ways to a step's value, with the fields that go with each
_OF_ANY_STEP = {"name", "section", "label"}


class StepBuilder:
    """Builds one step.

    Args:
        quotes: finds statements.
        types: of the names that may be used.
        section: where its quotes stand unless a row says otherwise.
        place: of the step, below its rule.
    """

    def __init__(
        self, quotes: Quotes, types: Mapping[str, Type], section: str, place: Path
    ) -> None:
        self._quotes, self._types, self._section, self._place = quotes, types, section, place

    def build(self, given: StepModel, output: Output | None) -> Step:
        """The step.

        Args:
            given: its entry.
            output: the rule's output of this name, if it is one.

        Raises:
            FileProblem: it can't be so.
            ExpressionError: a formula of it is none, or types don't fit.
        """
        self._check_ways(given)
        if given.algorithm is not None:
            step = self._algorithm(given, output)
        elif given.undetermined:
            step = self._undetermined(given, output)
        else:
            step = self._by_rows(given, output)
        self._check_wording(step)
        return step

    def _check_ways(self, given: StepModel) -> None:
        """Raises FileProblem unless there is one way to the value, with no field of another."""
        fields = given.model_fields_set
        ways = sorted(fields & _WAYS.keys())
        if not ways:
            raise FileProblem("a step without rows, value or algorithm", *self._place)
        if len(ways) > 1:
            raise FileProblem(f"a step has {listed(ways, 'or')}, not both", *self._place)
        strange = sorted(fields - _OF_ANY_STEP - {ways[0]} - _WAYS[ways[0]])
        if strange:
            raise FileProblem(f"'{strange[0]}' doesn't go with '{ways[0]}'", *self._place)

    def _by_rows(self, given: StepModel, output: Output | None) -> Step:
        rows = self._rows(given, output)
        if not rows:
            raise FileProblem("a step without rows, value or algorithm", *self._place)
        kind = type_of(rows[0].value, self._types)
        for row in rows[1:]:
            kind = joined(kind, type_of(row.value, self._types), given.name)
        return Step(given.name, self._as_output(kind, output), rows, label=given.label)

    def _rows(self, given: StepModel, output: Output | None) -> tuple[Row, ...]:
        if given.value is None:
            return tuple(
                self._row(row, given, output, ("rows", n)) for n, row in enumerate(given.rows)
            )
        if given.quote is None:
            raise FileProblem("a step has a value with its quote, or rows", *self._place)
        fields = given.model_fields_set & RowModel.model_fields.keys()
        row = RowModel(**{field: getattr(given, field) for field in fields})
        return (self._row(row, given, output, ()),)

    def _row(self, row: RowModel, step: StepModel, output: Output | None, place: Path) -> Row:
        where = (*self._place, *place)
        condition = self._condition(row, step, where)
        value = parse(literal(row.value, output))
        type_of(value, self._types)
        picks = self._quotes.picks(row.quote, row.section or self._section, *where)
        check_numbers(numbers_of(condition, value), row.derived, picks, "row", *where)
        return Row(condition, value, picks, row.say, unit_of(row.unit), frozenset(row.derived))

    def _condition(self, row: RowModel, step: StepModel, place: Path) -> Expression | None:
        if row.cells is not None and row.condition is not None:
            raise FileProblem("a row has is or if, not both", *place)
        if row.cells is not None:
            text = condition_of(step.by, row.cells)
        else:
            text = "" if row.condition is None else text_of(row.condition)
        if not text:
            return None
        condition = parse(text)
        if type_of(condition, self._types) != BOOL:
            raise FileProblem(f"'{condition.text}' is no condition", *place)
        return condition

    def _algorithm(self, given: StepModel, output: Output | None) -> Step:
        algorithm = ALGORITHMS.get(given.algorithm or "")
        if algorithm is None:
            raise FileProblem(f"there is no algorithm '{given.algorithm}'", *self._place)
        self._check_arguments(algorithm, given.of)
        if given.quote is None:
            raise FileProblem("an algorithm without a quote", *self._place)
        kind = self._as_output(algorithm.gives, output)
        picks = self._quotes.picks(given.quote, self._section, *self._place)
        return Step(given.name, kind, (), algorithm, tuple(given.of), picks, given.label)

    def _check_arguments(self, algorithm: Algorithm, names: list[str]) -> None:
        if tuple(self._types.get(name) for name in names) != algorithm.of:
            wanted = ", ".join(map(str, algorithm.of))
            raise FileProblem(f"'{algorithm.name}' is of {wanted}", *self._place)

    def _undetermined(self, given: StepModel, output: Output | None) -> Step:
        """A step whose value stands elsewhere than in the book."""
        if given.quote is None:
            raise FileProblem("a step that is undetermined without a quote", *self._place)
        picks = self._quotes.picks(given.quote, self._section, *self._place)
        kind = INT if output is None else output.type
        return Step(
            given.name, kind, picks=picks, label=given.label, undetermined=given.undetermined
        )

    def _as_output(self, kind: Type, output: Output | None) -> Type:
        """The type of the output, if the step is one, after checking that it has these values."""
        if output is None:
            return kind
        if kind.kind != output.type.kind or not kind.values <= output.type.values:
            raise FileProblem(f"'{output.name}' is {kind}, not {output.type}", *self._place)
        return output.type

    def _check_wording(self, step: Step) -> None:
        # the step itself isn't known yet, and isn't needed: its value leads the sentence
        for text in (step.label, *(row.say for row in step.rows)):
            for name in names_in(text):
                if name not in self._types:
                    raise FileProblem(f"'{{{name}}}' is no input and no earlier step", *self._place)
