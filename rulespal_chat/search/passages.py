"""Sections cut into passages that fit the embedder's window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.types import Kind, Passage, Rulebook, Section, Statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

# A section of up to 900 characters fits the embedder's 256 tokens together with its heading path.
# A longer one is cut between statements; a piece is closed once it has 600.
LONGEST = 900
LONG_ENOUGH = 600


def passages(book: Rulebook) -> tuple[Passage, ...]:
    """The passages of a book, in its order; a section without text is a passage of its heading."""
    return tuple(passage for section in book.sections for passage in _of_section(book, section))


def embedded_statement(section: Section, statement: Statement) -> str:
    """The text that stands for a statement when it is embedded: with its heading path."""
    return f"{section.name}: {statement.text}"


def _of_section(book: Rulebook, section: Section) -> Iterator[Passage]:
    heading = f"{book.title}: {section.name}"
    for number, texts in enumerate(_pieces(section.statements), start=1):
        passage_id = f"{section.id}@{number}"
        yield Passage(passage_id, book.id, section.id, heading, "\n".join(texts))


def _pieces(statements: Sequence[Statement]) -> Iterator[list[str]]:
    """The statements' texts, piece by piece; at least one piece, which may be empty."""
    piece: list[str] = []
    for place, statement in enumerate(statements):
        if piece and _is_full(piece, statement.text):
            yield piece
            piece = [lead.text for lead in _leads(statements, place)]
            if _size(piece) + len(statement.text) > LONGEST:
                piece = []
        piece.append(statement.text)
    yield piece


def _is_full(piece: list[str], following: str) -> bool:
    return _size(piece) + len(following) > LONGEST or _size(piece) >= LONG_ENOUGH


def _size(piece: list[str]) -> int:
    return sum(len(text) + 1 for text in piece)


def _leads(statements: Sequence[Statement], place: int) -> list[Statement]:
    """What has to be read before the statement: the bullets above it and the text they announce.

    A table's sentence says how to read its rows; other texts announce what follows by a colon.
    """
    leads: list[Statement] = []
    below, depth = statements[place], statements[place].depth
    is_row = below.kind is Kind.TABLE_ROW
    if depth == 0 and not is_row:
        return leads
    for above in reversed(statements[:place]):
        if above.kind in {Kind.TABLE_ROW, Kind.UNCLEAR} or above.depth >= max(1, depth):
            continue
        if is_row or above.text.endswith(":"):
            leads.insert(0, above)
        if above.depth == 0:
            break
        depth = above.depth
    return leads
