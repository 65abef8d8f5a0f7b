"""The words of a sentence against those of its evidence: what it has that they don't.

A text becomes terms: stems, numbers, and the names of classes of words that say the same in a rule,
as "must" and "has to" do.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from rulespal_chat.rules.numbers import in_digits, numbers_in

if TYPE_CHECKING:
    from collections.abc import Sequence

# Words that make another rule of a rule.
_LOADED = {
    "NOT": "not never no none cannot neither nor without nothing nobody 0 non nowhere",
    "ONLY": "only solely merely",
    "MAY": "may might can could able optional optionally",
    "MUST": "must mandatory",
    "ALL": "all each every everyone everybody everything per whole entire",
    "ANY": "any anyone anybody anything anywhere whichever whatever whoever",
    "OR": "or",
    "MORE": "more higher greater larger bigger above exceed exceeds",
    "LESS": "less fewer lower smaller below under",
    "MOST": "most highest largest biggest",
    "LEAST": "least lowest smallest fewest",
    "SAME": "same equal equals",
    "OTHER": "other another else others",
    "OWN": "own",
    "HALF": "half",
    "DOUBLE": "double twice",
    "ALWAYS": "always",
    "ALONE": "alone",
    "FIRST": "first 1st",
    "LAST": "last final",
    "OFF": "off",
    "UP": "up",
    "DOWN": "down",
    "BEFORE": "before",
    "AFTER": "after afterwards afterward",
    "DURING": "during",
    "UNTIL": "until till",
    "UNLESS": "unless except excluding",
    "INSTEAD": "instead",
    "MINUS": "minus",
    "AGAIN": "again",
    "FREELY": "freely free",
    "IMMEDIATELY": "immediately instantly",
    "RANDOM": "random randomly",
}
# Expressions that are turned into a word of a class, or of a group, first.
_PHRASES = (
    (r"\bcan['’]t\b|\bcannot\b", " may not "),
    (r"\bwon['’]t\b", " not "),
    (r"n['’]t\b", " not"),
    (r"\b(?:(?:is|are|be|being) )?(not )?(?:allowed|permitted|free) to\b", r" may \1 "),
    (r"\bchooses? to\b", " may "),
    (r"\b(?:have|has|having|need|needs|required|forced|obliged) to(?= [a-z])", " must "),
    (r"\bat least\b|\bno (?:fewer|less) than\b|\bor (?:more|higher|greater|above)\b", " ATLEAST "),
    (r"\bat most\b|\bup to\b|\bno (?:more|higher) than\b|\bnever (?:more|above)(?: than)?\b"
     r"|\bor (?:less|fewer|lower|below)\b", " ATMOST "),
    (r"\bas (?:many|much) as\b|\bthe same (?:number|amount) (?:as|of)\b", " equal "),
    (r"\bother than\b|\bapart from\b|\baside from\b|\bbut not\b", " except "),
    (r"\bright away\b|\bat once\b|\bstraight away\b", " immediately "),
    (r"\brather than\b|\bin place of\b", " instead "),
    (r"\bin addition to\b|\bon top of\b", " also "),
    (r"\bthrow(?:s|n)? away\b", " discard "),
    (r"(?<=\d) ?[-–−] ?(?=\d)|(?<=\w) [-–−] (?=\d)", " minus "),
    (r"['’]s\b", ""),
)  # fmt: skip
_SAME = (
    "gain gains gained gaining get gets getting got receive receives received receiving earn earns",
    "put puts putting place places placed placing lay lays laid set sets",
    "move moves moved moving go goes going gone travel travels",
    "pay pays paid paying spend spends spent spending cost costs costing",
    "take takes taking taken took",
    "need needs needed needing require requires required requiring",
    "start starts started starting begin begins began beginning begun",
    "end ends ended ending finish finishes finished over",
    "win wins won winning victory",
    "lose loses lost losing",
    "stay stays remain remains remaining keep keeps kept retain retains retained",
    "choose chooses chose chosen choosing choice pick picks picked select selects selected",
    "leave leaves leaving left",
    "adjacent next neighbouring neighboring beside",
    "use uses used using",
    "make makes made making",
    "give gives given giving gave",
    "draw draws drawn drawing drew",
    "show shows shown showing",
    "hold holds held holding",
)
_EMPTY = frozenset(
    "a about according allow allows also although an and applies apply are as at back be because "
    "been being book both but by case did do does doing done either even everything's for from "
    "had happen happens has have having he hence her here hers herself him himself his how "
    "however i if in inside into is it its itself just let lets me mean means mine my note now of "
    "on once one ones onto our out people player players plus rule rulebook rules say says she "
    "simply since so stated states still such table than that the their theirs them themselves "
    "then there therefore these they thing things this those though through thus time to too "
    "toward towards upon us via was way we well were what when whenever where whether which while "
    "who whom whose why will with within would yes you your yours yourself".split()
)
_WORD = re.compile(r"[^\W\d_]+|\d+(?:st|nd|rd|th)?")
_NAME = re.compile(r"(?<![.!?:;“\"(] )(?<!^)\b[A-Z]\w+(?:-\w+)*")
_DIGITS = re.compile(r"\d+")
_OF_ONE = re.compile(r"\bone ([A-Za-z]{3,})", re.IGNORECASE)
_OF_NUMBER = re.compile(r"\b(?:[02-9]|\d\d+) ([A-Za-z]{3,})")


@dataclass(frozen=True, slots=True)
class Difference:
    """What a sentence does to the words of its evidence.

    Attributes:
        numbers: in digits or words, that the evidence doesn't have.
        names: written as such, that the evidence doesn't have.
        known: how many of its other words, and of its numbers, the evidence has.
        unknown: the share of its other words, 0 to 1, that the evidence doesn't have.
        negations: how many more or fewer it has.
        repeated: how many words it has more often than the evidence.
    """

    numbers: frozenset[int]
    names: frozenset[str]
    known: int
    unknown: float
    negations: int
    repeated: int


def difference(sentence: str, evidence: str) -> Difference:
    """Compares a sentence with its evidence."""
    said, told = terms(sentence), terms(evidence)
    counted, there = Counter(said), Counter(told)
    content = [t for t in counted if t not in LOADED and not t[0].isdigit()]
    missing = [t for t in content if t not in there]
    return Difference(
        numbers=_numbers(sentence, said, evidence) - numbers_in(evidence),
        names=frozenset(_names(sentence) - _words(evidence)),
        known=len(content) - len(missing) + sum(t[0].isdigit() for t in counted if t in there),
        unknown=len(missing) / max(1, len(content)),
        negations=abs(counted["NOT"] - there["NOT"]),
        repeated=sum(n > there[t] > 0 for t, n in counted.items()),
    )


def likeness(sentence: str, statement: str) -> float:
    """How much of both is the same words in the same order, 0 to 1 (Indel similarity)."""
    from rapidfuzz.distance import Indel

    one, other = (_WORD.findall(text.lower()) for text in (sentence, statement))
    return Indel.normalized_similarity(one, other)


@lru_cache(maxsize=4096)
def terms(text: str) -> tuple[str, ...]:
    """The terms of a text, in their order; words that say nothing by themselves are left out."""
    form = text
    for pattern, word in _COMPILED:
        form = pattern.sub(word, form)
    words = (word if word in LOADED else word.lower() for word in _WORD.findall(in_digits(form)))
    return tuple(term for word in words if (term := _term(word)))


def _term(word: str) -> str:
    if word in _TERMS:
        return _TERMS[word]
    return "" if word in _EMPTY else _stem(word)


def _numbers(sentence: str, said: Sequence[str], evidence: str) -> frozenset[int]:
    """The numbers of a sentence.

    A "one" in words may stand for anything, and is a number only where the evidence has another
    number of the same thing.
    """
    found = {int(number[0]) for term in said if (number := _DIGITS.match(term))}
    if re.search(r"\b1\b", sentence):
        return frozenset(found)
    counted = {_stem(noun.lower()) for noun in _OF_NUMBER.findall(in_digits(evidence))}
    ones = {_stem(noun.lower()) for noun in _OF_ONE.findall(sentence)}
    return frozenset(found if ones & counted else found - {1})


def _names(text: str) -> set[str]:
    return {_stem(name.lower()) for found in _NAME.findall(text) for name in _WORD.findall(found)}


def _words(text: str) -> set[str]:
    return {_stem(word.lower()) for word in _WORD.findall(text)}


@lru_cache(maxsize=8192)
def _stem(word: str) -> str:
    return word if word[0].isdigit() else str(_stems().stemWord(word))


@lru_cache(maxsize=1)
def _stems() -> Any:  # noqa: ANN401  (it has no types)
    import Stemmer

    return Stemmer.Stemmer("english")


LOADED = frozenset(_LOADED) | {"ATLEAST", "ATMOST"}
_COMPILED = tuple((re.compile(pattern, re.IGNORECASE), word) for pattern, word in _PHRASES)
_TERMS = {
    **{word: group.split()[0] for group in _SAME for word in group.split()},
    **{word: name for name, group in _LOADED.items() for word in group.split()},
    **{name: name for name in LOADED},
}
