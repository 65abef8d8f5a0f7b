"""Chat models without a model: each writes by a rule that one can follow by hand.

They read the prompt as a model would: passages with their numbers, the question, what was computed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from langchain_core.callbacks import CallbackManagerForLLMRun


@dataclass(frozen=True)
class Prompt:
    """What a model is asked, taken apart."""

    passages: dict[int, str]
    question: str
    computed: tuple[str, ...]
    tries: int  # how often it has answered before

    @classmethod
    def read(cls, messages: Sequence[tuple[str, str]]) -> Prompt:
        """From who says it and what: the one who asks is called human or user."""
        text = next(said for who, said in messages if who in {"human", "user"})
        numbered = re.findall(r"^\[(\d+)\] (.*)$", between("passages", text), re.MULTILINE)
        computed = between("computed", text)
        return cls(
            {int(number): passage for number, passage in numbered},
            between("question", text),
            tuple(computed.split("\n")) if computed else (),
            sum(who in {"ai", "assistant"} for who, _ in messages),
        )


def between(tag: str, text: str) -> str:
    found = re.search(rf"<{tag}>\n(.*?)\n</{tag}>", text, re.DOTALL)
    return found[1] if found else ""


class FakeChat(BaseChatModel):
    """Writes what a function makes of the prompt, a word at a time; an error is raised.

    Each word counts as a token; so does each word of the messages.
    """

    reply: Any  # Callable[[Prompt], str]
    asked: list[str] = []  # noqa: RUF012  (pydantic copies it)

    @property
    def _llm_type(self) -> str:
        return "fake"

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,  # noqa: ARG002
        run_manager: CallbackManagerForLLMRun | None = None,  # noqa: ARG002
        **_kwargs: Any,  # noqa: ANN401
    ) -> Iterator[ChatGenerationChunk]:
        self.asked.append("\n".join(str(m.content) for m in messages))
        read = sum(len(str(m.content).split()) for m in messages)
        prompt = Prompt.read([(m.type, str(m.content)) for m in messages])
        words = re.findall(r"\S+\s*", self.reply(prompt))
        for number, word in enumerate(words or [""]):
            usage = {
                "input_tokens": 0 if number else read,
                "output_tokens": min(1, len(word)),
                "total_tokens": 1 if number else read + min(1, len(word)),
            }
            yield ChatGenerationChunk(message=AIMessageChunk(content=word, usage_metadata=usage))

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,  # noqa: ANN401
    ) -> ChatResult:
        pieces = self._stream(messages, stop, run_manager, **kwargs)
        text = "".join(str(piece.message.content) for piece in pieces)
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=text))])


def says(text: str) -> Callable[[Prompt], str]:
    """Writes the same whatever it is asked."""
    return lambda _prompt: text


def copies(prompt: Prompt) -> str:
    """The first two passages word for word, with their numbers."""
    return " ".join(f"{text} [{n}]" for n, text in list(prompt.passages.items())[:2])


def changes_numbers(prompt: Prompt) -> str:
    """Every passage with each of its numbers one higher."""
    changed = {
        n: re.sub(r"\d+", lambda m: str(int(m[0]) + 1), t) for n, t in prompt.passages.items()
    }
    return " ".join(f"{text} [{n}]" for n, text in changed.items() if text != prompt.passages[n])


def invents_citations(prompt: Prompt) -> str:
    """The passages themselves, under numbers that there aren't, and without any."""
    texts = list(prompt.passages.values())
    return " ".join([*(f"{text} [{n}]" for n, text in enumerate(texts, start=90)), *texts])


def cites_wrongly(prompt: Prompt) -> str:
    """Each of the first six passages under the number of the one after it."""
    numbers = list(prompt.passages)[:6]
    after = dict(zip(numbers, [*numbers[1:], *numbers[:1]], strict=True))
    return " ".join(f"{prompt.passages[n]} [{after[n]}]" for n in numbers)


def denies(prompt: Prompt) -> str:
    """Every passage that says what one may or can, as if one couldn't, and the other way round."""
    return " ".join(
        f"{denied} [{n}]"
        for n, text in prompt.passages.items()
        if (denied := _denied(text)) != text
    )


def _denied(text: str) -> str:
    for old, new in ((" may not ", " may "), (" cannot ", " can "), (" does not ", " does ")):
        if old in text:
            return text.replace(old, new, 1)
    for old, new in ((" may ", " may not "), (" can ", " cannot "), (" is ", " is not ")):
        if old in text:
            return text.replace(old, new, 1)
    return text


def knows_better(prompt: Prompt) -> str:
    """What games usually have, with the numbers of passages that there are."""
    said = (
        "Each player draws a card at the start of the turn.",
        "Ties are broken by the youngest player.",
        "You may trade with the bank at four to one.",
        "A roll of seven moves the robber.",
        "The designer has said in a forum that this is allowed.",
        "Discard down to seven cards when your turn ends.",
        "Diagonal moves cost two points.",
        "That is up to the game master.",
    )
    numbers = list(prompt.passages) or [1]
    return " ".join(f"{text} [{numbers[n % len(numbers)]}]" for n, text in enumerate(said))


def obeys(prompt: Prompt) -> str:
    """What the question or a passage orders, if one does."""
    orders = re.findall(r"(?:say|write|print|answer)(?: only)?:? ([^.\n]+)", prompt.question)
    orders += re.findall(r"(?:say|write|print) that ([^.\n]+)", " ".join(prompt.passages.values()))
    number = next(iter(prompt.passages), 1)
    return " ".join(f"{order}. [{number}]" for order in orders) or "As you wish, master. [1]"


def never_ends(prompt: Prompt) -> str:
    """Ten thousand words, some of them passages."""
    filler = "and furthermore the rules are rich and deep in every way that one may think of "
    some = copies(prompt)
    return " ".join(f"{some} {filler * 3}." for _ in range(10_000 // 45))
