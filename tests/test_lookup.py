"""What a player types finds the game and the section that they mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.lookup import find_game, find_sections
from rulespal_chat.corpus.places import packaged_corpus
from rulespal_chat.errors import UnknownGameError, UnknownSectionError
from rulespal_chat.types import Library, Rulebook

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture(scope="module")
def library() -> Library:
    return load_library(packaged_corpus() / "nowhere")


@pytest.fixture(scope="module")
def vast(library: Library) -> Rulebook:
    return find_game(library, "vast-the-fearsome-foes")


@pytest.mark.parametrize(
    ("typed", "game"),
    [
        ("vast-the-fearsome-foes", "vast-the-fearsome-foes"),
        ("Vast", "vast-the-fearsome-foes"),
        ("fearsome foes", "vast-the-fearsome-foes"),
        ("VAST: THE FEARSOME FOES", "vast-the-fearsome-foes"),
        ("evil corp.", "evil-corp"),
        ("evil", "evil-corp"),
        ("epic", "epic-resort-villains-vacation"),
        ("villain's vacation", "epic-resort-villains-vacation"),
        ("Villain’s Vacation", "epic-resort-villains-vacation"),
        ("epic resrot", "epic-resort-villains-vacation"),
        ("vsat", "vast-the-fearsome-foes"),
    ],
)
def test_a_game_is_found_by_name_part_or_typo(library: Library, typed: str, game: str) -> None:
    assert find_game(library, typed).id == game


def test_an_unknown_game_is_answered_with_the_nearest(library: Library) -> None:
    with pytest.raises(UnknownGameError) as raised:
        find_game(library, "epic fail resorts")
    assert str(raised.value) == (
        "No game in the library is called 'epic fail resorts' (nearest: "
        "epic-resort-villains-vacation). Next: rulespal show epic-resort-villains-vacation"
    )


@pytest.mark.parametrize("typed", ["", "  ", "🎲", "chess", "\x1b[31m", "x" * 100_000])
def test_a_game_that_resembles_none_is_refused(library: Library, typed: str) -> None:
    with pytest.raises(UnknownGameError) as raised:
        find_game(library, typed)
    assert raised.value.hint == "rulespal games"
    assert len(str(raised.value)) < 200


def test_a_name_of_two_games_is_not_guessed(toads: Rulebook, vast: Rulebook) -> None:
    from dataclasses import replace

    other = replace(toads, id="toad-pond", title="Toad Quest: The Pond", aliases=())
    with pytest.raises(UnknownGameError, match="'toad' may be toad-well or toad-pond"):
        find_game(Library((toads, other, vast)), "toad")


@pytest.mark.parametrize(
    ("typed", "sections"),
    [
        ("ghoul how to win", ["The Ghoul > How to Win"]),
        ("The Ghoul > How to Win", ["The Ghoul > How to Win"]),
        ("the ghoul › how to win", ["The Ghoul > How to Win"]),
        ("ghoul/how to win", ["The Ghoul > How to Win"]),
        ("goul how to wn", ["The Ghoul > How to Win"]),
        ("vile ghoul how to win", ["The Vile Ghoul > How to Win"]),
        ("vile how to win", ["The Vile Ghoul > How to Win"]),
        ("ghoul", ["The Ghoul"]),
        ("ghoul difficulty", ["The Ghoul > Difficulty Variants"]),
        ("ghoul attack", ["The Ghoul > 2) Move and Act > Attack"]),
        ("ghoul 2) move and act", ["The Ghoul > 2) Move and Act"]),
        ("ghost move and act", ["The Ghost > 2) Move and Act"]),
        ("telekinesis", ["The Ghost > 2) Move and Act > Telekinesis"]),
        ("skittering", ["The Ghoul > Skittering"]),
        ("skiterring", ["The Ghoul > Skittering"]),
        ("any 2 roles", ["The Ghoul > Player Variants > 3 Players > -Any 2 Roles- vs. Ghoul"]),
        ("knight vs ghoul", ["The Ghoul > Player Variants > 2 Players > Knight vs. Ghoul"]),
        ("ghoul terrains", ["The Ghoul > Terrain"]),
        (
            "attack",
            ["The Ghoul > 2) Move and Act > Attack", "The Vile Ghoul > 3) Move and Act > Attack"],
        ),
        (
            "unicorn difficulty",
            [
                "The Nightmare Unicorn > Difficulty Variants",
                "The Shadow Unicorn > Difficulty Variants",
            ],
        ),
        ("unicorn", ["The Nightmare Unicorn", "The Shadow Unicorn"]),
    ],
)
def test_a_section_is_found_by_path_part_or_typo(
    vast: Rulebook, typed: str, sections: list[str]
) -> None:
    assert [section.name for section in find_sections(vast, typed)] == sections


def test_every_section_is_found_by_its_own_path(library: Library) -> None:
    for book in library.books:
        for section in book.sections:
            assert find_sections(book, section.name) == (section,)


def test_an_unknown_section_is_answered_with_the_nearest(vast: Rulebook) -> None:
    with pytest.raises(UnknownSectionError) as raised:
        find_sections(vast, "ghoul combat rules")
    assert raised.value.nearest[0] == "The Ghoul"
    assert raised.value.hint == 'rulespal show vast-the-fearsome-foes "The Ghoul"'


@pytest.mark.parametrize("typed", ["", ">", "🎲", "\x00", "zzzz", "q" * 100_000])
def test_a_section_that_resembles_none_is_refused(vast: Rulebook, typed: str) -> None:
    with pytest.raises(UnknownSectionError) as raised:
        find_sections(vast, typed)
    assert raised.value.hint == "rulespal show vast-the-fearsome-foes"


@given(st.text())
def test_any_text_finds_sections_or_is_refused(text: str) -> None:
    from pathlib import Path

    from conftest import TOADS

    from rulespal_chat.corpus.parser import parse_rulebook

    book = parse_rulebook(TOADS, Path("toads.md"))
    try:
        assert find_sections(book, text)
    except UnknownSectionError as refused:
        assert "\n" not in str(refused)


def test_a_book_without_sections_has_none_to_find(tmp_path: Path) -> None:
    from rulespal_chat.corpus.parser import parse_rulebook

    empty = parse_rulebook("---\nid: a\ntitle: T\nkind: game\n---\n# T\n", tmp_path)
    with pytest.raises(UnknownSectionError, match="T has no section 'setup'"):
        find_sections(empty, "setup")
