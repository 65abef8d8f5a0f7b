"""Which rule computes what a question asks: by what was found, and by the words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaged_rules import EPIC, EVIL, VAST, found_sections
from packaged_rules import an_engine as an_engine
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.rules.routing import Candidate, asked, candidates, is_statement
from rulespal_chat.types import Query

if TYPE_CHECKING:
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset


def routed(
    rules: Ruleset,
    text: str,
    *sections: str,
    roles: tuple[str, ...] = (),
    known: dict[str, Value] | None = None,
    focus: str = "",
) -> tuple[Candidate, ...]:
    """The candidates, as if these sections had been found, best first."""
    query = Query(text, text, (rules.book.id,), roles=roles, focus=focus)
    return candidates(query, rules, found_sections(rules.book, *sections), known or {})


@pytest.mark.parametrize(
    "text",
    [
        "How many Toads do I need?",
        "5 players: how much Fury?",
        "how far does it hop",
        "What's the goal for three?",
        "What is the hire cost?",
    ],
)
def test_a_quantity_is_asked_for(text: str) -> None:
    how = asked(text)
    assert (how.quantity, how.yes_no, how.manner, how.is_open) == (True, False, False, False)


@pytest.mark.parametrize(
    "text",
    [
        "Is it 11?",
        "Does the Well overflow?",
        "With 9 pips, does the Well overflow?",
        "ok so can I attack",
        "I have 3 discs. May I attack?",
        "The goal is 7, right?",
    ],
)
def test_a_yes_or_no_is_asked_for(text: str) -> None:
    how = asked(text)
    assert (how.yes_no, how.quantity) == (True, False)


@pytest.mark.parametrize(
    "text", ["Who begins?", "How do I win?", "When do I draw?", "Where is it?"]
)
def test_a_manner_is_asked_for(text: str) -> None:
    how = asked(text)
    assert (how.manner, how.quantity, how.yes_no) == (True, False, False)
    assert how.is_vague


def test_things_may_just_be_named() -> None:
    assert asked("Terror card?").is_open
    assert not asked("Terror card?").is_vague
    assert asked("Terror card").is_vague


def test_the_focus_is_the_question_itself() -> None:
    assert "player" not in asked("We are 5 players. How much Fury do I need?").focus
    assert "fury" in asked("We are 5 players. How much Fury do I need?").focus
    assert "hop" in asked("I have a golden Toad; how far does it hop?").focus


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("We are five.", True),
        ("five players", True),
        ("It's a full Moon and I'm the Witch", True),
        ("We are five?", False),
        ("how many are we", False),
        ("Is it five", False),
        ("tell me who begins", False),
        ("we are five, what is the goal", False),
    ],
)
def test_a_statement_asks_nothing(text: str, told: bool) -> None:
    assert is_statement(text) is told


GOAL = ("The Witch > How to Win", "The Witch > Difficulty")


@pytest.mark.parametrize(
    ("text", "sections", "output"),
    [
        ("How many Toads to win with 3 players?", GOAL, "toads_to_win"),
        ("What is the goal under the full Moon?", GOAL, "toads_to_win"),
        ("How many cards does she draw?", ("The Witch > Brew",), "cards"),
        ("Who begins?", ("The Witch > Brew",), "begins"),
        ("Does it overflow with 12 pips?", ("The Well",), "overflows"),
        ("What is the splash of 4 and 5?", ("The Well",), "splash"),
        ("How many Wells are there?", ("Setup",), "wells_in_box"),
    ],
)
def test_the_rule_asked_for_comes_first(
    toad_rules: Ruleset, text: str, sections: tuple[str, ...], output: str
) -> None:
    first = routed(toad_rules, text, *sections)[0]
    assert (first.output.name, first.inverse) == (output, "")


def test_only_rules_that_cite_a_section_found_are_candidates(toad_rules: Ruleset) -> None:
    text = "How many Toads to win with 3 players?"
    assert routed(toad_rules, text) == ()
    beside = routed(toad_rules, text, "The Well")
    assert {c.rule.section for c in beside} <= {"The Well"}
    assert "witch.goal" in {c.rule.id for c in routed(toad_rules, text, *GOAL)}


@pytest.mark.parametrize(
    ("focus", "bears_on_it"),
    [
        ("and under the full Moon?", True),
        ("even with 4 players?", True),
        ("so what's the goal?", True),
        ("even if she is asleep?", False),
    ],
)
def test_a_new_condition_that_the_rule_does_not_know_leaves_it_out(
    toad_rules: Ruleset, focus: str, bears_on_it: bool
) -> None:
    text = f"How many Toads to win with 3 players: {focus}"
    rules = {c.rule.id for c in routed(toad_rules, text, *GOAL, focus=focus)}
    assert ("witch.goal" in rules) is bears_on_it


def test_a_question_without_the_words_of_an_output_has_no_candidate(toad_rules: Ruleset) -> None:
    assert routed(toad_rules, "Is it raining?", *GOAL, "The Well", "Toads", "Setup") == ()


def test_what_only_names_a_case_asks_for_no_number_of_it(toad_rules: Ruleset) -> None:
    told = "for 3 players under the full Moon"
    assert routed(toad_rules, f"What do we get {told}?", *GOAL)[0].rule.id == "witch.goal"
    assert routed(toad_rules, f"Rules {told}?", *GOAL) == ()


def test_a_candidate_knows_what_is_told_and_what_was_known(toad_rules: Ruleset) -> None:
    text = "How many Toads to win under the full Moon?"
    first = routed(toad_rules, text, *GOAL, known={"players": 4, "moon": "new"})[0]
    assert first.reading.state == {"moon": "full"}
    assert first.state == {"players": 4, "moon": "full"}
    assert 0 <= first.score <= 1


def test_more_that_is_told_makes_a_candidate_surer(toad_rules: Ruleset) -> None:
    vague = routed(toad_rules, "How many Toads to win?", *GOAL)[0]
    clear = routed(toad_rules, "How many Toads to win with 3 players under the full Moon?", *GOAL)[
        0
    ]
    odd = routed(toad_rules, "How many Toads to win with 3 players and 20 cows?", *GOAL)[0]
    assert clear.score > vague.score
    assert odd.score < clear.score


@pytest.mark.parametrize(
    ("text", "inverse", "claimed"),
    [
        ("The goal is 7: how many players are we?", "players", 7),
        ("With 3 players the goal is 7. Which Moon is it?", "moon", 7),
        ("Is the goal 7 with 3 players?", "", 7),
        ("How many Toads to win with 3 players?", "", None),
    ],
)
def test_a_question_is_forwards_backwards_or_a_claim(
    toad_rules: Ruleset, text: str, inverse: str, claimed: int | None
) -> None:
    first = routed(toad_rules, text, *GOAL)[0]
    assert first.rule.id == "witch.goal"
    assert (first.inverse, first.claimed) == (inverse, claimed)


@pytest.mark.parametrize(
    ("role", "rule"),
    [("The Ghoul", "ghoul.dice_count"), ("The Vile Ghoul", "vileghoul.dice_count")],
)
def test_twin_roles_are_told_apart_by_the_role_named(engine: Engine, role: str, rule: str) -> None:
    sections = ("The Ghoul > Difficulty Variants", "The Vile Ghoul > Difficulty Variants")
    text = "How many Ghoul dice on hard?"
    for order in (sections, sections[::-1]):
        first = routed(engine.rules(VAST), text, *order, roles=(role,))[0]
        assert first.rule.id == rule


@pytest.mark.parametrize(
    ("game", "text", "section", "output"),
    [
        (
            VAST,
            "5 players, how much Fury do I need?",
            "The Ghoul > Difficulty Variants",
            "fury_goal",
        ),
        (
            VAST,
            "Isolation 3 and 4 Crystal tokens: how many Omen tokens?",
            "The Cave Ghost > 1) Collect Omen Tokens",
            "omen_tokens",
        ),
        (
            EPIC,
            "Tourists are 5, 5, 3 and 2: how many are lost?",
            "The Kraken > The Kraken Strikes",
            "tourists_lost",
        ),
        (
            EVIL,
            "What do I pay to hire a monster of hire cost 3 with a raise of 2?",
            "A. Day Phase > 3. Hire a Monster",
            "hire_total",
        ),
    ],
)
def test_questions_about_the_packaged_books_find_their_rule(
    engine: Engine, game: str, text: str, section: str, output: str
) -> None:
    assert routed(engine.rules(game), text, section)[0].output.name == output
