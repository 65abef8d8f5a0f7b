"""What stands in `is` becomes a condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespal_chat.rules.expressions import (
    BOOL,
    INT,
    ExpressionError,
    Type,
    Value,
    evaluate,
    parse,
    type_of,
)
from rulespal_chat.rules.tables import condition_of

if TYPE_CHECKING:
    from rulespal_chat.rules.schema import Cell

TYPES = {
    "players": INT,
    "golden": BOOL,
    "moon": Type("enum", frozenset({"new", "full", "blood"})),
}


def fits(by: list[str], cells: Cell | list[Cell], **state: Value) -> bool:
    """Whether a row with these cells fits; the condition has to be a sound one."""
    condition = parse(condition_of(by, cells))
    assert type_of(condition, TYPES) == BOOL
    return bool(evaluate(condition, state.__getitem__))


@pytest.mark.parametrize(
    ("cell", "players"),
    [
        (3, {3}),
        ("2..4", {2, 3, 4}),
        ("3..3", {3}),
        ("4..", {4, 5, 6}),
        ("..2", {0, 1, 2}),
        ("-1..1", {0, 1}),
        ("4..2", set()),
        ([1, 5], {1, 5}),
        ([6], {6}),
    ],
)
def test_a_cell_for_a_number(cell: Cell, players: set[int]) -> None:
    assert {n for n in range(7) if fits(["players"], cell, players=n)} == players


@pytest.mark.parametrize(
    ("cell", "moons"), [("new", {"new"}), (["new", "blood"], {"new", "blood"})]
)
def test_a_cell_for_a_word(cell: Cell, moons: set[str]) -> None:
    assert {m for m in ("new", "full", "blood") if fits(["moon"], cell, moon=m)} == moons


@pytest.mark.parametrize("cell", [True, False])
def test_a_cell_for_a_truth_value(cell: bool) -> None:
    assert fits(["golden"], cell, golden=cell)
    assert not fits(["golden"], cell, golden=not cell)


def test_any_sets_no_condition() -> None:
    by = ["players", "moon"]
    free: list[Cell] = ["any", "any"]
    half_free: list[Cell] = ["any", "new"]
    assert condition_of(["players"], "any") == ""
    assert condition_of(by, free) == ""
    assert condition_of(by, half_free) == "moon == 'new'"


def test_several_names_take_a_cell_each() -> None:
    by = ["golden", "players", "moon"]
    row: list[Cell] = [False, "2..3", ["new", "full"]]
    state: dict[str, Value] = {"golden": False, "players": 2, "moon": "full"}
    assert fits(by, row, **state)
    for other in ({"golden": True}, {"players": 1}, {"players": 4}, {"moon": "blood"}):
        assert not fits(by, row, **{**state, **other})


def test_the_numbers_of_a_cell_are_those_of_its_condition() -> None:
    assert set(parse(condition_of(["players"], "2..4")).numbers) == {2, 4}
    row: list[Cell] = [[1, 5], True]
    assert set(parse(condition_of(["players", "golden"], row)).numbers) == {1, 5}
    assert parse(condition_of(["players"], "8..")).numbers == (8,)


@pytest.mark.parametrize(
    ("by", "cells", "names"),
    [
        (["players", "moon"], [1], "players, moon"),
        (["players", "moon"], [1, "new", "full"], "players, moon"),
        (["players", "moon"], 1, "players, moon"),
        (["players", "moon"], "new", "players, moon"),
        (["players", "moon"], [], "players, moon"),
        ([], 1, "by"),
        ([], [1], "by"),
    ],
)
def test_too_few_or_too_many_cells_are_refused(
    by: list[str], cells: Cell | list[Cell], names: str
) -> None:
    with pytest.raises(ExpressionError, match=f"'is' needs a value for each of {names}$"):
        condition_of(by, cells)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ("new", "compares int with one of new"),
        ("3", "compares int with one of 3"),
        (["new"], "compares int with one of new"),
        ("1...3", "compares int with one of 1...3"),
        ("1..x", "compares int with one of 1..x"),
        ("1,3", "compares int with one of 1,3"),
        ("3 or true", "compares int with one of 3 or true"),
        ("' or players == 3 or '", "compares int with one of"),
        ("9999999..", "isn't allowed in a rule"),
        ([], "isn't allowed in a rule"),
        ([[1]], "isn't allowed in a rule"),
        ("it\\'s", "is no expression"),
        ("a\nb", "is no expression"),
    ],
)
def test_a_cell_that_cannot_be_is_refused_once_its_condition_is_read(
    cell: Cell, message: str
) -> None:
    with pytest.raises(ExpressionError) as refused:
        fits(["players"], cell, players=3)
    assert message in str(refused.value)


@given(st.integers(-9, 9), st.integers(-9, 9), st.integers(-12, 12))
def test_a_range_holds_both_of_its_ends(low: int, high: int, number: int) -> None:
    assert fits(["players"], f"{low}..{high}", players=number) == (low <= number <= high)
    assert fits(["players"], f"{low}..", players=number) == (low <= number)
    assert fits(["players"], f"..{high}", players=number) == (number <= high)


@given(st.text())
def test_any_word_of_a_cell_is_that_word_and_nothing_else(word: str) -> None:
    try:
        condition = parse(condition_of(["moon"], word))
        type_of(condition, {"moon": Type("enum", frozenset({word}))})
    except ExpressionError:
        return
    assert evaluate(condition, {"moon": word}.__getitem__) is True
    assert evaluate(condition, {"moon": f"{word}!"}.__getitem__) is False
