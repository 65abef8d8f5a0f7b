"""A sentence is held against the statements that it names: words first, then the verifier."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import TOADS

from rulespal_chat.corpus.parser import parse_rulebook
from rulespal_chat.grounding.judge import NO_CLAIM, NOT_SAID, TOO_LITTLE, TOO_LONG, Judge
from rulespal_chat.grounding.verifier import evidence
from rulespal_chat.types import Pick

if TYPE_CHECKING:
    from collections.abc import Callable

BOOK = parse_rulebook(TOADS, Path("toads.md"))


def pick(text: str) -> Pick:
    """The statement of the toad book that begins so."""
    return next(
        Pick(BOOK, section, statement)
        for section in BOOK.sections
        for statement in section.statements
        if statement.text.startswith(text)
    )


WINS = pick("The Witch wins")
STIRS = pick("The Witch may stir")
OLD = pick("The Old Witch wins")


def verifier(sure: float) -> Callable[[str, str], float]:
    return lambda _told, _sentence: sure


trusting, doubting = Judge(verifier(20.0)), Judge(verifier(-20.0))


def test_what_the_verifier_is_sure_of_is_said() -> None:
    assert trusting("With 3 Toads the Witch has won.", [WINS]) == ""
    assert doubting("With 3 Toads the Witch has won.", [WINS]) == NOT_SAID


def test_a_quote_needs_no_verifier() -> None:
    assert doubting("The Witch wins with 3 Toads.", [WINS]) == ""
    assert doubting("the witch wins with 3 toads", [STIRS, WINS]) == ""
    assert doubting("7 Toads: 4 + 3 players.", [WINS], ["7 Toads: 4 + 3 players."]) == ""


def test_signs_make_another_sentence_of_a_quote() -> None:
    assert doubting("2 Toads > 1.", [WINS], ["2 Toads < 1."]) == NOT_SAID
    assert doubting("Pay -1 Toad.", [WINS], ["Pay +1 Toad."]) == NOT_SAID
    assert doubting("Pay –1 Toad!", [WINS], ["Pay -1 Toad."]) == ""
    assert doubting("Draw 1 5 Toads.", [WINS], ["Draw 1.5 Toads."]) == NOT_SAID


@pytest.mark.parametrize(
    ("sentence", "why"),
    [
        ("The Witch wins with 4 Toads.", "the passages that it names don't have the number 4"),
        ("The Witch wins with four Toads.", "the passages that it names don't have the number 4"),
        ("With 3 Toads the Cook wins.", "the passages that it names don't have 'cook'"),
        ("Only the old witch wins with 3 Toads.",
         "the passages that it names aren't about The Old Witch"),
        ("Purple monkeys eat bananas, and Toads.", NOT_SAID),
        ("The Witch wins with 3 Toads " * 20, TOO_LONG),
        ("The Witch never wins with 3 Toads.", NOT_SAID),
        ("Who wins with 3 Toads.", NO_CLAIM),
        ("The Witch wins with 3 Toads?", NO_CLAIM),
        ("Yes.", TOO_LITTLE),
        ("You may.", TOO_LITTLE),
        ("3", TOO_LITTLE),
        ("", TOO_LITTLE),
    ],
)  # fmt: skip
def test_words_decide_before_a_verifier_that_believes_everything(sentence: str, why: str) -> None:
    assert trusting(sentence, [WINS]) == why


def test_a_twin_is_not_taken_for_the_other() -> None:
    assert trusting("The Old Witch wins with 5 Toads then.", [OLD]) == ""
    why = trusting("The Witch wins with 5 Toads then.", [OLD])
    assert why == "the passages that it names aren't about The Witch"


def test_a_number_that_was_computed_may_be_said() -> None:
    computed = ["7 Toads: 4 for the full Moon + 3 players."]
    assert trusting("The Witch needs 7 Toads.", [WINS], computed) == ""
    assert trusting("The Witch needs 7 Toads.", [WINS]) != ""


def test_the_verifier_reads_each_statement_alone_and_all_together() -> None:
    read: list[str] = []

    def remembers(told: str, _sentence: str) -> float:
        read.append(told)
        return -20.0

    Judge(remembers)("The Witch wins and stirs then.", [WINS, STIRS], ["It is 3."])
    together = (
        "The Witch > How to Win\nThe Witch wins with 3 Toads.\n"
        "The Witch > 1) Brew > Stir\nThe Witch may stir once."
    )
    assert read == [
        "The Witch > How to Win\nThe Witch wins with 3 Toads.",
        "The Witch > 1) Brew > Stir\nThe Witch may stir once.",
        together,
        f"{together}\nIt is 3.",
    ]


def test_evidence_names_each_section_once() -> None:
    assert evidence([("A", "one"), ("A", "two"), ("B", "three")]) == "A\none\ntwo\nB\nthree"
