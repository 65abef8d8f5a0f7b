"""What is taken out of a book's text before anybody sees it."""

from __future__ import annotations

import shlex
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespal_chat.corpus.text import clean, one_line, quoted


@given(st.text())
def test_no_control_character_is_left(text: str) -> None:
    kept = {"\n", "\t"}
    assert not [c for c in clean(text) if unicodedata.category(c) == "Cc" and c not in kept]
    assert not [c for c in one_line(text) if unicodedata.category(c) in {"Cc", "Zl", "Zp"}]


@pytest.mark.parametrize(
    ("text", "cleaned"),
    [
        ("\x1b]8;;http://x\x07link\x1b]8;;\x07", "]8;;http://xlink]8;;"),
        ("right\u202eleft\u202c \u2067x\u2069", "rightleft x"),
        ("in\u200bvisi\ufeffble \U000e0041", "invisible "),
        ("a\r\nb\rc", "a\nb\nc"),
        ("👩\u200d🍳 Ω é 漢字", "👩\u200d🍳 Ω é 漢字"),
    ],
)
def test_what_fools_a_terminal_or_an_eye_is_out(text: str, cleaned: str) -> None:
    assert clean(text) == cleaned


@given(st.text(alphabet=st.characters(exclude_characters="\x00", exclude_categories=["Cs"])))
def test_a_quoted_text_is_one_word_for_a_shell(text: str) -> None:
    assert shlex.split(quoted(text)) == [text]


def test_quotes_are_those_that_a_person_would_type() -> None:
    assert quoted("The Player's Supply") == '"The Player\'s Supply"'
    assert quoted("$(reboot)") == "'$(reboot)'"
