"""`rulespal` with a chat model: what a player reads when it answers, errs, fails or is stopped."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pexpect
import pytest
from fake_models import Prompt, knows_better
from fake_server import FakeServer, Says
from fake_server import fake_server as fake_server
from test_cli import on_terminal

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Result

    Run = Callable[..., Result]

QUESTION = "How does the Vile Ghoul win?"
KNIGHT = "The Vile Ghoul wins by killing the Knight."
NEITHER = (
    "In a game with neither a Knight nor a Dragon, the Vile Ghoul must smash 5 Crystals and afterwards "
    "escape the Cave by entering the Entrance tile."
)
DRAGON = "In a game without a Knight, the Vile Ghoul must kill the Dragon to win."

pytestmark = pytest.mark.model


def rulings(prompt: Prompt) -> str:
    """Two sentences on the first two ways to win, and one that no rule says."""
    knight, dragon = (
        next(n for n, text in prompt.passages.items() if text == quote)
        for quote in (KNIGHT, DRAGON)
    )
    return (
        f"If it kills the Knight, the Vile Ghoul wins. [{knight}] "
        f"It also wins by collecting 30 Treasures. [{knight}] "
        f"Without a Knight in the game, the Vile Ghoul must kill the Dragon to win. [{dragon}]"
    )


@pytest.fixture
def model(fake_server: FakeServer, model_home: Path, monkeypatch: pytest.MonkeyPatch) -> FakeServer:
    """A server that rules on how the Vile Ghoul wins, in the environment of each command."""
    monkeypatch.setenv("RULESPAL_HOME", str(model_home))
    monkeypatch.setenv("RULESPAL_MODEL", "openai:fake")
    monkeypatch.setenv("RULESPAL_MODEL_URL", fake_server.url)
    fake_server.responses = [Says(rulings)]
    return fake_server


RULING = f"""\
If it kills the Knight, the Vile Ghoul wins. [1]
Without a Knight in the game, the Vile Ghoul must kill the Dragon to win. [2]
{KNIGHT} [1]
{DRAGON} [2]
{NEITHER} [3]
"""


@pytest.mark.usefixtures("model")
def test_a_models_answer_stands_above_its_quotes(rulespal: Run) -> None:
    result = rulespal("ask", QUESTION)
    assert result.out.startswith(RULING)
    assert (
        "Word for word from:\n  [1][2][3] Vast: The Fearsome Foes › The Vile Ghoul ›" in result.out
    )
    assert (result.code, result.err) == (0, "")


def test_the_json_says_what_the_model_did(rulespal: Run, model: FakeServer) -> None:
    fields = json.loads(rulespal("ask", QUESTION, "--json").out)
    assert fields["writer"] == "openai:fake"
    assert fields["model"] == {
        "name": "openai:fake",
        "sentences": 2,
        "removed": [
            {
                "sentence": "It also wins by collecting 30 Treasures.",
                "why": "the passages that it names don't have the number 30",
            }
        ],
        "repairs": 0,
        "calls": 1,
        "input_tokens": 100,
        "output_tokens": 20,
        "cost": None,
        "failure": "",
    }
    assert fields["timings_ms"]["model"] > 0
    assert model.keys == ["Bearer sk-secret"]


def test_verbose_says_who_wrote_and_what_that_took(
    rulespal: Run, model: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPAL_MODEL_PRICE", "1/10")
    lines = rulespal("ask", QUESTION, "--verbose").err.splitlines()
    assert lines[0].startswith("Written by openai:fake in ")
    assert lines[1:] == [
        "openai:fake: 2 sentences shown, 1 removed, 1 request, 100 tokens read, 20 written, "
        "cost 0.000300.",
        "Removed, as the passages that it names don't have the number 30: It also wins by "
        "collecting 30 Treasures.",
    ]
    model.requests.clear()
    (line,) = rulespal("ask", QUESTION, "--verbose", "--model", "quotes").err.splitlines()
    assert line.startswith("Written by quotes in ")


def test_without_a_model_none_is_asked(rulespal: Run, model: FakeServer) -> None:
    answer = json.loads(rulespal("ask", QUESTION, "--model", "quotes", "--json").out)
    assert (answer["writer"], answer["model"], model.requests) == ("quotes", None, [])
    rulespal("search", "ghoul", "wins")
    assert model.requests == []


def test_a_model_that_is_off_costs_no_answer(
    rulespal: Run, model: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    quotes = rulespal("ask", QUESTION, "--model", "quotes").out
    monkeypatch.setenv("RULESPAL_MODEL_URL", "http://127.0.0.1:9/v1")
    result = rulespal("ask", QUESTION)
    assert (result.code, result.err) == (0, "")
    note = "These are the book's own words: openai:fake can't be reached."
    assert [line for line in result.out.splitlines() if line not in quotes.splitlines()] == [note]
    assert model.requests == []


@pytest.mark.parametrize(
    ("response", "failure"),
    [
        (Says(status=401), "openai:fake doesn't accept the key"),
        (Says(status=404), "openai:fake isn't there"),
        (Says(""), "openai:fake wrote nothing that can be read"),
        (Says("NOT IN THE RULES"), "openai:fake found no answer in the rules"),
        (Says(knows_better), "of 8 sentences by openai:fake the rules bear out 0"),
    ],
)
def test_a_model_that_fails_is_named_in_one_sentence_without_its_key(
    rulespal: Run, model: FakeServer, response: Says, failure: str
) -> None:
    model.responses = [response]
    result = rulespal("ask", QUESTION)
    assert f"\nThese are the book's own words: {failure}.\n" in result.out
    assert result.out.startswith(f"{KNIGHT} [1]\n")
    assert "sk-secret" not in result.out + result.err


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("gpt", "rulespal: A model is named provider:model, which 'gpt' isn't. Next: rulespal ask "
                "--model ollama:llama3.2 QUESTION\n"),
        ("nonsense:x", "rulespal: LangChain has no provider 'nonsense'. Next: rulespal ask --model openai:MODEL --model-url URL QUESTION\n"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("model")
def test_a_model_that_there_is_not_is_one_sentence(rulespal: Run, name: str, sentence: str) -> None:
    result = rulespal("ask", QUESTION, "--model", name)
    assert (result.code, result.out, result.err) == (2, "", sentence)


def chatting() -> pexpect.spawn[str]:
    child = pexpect.spawn(
        sys.executable,
        ["-m", "rulespal_chat", "chat", "--verbose"],
        env=os.environ | {"TERM": "xterm-256color", "PAGER": "cat"},
        dimensions=(60, 60),
        encoding="utf-8",
        timeout=60,
    )
    child.expect("›")
    return child


def test_a_chat_shows_sentences_as_they_pass_and_stops_at_ctrl_c(model: FakeServer) -> None:
    model.responses = [Says(rulings, pause=0.3), Says(rulings)]
    child = chatting()
    child.sendline(QUESTION)
    child.expect("The Vile Ghoul wins by killing the Knight")  # the book's own words, at once
    child.expect("openai:fake …")
    child.expect("If it kills the Knight, the Vile Ghoul wins")
    child.sendintr()
    child.expect("Stopped")
    assert len(model.requests) == 1
    child.expect("›")
    child.sendline(QUESTION)
    child.expect("Word for word from:")
    child.expect("2 sentences shown, 1 removed")
    child.expect("›")
    child.sendeof()
    child.expect("openai:fake wrote 1 of 1 answers")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == 0


@pytest.mark.usefixtures("model")
def test_on_a_terminal_the_quotes_are_set_apart() -> None:
    drawn = re.sub(r"\x1b\[[\d;?]*[A-Za-z]|\r", "", on_terminal("ask", QUESTION))
    screen = "\n".join(line.rstrip() for line in drawn.split("\n"))
    assert (
        "If it kills the Knight, the Vile Ghoul wins. [1]\n"
        "Without a Knight in the game, the Vile Ghoul must kill the\n"
        "Dragon to win. [2]\n\n"
        "The Vile Ghoul wins by killing the Knight. [1]\n"
        "In a game without a Knight, the Vile Ghoul must kill the\n"
        "Dragon to win. [2]\n"
    ) in screen


def test_what_was_asked_before_goes_along(
    rulespal: Run, model: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    from io import StringIO

    monkeypatch.setattr(sys, "stdin", StringIO(f"we are five\n{QUESTION}\nand why?\n"))
    rulespal("chat", "--game", "vast")
    first, second = (request["messages"][1]["content"] for request in model.requests[:2])
    assert "<earlier>" not in first
    assert "players: 5" in first
    assert f"Player: {QUESTION}\nYou: If it kills the Knight" in second


def test_an_evaluation_reports_what_the_model_did(
    rulespal: Run, model: FakeServer, tmp_path: Path
) -> None:
    from evaluated import question_file

    asked = {
        "id": "vile", "game": "vast-the-fearsome-foes", "kind": "lookup", "question": QUESTION,
        "answer": "By killing the Knight.", "must_include": [["knight"]],
        "sections": ["The Vile Ghoul > How to Win"],
    }  # fmt: skip
    file = question_file(tmp_path / "q.jsonl", [asked])
    out = tmp_path / "run.json"
    result = rulespal(
        "eval", "--questions", str(file), "--writer", "model:openai:fake", "--json", str(out)
    )
    assert result.code == 0
    summary = json.loads(out.read_text())["summary"]["all"]
    figures = {name: entry["value"] for name, entry in summary.items()}
    assert figures["model_wrote"] == 1.0
    assert figures["own_words_correct"] == 1.0
    assert figures["removed_sentences"] == 1.0
    assert (figures["input_tokens"], figures["output_tokens"]) == (100.0, 20.0)
    assert "latency_model_p50" in figures
    assert "model_wrote" in result.out
    assert len(model.requests) == 2  # the first one is asked twice, as it opens files
    bad = rulespal("eval", "--questions", str(file), "--writer", "openai:fake")
    assert (bad.code, bad.err) == (
        2,
        "rulespal: The writer 'openai:fake' is neither quotes nor model:PROVIDER:NAME. Next: "
        "rulespal eval --writer model:ollama:llama3.2\n",
    )


def test_without_a_model_nothing_of_it_is_loaded(
    model_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPAL_HOME", str(model_home))
    code = (
        "import sys\nfrom rulespal_chat.cli import main\n"
        f"try: main(['ask', {QUESTION!r}])\nexcept SystemExit: pass\n"
        "print(sorted(sys.modules), file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout.startswith(KNIGHT)
    loaded = [name.strip("[' ]\n") for name in result.stderr.split(",")]
    roots = {name.partition(".")[0] for name in loaded}
    assert roots.isdisjoint({"langchain", "langchain_core", "langchain_openai", "openai"})
    own = [name for name in loaded if name.startswith("rulespal_chat")]
    of_models = ("models", "model_writer", "prompts", "replies", "grounding")
    assert [name for name in own if set(name.split(".")) & set(of_models)] == []
