"""Drafts that lead with what was computed: a sentence of ours, and the statements behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaged_rules import VAST, found_sections
from packaged_rules import an_engine as an_engine
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.answer.computing import draft_of, options_of
from rulespal_chat.rules.asking import Calculation, calculate
from rulespal_chat.rules.engine import Engine
from rulespal_chat.types import Library, Query, QuestionBack, Status

if TYPE_CHECKING:
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset
    from rulespal_chat.types import Draft

GOAL = ("The Witch > How to Win", "The Witch > Difficulty")
ASKED = "How many Toads to win"


@pytest.fixture
def toads(toad_rules: Ruleset) -> Engine:
    """The engine over the toad book alone."""
    return Engine(Library((toad_rules.book,)))


def drafted(
    engine: Engine, text: str, *sections: str, known: dict[str, Value] | None = None
) -> Draft:
    rules = engine.rules("toad-well")
    found = found_sections(rules.book, *sections)
    made = calculate(Query(text, text, ("toad-well",)), engine, "toad-well", found, known or {})
    draft = draft_of(made, rules)
    assert draft is not None
    return draft


def quotes(draft: Draft) -> list[str]:
    return [pick.statement.text for pick in draft.picks]


def given(engine: Engine, rule: str, output: str | None = None, **state: Value) -> Draft | None:
    """The draft for a rule and a state, as if it had been asked for."""
    computed = engine.compute(rule, state, output)
    return draft_of([Calculation(computed, computed.sentence)], engine.rules("toad-well"))


def test_a_value_leads_with_the_marks_of_all_that_it_rests_on(toads: Engine) -> None:
    draft = drafted(toads, f"{ASKED} with 3 players under the full Moon?", *GOAL)
    lead, *quoted = draft.text.split("\n")
    assert lead == "7 Toads: 4 for the full Moon + 3 players. [1][2][3]"
    assert quoted == [f"{quote} [{n}]" for n, quote in enumerate(quotes(draft), start=1)]
    assert quotes(draft) == [
        "The Witch needs the Toads of the Moon and 1 for each player.",
        "Moon: Full; Toads: 4",
        "The Witch may not brew golden Toads.",
    ]
    assert (draft.status, draft.question_back, draft.not_covered) == (Status.ANSWERED, None, None)


def test_at_the_cap_the_statement_of_the_cap_is_cited_first(toads: Engine) -> None:
    draft = drafted(toads, f"{ASKED} with 5 players under the full Moon?", *GOAL)
    assert quotes(draft)[0] == "No more than 8 Toads are ever needed."
    assert draft.text.startswith("8 Toads: 4 + 5 players would be 9, and 8 is the most. [1]")


def test_what_was_assumed_is_named(toads: Engine) -> None:
    draft = drafted(toads, f"{ASKED} with 3 players?", *GOAL)
    assert "Assumed: new moon." in draft.notes
    told = drafted(toads, f"{ASKED} with 3 players under the new Moon?", *GOAL)
    assert not any(note.startswith("Assumed") for note in told.notes)


def test_what_came_from_the_table_is_named(toads: Engine) -> None:
    known: dict[str, Value] = {"players": 3, "moon": "full"}
    draft = drafted(toads, f"{ASKED}?", *GOAL, known=known)
    (note,) = [note for note in draft.notes if note.startswith("From the table")]
    assert "3 players" in note
    assert "full moon" in note
    told = drafted(toads, f"{ASKED} with 2 players?", *GOAL, known=known)
    (note,) = [note for note in told.notes if note.startswith("From the table")]
    assert note == "From the table: full moon."


def test_what_is_missing_is_asked_for_above_the_rule_that_needs_it(toads: Engine) -> None:
    draft = drafted(toads, f"{ASKED} under the full Moon?", *GOAL)
    assert draft.status is Status.NEEDS_INPUT
    assert draft.question_back == QuestionBack(
        "How many players are there?", "players", ("1", "2", "3", "4", "5")
    )
    lead, *quoted = draft.text.split("\n")
    assert lead == "How many players are there?"
    assert quoted
    assert {pick.section.name for pick in draft.picks} == {"The Witch > How to Win"}


def test_a_state_against_the_rules_is_refused_with_the_rule(toads: Engine) -> None:
    draft = drafted(toads, f"{ASKED} with 5 players under the blood Moon?", *GOAL)
    assert draft.text == ("That can't be so. [1]\nWith 5 players there is no blood Moon. [1]")


def test_a_rule_that_does_not_apply_says_when_it_would(toads: Engine) -> None:
    draft = given(toads, "witch.goal", players=1)
    assert draft is not None
    assert draft.text == "This goal is for games of 2 or more players. [1]"


def test_what_the_book_leaves_open_is_said_with_its_note(toads: Engine) -> None:
    draft = given(toads, "well.storm", toads_held=(4, 4))
    assert draft is not None
    assert draft.status is Status.PARTLY
    assert "doesn't say: all players are tied" in draft.text.split("\n")[0]
    assert draft.not_covered is not None


def test_backwards_the_state_leads_and_what_forbids_it_is_cited(toads: Engine) -> None:
    text = "With the goal at 7 under the full Moon, how many players are we?"
    assert drafted(toads, text, *GOAL).text.startswith("3 players. 7 Toads: 4 for the full Moon")
    impossible = drafted(toads, text.replace("7", "12"), *GOAL)
    assert impossible.text.startswith("No, 12 Toads isn't possible. [1]")
    assert "No more than 8 Toads are ever needed." in quotes(impossible)


def test_without_a_calculation_there_is_no_draft(toads: Engine) -> None:
    assert draft_of([], toads.rules("toad-well")) is None


def test_every_mark_has_its_quote(toads: Engine) -> None:
    drafts = [
        given(toads, "witch.goal", players=5, moon="full"),
        given(toads, "witch.cards", players=1, moon="blood"),
        given(toads, "toad.hop", golden=True, golden_hops="stays"),
        given(toads, "well.overflow", dice=(5, 5)),
        given(toads, "box.pieces"),
    ]
    for draft in drafts:
        assert draft is not None
        lead, *quoted = draft.text.split("\n")
        marks = "".join(f"[{n}]" for n in range(1, len(draft.picks) + 1))
        assert lead.endswith(f" {marks}")
        assert len(quoted) == len(draft.picks) > 0
        assert len(set(quotes(draft))) == len(draft.picks)


def test_a_note_that_is_quoted_anyway_is_not_said_twice(toads: Engine) -> None:
    draft = given(toads, "toad.hop", golden=True, golden_hops="stays")
    assert draft is not None
    assert set(draft.notes).isdisjoint(quotes(draft))


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("players", ("1", "2", "3", "4", "5")),
        ("moon", ("new", "full", "blood")),
        ("golden", ("yes", "no")),
        ("golden_hops", ("it hops", "it stays")),
        ("pips", ()),
        ("dice", ()),
        ("here", ()),
    ],
)
def test_the_options_of_an_input_are_listed_if_they_are_few(
    toad_rules: Ruleset, name: str, options: tuple[str, ...]
) -> None:
    assert options_of(toad_rules.inputs[name]) == options


def test_a_reading_that_is_open_is_asked_for_with_the_note(engine: Engine) -> None:
    state: dict[str, Value] = {"successes": 3, "treasures": 1, "crystals_smashed": 2}
    computed = engine.compute("ghoul.fury_gain", state)
    draft = draft_of([Calculation(computed)], engine.rules(VAST))
    assert draft is not None
    assert draft.status is Status.PARTLY
    assert draft.question_back is not None
    assert draft.question_back.input == "reading_crystal_fury"
    assert draft.question_back.options == (
        "only attacks on players count", "a Crystal counts as well",
    )  # fmt: skip
    assert draft.not_covered is not None
    assert any("does not say whether a smashed Crystal" in quote for quote in quotes(draft))
