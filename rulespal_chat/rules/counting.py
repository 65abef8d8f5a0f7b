"""How people say how many play."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from rulespal_chat.rules.hedges import is_denied
from rulespal_chat.rules.phrases import Match, find_phrase

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulespal_chat.rules.model import Input

PLAYERS = "players"
# A phrase, and what its number lacks.
_COUNTS = (
    ("{n} of us", 0), ("{n} (player|people|person)", 0), ("{n} p", 0), ("{n}p", 0),
    ("were (just|only)? {n} (player|people)", 0), ("we are (just|only)? {n}", 0),
    ("group of {n}", 0), ("table of {n}", 0), ("party of {n}", 0), ("{n} at (table|our table)", 0),
    ("(me|i|myself) (and|plus) {n} (other|friend|people|more|mate)", 1),
    ("{n} (other|friend|people|mate) (and|plus) (me|myself|i)", 1),
    ("(plus|and|with|against|versus|vs) {n} other", 1),
    ("{n} other (player|people|role)", 1), ("{n} (opponent|enemy|enemies)", 1),
    ("{n} (gamer|folk)", 0), ("(play|playing) with {n}", 0),
    ("player (=|:) {n}", 0), ("player count (is|of|=|:) {n}", 0),
    ("number of player (is|=|:) {n}", 0),
)  # fmt: skip
_OF_A_GAME = "{n} (player|people|person) (game|match|session|mode|setup|variant)"
_FIXED = (
    ("solo", 1), ("alone", 1), ("single player", 1), ("single-player", 1), ("by myself", 1),
    ("on my own", 1), ("lone (ghoul|ghost|vile|cave|unicorn)", 1),
    ("foursome", 4), ("trio", 3), ("threesome", 3), ("head to head", 2), ("1 on 1", 2),
    ("1v1", 2), ("2 hander", 2), ("duel", 2), ("duelling", 2), ("dueling", 2),
    ("me (vs|versus|against) (my|1) (friend|wife|husband|partner|son|daughter|brother|sister)", 2),
)  # fmt: skip
_SURER = 20  # in letters: "me and 4 others" than the "4 others" in it, "a 3-player game" than both
# "I attacked 3 players": they are what is done to, not who plays.
_OBJECT = re.compile(
    r" (?:attack|attacked|attacking|hit|kill|killed|touch|target|targeted|choose|chose|between|"
    r"pass|of|other|possess|possessed|move|moved|visible) (?:[a-z]+ )?$"
)
_WERE = re.compile(r"(?<= )were (?:just |only )?(?P<n>\d+) (?=[.,;:!?)]|and |in |here |so |on |$)")
# "One player left" and "one of us" pick one of more; a game of one is said in these ways.
_ONE_ALONE = re.compile(r"(?:^| (?:for|with|only|just|in|is|are|play|playing|[:=,;.!?(])) $")
_PICKED = re.compile(r" (?:every|each|any|no|not|other) $")
_PICKS = re.compile(r"(?:left|remain|remaining|other|who|that|which|can|may|must|has|is|at|in) ")
_ENDING = re.compile(r"(?:[.,;:!?)]|on (?:hard|easy|medium)|hard|easy|medium|what|how|$)")
_ALONE = re.compile(r" (?:(?:play|playing|played)(?: it| this)?|im|am|all|game|me|i) $")
_KIN = (
    r"(?:friend|wife|husband|partner|son|daughter|brother|sister|kid|child|children|mother|father|"
    r"mom|mum|dad|boyfriend|girlfriend|neighbo[u]?r|cousin|mate|guest|parent|uncle|aunt)"
)
_MORE_BEFORE = re.compile(rf" (?:{_KIN}(?: ,)?(?: and| plus| with)?|and)(?: my| our)? $")
_MORE_AFTER = re.compile(
    rf"(?:, )?(?:and|plus|,) (?:(?:my|our|his|her|their|1|2|3) )+(?:[a-z]+ )?{_KIN} "
)


def players(form: str, given: Input) -> Iterator[Match]:
    """The places that say how many play, the numbers in them being the players."""
    yield from _counted(form, given)
    for match in find_phrase(_OF_A_GAME, form):
        yield replace(match, weight=match.weight + _SURER)
    for found in _WERE.finditer(form):
        yield Match(*found.span(), int(found["n"]), (), found.span("n"), weight=4)
    for phrase, number in _FIXED:
        for match in find_phrase(phrase, form):
            if not (is_denied(form, match) or _is_other(phrase, form, match)):
                yield replace(match, number=number)


def _counted(form: str, given: Input) -> Iterator[Match]:
    own = ((phrase, 0) for phrase in given.says if "{" in phrase)
    for phrase, more in (*_COUNTS, *own):
        for match in find_phrase(phrase, form):
            if match.number is not None and _counts_players(form, match, more):
                weight = match.weight + _SURER * more
                yield replace(match, number=match.number + more, weight=weight)


def _counts_players(form: str, match: Match, more: int) -> bool:
    """Whether a number counts all who play."""
    before = form[: match.start]
    if _OBJECT.search(before):
        return False
    if more:
        return not (_MORE_BEFORE.search(before) or _MORE_AFTER.match(form, match.end))
    return match.number != 1 or (
        _ONE_ALONE.search(before) is not None and _ENDING.match(form, match.end) is not None
    )


def _is_other(phrase: str, form: str, match: Match) -> bool:
    """Whether a word for a number of players tells of something else here."""
    if phrase == "alone":  # not "leave him alone"
        begins = re.search(r"(?:^|[.,;:!?]) $", form[: match.start]) is not None
        as_role = begins and form.startswith(("as ", "with ", ", "), match.end)
        return not as_role and _ALONE.search(form[: match.start]) is None
    if phrase.startswith("single"):  # not "every single player"
        picked = _PICKED.search(form[: match.start])
        return picked is not None or _PICKS.match(form, match.end) is not None
    if phrase in {"trio", "threesome", "foursome"}:
        return re.match(r"of (?!us )", form[match.end :]) is not None
    return phrase.startswith("me ") and _MORE_AFTER.match(form, match.end) is not None
