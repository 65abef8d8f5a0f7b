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


def sessions() -> list[tuple[str, str]]:
    """Every command that a session shows, with its output."""
    return [
        (part.partition("\n")[0], part.partition("\n")[2])
        for block in blocks(README, "console")
        for part in block.removeprefix("$ ").split("\n$ ")
    ]


@pytest.mark.parametrize(("command", "output"), sessions())
def test_a_session_comes_out_as_shown(command: str, output: str) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    result = subprocess.run(  # noqa: S602  (it is the README's own text)
        command,
        shell=True,
        env=os.environ | {"PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert result.stdout.rstrip("\n") == output.rstrip("\n")


def test_there_are_sessions_to_run() -> None:
    assert len(sessions()) >= 4


@pytest.mark.parametrize("code", blocks(README, "python"))
def test_python_comes_out_as_shown(code: str, capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(code, "README.md", "exec"), {})  # noqa: S102
    printed = capsys.readouterr().out
    assert printed == (
        "The Ghoul's Fury goal is 7 + the number of players, but never more than 14.\n"
    )


def test_the_commands_that_set_up_are_targets_of_the_makefile() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(r"^make (\S+)", "\n".join(blocks(README, "sh")), re.MULTILINE):
        assert f"\n{target}: " in makefile


def test_the_format_that_the_corpus_documents_parses() -> None:
    (example,) = blocks(FORMAT, "markdown")
    book = parse_rulebook(example, Path("README.md"))
    assert [len(section.statements) for section in book.sections] == [0, 3, 3, 0]
