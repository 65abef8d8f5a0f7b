"""From the text of a rulebook to a `Rulebook`. corpus/README.md documents the format."""

from __future__ import annotations

import re
from hashlib import blake2s
from typing import TYPE_CHECKING

from rulespal_chat.corpus.front_matter import FrontMatter, read_front_matter
from rulespal_chat.corpus.markdown import Block, Heading, Source, read_blocks
from rulespal_chat.corpus.text import clean
from rulespal_chat.errors import CorpusError, RulebookError
from rulespal_chat.types import SEPARATOR, Chapter, Kind, Rulebook, Section, Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

MAX_BYTES = 8_000_000


def read_rulebook(path: Path) -> Rulebook:
    """Reads a rulebook file.

    Raises:
        RulebookError: a line breaks the format.
        CorpusError: the file can't be read, is too large or isn't UTF-8.
    """
    try:
        if path.exists() and not path.is_file():
            raise CorpusError(path, "it isn't a file")
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise CorpusError(path, f"{size:,} bytes, while a book may have {MAX_BYTES:,}")
        raw = path.read_bytes()
        return parse_rulebook(raw.decode("utf-8-sig"), path)
    except OSError as error:
        raise CorpusError(path, error.strerror or "it can't be read") from None
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        found = f"byte {raw[error.start]:#04x} isn't UTF-8 text"
        raise RulebookError(path, line, found, "a file saved as UTF-8") from None


def parse_rulebook(text: str, path: Path) -> Rulebook:
    """Parses the text of a rulebook; `path` stands in error messages and in `Rulebook.source`.

    Raises:
        RulebookError: a line breaks the format.
    """
    text = clean(text)
    head = read_front_matter(text, path)
    # The front matter's lines stay as empty ones, so that the parser counts lines as the file does.
    body = "\n" * head.length + text.split("\n", head.length)[-1]
    source = Source(path, body.split("\n"))
    pieces = read_blocks(body, source)
    _check_title(next(pieces, None), head, source)
    sections = tuple(_sections(pieces, head.id, source))
    return Rulebook(
        id=head.id,
        title=head.title,
        aliases=head.aliases,
        kind=head.kind,
        base_game=head.base_game,
        chapters=_chapters(sections, head, source),
        sections=sections,
        source=path,
        words=head.words,
    )


def _check_title(piece: Heading | Block | None, head: FrontMatter, source: Source) -> None:
    expected = f"the title, '# {head.title}', right after the front matter"
    if piece is None:
        raise source.error(head.length + 1, "the end of the file", expected)
    if isinstance(piece, Block):
        raise source.error(piece.lines[0], "text before the title", expected)
    if piece.level > 1 or piece.text != head.title:
        found = f"the heading '{piece.text}' of level {piece.level}"
        raise source.error(piece.line, found, expected)


def _sections(pieces: Iterable[Heading | Block], book_id: str, source: Source) -> Iterator[Section]:
    open_headings: tuple[Heading, ...] = ()
    seen: dict[str, int] = {}
    for heading, blocks in _grouped(pieces, source):
        open_headings = (*(h for h in open_headings if h.level < heading.level), heading)
        names = tuple(h.text for h in open_headings)
        section_id = "/".join([book_id, *map(_slug, names)])
        _check_heading(heading, names, source)
        if section_id in seen:
            found = f"the heading path '{SEPARATOR.join(names)}' again"
            expected = f"a path that differs from the one on line {seen[section_id]} by a word"
            raise source.error(heading.line, found, expected)
        seen[section_id] = heading.line
        statements = _statements(blocks, section_id)
        last = max([heading.line, *(s.lines[1] for s in statements)])
        yield Section(section_id, names, heading.level, (heading.line, last), statements)


def _grouped(
    pieces: Iterable[Heading | Block], source: Source
) -> Iterator[tuple[Heading, list[Block]]]:
    current: tuple[Heading, list[Block]] | None = None
    for piece in pieces:
        if isinstance(piece, Heading):
            if current is not None:
                yield current
            current = piece, []
        elif current is None:
            found = "text between the title and the first heading"
            raise source.error(piece.lines[0], found, "it below a heading of level 2")
        else:
            current[1].append(piece)
    if current is not None:
        yield current


def _check_heading(heading: Heading, names: tuple[str, ...], source: Source) -> None:
    if heading.level == 1:
        raise source.error(heading.line, "a second title", "one heading of level 1")
    if not _slug(heading.text):
        raise source.error(heading.line, "a heading without a word", "letters or digits")
    if SEPARATOR in names[-1]:
        found = f"'{SEPARATOR}' in a heading"
        raise source.error(heading.line, found, "it to stand between headings only")


def _slug(heading: str) -> str:
    return "-".join(re.findall(r"\w+", heading.casefold()))


def _statements(blocks: Iterable[Block], section_id: str) -> tuple[Statement, ...]:
    made: list[Statement] = []
    times: dict[str, int] = {}
    depth = 0
    for block in blocks:
        kind = block.kind
        # A note stands outside the list around it, a bullet at most one level below the last.
        depth = 0 if kind is Kind.UNCLEAR else min(block.depth, depth + 1)
        digest = blake2s(block.text.encode(), digest_size=4).hexdigest()
        times[digest] = times.get(digest, 0) + 1
        again = f"-{times[digest]}" if times[digest] > 1 else ""
        statement_id = f"{section_id}#{digest}{again}"
        made.append(Statement(statement_id, kind, block.text, block.lines, depth, block.cells))
    return tuple(made)


def _chapters(
    sections: tuple[Section, ...], head: FrontMatter, source: Source
) -> tuple[Chapter, ...]:
    declared = {chapter.heading: chapter for chapter in head.chapters}
    headings = tuple(dict.fromkeys(section.chapter for section in sections))
    for chapter, line in zip(head.chapters, head.chapter_lines, strict=True):
        for name in (chapter.heading, *chapter.twins):
            if name not in headings:
                found = f"front matter: a chapter '{name}' that the book lacks"
                raise source.error(line, found, "a heading of the first level below the title")
    return tuple(declared.get(heading, Chapter(heading)) for heading in headings)
