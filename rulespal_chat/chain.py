"""RulesPal as a LangChain runnable. Imported late: LangChain takes a while."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.runnables import Runnable, RunnableConfig
from langchain_core.runnables.config import run_in_executor
from langsmith import tracing_context

from rulespal_chat.types import Answer, Question

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Iterator

    from rulespal_chat.pipeline import RulesPal

_Asked = Question | str


class AnswerChain(Runnable[_Asked, Answer]):
    """Answers questions.

    Tracing is off inside, whatever the environment says: a player's questions stay here.

    Args:
        rulespal: answers.
    """

    def __init__(self, rulespal: RulesPal) -> None:
        self._rulespal = rulespal

    def invoke(
        self,
        input: _Asked,  # noqa: A002  (LangChain's name)
        config: RunnableConfig | None = None,
        **_kwargs: Any,  # noqa: ANN401
    ) -> Answer:
        """Answers one question; errors as for `RulesPal.ask`."""
        question = _question(input)
        with tracing_context(enabled=False):
            return self._call_with_config(self._answer, question, config)

    def _answer(self, question: _Asked) -> Answer:
        return self._rulespal.answer(_question(question))

    def stream(
        self,
        input: _Asked,  # noqa: A002
        config: RunnableConfig | None = None,  # noqa: ARG002
        **_kwargs: Any,  # noqa: ANN401
    ) -> Iterator[Answer]:
        """As `RulesPal.stream` has them: the last one is the answer."""
        answers = self._rulespal.stream(_question(input))
        while (answer := _next(answers)) is not None:
            yield answer

    async def astream(
        self,
        input: _Asked,  # noqa: A002
        config: RunnableConfig | None = None,
        **_kwargs: Any,  # noqa: ANN401
    ) -> AsyncIterator[Answer]:
        """As `stream`, without holding up the event loop."""
        answers = self._rulespal.stream(_question(input))
        while (answer := await run_in_executor(config, _next, answers)) is not None:
            yield answer


def _question(asked: _Asked) -> Question:
    return Question(asked) if isinstance(asked, str) else asked


def _next(answers: Iterator[Answer]) -> Answer | None:
    """The next answer, untraced; None after the last one."""
    with tracing_context(enabled=False):
        return next(answers, None)
