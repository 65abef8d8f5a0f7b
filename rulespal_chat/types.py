"""Every value in the flow, frozen, in the order in which a question meets them.

A rulebook is made of sections, a section of statements. The statement is the unit of quoting:
a quote is always the whole text of one statement, verbatim.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from rulespal_chat.errors import CorpusError

SEPARATOR = " > "


class Kind(StrEnum):
    """What a statement is, as it may be used in an answer."""

    RULE = "rule"
    EXAMPLE = "example"
    UNCLEAR = "unclear"
    TABLE_ROW = "table row"


class BookKind(StrEnum):
    """Whether a book stands alone or needs the rulebook of its base game."""

    GAME = "game"
    EXPANSION = "expansion"


class ChapterKind(StrEnum):
    """Whether a chapter describes what one player plays, or is just a chapter."""

    ROLE = "role"
    CHAPTER = "chapter"


@dataclass(frozen=True, slots=True)
class Statement:
    """One quotable rule: a bullet, a paragraph or a table row.

    Attributes:
        id: stable; it depends on the book's id, the heading path and the text, on nothing else.
        kind: rule, example, unclear or table row.
        text: plain text on one line, without Markdown or control characters. A table row reads
            "Header: cell; Header: cell", leaving out empty cells.
        lines: first and last line in the rulebook file, counted from 1.
        depth: 0 for a paragraph or table row, n for a bullet on the nth level of a list.
        cells: (header, cell) for every column of a table row, empty otherwise.
    """

    id: str
    kind: Kind
    text: str
    lines: tuple[int, int]
    depth: int = 0
    cells: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> int:
        """The first line in the rulebook file, counted from 1."""
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class Section:
    """A printed heading and its own text, without the text of the headings below it.

    Attributes:
        id: stable; made of the book's id and the heading path.
        path: the headings from the chapter down to this one, as printed.
        level: the heading's Markdown level, 2 to 6.
        lines: from the heading to the section's last own line, counted from 1.
        statements: in the book's order; empty where the book prints a heading without text.
    """

    id: str
    path: tuple[str, ...]
    level: int
    lines: tuple[int, int]
    statements: tuple[Statement, ...]

    @property
    def name(self) -> str:
        """The heading path joined by " > "."""
        return SEPARATOR.join(self.path)

    @property
    def heading(self) -> str:
        """The section's own heading."""
        return self.path[-1]

    @property
    def chapter(self) -> str:
        """The heading of the chapter that the section stands in."""
        return self.path[0]

    def is_below(self, other: Section) -> bool:
        """Whether this section's path continues the other's."""
        return len(self.path) > len(other.path) and self.path[: len(other.path)] == other.path


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading of the first level below the title.

    Attributes:
        heading: as printed.
        kind: role or chapter.
        aliases: what players also call it.
        twins: headings of chapters that are easily mistaken for this one.
    """

    heading: str
    kind: ChapterKind = ChapterKind.CHAPTER
    aliases: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One book of rules.

    Attributes:
        id: the name of its folder, such as "evil-corp".
        title: as printed.
        aliases: what players also call the game.
        kind: game or expansion.
        base_game: the title of the game that an expansion expands, else None.
        chapters: one for each heading of the first level, in the book's order.
        sections: in the book's order.
        source: the file that the book was read from.
    """

    id: str
    title: str
    aliases: tuple[str, ...]
    kind: BookKind
    base_game: str | None
    chapters: tuple[Chapter, ...]
    sections: tuple[Section, ...]
    source: Path

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement of every section, in the book's order."""
        return tuple(s for section in self.sections for s in section.statements)

    def chapter(self, heading: str) -> Chapter:
        """The chapter with this heading.

        Raises:
            KeyError: there is none.
        """
        for chapter in self.chapters:
            if chapter.heading == heading:
                return chapter
        raise KeyError(heading)

    def below(self, section: Section) -> tuple[Section, ...]:
        """The sections below this one, at any depth, in the book's order."""
        return tuple(other for other in self.sections if other.is_below(section))

    def twins(self, section: Section) -> tuple[Section, ...]:
        """The sections of the same name in the twin chapters: what this one is mistaken for."""
        names = {(twin, *section.path[1:]) for twin in self.chapter(section.chapter).twins}
        return tuple(other for other in self.sections if other.path in names)


@dataclass(frozen=True, slots=True)
class Library:
    """The books that could be read, and why the others could not.

    Attributes:
        books: the packaged ones first, then the player's own, each group by id.
        problems: one error for each book that was left out.
    """

    books: tuple[Rulebook, ...]
    problems: tuple[CorpusError, ...] = ()
