"""The steps as a LangChain runnable. Imported late: LangChain takes a while."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.runnables import Runnable, RunnableConfig, RunnableLambda, RunnablePassthrough
from langsmith import tracing_context

from rulespal_chat.types import Answer, Question

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulespal_chat.pipeline import Step


class AnswerChain(Runnable[Question | str, Answer]):
    """Runs the steps one after the other, each adding its value to those before it.

    Tracing is off inside, whatever the environment says: a player's questions stay here.

    Args:
        steps: the last one makes the value "answer".
    """

    def __init__(self, steps: Iterable[Step]) -> None:
        chain: Runnable[Any, Any] = RunnablePassthrough()
        for step in steps:
            chain = chain | RunnableLambda(step, name=step.label)
        self._chain = chain

    def invoke(
        self,
        input: Question | str,  # noqa: A002  (LangChain's name)
        config: RunnableConfig | None = None,
        **_kwargs: Any,  # noqa: ANN401
    ) -> Answer:
        """Answers one question; errors as for `RulesPal.ask`."""
        question = Question(input) if isinstance(input, str) else input
        with tracing_context(enabled=False):
            values = self._chain.invoke({"question": question, "timings": {}}, config)
        answer: Answer = values["answer"]
        return answer
