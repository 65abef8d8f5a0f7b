"""Which lines of a chat follow the question before, and what they ask."""

from __future__ import annotations

import pytest

from rulespal_chat.search.following import FollowUp, follow, without_change

ROLES = {
    "The Witch": ("The Witch", "Witch", "Hexer", "normal Witch"),
    "The Old Witch": ("The Old Witch", "Old Witch", "Old one"),
}


@pytest.mark.parametrize(
    ("last", "line", "text"),
    [
        ("How many cards with 3 players?", "and with 4?", "How many cards with 4 players?"),
        ("How many cards with 3 players?", "same with five of us?", "How many cards with five players?"),
        ("Toads at 8, 6, 6: how many leave?", "and 11, 6, 6?", "Toads at 11, 6, 6: how many leave?"),
        ("How many cards does 1 Witch draw with 3 players?", "and 5 players?",
         "How many cards does 1 Witch draw with 5 players?"),
        ("How does the Witch win?", "what about the old one?", "How does the Old Witch win?"),
        ("How does the old witch win?", "and the normal witch?", "How does the Witch win?"),
        ("What is the goal on easy?", "and on hard?", "What is the goal on hard?"),
    ],
)  # fmt: skip
def test_what_is_replaced_is_replaced(last: str, line: str, text: str) -> None:
    assert follow(line, last, ROLES) == FollowUp(text)


@pytest.mark.parametrize(
    ("last", "line"),
    [
        ("When do I get a token?", "and what was standing on it?"),
        ("When do I get a token?", "does it go back to the bag?"),
        ("May the Witch stir twice?", "what if nobody else is there?"),
        ("May the Witch stir twice?", "and the cauldron?"),
        ("How does the team win?", "and how does the other side win?"),
        ("How many cards with 3 players?", "and if I have 2 tokens?"),
    ],
)
def test_what_is_new_stands_behind_the_question_and_is_the_focus(last: str, line: str) -> None:
    assert follow(line, last, ROLES) == FollowUp(f"{last.rstrip('?')}: {line}", line)


@pytest.mark.parametrize("line", ["why?", "why not?", "how come", "are you sure?", "really?"])
def test_a_line_that_says_nothing_new_has_no_focus(line: str) -> None:
    last = "May the Witch stir twice?"
    assert follow(line, last, ROLES) == FollowUp(f"May the Witch stir twice: {line}")


def test_a_level_that_the_question_does_not_have_is_added() -> None:
    followed = follow("and on hard?", "What is the goal?", ROLES)
    assert followed == FollowUp("What is the goal: and on hard?")


@pytest.mark.parametrize(
    "line",
    [
        "how many cards are in the box",
        "bribe cost?",
        "hand limit",
        "How does the Old Witch win?",
        "If a player reveals a card with a skull, does the round end?",
        "When do the tokens go back into the supply?",
        "ok different thing, does it cost anything to stir?",
        "new question: and how many cards are there?",
        "in a game of 4, who deals the cards first?",
    ],
)
def test_a_question_that_stands_alone_is_new(line: str) -> None:
    assert follow(line, "When do I get a token?", ROLES) is None


def test_nothing_is_followed_where_nothing_was_asked() -> None:
    assert follow("and with 4?", "", ROLES) is None


def test_words_that_only_change_the_subject_are_left_out() -> None:
    assert without_change("ok different thing, may I stir?") == "may I stir?"
    assert without_change("new question: who deals?") == "who deals?"
    assert without_change("another question") == "another question"
    assert without_change("another toad enters") == "another toad enters"
