"""The rules of the packaged books, without a search index.

A test module gets the fixtures by importing them: `from packaged_rules import an_engine as
an_engine`; tests take it as `engine`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.places import packaged_corpus
from rulespal_chat.rules.engine import Engine
from rulespal_chat.types import Found, Scored

if TYPE_CHECKING:
    from rulespal_chat.types import Rulebook

VAST, EVIL, EPIC = "vast-the-fearsome-foes", "evil-corp", "epic-resort-villains-vacation"


@pytest.fixture(name="engine", scope="session")
def an_engine() -> Engine:
    """The engine over the packaged books alone."""
    return Engine(load_library(packaged_corpus() / "nowhere"))


def found_sections(book: Rulebook, *names: str) -> tuple[Found, ...]:
    """What a search would return if it found these sections, the first one best."""
    sections = {section.name: section for section in book.sections}
    return tuple(
        Found(
            book,
            sections[name],
            1.0 - 0.1 * rank,
            tuple(Scored(statement, 1.0 - 0.1 * rank) for statement in sections[name].statements),
        )
        for rank, name in enumerate(names)
    )
