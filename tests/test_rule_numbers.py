"""The numbers that a sentence of a rulebook gives, in digits or in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespal_chat.rules.numbers import in_digits, numbers_in

ONES = "zero one two three four five six seven eight nine".split()
TEENS = "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()


def in_words(number: int) -> str:
    """A number below 100 as it is written out."""
    if number < 20:
        return [*ONES, *TEENS][number]
    ten, one = divmod(number, 10)
    return TENS[ten - 2] + (f"-{ONES[one]}" if one else "")


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("The Witch wins with 3 Toads.", {3}),
        ("The Witch wins with three Toads.", {3}),
        ("Three Toads and 4 Wells.", {3, 4}),
        ("Players: 2-3; Cards: 3", {2, 3}),
        ("Players: 2–3; Cards: 4+", {2, 3, 4}),
        ("A two-player game takes twenty-five minutes.", {2, 25}),
        ("A 2-player game.", {2}),
        ("Roll 2d6.", {2, 6}),
        ("[INF+2], then -1.", {1, 2}),
        ("On the 3rd turn, not the 1st, 2nd or 24th.", {1, 2, 3, 24}),
        ("On the third turn.", {3}),
        ("one hundred and five spaces", {105}),
        ("one or two Toads", {1, 2}),
        ("No Toad hops twice; both draw a pair, once.", {0, 1, 2}),
        ("Nobody has none: nothing, never, without.", {0}),
        ("A single Toad; thrice a dozen.", {1, 3, 12}),
        ("NO TOADS, TWICE, SEVEN", {0, 2, 7}),
        ("0 Toads or zero", {0}),
        ("007", {7}),
        ("9" * 18, {10**18 - 1}),
        (f"Draw {'1' * 5000} cards, or 3.", {3}),  # no number that a rule could use
        ("Someone noticed a bothered nobleman.", set()),
        ("Toads and Wells", set()),
        ("", set()),
    ],
)
def test_the_numbers_of_a_sentence(text: str, numbers: set[int]) -> None:
    assert numbers_in(text) == numbers


def test_a_and_an_give_no_number() -> None:
    assert numbers_in("Draw a card and an egg, or the card.") == set()


@pytest.mark.parametrize("number", range(100))
def test_each_number_below_a_hundred_is_read_in_words(number: int) -> None:
    word = in_words(number)
    for written in (word, word.replace("-", " "), word.capitalize()):
        assert numbers_in(f"Draw {written} cards.") == {number}


@pytest.mark.parametrize(
    ("text", "digits"),
    [
        ("A two-player game for three.", "A 2 player game for 3."),
        ("the third turn", "the 3rd turn"),
        ("twenty-one Toads", "21 Toads"),
        ("Toads at 2-3", "Toads at 2-3"),
        ("no word here", "no word here"),
    ],
)
def test_number_words_are_put_into_digits(text: str, digits: str) -> None:
    assert in_digits(text) == digits


@given(st.lists(st.integers(0, 10**9), min_size=1, max_size=5))
def test_every_number_in_digits_is_found_and_no_other(numbers: list[int]) -> None:
    text = "".join(f"The Toad hops {number} spaces. " for number in numbers)
    assert numbers_in(text) == set(numbers)


@given(st.text())
def test_any_text_has_numbers_that_are_not_negative(text: str) -> None:
    assert all(number >= 0 for number in numbers_in(text))
