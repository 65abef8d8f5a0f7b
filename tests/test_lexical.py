"""Words in common are found in spite of their endings, and weighed by how rare they are."""

from __future__ import annotations

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespal_chat.search.lexical import LexicalIndex, Stems


@pytest.fixture(scope="module")
def stems() -> Stems:
    return Stems()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Witches draw cards, don't they?", ["witch", "draw", "card"]),
        ("WINNING wins win", ["win", "win", "win"]),
        ("3 Toads in the Well", ["3", "toad", "well"]),
        ("treasure_chest", ["treasur", "chest"]),
        ("How do I do it?", []),
        ("Жаба", ["жаба"]),
        ("?! 🎲", []),
        ("", []),
    ],
)
def test_a_text_is_cut_into_the_stems_of_its_content_words(
    stems: Stems, text: str, expected: list[str]
) -> None:
    assert stems(text) == expected


# In three texts of one word each, a word that a text has makes up 1 / 2.5 of the highest BM25.
THREE = (["toad"], ["witch"], ["moon"])


@pytest.mark.parametrize(
    ("query", "scores"),
    [
        (["toad"], [0.4, 0.0, 0.0]),
        (["toad", "toad"], [0.4, 0.0, 0.0]),
        (["toad", "moon"], [0.2, 0.0, 0.2]),
        (["toad", "dragon"], [0.2, 0.0, 0.0]),
        (["toad", "dragon", "cave", "knight"], [0.1, 0.0, 0.0]),
        (["dragon"], [0.0, 0.0, 0.0]),
        ([], [0.0, 0.0, 0.0]),
    ],
)
def test_a_score_is_a_share_of_the_highest_one_possible(
    query: list[str], scores: list[float]
) -> None:
    assert LexicalIndex(THREE).scores(query).tolist() == pytest.approx(scores)


def test_a_rare_word_counts_more_than_a_frequent_one() -> None:
    index = LexicalIndex([["toad"], ["toad"], ["witch"], ["moon"], ["sun"]])
    toad, witch = log(3.5 / 2.5), log(4.5 / 1.5)
    total = 2.5 * (toad + witch)
    expected = [toad / total, toad / total, witch / total, 0.0, 0.0]
    assert index.scores(["toad", "witch"]).tolist() == pytest.approx(expected)


def test_a_text_that_says_more_besides_scores_lower() -> None:
    index = LexicalIndex([["toad"], ["toad", "well", "moon"], ["sun"], ["cave"], ["dragon"]])
    short, long, *others = index.scores(["toad"]).tolist()
    assert short > long > 0.0
    assert others == [0.0, 0.0, 0.0]


def test_only_a_word_that_some_text_has_is_known() -> None:
    index = LexicalIndex(THREE)
    assert index.knows("moon")
    assert not index.knows("dragon")


def test_an_empty_index_knows_nothing_and_scores_nothing() -> None:
    index = LexicalIndex([])
    assert not index.knows("toad")
    assert index.scores(["toad"]).tolist() == []


def test_a_text_without_words_scores_nothing() -> None:
    assert LexicalIndex([[], ["toad"], ["moon"]]).scores(["toad"]).tolist()[0] == 0.0
    assert LexicalIndex([[], []]).scores(["toad"]).tolist() == [0.0, 0.0]


WORD = st.sampled_from(["toad", "witch", "moon", "well", "cave"])


@given(st.lists(st.lists(WORD, max_size=8), max_size=8), st.lists(WORD, max_size=6))
def test_each_text_has_a_score_from_0_to_1(texts: list[list[str]], query: list[str]) -> None:
    scores = LexicalIndex(texts).scores(query).tolist()
    assert len(scores) == len(texts)
    assert all(0.0 <= score <= 1.0 for score in scores)
