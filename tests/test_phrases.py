"""Phrases of rule files, found in what people write."""

from __future__ import annotations

import pytest

from rulespal_chat.rules.phrases import (
    Match,
    find_claimed,
    find_list,
    find_number,
    find_phrase,
    plain,
)


def found(phrase: str, text: str) -> list[str]:
    """What the phrase covers of the text."""
    form = plain(text)
    return [form[m.start : m.end].strip() for m in find_phrase(phrase, form)]


def number(phrase: str, text: str) -> list[int | None]:
    return [m.number for m in find_number(phrase, plain(text))]


def numbers(phrase: str, text: str) -> list[tuple[int, ...]]:
    return [m.numbers for m in find_list(phrase, plain(text))]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Toads", "toad"),
        ("The Toad", "a toad"),
        ("twenty-one Toads", "21 toads"),
        ("a two-player game", "2 player game"),
        ("three toads", "3 toads"),
        ("the third card", "the 3rd card"),
        ("can't", "cant"),
        ("don’t", "don't"),
        ("an   old\ttoad", "old toad"),
        ("a single toad", "1 toad"),
        ("2 chests and a gem", "2 chests and 1 gem"),
        ("two, two and none.", "2, 2 and 0."),
        ("5–8 toads", "5-8 toads"),
        ("goal >= 5", "goal ≥ 5"),
        ("goal != 5", "goal ≠ 5"),
    ],
)
def test_ways_of_writing_make_no_difference(one: str, other: str) -> None:
    assert plain(one) == plain(other)


@pytest.mark.parametrize("word", ["is", "this", "less", "does", "focus", "gas"])
def test_words_that_only_look_like_plurals_keep_their_s(word: str) -> None:
    assert plain(word) == f" {word} "


def test_single_spaces_stand_around_every_token() -> None:
    assert plain("7/7, and (4)!") == " 7 / 7 , and ( 4 ) ! "
    assert plain("") == " "


@pytest.mark.parametrize(
    ("phrase", "text", "covered"),
    [
        ("Toads", "Two Toads and a toad", ["toad", "toad"]),
        ("golden Toad", "the golden toads", ["golden toad"]),
        ("golden Toad", "the golden old toad", []),
        ("toad", "toadstool", []),
        ("oad", "toad", []),
        ("gold(en)?", "gold, golden and goldfish", ["gold", "golden"]),
        ("attack(s|ed|ing)? with", "he attacked with", ["attacked with"]),
        ("attack(s|ed|ing)? with", "he attacks with", ["attack with"]),
        ("(big|small) toad", "a big toad, a small toad, a toad", ["big toad", "small toad"]),
        ("(very)? old", "very old and old", ["very old", "old"]),
        ("draw .. card", "draw a new shiny card", ["draw new shiny card"]),
        ("draw .. card", "draw card", ["draw card"]),
        ("draw .. card", "draw one two three four five card", []),
        ("draw .. card", "draw it; then a card", []),
        ("(a (b|c)|d) e", "b e, c e, d e", ["b e", "c e", "d e"]),
        ("{n} card", "I have 3 cards", ["3 card"]),
        ("{n} card", "three cards", ["3 card"]),
        ("{nth} card", "the 4th card, the second card", ["4th card", "2nd card"]),
        ("{nth} card", "4 cards", []),
        ("{n} card", "the 4th card", []),
        ("got {list}", "I got 5, 5 and 3", ["got 5 , 5 and 3"]),
        ("4+", "for 4+ players", ["4 +"]),
    ],
)  # fmt: skip
def test_a_phrase_covers_what_it_says(phrase: str, text: str, covered: list[str]) -> None:
    assert found(phrase, text) == covered


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("3 rings", [3]),
        ("rings: 3", [3]),
        ("the rings are at 3", [3]),
        ("rings = 3", [3]),
        ("my ring is now at 3", [3]),
        ("3 of my rings", [3]),
        ("3 more rings", [3]),
        ("twelve rings", [12]),
        ("rings, and then 3 toads", []),
        ("3 toads and rings", []),
        ("12 rings: 7 for the moon", [12]),
        ("the third ring", []),
        ("ring", []),
        ("one of the rings", []),
        ("a blue one of ring 3", [3]),
        ("rings > 3", []),
        ("13 rings and rings of 4", [13, 4]),
    ],
)
def test_a_number_beside_a_phrase_is_its_number(text: str, read: list[int | None]) -> None:
    assert number("rings", text) == read


@pytest.mark.parametrize("text", ["7 and 4 toads", "7, 7 and 4 toads", "7/4 toads"])
def test_one_of_several_numbers_is_not_taken_alone(text: str) -> None:
    assert number("toads", text) == [4]
    assert numbers("toads", text) != []


@pytest.mark.parametrize("text", ["7 and 4", "7, 4", "7/4", "7 or 4", "7, 4 and 3"])
def test_the_first_number_of_a_list_is_not_the_number_of_a_phrase(text: str) -> None:
    assert number("toads", f"toads: {text}") == []


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("tourists are 7, 7, 4 and 1", [(7, 7, 4, 1)]),
        ("7, 7, 4 and 1 tourists", [(7, 7, 4, 1)]),
        ("7/7/4/1 tourists", [(7, 7, 4, 1)]),
        ("tourists: 7-7-4-1", [(7, 7, 4, 1)]),
        ("tourists 7 7 4 1", [(7, 7, 4, 1)]),
        ("tourists: seven, seven, four and one", [(7, 7, 4, 1)]),
        ("tourists: 5 and 0", [(5, 0)]),
        ("tourists 5, 5, and 3", [(5, 5, 3)]),
        ("tourists: 7, 4 and zero", [(7, 4, 0)]),
        ("tourists: 7, 4 and none", [(7, 4, 0)]),
        ("tourists: 7, 4 and none for me", []),
        ("2-4 tourists", []),
        ("tourists: 5", []),
        ("no tourists", []),
    ],
)
def test_lists_in_all_forms(text: str, read: list[tuple[int, ...]]) -> None:
    assert numbers("tourist", text) == read


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("the goal is at least 5", [5]),
        ("the goal can never be more than 14", [14]),
        ("the goal is up to 14", [14]),
        ("the goal is 9", [9]),
        ("the goal isn't 9", [9]),
        ("the goal doesn't exceed 9", [9]),
        ("the goal is between 7 and 14", [14]),
        ("goal > 9", [9]),
        ("7 or more goals", [7]),
        ("goal and 9 wells", []),
        ("goal and 9 toads", []),
    ],
)
def test_a_claimed_number_may_have_a_bound_before_it(text: str, read: list[int]) -> None:
    assert [m.number for m in find_claimed("goal", plain(text))] == read


def test_a_match_knows_its_place_and_that_of_its_number() -> None:
    form = plain("we roll 12 dice")
    assert list(find_phrase("roll {n} dice", form)) == [
        Match(start=4, end=17, number=12, numbers=(), number_at=(9, 11), weight=8)
    ]
    assert form[9:11] == "12"


def test_more_letters_make_a_phrase_surer() -> None:
    form = plain("golden toads: 3")
    weights = [next(find_number(p, form)).weight for p in ("toads", "golden toads")]
    assert weights == [4, 10]


def test_hostile_texts_are_searched_in_time() -> None:
    text = plain("draw " * 4000 + "3 " * 4000 + "and " * 4000)
    for phrase in ("draw .. card", "{list} toad", "(draw)? (and)? {n} card"):
        assert list(find_phrase(phrase, text)) == []
    assert list(find_number("toad", text)) == []
    assert list(find_claimed("goal", text)) == []
