"""How books look on a terminal (rich) and in a pipe (plain lines, one statement each)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rulespal_chat.corpus.renderer import Shape, grouped
from rulespal_chat.corpus.text import quoted
from rulespal_chat.types import ChapterKind, Kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType

    from rulespal_chat.types import Chapter, Library, Rulebook, Section, Statement

_STYLES = {Kind.EXAMPLE: "italic", Kind.UNCLEAR: "yellow"}


def counted(number: int, noun: str) -> str:
    """The number and its noun, in the plural where it must be: "1,023 statements"."""
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def book_lines(book: Rulebook, packaged: bool) -> tuple[str, str]:
    """What a book is, and what is in it."""
    what = f"expansion of {book.base_game}" if book.base_game else "game"
    counts = (
        counted(len(book.chapters), "chapter"),
        counted(len(book.sections), "section"),
        counted(len(book.statements), "statement"),
        "comes with RulesPal" if packaged else f"from {book.source}",
    )
    return what, " · ".join(counts)


# On a terminal


def show_games(library: Library, packaged: Iterable[str]) -> RenderableType:
    """The books of the library, one under the other."""
    own = set(packaged)
    parts: list[RenderableType] = []
    for book in library.books:
        what, counts = book_lines(book, book.id in own)
        parts.append(Text.assemble((book.title, "bold"), "  ", (book.id, "cyan")))
        parts.append(Padding(Text(what), (0, 0, 0, 2)))
        parts.append(Padding(Text(counts, style="dim"), (0, 0, 1, 2)))
    parts.append(Text("Read one: rulespal show GAME", style="dim"))
    return Group(*parts)


def show_contents(book: Rulebook) -> RenderableType:
    """A book's table of contents."""
    chapters = {chapter.heading: chapter for chapter in book.chapters}
    parts: list[RenderableType] = [Text(book.title, style="bold"), Text(_about(book), style="dim")]
    for section in book.sections:
        if len(section.path) == 1:
            parts.append(Text(""))
            parts.append(_chapter_line(chapters[section.heading]))
        else:
            indent = 2 * (len(section.path) - 1)
            parts.append(Padding(Text(section.heading), (0, 0, 0, indent)))
    parts.append(Text(f"\nRead one: {_example_command(book)}", style="dim"))
    return Group(*parts)


def show_sections(book: Rulebook, sections: Iterable[Section], links: bool) -> RenderableType:
    """Sections with their text; with `links`, what stands below and what is mistaken for each."""
    parts: list[RenderableType] = [Text(book.title, style="dim")]
    for section in sections:
        parts.append(Text(" › ".join(section.path), style="bold"))
        parts.append(Text(""))
        for shape, members in grouped(section.statements):
            parts.append(Padding(_block(shape, members), (0, 0, 1, 0)))
        if not section.statements:
            parts.append(Text("The book prints this heading without text.\n", style="dim"))
        if links:
            parts += [hanging(label, text) for label, text in _links(book, section)]
    return Group(*parts)


def show_choice(book: Rulebook, query: str, sections: Sequence[Section]) -> RenderableType:
    """The sections that a query may mean."""
    names = [Padding(Text(" › ".join(s.path)), (0, 0, 0, 2)) for s in sections]
    head = Text(f"{counted(len(names), 'section')} may be meant by '{query}':")
    return Group(head, *names, Text(_choice_hint(book, sections), style="dim"))


def _about(book: Rulebook) -> str:
    what = f"expansion of {book.base_game}" if book.base_game else "game"
    return f"{what} · {counted(len(book.sections), 'section')}"


def _chapter_line(chapter: Chapter) -> Text:
    role = "  role" if chapter.kind is ChapterKind.ROLE else ""
    return Text.assemble((chapter.heading, "bold"), (role, "dim"))


def _example_command(book: Rulebook) -> str:
    deepest = next((s for s in book.sections if len(s.path) > 1), None)
    name = (deepest or book.sections[0]).name if book.sections else "SECTION"
    return f"rulespal show {book.id} {quoted(name)}"


def _block(shape: Shape, members: tuple[Statement, ...]) -> RenderableType:
    match shape:
        case Shape.TABLE:
            return _RowTable(members)
        case Shape.LIST:
            return Group(*(_bullet(s) for s in members))
        case Shape.NOTE | Shape.PARAGRAPH:
            return Text("\n\n").join(_text(s) for s in members)


def _bullet(statement: Statement) -> RenderableType:
    return Padding(hanging("•", _text(statement)), (0, 0, 0, 1 + 2 * (statement.depth - 1)))


def hanging(label: str, text: str | Text) -> RenderableType:
    """A label and a text that keeps to the right of it over all its lines."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    grid.add_column(no_wrap=True, style="dim")
    grid.add_column()
    grid.add_row(label, text)
    return grid


def _text(statement: Statement) -> Text:
    return Text(statement.text, style=_STYLES.get(statement.kind, ""))


def _links(book: Rulebook, section: Section) -> Iterator[tuple[str, Text]]:
    children = [s for s in book.below(section) if len(s.path) == len(section.path) + 1]
    if children:
        yield "Below:", Text(" · ".join(s.heading for s in children), style="dim")
    for twin in book.twins(section):
        yield "Not to be confused with:", Text(" › ".join(twin.path), style="dim")


class _RowTable:
    """A table where it fits without breaking its cells to shreds, else row by row."""

    _NARROW = 24  # a column that needs more may be wrapped, but not below this width

    def __init__(self, rows: tuple[Statement, ...]) -> None:
        self.rows = rows

    def __rich_console__(
        self, console: Console, options: ConsoleOptions
    ) -> Iterator[RenderableType]:
        yield self._grid() if self._width() <= options.max_width else self._records()

    def _width(self) -> int:
        """The width below which the table would break words or squeeze its cells."""
        columns = len(self.rows[0].cells)
        return sum(self._column_width(n) for n in range(columns)) + 2 * columns

    def _column_width(self, n: int) -> int:
        header = self.rows[0].cells[n][0]
        cells = [row.cells[n][1] for row in self.rows]
        words = [len(word) for text in (header, *cells) for word in text.split()]
        return max(*words, min(max(map(len, cells)), self._NARROW), 1)

    def _grid(self) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for header, _ in self.rows[0].cells:
            table.add_column(Text(header))
        for row in self.rows:
            table.add_row(*(Text(cell) for _, cell in row.cells))
        return table

    def _records(self) -> Group:
        return Group(*(Padding(self._record(row), (0, 0, 1, 0)) for row in self.rows))

    def _record(self, row: Statement) -> Group:
        cells = [(header, cell) for header, cell in row.cells if cell]
        return Group(*(hanging(f"{h}:" if h else "", Text(c)) for h, c in cells))


# In a pipe


def plain_games(library: Library, packaged: Iterable[str]) -> str:
    """The books, three lines each."""
    own = set(packaged)
    lines = []
    for book in library.books:
        what, counts = book_lines(book, book.id in own)
        lines += [f"{book.title}  {book.id}", f"  {what}", f"  {counts}"]
    return "\n".join(lines)


def plain_contents(book: Rulebook) -> str:
    """The heading paths, one a line, each fit to be typed again."""
    return "\n".join([book.title, "", *(section.name for section in book.sections)])


def plain_sections(book: Rulebook, sections: Iterable[Section]) -> str:
    """Sections with one statement a line, not wrapped."""
    parts = [book.title]
    for section in sections:
        parts += ["", section.name, "", *map(_plain_statement, section.statements)]
    return "\n".join(parts)


def plain_choice(book: Rulebook, query: str, sections: Sequence[Section]) -> str:
    """The sections that a query may mean, one path a line."""
    names = [section.name for section in sections]
    head = f"{counted(len(names), 'section')} may be meant by '{query}':"
    return "\n".join([head, *names, _choice_hint(book, sections)])


def _choice_hint(book: Rulebook, sections: Sequence[Section]) -> str:
    return f"Next: rulespal show {book.id} {quoted(sections[0].name)}"


def _plain_statement(statement: Statement) -> str:
    bullet = "  " * (statement.depth - 1) + "- " if statement.depth else ""
    return bullet + statement.text
