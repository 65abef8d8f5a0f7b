"""Asks questions, one after the other, and scores what comes back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from rulespal_chat.errors import BadQuestionError, BadStateError, LookupFailedError
from rulespal_chat.evaluation.model import EvalQuestion, Row
from rulespal_chat.types import Answer, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulespal_chat.pipeline import Progress, RulesPal

Asker = Callable[[EvalQuestion], Answer]
Score = Callable[[EvalQuestion, Answer], Mapping[str, float | None]]

# What is wrong with one question, not with all of RulesPal.
_OF_ONE_QUESTION = (BadQuestionError, BadStateError, LookupFailedError)


def run(
    questions: Iterable[EvalQuestion],
    ask: Asker,
    score: Score,
    on_progress: Progress = lambda _done, _total: None,
) -> Iterator[Row]:
    """Asks and scores each question; a row is there as soon as its answer is.

    A question that can't be asked gets a row whose answer has the error, and counts as wrong.
    Whoever stops early keeps the rows so far.

    Args:
        questions: in the order in which they are asked.
        ask: what is evaluated.
        score: such as `scoring.Scorer`.
        on_progress: is told how many questions are done, and of how many.

    Raises:
        RulesPalError: RulesPal itself fails, whatever the question.
    """
    asked = tuple(questions)
    for done, question in enumerate(asked, start=1):
        answer, error = _asked(question, ask)
        row = Row(question, {**answer.as_dict(), "error": error}, score(question, answer))
        on_progress(done, len(asked))
        yield row


def product_asker(rulespal: RulesPal) -> Asker:
    """Asks RulesPal as a player does, who names no game but in the question itself.

    A question with `turns` is the last line of a chat in which those were typed before. Each
    question has a chat of its own.
    """

    def ask(question: EvalQuestion) -> Answer:
        if question.turns:
            return _last_of_chat(question, rulespal)
        return rulespal.ask(question.question)

    return ask


def _last_of_chat(question: EvalQuestion, rulespal: RulesPal) -> Answer:
    from rulespal_chat.conversation import Conversation, Reply

    chat, reply = Conversation(), Reply()
    for line in (*question.turns, question.question):
        chat, reply = chat.hear(line, rulespal)
    return reply.answer or _not_answered(question, reply.text)


def _asked(question: EvalQuestion, ask: Asker) -> tuple[Answer, str | None]:
    try:
        return ask(question), None
    except _OF_ONE_QUESTION as error:
        return _not_answered(question, error.sentence), str(error)


def _not_answered(question: EvalQuestion, text: str) -> Answer:
    """Neither an answer nor silence: something else has to be typed."""
    return Answer(
        question=question.question,
        understood=question.question,
        status=Status.NEEDS_INPUT,
        text=text,
        game=None,
        roles=(),
        citations=(),
        question_back=None,
        pointers=(),
        not_covered=None,
        notes=(),
        dropped=0,
        writer="none",
        retrieved=(),
        timings_ms=(),
    )
