"""The search index: where it lies, how it is built, and when it is out of date.

An index lies in a folder named by a hash of all that it is made of: the books, how they are cut
and the embedder. Nothing in it ever changes; when a book does, its hash does, and a new index is
built beside the old one.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rulespal_chat.corpus.places import RULEBOOK, own_books, packaged_corpus
from rulespal_chat.errors import CorpusError, IndexBuildError
from rulespal_chat.folders import UNFINISHED, built_folder, remove_unfinished
from rulespal_chat.search.embedders import (
    Embedder,
    OnnxEmbedder,
    SentenceTransformerEmbedder,
    other_identity,
)
from rulespal_chat.search.late import TokenVectors
from rulespal_chat.search.passages import LONG_ENOUGH, LONGEST, embedded_statement, passages
from rulespal_chat.search.store import PASSAGES, STATEMENTS, Store
from rulespal_chat.types import (
    BookKind,
    Chapter,
    ChapterKind,
    Kind,
    Library,
    Rulebook,
    Section,
    Statement,
)
from rulespal_chat.weights import ENCODER, VERIFIER

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulespal_chat.search.embedders import Vectors

    Progress = Callable[[int, int], None]

_FORMAT = 2  # raised when an index of today can't be read by tomorrow's code
_LIBRARY = "library.json"
_CHROMA = "chroma"
_EMBED_AT_ONCE = 256  # texts, between two steps of the progress bar


@dataclass(frozen=True, slots=True)
class Index:
    """An index that is open.

    Attributes:
        folder: where it lies.
        library: the books as they were when it was built.
        store: the vectors.
        tokens: the vectors of each statement's tokens.
        embedder: the one that the vectors were made with.
    """

    folder: Path
    library: Library
    store: Store
    tokens: TokenVectors
    embedder: Embedder


def index_folder(home: Path, embedder: str | None) -> Path:
    """Where the index of the books and embedder of this moment lies, or will."""
    state = hashlib.sha256()
    for part in (_FORMAT, LONGEST, LONG_ENOUGH, _identity(embedder)):
        state.update(f"{part}\n".encode())
    for folder in (packaged_corpus(), own_books(home)):
        for path in sorted(folder.glob(f"[!._]*/{RULEBOOK}")):
            state.update(os.fsencode(path) + hashlib.sha256(_content(path)).digest())
    return home / "index" / state.hexdigest()[:20]


def _content(path: Path) -> bytes:
    """What is in a book's file; nothing if it can't be read, as the library will say."""
    try:
        return path.read_bytes() if path.is_file() else b""
    except OSError:
        return b""


def is_built(home: Path, embedder: str | None) -> bool:
    """Whether questions can be answered without building anything."""
    built = index_folder(home, embedder).is_dir()
    return built and (embedder is not None or ENCODER.unfolded_folder(home).is_dir())


def open_index(home: Path, embedder: str | None = None) -> Index:
    """Opens the index of the books and embedder of this moment.

    Args:
        home: the folder of a player's own data.
        embedder: a folder or hub name of a sentence-transformers model, or None for the default.

    Raises:
        FileNotFoundError: it hasn't been built.
        IndexBuildError: it is broken, or the embedder can't be loaded.
    """
    folder = index_folder(home, embedder)
    unfolded = ENCODER.unfolded_folder(home)
    if not is_built(home, embedder):
        raise FileNotFoundError(folder)
    with ThreadPoolExecutor(max_workers=1) as pool:  # the model is read while Chroma is imported
        model = pool.submit(_embedder, unfolded, embedder)
        store = Store(folder / _CHROMA)
        library = _read_library(folder / _LIBRARY)
        tokens = TokenVectors(folder)
        return _checked(Index(folder, library, store, tokens, model.result()))


def build_index(home: Path, embedder: str | None, progress: Progress) -> Path:
    """Builds the index of the books and embedder of this moment, unless it is there.

    Args:
        home: the folder of a player's own data.
        embedder: as for `open_index`.
        progress: is told how many texts are embedded, and of how many.

    Returns:
        The index's folder.

    Raises:
        IndexBuildError: the weights are missing or wrong, the embedder can't be loaded, or the
            folder can't be written.
    """
    from rulespal_chat.corpus.library import load_library

    folder = index_folder(home, embedder)
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)  # fails before the model is loaded
        unfolded = ENCODER.unfold(home) if embedder is None else home
        model = _embedder(unfolded, embedder)
        if not folder.is_dir():
            with built_folder(folder) as building:
                write_index(building, load_library(home), model, progress)
    except OSError as error:
        sentence = f"The search index can't be written to {home} ({error.strerror or error})"
        raise IndexBuildError(sentence, "RULESPAL_HOME=FOLDER rulespal index") from None
    return folder


def write_index(folder: Path, library: Library, embedder: Embedder, progress: Progress) -> None:
    """Fills a folder with an index of the library."""
    made_of = {"embedder": embedder.identity, "format": str(_FORMAT)}
    writer = Store.create(folder / _CHROMA, made_of)
    rows = {PASSAGES: _passage_rows(library), STATEMENTS: _statement_rows(library)}
    total = sum(map(len, rows.values()))
    done = 0
    tokens: list[Vectors] = []
    for collection, all_rows in rows.items():
        for start in range(0, len(all_rows), _EMBED_AT_ONCE):
            part = all_rows[start : start + _EMBED_AT_ONCE]
            encoded = embedder.encode([embedded for _, embedded, _, _ in part])
            ids, texts = [row[0] for row in part], [row[2] for row in part]
            writer.add(collection, ids, encoded.vectors, texts, [row[3] for row in part])
            tokens += encoded.tokens if collection == STATEMENTS else ()
            done += len(part)
            progress(done, total)
    writer.close()
    TokenVectors.write(folder, tokens)
    (folder / _LIBRARY).write_text(json.dumps(_library_fields(library)), encoding="utf-8")


def read_index(folder: Path, embedder: Embedder) -> Index:
    """Opens the index in a folder; the embedder must be the one that it was written with."""
    store = Store(folder / _CHROMA)
    library = _read_library(folder / _LIBRARY)
    return _checked(Index(folder, library, store, TokenVectors(folder), embedder))


def _checked(index: Index) -> Index:
    """The index, if its vectors were made by its embedder: others may have the same dimension."""
    made_by = index.store.metadata().get("embedder")
    if made_by != index.embedder.identity:
        sentence = f"The search index in {index.folder} was made by another embedder"
        raise IndexBuildError(sentence, "rulespal index --rebuild")
    return index


def old_indexes(home: Path, embedder: str | None) -> tuple[Path, ...]:
    """The folders of indexes that are out of date."""
    current = index_folder(home, embedder)
    folders = sorted(f for f in current.parent.glob("*") if f.is_dir() and f != current)
    return tuple(f for f in folders if not f.name.startswith(UNFINISHED))


def prune_indexes(home: Path, embedder: str | None) -> tuple[Path, ...]:
    """Removes the indexes that are out of date, and what interrupted builds left; says which."""
    old = old_indexes(home, embedder)
    for folder in old:
        shutil.rmtree(folder, ignore_errors=True)
    for parent in (index_folder(home, embedder).parent, home / "models"):
        remove_unfinished(parent)
    return old


def remove_index(home: Path, embedder: str | None) -> None:
    """Removes the index of now and, for the default embedder, the unfolded model."""
    shutil.rmtree(index_folder(home, embedder), ignore_errors=True)
    if embedder is None:
        for weights in (ENCODER, VERIFIER):
            shutil.rmtree(weights.unfolded_folder(home), ignore_errors=True)


def _identity(embedder: str | None) -> str:
    return OnnxEmbedder.identity if embedder is None else other_identity(embedder)


def _embedder(unfolded: Path, embedder: str | None) -> Embedder:
    if embedder is None:
        return OnnxEmbedder(unfolded)
    return SentenceTransformerEmbedder(embedder)


Row = tuple[str, str, str, dict[str, str]]  # id, text to embed, text, metadata


def _passage_rows(library: Library) -> list[Row]:
    return [
        (p.id, p.embedded, p.embedded, {"game": p.game, "section": p.section, "path": p.heading})
        for book in library.books
        for p in passages(book)
    ]


def _statement_rows(library: Library) -> list[Row]:
    return [
        (
            statement.id,
            embedded_statement(section, statement),
            statement.text,
            {"game": book.id, "section": section.id, "path": section.name},
        )
        for book in library.books
        for section in book.sections
        for statement in section.statements
    ]


# The library is kept in the index as it was parsed, so that questions don't wait for Markdown.


def _library_fields(library: Library) -> dict[str, Any]:
    books = [{**asdict(book), "source": str(book.source)} for book in library.books]
    problems = [[str(p.path), p.problem] for p in library.problems]
    return {"books": books, "problems": problems}


def _read_library(path: Path) -> Library:
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        problems = tuple(CorpusError(Path(path), problem) for path, problem in fields["problems"])
        return Library(tuple(map(_book, fields["books"])), problems)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise IndexBuildError.broken(path.parent, type(error).__name__) from None


def _book(fields: dict[str, Any]) -> Rulebook:
    return Rulebook(
        id=fields["id"],
        title=fields["title"],
        aliases=tuple(fields["aliases"]),
        kind=BookKind(fields["kind"]),
        base_game=fields["base_game"],
        chapters=tuple(map(_chapter, fields["chapters"])),
        sections=tuple(map(_section, fields["sections"])),
        source=Path(fields["source"]),
        words=tuple((term, tuple(called)) for term, called in fields["words"]),
    )


def _chapter(f: dict[str, Any]) -> Chapter:
    return Chapter(f["heading"], ChapterKind(f["kind"]), tuple(f["aliases"]), tuple(f["twins"]))


def _section(f: dict[str, Any]) -> Section:
    statements = tuple(map(_statement, f["statements"]))
    return Section(f["id"], tuple(f["path"]), f["level"], _pair(f["lines"]), statements)


def _statement(f: dict[str, Any]) -> Statement:
    cells = tuple((header, cell) for header, cell in f["cells"])
    return Statement(f["id"], Kind(f["kind"]), f["text"], _pair(f["lines"]), f["depth"], cells)


def _pair(lines: Sequence[int]) -> tuple[int, int]:
    return lines[0], lines[1]
