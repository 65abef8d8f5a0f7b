"""What a chat knows of the table: told by commands, in passing, and in reply to questions back."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from toad_rules import a_loaded_rule_file as a_loaded_rule_file
from toad_rules import rulespal_over_the_rule_file as rulespal_over_the_rule_file

from rulespal_chat.conversation import Conversation, Reply
from rulespal_chat.errors import BadStateError
from rulespal_chat.types import Answer, QuestionBack, Status

if TYPE_CHECKING:
    from rulespal_chat.pipeline import RulesPal

TO_WIN = "How many Toads to win"


def talk(
    rulespal: RulesPal, *lines: str, start: Conversation | None = None
) -> tuple[Conversation, Reply]:
    conversation, reply = start or Conversation(), Reply()
    for line in lines:
        conversation, reply = conversation.hear(line, rulespal)
    return conversation, reply


def answered(reply: Reply) -> Answer:
    assert reply.answer is not None
    return reply.answer


def asking(question: str, back: QuestionBack) -> Conversation:
    """A chat whose last answer asked this back."""
    answer = Answer(
        question=question, understood=question, status=Status.NEEDS_INPUT, text=back.text,
        game="toad-well", roles=(), citations=(), question_back=back, pointers=(),
        not_covered=None, notes=(), dropped=0, writer="quotes", retrieved=(), timings_ms=(),
    )  # fmt: skip
    return Conversation(answers=(answer,))


def test_the_table_is_told_and_shown(toad_rules_pal: RulesPal) -> None:
    conversation, reply = talk(toad_rules_pal, "/table")
    assert (conversation, reply.text) == (Conversation(), "Nothing is known of the table.")
    conversation, reply = talk(toad_rules_pal, "/table players=3 moon=full")
    assert reply.text == "At the table: players=3, moon=full."
    assert talk(toad_rules_pal, "/table", start=conversation)[1].text == reply.text
    conversation, reply = talk(toad_rules_pal, "/table moon=red players=", start=conversation)
    assert reply.text == "At the table: moon=red."


def test_the_role_may_be_told_with_the_table(toad_rules_pal: RulesPal) -> None:
    conversation, reply = talk(toad_rules_pal, "/game toad quest", "/table role=witch players=3")
    assert (conversation.role, conversation.table) == ("The Witch", (("players", "3"),))
    assert reply.text == "At the table: role=The Witch, players=3."


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("/table players=9", "players can't be '9': it is 1 to 5"),
        ("/table witches=2", "has no 'witches'; what lasts is players"),
        ("/table players", "'players' is no key=value"),
        ("/table 5", "'5' is no key=value"),
    ],
)
def test_what_the_game_does_not_know_is_refused(
    toad_rules_pal: RulesPal, typed: str, message: str
) -> None:
    conversation, _ = talk(toad_rules_pal, "/game toad quest", "/table players=3")
    with pytest.raises(BadStateError, match=message):
        conversation.hear(typed, toad_rules_pal)
    assert conversation.table == (("players", "3"),)


def test_the_table_is_used_and_named_in_the_answer(toad_rules_pal: RulesPal) -> None:
    _, reply = talk(toad_rules_pal, "/table players=3 moon=full", f"{TO_WIN}?")
    answer = answered(reply)
    assert answer.text.startswith("7 Toads: 4 for the full Moon + 3 players. [1]")
    assert any(
        note.startswith("From the table:") and "3 players" in note and "full moon" in note
        for note in answer.notes
    )
    assert dict(answer.state) == {"players": 3, "moon": "full"}


def test_what_a_question_tells_goes_before_the_table(toad_rules_pal: RulesPal) -> None:
    _, reply = talk(toad_rules_pal, "/table players=3 moon=full", f"{TO_WIN} with 2 players?")
    assert answered(reply).computed[0].value == 6


def test_the_number_of_players_is_picked_up_beside_a_question(toad_rules_pal: RulesPal) -> None:
    conversation, _ = talk(toad_rules_pal, f"We are 4: {TO_WIN} under the full Moon?")
    assert conversation.table == (("players", "4"),)
    _, reply = talk(toad_rules_pal, "How many cards does the Witch draw?", start=conversation)
    assert answered(reply).computed[0].value == 2


@pytest.mark.parametrize("line", [f"{TO_WIN} with 4 players?", f"With 4 players, {TO_WIN}?"])
def test_what_a_question_only_supposes_is_not_kept(toad_rules_pal: RulesPal, line: str) -> None:
    conversation, _ = talk(toad_rules_pal, line)
    assert conversation.table == ()


def test_what_holds_for_a_moment_only_is_not_kept(toad_rules_pal: RulesPal) -> None:
    conversation, _ = talk(
        toad_rules_pal, f"We're 3. {TO_WIN} under the full Moon?", "We roll 2 and 5."
    )
    assert conversation.table == (("players", "3"),)
    _, reply = talk(toad_rules_pal, f"{TO_WIN}?", start=conversation)
    assert answered(reply).computed[0].value == 6  # under the new Moon again


@pytest.mark.parametrize(
    ("line", "noted"),
    [
        ("We are five.", "Noted: 5 players."),
        ("there are three of us", "Noted: 3 players."),
        ("Only two players tonight!", "Noted: 2 players."),
        ("I play solo.", "Noted: 1 player."),
    ],
)
def test_what_players_say_of_the_table_is_noted(
    toad_rules_pal: RulesPal, line: str, noted: str
) -> None:
    conversation, reply = talk(toad_rules_pal, "/game toad quest", line)
    assert (reply.text, reply.answer) == (noted, None)
    assert conversation.table == (("players", noted.split()[1]),)
    later, reply = talk(toad_rules_pal, "/table", start=conversation)
    assert reply.text == f"At the table: players={noted.split()[1]}."
    assert later.answers == ()


@pytest.mark.parametrize("line", ["We are nine.", "It is raining.", "The Moon is full."])
def test_other_statements_are_not_noted(toad_rules_pal: RulesPal, line: str) -> None:
    conversation, reply = talk(toad_rules_pal, "/game toad quest", line)
    assert conversation.table == ()
    assert not reply.text.startswith("Noted")


def test_without_a_game_nothing_can_be_noted(toad_rules_pal: RulesPal) -> None:
    conversation, reply = talk(toad_rules_pal, "We are five.")
    assert (conversation.table, reply.text) == ((), "")


@pytest.mark.parametrize("line", ["3", "three", "Three.", "3 players", "three players"])
def test_a_question_back_takes_the_value_as_a_reply(toad_rules_pal: RulesPal, line: str) -> None:
    conversation, reply = talk(toad_rules_pal, f"{TO_WIN} under the full Moon?")
    back = answered(reply).question_back
    assert back is not None
    assert (back.text, back.input) == ("How many players are there?", "players")
    conversation, reply = talk(toad_rules_pal, line, start=conversation)
    answer = answered(reply)
    assert answer.question == f"{TO_WIN} under the full Moon?"
    assert answer.text.startswith("7 Toads: 4 for the full Moon + 3 players.")
    assert conversation.table == (("players", "3"),)
    assert conversation.replies == ()


@pytest.mark.parametrize("line", ["2", "two", "2 dice"])
def test_a_reply_that_does_not_last_counts_for_its_question_alone(
    toad_rules_pal: RulesPal, line: str
) -> None:
    question = "Does the splash overflow with 9 pips?"
    conversation, reply = talk(toad_rules_pal, question, line)
    assert answered(reply).text.startswith("No, the Well does not overflow")
    assert conversation.table == ()
    conversation, reply = talk(toad_rules_pal, question, start=conversation)
    assert answered(reply).status is Status.NEEDS_INPUT
    _, reply = talk(toad_rules_pal, "3", start=conversation)
    assert answered(reply).text.startswith("Yes, the Well overflows")


@pytest.mark.parametrize(("line", "spaces"), [("no", 2), ("No.", 2), ("n", 2), ("yes", None)])
def test_yes_and_no_are_replies(toad_rules_pal: RulesPal, line: str, spaces: int | None) -> None:
    back = QuestionBack("Is the Toad golden?", "golden", ("yes", "no"))
    before = asking("How far does the Toad hop?", back)
    conversation, reply = talk(toad_rules_pal, line, start=before)
    answer = answered(reply)
    assert answer.question == "How far does the Toad hop?"
    assert conversation.table == ()
    assert [c.value for c in answer.computed] == ([spaces] if spaces else [None])


@pytest.mark.parametrize(
    ("line", "value"), [("red", "blood"), ("Full", "full"), ("the dark", "new")]
)
def test_a_value_is_a_reply_by_its_name(toad_rules_pal: RulesPal, line: str, value: str) -> None:
    before = asking(f"{TO_WIN} with 3 players?", QuestionBack("Which Moon is it?", "moon", ()))
    conversation, reply = talk(toad_rules_pal, line, start=before)
    assert conversation.replies == (("moon", value),)
    assert dict(answered(reply).state) == {"players": 3, "moon": value}


@pytest.mark.parametrize("line", ["how often does the Moon change?", "9 Toads", "many"])
def test_what_is_no_such_value_is_a_line_of_its_own(toad_rules_pal: RulesPal, line: str) -> None:
    conversation, _ = talk(toad_rules_pal, f"{TO_WIN} under the full Moon?")
    later, reply = talk(toad_rules_pal, line, start=conversation)
    assert answered(reply).question == line
    assert (later.table, later.replies) == ((), ())


def test_a_question_in_between_ends_the_asking_back(toad_rules_pal: RulesPal) -> None:
    conversation, reply = talk(
        toad_rules_pal, f"{TO_WIN} under the full Moon?", "Who may not brew golden Toads?", "3"
    )
    assert answered(reply).question == "3"
    assert conversation.table == ()


def test_each_game_has_a_table_and_no_game_none(toad_rules_pal: RulesPal) -> None:
    conversation, _ = talk(toad_rules_pal, "/game toad quest", "/table players=3")
    again, _ = talk(toad_rules_pal, "/game toad quest", start=conversation)
    assert again.table == (("players", "3"),)
    later, _ = talk(toad_rules_pal, "/game", start=conversation)
    assert later.table == ()


def test_pairs_of_another_game_do_no_harm(toad_rules_pal: RulesPal) -> None:
    _, reply = talk(toad_rules_pal, "/table cards=12 players=3", f"{TO_WIN}?")
    answer = answered(reply)
    assert answer.computed[0].value == 6
    assert not any("12" in note for note in answer.notes)
