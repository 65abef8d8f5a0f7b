"""Why a sentence isn't said by the statements that it names.

First come words: a number, a name or a role that isn't there, or too many words that aren't, settle
it. Then the verifier reads sentence and statements together, and `support` weighs what it says.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rulespal_chat.grounding.support import LIMIT, support
from rulespal_chat.grounding.verifier import evidence
from rulespal_chat.grounding.words import LOADED, difference, likeness, terms
from rulespal_chat.types import ChapterKind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rulespal_chat.types import Chapter, Pick

_MOST_UNKNOWN = 0.8  # share of the sentence's words that the statements don't have
_THE_SAME = 0.75  # likeness of a sentence and a statement that say the same, or the opposite
_FEWEST = 2  # words that say something
_FEWEST_KNOWN = 3  # of these, unless the statements have all of them: vague ones fool the verifier

_LONGEST = 400  # characters of a sentence, which the verifier reads whole

_ASKING = re.compile(r"(?:who|whose|whom|what|how|why)\b", re.IGNORECASE)

_WORD_OR_SIGN = re.compile(r"\d+(?:\.\d+)?|[^\W\d]+|[-+<>=/×½¼](?=\s*\w)|[½¼]")

NO_CLAIM = "it asks, and says nothing"
TOO_LONG = "it says too much at once"
TOO_LITTLE = "it says too little to be held against anything"
NOT_SAID = "the passages that it names don't say it"


@dataclass(frozen=True, slots=True)
class Judge:
    """Holds sentences against statements.

    Attributes:
        verifier: the log-odds that evidence bears out a sentence.
    """

    verifier: Callable[[str, str], float]

    def __call__(self, sentence: str, picks: Sequence[Pick], computed: Sequence[str] = ()) -> str:
        """Why the statements don't say the sentence; empty if they do.

        Args:
            sentence: without marks.
            picks: the statements that it names.
            computed: sentences with the values that the rules engine found.
        """
        if sentence.rstrip().endswith("?"):
            return NO_CLAIM
        if _plain(sentence) in {_plain(text) for text in (*_texts(picks), *computed)}:
            return ""
        told = "\n".join([_evidence(picks), *computed])
        if why := _no_claim(sentence) or _by_words(sentence, told, picks):
            return why
        readings: list[tuple[list[Pick], tuple[str, ...]]] = [([pick], ()) for pick in picks]
        readings += [(list(picks), ())] if len(picks) > 1 else []
        readings += [(list(picks), tuple(computed))] if computed else []
        return "" if any(self._bears_out(sentence, *r) for r in readings) else NOT_SAID

    def _bears_out(self, sentence: str, picks: Sequence[Pick], computed: Sequence[str]) -> bool:
        sure = self.verifier("\n".join([_evidence(picks), *computed]), sentence)
        return support(sentence, [*_texts(picks), *computed], sure, role_names(picks)) >= LIMIT


def _no_claim(sentence: str) -> str:
    """Why there is nothing in a sentence that could be held against anything."""
    if _ASKING.match(sentence):
        return NO_CLAIM
    if len(sentence) > _LONGEST:
        return TOO_LONG
    says = [term for term in terms(sentence) if term not in LOADED]
    return TOO_LITTLE if len(says) < _FEWEST else ""


def _by_words(sentence: str, told: str, picks: Sequence[Pick]) -> str:
    """Why the words alone rule a sentence out."""
    found = difference(sentence, told)
    if found.numbers:
        return f"the passages that it names don't have the number {min(found.numbers)}"
    if found.names:
        return f"the passages that it names don't have '{min(found.names)}'"
    if others := _roles(sentence, picks) - _roles(told, picks):
        return f"the passages that it names aren't about {min(others)}"
    is_vague = found.unknown > 0 and found.known < _FEWEST_KNOWN
    is_turned = any(_is_turned_round(sentence, pick.statement.text) for pick in picks)
    return NOT_SAID if found.unknown > _MOST_UNKNOWN or is_vague or is_turned else ""


def _is_turned_round(sentence: str, statement: str) -> bool:
    """Whether it is the statement itself, with a "not" more or less."""
    found = difference(sentence, statement)
    return found.negations % 2 == 1 and likeness(sentence, statement) >= _THE_SAME


def _evidence(picks: Sequence[Pick]) -> str:
    return evidence([(pick.section.name, pick.statement.text) for pick in picks])


def _texts(picks: Sequence[Pick]) -> list[str]:
    return [pick.statement.text for pick in picks]


def _plain(text: str) -> tuple[str, ...]:
    """The words and signs of a text: all that may make another rule of it."""
    return tuple(_WORD_OR_SIGN.findall(re.sub("[–−]", "-", text.lower())))


def _roles(text: str, picks: Sequence[Pick]) -> set[str]:
    """The roles of the picks' books that a text names, each by its longest name."""
    names = _names(_chapters(picks))
    if not names:
        return set()
    longest_first = sorted(names, key=len, reverse=True)
    pattern = rf"\b(?:{'|'.join(map(re.escape, longest_first))})\b"
    return {names[found.lower()] for found in re.findall(pattern, text, re.IGNORECASE)}


def role_names(picks: Sequence[Pick]) -> tuple[str, ...]:
    """What the roles of the picks' books are called, in small letters."""
    return tuple(_names(_chapters(picks)))


def _chapters(picks: Sequence[Pick]) -> tuple[Chapter, ...]:
    return tuple(dict.fromkeys(c for pick in picks for c in pick.book.chapters))


@lru_cache(maxsize=64)
def _names(chapters: tuple[Chapter, ...]) -> dict[str, str]:
    """What roles are called, each with its heading."""
    return {
        name.lower().removeprefix("the "): chapter.heading
        for chapter in chapters
        if chapter.kind is ChapterKind.ROLE
        for name in (*chapter.aliases, chapter.heading)
    }
