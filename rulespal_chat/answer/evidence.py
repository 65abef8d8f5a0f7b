"""Which statements answer a question: the most relevant one, and what bears on it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespal_chat.answer import asked
from rulespal_chat.corpus.lookup import words
from rulespal_chat.types import ChapterKind, Kind, Pick, Scored

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulespal_chat.types import Found, Query, Statement

# Tuned on the tune half of the questions, by how many of the answers pass their check.
_SECTIONS = 5  # sections whose statements may be quoted
_SECTION_SHARE = 0.35  # of a section's score in that of its statements
_SAME_SECTION = 0.7  # of the lead's score: close enough to be said with it
_OTHER_SECTION = 0.85
_EXCEPTION = 0.6
_EXAMPLE = 0.9  # of its score: the rule comes before its example
_AS_RELEVANT = 0.9  # of the best score: as likely to be the answer
_MOST = 5
MOST_WORDS = 150
_LONGEST_LIST = 14  # statements; of a longer one only the best are said
_ALIKE = 3  # words with which the items of a list begin
_NUMBER = re.compile(r"\d")
_EXCEPTIONS = re.compile(
    r"\b(unless|except|however|instead|even if|regardless|only if|cannot|exception|but not)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """A statement that may answer, and how well.

    Attributes:
        pick: the statement with its section and book.
        score: 0 to 1, the section's score counted in.
        rank: the section's, from 0.
    """

    pick: Pick
    score: float
    rank: int = 0

    @property
    def line(self) -> int:
        """Where the statement stands in its book."""
        return self.pick.statement.line


def candidates(found: Sequence[Found]) -> tuple[Evidence, ...]:
    """The statements of the best sections, most relevant first."""
    return tuple(sorted(_all(found), key=lambda e: -e.score))


def chosen(query: Query, ranked: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The lead and what should be said with it, in the book's order after the lead.

    Args:
        query: the question; a comparison of roles takes the best statement of each.
        ranked: all of one book, most relevant first.
    """
    if not ranked:
        return ()
    lead = _lead(query, ranked)
    taken = [lead, *_listed_with(query, ranked, lead)]
    for evidence in _of_other_roles(query, ranked, lead):
        if _has_room(taken, evidence):
            taken.append(evidence)
    for evidence in ranked:
        if evidence not in taken and _belongs(query, evidence, lead) and _has_room(taken, evidence):
            taken.append(evidence)
    return (lead, *sorted(taken[1:], key=lambda e: e.line))


def _lead(query: Query, ranked: Sequence[Evidence]) -> Evidence:
    """The most relevant statement, or one as relevant that is more likely to be the answer.

    A section is found more surely than a statement, so that one of the first section goes before;
    among those, one with a number if a number is asked for.
    """
    near = [e for e in ranked if e.score >= _AS_RELEVANT * ranked[0].score]
    near = [e for e in near if e.rank == 0] or near
    if asked.a_value(query.text):
        near = [e for e in near if _gives_number(e.pick.statement)] or near
    return near[0]


def _listed_with(query: Query, ranked: Sequence[Evidence], lead: Evidence) -> list[Evidence]:
    """The other items of the list that the lead is one of, if all are asked for."""
    if not asked.a_list(query.text):
        return []
    own, start = lead.pick.section.id, _beginning(lead)
    alike = [e for e in ranked if e.pick.section.id == own and _beginning(e) == start]
    return [e for e in alike if e is not lead] if len(alike) <= _LONGEST_LIST else []


def _beginning(evidence: Evidence) -> tuple[str, ...]:
    """How a statement begins: a table's row with its first column, a rule with its first words."""
    statement = evidence.pick.statement
    if statement.kind is Kind.TABLE_ROW:
        return (statement.text.partition(":")[0],)
    return words(statement.text)[:_ALIKE]


def _gives_number(statement: Statement) -> bool:
    return statement.kind is not Kind.EXAMPLE and _NUMBER.search(statement.text) is not None


def notes_on(picks: Iterable[Pick]) -> tuple[Statement, ...]:
    """The unclear notes that stand right behind the picked statements."""
    notes: dict[str, Statement] = {}
    for pick in picks:
        statements = pick.section.statements
        following = statements[statements.index(pick.statement) + 1 :]
        for statement in following:
            if statement.kind is not Kind.UNCLEAR:
                break
            notes[statement.id] = statement
    return tuple(notes.values())


def _all(found: Sequence[Found]) -> Iterator[Evidence]:
    for rank, section in enumerate(found[:_SECTIONS]):
        for scored in section.statements:
            pick = Pick(section.book, section.section, scored.statement)
            yield Evidence(pick, _score(section, scored), rank)


def _score(section: Found, scored: Scored) -> float:
    mixed = (1 - _SECTION_SHARE) * scored.score + _SECTION_SHARE * section.score
    return mixed * _EXAMPLE if scored.statement.kind is Kind.EXAMPLE else mixed


def _belongs(query: Query, evidence: Evidence, lead: Evidence) -> bool:
    if _is_of_another_role(query, evidence, lead):
        return False
    share = evidence.score / lead.score if lead.score else 0.0
    if evidence.pick.statement.kind is Kind.UNCLEAR:
        return False
    if evidence.pick.section.id != lead.pick.section.id:
        return share >= _OTHER_SECTION
    if _EXCEPTIONS.search(evidence.pick.statement.text):
        return share >= _EXCEPTION
    return share >= _SAME_SECTION


def _is_of_another_role(query: Query, evidence: Evidence, lead: Evidence) -> bool:
    """Whether the statement is a rule of a role that isn't asked about, such as the lead's twin."""
    book, chapter = evidence.pick.book, evidence.pick.section.chapter
    if chapter == lead.pick.section.chapter or chapter in query.roles:
        return False
    if book.chapter(chapter).kind is not ChapterKind.ROLE:
        return False
    return bool(query.roles) or chapter in book.chapter(lead.pick.section.chapter).twins


def _of_other_roles(query: Query, ranked: Sequence[Evidence], lead: Evidence) -> Iterator[Evidence]:
    """For a question that names several roles, the best statement of each other role's chapter."""
    seen = {lead.pick.section.chapter}
    if seen.isdisjoint(query.roles):
        return
    for evidence in ranked:
        chapter = evidence.pick.section.chapter
        if chapter in query.roles and chapter not in seen and evidence.score >= 0.7 * lead.score:
            seen.add(chapter)
            yield evidence


def _has_room(taken: Sequence[Evidence], evidence: Evidence) -> bool:
    return len(taken) < _MOST and _words([*taken, evidence]) <= MOST_WORDS


def _words(evidence: Iterable[Evidence]) -> int:
    return sum(len(e.pick.statement.text.split()) for e in evidence)
