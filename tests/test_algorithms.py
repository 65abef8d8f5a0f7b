"""The functions that a step may name, each by hand."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespal_chat.rules.algorithms import (
    ALGORITHMS,
    CELL,
    CELLS,
    LIST,
    SilentError,
    Worked,
    chebyshev_isolation,
    ghoul_dice_choice,
    kraken_strikes,
    kraken_target,
    tie_break_winner,
    total,
    tourists_left,
)
from rulespal_chat.rules.expressions import INT

COUNTS = st.lists(st.integers(0, 30), min_size=1, max_size=7).map(tuple)
COORDINATES = st.tuples(st.integers(-9, 9), st.integers(-9, 9))


def test_each_is_registered_with_the_types_of_its_arguments_and_its_value() -> None:
    registered = {a.name: (a.of, a.gives) for a in ALGORITHMS.values()}
    expected = {
        "total": ((LIST,), INT),
        "kraken_strikes": ((LIST,), LIST),
        "tourists_left": ((LIST,), LIST),
        "kraken_target": ((LIST,), INT),
        "chebyshev_isolation": ((CELL, CELLS), INT),
        "ghoul_dice_choice": ((LIST,), LIST),
        "tie_break_winner": ((LIST, LIST, LIST), LIST),
    }
    assert registered.items() >= expected.items()
    assert all(name == algorithm.name for name, algorithm in ALGORITHMS.items())
    assert ALGORITHMS["total"].work is total


def test_the_total_of_a_list() -> None:
    assert total((2, 5, 0)) == Worked(7, ("2 + 5 + 0 = 7",))
    assert total((4,)) == Worked(4, ("4 = 4",))


@pytest.mark.parametrize(
    ("tourists", "lost", "left"),
    [
        ((5, 5, 3, 2), (2, 2, 0, 0), (3, 3, 3, 2)),
        ((7, 7, 4, 1), (3, 3, 0, 0), (4, 4, 4, 1)),
        ((5, 0), (5, 0), (0, 0)),
        ((1, 2, 3, 4), (0, 0, 0, 1), (1, 2, 3, 3)),
        ((4, 9, 9, 9), (0, 5, 5, 5), (4, 4, 4, 4)),
        ((0, 0), (0, 0), (0, 0)),
        ((0,), (0,), (0,)),
    ],
)
def test_the_kraken_brings_those_with_the_most_down_to_the_next_highest(
    tourists: tuple[int, ...], lost: tuple[int, ...], left: tuple[int, ...]
) -> None:
    assert kraken_strikes(tourists).value == lost
    assert tourists_left(tourists).value == left


def test_the_kraken_says_how_it_went() -> None:
    assert kraken_strikes((7, 7, 4, 1)).steps == (
        "the most is 7, the next highest 4",
        "whoever has 7 loses 7 - 4 = 3",
    )
    assert kraken_strikes((0, 0)).steps == ("nobody has a tourist to lose",)
    assert tourists_left((7, 7, 4, 1)).steps == ("7, 7, 4 and 1 become 4, 4, 4 and 1",)


@pytest.mark.parametrize("tourists", [(4, 4), (3, 3, 3), (5,)])
def test_where_all_are_tied_the_book_does_not_say_what_the_kraken_does(
    tourists: tuple[int, ...],
) -> None:
    for strike in (kraken_strikes, tourists_left):
        with pytest.raises(SilentError, match="no next highest player"):
            strike(tourists)


@given(COUNTS)
def test_after_the_kraken_nobody_has_more_than_the_next_highest_had(
    tourists: tuple[int, ...],
) -> None:
    most = max(tourists)
    below = [count for count in tourists if count < most]
    if not below and most:
        with pytest.raises(SilentError):
            tourists_left(tourists)
        return
    left: Any = tourists_left(tourists).value
    assert max(left) == max(below, default=0)
    assert [kept for count, kept in zip(tourists, left, strict=True) if count < most] == below


@pytest.mark.parametrize(
    ("points", "place", "steps"),
    [
        ((3, 8, 5), 2, ("the most is 8",)),
        ((8,), 1, ("the most is 8",)),
        (
            (0, 4, 1, 4),
            2,
            ("the most is 4", "a tie goes clockwise, beginning with the Harbormaster"),
        ),
        ((0, 0), 1, ("the most is 0", "a tie goes clockwise, beginning with the Harbormaster")),
    ],
)
def test_the_kraken_attacks_the_first_of_those_with_the_most(
    points: tuple[int, ...], place: int, steps: tuple[str, ...]
) -> None:
    assert kraken_target(points) == Worked(place, steps)


@pytest.mark.parametrize(
    ("here", "pieces", "rings"),
    [
        ((0, 0), ((0, 0),), 0),
        ((0, 0), ((1, 1),), 1),
        ((0, 0), ((3, 1),), 3),
        ((2, 2), ((0, 7), (4, 3)), 2),
        ((-1, -1), ((1, 0), (-1, 3)), 2),
    ],
)
def test_isolation_is_the_larger_of_the_steps_across_and_up_to_the_closest_piece(
    here: tuple[int, int], pieces: tuple[tuple[int, int], ...], rings: int
) -> None:
    assert chebyshev_isolation(here, pieces).value == rings


def test_isolation_names_each_ring() -> None:
    assert chebyshev_isolation((0, 0), ((3, 1), (0, 2))).steps == (
        "the pieces are in rings 3 and 2",
        "the closest, 2, counts",
    )


@given(COORDINATES, st.lists(COORDINATES, min_size=1, max_size=5).map(tuple), COORDINATES)
def test_isolation_is_the_same_wherever_the_map_begins(
    here: tuple[int, int], pieces: tuple[tuple[int, int], ...], shift: tuple[int, int]
) -> None:
    def moved(cell: tuple[int, int]) -> tuple[int, int]:
        return cell[0] + shift[0], cell[1] + shift[1]

    before = chebyshev_isolation(here, pieces).value
    assert chebyshev_isolation(moved(here), tuple(map(moved, pieces))).value == before


@given(COORDINATES, st.lists(COORDINATES, min_size=1, max_size=5).map(tuple))
def test_isolation_is_that_from_the_closest_piece(
    here: tuple[int, int], pieces: tuple[tuple[int, int], ...]
) -> None:
    alone: list[Any] = [chebyshev_isolation(here, (piece,)).value for piece in pieces]
    assert chebyshev_isolation(here, pieces).value == min(alone)


@pytest.mark.parametrize(
    ("dice", "pairs"),
    [
        ((4, 2), ((4, 2),)),
        ((2, 4), ((4, 2),)),
        ((3, 3), ((3, 3),)),
        ((1, 6, 3), ((3, 1), (6, 1), (6, 3))),
        ((5, 5, 2), ((5, 2), (5, 5))),
        ((6,), ()),
    ],
)
def test_of_two_dice_the_higher_is_movement(
    dice: tuple[int, ...], pairs: tuple[tuple[int, int], ...]
) -> None:
    assert ghoul_dice_choice(dice).value == pairs


@pytest.mark.parametrize(
    ("hire", "magic", "fear", "winners"),
    [
        ((5, 4), (0, 0), (0, 9), (1,)),
        ((5, 4), (0, 3), (0, 0), (2,)),
        ((5, 4), (0, 1), (2, 3), (2,)),
        ((5, 4, 2), (0, 1, 9), (9, 9, 0), (3,)),
        ((5, 4, 5), (0, 1, 0), (2, 3, 3), (2, 3)),
        ((0, 0), (0, 0), (0, 0), (1, 2)),
        ((7,), (1,), (0,), (1,)),
    ],
)
def test_a_tie_goes_to_the_larger_sum_and_then_to_the_greater_fear(
    hire: tuple[int, ...],
    magic: tuple[int, ...],
    fear: tuple[int, ...],
    winners: tuple[int, ...],
) -> None:
    assert tie_break_winner(hire, magic, fear).value == winners


def test_fear_is_spoken_of_only_where_it_matters() -> None:
    assert tie_break_winner((5, 4), (0, 0), (1, 9)).steps == (
        "hire cost and magic coins add up to 5 and 4",
    )
    assert tie_break_winner((5, 4), (0, 1), (1, 9)).steps == (
        "hire cost and magic coins add up to 5 and 5",
        "the tie goes to the greater fear strength of 1 and 9",
    )


@pytest.mark.parametrize(
    ("hire", "magic", "fear"),
    [((5, 4), (0,), (1, 1)), ((5,), (0,), (1, 1)), ((5, 4), (0, 0), (1,))],
)
def test_lists_of_different_lengths_settle_no_tie(
    hire: tuple[int, ...], magic: tuple[int, ...], fear: tuple[int, ...]
) -> None:
    with pytest.raises(SilentError, match="one entry a claimant"):
        tie_break_winner(hire, magic, fear)
