"""What `rulespal doctor` looks at."""

from __future__ import annotations

import os
import platform
from dataclasses import dataclass
from importlib import metadata
from typing import TYPE_CHECKING

from rulespal_chat.corpus.library import load_library
from rulespal_chat.errors import RulesPalError
from rulespal_chat.rules.engine import Engine
from rulespal_chat.search.index import index_folder, old_indexes, open_index
from rulespal_chat.types import QUOTES
from rulespal_chat.weights import ENCODER, VERIFIER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from rulespal_chat.settings import Settings
    from rulespal_chat.weights import Weights

_PACKAGES = (
    "rulespal-chat", "chromadb", "langchain", "langchain-core", "onnxruntime",
    "sentence-transformers", "torch", "z3-solver",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: its name.
        found: its state.
        is_well: whether it is as it should be.
        mend: the command to type next, if any.
    """

    what: str
    found: str
    is_well: bool = True
    mend: str = ""


def examine(settings: Settings) -> tuple[Finding, ...]:
    """Looks at everything that a question needs, and says what is wrong with it."""
    home, embedder = settings.home_folder, settings.embedder
    looks: tuple[Callable[[], Iterator[Finding]], ...] = (
        _versions,
        lambda: _home(home),
        lambda: _books(home),
        lambda: _rules(home),
        lambda: _weights(embedder),
        lambda: _index(home, embedder),
        lambda: _model(settings),
    )
    return tuple(finding for look in looks for finding in look())


def _versions() -> Iterator[Finding]:
    yield Finding("Python", platform.python_version())
    for package in _PACKAGES:
        try:
            yield Finding(package, metadata.version(package))
        except metadata.PackageNotFoundError:
            yield Finding(package, "not installed", is_well=False, mend="make install")


def _home(home: Path) -> Iterator[Finding]:
    place = home
    while not place.exists():
        place = place.parent
    if place.is_dir() and os.access(place, os.W_OK):
        yield Finding("Your data", str(home))
    else:
        found = f"{home} can't be written"
        yield Finding("Your data", found, is_well=False, mend="export RULESPAL_HOME=FOLDER")


def _books(home: Path) -> Iterator[Finding]:
    library = load_library(home)
    for book in library.books:
        yield Finding("Book", f"{book.title} ({book.source})")
    for problem in library.problems:
        yield Finding("Book", problem.sentence, is_well=False, mend=_command(problem.hint))


def _rules(home: Path) -> Iterator[Finding]:
    """The rules that can be computed, and those that their book no longer bears out."""
    library = load_library(home)
    engine = Engine(library)
    for book in library.books:
        rules = engine.rules(book.id)
        if rules.rules:
            yield Finding("Rules", f"{book.title}: {len(rules.rules)} can be computed")
        for problem in rules.problems:
            yield Finding("Rules", problem.sentence, is_well=False, mend=_command(problem.hint))


def _command(hint: str) -> str:
    """The command of a hint that begins with what to do before."""
    return hint.removeprefix("mend it, then ")


def _weights(embedder: str | None) -> Iterator[Finding]:
    if embedder is not None:
        yield Finding("Embedder", f"{embedder} (RULESPAL_EMBEDDER)")
        return
    yield _packaged("Embedder", ENCODER)


def _packaged(what: str, packaged: Weights) -> Finding:
    try:
        packaged.verify()
    except RulesPalError as error:
        return Finding(what, error.sentence, is_well=False, mend=error.hint)
    return Finding(what, f"{packaged.name}, SHA-256 as measured")


def _model(settings: Settings) -> Iterator[Finding]:
    """The chat model, if there is one, as far as it can be looked at without asking it."""
    yield _packaged("Verifier", VERIFIER)
    if settings.model in {None, QUOTES}:
        yield Finding("Chat model", "none: answers are quotes")
        return
    from rulespal_chat.pipeline import chat_model

    try:
        chat_model(settings.model, settings)
        yield Finding("Chat model", f"{settings.model} can be opened, and wasn't asked")
    except RulesPalError as error:
        yield Finding("Chat model", error.sentence, is_well=False, mend=error.hint)


def _index(home: Path, embedder: str | None) -> Iterator[Finding]:
    folder = index_folder(home, embedder)
    try:
        opened = open_index(home, embedder)
        counts = ", ".join(f"{opened.store.count(name)} {name}" for name in opened.store.names)
        vector = opened.embedder.encode(["How does one win?"]).vectors[0]
        for name in opened.store.names:
            opened.store.nearest(name, vector, 1)
        yield Finding("Search index", f"{folder}: {counts}")
    except FileNotFoundError:
        yield Finding("Search index", "not built yet", mend="rulespal index")
    except RulesPalError as error:
        yield Finding("Search index", error.sentence, is_well=False, mend=error.hint)
    if old := old_indexes(home, embedder):
        yield Finding("Old indexes", str(len(old)), mend="rulespal index --prune")
