"""How a sentence holds a number against an output: as it, as a bound, as an end of a range.

What only may be ("it can be 9"), is about so ("around 9"), is one of two ("5 or 8") or is a part of
a calculation ("3 + 4") says nothing that could be checked.
"""

from __future__ import annotations

import re

_NOT = (
    r"(?:no|not|never|isnt|arent|wasnt|werent|cant|cannot|wont|doesnt|dont|didnt|mustnt|shouldnt|"
    r"couldnt|wouldnt)"
)
_BEING = (
    r"(?:(?:be|ever|go|get|rise|fall|drop|need|have|has|require|just|only|exactly|equal|equal to|"
    r"come to|to be) )*"
)
_BOUNDS = (
    (">", r"(?:more|greater|higher|larger|bigger) than|over|above|beyond|exceed|exceeding|>"),
    ("<", r"(?:less|fewer|lower|smaller) than|under|below|<"),
    (">=", r"at least|minimum|min|from|≥"),
    ("<=", r"at most|up to|maximum|max|limited to|capped at|≤"),
    ("!=", r"≠|instead of|rather than"),
)  # fmt: skip
_BEFORE = tuple(
    (operator, re.compile(rf" (?:(?P<no>{_NOT}) {_BEING})?(?:{words}) (?:of )?$"))
    for operator, words in _BOUNDS
)
_AFTER = (
    (">=", r"or (?:more|higher|greater|above|over)|and (?:up|above)(?! to)|at least|at minimum|"
           r"minimum|[+](?= (?:[.,;:?!)]|$))"),
    ("<=", r"or (?:less|fewer|lower|below|under)|and below|at most|maximum|max|tops"),
)  # fmt: skip
_OPPOSITE = {">": "<=", "<": ">=", ">=": "<", "<=": ">"}
_NOT_THIS = re.compile(rf" {_NOT} {_BEING}$")
_RANGE = re.compile(r" (?:(?:between|from) (?P<a>\d+) (?:and|to)|(?P<b>\d+) (?:to|-)) $")
_PART_OF_MORE = re.compile(r" (?:\d+ - \d+ - |[-+×x*/=] \d+ - |add(?:s|ed|ing)? \d+ to )$")
_SAYS_NOTHING = re.compile(
    r" (?:(?:can|could|may|might) (?:also |even |then |well )*(?:be|get|have|need|reach|go to|"
    r"rise to)|about|around|almost|nearly|roughly|approximately|circa|\d+ (?:or|to|/|[-+×x*])|no) $"
)
_IS_PART = re.compile(r" ?(?:or|to|/|[-+×x*]) \d")


def low_of_range(before: str, high: int) -> int | None:
    """The least of a range, from what stands before its other end: "between 5 and", "5 -"."""
    found = _RANGE.search(before)
    if found is None or _PART_OF_MORE.search(before):
        return None
    low = int(found["a"] or found["b"])
    return low if low < high else None


def operator(before: str, after_number: str, after_phrase: str) -> str | None:
    """How a number is held against an output, as in `Claim`; None if that says nothing.

    Args:
        before: the text up to the number, in plain form.
        after_number: the text from the number on.
        after_phrase: the text from the end of the phrase that has the number.
    """
    for sign, words in _BEFORE:
        if found := words.search(before):
            return _OPPOSITE.get(sign) if found["no"] else sign
    for sign, text in _AFTER:
        if re.match(rf" ?(?:{text})(?= )", after_number) or re.match(rf"(?:{text}) ", after_phrase):
            return sign
    is_part = _PART_OF_MORE.search(before) or _IS_PART.match(after_number)
    if is_part or _SAYS_NOTHING.search(before):
        return None
    return "!=" if _NOT_THIS.search(before) else "=="
