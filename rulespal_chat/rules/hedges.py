"""Where a text denies a value, only bounds it, or says the word in passing.

"Not 3 Treasures", "2-4 players", "up to 7 players", "2 Crystals were removed" and "hard to say"
tell no value of what they speak of.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespal_chat.rules.model import Input, Output
    from rulespal_chat.rules.phrases import Match

_DENIED = re.compile(
    r" (?:no|not|without|never|isnt|arent|wasnt|werent|dont|doesnt|didnt|hasnt|havent|hadnt|cannot|"
    r"cant|nobody|none|neither|nor|instead of|rather than|non)(?: \w+)? $"
)
_NOT_THIS = re.compile(r" (?:not|never|isnt|arent|wasnt|werent|instead of|rather than|without) $")
_BOUND_BEFORE = re.compile(
    r" (?:up to|at (?:least|most)|(?:more|less|fewer|greater|higher|lower) than|over|under|"
    r"above|below|maximum(?: of)?|minimum(?: of)?|max|min|every|per|each|[<>≤≥≠]|"
    r"\d+ (?:-|to|or|/)|(?:between|from|for|with|both|either) \d+ (?:and|to)(?: for| with)?) $"
)
_BOUND_AFTER = re.compile(
    r"(?:or (?:more|less|fewer|higher|lower|greater|so)|and (?:up|above|below)(?! to)|minimum|"
    r"maximum|max|at (?:least|most)|[+](?= (?:[.,;:?!)]|$))|or \d+) "
)
_TO = re.compile(r"to \d+ ")
_FORMS = (
    ("remove", "removed", "removing"), ("smash", "smashed", "smashing"), ("destroyed",),
    ("lose", "lost", "losing"), ("gone",), ("collapsed",),
    ("missing",),
)  # fmt: skip
_WHOSE = r"(?:my|his|her|its|our|their|your|all|other|another|more) "
_BEING = r"(?:(?:tile|token|piece|is|are|was|were|been|be|have|has|had|get|got|already|now|all) )*"
_LEVEL_WORD = re.compile(r" ?(?:hard|hardest|easy|easiest|normal|standard|regular|expert|medium) ?")
_AS_VERDICT = re.compile(
    r" (?:how|too|so|very|really|quite|pretty|rather|bit|hit|work|try|its|thats|"
    r"whats|it is|is it|was it|is this|is that|be|more|most) $"
)
_IN_PASSING = re.compile(
    r"(?:to (?!(?:the |on )?(?:play|be) )|for (?:me|us|him|her|them) |(?:question|time|part|work|"
    r"luck|win|victory|target|way|reason|rule|attack|move|turn|action|circumstance|case|condition|"
    r"die|dice|token|tile|number|day|round|phase|enough|as|than) )"
)
_OF_A_LEVEL = re.compile(r"(?:level|mode|difficulty|setting|card|vile|ghoul|ghost|cave|unicorn) ")


def is_denied(form: str, match: Match) -> bool:
    """Whether a negation stands before what was found, with one word between at most."""
    return _DENIED.search(form[: match.start]) is not None


def is_bounded(form: str, match: Match) -> bool:
    """Whether the number found is denied, or only an end of a range: "2-4 players"."""
    start = min(match.start, *(match.number_at or (match.start,)))
    before = form[:start]
    is_first = _TO.match(form, match.end) and not form.startswith("from ", match.start)
    return (
        _BOUND_BEFORE.search(before) is not None
        or _NOT_THIS.search(before) is not None
        or _BOUND_AFTER.match(form, match.end) is not None
        or bool(is_first)
    )


def is_gone(form: str, match: Match, thing: Input | Output) -> bool:
    """Whether what was counted is gone, while the thing isn't what is gone: "2 were removed"."""
    counted = " ".join((thing.name.replace("_", " "), *thing.says)).lower()
    verbs = "|".join(v for forms in _FORMS if not any(f in counted for f in forms) for v in forms)
    return bool(verbs) and (
        re.search(rf" (?:{verbs}) (?:{_WHOSE})?$", form[: match.start]) is not None
        or re.match(rf"{_BEING}(?:{verbs}) ", form[match.end :]) is not None
    )


def is_in_passing(form: str, match: Match) -> bool:
    """Whether the name of a level is just an adjective: "hard to say", "an easy question"."""
    is_adjective = _LEVEL_WORD.fullmatch(form[match.start : match.end]) is not None
    return is_adjective and _IN_PASSING.match(form, match.end) is not None


def is_verdict(form: str, match: Match) -> bool:
    """Whether the name of a level may say how something is, not which level: "is it hard?"."""
    is_adjective = _LEVEL_WORD.fullmatch(form[match.start : match.end]) is not None
    is_level = _OF_A_LEVEL.match(form, match.end) is not None
    return is_adjective and not is_level and _AS_VERDICT.search(form[: match.start]) is not None
