"""What the verifier learns from: sentences that a statement bears out, and some that it doesn't.

`claims/*.jsonl` have, for each statement of the three books, {"statement": id, "said": […],
"lies": […]}: in "said" first a sentence in the book's terms, then one in everyday words, then
others; the lies are each wrong by the statement, or not said by it. All were written without
knowing how they would be checked. From these, more are made by small changes.
"""

from __future__ import annotations

import hashlib
import json
import random
import re
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.grounding.verifier import evidence

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulespal_chat.types import Library, Section, Statement

HERE = Path(__file__).parent
_OF_TEN = {0: "test", 1: "test", 2: "tune"}  # shares of the sections
_BESIDE = 0.3  # of the pairs have a second statement in their evidence
_SPOILT = 0.5  # of the sentences that are borne out also come with a small change


class Part(StrEnum):
    """What a statement is used for."""

    TRAIN = "train"
    TUNE = "tune"
    TEST = "test"


@dataclass(frozen=True, slots=True)
class Claims:
    """A statement with what it bears out and what it doesn't."""

    section: Section
    statement: Statement
    said: tuple[str, ...]
    lies: tuple[str, ...]

    @property
    def part(self) -> Part:
        """By the section's headings below the chapter, so that twins stay together."""
        name = " > ".join(self.section.path[1:] or self.section.path)
        number = int(hashlib.sha256(name.encode()).hexdigest(), 16) % 10
        return Part(_OF_TEN.get(number, "train"))


@dataclass(frozen=True, slots=True)
class Pair:
    """Evidence, a sentence, and whether the former bears out the latter."""

    evidence: str
    sentence: str
    is_said: bool


def read_claims(library: Library) -> list[Claims]:
    """All of `claims/`; those whose statement has changed are left out."""
    places = {
        statement.id: (section, statement)
        for book in library.books
        for section in book.sections
        for statement in section.statements
    }
    found = []
    for path in sorted((HERE / "claims").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(line)
            if row["statement"] in places:
                said, lies = tuple(row["said"]), tuple(row["lies"])
                found.append(Claims(*places[row["statement"]], said, lies))
    return found


def pairs(claims: Sequence[Claims]) -> list[Pair]:
    """What is learnt in an epoch, in random order; each epoch gets other small changes."""
    found = [pair for one in claims for pair in _pairs(one, claims)]
    random.shuffle(found)
    return found


def _pairs(claims: Claims, others: Sequence[Claims]) -> Iterator[Pair]:
    told = [*claims.said, claims.statement.text]
    for sentence in told:
        yield Pair(_shown(claims), sentence, is_said=True)
        if random.random() < _SPOILT and (wrong := _changed(sentence, WRONG)):
            yield Pair(_shown(claims), wrong, is_said=False)
    if right := _changed(claims.statement.text, RIGHT):
        yield Pair(_shown(claims), right, is_said=True)
    for sentence in claims.lies:
        yield Pair(_shown(claims), sentence, is_said=False)
    beside = [s for s in claims.section.statements if s is not claims.statement]
    if beside:
        text = evidence([(claims.section.name, random.choice(beside).text)])
        yield Pair(text, random.choice(claims.said), is_said=False)
    other = random.choice(others)
    if other.section is not claims.section:
        yield Pair(_shown(other), random.choice(claims.said), is_said=False)


def _shown(claims: Claims) -> str:
    """The statement as evidence, now and then with another one of its section."""
    texts = [claims.statement.text]
    beside = [s.text for s in claims.section.statements if s is not claims.statement]
    if beside and random.random() < _BESIDE:
        texts.insert(random.randrange(2), random.choice(beside))
    return evidence([(claims.section.name, text) for text in texts])


# Small changes: each gives a sentence with another meaning, or with the same; "" if it can't.

_NAMES = (
    "Cave Ghost|Vile Ghoul|Nightmare Unicorn|Shadow Unicorn|Ghost|Ghoul|Knight|Thief|Dragon|"
    "Goblins|Hero|Villain|Monster|Artifact|Treasure|Crystal|Omen|opponent|player|monster|demon|bag|board"
).split("|")
_OPPOSITES = (
    (" is ", " is not "), (" are ", " are not "), (" may ", " may not "), (" can ", " cannot "),
    (" can't ", " can "), (" cannot ", " can "), (" not ", " "), (" never ", " always "),
    (" only ", " "), (" before ", " after "), (" after ", " before "), (" and ", " or "),
    (" or ", " and "), (" gains ", " loses "), (" gain ", " lose "), (" loses ", " gains "),
    (" each ", " 1 "), (" every ", " 1 "), (" all ", " 1 of the "), (" may ", " must "),
    (" must ", " may "), (" has to ", " may "), (" at least ", " at most "), (" more ", " fewer "),
    (" up", " down"), (" on ", " off "), (" to ", " from "), (" from ", " to "),
    (" with ", " without "), (" without ", " with "), (" first ", " last "), (" own ", " other "),
    (" places ", " removes "), (" until ", " after "), (" unless ", " if "), (" if ", " unless "),
)  # fmt: skip
_SAME = (
    (" must ", " has to "), (" cannot ", " can't "), (" does not ", " doesn't "), ("If ", "When "),
    (" is not ", " isn't "), (" if ", " when "), (" may ", " is allowed to "),
    (" after ", " once "), (" each ", " every "), (" gains ", " gets "), (" puts ", " places "),
    (" places ", " puts "),
    (" 2 ", " two "), (" 3 ", " three "), (" 1 ", " one "), (" begins ", " starts "),
    (" player's ", " player’s "), (" at least 1 ", " one or more "), (" ends ", " is over "),
)  # fmt: skip


def _changed(sentence: str, ways: Sequence[Callable[[str], str]]) -> str:
    changed = random.choice(ways)(sentence)
    return changed if changed != sentence else ""


def _swapped(sentence: str) -> str:
    """Two of the names that it has, each in the other's place."""
    there = [name for name in _NAMES if re.search(rf"\b{name}\b", sentence)]
    there = [name for name in there if not any(name != o and name in o for o in there)]
    if len(there) < 2:
        return ""
    one, other = random.sample(there, 2)
    both = rf"\b(?:{one}|{other})\b"
    return re.sub(both, lambda found: other if found[0] == one else one, sentence)


def _renamed(sentence: str) -> str:
    """Another name in place of one."""
    there = [name for name in _NAMES if re.search(rf"\b{name}\b", sentence)]
    others = [name for name in _NAMES if name not in sentence]
    if not there or not others:
        return ""
    return re.sub(rf"\b{random.choice(there)}\b", random.choice(others), sentence)


def _recounted(sentence: str) -> str:
    """Another number in place of one."""
    numbers = list(re.finditer(r"\b\d+\b", sentence))
    if not numbers:
        return ""
    number = random.choice(numbers)
    value = abs(int(number[0]) + random.choice((-2, -1, 1, 2, 3)))
    return f"{sentence[: number.start()]}{value}{sentence[number.end() :]}"


def _replaced(sentence: str, table: Sequence[tuple[str, str]]) -> str:
    fitting = [(old, new) for old, new in table if old in sentence]
    return sentence.replace(*random.choice(fitting), 1) if fitting else ""


def _opposite(sentence: str) -> str:
    return _replaced(sentence, _OPPOSITES)


def _same(sentence: str) -> str:
    return _replaced(sentence, _SAME)


def _rotated(sentence: str) -> str:
    """The condition behind what it is the condition of."""
    found = re.match(r"(If|When|After|In|During|At|With) ([^,;:]+), ([^;:]+)\.$", sentence)
    if not found:
        return ""
    first, condition, rest = found.groups()
    return f"{rest[:1].upper()}{rest[1:]} {first.lower()} {condition}."


WRONG = (_swapped, _swapped, _renamed, _recounted, _opposite, _opposite)
RIGHT = (_same, _same, _rotated)
