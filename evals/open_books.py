"""Puts open-licensed rule texts into RulesPal's library, and questions on them beside it.

    python evals/open_books.py FOLDER

FOLDER holds `cairn_srd.md` (Cairn, CC BY-SA 4.0) and `piecepack_backgammon.txt` (CC BY-SA 4.0);
neither is part of this project, and nothing of it was trained or tuned on them. The books go to
`books/` in RulesPal's data folder, the questions of `evals/open/` next to them, for
`rulespal eval --questions`.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

QUESTIONS = Path(__file__).parent / "open" / "questions.jsonl"
BOOKS = {
    "cairn_srd.md": ("cairn", "Cairn"),
    "piecepack_backgammon.txt": ("backgammon", "Backgammon"),
}
LONGEST_HEADING = 60  # characters of a line of its own, in a text without marks
_MARKUP = re.compile(r"^\s*(?:<[^>]*>\s*)+$|^\s*\{:.*\}\s*$|^- TOC$|^\{:toc\}$|^\[back to index\]")
_BEGINS = re.compile(r"#|[-*•]\s|\|")
_RULE = re.compile(r"^\|[\s|:-]*\|$")
_TOLD = re.compile(r"[.:;!?](?:\W|$)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z(“\"])")


@dataclass
class Section:
    """A heading with what stands below it.

    Attributes:
        start: where it begins in the text, in characters.
        path: its headings, outermost first.
        statements: one rule each, as far as full stops tell.
    """

    start: int
    path: tuple[str, ...]
    statements: list[str] = field(default_factory=list)


def main() -> int:
    """Writes the books and the questions, and says what to type next."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder
    missing = [name for name in BOOKS if not (folder / name).is_file()]
    if missing:
        print(f"{folder} has no {' and no '.join(missing)}.", file=sys.stderr)
        return 2
    home = Settings().home_folder
    texts = {name: (folder / name).read_text(encoding="utf-8") for name in BOOKS}
    sections = {name: split(text) for name, text in texts.items()}
    for name, (book, title) in BOOKS.items():
        place = home / "books" / book / "rulebook.md"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(rulebook(book, title, sections[name]), encoding="utf-8")
    asked = home / "open_questions.jsonl"
    asked.write_text("".join(questions(texts, sections)), encoding="utf-8")
    print(f"rulespal index && rulespal eval --retriever all --questions {asked}")
    return 0


def split(text: str) -> list[Section]:
    """The sections of a text, in its order; those without statements are left out."""
    is_marked = re.search(r"^#+ ", text, re.MULTILINE) is not None
    sections = [Section(0, ("Introduction",))]
    levels: list[tuple[int, str]] = []
    for start, block in blocks(text):
        level, heading = heading_of(block, is_marked=is_marked)
        if heading:
            levels = [*[(own, name) for own, name in levels if own < level], (level, heading)]
            path = tuple(name for own, name in levels if own > 1 or not is_marked)
            sections.append(Section(start, distinct(path or ("Introduction",), sections)))
        else:
            sections[-1].statements += statements(block)
    return [section for section in sections if section.statements]


def blocks(text: str) -> Iterator[tuple[int, str]]:
    """Paragraphs, headings, list items and table rows, with where they begin."""
    front = re.match(r"---\n.*?\n---\n", text, re.DOTALL)
    offset = start = front.end() if front else 0
    lines: list[str] = []
    for line in text[offset:].splitlines(keepends=True):
        bare = "" if _MARKUP.match(line) or _RULE.match(line.strip()) else line.strip()
        goes_on = bool(lines) and not lines[0].startswith("#") and not _BEGINS.match(bare)
        if lines and not (bare and goes_on):
            yield start, " ".join(lines)
            lines = []
        if bare:
            start = start if lines else offset
            lines.append(bare)
        offset += len(line)
    if lines:
        yield start, " ".join(lines)


def heading_of(block: str, *, is_marked: bool) -> tuple[int, str]:
    """The level and the text of a heading; 0 and nothing of anything else."""
    if is_marked:
        found = re.match(r"(#+) (.+)", block)
        return (len(found[1]), plain(found[2])) if found else (0, "")
    is_heading = len(block) <= LONGEST_HEADING and not _TOLD.search(block) and block[0].isupper()
    return (1, plain(block)) if is_heading else (0, "")


def distinct(path: tuple[str, ...], before: list[Section]) -> tuple[str, ...]:
    """The path, numbered if there is one like it: a book's paths are unique."""
    names = {"".join(re.findall(r"\w", "".join(s.path))).lower() for s in before}
    number, own = 1, path
    while "".join(re.findall(r"\w", "".join(own))).lower() in names:
        number += 1
        own = (*path[:-1], f"{path[-1]} ({number})")
    return own


def statements(block: str) -> list[str]:
    """What a block says, a sentence each; a table's row in one piece."""
    if block.startswith("|"):
        cells = [plain(cell) for cell in block.strip("|").split("|")]
        return ["; ".join(cell for cell in cells if cell)] if any(cells) else []
    bare = plain(re.sub(r"^[-*•]\s+", "", block))
    return [sentence for sentence in _SENTENCE.split(bare) if re.search(r"\w", sentence)]


def plain(text: str) -> str:
    """The text without marks for bold and links, and without tags."""
    text = re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"\*\*|__|`|<[^>]*>|\{:[^}]*\}", "", text).strip()


def rulebook(book: str, title: str, sections: list[Section]) -> str:
    """The book in RulesPal's format."""
    parts = [f"---\nid: {book}\ntitle: {title}\nkind: game\n---\n\n# {title}\n"]
    above: tuple[str, ...] = ()
    for section in sections:
        for depth, name in enumerate(section.path):
            if section.path[: depth + 1] != above[: depth + 1]:
                parts.append(f"\n{'#' * (depth + 2)} {name}\n")
        parts += ["\n", *(f"- {escaped(text)}\n" for text in section.statements)]
        above = section.path
    return "".join(parts)


def escaped(text: str) -> str:
    """A statement with nothing that Markdown would read as more than text."""
    return re.sub(r"([\\*_`<>\[\]#|~])", r"\\\1", text)


def questions(texts: dict[str, str], sections: dict[str, list[Section]]) -> Iterator[str]:
    """The questions, with the section of the place that answers them, to be quoted as it stands."""
    lines = QUESTIONS.read_text(encoding="utf-8").splitlines()
    for number, row in enumerate(map(json.loads, lines), start=1):
        book = BOOKS[row["file"]][0]
        within = [s for s in sections[row["file"]] if s.start <= row["start"]][-1]
        place = {"game": book, "section": " > ".join(within.path)}
        said = max(statements(texts[row["file"]][row["start"] : row["end"]]), key=len)
        asked = {
            "id": f"open-{number:03}",
            "kind": "lookup",
            "question": row["question"],
            "answer": said,
            "must_include": [[said.strip(".")]],
            "sections": [place],
            "split": "test",
        }
        yield json.dumps(asked, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    sys.exit(main())
