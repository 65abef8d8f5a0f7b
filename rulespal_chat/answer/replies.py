"""A model's reply, taken apart into sentences with their marks while it still comes in."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespal_chat.corpus.text import clean, one_line

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MARKS = r"\[\s*\d{1,3}(?:\s*[,;]\s*\d{1,3})*\s*\]"
_MARK = re.compile(rf"\s*{_MARKS}")
_END = re.compile(rf"(?P<stop>[.!?]['\"”’)*_]*)(?P<marks>(?:\s*{_MARKS})*\.?)(?=\s+[^\s\[a-z])|\n+")
# Of a sentence that begins with its marks, those behind it are the next one's.
_END_AFTER_MARKS = re.compile(r"(?P<stop>[.!?]['\"”’)*_]*)(?P<marks>)(?=\s+[^\sa-z])|\n+")
_BEGINS_WITH_MARKS = re.compile(rf"\s*(?:{_MARKS}\s*)+[^\s.!?\[]")
# Abbreviations and the numbers of lists: the stop behind them ends no sentence.
_GOES_ON = re.compile(
    r"\b(?:vs|e\.g|i\.e|etc|cf|no|nos|fig|corp|inc|st|dr|mr|mrs)\.$|(?:^|\n)\s*\d{1,2}\.$", re.I
)
_BULLET = re.compile(r"^(?:[-*•>#]+|\d{1,2}[.)])\s+")
_LABEL = re.compile(r"^(?:answer|ruling|reply)\s*:\s*", re.IGNORECASE)
_MARKUP = re.compile(r"\*\*|__|`|^\*(?=\S)|(?<=\S)\*$")
_THOUGHT = re.compile(r"<think>.*?(?:</think>|\Z)", re.DOTALL)
_OPEN_THOUGHT = re.compile(r"<think>")


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a reply.

    Attributes:
        text: without marks and markup, on one line.
        marks: the numbers of the passages that it names, each once.
    """

    text: str
    marks: tuple[int, ...]


def sentences(pieces: Iterable[str]) -> Iterator[Sentence]:
    """The sentences of a reply, each as soon as it is there whole.

    What a model thinks aloud between <think> and </think> is no part of its reply.

    Args:
        pieces: the reply as it comes in.
    """
    waiting = ""
    for piece in pieces:
        waiting += piece
        if "</think>" in waiting:
            waiting = without_thoughts(waiting)
        if _OPEN_THOUGHT.search(waiting):
            continue
        *whole, waiting = _split(waiting)
        yield from _read(whole)
    yield from _read(_split(without_thoughts(waiting)))


def without_thoughts(reply: str) -> str:
    """A reply without what a model thinks aloud."""
    return _THOUGHT.sub("", reply)


def _split(text: str) -> list[str]:
    """The text at the ends of its sentences; the last part may go on."""
    parts, start, searched = [], 0, 0
    while end := _end(text, start).search(text, searched):
        before = text[start : end.end("stop") if end["stop"] else end.start()]
        searched = end.end()
        if end["marks"] or not (end["stop"] and _GOES_ON.search(before)):
            parts.append(text[start:searched])
            start = searched
    return [*parts, text[start:]]


def _end(text: str, start: int) -> re.Pattern[str]:
    """What ends the sentence that starts there."""
    return _END_AFTER_MARKS if _BEGINS_WITH_MARKS.match(text, start) else _END


def _read(texts: Iterable[str]) -> Iterator[Sentence]:
    for text in texts:
        sentence = _sentence(text)
        if re.search(r"\w", sentence.text) or sentence.marks:
            yield sentence


def _sentence(text: str) -> Sentence:
    """Reads the marks after all is gone that may hide in one, and leaves nothing like one."""
    plain = one_line(_MARKUP.sub("", clean(text)))
    numbers = re.findall(r"\d+", " ".join(_MARK.findall(plain)))
    plain = _LABEL.sub("", _BULLET.sub("", _MARK.sub("", plain).strip()))
    plain = re.sub(r"\[\s*(\d+)\s*\]", r"(\1)", re.sub(r"\s+([.,;:!?])", r"\1", plain))
    return Sentence(re.sub(r"\.{2}$", ".", plain), tuple(dict.fromkeys(map(int, numbers))))
