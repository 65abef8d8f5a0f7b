"""The search finds the right section of a small book, by vectors and words that can be counted."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from conftest import TOADS, WordEmbedder

from rulespal_chat.corpus.parser import parse_rulebook
from rulespal_chat.search.index import read_index, write_index
from rulespal_chat.search.retriever import FAMILIAR, ROLE_GIVEN, ROLE_NAMED, WEIGHTS, Retriever
from rulespal_chat.types import Library, Query

if TYPE_CHECKING:
    from rulespal_chat.pipeline import RulesPal

PONDS = """\
---
id: ponds
title: Ponds
kind: game
---

# Ponds

## Frogs

- A Frog swims.
"""


@pytest.mark.parametrize(
    ("query", "section"),
    [
        ("how many cards by the moon", "The Witch > 1) Brew"),
        ("how often may she stir", "The Witch > 1) Brew > Stir"),
        ("how does the old witch win", "The Old Witch > How to Win"),
        ("toads in the well", "The Witch > How to Win"),
    ],
)
def test_the_right_section_comes_first(toad_pal: RulesPal, query: str, section: str) -> None:
    assert toad_pal.search(query)[0].section.name == section


def test_scores_lie_between_0_and_1_and_fall(toad_pal: RulesPal) -> None:
    for query in ("toad", "witch witch witch win", "nothing of the sort", "?!word"):
        scores = [found.score for found in toad_pal.search(query)]
        assert scores == sorted(scores, reverse=True)
        assert all(0 <= score <= 1 for score in scores)


def test_a_score_is_the_weighted_sum_of_its_parts(toad_pal: RulesPal) -> None:
    best = toad_pal.search("the moon")[0]
    why = dict(best.why)
    total = sum(WEIGHTS[name] * why[name] for name in WEIGHTS) + why["role"]
    assert best.score == pytest.approx(total)
    assert sum(WEIGHTS.values()) == pytest.approx(1)
    # "The Witch > 1) Brew: The Witch draws as many cards as the Moon allows [MOON]." has witch and
    # moon twice, card and draw once, and as every vector the constant 0.1.
    assert why["statement"] == pytest.approx((2 + 0.01) / math.sqrt((1 + 0.01) * (10 + 0.01)))


def test_a_named_role_weighs_and_a_given_one_weighs_more(toad_pal: RulesPal) -> None:
    def score(query: Query) -> float:
        found = toad_pal.retrieve(query, 10)
        return next(f.score for f in found if f.section.name == "The Old Witch > How to Win")

    plain = Query("win", "win", ("toad-well",))
    named = Query("win", "win", ("toad-well",), roles=("The Old Witch",))
    given = Query("win", "win", ("toad-well",), roles=("The Old Witch",), role_given=True)
    assert score(named) == pytest.approx(score(plain) + ROLE_NAMED)
    assert score(given) == pytest.approx(min(1, score(plain) + ROLE_GIVEN))


def test_every_statement_of_a_found_section_is_scored(toad_pal: RulesPal) -> None:
    for found in toad_pal.search("moon"):
        assert [s.statement for s in found.statements] == list(found.section.statements)


def test_no_more_are_returned_than_asked_for(toad_pal: RulesPal) -> None:
    assert len(toad_pal.search("witch", top=2)) == 2
    assert len(toad_pal.search("witch", top=50)) == 7


def test_a_book_that_the_encoder_knows_gives_way_a_little_to_one_that_it_does_not(
    tmp_path: Path,
) -> None:
    books = (parse_rulebook(TOADS, Path("toads.md")), parse_rulebook(PONDS, Path("ponds.md")))
    write_index(tmp_path, Library(books), WordEmbedder(), lambda _done, _total: None)
    retrieve = Retriever(read_index(tmp_path, WordEmbedder()))

    def given_for_nothing(*games: str) -> set[float]:
        found = retrieve(Query("moon", "moon", games))
        parts = [(f, dict(f.why)) for f in found if f.book.id == "toad-well" and f.score]
        return {
            round(f.score - sum(WEIGHTS[n] * why[n] for n in WEIGHTS) - why["role"], 6)
            for f, why in parts
        }

    assert given_for_nothing("toad-well") == {0.0}
    assert given_for_nothing("toad-well", "ponds") == {-FAMILIAR}
