"""What the product is compared with finds what it can, and answers with the text that it found."""

from __future__ import annotations

import sys
from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from conftest import HEAD, TOADS
from evaluated import OLD_WIN, toad_index

from rulespal_chat.errors import EvaluationError
from rulespal_chat.evaluation.baselines import CHUNK, NAMES, TOP, asker
from rulespal_chat.evaluation.model import EvalQuestion
from rulespal_chat.types import Status

if TYPE_CHECKING:
    from rulespal_chat.search.index import Index

QUESTION = EvalQuestion("q", "", "", "lookup")
# Each section is longer than a piece, so that no piece has text of three.
LONG = f"""{HEAD}
## The Witch

{"The witch may stir. " * 60}

## The Old Witch

{"The old toad may win. " * 60}

## Scoring

{"A golden card counts. " * 60}
"""


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return toad_index(tmp_path_factory.mktemp("toads"), TOADS)


@pytest.fixture(scope="module")
def long_index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return toad_index(tmp_path_factory.mktemp("long"), LONG)


@pytest.mark.parametrize("name", ["bm25", "dense"])
@pytest.mark.parametrize(
    ("asked", "section", "text"),
    [
        ("How often may she stir?", "The Witch > 1) Brew > Stir", "The Witch may stir once."),
        ("Win as the old witch", OLD_WIN, "The Old Witch wins with 5 Toads."),
    ],
)
def test_sections_are_found_by_words_alone_and_by_vectors_alone(
    index: Index, name: str, asked: str, section: str, text: str
) -> None:
    answer = asker(name, index)(replace(QUESTION, question=asked))
    assert answer.retrieved[0].section == section
    assert answer.text.startswith(f"{section}\n{text}")
    scores = [found.score for found in answer.retrieved]
    assert scores == sorted(scores, reverse=True)
    assert all(0 <= score <= 1 for score in scores)


@pytest.mark.parametrize("name", ["bm25", "dense"])
def test_an_answer_is_the_text_of_the_first_four_sections(index: Index, name: str) -> None:
    answer = asker(name, index)(replace(QUESTION, question="toad"))
    headings = [text.split("\n")[0] for text in answer.text.split("\n\n")]
    assert headings == [found.section for found in answer.retrieved[:TOP]]
    assert len(answer.retrieved) == len(index.library.books[0].sections)


@pytest.mark.parametrize(
    ("asked", "chapter"), [("may I stir", "The Witch"), ("golden cards", "Scoring")]
)
def test_the_recipe_finds_the_section_that_most_of_its_piece_lies_in(
    long_index: Index, asked: str, chapter: str
) -> None:
    answer = asker("recipe", long_index)(replace(QUESTION, question=asked))
    assert answer.retrieved[0].section == chapter
    assert len(answer.text) <= TOP * CHUNK + (TOP - 1) * len("\n\n")


def test_the_recipe_names_every_section_that_its_pieces_have_text_of(long_index: Index) -> None:
    answer = asker("recipe", long_index)(replace(QUESTION, question="old toad win"))
    sentences = {"The Witch": "may stir.", "The Old Witch": "may win.", "Scoring": "A golden card"}
    found = {name for name, text in sentences.items() if text in answer.text}
    assert {r.section for r in answer.retrieved} >= found
    assert answer.retrieved[0].section == "The Old Witch"


@pytest.mark.parametrize("name", NAMES)
def test_none_is_silent_cites_or_is_told_what_the_question_is_on(index: Index, name: str) -> None:
    hidden = replace(QUESTION, question="the weather in Paris", game="no such game", role="none")
    answer = asker(name, index)(hidden)
    assert (answer.status, answer.writer) == (Status.ANSWERED, name)
    assert (answer.citations, answer.checks, answer.pointers) == ((), (), ())
    times = dict(answer.timings_ms)
    assert times["total"] == times["search"] > 0


@pytest.mark.parametrize("name", NAMES)
def test_of_a_dialogue_all_lines_are_asked_at_once(index: Index, name: str) -> None:
    ask = asker(name, index)
    dialogue = ask(replace(QUESTION, turns=("How does the Old Witch",), question="win?"))
    at_once = ask(replace(QUESTION, question="How does the Old Witch win?"))
    assert (dialogue.understood, dialogue.text) == (at_once.understood, at_once.text)
    assert dialogue.question == "win?"


def test_the_recipe_says_what_it_lacks(index: Index, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_text_splitters", None)
    with pytest.raises(EvaluationError, match=r"needs langchain-text-splitters.*pip install"):
        asker("recipe", index)


def test_there_are_no_others(index: Index) -> None:
    with pytest.raises(KeyError):
        asker("product", index)
