"""The three books that come with RulesPal: whole, quotable, and each statement clear by itself."""

from __future__ import annotations

import re

import pytest

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.places import packaged_corpus
from rulespal_chat.types import BookKind, ChapterKind, Kind, Rulebook, Section

BOOKS = {book.id: book for book in load_library(packaged_corpus() / "nowhere").books}
SECTIONS = [
    pytest.param(book, section, id=section.id)
    for book in BOOKS.values()
    for section in book.sections
]
LINES = {book.id: book.source.read_text(encoding="utf-8").split("\n") for book in BOOKS.values()}
# Names, and quotations of the print, that hold a word which the style of statements leaves out.
NAMES = re.compile(
    r"\"[^\"]*\"|Two-Player and Solo|Two-Headed Giant|We'll call you back|[Nn]o one|one another"
)
NUMBER_WORDS = re.compile(
    r"\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.I
)
BARE = re.compile(r"(It|She|He|They|You|Its|Her|His|Their|Those|These|This|That) (?!Ghost|Ghoul)")


@pytest.mark.parametrize(
    ("book", "kind", "base_game", "chapters", "sections"),
    [
        ("vast-the-fearsome-foes", BookKind.EXPANSION, "Vast: The Crystal Caverns", 6, 133),
        ("evil-corp", BookKind.GAME, None, 11, 48),
        ("epic-resort-villains-vacation", BookKind.EXPANSION, "Epic Resort", 10, 13),
    ],
)
def test_the_books_have_every_printed_heading(
    book: str, kind: BookKind, base_game: str | None, chapters: int, sections: int
) -> None:
    read = BOOKS[book]
    assert (read.kind, read.base_game) == (kind, base_game)
    assert (len(read.chapters), len(read.sections)) == (chapters, sections)


def test_the_roles_of_vast_and_their_twins() -> None:
    roles = [c for c in BOOKS["vast-the-fearsome-foes"].chapters if c.kind is ChapterKind.ROLE]
    assert {role.heading: role.twins for role in roles} == {
        "The Ghost": ("The Cave Ghost",),
        "The Cave Ghost": ("The Ghost",),
        "The Ghoul": ("The Vile Ghoul",),
        "The Vile Ghoul": ("The Ghoul",),
        "The Nightmare Unicorn": ("The Shadow Unicorn",),
        "The Shadow Unicorn": ("The Nightmare Unicorn",),
    }


def test_twins_name_each_other() -> None:
    for book in BOOKS.values():
        for chapter in book.chapters:
            assert all(chapter.heading in book.chapter(twin).twins for twin in chapter.twins)


def test_no_two_statements_of_the_library_share_an_id() -> None:
    ids = [statement.id for book in BOOKS.values() for statement in book.statements]
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize(("book", "section"), SECTIONS)
def test_statements_stand_in_the_file_word_for_word(book: Rulebook, section: Section) -> None:
    for statement in section.statements:
        assert statement.lines == (statement.line, statement.line)
        written = LINES[book.id][statement.line - 1]
        if statement.kind is Kind.TABLE_ROW:
            cells = " | ".join(cell for _, cell in statement.cells)
            assert re.sub(" +", " ", written) == re.sub(" +", " ", f"| {cells} |")
        else:
            assert re.sub(r"^ *(- |> )|\*\*", "", written) == statement.text


@pytest.mark.parametrize(("_book", "section"), SECTIONS)
def test_statements_make_sense_alone(_book: Rulebook, section: Section) -> None:
    for statement in section.statements:
        text = NAMES.sub("NAME", statement.text)
        assert not NUMBER_WORDS.search(text), f"a quantity not in digits: {text}"
        assert not BARE.match(text.removeprefix("Example: ")), f"a nameless subject: {text}"
        assert not re.search(r"\byou(rs?)?\b", text, re.IGNORECASE), f"no role named: {text}"
        assert len(text.split()) <= 70


def test_what_the_books_leave_open_is_marked_and_examples_are_too() -> None:
    counts = {
        book.id: [sum(s.kind is kind for s in book.statements) for kind in Kind]
        for book in BOOKS.values()
    }
    for rules, examples, unclear, _rows in counts.values():
        assert rules > 60
        assert examples > 0
        assert unclear > 10
