"""What is known at the table, as key=value pairs, bound to the inputs of a game."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaged_rules import EPIC, EVIL, VAST
from packaged_rules import an_engine as an_engine
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.errors import BadStateError
from rulespal_chat.rules.table import (
    bound,
    check_pairs,
    in_words,
    reply_value,
    split_pairs,
    typed_pairs,
    updated,
)

if TYPE_CHECKING:
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset


@pytest.mark.parametrize(
    ("typed", "pairs"),
    [
        ("", ()),
        ("players=5", (("players", "5"),)),
        ("players=5 difficulty=hard", (("players", "5"), ("difficulty", "hard"))),
        ("PLAYERS=5", (("players", "5"),)),
        ("solo-level=easy", (("solo_level", "easy"),)),
        ("players=", (("players", ""),)),
        ("dice=2,2,3", (("dice", "2,2,3"),)),
        ("  players=5\t", (("players", "5"),)),
    ],
)
def test_pairs_are_read_as_typed(typed: str, pairs: tuple[tuple[str, str], ...]) -> None:
    assert split_pairs(typed) == pairs


@pytest.mark.parametrize("typed", ["players", "five", "=5", "players 5", "players=5 hard", "5"])
def test_what_is_no_pair_is_refused_with_the_next_thing_to_type(typed: str) -> None:
    with pytest.raises(BadStateError, match=r"is no key=value.*Next: /table players=5"):
        split_pairs(typed)


def test_newer_pairs_take_the_place_of_older_ones_and_blank_ones_forget() -> None:
    pairs = (("players", "5"), ("difficulty", "hard"))
    assert updated(pairs, [("players", "4")]) == (("players", "4"), ("difficulty", "hard"))
    assert updated(pairs, [("difficulty", "")]) == (("players", "5"),)
    assert updated(pairs, [("moon", "full")]) == (*pairs, ("moon", "full"))
    assert updated(pairs, [("moon", "")]) == pairs
    assert updated((), []) == ()


@pytest.mark.parametrize(
    "pairs",
    [
        (("players", "3"),),
        (("players", ""),),
        (("moon", "red"),),
        (("golden", "no"),),
        (("dice", "2,5"),),
        (("toads_held", "5/5/3"),),
        (("here", "2,1"),),
        (("toads_at", "2,1;3,3"),),
        (),
    ],
)
def test_keys_and_values_of_a_game_pass(
    toad_rules: Ruleset, pairs: tuple[tuple[str, str], ...]
) -> None:
    check_pairs(toad_rules, pairs)


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("witches", "3", r"Toad Quest: The Well has no 'witches'; what lasts is players"),
        ("players", "nine", r"players can't be 'nine': it is 1 to 5"),
        ("players", "9", r"players can't be '9': it is 1 to 5"),
        ("moon", "green", r"moon can't be 'green': it is one of new, full or blood"),
        ("golden", "maybe", r"golden can't be 'maybe': it is yes or no"),
        ("dice", "7,7", r"dice can't be '7,7': it is 2 to 3 numbers of 1 to 6"),
        ("\x1b[31mx", "1", r"has no '\[31mx'"),
    ],
)
def test_other_keys_and_values_are_refused_by_what_would_do(
    toad_rules: Ruleset, key: str, value: str, message: str
) -> None:
    with pytest.raises(BadStateError, match=message):
        check_pairs(toad_rules, ((key, value),))


@pytest.mark.parametrize(
    ("pairs", "state"),
    [
        ({"players": "3", "moon": "full"}, {"players": 3, "moon": "full"}),
        ({"moon": "Red"}, {"moon": "blood"}),
        ({"dice": "2 5"}, {"dice": (2, 5)}),
        ({"toads_at": "2,1;3,3"}, {"toads_at": ((2, 1), (3, 3))}),
        ({"golden": "yes", "golden_hops": "hops"}, {"golden": True, "golden_hops": "hops"}),
        ({"golden": "no", "golden_hops": "hops"}, {"golden": False}),
        ({"players": "many", "moon": "full"}, {"moon": "full"}),
        ({"cook": "yes"}, {}),
        ({}, {}),
    ],
)
def test_pairs_are_bound_as_far_as_the_game_can_read_them(
    toad_rules: Ruleset, pairs: dict[str, str], state: dict[str, Value]
) -> None:
    assert bound(toad_rules, tuple(pairs.items())) == state


@pytest.mark.parametrize(
    ("game", "pairs", "state"),
    [
        (
            VAST,
            {"players": "5", "difficulty": "hard"},
            {
                "players": 5, "ghost_difficulty": "phantom", "ghoul_difficulty": "stalker",
                "unicorn_difficulty": "dire", "shadow_level": "hard",
            },
        ),
        (VAST, {"difficulty": "hunter"}, {"ghoul_difficulty": "hunter"}),
        (VAST, {"ghoul_difficulty": "hard"}, {"ghoul_difficulty": "stalker"}),
        (VAST, {"players": "8"}, {}),
        (EVIL, {"players": "5"}, {}),
        (EPIC, {"players": "4", "difficulty": "hard"}, {"players": 4}),
    ],
)  # fmt: skip
def test_a_difficulty_is_that_of_every_role_and_bounds_are_those_of_the_game(
    engine: Engine, game: str, pairs: dict[str, str], state: dict[str, Value]
) -> None:
    assert bound(engine.rules(game), tuple(pairs.items())) == state


def test_alone_a_difficulty_is_a_solo_level_too(engine: Engine) -> None:
    rules = engine.rules(VAST)
    alone = bound(rules, (("difficulty", "hard"), ("players", "1")))
    assert alone["solo_level"] == "hard"
    assert "solo_level" not in bound(rules, (("difficulty", "hard"), ("players", "2")))
    assert "solo_level" not in bound(rules, (("difficulty", "hard"),))


@pytest.mark.parametrize(
    "state",
    [
        {"players": 3, "moon": "blood"},
        {"golden": False},
        {"golden": True, "golden_hops": "stays"},
        {"dice": (2, 2, 3)},
        {"toads_held": (9, 0)},
    ],
)
def test_a_state_as_pairs_is_bound_again(toad_rules: Ruleset, state: dict[str, Value]) -> None:
    assert bound(toad_rules, typed_pairs(state)) == state


@pytest.mark.parametrize(
    ("name", "reply", "value"),
    [
        ("players", "5", "5"),
        ("players", "five", "5"),
        ("players", "Five.", "5"),
        ("players", "5 players", "5"),
        ("players", "five players!", "5"),
        ("players", "9", None),
        ("players", "many", None),
        ("players", "how does the witch win?", None),
        ("moon", "full", "full"),
        ("moon", "Full", "full"),
        ("moon", "red", "blood"),
        ("moon", "the dark", "new"),
        ("moon", "green", None),
        ("golden", "yes", "yes"),
        ("golden", "No.", "no"),
        ("golden", "y", "yes"),
        ("golden", "perhaps", None),
        ("dice", "2, 2, 3", "2,2,3"),
        ("dice", "2/2/3", "2,2,3"),
        ("dice", "8, 8", None),
        ("golden_hops", "it stays", "stays"),
    ],
)
def test_a_reply_is_a_value_if_the_input_can_have_it(
    toad_rules: Ruleset, name: str, reply: str, value: str | None
) -> None:
    assert reply_value(toad_rules.inputs[name], reply) == value


@pytest.mark.parametrize(
    ("state", "words"),
    [
        ({"players": 5}, "5 players"),
        ({"players": 1}, "1 player"),
        ({"players": 5, "moon": "blood"}, "5 players and blood moon"),
        ({"golden": True}, "golden"),
        ({"golden": False}, "no golden"),
        ({"dice": (2, 5)}, "dice 2 and 5"),
        ({"players": 2, "moon": "new", "golden": True}, "2 players, new moon and golden"),
    ],
)
def test_a_state_is_said_in_words(toad_rules: Ruleset, state: dict[str, Value], words: str) -> None:
    assert in_words(toad_rules, state) == words
