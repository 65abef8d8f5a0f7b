"""From a question to what the rules make of it: a value, a state that gives one, a yes or a no."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaged_rules import EPIC, EVIL, VAST, found_sections
from packaged_rules import an_engine as an_engine
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.rules.asking import Calculation, calculate
from rulespal_chat.rules.engine import Engine
from rulespal_chat.rules.results import Outcome
from rulespal_chat.types import Library, Query

if TYPE_CHECKING:
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset

GOAL = ("The Witch > How to Win", "The Witch > Difficulty")
FURY = ("The Ghoul > Difficulty Variants", "The Ghoul > How to Win")
STRIKES = ("The Kraken > The Kraken Strikes",)


@pytest.fixture
def toads(toad_rules: Ruleset) -> Engine:
    """The engine over the toad book alone."""
    return Engine(Library((toad_rules.book,)))


def worked(
    engine: Engine, game: str, text: str, *sections: str, known: dict[str, Value] | None = None
) -> tuple[Calculation, ...]:
    """What is made of a question, as if these sections had been found."""
    found = found_sections(engine.rules(game).book, *sections)
    return calculate(Query(text, text, (game,)), engine, game, found, known or {})


@pytest.mark.parametrize(
    ("text", "known", "sentence"),
    [
        (
            "How many Toads to win with 3 players?",
            {},
            "6 Toads: 3 for the new Moon + 3 players.",
        ),
        (
            "How many Toads to win with 3 players under the full Moon?",
            {},
            "7 Toads: 4 for the full Moon + 3 players.",
        ),
        (
            "How many Toads to win?",
            {"players": 4, "moon": "full"},
            "8 Toads: 4 for the full Moon + 4 players.",
        ),
        (
            "How many Toads to win with 2 players?",
            {"players": 4, "moon": "full"},
            "6 Toads: 4 for the full Moon + 2 players.",
        ),
    ],
)
def test_an_output_is_computed_from_what_is_told_and_what_was_known(
    toads: Engine, text: str, known: dict[str, Value], sentence: str
) -> None:
    (calculation,) = worked(toads, "toad-well", text, *GOAL, known=known)
    assert calculation.sentence == sentence
    assert calculation.computed.sentence == sentence
    assert (calculation.inverse, calculation.claim) == ("", None)


def test_what_the_question_itself_told_is_kept_apart(toads: Engine) -> None:
    text = "How many Toads to win under the full Moon?"
    (calculation,) = worked(toads, "toad-well", text, *GOAL, known={"players": 3})
    assert calculation.told == (("moon", "full"),)
    assert dict(calculation.computed.inputs) == {"players": 3, "moon": "full"}


def test_what_is_missing_is_known_and_nothing_is_guessed(toads: Engine) -> None:
    text = "How many Toads to win under the full Moon?"
    (calculation,) = worked(toads, "toad-well", text, *GOAL)
    assert calculation.sentence == ""
    assert calculation.computed.missing == ("players",)
    assert calculation.computed.possible == (6, 7, 8)


def test_what_does_not_matter_is_not_missed(toads: Engine) -> None:
    text = "Does the splash overflow with 12 pips?"
    (calculation,) = worked(toads, "toad-well", text, "The Well")
    assert calculation.sentence.startswith("Yes, the Well overflows")


@pytest.mark.parametrize(
    ("text", "leads", "inverse"),
    [
        (
            "With the goal at 7 under the full Moon, how many players are we?",
            "3 players. ",
            "players",
        ),
        ("The goal is 7 with 3 players. Which Moon is it?", "Full. ", "moon"),
        (
            "The goal is 8 under the full Moon: how many players are there?",
            "4 or 5 players. ",
            "players",
        ),
        (
            "The goal is 8 under the full Moon: what is the least number of players?",
            "4 players. ",
            "players",
        ),
        ("The goal is 8 under the full Moon: what is the most players?", "5 players. ", "players"),
    ],
)
def test_backwards_an_input_is_found_that_gives_the_output(
    toads: Engine, text: str, leads: str, inverse: str
) -> None:
    calculation = worked(toads, "toad-well", text, *GOAL)[0]
    assert calculation.sentence.startswith(leads)
    assert calculation.inverse == inverse
    assert calculation.solution is not None
    assert calculation.solution.states != ()


def test_backwards_what_can_not_be_is_said_to_be_impossible(toads: Engine) -> None:
    text = "The goal is 12 under the full Moon: how many players are we?"
    calculation = worked(toads, "toad-well", text, *GOAL)[0]
    assert calculation.sentence == "No, 12 Toads isn't possible."
    assert calculation.solution is not None
    assert calculation.solution.states == ()
    assert calculation.solution.forbidden_by != ()


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("Good evening!", "The Witch > How to Win"),
        ("Who painted the cards?", "The Witch > Brew"),
        ("May I brew golden Toads?", "The Witch > How to Win"),
        ("How many Toads to win with 3 players, 40 cows and 7 hens?", "The Witch > How to Win"),
        ("How many Toads to win with 3 players?", "Toads"),
    ],
)
def test_of_other_questions_nothing_is_made(toads: Engine, text: str, section: str) -> None:
    made = worked(toads, "toad-well", text, section)
    assert [c for c in made if c.computed.rule == "witch.goal"] == []


def test_a_state_against_the_rules_is_found_out(toads: Engine) -> None:
    text = "How many Toads to win with 5 players under the blood Moon?"
    (calculation,) = worked(toads, "toad-well", text, *GOAL)
    assert calculation.computed.outcome is Outcome.INCONSISTENT
    assert [p.statement.text for p in calculation.computed.refused_by] == [
        "With 5 players there is no blood Moon."
    ]


def test_where_nothing_was_found_nothing_is_made(toads: Engine) -> None:
    assert worked(toads, "toad-well", "How many Toads to win with 3 players?") == ()


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Five players, I'm the Ghoul: how much Fury do I need?", 12),
        ("We're 4 and I play the Hunter: what's my Fury goal?", 12),
        ("7 players, Hunter: how much Fury do I need?", 14),
        ("How much Fury do I need as a Ragpicker with 6 players?", 11),
        ("I play the Ghoul solo on hard, how much Fury do I need?", 9),
    ],
)
def test_fury_goals_are_computed_from_players_words(engine: Engine, text: str, value: int) -> None:
    assert worked(engine, VAST, text, *FURY)[0].computed.value == value


def test_12_on_standard_asked_backwards_is_5_players(engine: Engine) -> None:
    text = "My Fury goal is 12 on standard difficulty, how many players are we?"
    calculation = worked(engine, VAST, text, *FURY)[0]
    assert calculation.sentence == "5 players. 12 Fury: 7 for the standard Ghoul + 5 players."


@pytest.mark.parametrize(
    ("game", "text", "section", "value"),
    [
        (EPIC, "Tourists are 5, 5, 3 and 2, how many are lost?", STRIKES[0], (2, 2, 0, 0)),
        (EPIC, "The tourists are 7/7/4/1: who loses how many tourists?", STRIKES[0], (3, 3, 0, 0)),
        (
            EVIL,
            "A monster with a hire cost of 3 has a raise of 2: what do I pay?",
            "A. Day Phase > 3. Hire a Monster",
            5,
        ),
        (
            VAST,
            "With Isolation 3, 4 Crystal tokens and 1 Ghost tile, how many Omen tokens do I get?",
            "The Cave Ghost > 1) Collect Omen Tokens",
            5,
        ),
        (
            VAST,
            "How much Grit does the Knight pay for a Mental Block with Influence 3?",
            "The Ghost > Other Players",
            5,
        ),
    ],
)
def test_other_games_and_rules_are_computed_from_players_words(
    engine: Engine, game: str, text: str, section: str, value: Value
) -> None:
    assert worked(engine, game, text, section)[0].computed.value == value


def test_if_all_are_tied_the_answer_is_that_the_book_does_not_say(engine: Engine) -> None:
    text = "Tourists are 4, 4 and 4: how many tourists are lost?"
    calculation = worked(engine, EPIC, text, *STRIKES)[0]
    assert calculation.sentence == ""
    assert (calculation.computed.value, calculation.computed.missing) == (None, ())
    assert "tied" in calculation.computed.reason


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            "Is the Fury goal 11 with 5 players?",
            "No. 12 Fury: 7 for the standard Ghoul + 5 players.",
        ),
        (
            "Is the Fury goal 12 with 5 players?",
            "Yes. 12 Fury: 7 for the standard Ghoul + 5 players.",
        ),
        ("Can the Fury goal be 15?", "No, 15 Fury isn't possible: it is 7 to 14."),
        ("Can the Fury goal be 12 on the Hunter?", "Yes, 12 Fury is possible: 4 players."),
    ],
)
def test_what_a_question_supposes_is_confirmed_or_set_right(
    engine: Engine, text: str, sentence: str
) -> None:
    calculation = worked(engine, VAST, text, *FURY)[0]
    assert calculation.sentence == sentence
    assert calculation.claim is not None


def test_all_cases_in_which_a_number_is_possible_are_told(engine: Engine) -> None:
    calculation = worked(engine, VAST, "Can the Fury goal be 14?", *FURY)[0]
    assert calculation.sentence.startswith("Yes, 14 Fury is possible: ")
    cases = calculation.sentence.removesuffix(".").split(": ")[1].split("; ")
    assert sorted(cases) == [
        "Hunter, 6 players", "Hunter, 7 players", "Stalker, 7 players", "standard, 7 players",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "section", "leads"),
    [
        (
            "Which difficulty has a Fury goal of 12 with 5 players?",
            "The Ghoul > Difficulty Variants",
            "Standard or Stalker. 12 Fury",
        ),
        (
            "With which difficulty is the Radiance goal 10?",
            "The Nightmare Unicorn > Difficulty Variants",
            "Dire Unicorn. 10 Radiance",
        ),
        (
            "With how many Crystal tokens do I collect 6 Omen tokens at Isolation 2 and 1 Ghost tile?",
            "The Cave Ghost > 1) Collect Omen Tokens",
            "9 to 12 Crystal tokens. 6 Omen tokens",
        ),
        (
            "What Influence does the Ghost have if the Knight pays 5 Grit for a Mental Block?",
            "The Ghost > Other Players",
            "3 Influence. 5 Grit",
        ),
    ],
)
def test_other_rules_are_asked_backwards_too(
    engine: Engine, text: str, section: str, leads: str
) -> None:
    assert worked(engine, VAST, text, section)[0].sentence.startswith(leads)


def test_two_outputs_asked_for_together_are_both_computed(engine: Engine) -> None:
    text = (
        "How many spaces does the fear marker move, and in which direction, "
        "for a red monster of strength 2 in the raid cell?"
    )
    section = "A. Day Phase > 1. Put a Monster into Play > Raid"
    values = [c.computed.value for c in worked(engine, EVIL, text, section)]
    assert values == [2, "to_opponent"]


def test_a_reading_that_the_book_leaves_open_is_not_guessed(engine: Engine) -> None:
    text = "With 3 successful attacks, 1 Treasure and 2 smashed Crystals, how much Fury do I gain?"
    calculation = worked(engine, VAST, text, "The Ghoul > Fury")[0]
    assert (calculation.sentence, calculation.computed.value) == ("", None)
    assert calculation.computed.missing == ("reading_crystal_fury",)
