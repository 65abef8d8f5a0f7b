"""Numbers in English text, in digits or in words."""

from __future__ import annotations

import re
from functools import lru_cache

_HYPHEN = re.compile(r"(?<=[A-Za-z0-9])[-‐‑](?=[A-Za-z])|(?<=[A-Za-z])[-‐‑](?=\d)")
_ONES = re.compile(r"\bones\b", re.IGNORECASE)  # "the magic ones" are no number
_ORDINAL = re.compile(r"\b(\d+)(?:st|nd|rd|th)\b")
_WORDS = {"no": 0, "none": 0, "nothing": 0, "nobody": 0, "never": 0, "without": 0, "once": 1,
          "single": 1, "twice": 2, "both": 2, "pair": 2, "thrice": 3, "dozen": 12}  # fmt: skip
_LONGEST = 18  # digits: more are no number that a rule could use


def in_digits(text: str) -> str:
    """The text with number words put into digits, "two-player" becoming "2 player".

    Ordinals become "3rd", "third" too.
    """
    from text_to_num import alpha2digit

    spaced = _ONES.sub("them", _HYPHEN.sub(" ", text))
    digits: str = alpha2digit(spaced, "en", threshold=0)
    return digits


@lru_cache(maxsize=4096)
def numbers_in(text: str) -> frozenset[int]:
    """The numbers that a sentence of a rulebook gives, "no" and "both" among them."""
    digits = _ORDINAL.sub(r"\1", in_digits(text))
    found = {int(n) for n in re.findall(r"\d+", digits) if len(n) <= _LONGEST}
    words = re.findall(r"[a-z]+", text.lower())
    return frozenset(found | {_WORDS[word] for word in words if word in _WORDS})
