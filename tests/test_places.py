"""A name or a number that stands where the statement has another is found by its neighbours."""

from __future__ import annotations

import pytest

from rulespal_chat.grounding.places import misplaced

KILLS = "The Vile Ghoul wins by killing the Knight."
ROLES = ("ghoul", "vile ghoul", "knight")


@pytest.mark.parametrize(
    "sentence",
    [
        KILLS,
        "By killing the Knight, the Vile Ghoul wins.",
        "If it kills the Knight, the Vile Ghoul wins.",
        "You win.",
        "",
    ],
)
def test_what_stands_where_it_stood_is_not_misplaced(sentence: str) -> None:
    assert misplaced(sentence, KILLS, ROLES) == 0.0


@pytest.mark.parametrize(
    ("sentence", "by"),
    [
        # knight-win and ghoul at the end, for ghoul-win, ghoul-kill, win-knight and kill-knight
        ("The Knight wins by killing the Vile Ghoul.", 3.0),
        # kill-ghoul and win-ghoul for kill-knight and win-knight
        ("The Vile Ghoul wins by killing the Ghoul.", 1.5),
    ],
)
def test_names_in_each_others_place_are(sentence: str, by: float) -> None:
    assert misplaced(sentence, KILLS, ROLES) == by


def test_names_need_not_be_roles() -> None:
    told = "Move the Cube from the Well to the Tower."
    assert misplaced("Move the Cube from the Tower to the Well.", told) > 0
    assert misplaced("From the Well to the Tower you move the Cube.", told) == 0.0


def test_numbers_are_misplaced_too() -> None:
    told = "With 2 players 9 Toads win; with 5 players 12 Toads win."
    assert misplaced("With 2 players 12 Toads win.", told) > 0
    assert misplaced("With 5 players 12 Toads win.", told) == 0.0


def test_neighbours_do_not_reach_over_a_full_stop_or_a_line() -> None:
    assert misplaced("The Knight wins.", "The Ghoul rests. The Knight wins.", ROLES) == 0.0
    assert misplaced("The Knight wins.", "The Ghoul\nwins. A Knight loses.", ROLES) == 0.0
