"""Chat models, through LangChain's `init_chat_model`: opened, streamed from, counted.

Keys are read by the providers' own packages from their own variables; all that is looked at here is
whether there is one. No message of a provider is passed on, as some repeat a part of the key.
"""

from __future__ import annotations

import math
import os
import re
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulespal_chat.errors import ModelSetupError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from langchain_core.language_models import BaseChatModel

    from rulespal_chat.answer.prompts import Message

TIMEOUT = 60.0  # seconds that a reply may take, unless RULESPAL_MODEL_TIMEOUT says otherwise
_LONGEST_TIMEOUT = 3_600
_MOST_TOKENS = 2_000  # of a reply, with what a model thinks before it
_TRIES = 3
_PAUSE = 0.5  # seconds before the second try; before the third it is twice as long
_EXTRAS = ("anthropic", "ollama", "openai")  # that RulesPal names in its own extras
_MILLION = 1_000_000
_ANY_KEY = "none"  # for servers on one's own machine, which ask for a key and take any
_UNREACHED = re.compile(r"Connect|Network|Transport|Protocol|Timeout")
_REASONS = (  # LangChain's errors, and those of packages that don't use them yet
    (r"RateLimit", 429, "is asked too often just now"),
    (r"Authentication", 401, "doesn't accept the key"),
    (r"PermissionDenied", 403, "doesn't accept the key"),
    (r"NotFound", 404, "isn't there"),
    (r"ContextOverflow", 413, "can't read so much at once"),
    (r"Timeout", 408, "took too long"),
    (r"Connect|Network|Transport|Protocol", None, "can't be reached"),
)


class ModelFailedError(Exception):
    """A model gave no reply; the text says why, as the end of a sentence."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a million tokens cost, in whatever currency."""

    input: float
    output: float

    @classmethod
    def parsed(cls, text: str) -> Price:
        """A price such as "0.15/0.60".

        Raises:
            ModelSetupError: it isn't one.
        """
        try:
            read, wrote = (float(part) for part in text.split("/"))
            if not (0 <= read < math.inf and 0 <= wrote < math.inf):
                raise ValueError  # noqa: TRY301
        except ValueError:
            raise ModelSetupError(
                f"RULESPAL_MODEL_PRICE is '{text}', which isn't two prices for a million tokens",
                "export RULESPAL_MODEL_PRICE=INPUT/OUTPUT, such as 0.15/0.60",
            ) from None
        return cls(read, wrote)


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a reply as it comes in; the tokens are those that the provider counts with it."""

    text: str
    input_tokens: int = 0
    output_tokens: int = 0


class _Clock:
    """How long a model may still be waited for; what is done with its reply doesn't count.

    Args:
        timeout: in seconds.
    """

    def __init__(self, timeout: float) -> None:
        self.left = timeout
        self._timeout = timeout

    def waited_for(self, pieces: Iterator[Piece]) -> Iterator[Piece]:
        """The pieces.

        Raises:
            ModelFailedError: one comes too late.
        """
        while True:
            started = time.monotonic()
            piece = next(pieces, None)
            self.left -= time.monotonic() - started
            if piece is None:
                return
            if self.left < 0:
                raise ModelFailedError(f"took longer than {self._timeout:g} seconds")
            yield piece


@dataclass(frozen=True, slots=True)
class ChatModel:
    """A chat model that can be asked.

    Attributes:
        name: provider:model.
        chat: as LangChain has it.
        timeout: seconds that a reply may take.
        price: of its tokens, if it is known.
        sleep: waits between tries.
    """

    name: str
    chat: BaseChatModel
    timeout: float = TIMEOUT
    price: Price | None = None
    sleep: Callable[[float], None] = field(default=time.sleep, repr=False)

    def stream(self, messages: Sequence[Message]) -> Iterator[Piece]:
        """The reply to messages as it comes in.

        A failure that may pass is tried again while nothing has come in. Nothing is traced,
        whatever the environment says.

        Raises:
            ModelFailedError: there is no reply, or it breaks off.
        """
        clock = _Clock(self.timeout)
        for attempt in range(1, _TRIES + 1):
            has_begun = False
            try:
                for piece in clock.waited_for(self._pieces(messages)):
                    has_begun |= bool(piece.text)
                    yield piece
            except ModelFailedError:
                raise
            except Exception as error:  # each provider has errors of its own
                pause = _PAUSE * 2 ** (attempt - 1)
                may_pass = _may_pass(error) and clock.left > pause
                if has_begun or attempt == _TRIES or not may_pass:
                    raise ModelFailedError(_reason(error)) from None
                self.sleep(pause)
                clock.left -= pause
            else:
                return

    def cost(self, input_tokens: int | None, output_tokens: int | None) -> float | None:
        """What so many tokens cost; None if the price or a number isn't known."""
        if self.price is None or input_tokens is None or output_tokens is None:
            return None
        return (self.price.input * input_tokens + self.price.output * output_tokens) / _MILLION

    def _pieces(self, messages: Sequence[Message]) -> Iterator[Piece]:
        from langsmith import tracing_context

        chunks = iter(self.chat.stream(list(messages)))
        while True:
            with tracing_context(enabled=False):  # never left open while a caller goes on
                chunk = next(chunks, None)
            if chunk is None:
                return
            usage = getattr(chunk, "usage_metadata", None) or {}
            tokens = (int(usage.get(name) or 0) for name in ("input_tokens", "output_tokens"))
            yield Piece(str(chunk.text), *tokens)


def seconds(text: str) -> float:
    """A time such as "90", in seconds.

    Raises:
        ModelSetupError: it isn't one.
    """
    try:
        found = float(text)
    except ValueError:
        found = 0.0
    if not 0 < found < _LONGEST_TIMEOUT:
        raise ModelSetupError(
            f"RULESPAL_MODEL_TIMEOUT is '{text}', which is no number of seconds",
            "export RULESPAL_MODEL_TIMEOUT=60",
        )
    return found


def open_model(
    name: str,
    base_url: str | None = None,
    timeout: float = TIMEOUT,
    price: Price | None = None,
) -> ChatModel:
    """Opens a model by its name; nothing is asked yet.

    Args:
        name: provider:model, such as "ollama:llama3.2".
        base_url: of a server that speaks the provider's language.
        timeout: seconds that a reply may take.
        price: of its tokens.

    Raises:
        ModelSetupError: there is no such provider, its package isn't installed, or it has no key.
    """
    provider, _, model = name.partition(":")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", provider) or not model.strip():
        raise ModelSetupError(
            f"A model is named provider:model, which '{name}' isn't",
            "rulespal ask --model ollama:llama3.2 QUESTION",
        )
    options = _options(provider, base_url, timeout)
    return ChatModel(name, _opened(provider, model.strip(), options), timeout, price)


def _options(provider: str, base_url: str | None, timeout: float) -> dict[str, Any]:
    """How a provider's model is opened.

    Tries are counted here, not by the provider's package. A server of one's own is asked to be as
    sure as it can; some hosted models refuse to be told.
    """
    options: dict[str, Any] = {} if base_url is None else {"base_url": base_url}
    if provider == "ollama":
        options |= {"temperature": 0, "num_predict": _MOST_TOKENS}
        return options | {"client_kwargs": {"timeout": timeout}}
    options |= {"timeout": timeout, "max_retries": 0, "max_tokens": _MOST_TOKENS}
    if base_url is not None:
        options["temperature"] = 0
    if provider == "openai":
        options["stream_usage"] = True
        if base_url is not None and not os.environ.get("OPENAI_API_KEY"):
            options["api_key"] = _ANY_KEY
    return options


def _opened(provider: str, model: str, options: dict[str, Any]) -> BaseChatModel:
    from langchain.chat_models import init_chat_model

    try:
        chat: BaseChatModel = init_chat_model(model, model_provider=provider, **options)
    except ImportError as error:
        raise _not_installed(provider, error) from None
    except Exception as error:  # each provider has errors of its own
        raise _not_opened(provider, model, error) from None
    return chat


def _not_opened(provider: str, model: str, error: Exception) -> ModelSetupError:
    """Why a model can't be opened: there is no such provider, or, most often, no key."""
    if str(error).startswith("Unsupported"):
        return ModelSetupError(
            f"LangChain has no provider '{provider}'",
            "rulespal ask --model openai:MODEL --model-url URL QUESTION",
        )
    return ModelSetupError(
        f"'{provider}:{model}' can't be opened ({type(error).__name__}): is its key set?",
        f"export {provider.upper()}_API_KEY=…",
    )


def _not_installed(provider: str, error: ImportError) -> ModelSetupError:
    named = re.search(r"langchain[-_][a-z-]+", str(error))
    package = named[0].replace("_", "-") if named else f"langchain-{provider}"
    wanted = f"'rulespal-chat[{provider}]'" if provider in _EXTRAS else package
    return ModelSetupError(
        f"Models of '{provider}' need the package {package}, which isn't installed",
        f"pip install {wanted}",
    )


def _may_pass(error: Exception) -> bool:
    """Whether trying again may help: LangChain says so, else the name of the error tells."""
    retryable = getattr(error, "is_retryable", None)
    if isinstance(retryable, bool):
        return retryable
    status = getattr(error, "status_code", None)
    return status in {429, 500, 502, 503, 504} or bool(_UNREACHED.search(type(error).__name__))


def _reason(error: Exception) -> str:
    names = " ".join(kind.__name__ for kind in type(error).__mro__)
    status = getattr(error, "status_code", None)
    for pattern, code, reason in _REASONS:
        if re.search(pattern, names) or (code is not None and status == code):
            return reason
    return f"failed ({type(error).__name__})"
