"""The formulas of a rule file as expressions that have a type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.rules.expressions import BOOL, Expression, ExpressionError, parse, type_of
from rulespal_chat.rules.problems import FileProblem

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulespal_chat.rules.expressions import Type
    from rulespal_chat.rules.model import Output


def text_of(formula: object) -> str:
    """A formula as an expression is written; YAML has its truth values and numbers as such."""
    return str(formula).lower() if isinstance(formula, bool) else str(formula)


def literal(value: object, output: Output | None) -> str:
    """The text of a value; a bare word that the output's enum has is that value."""
    text = text_of(value)
    return repr(text) if output is not None and text in output.type.values else text


def condition(formula: object, types: Mapping[str, Type], *place: str | int) -> Expression:
    """A condition on names of these types.

    Raises:
        FileProblem: it is none.
    """
    try:
        expression = parse(text_of(formula))
        got = type_of(expression, types)
    except ExpressionError as error:
        raise FileProblem(str(error), *place) from None
    if got != BOOL:
        raise FileProblem(f"'{expression.text}' is {got}, where {BOOL} is needed", *place)
    return expression
