"""Where the books lie."""

from __future__ import annotations

from pathlib import Path

RULEBOOK = "rulebook.md"
RULES = "rules.yaml"


def packaged_corpus() -> Path:
    """The folder of the books that come with RulesPal, in an installation or in a checkout."""
    package = Path(__file__).parent.parent
    installed = package / "_corpus"
    return installed if installed.is_dir() else package.parent / "corpus"


def own_books(home: Path) -> Path:
    """The folder of a player's own books: one folder each, named by the book's id."""
    return home / "books"
