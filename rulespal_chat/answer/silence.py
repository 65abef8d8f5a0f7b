"""When to say nothing: what isn't about the library, and what its books leave open.

Thresholds were set on the tune half of the questions and on questions of our own that no test has
(`evals/development`): 296 that the books leave open, 257 like them that they answer, 277 about
other things.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespal_chat.answer import asked, relevance
from rulespal_chat.corpus.lookup import words
from rulespal_chat.search.lexical import STOP_WORDS
from rulespal_chat.types import Kind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespal_chat.answer.evidence import Evidence
    from rulespal_chat.types import Found, Query, Rulebook

_AS_NEAR = 0.93  # of the best rule's score: a note on what is left open is meant as well
_ENOUGH_WORDS = 3  # content words, fewer of which are too general to be about what a note says
_SHARED_WORDS = 2  # that a question and such a note have in common
_NEAR = 4  # words between a number and what it counts
_BEST = 3  # statements that should have the value that is asked for
_NEAREST = 2  # statements that may say where it is printed
_ABOUT = 0.2  # share of the question's other words in a statement about the same thing

_ELSEWHERE = re.compile(
    r"\b(?:shown|listed|printed|shows|lists|given) (?:on|in|by|at)\b|\bamount shown\b|"
    r"\bas (?:if|shown|listed)\b|\b(?:board|card)s? (?:shows?|lists?|says?)\b|\bnumber in the\b|"
    r"\bshows? (?:its|her|his|how)\b|\bdepends? on\b|\bdetermines?\b|"
    r"\bis (?:how many|the (?:most|maximum|highest|number))\b",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\d")
_MEASURES = frozenset("many number equal no none half double same once twice".split())


def is_foreign(
    query: Query, found: Sequence[Found], unknown: float, familiar: frozenset[str]
) -> bool:
    """Whether the question is about something that the library has no book on.

    Args:
        query: the question.
        found: what was found, best first.
        unknown: the share of its content words, 0 to 1, that no book has.
        familiar: the ids of the books that the encoder was trained on.
    """
    if not found:
        return True
    if query.foreign and not query.game_named and not query.roles:
        return True
    best = dict(found[0].why)
    if query.game_named and not best["passage words"] and not best["statement words"]:
        return True  # what is near to it is the game's name
    return relevance.is_doubtful(query, found, unknown, familiar)


def open_question(query: Query, ranked: Sequence[Evidence]) -> Evidence | None:
    """The note on what the book leaves open that matches about as well as the best rule."""
    note = next((e for e in ranked if is_note(e)), None)
    if note is None:
        return None
    shared = _content(query) & set(words(note.pick.statement.text))
    if len(_content(query)) < _ENOUGH_WORDS or len(shared) < _SHARED_WORDS:
        return None
    best = max((e.score for e in ranked if not is_note(e)), default=0.0)
    return note if note.score >= _AS_NEAR * best else None


def value_missing(query: Query, ranked: Sequence[Evidence]) -> bool:
    """Whether a number is asked for that no statement at hand gives."""
    rules = [words(e.pick.statement.text) for e in ranked if not is_note(e)]
    return (
        _quantity_missing(asked.counted(query.text), rules)
        or _statistic_missing(query, rules)
        or (asked.a_value(query.text) and not any(_measures(said) for said in rules[:_BEST]))
    )


def printed_elsewhere(query: Query, ranked: Sequence[Evidence]) -> bool:
    """Whether a value is asked and the best statements only say that a board or card shows it."""
    best = [e.pick.statement.text for e in ranked if not is_note(e)][:_NEAREST]
    if not best or not asked.a_value(query.text):
        return False
    if _ELSEWHERE.search(best[0]):
        return not _NUMBER.search(best[0])
    return any(_ELSEWHERE.search(text) for text in best) and not _NUMBER.search(" ".join(best))


def thing_unexplained(query: Query, ranked: Sequence[Evidence]) -> bool:
    """Whether it is asked what a thing does, and the statements only say who takes or has it."""
    thing = asked.a_thing(query.text)
    if not thing or not ranked or _is_role(thing, ranked[0].pick.book):
        return False
    naming = [e.pick.statement.text for e in ranked if _places(words(e.pick.statement.text), thing)]
    return bool(naming) and not any(_acts(text, thing) for text in naming)


def is_note(evidence: Evidence) -> bool:
    """Whether the statement is a note on what the book leaves open."""
    return evidence.pick.statement.kind is Kind.UNCLEAR


def _content(query: Query) -> set[str]:
    return {word for word in words(query.text) if word not in STOP_WORDS}


def _quantity_missing(nouns: tuple[str, ...], rules: Sequence[Sequence[str]]) -> bool:
    """Whether rules name what is counted, and none gives a number of it."""
    if not nouns:
        return False
    for noun in (nouns, nouns[-1:]):  # "raid cells" may be meant by "raid spaces"
        about = [said for said in rules if _places(said, noun)]
        if about:
            return not any(_counts(said, noun) for said in about)
    return False


def _counts(said: Sequence[str], nouns: Sequence[str]) -> bool:
    """Whether a number, or a measure such as "as many as", stands with the noun."""
    for place in _places(said, nouns):
        before, after = said[max(0, place - _NEAR) : place], said[place + 1 : place + _NEAR]
        if any(_is_number(word) or word in _MEASURES for word in before):
            return True
        if "equal" in after or any(map(_is_number, after[:1])):  # "Cards: 3" in a table's row
            return True
    return False


def _statistic_missing(query: Query, rules: Sequence[Sequence[str]]) -> bool:
    """Whether a statistic is asked that no rule on what the question is about gives."""
    statistic = asked.a_statistic(query.text)
    if statistic is None:
        return False
    about = _content(query) - {statistic}
    return not any(
        len(about & set(said)) >= _ABOUT * len(about) and _given(said, statistic) for said in rules
    )


def _given(said: Sequence[str], statistic: str) -> bool:
    """Whether a number or an equation stands near the statistic."""
    for place in _places(said, (statistic,)):
        near = said[max(0, place - _NEAR) : place + _NEAR + 1]
        if any(_is_number(word) or word == "equal" for word in near):
            return True
    return False


def _places(said: Sequence[str], nouns: Sequence[str]) -> list[int]:
    """Where the words have the noun, as a compound if it is one: places of its last word."""
    size = len(nouns)
    ends = range(size - 1, len(said))
    return [end for end in ends if tuple(said[end + 1 - size : end + 1]) == tuple(nouns)]


def _is_role(thing: tuple[str, ...], book: Rulebook) -> bool:
    return any(words(name) == thing for c in book.chapters for name in (c.heading, *c.aliases))


def _acts(text: str, thing: Sequence[str]) -> bool:
    """Whether the thing opens a clause, or is what something is done with."""
    clauses = [words(clause) for clause in re.split(r"[,;:.] ", text)]
    size = len(thing)
    return any(
        tuple(clause[:size]) == tuple(thing) or (end >= size and clause[end - size] == "with")
        for clause in clauses
        for end in _places(clause, thing)
    )


def _measures(said: Sequence[str]) -> bool:
    return any(_is_number(word) or word in _MEASURES for word in said)


def _is_number(word: str) -> bool:
    return bool(_NUMBER.search(word))
