"""A chat, line by line: what is remembered and what is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulespal_chat.conversation import COMMANDS, Conversation, Reply, transcript
from rulespal_chat.errors import RulesPalError, UnknownGameError, UnknownRoleError
from rulespal_chat.types import Answer, QuestionBack, Status

if TYPE_CHECKING:
    from rulespal_chat.pipeline import RulesPal


def talk(rulespal: RulesPal, *lines: str) -> tuple[Conversation, Reply]:
    conversation, reply = Conversation(), Reply()
    for line in lines:
        conversation, reply = conversation.hear(line, rulespal)
    return conversation, reply


def test_a_question_is_answered_and_remembered(toad_pal: RulesPal) -> None:
    conversation, reply = talk(toad_pal, "how often may the witch stir?")
    assert reply.answer is not None
    assert reply.answer.text.startswith("The Witch may stir once. [1]")
    assert conversation.answers == (reply.answer,)


def test_a_game_and_a_role_hold_until_they_are_changed(toad_pal: RulesPal) -> None:
    conversation, reply = talk(toad_pal, "/game the well", "/role hexer")
    assert (conversation.game, conversation.role) == ("toad-well", "The Witch")
    assert reply.text == "You play The Witch."
    conversation, reply = conversation.hear("how do I win?", toad_pal)
    assert reply.answer is not None
    assert reply.answer.roles == ("The Witch",)
    conversation, reply = conversation.hear("/role", toad_pal)
    assert (conversation.role, reply.text) == (None, "You play no role.")
    conversation, reply = conversation.hear("/game", toad_pal)
    assert (conversation.game, reply.text) == (None, "Questions may be about any game.")


def test_a_reply_to_a_question_back_answers_the_question_before(toad_pal: RulesPal) -> None:
    asked = Answer(
        question="how does she win?", understood="how does she win?", status=Status.NEEDS_INPUT,
        text="Which role do you mean?", game=None, roles=(), citations=(),
        question_back=QuestionBack("Which role?", "role", ("The Witch", "The Old Witch")),
        pointers=(), not_covered=None, notes=(), dropped=0, writer="quotes", retrieved=(),
        timings_ms=(),
    )  # fmt: skip
    before = Conversation(answers=(asked,))
    for line in ("2", "the old witch", "Old"):
        conversation, reply = before.hear(line, toad_pal)
        assert conversation.role == "The Old Witch"
        assert reply.answer is not None
        assert reply.answer.question == "how does she win?"
        assert reply.answer.citations[0].section == "The Old Witch > How to Win"
    conversation, reply = before.hear("what does the moon do", toad_pal)
    assert conversation.role is None
    assert reply.answer is not None
    assert reply.answer.question == "what does the moon do"


def test_sources_and_sections(toad_pal: RulesPal) -> None:
    conversation, reply = talk(toad_pal, "/sources")
    assert reply.text == "There is no quote behind the last answer."
    conversation, reply = talk(toad_pal, "how often may the witch stir?", "/sources")
    assert reply.sources == conversation.answers[-1]
    _, reply = conversation.hear("/section brew", toad_pal)
    assert reply.book is not None
    assert [s.name for s in reply.sections] == ["The Witch > 1) Brew"]
    _, reply = conversation.hear("/section how to win", toad_pal)
    assert len(reply.sections) == 2
    assert talk(toad_pal, "/section brew")[1].text == "Of which game? Type /game GAME first."
    assert conversation.hear("/section", toad_pal)[1].text.startswith("Type /section PATH")


def test_the_other_commands(toad_pal: RulesPal) -> None:
    assert talk(toad_pal, "/quit")[1].is_end
    assert talk(toad_pal, "/exit")[1].is_end
    assert talk(toad_pal, "/save notes.md")[1].save_to == "notes.md"
    assert talk(toad_pal, "/save")[1].text == "Type /save FILE."
    assert talk(toad_pal, "/dance")[1].text == "There is no /dance. Type /help for what there is."
    assert all(command in talk(toad_pal, "/help")[1].text for command in COMMANDS)
    assert talk(toad_pal, "   ") == (Conversation(), Reply())


def test_a_mistake_leaves_the_conversation_as_it_was(toad_pal: RulesPal) -> None:
    with pytest.raises(UnknownGameError):
        talk(toad_pal, "/game chess")
    with pytest.raises(UnknownRoleError):
        talk(toad_pal, "/role cook")
    with pytest.raises(RulesPalError):
        talk(toad_pal, "?!")


def test_a_transcript_is_markdown_with_the_quotes(toad_pal: RulesPal) -> None:
    conversation, _ = talk(toad_pal, "hello", "how often may the witch stir?")
    text = transcript(conversation.answers, {"toad-well": "Toad Quest: The Well"})
    assert text.startswith(
        "# RulesPal chat\n\n## hello\n\nHello! Ask me about the rules of Toad Quest: The Well.\n\n"
        "## how often may the witch stir?\n\nThe Witch may stir once. [1]\n"
    )
    assert (
        "- [1] “The Witch may stir once.” — Toad Quest: The Well, The Witch > 1) Brew > Stir\n"
        in text
    )


def test_a_follow_up_is_asked_of_what_was_asked_before(toad_pal: RulesPal) -> None:
    conversation, reply = talk(toad_pal, "How does the Witch win?", "and the old one?")
    assert reply.answer is not None
    assert reply.answer.question == "and the old one?"
    assert reply.answer.understood == "How does the Old Witch win?"
    assert reply.answer.citations[0].quote == "The Old Witch wins with 5 Toads."
    _, reply = conversation.hear("and the normal witch?", toad_pal)
    assert reply.answer is not None
    assert reply.answer.understood == "How does the Witch win?"


def test_what_is_off_the_subject_is_not_followed(toad_pal: RulesPal) -> None:
    _, reply = talk(toad_pal, "How does the Witch win?", "thanks!", "and the old one?")
    assert reply.answer is not None
    assert reply.answer.understood == "How does the Old Witch win?"
    _, reply = talk(toad_pal, "hello", "and the old one?")
    assert reply.answer is not None
    assert reply.answer.understood == "and the old one?"


@pytest.mark.parametrize(
    "line",
    ["show me that rule", "where does it say that?", "quote the rule please", "ok, show me the text",
     "Where is that in the book?"],
)  # fmt: skip
def test_the_rule_behind_the_last_answer_is_shown(toad_pal: RulesPal, line: str) -> None:
    conversation, reply = talk(toad_pal, "how often may the witch stir?", line)
    assert reply.sources == conversation.answers[-1]


@pytest.mark.parametrize("line", ["show me the money", "where does the witch stir?"])
def test_another_question_is_not_taken_for_it(toad_pal: RulesPal, line: str) -> None:
    _, reply = talk(toad_pal, "how often may the witch stir?", line)
    assert reply.sources is None
    assert reply.answer is not None
