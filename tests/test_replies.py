"""A reply is taken apart into sentences as it comes in, whatever pieces it comes in."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespal_chat.answer.replies import Sentence, sentences


def read(text: str) -> list[tuple[str, tuple[int, ...]]]:
    return [(s.text, s.marks) for s in sentences([text])]


@pytest.mark.parametrize(
    ("reply", "expected"),
    [
        ("Stir once. [1]", [("Stir once.", (1,))]),
        ("Stir once [1].", [("Stir once.", (1,))]),
        ("Stir once [1][3]. Draw 2. [2, 4]", [("Stir once.", (1, 3)), ("Draw 2.", (2, 4))]),
        ("Stir [1] once. Draw 2.", [("Stir once.", (1,)), ("Draw 2.", ())]),
        ("In Evil Corp. the bag is full. [1]", [("In Evil Corp. the bag is full.", (1,))]),
        ("It plays Evil Corp. [1] The bag is full. [2]",
         [("It plays Evil Corp.", (1,)), ("The bag is full.", (2,))]),
        ("Ghoul vs. Thief is hard. [1]", [("Ghoul vs. Thief is hard.", (1,))]),
        ("Spend INF + 1 [INF + 1]. [2]", [("Spend INF + 1 [INF + 1].", (2,))]),
        ("[1] Stir. [2][3] Draw 2. [4] Win.", [("Stir.", (1,)), ("Draw 2.", (2, 3)), ("Win.", (4,))]),
        ("[1] Stir.\n[2] Draw.", [("Stir.", (1,)), ("Draw.", (2,))]),
        ("- Stir. [1]\n- Draw. [2]", [("Stir.", (1,)), ("Draw.", (2,))]),
        ("1. Stir. [1]\n2) **Draw**. [2]", [("Stir.", (1,)), ("Draw.", (2,))]),
        ("## Answer: `Stir` _once_. [1]", [("Stir _once_.", (1,))]),
        ("Stir once [1]", [("Stir once", (1,))]),
        ("Is it so? [1] Yes! [2]", [("Is it so?", (1,)), ("Yes!", (2,))]),
        ("He said “stir.” [1] Then draw. [2]", [("He said “stir.”", (1,)), ("Then draw.", (2,))]),
        ("You need 2.5 Toads. [1]", [("You need 2.5 Toads.", (1,))]),
        ("<think>[1] Hm. Well.</think>Stir. [2]", [("Stir.", (2,))]),
        ("<think>never ends. [1] Really.", []),
        ("Stir\x1b[31m once\u202e. [1]", [("Stir[31m once.", (1,))]),
        ("Spend [**12**] Toads. [8]", [("Spend Toads.", (12, 8))]),
        ("Spend [1[2]3] Toads. [8]", [("Spend (13) Toads.", (2, 8))]),
        ("[1]", [("", (1,))]),
        ("", []),
        (" \n\n ", []),
        ("…", []),
    ],
)  # fmt: skip
def test_sentences_come_with_their_marks_and_without_markup(
    reply: str, expected: list[tuple[str, tuple[int, ...]]]
) -> None:
    assert read(reply) == expected


@given(st.text(alphabet="Ab .!?\n[]12,<>-*thinkCorp", max_size=60), st.integers(1, 7))
def test_it_does_not_matter_in_what_pieces_a_reply_comes(reply: str, size: int) -> None:
    pieces = [reply[n : n + size] for n in range(0, len(reply), size)]
    assert list(sentences(pieces)) == list(sentences([reply]))


def test_a_sentence_is_there_as_soon_as_the_next_one_begins() -> None:
    read_so_far: list[str] = []

    def pieces() -> list[str]:
        return ["Stir once. [1]", " Then", " draw. [2]"]

    def fed() -> object:
        for piece in pieces():
            read_so_far.append(piece)
            yield piece

    stream = sentences(fed())  # type: ignore[arg-type]
    assert next(stream) == Sentence("Stir once.", (1,))
    assert read_so_far == ["Stir once. [1]", " Then"]
