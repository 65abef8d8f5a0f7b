"""Open rule texts become books in RulesPal's format, and a place in a text finds its section."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.corpus.library import load_library

sys.path.insert(0, str(Path(__file__).parent.parent / "evals"))

import open_books

if TYPE_CHECKING:
    import pytest

MARKED = """\
---
layout: default
---

# Toads
{: .no_toc }

**Toads** hop. They also [swim](#swim).

## Turn
### Brew
- Draw 2 cards.
- Stir
  once.

[back to index](#index)
<p></p>

| Moon | Cards |
|------|-------|
| *New* | 1 |

#### Brew
Stop. (Or don't.)
"""
PLAIN = """\
Toads

Setup

Each player takes 3 Toads. (Or fewer.)

• A Toad hops
over stones.

The End
"""


def test_a_marked_text_is_split_at_its_headings() -> None:
    told = [(s.path, s.statements) for s in open_books.split(MARKED)]
    assert told == [
        (("Introduction (2)",), ["Toads hop.", "They also swim."]),
        (("Turn", "Brew"), ["Draw 2 cards.", "Stir once.", "Moon; Cards", "*New*; 1"]),
        (("Turn", "Brew", "Brew"), ["Stop.", "(Or don't.)"]),
    ]


def test_a_plain_text_is_split_at_short_lines_of_their_own() -> None:
    told = [(s.path, s.statements) for s in open_books.split(PLAIN)]
    assert told == [
        (("Setup",), ["Each player takes 3 Toads.", "(Or fewer.)", "A Toad hops over stones."])
    ]


def test_a_place_belongs_to_the_heading_above_it() -> None:
    sections = open_books.split(MARKED)
    starts = [MARKED[section.start :].split("\n")[0] for section in sections]
    assert starts == ["# Toads", "### Brew", "#### Brew"]


def test_paths_are_unique() -> None:
    text = "# A\n## Scars\nOne.\n## Scars\nTwo.\n## scars!\nThree.\n"
    assert [s.path[-1] for s in open_books.split(text)] == ["Scars", "Scars (2)", "scars! (3)"]


def test_the_books_and_questions_can_be_used(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"cairn_srd.md": MARKED, "piecepack_backgammon.txt": PLAIN}
    for name, text in texts.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    questions = tmp_path / "questions.jsonl"
    asked = {
        "file": "cairn_srd.md",
        "start": MARKED.index("Draw 2"),
        "end": MARKED.index("Draw 2") + 13,
        "question": "how many?",
    }
    questions.write_text(json.dumps(asked) + "\n", encoding="utf-8")
    monkeypatch.setattr(open_books, "QUESTIONS", questions)
    monkeypatch.setattr(sys, "argv", ["open_books.py", str(tmp_path)])
    assert open_books.main() == 0
    assert capsys.readouterr().out.startswith("rulespal index && rulespal eval")
    own = {book.id: book for book in load_library(home).books if book.id in {"cairn", "backgammon"}}
    stated = [s.text for section in own["cairn"].sections for s in section.statements]
    assert stated[-4:] == ["Moon; Cards", "*New*; 1", "Stop.", "(Or don't.)"]
    row = json.loads((home / "open_questions.jsonl").read_text(encoding="utf-8"))
    assert (row["answer"], row["must_include"]) == ("Draw 2 cards.", [["Draw 2 cards"]])
    assert row["sections"] == [{"game": "cairn", "section": "Turn > Brew"}]


def test_a_folder_without_the_texts_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["open_books.py", str(tmp_path)])
    assert open_books.main() == 2
    assert capsys.readouterr().err.endswith(
        "has no cairn_srd.md and no piecepack_backgammon.txt.\n"
    )
