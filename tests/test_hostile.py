"""What a shell, a disk or a stranger can do to RulesPal ends in one sentence, not in a traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import TOADS

from rulespal_chat.corpus.library import load_library
from rulespal_chat.search.index import index_folder
from rulespal_chat.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Callable


def shell(command: str, home: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", f"{sys.executable} -m rulespal_chat {command}"],  # noqa: S607
        env=os.environ | {"RULESPAL_HOME": str(home)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_home_that_is_a_file(tmp_path: Path) -> None:
    home = tmp_path / "file"
    home.write_text("")
    result = shell("ask hello there", home)
    assert result.returncode == 1
    assert result.stderr.splitlines()[-1].startswith(
        f"rulespal: The search index can't be written to {home} ("
    )
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(
    ("command", "code", "sentence"),
    [
        ("games >/dev/full", 1, "No space left on device. Next: rulespal doctor"),
        ("ask - <&-", 2, "Standard input is closed"),
        ("show chess >&-", 2, "No game in the library is called 'chess'"),
    ],
)
def test_streams_that_are_full_or_closed(
    home: Path, command: str, code: int, sentence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPAL_EMBEDDER", "")
    result = shell(command, home)
    assert (result.returncode, sentence in result.stderr) == (code, True)
    assert "Traceback" not in result.stderr


def test_a_book_that_is_a_pipe_does_not_hang_and_a_strange_name_does_no_harm(
    home: Path, add_book: Callable[[str, str | bytes], Path]
) -> None:
    add_book("toad-well", TOADS)
    strange = Path(os.fsdecode(os.fsencode(home / "books") + b"/\xff"))
    strange.mkdir()
    (strange / "rulebook.md").write_text(TOADS)
    (home / "books" / "pipe").mkdir()
    os.mkfifo(home / "books" / "pipe" / "rulebook.md")
    library = load_library(home)
    assert library.books[-1].id == "toad-well"
    assert [problem.problem for problem in library.problems] == [
        "it isn't a file",
        "its id is 'toad-well', while its folder is '\udcff'",
    ]
    assert index_folder(home, "other").parent == home / "index"
    assert shell("games", home).returncode == 0


def test_a_draft_does_not_make_the_index_stale(
    home: Path, add_book: Callable[[str, str | bytes], Path]
) -> None:
    before = index_folder(home, "other")
    add_book("_draft", "anything")
    assert index_folder(home, "other") == before
    add_book("toad-well", TOADS)
    assert index_folder(home, "other") != before


def test_a_home_of_nobody_is_a_plain_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPAL_HOME", "~no-such-user/games")
    assert Settings().home_folder == Path("~no-such-user/games")
    monkeypatch.setenv("RULESPAL_GAME", "  ")
    assert not Settings().game
