"""Phrases of rule files, found in what people write.

A phrase is words, with `{n}` where a number stands, `{nth}` where it is an ordinal and `{list}`
where several numbers do; `(a|b)` is either, `(a)?` may be left out and `..` skips up to three
words. Texts and phrases are put into one plain form, in which capitals, articles, plurals and the
way of writing a number make no difference.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rulespal_chat.rules.numbers import in_digits

if TYPE_CHECKING:
    from collections.abc import Iterator

_ARTICLES = {"a", "an", "the"}
_SINGLE = re.compile(r"\b(?<!has )(?<!have )an? (?:single|lone) ")
_COUNTED = (
    (re.compile(r"\bhalf (?:an? )?dozen\b"), "6"),
    (re.compile(r"\b(?:an? |1 )?dozen\b"), "12"),
    (re.compile(r"\b(?:an? |1 )?(?:couple|pair) of\b"), "2"),
)
_ONE_MORE = re.compile(r"(\b\d+ [a-z]+(?: [a-z]+)?,? and) an? ")  # "2 chests and a gem"
_NONE_LAST = re.compile(
    r"(?<=\d)(,? (?:and )?)(?:none|nothing)(?=\s*(?:[.;:!?)]|$))"
)  # "2 and none"
_DASH = re.compile(r"(?<=\d)[–‒‑](?=\d)")  # of a range, as in "5–8"
_PAUSE = re.compile(r"(?<=\d) [–—] (?=\d)")  # "6 – 2 for each"
_SIGNS = (
    (re.compile(r">=|=>"), "≥"), (re.compile(r"<=|=<"), "≤"), (re.compile(r"!=|<>"), "≠"),
    (re.compile(r"=="), "="),
)  # fmt: skip
_TOKEN = re.compile(r"\d+(?:st|nd|rd|th)\b|\d+|[^\W\d_]+|[,/+=:;.?!&()<>≤≥≠-]")
_GROUP = re.compile(r"\(([^()]*)\)\??")
_ITEM = re.compile(r"\{n\}|\{nth\}|\{list\}|\.\.|\(|\)\??|\||[^\s()|]+|\s+")
_ORDINAL = r"(?P<n>\d+)(?:st|nd|rd|th)"
# Not one of several: "7, 7 and 4", while in "3 rings, 4 chests" each has its own noun.
_NUMBER = r"(?P<n>\d+)\b(?! (?:[,/&-]|and|or)(?: and)? \d+\b(?! (?!(?:and|or) )[a-z]))"
_LIST = (
    r"(?P<list>\d+(?: (?:(?:[,/&;-] )?(?:and )?)\d+)+)\b"
    r"(?! (?:[,/&;-] )?(?:and )?(?:\d|(?:none|nothing|nobody|no) ))"  # whole, or not at all
)
_GAP = r"(?:[a-z]+ ){0,3}"
# What may stand between a thing and its number: "Influence is now at 3".
_LINK = (
    r"(?:(?:read|reads|say|says|come|comes|came|is|are|was|were|be|of|at|to|on|has|have|had|hold|holds|show|shows|now|currently|total|"
    r"count|value|level|equal|only|just|exactly|stand|stands|up|down|i|we|it|being|printed|=|:) )*"
)
_BOUND = (
    r"(?:(?:can|cannot|cant|could|may|might|must|mustnt|will|wont|would|should|shouldnt|do|does|"
    r"dont|doesnt|isnt|arent|wasnt|never|not|no|only|just|be|go|get|rise|ever|at|least|most|more|"
    r"less|fewer|greater|higher|lower|than|up|to|over|above|beyond|under|below|exceed|between|from|"
    r"maximum|minimum|max|min|of|limited|capped|equal|about|around|almost|nearly|[<>≤≥≠]) )*"
)
_FIRST = (
    r"(?:between \d+ and |\d+ (?:to|or|-) )?"  # of a range, of which the last number is claimed
)
_OR_MORE = (
    r"(?:(?:or (?:more|less|fewer|higher|lower|greater)|at (?:least|most)|minimum|maximum|max) )?"
)
_BETWEEN = r"(?:(?:more|different|other|separate|extra|of|my|your|his|her|their|our|its|only) )*"
_NUMBER_BEFORE, _LIST_BEFORE = (
    re.compile(rf"(?<= ){kind} {_BETWEEN}$") for kind in (_NUMBER, _LIST)
)
_CLAIMED_BEFORE = re.compile(rf"(?<= ){_NUMBER} {_OR_MORE}{_BETWEEN}$")
_CLAIMED_AFTER = re.compile(rf"{_LINK}{_BOUND}{_FIRST}{_NUMBER} ")
_NUMBER_AFTER, _LIST_AFTER = (re.compile(rf"{_LINK}{kind} ") for kind in (_NUMBER, _LIST))


@dataclass(frozen=True, slots=True)
class Match:
    """A phrase found in a text in plain form.

    Attributes:
        start, end: its place in the plain form.
        number: where it has `{n}`.
        numbers: where it has `{list}`.
        number_at: the place of the number.
        weight: how many letters the phrase itself matched; more is surer.
    """

    start: int
    end: int
    number: int | None = None
    numbers: tuple[int, ...] = ()
    number_at: tuple[int, int] | None = None
    weight: int = 0


@lru_cache(maxsize=4096)
def plain(text: str) -> str:
    """A text in the form in which phrases are compared: tokens with single spaces around each."""
    digits = re.sub(r"['’]", "", in_digits(text)).lower()
    for words, instead in (*_COUNTED, *_SIGNS):
        digits = words.sub(instead, digits)
    digits = _PAUSE.sub(" : ", _DASH.sub("-", digits))
    digits = _NONE_LAST.sub(r"\g<1>0", digits)
    counted = _ONE_MORE.sub(r"\1 1 ", _SINGLE.sub("1 ", digits))
    tokens = _TOKEN.findall(counted)
    return " " + "".join(f"{_singular(t)} " for t in tokens if t not in _ARTICLES)


def _singular(word: str) -> str:
    """A word without the s of a plural; "is", "less" and "does" keep it."""
    kept = len(word) < 4 or word == "does" or word.endswith(("ss", "us", "is"))
    return word if kept else word.removesuffix("s")


def find_phrase(phrase: str, text: str) -> Iterator[Match]:
    """The places of a phrase in a text in plain form.

    A phrase of words alone is also found with a number beside it, see `find_number`.
    """
    for found in _compiled(phrase).finditer(text):
        yield _match(found, phrase)


def find_number(phrase: str, text: str) -> Iterator[Match]:
    """The places of a phrase that has a number, or has one beside it.

    "3 rings", "rings: 3" and "the rings are at 3" have one beside "ring".
    """
    if "{" in phrase:
        yield from find_phrase(phrase, text)
    else:
        yield from _beside(phrase, text, _NUMBER_BEFORE, _NUMBER_AFTER)


def find_claimed(phrase: str, text: str) -> Iterator[Match]:
    """As `find_number`, with a bound beside the number: "the goal is at least 5"."""
    if "{" in phrase:
        yield from find_phrase(phrase, text)
    else:
        yield from _beside(phrase, text, _CLAIMED_BEFORE, _CLAIMED_AFTER)


def find_list(phrase: str, text: str) -> Iterator[Match]:
    """The places of a phrase that has a list of numbers, or has one beside it; "2-4" is a range."""
    if "{" in phrase:
        found = find_phrase(phrase, text)
    else:
        found = _beside(phrase, text, _LIST_BEFORE, _LIST_AFTER)
    yield from (match for match in found if not _is_range(match, text))


def _is_range(match: Match, text: str) -> bool:
    """Whether what reads as a list of two is a range, as in "2-4 toads"."""
    start, end = match.number_at or (0, 0)
    is_dashed = re.fullmatch(r"\d+ - \d+", text[start:end]) is not None
    return is_dashed and match.numbers[0] < match.numbers[1]


def _beside(
    phrase: str, text: str, before: re.Pattern[str], after: re.Pattern[str]
) -> Iterator[Match]:
    """The places of a phrase with what stands before or after it."""
    for found in _compiled(phrase).finditer(text):
        words = re.sub(r"[\d\W]+", "", found[0])
        # A thing has one number: in "12 Fury: 7 for …" the 7 is not said of Fury.
        beside = _counting(before.search(text[: found.start()])) or after.match(text, found.end())
        if beside is not None:
            start, end = min(beside.start(), found.start()), max(beside.end(), found.end())
            yield _numbered(beside, (start, end), min(_longest(phrase), len(words)))


def _counting(found: re.Match[str] | None) -> re.Match[str] | None:
    """What was found, unless it is a "one" that counts nothing: "a blue one of strength 3"."""
    is_pronoun = found is not None and re.match(r"1 of ", found[0]) is not None
    return None if is_pronoun else found


def _numbered(found: re.Match[str], span: tuple[int, int], weight: int) -> Match:
    groups = found.groupdict()
    number, numbers = groups.get("n"), groups.get("list")
    return Match(
        start=span[0],
        end=span[1],
        number=None if number is None else int(number),
        numbers=tuple(map(int, re.findall(r"\d+", numbers or ""))),
        number_at=found.span("n") if number else found.span("list") if numbers else None,
        weight=weight,
    )


def _match(found: re.Match[str], phrase: str) -> Match:
    matched = re.sub(r"[\d\W]+", "", found[0])
    return _numbered(found, found.span(), min(_longest(phrase), len(matched)))


@lru_cache(maxsize=8192)
def _longest(phrase: str) -> int:
    """How many letters of its own a phrase matches at most, without those that it skips."""
    bare = re.sub(r"\{\w+\}|\.\.", " ", phrase)
    while "(" in bare:
        shorter = _GROUP.sub(lambda group: f" {max(group[1].split('|'), key=len)} ", bare)
        if shorter == bare:
            break
        bare = shorter
    return len(re.sub(r"[\W\d_]+", "", bare))


@lru_cache(maxsize=8192)
def _compiled(phrase: str) -> re.Pattern[str]:
    return re.compile(rf"(?<= ){_regex(phrase)}")


def _regex(phrase: str) -> str:
    """A phrase as a regular expression; each word of it is followed by a space."""
    items = _ITEM.findall(phrase.strip())
    pattern, _ = _sequence(items, 0)
    return pattern


def _sequence(items: list[str], at: int) -> tuple[str, int]:
    """The expression of the items up to the end or a closing bracket, and where it ends."""
    alternatives, parts = [], []
    while at < len(items) and not items[at].startswith(")"):
        item = items[at]
        if item == "(":
            is_ending = at > 0 and re.fullmatch(r"[^\s()|{}.]+", items[at - 1]) is not None
            inner, at = _sequence(items, at + 1)
            group = f"(?:{inner})?" if items[at : at + 1] == [")?"] else f"(?:{inner})"
            parts.append(group)
            if is_ending:  # "attack(ed)?" is one word: the space comes after the ending
                parts[-2:] = [parts[-2].removesuffix(" ") + group.replace(" ", "") + " "]
        elif item == "|":
            alternatives.append("".join(parts))
            parts = []
        elif item.strip():
            parts.append(_item(item))
        at += 1
    alternatives.append("".join(parts))
    return "|".join(alternatives), at


def _item(item: str) -> str:
    if item == "{n}":
        return f"{_NUMBER} "
    if item == "{nth}":
        return f"{_ORDINAL} "
    if item == "{list}":
        return f"{_LIST} "
    if item == "..":
        return _GAP
    return "".join(f"{re.escape(token)} " for token in plain(item).split())
