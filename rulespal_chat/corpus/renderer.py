"""From a `Rulebook` back to Markdown; parsing the result gives the same sections and statements."""

from __future__ import annotations

import re
from enum import StrEnum
from io import StringIO
from itertools import groupby
from typing import TYPE_CHECKING

from rulespal_chat.corpus.markdown import MARKER
from rulespal_chat.types import Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from rulespal_chat.types import Chapter, Rulebook, Section, Statement

_SPECIAL = re.compile(r"([\\`*_\[\]<>&|~#])")
_AT_START = re.compile(r"^([-+=:])|^(\d{1,9})([.)])")


class Shape(StrEnum):
    """How a run of statements stands on the page."""

    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    NOTE = "note"


def render_rulebook(book: Rulebook) -> str:
    """The whole book as the text of a rulebook file."""
    sections = (render_section(section) for section in book.sections)
    return "\n".join([f"---\n{_front_matter(book)}---\n", f"# {escape(book.title)}\n", *sections])


def render_section(section: Section) -> str:
    """One section as Markdown, its heading first; ends with a line feed."""
    heading = f"{'#' * section.level} {escape(section.heading)}"
    return "\n\n".join([heading, *_blocks(section.statements)]) + "\n"


def escape(text: str) -> str:
    """The text as Markdown that parses to the same plain text."""
    escaped = _SPECIAL.sub(r"\\\1", text)
    return _AT_START.sub(lambda m: f"\\{m[1]}" if m[1] else f"{m[2]}\\{m[3]}", escaped)


def grouped(statements: Iterable[Statement]) -> Iterator[tuple[Shape, tuple[Statement, ...]]]:
    """The statements in their order, those that share a list, a table, … together."""
    for (shape, _), group in groupby(statements, key=_shape):
        yield shape, tuple(group)


def _shape(statement: Statement) -> tuple[Shape, tuple[str, ...]]:
    if statement.cells:
        return Shape.TABLE, tuple(header for header, _ in statement.cells)
    if statement.kind is Kind.UNCLEAR:
        return Shape.NOTE, ()
    return (Shape.LIST if statement.depth else Shape.PARAGRAPH), ()


def _blocks(statements: Iterable[Statement]) -> Iterator[str]:
    """Paragraphs, notes, whole lists and whole tables."""
    for shape, members in grouped(statements):
        match shape:
            case Shape.TABLE:
                yield _table(members)
            case Shape.LIST:
                yield "\n".join(f"{'  ' * (s.depth - 1)}- {_marked(s)}" for s in members)
            case Shape.NOTE:
                yield "\n\n".join(f"> {_marked(s)}" for s in members)
            case Shape.PARAGRAPH:
                yield "\n\n".join(map(_marked, members))


def _marked(statement: Statement) -> str:
    """The text, with the marker of an example or a note in bold as the format has it."""
    marker = MARKER.match(statement.text)
    if marker is None:
        return escape(statement.text)
    return f"**{marker[0]}**{escape(statement.text[marker.end() :])}"


def _table(rows: tuple[Statement, ...]) -> str:
    lines = [_row(header for header, _ in rows[0].cells), _row("---" for _ in rows[0].cells)]
    lines += [_row(escape(cell) for _, cell in row.cells) for row in rows]
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _front_matter(book: Rulebook) -> str:
    from ruamel.yaml import YAML

    fields: dict[str, object] = {"id": book.id, "title": book.title, "aliases": [*book.aliases]}
    fields["kind"] = str(book.kind)
    if book.base_game is not None:
        fields["base_game"] = book.base_game
    fields["chapters"] = [_chapter_fields(chapter) for chapter in book.chapters]
    if book.words:
        fields["words"] = {term: [*called] for term, called in book.words}
    out = StringIO()
    yaml = YAML(typ="rt", pure=True)
    yaml.width = 10_000
    yaml.dump(fields, out)
    return out.getvalue()


def _chapter_fields(chapter: Chapter) -> dict[str, object]:
    fields: dict[str, object] = {"heading": chapter.heading, "kind": str(chapter.kind)}
    if chapter.aliases:
        fields["aliases"] = [*chapter.aliases]
    if chapter.twins:
        fields["twins"] = [*chapter.twins]
    return fields
