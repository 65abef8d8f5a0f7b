"""Chat models are opened by name, streamed from, tried again, and fail in one sentence."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING

import pytest
from fake_server import FakeServer, Says
from fake_server import fake_server as fake_server

from rulespal_chat.answer.models import ChatModel, ModelFailedError, Price, open_model, seconds
from rulespal_chat.errors import ModelSetupError

if TYPE_CHECKING:
    from collections.abc import Callable

ASK = [("system", "Be brief."), ("human", "How often may one stir?")]


def opened(server: FakeServer, timeout: float = 20.0) -> ChatModel:
    return open_model("openai:fake", server.url, timeout)


def text_of(model: ChatModel) -> str:
    return "".join(piece.text for piece in model.stream(ASK)).strip()


def failure_of(model: ChatModel) -> str:
    with pytest.raises(ModelFailedError) as failed:
        text_of(model)
    return str(failed.value)


def test_a_reply_comes_in_pieces_with_its_tokens(fake_server: FakeServer) -> None:
    fake_server.responses = [Says("Once. [1]", usage=(70, 9))]
    pieces = list(opened(fake_server).stream(ASK))
    assert "".join(piece.text for piece in pieces).strip() == "Once. [1]"
    assert len([piece for piece in pieces if piece.text]) == 2
    assert sum(piece.input_tokens for piece in pieces) == 70
    assert sum(piece.output_tokens for piece in pieces) == 9
    (request,) = fake_server.requests
    assert request["model"] == "fake"
    assert request["temperature"] == 0
    assert [m["content"] for m in request["messages"]] == [text for _, text in ASK]
    assert fake_server.keys == ["Bearer sk-secret"]


def test_a_server_of_ones_own_needs_no_key(
    fake_server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    fake_server.responses = [Says("Once.")]
    assert text_of(opened(fake_server)) == "Once."
    assert fake_server.keys == ["Bearer none"]


def test_nothing_is_traced_whatever_the_shell_says(
    fake_server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", fake_server.url)
    fake_server.responses = [Says("Once.")]
    assert text_of(opened(fake_server)) == "Once."
    time.sleep(0.1)
    assert len(fake_server.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_tried_again_with_growing_pauses(
    fake_server: FakeServer, status: int
) -> None:
    fake_server.responses = [Says(status=status), Says(status=status), Says("Once.")]
    paused: list[float] = []
    model = opened(fake_server)
    patient = ChatModel(model.name, model.chat, sleep=paused.append)
    assert text_of(patient) == "Once."
    assert paused == [0.5, 1.0]


@pytest.mark.parametrize(
    ("status", "reason", "tries"),
    [
        (429, "is asked too often just now", 3),
        (401, "doesn't accept the key", 1),
        (403, "doesn't accept the key", 1),
        (404, "isn't there", 1),
    ],
)
def test_a_failure_is_the_end_of_a_sentence_without_the_key(
    fake_server: FakeServer, status: int, reason: str, tries: int
) -> None:
    fake_server.responses = [Says(status=status)]
    model = opened(fake_server)
    assert failure_of(ChatModel(model.name, model.chat, sleep=lambda _: None)) == reason
    assert len(fake_server.requests) == tries


def test_a_server_that_is_off(fake_server: FakeServer) -> None:
    fake_server.url = "http://127.0.0.1:9/v1"
    model = opened(fake_server)
    assert failure_of(ChatModel(model.name, model.chat, sleep=lambda _: None)) == "can't be reached"


def test_a_reply_that_breaks_off_is_not_asked_for_again(fake_server: FakeServer) -> None:
    fake_server.responses = [Says("Once you have", breaks_off=True)]
    got: list[str] = []
    with pytest.raises(ModelFailedError, match=r"can't be reached|failed"):
        got.extend(piece.text for piece in opened(fake_server).stream(ASK))
    assert len(fake_server.requests) == 1


def test_a_slow_reply_is_cut_off(fake_server: FakeServer) -> None:
    fake_server.responses = [Says("one word after the other " * 50, pause=0.05)]
    started = time.monotonic()
    assert failure_of(opened(fake_server, timeout=0.3)) == "took longer than 0.3 seconds"
    assert time.monotonic() - started < 2


def test_what_is_done_with_a_reply_takes_none_of_its_time(fake_server: FakeServer) -> None:
    fake_server.responses = [Says("one word after the other")]
    for piece in opened(fake_server, timeout=5).stream(ASK):
        assert piece is not None
        time.sleep(0.05)
    model = opened(fake_server, timeout=0.5)
    for _ in model.stream(ASK):
        time.sleep(0.2)


def test_a_server_that_says_nothing_is_given_up(fake_server: FakeServer) -> None:
    fake_server.responses = [Says("Once.", pause=3)]
    assert failure_of(opened(fake_server, timeout=0.3)) == "took too long"


def test_a_package_of_a_provider_that_is_missing_is_named(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from langchain.chat_models.base import _get_chat_model_creator

    _get_chat_model_creator.cache_clear()
    monkeypatch.setitem(sys.modules, "langchain_openai", None)
    with pytest.raises(ModelSetupError, match=r"need the package langchain-openai") as error:
        open_model("openai:gpt")
    assert error.value.hint == "pip install 'rulespal-chat[openai]'"
    with pytest.raises(ModelSetupError, match=r"need the package langchain-groq") as error:
        open_model("groq:llama")
    assert error.value.hint == "pip install langchain-groq"


def test_a_missing_key_is_said_with_its_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ModelSetupError, match="is its key set") as error:
        open_model("openai:gpt")
    assert error.value.hint == "export OPENAI_API_KEY=…"


@pytest.mark.parametrize("name", ["", "gpt", "openai:", ":gpt", "open ai:x", "a/b:c"])
def test_a_name_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(ModelSetupError, match="A model is named provider:model"):
        open_model(name)


@pytest.mark.parametrize("provider", ["nonsense", "https"])
def test_a_provider_that_there_is_not_is_refused(provider: str) -> None:
    with pytest.raises(ModelSetupError, match=f"LangChain has no provider '{provider}'"):
        open_model(f"{provider}:x")


def test_a_model_costs_what_its_tokens_cost(fake_server: FakeServer) -> None:
    model = open_model("openai:fake", fake_server.url, price=Price.parsed("2/10"))
    assert model.cost(1_000_000, 500_000) == 7.0
    assert model.cost(None, 3) is None
    assert opened(fake_server).cost(5, 5) is None


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (Price.parsed, ""), (Price.parsed, "2"), (Price.parsed, "a/b"), (Price.parsed, "-1/2"),
        (Price.parsed, "nan/1"), (Price.parsed, "1/inf"), (Price.parsed, "1/2/3"),
        (seconds, "0"), (seconds, "-1"), (seconds, "soon"), (seconds, "nan"), (seconds, "1e9"),
    ],
)  # fmt: skip
def test_settings_that_cannot_be_read_are_one_sentence(
    read: Callable[[str], object], text: str
) -> None:
    with pytest.raises(ModelSetupError, match=r"RULESPAL_MODEL_(PRICE|TIMEOUT) is '.*Next: export"):
        read(text)


def test_a_time_is_read() -> None:
    assert seconds("1.5") == 1.5
