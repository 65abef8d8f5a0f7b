"""Markdown becomes sections and statements, or one error that names the line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import HEAD, TOADS
from hypothesis import example, given
from hypothesis import strategies as st

from rulespal_chat.corpus.parser import MAX_BYTES, parse_rulebook, read_rulebook
from rulespal_chat.corpus.renderer import render_rulebook
from rulespal_chat.errors import CorpusError, RulebookError
from rulespal_chat.types import BookKind, Chapter, ChapterKind, Kind, Rulebook

if TYPE_CHECKING:
    from collections.abc import Callable

BOOK = Path("book.md")


def read(body: str) -> Rulebook:
    return parse_rulebook(HEAD.split("chapters:")[0] + "---\n# Toad Quest: The Well\n" + body, BOOK)


def texts(body: str) -> list[str]:
    return [statement.text for statement in read("## H\n" + body).statements]


def error(text: str) -> str:
    with pytest.raises(RulebookError) as raised:
        parse_rulebook(text, BOOK)
    return raised.value.sentence


def test_the_book_has_what_its_front_matter_says(toads: Rulebook) -> None:
    assert (toads.id, toads.title) == ("toad-well", "Toad Quest: The Well")
    assert toads.aliases == ("Toad Quest", "The Well")
    assert (toads.kind, toads.base_game) == (BookKind.EXPANSION, "Toad Quest")
    assert toads.chapters == (
        Chapter("The Witch", ChapterKind.ROLE, ("Hexer",), ("The Old Witch",)),
        Chapter("The Old Witch", ChapterKind.ROLE, (), ("The Witch",)),
        Chapter("Scoring", ChapterKind.CHAPTER),
    )


def test_every_heading_is_a_section_with_its_path_and_lines(toads: Rulebook) -> None:
    assert [(s.name, s.id, s.level, s.lines) for s in toads.sections] == [
        ("The Witch", "toad-well/the-witch", 2, (19, 19)),
        ("The Witch > How to Win", "toad-well/the-witch/how-to-win", 3, (21, 27)),
        ("The Witch > 1) Brew", "toad-well/the-witch/1-brew", 3, (29, 36)),
        ("The Witch > 1) Brew > Stir", "toad-well/the-witch/1-brew/stir", 4, (38, 40)),
        ("The Old Witch", "toad-well/the-old-witch", 2, (42, 42)),
        ("The Old Witch > How to Win", "toad-well/the-old-witch/how-to-win", 3, (44, 46)),
        ("Scoring", "toad-well/scoring", 2, (48, 48)),
    ]


def test_a_bullet_a_paragraph_a_row_and_a_note_are_statements(toads: Rulebook) -> None:
    win, brew = toads.sections[1:3]
    assert [(s.kind, s.depth, s.line, s.text) for s in (*win.statements, *brew.statements)] == [
        (Kind.RULE, 1, 23, "The Witch wins with 3 Toads."),
        (Kind.RULE, 2, 24, "A Toad in the Well counts as 2 Toads."),
        (
            Kind.EXAMPLE,
            1,
            25,
            "Example: With 1 Toad in the Well and 1 on her board, the Witch wins.",
        ),
        (Kind.UNCLEAR, 0, 27, "Unclear: The book does not say whether a golden Toad is a Toad."),
        (Kind.RULE, 0, 31, "The Witch draws as many cards as the Moon allows [MOON]."),
        (Kind.TABLE_ROW, 0, 35, "Moon: New; Cards: 1"),
        (Kind.TABLE_ROW, 0, 36, "Moon: Full; Cards: 3; Bonus: 1 Toad"),
    ]
    assert brew.statements[1].cells == (("Moon", "New"), ("Cards", "1"), ("Bonus", ""))


def test_ids_are_short_and_say_where_the_statement_stands(toads: Rulebook) -> None:
    ids = [statement.id for statement in toads.statements]
    assert ids[0] == "toad-well/the-witch/how-to-win#fd116c97"
    assert len(set(ids)) == len(ids)


def test_the_same_text_twice_in_a_section_has_two_ids() -> None:
    first, second, third = read("## H\n- Draw.\n- Pass.\n- Draw.\n").statements
    assert third.id == f"{first.id}-2"
    assert second.id != first.id


def test_below_and_twins(toads: Rulebook) -> None:
    names = {section.name: section for section in toads.sections}
    assert toads.below(names["The Witch"]) == toads.sections[1:4]
    assert toads.below(names["Scoring"]) == ()
    assert toads.twins(names["The Witch > How to Win"]) == (names["The Old Witch > How to Win"],)
    assert toads.twins(names["The Witch > 1) Brew"]) == ()
    with pytest.raises(KeyError):
        toads.chapter("The Cook")


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("One rule\nover two lines.\n", ["One rule over two lines."]),
        ("**Bold**, *thin* and `code` [INF+2].\n", ["Bold, thin and code [INF+2]."]),
        ("See [Move](#move) ![a picture](x.png)\n", ["See Move a picture"]),
        ("3. Third.\n4. Fourth.\n", ["3. Third.", "4. Fourth."]),
        ("1. First.\n\n   More.\n", ["1. First.", "More."]),
        ("> A quoted rule.\n", ["A quoted rule."]),
        ("<b>Not</b> HTML\n", ["<b>Not</b> HTML"]),
        ("[note]: kept as text\n", ["[note]: kept as text"]),
        ("A \x1b[31mred\x1b[0m \u202erule&#27;\u200b.\n", ["A [31mred[0m rule\ufffd."]),
        ("a\u00a0b\u2028c\td\r\ne\n", ["a b c d e"]),
        ("---\n***\n", []),
        ("| A | |\n|---|---|\n| x | y |\n| | |\n", ["A: x; y"]),
        ("-\n-   \n- x\n", ["x"]),
        ("Example: plain\n", ["Example: plain"]),
    ],
)
def test_what_counts_as_text(body: str, expected: list[str]) -> None:
    assert texts(body) == expected


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("**Example:** x", Kind.EXAMPLE),
        ("Example 2: x", Kind.EXAMPLE),
        ("**Unclear:** x", Kind.UNCLEAR),
        ("Example:x", Kind.RULE),
        ("Examples of tokens: x", Kind.RULE),
        ("An unclear rule.", Kind.RULE),
    ],
)
def test_kinds(text: str, kind: Kind) -> None:
    assert [s.kind for s in read(f"## H\n{text}\n").statements] == [kind]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("", None),
        (
            "Text.\n",
            "line 10: text between the title and the first heading; "
            "expected it below a heading of level 2",
        ),
        ("## A\n# B\n", "line 11: a second title; expected one heading of level 1"),
        ("## !\n", "line 10: a heading without a word; expected letters or digits"),
        ("## A > B\n", "line 10: ' > ' in a heading; expected it to stand between headings only"),
        (
            "## A\n### B\n## A\n",
            "line 12: the heading path 'A' again; expected a path that "
            "differs from the one on line 10 by a word",
        ),
        (
            "## A\n### Move!\n### move\n",
            "line 12: the heading path 'A > move' again; expected a "
            "path that differs from the one on line 11 by a word",
        ),
        (
            "## A\n> ## B\n",
            "line 11: a heading inside a list or a quotation; "
            "expected headings at the start of a line",
        ),
        (
            "## A\n\n    code\n",
            "line 12: a code block (text after four spaces or between fences); "
            "expected a heading, a paragraph, a bullet, a table or a quotation",
        ),
        (
            "## A\n```\ncode\n```\n",
            "line 11: a code block (text after four spaces or between "
            "fences); expected a heading, a paragraph, a bullet, a table "
            "or a quotation",
        ),
        (
            "## A\n| a |\n|---|\n",
            "line 11: a table without rows; expected at least one row below the header",
        ),
        (
            "## A\n| a |\n|---|\n| 1 | 2 |\n",
            "line 13: 2 cells in a row of the table; expected 1 or fewer",
        ),
        (
            "## A\n" + "- " * 9 + "x\n",
            "line 11: lists or quotations nested too deeply; expected at most 7 levels",
        ),
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(body: str, message: str | None) -> None:
    if message is None:
        assert read(body).sections == ()
    else:
        text = HEAD.split("chapters:")[0] + "\n---\n# Toad Quest: The Well\n" + body
        assert error(text) == f"book.md: {message}"


def test_seven_levels_of_bullets_are_fine() -> None:
    assert [s.depth for s in read("## H\n- a\n" + "- " * 7 + "x\n").statements] == [1, 2]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "",
            "line 1: no front matter; expected '---', then id, title, kind and chapters in YAML, "
            "then '---'",
        ),
        (
            "---\nid: a\n",
            "line 1: no front matter; expected '---', then id, title, kind and "
            "chapters in YAML, then '---'",
        ),
        (
            "---\n---\n",
            "line 2: front matter without fields; expected '---', then id, title, kind "
            "and chapters in YAML, then '---'",
        ),
        (
            "---\nid: a\nid: b\n---\n",
            'line 3: found duplicate key "id" with value "b" (original '
            'value: "a"); expected plain YAML 1.2',
        ),
        (
            "---\nid: [\n---\n",
            "line 3: expected the node content, but found '<stream end>'; expected plain YAML 1.2",
        ),
        ("---\nx: !!int x\n---\n", "line 2: unreadable front matter; expected plain YAML 1.2"),
        (
            "---\ntitle: T\nid: No Spaces\nkind: game\n---\n",
            "line 3: front matter: a wrong value for 'id'; expected small letters, digits and single "
            "hyphens, as in evil-corp",
        ),
        (
            "---\nid: a\nkind: game\n---\n",
            "line 2: front matter: no field 'title'; expected it to be there",
        ),
        (
            "---\nid: a\ntitle: T\nkind: game\nauthor: me\n---\n",
            "line 5: front matter: an unknown field 'author'; expected only fields that the format "
            "has",
        ),
        (
            "---\nid: a\ntitle: 7\nkind: game\n---\n",
            "line 3: front matter: a wrong value for 'title'; expected input should be a valid "
            "string",
        ),
        (
            "---\nid: a\ntitle: T\nkind: sequel\n---\n",
            "line 4: front matter: a wrong value for 'kind'; expected input should be 'game' or "
            "'expansion'",
        ),
        (
            "---\nid: a\ntitle: T\nkind: expansion\n---\n",
            "line 4: an expansion without base_game; expected the base game's title",
        ),
        (
            "---\nid: a\ntitle: T\nkind: game\nbase_game: B\n---\n",
            "line 4: a game with base_game; expected kind: expansion, or no base_game",
        ),
        (
            "---\nid: a\ntitle: T\nkind: game\nchapters:\n  - heading: X\n    role: y\n---\n",
            "line 7: front matter: an unknown field 'chapters.0.role'; expected only fields that the "
            "format has",
        ),
        (
            "---\nid: a\ntitle: T\nkind: game\nchapters:\n  - heading: X\n---\n# T\n## Y\n",
            "line 6: front matter: a chapter 'X' that the book lacks; expected a heading of the "
            "first level below the title",
        ),
        (
            "---\nid: a\ntitle: T\nkind: game\n---\n",
            "line 6: the end of the file; expected the title, '# T', right after the front matter",
        ),
        (
            "---\nid: a\ntitle: T\nkind: game\n---\n\nHello\n",
            "line 7: text before the title; expected the title, '# T', right after the front matter",
        ),
        (
            "---\nid: a\ntitle: T\nkind: game\n---\n# U\n",
            "line 6: the heading 'U' of level 1; expected the title, '# T', right after the front "
            "matter",
        ),
    ],
)
def test_front_matter_errors_name_their_line(text: str, message: str) -> None:
    assert error(text) == f"book.md: {message}"


def test_yaml_1_2_has_no_surprising_booleans() -> None:
    text = "---\nid: yes\ntitle: No\nkind: game\n---\n# No\n## On\n"
    assert parse_rulebook(text, BOOK).title == "No"


def test_a_file_that_is_not_utf_8_is_refused_with_the_line(tmp_path: Path) -> None:
    path = tmp_path / "rulebook.md"
    path.write_bytes(HEAD.encode() + "## Caf\u00e9\n".encode("cp1252"))
    with pytest.raises(RulebookError, match="line 18: byte 0xe9 isn't UTF-8 text"):
        read_rulebook(path)


def test_a_byte_order_mark_and_windows_line_ends_are_fine(tmp_path: Path) -> None:
    path = tmp_path / "rulebook.md"
    path.write_bytes(b"\xef\xbb\xbf" + TOADS.replace("\n", "\r\n").encode())
    assert read_rulebook(path).sections == parse_rulebook(TOADS, path).sections


def test_a_huge_file_is_refused_without_being_read(tmp_path: Path) -> None:
    path = tmp_path / "rulebook.md"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(CorpusError, match="8,000,001 bytes, while a book may have 8,000,000"):
        read_rulebook(path)


@pytest.mark.parametrize("make", [Path.mkdir, Path.exists])
def test_what_is_not_a_file_is_refused(make: Callable[[Path], object], tmp_path: Path) -> None:
    path = tmp_path / "rulebook.md"
    make(path)
    with pytest.raises(CorpusError, match=r"No such file|it isn't a file"):
        read_rulebook(path)


# Any text parses or is refused with the one error, and a book survives its own rendering.

_PIECES = st.sampled_from(
    [
        "# ",
        "## ",
        "### ",
        "- ",
        "* ",
        "1. ",
        "3) ",
        "> ",
        "| a | b |\n",
        "| --- | --- |\n",
        "\n",
        "\n\n",
        "    ",
        "  ",
        "**Example:** ",
        "> **Unclear:** ",
        "`",
        "```\n",
        "<b>",
        "&amp;",
        "&#27;",
        "[x](y)",
        "[x]: y\n",
        "![i](j)",
        "\\",
        "|",
        "---\n",
        "===\n",
        "word",
        "A rule.",
        "\t",
        "~",
        "\x1b[31m",
        " > ",
        "Example:",
        "#",
        "_",
        "\u00a0",
        "0",
    ]
)
_BODIES = st.lists(_PIECES | st.text(max_size=4), max_size=25).map("".join)
_BOOKS = st.lists(_PIECES | st.just("## H\n"), max_size=25).map(lambda ps: "## G\n" + "".join(ps))


def content(book: Rulebook) -> list[object]:
    """All of a book but the lines, which rendering may change."""
    return [
        (s.id, s.path, s.level, [(x.id, x.kind, x.text, x.depth, x.cells) for x in s.statements])
        for s in book.sections
    ]


@given(st.text() | _BODIES)
@example("&0000[&0000")
@example("\x00---\n")
def test_any_text_parses_or_is_refused_with_the_one_error(text: str) -> None:
    for whole in (text, HEAD + text, f"---\n{text}\n---\n# T\n"):
        try:
            book = parse_rulebook(whole, BOOK)
        except RulebookError as refused:
            assert refused.line >= 1
            assert "\n" not in refused.sentence
        else:
            assert all(s.text == s.text.strip() and s.text for s in book.statements)


@given(_BOOKS)
@example("## G\nExample:#\n")
@example("## G\n- a\n\n  para\n\n  - nested\n- **Unclear:** x\n    - deep\n")
def test_parse_render_parse_is_stable(body: str) -> None:
    try:
        book = read(body)
    except RulebookError:
        return
    rendered = render_rulebook(book)
    again = parse_rulebook(rendered, BOOK)
    assert content(again) == content(book)
    assert render_rulebook(again) == rendered


@given(_BOOKS, _BOOKS)
def test_statement_ids_do_not_depend_on_other_sections(body: str, other: str) -> None:
    try:
        alone = read("## Own\n" + body.removeprefix("## G\n").replace("#", ""))
        together = read(
            "## First\n"
            + other.removeprefix("## G\n").replace("#", "")
            + "\n\n## Own\n"
            + body.removeprefix("## G\n").replace("#", "")
        )
    except RulebookError:
        return
    own = {section.name: section for section in together.sections}["Own"]
    assert [s.id for s in own.statements] == [s.id for s in alone.sections[0].statements]
