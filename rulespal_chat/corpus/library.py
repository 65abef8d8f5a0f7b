"""Which books there are: those that come with RulesPal and those that a player has added."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.corpus.parser import read_rulebook
from rulespal_chat.corpus.places import RULEBOOK, own_books, packaged_corpus
from rulespal_chat.errors import CorpusError
from rulespal_chat.types import Library, Rulebook

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def load_library(home: Path, packaged: Path | None = None) -> Library:
    """Reads every book; one that can't be read becomes a problem and the others load.

    Args:
        home: the folder of a player's own data; it need not exist.
        packaged: the folder of the books that come with RulesPal; by default the real one.
    """
    books: dict[str, Rulebook] = {}
    problems: list[CorpusError] = []
    for folder in (packaged or packaged_corpus(), own_books(home)):
        for book in _read_folder(folder):
            if isinstance(book, CorpusError):
                problems.append(book)
            elif book.id in books:
                taken = books[book.id].source
                problems.append(CorpusError(book.source, f"the id '{book.id}' is that of {taken}"))
            else:
                books[book.id] = book
    return Library(tuple(books.values()), tuple(problems))


def _read_folder(folder: Path) -> Iterator[Rulebook | CorpusError]:
    """Every book of a folder by id, or why it can't be read."""
    try:
        names = sorted(entry.name for entry in folder.iterdir() if _is_book_folder(entry))
    except (FileNotFoundError, NotADirectoryError):
        return
    except OSError as error:
        yield CorpusError(folder, error.strerror or "it can't be read")
        return
    for name in names:
        try:
            yield _read_book(folder / name / RULEBOOK, name)
        except CorpusError as error:
            yield error


def _is_book_folder(entry: Path) -> bool:
    return entry.is_dir() and not entry.name.startswith((".", "_"))


def _read_book(path: Path, folder_name: str) -> Rulebook:
    book = read_rulebook(path)
    if book.id != folder_name:
        raise CorpusError(path, f"its id is '{book.id}', while its folder is '{folder_name}'")
    return book
