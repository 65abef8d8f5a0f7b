"""From Markdown to headings and blocks of text, each with its lines.

markdown-it reads the Markdown. What it would drop without a word is refused here instead.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from markdown_it import MarkdownIt
from markdown_it.rules_block.table import escapedSplit
from markdown_it.tree import SyntaxTreeNode

from rulespal_chat.corpus.text import one_line
from rulespal_chat.errors import RulebookError
from rulespal_chat.types import Kind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from markdown_it.token import Token

_MAX_NESTING = 16  # markdown-it drops what is nested deeper than 20
MARKER = re.compile(r"(Example|Unclear)( \d+)?:(?= |$)")
_EXPECTED_BLOCK = "a heading, a paragraph, a bullet, a table or a quotation"


@dataclass(frozen=True, slots=True)
class Source:
    """Where the text comes from, for messages; its lines are those of the file."""

    path: Path
    lines: Sequence[str]

    def error(self, line: int, found: str, expected: str) -> RulebookError:
        """An error on a line of this source, to be raised."""
        return RulebookError(self.path, line, found, expected)


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading, its level 1 to 6 and its line in the file."""

    text: str
    level: int
    line: int


@dataclass(frozen=True, slots=True)
class Block:
    """What becomes a statement once its section is known."""

    text: str
    lines: tuple[int, int]
    depth: int = 0
    cells: tuple[tuple[str, str], ...] = ()

    @property
    def kind(self) -> Kind:
        """What the block is, by its shape and its first word."""
        if self.cells:
            return Kind.TABLE_ROW
        marker = MARKER.match(self.text)
        return Kind(marker[1].lower()) if marker else Kind.RULE


@cache
def _markdown() -> MarkdownIt:
    # HTML and link definitions count as text: a book has no use for them, and nothing is lost.
    return MarkdownIt("commonmark", {"html": False}).enable("table").disable("reference")


def read_blocks(body: str, source: Source) -> Iterator[Heading | Block]:
    """Headings and blocks in the order of the text.

    Args:
        body: Markdown whose lines are counted as the file's are.
        source: for messages, and for what the Markdown parser doesn't keep.

    Raises:
        RulebookError: a block isn't part of the format.
    """
    tokens = _markdown().parse(body)
    for token in tokens:
        if token.level > _MAX_NESTING and token.map:
            found = "lists or quotations nested too deeply"
            raise source.error(token.map[0] + 1, found, "at most 7 levels")
    for node in SyntaxTreeNode(tokens).children:
        if node.type == "heading":
            yield Heading(_inline_text(node), int(node.tag[1]), _lines(node)[0])
        else:
            yield from _blocks(node, 0, source)


def _blocks(node: SyntaxTreeNode, depth: int, source: Source) -> Iterator[Block]:
    match node.type:
        case "paragraph":
            if text := _inline_text(node):
                yield Block(text, _lines(node), depth)
        case "bullet_list" | "ordered_list" | "blockquote" | "list_item":
            yield from _container(node, depth, source)
        case "table":
            yield from _rows(node, source)
        case "hr":
            pass
        case _:
            raise _refusal(node, source)


def _container(node: SyntaxTreeNode, depth: int, source: Source) -> Iterator[Block]:
    inside = depth + node.type.endswith("_list")
    # A printed number is part of the rule ("see step 5"), so that it stays in the text.
    number = f"{node.info}{node.markup} " if node.type == "list_item" and node.info else ""
    for child in node.children:
        for block in _blocks(child, inside, source):
            yield block if block.cells else replace(block, text=number + block.text)
            number = ""


def _refusal(node: SyntaxTreeNode, source: Source) -> RulebookError:
    if node.type == "heading":
        found = "a heading inside a list or a quotation"
        return source.error(_lines(node)[0], found, "headings at the start of a line")
    found = "a code block (text after four spaces or between fences)"
    return source.error(_lines(node)[0], found, _EXPECTED_BLOCK)


def _rows(table: SyntaxTreeNode, source: Source) -> Iterator[Block]:
    header, body = [*table.children, None][:2]
    if header is None or body is None:
        found = "a table without rows"
        raise source.error(_lines(table)[0], found, "at least one row below the header")
    names = [_inline_text(cell) for cell in header.children[0].children]
    for row in body.children:
        _check_width(row, len(names), source)
        values = [_inline_text(cell) for cell in row.children]
        text = "; ".join(f"{n}: {v}" if n else v for n, v in zip(names, values, strict=True) if v)
        if text:
            yield Block(text, _lines(row), 0, tuple(zip(names, values, strict=True)))


def _check_width(row: SyntaxTreeNode, width: int, source: Source) -> None:
    """Refuses a row whose surplus cells Markdown would drop without a word."""
    line = _lines(row)[0]
    cells = escapedSplit(source.lines[line - 1].strip(" 	>").strip("|"))
    if len(cells) > width:
        raise source.error(line, f"{len(cells)} cells in a row of the table", f"{width} or fewer")


def _inline_text(node: SyntaxTreeNode) -> str:
    return one_line("".join(_run(token) for inline in _inlines(node) for token in inline))


def _inlines(node: SyntaxTreeNode) -> Iterator[Sequence[Token]]:
    for child in node.children:
        if child.type == "inline" and child.token is not None:
            yield child.token.children or ()


def _run(token: Token) -> str:
    return " " if token.type in {"softbreak", "hardbreak"} else token.content


def _lines(node: SyntaxTreeNode) -> tuple[int, int]:
    first, end = node.map or (0, 1)
    return first + 1, max(end, first + 1)
