"""A question about something else is told by how it was found, from several signs together."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespal_chat.answer.relevance import (
    BIAS,
    LIMIT,
    LIMIT_IF_NAMED,
    LIMIT_UNFAMILIAR,
    WEIGHTS,
    doubt,
    is_doubtful,
    signals,
)
from rulespal_chat.types import BookKind, Found, Query, Rulebook, Section

BOOK = Rulebook("toads", "Toads", (), BookKind.GAME, None, (), (), Path("toads.md"))
SECTION = Section("toads/brew", ("Brew",), 2, (1, 1), ())
ASKED = Query("How does she win?", "How does she win?", ("toads",))


def found(late: float, covered: float) -> Found:
    why = (("late", late), ("covered", covered), ("passage", 0.5), ("passage words", 0.1))
    return Found(BOOK, SECTION, 0.5, (), why)


def test_the_signals_are_the_best_of_all_sections_and_those_of_the_first() -> None:
    other = replace(found(0.6, 0.2), why=(*found(0.6, 0.2).why, ("passage", 0.9)))
    told = signals(ASKED, [found(0.4, 0.7), other], 0.25)
    assert told == {
        "late": 0.6, "covered": 0.7, "passage": 0.5, "shared": 0.1, "unknown": 0.25, "length": 4,
    }  # fmt: skip
    assert set(told) == set(WEIGHTS)


@pytest.mark.parametrize(("text", "length"), [("Moon?", 4), ("toad " * 9, 9), ("toad " * 90, 25)])
def test_a_term_alone_is_no_shorter_than_a_short_question(text: str, length: int) -> None:
    assert signals(replace(ASKED, text=text), [found(0.4, 0.7)], 0.0)["length"] == length


def test_doubt_is_the_sum_of_what_each_signal_says() -> None:
    told = {
        "late": 0.6, "covered": 0.7, "passage": 0.5, "shared": 0.1, "unknown": 0.25, "length": 4,
    }  # fmt: skip
    total = BIAS + sum(WEIGHTS[name] * value for name, value in told.items())
    assert doubt(ASKED, [found(0.6, 0.7)], 0.25) == pytest.approx(total)


@pytest.mark.parametrize(("name", "grows"), [("late", False), ("covered", False)])
def test_what_is_found_better_is_doubted_less(name: str, grows: bool) -> None:
    worse, better = {"late": 0.5, "covered": 0.5}, {"late": 0.5, "covered": 0.5, name: 0.6}
    more = doubt(ASKED, [found(**better)], 0.0) > doubt(ASKED, [found(**worse)], 0.0)
    assert more is grows


def test_unknown_words_make_a_question_doubtful() -> None:
    assert doubt(ASKED, [found(0.5, 0.5)], 0.5) > doubt(ASKED, [found(0.5, 0.5)], 0.0)


def test_a_question_that_names_a_game_or_role_of_ours_has_to_be_doubted_more() -> None:
    assert LIMIT_IF_NAMED > LIMIT
    level = next(n / 1000 for n in range(1000) if not _doubted(ASKED, n / 1000))
    in_between = level - 0.001
    named = Query(ASKED.text, ASKED.topic, ASKED.games, game_named=True)
    roles = Query(ASKED.text, ASKED.topic, ASKED.games, roles=("The Witch",))
    assert _doubted(ASKED, in_between)
    assert not _doubted(named, in_between)
    assert not _doubted(roles, in_between)


def _doubted(query: Query, similarity: float) -> bool:
    return is_doubtful(query, [found(similarity, similarity)], 0.0, frozenset({"toads"}))


def test_of_books_that_the_encoder_does_not_know_less_is_doubted() -> None:
    level = next(n / 1000 for n in range(1000) if not _doubted(ASKED, n / 1000)) - 0.001
    unknown = replace(ASKED, games=("toads", "ponds"))
    assert LIMIT_UNFAMILIAR > LIMIT_IF_NAMED
    assert not _doubted(unknown, level)
    assert _doubted(unknown, 0.0)
