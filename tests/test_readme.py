"""The README is true: what it shows is run, here, and comes out as it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from rulespal_chat.corpus.parser import parse_rulebook

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")
FORMAT = (ROOT / "corpus" / "README.md").read_text(encoding="utf-8")


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.DOTALL | re.MULTILINE)


def sessions(asking: bool) -> list[tuple[str, str]]:
    """The commands that sessions show, with their outputs: those that ask, or the others."""
    shown = [
        (part.partition("\n")[0], part.partition("\n")[2])
        for block in blocks(README, "console")
        for part in block.removeprefix("$ ").split("\n$ ")
    ]
    asks = re.compile(r"\brulespal (?:ask|chat)\b")
    return [(command, output) for command, output in shown if bool(asks.search(command)) is asking]


def printed(command: str, home: Path) -> str:
    """What a command prints, by the program that is installed beside this Python."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(  # noqa: S602  (it is the README's own text)
        command,
        shell=True,
        env=os.environ | {"PATH": path, "RULESPAL_HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    ).stdout


@pytest.mark.parametrize(("command", "output"), sessions(asking=False))
def test_a_session_comes_out_as_shown(command: str, output: str, home: Path) -> None:
    assert printed(command, home).rstrip("\n") == output.rstrip("\n")


@pytest.mark.model
@pytest.mark.parametrize(("command", "output"), sessions(asking=True))
def test_an_answer_comes_out_as_shown(command: str, output: str, model_home: Path) -> None:
    assert printed(command, model_home).rstrip("\n") == output.rstrip("\n")


def test_there_are_sessions_to_run() -> None:
    assert len(sessions(asking=False)) >= 3
    assert len(sessions(asking=True)) >= 2


@pytest.mark.model
@pytest.mark.parametrize("code", blocks(README, "python"))
def test_python_comes_out_as_shown(
    code: str, model_home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPAL_HOME", str(model_home))
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102
    assert capsys.readouterr().out.splitlines() == re.findall(r"\)  # (.*)$", code, re.MULTILINE)


def test_the_commands_that_set_up_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\S+)", "\n".join(blocks(README, "sh")), re.MULTILINE):
        assert f"\n{target}: " in makefile


def test_the_format_that_the_corpus_documents_parses() -> None:
    (example,) = blocks(FORMAT, "markdown")
    book = parse_rulebook(example, Path("README.md"))
    assert [len(section.statements) for section in book.sections] == [0, 3, 3, 0]
