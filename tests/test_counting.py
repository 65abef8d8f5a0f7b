"""How people say how many play."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaged_rules import VAST
from packaged_rules import an_engine as an_engine

from rulespal_chat.rules.reading import lasting

if TYPE_CHECKING:
    from rulespal_chat.rules.engine import Engine


def players(engine: Engine, text: str) -> object:
    return lasting(text, engine.rules(VAST)).get("players")


@pytest.mark.parametrize(
    "text",
    [
        "4-5 players", "a game for 4–5 players", "between 3 and 5 players", "from 3 to 5 players",
        "3 to 5 players", "3 or 4 players", "up to 7 players", "4 or more players", "5+ players",
        "at least 3 players", "more than 4 players", "fewer than 4 of us", "players: 4+",
        "not five players", "for each 2 players",
    ],
)  # fmt: skip
def test_a_range_or_bound_is_no_number_of_players(engine: Engine, text: str) -> None:
    assert players(engine, text) is None


@pytest.mark.parametrize(
    "text",
    [
        "one of us plays the Ghoul", "one player left", "there is one player left",
        "one player can't move", "every single player has one", "leave him alone",
    ],
)  # fmt: skip
def test_one_of_several_is_no_game_of_one(engine: Engine, text: str) -> None:
    assert players(engine, text) is None


@pytest.mark.parametrize(
    "text",
    [
        "a one-player game", "How much Fury for one player?", "just one player, hard",
        "a single player game", "single player Ghoul on medium", "I play alone", "solo",
    ],
)  # fmt: skip
def test_a_game_of_one_is_said_in_many_ways(engine: Engine, text: str) -> None:
    assert players(engine, text) == 1


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("two friends and I", 3),
        ("me and two friends, so what do I need?", 3),
        ("me and 4 others", 5),
        ("me vs my wife", 2),
        # more take part than the number says
        ("my wife, our two kids and I", None),
        ("my wife, two friends and I", None),
        ("my wife and I and two friends", None),
        ("me and two friends and my wife", None),
        ("me, my wife and 2 others", None),
        ("me vs my wife and her brother", None),
    ],
)
def test_everybody_is_counted_or_nobody(engine: Engine, text: str, number: int | None) -> None:
    assert players(engine, text) == number


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2 players vs 3 players", None),
        ("for 4 players, or is it 5 players?", None),
        ("solo, or with 5 players", None),
        ("In a 5-player game, 3 players have a Treasure", 5),
        ("we are four; it is a 4-player game", 4),
        ("a trio of Goblins", None),
        ("a trio of us", 3),
    ],
)
def test_numbers_of_players_that_differ_tell_none(
    engine: Engine, text: str, number: int | None
) -> None:
    assert players(engine, text) == number
