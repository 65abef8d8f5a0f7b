"""Sections are cut into passages that can be embedded, and nothing is lost on the way."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import TOADS
from hypothesis import given
from hypothesis import strategies as st

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.parser import parse_rulebook
from rulespal_chat.corpus.places import packaged_corpus
from rulespal_chat.search.passages import embedded_statement, passages
from rulespal_chat.types import BookKind, Chapter, Kind, Rulebook, Section, Statement

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

LEAD = "She may do one of these:"  # 24 characters, 25 with the line's end


def statement(text: str, depth: int = 1, kind: Kind = Kind.RULE) -> Statement:
    return Statement(f"a/brew#{text[:3]}", kind, text, (1, 1), depth)


def numbered(count: int, depth: int = 1, kind: Kind = Kind.RULE) -> list[Statement]:
    """Different statements of 99 characters, which are 100 with the line's end."""
    return [statement(f"{n:03d}".ljust(99, "x"), depth, kind) for n in range(count)]


def brew(statements: Iterable[Statement]) -> Rulebook:
    """A book of one section."""
    section = Section("a/brew", ("Brew",), 2, (1, 1), tuple(statements))
    return Rulebook("a", "A", (), BookKind.GAME, None, (Chapter("Brew"),), (section,), Path("a.md"))


def lines_of(statements: Iterable[Statement]) -> list[list[str]]:
    return [passage.text.split("\n") for passage in passages(brew(statements))]


def texts(statements: Iterable[Statement]) -> list[str]:
    return [statement.text for statement in statements]


def test_a_short_section_is_one_passage_in_the_books_order(toads: Rulebook) -> None:
    assert [passage.id for passage in passages(toads)] == [
        "toad-well/the-witch@1",
        "toad-well/the-witch/how-to-win@1",
        "toad-well/the-witch/1-brew@1",
        "toad-well/the-witch/1-brew/stir@1",
        "toad-well/the-old-witch@1",
        "toad-well/the-old-witch/how-to-win@1",
        "toad-well/scoring@1",
    ]


def test_a_passage_is_embedded_with_its_title_and_heading_path(toads: Rulebook) -> None:
    brew = passages(toads)[2]
    assert (brew.game, brew.section) == ("toad-well", "toad-well/the-witch/1-brew")
    assert brew.embedded == (
        "Toad Quest: The Well: The Witch > 1) Brew\n"
        "The Witch draws as many cards as the Moon allows [MOON].\n"
        "Moon: New; Cards: 1\n"
        "Moon: Full; Cards: 3; Bonus: 1 Toad"
    )


def test_a_section_without_text_is_a_passage_of_its_heading(toads: Rulebook) -> None:
    scoring = passages(toads)[-1]
    assert (scoring.heading, scoring.text) == ("Toad Quest: The Well: Scoring", "")


def test_a_book_without_sections_has_no_passages() -> None:
    assert passages(parse_rulebook("---\nid: a\ntitle: A\nkind: game\n---\n# A\n", Path())) == ()


def test_a_statement_is_embedded_with_its_heading_path(toads: Rulebook) -> None:
    section = toads.sections[3]
    assert (
        embedded_statement(section, section.statements[0])
        == "The Witch > 1) Brew > Stir: The Witch may stir once."
    )


@pytest.mark.parametrize(
    ("sizes", "pieces"),
    [
        ([99] * 6, [6]),
        ([99] * 7, [6, 1]),
        ([99] * 20, [6, 6, 6, 2]),
        ([598, 10], [2]),
        ([599, 10], [1, 1]),
        ([500, 399], [2]),
        ([500, 400], [1, 1]),
        ([10, 950, 10], [1, 1, 1]),
        ([2000], [1]),
    ],
)
def test_a_long_section_is_cut_between_statements(sizes: list[int], pieces: list[int]) -> None:
    made = [statement(f"{n:03d}".ljust(size, "x")) for n, size in enumerate(sizes)]
    cut = lines_of(made)
    assert [len(piece) for piece in cut] == pieces
    assert [line for piece in cut for line in piece] == texts(made)


def test_the_pieces_of_a_section_are_numbered_and_share_its_heading() -> None:
    cut = passages(brew(numbered(13)))
    assert [passage.id for passage in cut] == ["a/brew@1", "a/brew@2", "a/brew@3"]
    assert {(passage.section, passage.heading) for passage in cut} == {("a/brew", "A: Brew")}


def test_a_bullet_that_leads_in_is_repeated_in_each_piece() -> None:
    below = numbered(14, depth=2)
    assert lines_of([statement(LEAD), *below]) == [
        [LEAD, *texts(below[:6])],
        [LEAD, *texts(below[6:12])],
        [LEAD, *texts(below[12:])],
    ]


def test_a_paragraph_that_leads_in_is_repeated_before_each_piece_of_its_list() -> None:
    paragraph = statement(LEAD, depth=0)
    below = numbered(14)
    assert lines_of([paragraph, *below]) == [
        [LEAD, *texts(below[:6])],
        [LEAD, *texts(below[6:12])],
        [LEAD, *texts(below[12:])],
    ]


def test_all_that_leads_in_is_repeated_from_the_outermost() -> None:
    paragraph, bullet = statement("On her turn:", depth=0), statement(LEAD)
    below = numbered(8, depth=2)
    leads = [paragraph.text, bullet.text]
    assert lines_of([paragraph, bullet, *below]) == [
        [*leads, *texts(below[:6])],
        [*leads, *texts(below[6:])],
    ]


def test_of_two_bullets_only_the_one_above_leads_in() -> None:
    other, below = statement("She may not do these:"), numbered(7, depth=2)
    assert lines_of([other, statement(LEAD), *below]) == [
        [other.text, LEAD, *texts(below[:6])],
        [LEAD, *texts(below[6:])],
    ]


def test_a_paragraph_that_says_all_is_not_repeated_before_its_list() -> None:
    whole = statement("She may stir.", depth=0)
    below = numbered(7)
    assert lines_of([whole, *below]) == [[whole.text, *texts(below[:6])], [below[6].text]]


def test_a_paragraph_in_between_ends_what_a_lead_in_leads_to() -> None:
    paragraph, between = statement(LEAD, depth=0), statement("By day she may not.", depth=0)
    below = numbered(7)
    assert lines_of([paragraph, between, *below]) == [
        [LEAD, between.text, *texts(below[:6])],
        [below[6].text],
    ]


def test_the_sentence_before_a_table_is_repeated_in_each_piece() -> None:
    rows = numbered(12, depth=0, kind=Kind.TABLE_ROW)
    announced = "The Moon decides, as shown."
    assert lines_of([statement(announced, depth=0), *rows]) == [
        [announced, *texts(rows[:6])],
        [announced, *texts(rows[6:])],
    ]


def test_a_lead_in_is_not_repeated_before_what_it_does_not_lead_to() -> None:
    below = numbered(6, depth=2)
    after = statement("Then her turn ends.", depth=0)
    assert lines_of([statement(LEAD), *below, after]) == [[LEAD, *texts(below)], [after.text]]


@pytest.mark.parametrize("kind", [Kind.RULE, Kind.UNCLEAR])
def test_a_paragraph_that_leads_in_is_not_repeated_after_its_list(kind: Kind) -> None:
    below, after = numbered(6), statement("Then her turn ends.", 0, kind)
    assert lines_of([statement(LEAD, depth=0), *below, after]) == [
        [LEAD, *texts(below)],
        [after.text],
    ]


def test_the_sentence_before_a_table_is_not_repeated_after_it() -> None:
    rows = numbered(6, depth=0, kind=Kind.TABLE_ROW)
    after = statement("Then her turn ends.", depth=0)
    assert lines_of([statement(LEAD, depth=0), *rows, after]) == [
        [LEAD, *texts(rows)],
        [after.text],
    ]


def test_a_note_amid_a_list_neither_leads_in_nor_ends_what_a_lead_in_leads_to() -> None:
    note = statement("Unclear: how often she may:", 0, Kind.UNCLEAR)
    paragraph, below = statement(LEAD, depth=0), numbered(8)
    assert lines_of([paragraph, below[0], note, *below[1:]]) == [
        [LEAD, below[0].text, note.text, *texts(below[1:6])],
        [LEAD, *texts(below[6:])],
    ]


def test_a_bullet_that_says_all_is_not_repeated() -> None:
    whole = statement("She may stir.")
    below = numbered(7, depth=2)
    assert lines_of([whole, *below]) == [[whole.text, *texts(below[:6])], [below[6].text]]


def test_an_id_does_not_depend_on_the_text_of_other_sections(toads: Rulebook) -> None:
    longer = TOADS.replace("- The Witch wins with 3 Toads.", "- " + "Toads win. " * 90)
    changed = passages(parse_rulebook(longer, Path("toads.md")))
    assert len(changed) == len(passages(toads)) + 1
    assert {passage.id for passage in passages(toads)} < {passage.id for passage in changed}


def test_no_two_passages_of_the_library_share_an_id() -> None:
    library = load_library(packaged_corpus() / "nowhere")
    ids = [passage.id for book in library.books for passage in passages(book)]
    assert len(ids) > 150
    assert len(set(ids)) == len(ids)


@st.composite
def statements(
    draw: st.DrawFn, longest: int, kinds: Sequence[Kind] = tuple(Kind), ends: str = ":."
) -> list[Statement]:
    """Statements of any of the kinds and of every depth whose texts all differ."""
    shapes = draw(
        st.lists(
            st.tuples(
                st.integers(4, longest),
                st.integers(0, 3),
                st.sampled_from(kinds),
                st.sampled_from(ends),
            ),
            max_size=30,
        )
    )
    return [
        statement(
            f"{n:03d}".ljust(size - 1, "x") + end,
            0 if kind in {Kind.TABLE_ROW, Kind.UNCLEAR} else depth,
            kind,
        )
        for n, (size, depth, kind, end) in enumerate(shapes)
    ]


@given(statements(longest=1200))
def test_every_statement_is_in_some_passage_in_order(made: list[Statement]) -> None:
    lines = [line for piece in lines_of(made) for line in piece if line]
    assert list(dict.fromkeys(lines)) == texts(made)


@given(statements(longest=300))
def test_only_what_leads_in_is_said_twice(made: list[Statement]) -> None:
    lines = [line for piece in lines_of(made) for line in piece]
    said_twice = {s for s in made if lines.count(s.text) > 1}
    has_table = any(s.kind is Kind.TABLE_ROW for s in made)
    assert all(s.text.endswith(":") or (has_table and s.depth == 0) for s in said_twice)
    assert all(s.kind is not Kind.TABLE_ROW for s in said_twice)


@given(statements(longest=300, kinds=(Kind.RULE, Kind.EXAMPLE, Kind.UNCLEAR), ends="."))
def test_a_piece_has_600_to_900_characters_and_only_the_last_one_less(
    made: list[Statement],
) -> None:
    sizes = [len(passage.text) + 1 for passage in passages(brew(made))]
    assert all(600 <= size <= 901 for size in sizes[:-1])
    assert sizes[-1] <= 901
