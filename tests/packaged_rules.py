"""The rules of the packaged books, without a search index.

A test module gets the fixtures by importing them: `from packaged_rules import an_engine as
an_engine`; tests take it as `engine`.
"""

from __future__ import annotations

import pytest

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.places import packaged_corpus
from rulespal_chat.rules.engine import Engine

VAST, EVIL, EPIC = "vast-the-fearsome-foes", "evil-corp", "epic-resort-villains-vacation"


@pytest.fixture(name="engine", scope="session")
def an_engine() -> Engine:
    """The engine over the packaged books alone."""
    return Engine(load_library(packaged_corpus() / "nowhere"))
