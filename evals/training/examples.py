"""The questions that the encoder learns from, each with the text that answers it.

`questions/*.jsonl` are on the three books: {"statement": id, "question": …}. `open/*.jsonl` are on
open-licensed texts that aren't part of this project: {"file", "section", "start", "end",
"question"}, with offsets in characters into the files of the folder given by --texts.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.search.passages import embedded_statement, passages
from rulespal_chat.search.scope import Scope
from rulespal_chat.types import ChapterKind, Question

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulespal_chat.types import Library

HERE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Text:
    """What may be found.

    Attributes:
        text: as it is embedded, with its heading path.
        place: the section; its texts are never each other's negatives.
        book: negatives are of the same book.
        twin: places with the same twin are told apart only by a role's name; "" for none.
        passage: the longer text that it is part of, as embedded; "" for none.
    """

    text: str
    place: str
    book: str
    twin: str = ""
    passage: str = ""


@dataclass(frozen=True, slots=True)
class Example:
    """A question and the number of the text that answers it.

    Attributes:
        names_role: whether it says which of two twins is meant.
    """

    question: str
    text: int
    names_role: bool = False


def of_books(library: Library) -> tuple[list[Text], list[Example]]:
    """The library's statements, and the questions on them; stale ones are left out."""
    texts: list[Text] = []
    numbers: dict[str, int] = {}
    for book in library.books:
        whole: dict[str, list[str]] = {}
        for passage in passages(book):
            whole.setdefault(passage.section, []).append(passage.embedded)
        roles = {c.heading for c in book.chapters if c.kind is ChapterKind.ROLE}
        for section in book.sections:
            tail = section.name.removeprefix(section.chapter)
            twin = f"{book.id}{tail}" if section.chapter in roles and tail else ""
            for statement in section.statements:
                within = next((p for p in whole.get(section.id, ()) if statement.text in p), "")
                numbers[statement.id] = len(texts)
                shown = embedded_statement(section, statement)
                texts.append(Text(shown, section.id, "books", twin, within))
    scope = Scope(library)
    examples = []
    for row in _rows(HERE / "questions"):
        if row["statement"] in numbers:
            named = scope(Question(row["question"])).roles
            examples.append(Example(row["question"], numbers[row["statement"]], bool(named)))
    return texts, examples


def of_open_texts(folder: Path) -> tuple[list[Text], list[Example]]:
    """The pieces of open texts that questions are on, and these questions."""
    texts: dict[Text, int] = {}
    examples = []
    content: dict[str, str] = {}
    for row in _rows(HERE / "open"):
        whole = content.setdefault(row["file"], (folder / row["file"]).read_text(encoding="utf-8"))
        piece = whole[int(row["start"]) : int(row["end"])]
        place = f"{row['file']} > {row['section']}"
        text = Text(f"{row['section']}: {piece}", place, row["file"])
        examples.append(Example(row["question"], texts.setdefault(text, len(texts))))
    return list(texts), examples


def _rows(folder: Path) -> Iterator[dict[str, str]]:
    for path in sorted(folder.glob("*.jsonl")):
        with path.open(encoding="utf-8") as lines:
            yield from map(json.loads, lines)
