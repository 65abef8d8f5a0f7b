"""The cells of a table, as conditions on what the table goes by."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespal_chat.rules.expressions import ExpressionError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespal_chat.rules.schema import Cell

_RANGE = re.compile(r"(-?\d*)\.\.(-?\d*)")
ANY = "any"


def condition_of(by: Sequence[str], cells: Cell | list[Cell]) -> str:
    """The condition of a row, in the language of expressions; empty if it always fits.

    Args:
        by: names that the table goes by.
        cells: a value, a range such as 3..4, 8.. or ..2, a list of values, or "any"; with several
            names a list of these.

    Raises:
        ExpressionError: there are more or fewer cells than names.
    """
    row = [cells] if len(by) == 1 else cells
    if not isinstance(row, list) or len(row) != len(by):
        raise ExpressionError(f"'is' needs a value for each of {', '.join(by) or 'by'}")
    parts = [_condition(name, cell) for name, cell in zip(by, row, strict=True)]
    return " and ".join(part for part in parts if part)


def _condition(name: str, cell: Cell | list[Cell]) -> str:
    if isinstance(cell, list):
        return f"{name} in [{', '.join(_written(member) for member in cell)}]"
    if isinstance(cell, bool):
        return name if cell else f"not {name}"
    if cell == ANY:
        return ""
    if isinstance(cell, str) and (span := _RANGE.fullmatch(cell)):
        ends = [(">=", span[1]), ("<=", span[2])]
        return " and ".join(f"{name} {operator} {end}" for operator, end in ends if end)
    return f"{name} == {_written(cell)}"


def _written(cell: object) -> str:
    return str(cell).lower() if isinstance(cell, bool) else repr(cell)
