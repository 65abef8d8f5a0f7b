"""Players' words lead to the books' terms."""

from __future__ import annotations

from pathlib import Path

import pytest
from conftest import TOADS

from rulespal_chat.corpus.parser import parse_rulebook
from rulespal_chat.corpus.renderer import render_rulebook
from rulespal_chat.search.lexical import Stems
from rulespal_chat.search.vocabulary import Vocabulary
from rulespal_chat.types import Library, Query

WORDS = """\
words:
  Toad: [frog, slimy friend]
  Well: [hole in the ground, pit]
  Moon: [pit]
---
"""
BOOK = parse_rulebook(TOADS.replace("---\n\n# Toad", f"{WORDS}\n# Toad", 1), Path("toads.md"))
VOCABULARY = Vocabulary(Library((BOOK,)), Stems())


def terms(text: str, *games: str) -> tuple[str, ...]:
    return VOCABULARY.terms(Query(text, text, games or ("toad-well",)))


def test_the_front_matter_says_what_players_call_things() -> None:
    assert BOOK.words == (
        ("Toad", ("frog", "slimy friend")),
        ("Well", ("hole in the ground", "pit")),
        ("Moon", ("pit",)),
    )
    assert parse_rulebook(render_rulebook(BOOK), Path("again.md")).words == BOOK.words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("how many frogs win?", ("Toad",)),
        ("my slimy friends", ("Toad",)),
        ("Frog, frog and FROG", ("Toad",)),
        ("a hole in the ground", ("Well",)),
        ("the pit", ("Well", "Moon")),
        ("slimy things", ()),
        ("the Witch wins", ()),
        ("five frogs, one pit", ("Toad", "Well", "Moon", "5", "1")),
        ("maximum frogs?", ("Toad",)),
    ],
)
def test_words_and_expressions_are_found_in_any_form(text: str, expected: tuple[str, ...]) -> None:
    assert terms(text) == expected


def test_only_the_games_in_question_lend_their_words() -> None:
    assert terms("frog", "evil-corp") == ()


def test_it_knows_its_words() -> None:
    stems = Stems()
    assert all(VOCABULARY.knows(stem) for stem in stems("frogs slimy holes"))
    assert all(VOCABULARY.knows(stem) for stem in stems("maximum seven allowed"))
    assert not VOCABULARY.knows("witch")


def test_the_packaged_books_have_words_of_players() -> None:
    from rulespal_chat.corpus.library import load_library
    from rulespal_chat.corpus.places import packaged_corpus

    library = load_library(packaged_corpus() / "nowhere")
    vocabulary = Vocabulary(library, Stems())
    assert all(book.words for book in library.books)
    assert vocabulary.terms(Query("", "who keeps the castle", ("evil-corp",))) == ("fortress",)
    for book in library.books:
        # A term that the book doesn't use would lead nowhere.
        said = (
            " ".join(s.text for s in book.statements).lower()
            + " ".join(section.name for section in book.sections).lower()
        )
        unused = [
            term for term, _ in book.words if not all(w in said for w in term.lower().split())
        ]
        assert unused == []
