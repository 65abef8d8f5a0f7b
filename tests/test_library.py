"""Which books there are; one that can't be read never hides the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from conftest import TOADS

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.places import packaged_corpus

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    import pytest

OURS = ["epic-resort-villains-vacation", "evil-corp", "vast-the-fearsome-foes"]


def test_three_books_come_with_rulespal(home: Path) -> None:
    library = load_library(home)
    assert [book.id for book in library.books] == OURS
    assert library.problems == ()
    assert all(book.source.is_relative_to(packaged_corpus()) for book in library.books)
    assert not home.exists()


def test_a_players_own_book_stands_beside_them(
    home: Path, add_book: Callable[[str, str | bytes], Path]
) -> None:
    path = add_book("toad-well", TOADS)
    library = load_library(home)
    assert [book.id for book in library.books] == [*OURS, "toad-well"]
    assert library.books[-1].source == path


def test_each_bad_book_is_one_problem_and_the_others_load(
    home: Path, add_book: Callable[[str, str | bytes], Path]
) -> None:
    files = [
        add_book("a-headless", "# No front matter\n"),
        add_book("b-latin", b"---\nid: caf\xe9\n---\n"),
        add_book("c-misplaced", TOADS),
        add_book("d-twice", TOADS.replace("toad-well", "d-twice") + "## Scoring\n"),
        add_book("evil-corp", TOADS.replace("toad-well", "evil-corp")),
    ]
    (home / "books" / "f-empty").mkdir()
    (home / "books" / ".hidden").mkdir()
    (home / "books" / "notes.txt").write_text("not a book")
    add_book("toad-well", TOADS)
    library = load_library(home)
    assert [book.id for book in library.books] == [*OURS, "toad-well"]
    taken = packaged_corpus() / "evil-corp" / "rulebook.md"
    assert [str(problem) for problem in library.problems] == [
        f"{path}: {sentence}. Next: mend it, then rulespal games"
        for path, sentence in zip(
            [*files, home / "books" / "f-empty" / "rulebook.md"],
            [
                "line 1: no front matter; expected '---', then id, title, kind and chapters in "
                "YAML, then '---'",
                "line 2: byte 0xe9 isn't UTF-8 text; expected a file saved as UTF-8",
                "its id is 'toad-well', while its folder is 'c-misplaced'",
                "line 49: the heading path 'Scoring' again; expected a path that differs from the "
                "one on line 48 by a word",
                f"the id 'evil-corp' is that of {taken}",
                "No such file or directory",
            ],
            strict=True,
        )
    ]


def test_a_home_that_is_a_file_has_no_books(tmp_path: Path) -> None:
    home = tmp_path / "file"
    home.write_text("")
    assert [book.id for book in load_library(home).books] == OURS


def test_a_folder_that_cannot_be_listed_is_a_problem(
    home: Path, add_book: Callable[[str, str | bytes], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    add_book("toad-well", TOADS)
    listed = type(home).iterdir

    def refuse(path: Path) -> object:
        if path == home / "books":
            raise PermissionError(13, "Permission denied")
        return listed(path)

    monkeypatch.setattr(type(home), "iterdir", refuse)
    library = load_library(home)
    assert [book.id for book in library.books] == OURS
    assert [problem.problem for problem in library.problems] == ["Permission denied"]


def test_an_installation_has_its_books_inside_the_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rulespal_chat.corpus import places

    inside = tmp_path / "rulespal_chat" / "corpus" / "places.py"
    monkeypatch.setattr(places, "__file__", str(inside))
    assert packaged_corpus() == tmp_path / "corpus"
    (tmp_path / "rulespal_chat" / "_corpus").mkdir(parents=True)
    assert packaged_corpus() == tmp_path / "rulespal_chat" / "_corpus"
