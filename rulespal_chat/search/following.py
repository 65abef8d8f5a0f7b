"""What a follow-up asks: "and on hard?" means the question before it, on hard.

A line follows the last question if it opens as something that goes on ("and", "what about", "why
not"), if it only puts another number, role or level in its place, or if it begins with a pronoun
for what was spoken of. It is understood as the last question with what is replaced replaced, and
what is new behind it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespal_chat.corpus.lookup import words
from rulespal_chat.search.lexical import STOP_WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

_CHANGED = re.compile(
    r"^\W*(?:(?:ok|okay|right|well|alright|anyway|now|thanks|thx|cool|hm+|and)\W+)*"
    r"(?:(?:a |an |another |new |next |one )*"
    r"(?:different|unrelated|other|another|new|next|separate) "
    r"(?:thing|question|topic|subject|q|one)|something else|"
    r"changing (?:the )?(?:subject|topic)|(?:change|switch) of (?:subject|topic)|"
    r"unrelated(?:ly)?)\b\W*",
    re.IGNORECASE,
)
_FILLERS = r"^\W*(?:(?:ok|okay|right|well|hm+|oh|yes|no|sure|cool|thanks|wait|sorry|alright)\b\W+)*"
_OPENS = re.compile(
    _FILLERS + r"(?:and|but|or|what about|how about|same (?:with|for|if|in|on|as)|i mean)\b",
    re.IGNORECASE,
)
_OPENS_BRIEFLY = re.compile(
    _FILLERS + r"(?:what if|same|also|even|then|so|why|how come|since when|says who|are you sure|"
    r"really|unless|until|except|else|otherwise|as well|too)\b",
    re.IGNORECASE,
)
_LEADS_IN = re.compile(
    _FILLERS + r"(?:with|without|for|on|in|if|when|at|as|against|only|not|just|by|from|after|"
    r"before|during)\b",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"^\W*(?:\w+\W+){0,3}?(?:it|its|they|them|their|theirs|he|him|his|she|her|hers|(?:that|those|"
    r"these|this)(?= (?:is|are|was|do|does|did|can|could|may|must|will|would|has|have|happens?|"
    r"works?|counts?|go|goes|too|also|even|mean|means|still|apply|applies)\b|\W*$))\b",
    re.IGNORECASE,
)
_OTHER = re.compile(
    r"\bthe other (?:one|side|way|half|player|team|two|kind|type)s?\b", re.IGNORECASE
)
_VERB = re.compile(
    r"\b(?:do|does|did|is|are|was|were|can|could|may|might|must|will|would|should|has|have|who|"
    r"what|which|how)\b",
    re.IGNORECASE,
)
_LEVELS = ("easy", "beginner", "normal", "standard", "medium", "hard", "difficult", "expert")
_NUMBER = re.compile(
    r"\b(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE
)
_LEVEL = re.compile(rf"\b(?:{'|'.join(_LEVELS)})\b", re.IGNORECASE)
_EMPTY = frozenset(
    "and but or what about how if same also even then so why come mean ok okay right well sure "
    "really with without for on in when at as only not just instead now us me again still too it "
    "there though player players game mode level difficulty case one ones else many much".split()
)
_CONNECTS = frozenset("against vs versus instead then though please".split())
_SHORT = 4  # content words of a line that leads in with a preposition, at most
_SHORT_OPENED = 9  # and of one that goes on
_SHORT_POINTING = 6  # and of one whose first words point back


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A line that follows another.

    Attributes:
        text: the question that it asks, standing alone.
        focus: what is new in it; empty if it only replaces something.
    """

    text: str
    focus: str = ""


def follow(line: str, last: str, roles: Mapping[str, Sequence[str]]) -> FollowUp | None:
    """The line as a question that stands alone, if it follows the last one; else None.

    Args:
        line: as typed.
        last: the question before it, standing alone.
        roles: what a role of the game may be called, by its heading.
    """
    if not last or _CHANGED.match(line):
        return None
    named = _roles_in(line, roles)
    if not _follows(line, named):
        return None
    rest = _new_words(line, last, named)
    same = last if rest else _with_role(last, named, roles)
    replaced = _with_level(_with_numbers(same, line), line)
    if not rest and replaced != last:
        return FollowUp(replaced)
    return FollowUp(f"{replaced.rstrip(' ?.!')}: {line}", line if rest else "")


def without_change(line: str) -> str:
    """The line without words that only say that the subject changes; itself if it has no others."""
    rest = _CHANGED.sub("", line)
    return rest if re.search(r"\w", rest) else line


def _follows(line: str, named: Sequence[str]) -> bool:
    said = re.findall(r"[^\W_]+", line.lower())
    content = [w for w in said if w not in STOP_WORDS and w not in _EMPTY]
    if _OPENS.match(line):
        return len(content) <= _SHORT_OPENED
    if _OPENS_BRIEFLY.match(line) and len(content) <= _SHORT:
        return True
    role_words = {w for name in named for w in name.split()}
    new = [w for w in content if w not in role_words and not _NUMBER.fullmatch(w)]
    if not [w for w in new if not _LEVEL.fullmatch(w)]:
        return bool(said)
    if _LEADS_IN.match(line) and len(content) <= _SHORT and not _VERB.search(line):
        return True
    points_back = _POINTS_BACK.match(line) or _OTHER.search(line)
    return points_back is not None and not named and len(content) <= _SHORT_POINTING


def _roles_in(line: str, roles: Mapping[str, Sequence[str]]) -> list[str]:
    """The names of roles that stand in a line, as they stand there, lower case, longest first."""
    names = sorted({n for called in roles.values() for n in called}, key=len, reverse=True)
    left, found = line.lower(), []
    for name in names:
        pattern = _name(name)
        if pattern.search(left):
            found.append(name.lower())
            left = pattern.sub(" ", left)
    return found


def _name(name: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:the )?{re.escape(name)}(?:['’]s|s)?\b", re.IGNORECASE)


def _with_role(last: str, named: Sequence[str], roles: Mapping[str, Sequence[str]]) -> str:
    """The last question with the role of the line in the place of its own, if each names one."""
    headings = {n.lower(): heading for heading, called in roles.items() for n in called}
    before = _roles_in(last, roles)
    if len(named) != 1 or len(before) != 1:
        return last
    own = headings[named[0]]
    inside = re.sub(r"^The ", "the ", own)
    return _name(before[0]).sub(lambda m: inside if m.start() else own, last)


def _with_numbers(last: str, line: str) -> str:
    """The last question with the numbers of the line in the places of its own."""
    new, old = _NUMBER.findall(line), list(_NUMBER.finditer(last))
    if not new or len(new) > len(old):
        return last
    units = _units(line)
    places = [m for m in old if _unit_after(last, m) in units] if units else old
    if len(places) != len(new):
        return last
    text = last
    for match, number in sorted(zip(places, new, strict=True), key=lambda p: -p[0].start()):
        text = text[: match.start()] + number + text[match.end() :]
    return text


def _units(line: str) -> set[str]:
    """What is counted in a line: "3 players" goes where a number of players stands."""
    return {unit for m in _NUMBER.finditer(line) if (unit := _unit_after(line, m))}


def _unit_after(text: str, match: re.Match[str]) -> str:
    """The compared word right behind a number, if it is a noun; "us" are players."""
    following = re.match(r"[ -]*(?:of )?([^\W\d_]+)", text[match.end() :])
    word = words(following[1])[0] if following and words(following[1]) else ""
    if word in {"us", "people", "person"}:
        return "player"
    return "" if word in STOP_WORDS or word in _CONNECTS else word


def _with_level(last: str, line: str) -> str:
    """The last question with the difficulty of the line in the place of its own."""
    new = _LEVEL.search(line)
    return _LEVEL.sub(new[0], last) if new and _LEVEL.search(last) else last


def _new_words(line: str, last: str, named: Sequence[str]) -> list[str]:
    """The words of a line that say something that the last question doesn't."""
    known = {*words(last), *(w for name in named for w in words(name))}
    return [word for word in _content(line) if word not in known]


def _content(line: str) -> Iterator[str]:
    for said in re.findall(r"[^\W_]+", line.lower()):
        is_replaced = _NUMBER.fullmatch(said) or _LEVEL.fullmatch(said)
        if said not in STOP_WORDS and said not in _EMPTY and not is_replaced:
            yield from words(said)
