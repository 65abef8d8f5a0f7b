"""Marks become citations, and a mark that stands for nothing is never shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulespal_chat.answer.citing import cite
from rulespal_chat.types import Citation, Draft, Pick, Status

if TYPE_CHECKING:
    from rulespal_chat.types import Rulebook


@pytest.fixture
def picks(toads: Rulebook) -> tuple[Pick, ...]:
    """The first two rules of the Witch's way to win."""
    section = toads.sections[1]
    return tuple(Pick(toads, section, statement) for statement in section.statements[:2])


def test_a_mark_becomes_a_citation_of_its_statement(picks: tuple[Pick, ...]) -> None:
    text = "The Witch wins with 3 Toads. [1]"
    assert cite(Draft(Status.ANSWERED, text, picks)) == (
        text,
        (
            Citation(
                mark=1,
                game="toad-well",
                section="The Witch > How to Win",
                statement=picks[0].statement.id,
                quote="The Witch wins with 3 Toads.",
                lines=picks[0].statement.lines,
            ),
        ),
        0,
    )


@pytest.mark.parametrize(
    ("text", "shown", "marks", "dropped"),
    [
        ("First. [1]\nSecond. [2]", "First. [1]\nSecond. [2]", [1, 2], 0),
        ("Second. [2] First. [1]", "Second. [2] First. [1]", [1, 2], 0),
        ("Twice. [2] Again. [2]", "Twice. [2] Again. [2]", [2], 0),
        ("First. [1] Third. [3]", "First. [1] Third.", [1], 1),
        ("None. [0][3] [999]", "None.", [], 3),
        ("Third. [3] First. [1] Fourth. [4]", "Third. First. [1] Fourth.", [1], 2),
        ("A word[1] and[7] more.", "A word[1] and more.", [1], 1),
        ("No marks.", "No marks.", [], 0),
    ],
)
def test_marks_that_stand_for_nothing_are_dropped_and_counted(
    picks: tuple[Pick, ...], text: str, shown: str, marks: list[int], dropped: int
) -> None:
    said, citations, gone = cite(Draft(Status.ANSWERED, text, picks))
    assert (said, [c.mark for c in citations], gone) == (shown, marks, dropped)
    assert [c.quote for c in citations] == [picks[mark - 1].statement.text for mark in marks]


@pytest.mark.parametrize(
    "printed", ["[INF]", "[INF + 2]", "[1 Toad]", "[-1]", "[1.5]", "[]", "(1)", "[1234]", "[[x]]"]
)
def test_brackets_that_the_book_prints_are_left_alone(
    picks: tuple[Pick, ...], printed: str
) -> None:
    text = f"Take as many Toads as shown {printed}. [2]"
    said, citations, dropped = cite(Draft(Status.ANSWERED, text, picks))
    assert (said, [c.mark for c in citations], dropped) == (text, [2], 0)


@pytest.mark.parametrize(
    ("text", "dropped"),
    [
        ("The rulebook of A doesn't say.", 0),
        ("The rulebook of A doesn't say. [1]", 1),
        ("The rulebook [1] of A [2] doesn't say. [3]", 3),
    ],
)
def test_an_answer_without_quotes_has_neither_citations_nor_marks(text: str, dropped: int) -> None:
    draft = Draft(Status.NOT_IN_RULEBOOK, text)
    assert cite(draft) == ("The rulebook of A doesn't say.", (), dropped)
