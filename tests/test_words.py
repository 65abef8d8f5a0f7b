"""The words of a sentence against those of its evidence."""

from __future__ import annotations

import pytest

from rulespal_chat.grounding.words import difference, likeness, terms

TOLD = "The Ghoul > Moving\nThe Ghoul may move up to 3 spaces, but only if it is not hidden."


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("You must draw 2 cards.", "She has to draw two cards."),
        ("She cannot move.", "She can't move."),
        ("She is not allowed to move.", "She may not move."),
        ("Take at least 2 Toads.", "Take 2 or more Toads."),
        ("Take at most 2 Toads.", "Take up to two Toads."),
        ("Every witch gains 1 Toad.", "Each witch gets one Toad."),
        ("Put it into the Well.", "Place it in the Well."),
        ("Draw it immediately.", "Draw it right away."),
        ("It costs 2 points.", "Pay 2 points."),
    ],
)
def test_words_that_say_the_same_in_a_rule_are_the_same(one: str, other: str) -> None:
    assert sorted(terms(one)) == sorted(terms(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("She may draw.", "She must draw."),
        ("She gains a Toad.", "She loses a Toad."),
        ("Take at least 2.", "Take at most 2."),
        ("Before the attack.", "After the attack."),
        ("Toads and Newts.", "Toads or Newts."),
        ("Its Dark side is up.", "Its Dark side is down."),
        ("It is off the map.", "It is on the map."),
        ("Pay INF - 1.", "Pay INF + 1."),
    ],
)
def test_words_that_make_another_rule_are_not(one: str, other: str) -> None:
    assert terms(one) != terms(other)


def test_what_repeats_the_evidence_differs_in_nothing() -> None:
    found = difference("The Ghoul may move up to 3 spaces, but only if it is not hidden.", TOLD)
    assert (found.numbers, found.names, found.unknown) == (frozenset(), frozenset(), 0.0)
    assert (found.negations, found.repeated) == (0, 0)


@pytest.mark.parametrize(
    ("sentence", "numbers"),
    [
        ("It may move 4 spaces.", {4}),
        ("It may move four spaces.", {4}),
        ("It may move 3 spaces twice, 3 each.", set()),
        ("It goes 7th.", {7}),
        ("It moves 1 space.", {1}),
        ("It moves to one of the spaces.", set()),
        ("It may move one space.", {1}),
        ("It may take one card.", set()),
    ],
)
def test_numbers_that_the_evidence_does_not_have(sentence: str, numbers: set[int]) -> None:
    assert difference(sentence, TOLD).numbers == numbers


@pytest.mark.parametrize(
    ("sentence", "names"),
    [
        ("The Ghoul moves.", set()),
        ("The Ghoul's spaces.", set()),
        ("Then the Knight moves.", {"knight"}),
        ("In the Cave it moves.", {"cave"}),
        ("Moving is free. Nobody minds: Really.", set()),
    ],
)
def test_names_that_the_evidence_does_not_have(sentence: str, names: set[str]) -> None:
    assert difference(sentence, TOLD).names == names


def test_how_alike_a_sentence_and_a_statement_are() -> None:
    quote = "The Witch may stir once."
    assert likeness("the witch may stir once", quote) == 1.0
    assert likeness("Once the Witch may stir.", quote) == pytest.approx(0.8)
    assert likeness("Purple rain", quote) == 0.0


def test_the_share_of_unknown_words() -> None:
    found = difference("The Ghoul moves through purple walls.", TOLD)
    assert found.known == 2
    assert found.unknown == pytest.approx(2 / 4)
    assert difference("The Ghoul moves 3 spaces.", TOLD).known == 4
    assert difference("", TOLD).unknown == 0.0


def test_negations_are_counted() -> None:
    assert difference("The Ghoul may move if it is hidden.", TOLD).negations == 1
    assert difference("It can't move if it isn't hidden.", TOLD).negations == 1
    assert difference("The Ghoul can't move if it is hidden.", TOLD).negations == 0


def test_words_that_come_more_often_than_in_the_evidence_are_counted() -> None:
    assert difference("The Ghoul hits the Ghoul.", "The Ghoul hits the Knight.").repeated == 1
    assert difference("The Ghoul hits the Knight.", "The Ghoul hits the Knight.").repeated == 0
