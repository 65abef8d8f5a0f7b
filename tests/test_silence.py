"""Nothing is said where the library has no book, or the book no answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespal_chat.answer.evidence import Evidence
from rulespal_chat.answer.silence import (
    is_foreign,
    is_note,
    open_question,
    printed_elsewhere,
    thing_unexplained,
    value_missing,
)
from rulespal_chat.types import BookKind, Found, Kind, Pick, Query, Rulebook, Section, Statement

BOOK = Rulebook("toads", "Toads", (), BookKind.GAME, None, (), (), Path("toads.md"))
OURS = frozenset({"toads"})
SECTION = Section("toads/brew", ("Brew",), 2, (1, 1), ())
NOTE = "Unclear: The book does not say whether a golden Toad is a Toad."


def asking(text: str, **understood: object) -> Query:
    return Query(text, text, ("toads",), **understood)  # type: ignore[arg-type]


def evidence(text: str, score: float = 0.5) -> Evidence:
    kind = Kind.UNCLEAR if text.startswith("Unclear:") else Kind.RULE
    return Evidence(Pick(BOOK, SECTION, Statement(text, kind, text, (1, 1))), score)


def ranked(*texts: str) -> list[Evidence]:
    return [evidence(text) for text in texts]


WHY = (("passage", 0.9), ("passage words", 0.1), ("statement words", 0.1))


def near(similarity: float) -> Found:
    """A section that is as similar to the question as said, each word of it too."""
    why = (*WHY, ("statement", similarity), ("late", similarity), ("covered", similarity))
    return Found(BOOK, SECTION, 0.5, (), why)


def test_what_is_far_from_every_section_is_foreign() -> None:
    query = asking("How does she win?")
    assert is_foreign(query, [near(0.2), near(0.3)], 0.0, OURS)
    assert not is_foreign(query, [near(0.2), near(0.9)], 0.0, OURS)
    assert is_foreign(query, [], 0.0, OURS)


@pytest.mark.parametrize(
    ("query", "foreign"),
    [
        (asking("How do I win in Catan?", foreign=("Catan",)), True),
        (asking("Is Toads like Catan?", foreign=("Catan",), game_named=True), False),
        (asking("Is the Witch as in Catan?", foreign=("Catan",), roles=("The Witch",)), False),
        (asking("When does the Witch write?", roles=("The Witch",)), False),
    ],
)
def test_other_games_are_foreign(query: Query, foreign: bool) -> None:
    assert is_foreign(query, [near(0.9)], 0.0, OURS) is foreign


@pytest.mark.parametrize(
    ("note_score", "rule_score", "is_open"),
    [(0.6, 0.5, True), (0.95, 1.0, True), (0.9, 1.0, False)],
)
def test_a_note_that_matches_as_well_as_a_rule_leaves_the_question_open(
    note_score: float, rule_score: float, is_open: bool
) -> None:
    note, rule = evidence(NOTE, note_score), evidence("A Toad hops.", rule_score)
    query = asking("Does a golden Toad count as a Toad?")
    assert open_question(query, [note, rule]) == (note if is_open else None)


def test_a_question_is_open_by_its_best_note() -> None:
    best, other = evidence(NOTE, 0.6), evidence("Unclear: whether a Toad is wet.", 0.5)
    assert open_question(asking("does a golden Toad count"), [best, other]) == best


def test_no_question_is_open_without_a_note() -> None:
    assert open_question(asking("does a golden Toad count"), ranked("A Toad hops.")) is None


@pytest.mark.parametrize("question", ["golden Toad?", "Is it a golden Toad?", "what is that"])
def test_too_few_words_do_not_ask_what_a_note_says(question: str) -> None:
    assert open_question(asking(question), ranked(NOTE)) is None


@pytest.mark.parametrize(
    ("rules", "missing"),
    [
        (["The Witch needs Toads."], True),
        (["The Witch needs 3 Toads."], False),
        (["The Witch needs 3 fat green Toads."], False),
        (["Turn 3: if she likes, the Witch needs Toads."], True),
        (["The Witch needs as many Toads as there are players."], False),
        (["The Witch needs Toads equal to the Moon."], False),
        (["The Witch needs no Toads."], False),
        (["The Witch needs Toads.", "Each of the 5 players may hop."], True),
        (["The Witch needs Toads.", "2 Toads are in the Well."], False),
        ([NOTE + " There are 3 Toads.", "The Witch needs Toads."], True),
        (["The Moon shines."], True),
        ([], True),
    ],
)
def test_a_count_is_missing_unless_a_rule_gives_a_number_of_it(
    rules: list[str], missing: bool
) -> None:
    assert value_missing(asking("How many Toads does the Witch need?"), ranked(*rules)) is missing


@pytest.mark.parametrize(
    ("rules", "missing"),
    [
        (["There are 4 raid cells."], False),
        (["There are raid cells.", "There are 4 port cells."], True),
        (["There are 4 cells."], False),
        (["There are cells."], True),
    ],
)
def test_of_a_compound_its_last_word_is_counted_if_no_rule_has_the_whole(
    rules: list[str], missing: bool
) -> None:
    assert value_missing(asking("How many raid cells do I have?"), ranked(*rules)) is missing


@pytest.mark.parametrize(
    ("question", "rules", "missing"),
    [
        ("How far does the Witch move?", ["She moves 2 spaces."], False),
        ("How far does the Witch move?", ["She moves."], True),
        ("How often may she stir in a turn?", ["She may stir once."], False),
        ("How often may she stir in a turn?", ["She may stir at will."], True),
        ("How far does the Witch move?", ["a", "b", "She moves 2 spaces."], False),
        ("How far does the Witch move?", ["a", "b", "c", "She moves 2 spaces."], True),
        ("How far does the Witch move?", [NOTE, "a", "b", "She moves 2 spaces."], False),
        ("Where does the Witch move?", ["She moves."], False),
    ],
)
def test_a_number_is_missing_if_none_of_the_best_three_rules_has_one(
    question: str, rules: list[str], missing: bool
) -> None:
    assert value_missing(asking(question), ranked(*rules)) is missing


@pytest.mark.parametrize(
    ("rules", "missing"),
    [
        (["The Witch has a strength of 3."], False),
        (["The Witch has a strength equal to her Toads."], False),
        (["The Witch rolls for her strength."], True),
        (["The strength of the Witch, which she rolls anew each turn, is shown by 2 dice."], True),
        (["The Toad has a strength of 3."], True),
        (["The Witch takes 3 Toads."], True),
    ],
)
def test_a_statistic_is_missing_unless_a_rule_on_the_same_thing_gives_it(
    rules: list[str], missing: bool
) -> None:
    assert value_missing(asking("What is the Witch's strength?"), ranked(*rules)) is missing


COST = "What is the exact cost of a Toad?"


@pytest.mark.parametrize(
    ("question", "statements", "elsewhere"),
    [
        (COST, ["Its cost is printed on the card."], True),
        (COST, ["The cost is listed in the corner."], True),
        (COST, ["The board shows the cost."], True),
        (COST, ["The cost depends on the Moon."], True),
        (COST, ["The cost, 3 Gold, is printed on the card."], False),
        (COST, ["The cost is paid at once."], False),
        (COST, ["The cost is paid at once.", "The card shows it."], True),
        (COST, ["The cost is 3 Gold.", "The card shows it."], False),
        (COST, ["a", "b", "The card shows it."], False),
        (COST, ["Its cost is printed on the card.", "A fly costs 1 Gold."], True),
        (COST, [NOTE, NOTE, "Its cost is printed on the card."], True),
        (COST, [NOTE], False),
        (COST, [], False),
        ("Who pays for a Toad?", ["Its cost is printed on the card."], False),
    ],
)
def test_a_value_is_printed_elsewhere_if_the_best_two_statements_say_so(
    question: str, statements: list[str], elsewhere: bool
) -> None:
    assert printed_elsewhere(asking(question), ranked(*statements)) is elsewhere


DOES = "What does the Golden Toad do?"


@pytest.mark.parametrize(
    ("question", "statements", "unexplained"),
    [
        (DOES, ["At the start of the game the Witch takes the Golden Toad."], True),
        (DOES, ["The Golden Toad gives 2 Gold."], False),
        (DOES, ["At the end of a turn the Witch may hop with the Golden Toad."], False),
        (
            DOES,
            [
                "At the start of the game the Witch takes the Golden Toad.",
                "The Golden Toad gives 2 Gold.",
            ],
            False,
        ),
        (DOES, ["The Moon shines."], False),
        (DOES, [], False),
        (
            "Who takes the Golden Toad?",
            ["At the start of the game the Witch takes the Golden Toad."],
            False,
        ),
    ],
)
def test_a_thing_is_unexplained_if_the_statements_only_say_who_has_it(
    question: str, statements: list[str], unexplained: bool
) -> None:
    assert thing_unexplained(asking(question), ranked(*statements)) is unexplained


def test_a_note_is_what_the_book_leaves_open() -> None:
    assert is_note(evidence(NOTE))
    assert not is_note(evidence("A Toad hops."))


def test_what_is_near_to_the_name_of_a_game_alone_is_foreign() -> None:
    why = tuple((name, 0.0 if "words" in name else value) for name, value in near(0.9).why)
    found = replace(near(0.9), why=why)
    named = asking("how do bribes work in Toads", game_named=True)
    assert is_foreign(named, [found], 0.0, OURS)
    assert not is_foreign(named, [near(0.9)], 0.0, OURS)
