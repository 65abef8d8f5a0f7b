"""A small book that can be read in one glance, and the command line without a shell."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from rulespal_chat.corpus.parser import parse_rulebook
from rulespal_chat.search.embedders import Encoded
from rulespal_chat.types import Library

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.types import Rulebook

HEAD = """\
---
id: toad-well
title: "Toad Quest: The Well"
aliases: [Toad Quest, The Well]
kind: expansion
base_game: Toad Quest
chapters:
  - heading: The Witch
    kind: role
    aliases: [Hexer]
    twins: [The Old Witch]
  - heading: The Old Witch
    kind: role
    twins: [The Witch]
---

# Toad Quest: The Well
"""

TOADS = (
    HEAD
    + """
## The Witch

### How to Win

- The Witch wins with 3 Toads.
  - A Toad in the Well counts as 2 Toads.
- **Example:** With 1 Toad in the Well and 1 on her board, the Witch wins.

> **Unclear:** The book does not say whether a golden Toad is a Toad.

### 1) Brew

The Witch draws as many cards as the Moon allows [MOON].

| Moon | Cards | Bonus |
| --- | --- | --- |
| New | 1 | |
| Full | 3 | 1 Toad |

#### Stir

- The Witch may stir once.

## The Old Witch

### How to Win

- The Old Witch wins with 5 Toads.

## Scoring
"""
)


@pytest.fixture
def toads() -> Rulebook:
    """A book with every kind of statement, a role with a twin, and a heading without text."""
    return parse_rulebook(TOADS, Path("toads.md"))


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A player's data folder that is empty, never the real one."""
    folder = tmp_path / "home"
    monkeypatch.setenv("RULESPAL_HOME", str(folder))
    return folder


@pytest.fixture
def add_book(home: Path) -> Callable[[str, str | bytes], Path]:
    """Puts a text where a player's own books live and returns the file."""

    def add(folder: str, text: str | bytes) -> Path:
        path = home / "books" / folder / "rulebook.md"
        path.parent.mkdir(parents=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
        return path

    return add


@dataclass(frozen=True)
class Result:
    """What a command left behind."""

    code: int
    out: str
    err: str


@pytest.fixture
def rulespal(capsys: pytest.CaptureFixture[str]) -> Callable[..., Result]:
    """Runs `rulespal` in this process, as in a pipe."""

    def run(*arguments: str) -> Result:
        from rulespal_chat.cli import main

        with pytest.raises(SystemExit) as ended:
            main(list(arguments))
        captured = capsys.readouterr()
        code = ended.value.code
        return Result(code if isinstance(code, int) else 0, captured.out, captured.err)

    return run


class WordEmbedder:
    """A vector says how often a text has each of these words; it can be computed by hand."""

    WORDS = (
        "witch",
        "old",
        "toad",
        "win",
        "moon",
        "card",
        "stir",
        "draw",
        "golden",
        "well",
        "overflow",
    )
    identity = "words"
    familiar = frozenset({"toad-well"})

    def encode(self, texts: Sequence[str]) -> Encoded:
        """A unit vector for each text, whose last axis keeps one without these words from zero.

        Each of these words is a token, with an axis of its own.
        """
        rows = [[*(t.lower().count(w) for w in self.WORDS), 0.1] for t in texts]
        vectors = np.array(rows, dtype=np.float32)
        unit: NDArray[np.float32] = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
        return Encoded(unit, tuple(self._tokens(text) for text in texts))

    def _tokens(self, text: str) -> NDArray[np.float32]:
        said = [self.WORDS.index(w) for w in self.WORDS if w in text.lower()]
        return np.eye(len(self.WORDS) + 1, dtype=np.float32)[said]


@pytest.fixture(scope="session")
def toad_pal(tmp_path_factory: pytest.TempPathFactory) -> RulesPal:
    """RulesPal with the toad book alone, and vectors that can be computed by hand."""
    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.search.index import read_index, write_index

    folder = tmp_path_factory.mktemp("toads")
    library = Library((parse_rulebook(TOADS, Path("toads.md")),))
    write_index(folder, library, WordEmbedder(), lambda _done, _total: None)
    return RulesPal(read_index(folder, WordEmbedder()))


@pytest.fixture(scope="session")
def model_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with the index of the packaged books, built once with the real model."""
    folder = tmp_path_factory.mktemp("model")
    subprocess.run(
        [sys.executable, "-m", "rulespal_chat", "index"],
        env=os.environ | {"RULESPAL_HOME": str(folder)},
        check=True,
        capture_output=True,
    )
    return folder
