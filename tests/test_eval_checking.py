"""What an answer must say, and must not, to pass the check of its question."""

from __future__ import annotations

import pytest

from rulespal_chat.evaluation.checking import passes
from rulespal_chat.evaluation.model import EvalQuestion


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("You need 3 Toads.", True),
        ("Three.", True),
        ("THREE TOADS", True),
        ("You need **3** Toads [2].", True),
        ("3", True),
        ("You need Toads [3].", False),  # a mark is no number
        ("You need 13 Toads.", False),
        ("You need 3.5 Toads.", False),
        ("You need 3,000 Toads.", False),
        ("Threefold.", False),
        ("3 Toads, but not from the Well.", False),
        ("3 Toads, don't count golden ones.", False),
        ("3 Toads, don’t count golden ones.", False),
        ("3 Toads in the Knot.", True),  # "not" only as a word
        ("", False),
    ],
)
def test_an_answer_passes_with_one_of_each_group_and_nothing_forbidden(
    text: str, is_right: bool
) -> None:
    question = EvalQuestion(
        "toads-1",
        "How many Toads win?",
        "3 Toads.",
        "lookup",
        must_include=(("3", "three"),),
        must_not_include=("not", "don't"),
    )
    assert passes(text, question) is is_right


def test_every_group_is_needed_and_a_bare_no_ends_a_sentence() -> None:
    question = EvalQuestion(
        "a", "b", "c", "negation", must_include=(("no.", "no,"), ("witch", "hexer"))
    )
    assert passes("The Witch may: no", question)
    assert passes("No, says the Hexer", question)
    assert not passes("No, says the Toad", question)
    assert not passes("The Witch may know", question)
