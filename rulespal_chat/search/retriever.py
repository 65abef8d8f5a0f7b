"""Hybrid retrieval: vectors and words, on passages and on statements, ranked by section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespal_chat.search.lexical import LexicalIndex, Stems
from rulespal_chat.search.passages import embedded_statement, passages
from rulespal_chat.search.store import PASSAGES, STATEMENTS
from rulespal_chat.search.vocabulary import Vocabulary
from rulespal_chat.types import Found, Query, Scored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulespal_chat.search.index import Index
    from rulespal_chat.types import Rulebook, Section

# How much each part counts. On the tune half of the questions this mix had the right section first
# for 0.79 (vectors of statements alone 0.64, BM25 alone 0.60), on 1,414 harder ones that are in
# none of the question sets for 0.44 (0.40, 0.20); the optimum is flat.
WEIGHTS = {"passage": 0.3, "statement": 0.3, "passage words": 0.25, "statement words": 0.15}
ROLE_NAMED = 0.06  # added for a section in the chapter of a role that the question names
ROLE_GIVEN = 0.25  # and of the role that the asker plays
CHAPTER_NAMED = 0.02  # and of another chapter: a tie-break, as such names are common words
_MOST_PASSAGES = 200
_MOST_STATEMENTS = 400
_WORDS_IN_STATEMENT = 0.35  # share of shared words in a statement's own score


@dataclass(frozen=True, slots=True)
class _Place:
    book: Rulebook
    section: Section


class Retriever:
    """Finds the sections that may answer a query.

    Args:
        index: an open index.
    """

    def __init__(self, index: Index) -> None:
        self._index = index
        self._stems = Stems()
        self._vocabulary = Vocabulary(index.library, self._stems)
        self._places = {s.id: _Place(b, s) for b in index.library.books for s in b.sections}
        cut = [(p.section, p.embedded) for b in index.library.books for p in passages(b)]
        told = [
            (place.section.id, s.id, embedded_statement(place.section, s))
            for place in self._places.values()
            for s in place.section.statements
        ]
        self._passage_sections = [section for section, _ in cut]
        self._statement_sections = [section for section, _, _ in told]
        self._statement_ids = [statement for _, statement, _ in told]
        self._passage_words = LexicalIndex([self._stems(text) for _, text in cut])
        self._statement_words = LexicalIndex([self._stems(text) for _, _, text in told])

    def __call__(self, query: Query, top: int = 10) -> tuple[Found, ...]:
        """The best sections, best first; at most `top`."""
        terms = self._vocabulary.terms(query)
        # Passages are embedded with their book's title, but a title in common is no word in common.
        vector = self._index.embedder.embed([_with_terms(query.text, terms)])[0]
        stems = self._stems(_with_terms(query.topic, terms))
        words = self._statement_words.scores(stems)
        parts = {
            "passage": self._near(PASSAGES, vector, query.games, _MOST_PASSAGES),
            "statement": self._near(STATEMENTS, vector, query.games, _MOST_STATEMENTS),
            "passage words": _best(self._passage_sections, self._passage_words.scores(stems)),
            "statement words": _best(self._statement_sections, words),
        }
        ranked = self._ranked(query, parts)[:top]
        near = self._index.store.nearest(
            STATEMENTS, vector, len(words), "section", [section for section, _, _ in ranked]
        )
        shared = dict(zip(self._statement_ids, words.tolist(), strict=True))
        return tuple(
            self._found(section, score, why, near, shared) for section, score, why in ranked
        )

    def content_words(self, text: str) -> int:
        """How many different content words the text has."""
        return len(set(self._stems(text)))

    def unknown_words(self, text: str) -> float:
        """The share of the text's content words, 0 to 1, that no book of the library has."""
        stems = set(self._stems(text))
        known = self._passage_words.knows
        unknown = sum(not known(s) and not self._vocabulary.knows(s) for s in stems)
        return unknown / len(stems) if stems else 1.0

    def _near(
        self, collection: str, vector: object, games: Sequence[str], most: int
    ) -> dict[str, float]:
        near = self._index.store.nearest(collection, vector, most, "game", games)  # type: ignore[arg-type]
        mark = "@" if collection == PASSAGES else "#"
        return _best([i.rpartition(mark)[0] for i in near], near.values())

    def _ranked(
        self, query: Query, parts: Mapping[str, Mapping[str, float]]
    ) -> list[tuple[str, float, tuple[tuple[str, float], ...]]]:
        lowest = {name: min(scores.values(), default=0.0) for name, scores in parts.items()}
        ranked = []
        for section, place in self._places.items():
            if place.book.id in query.games:
                why = {name: s.get(section, lowest[name]) for name, s in parts.items()}
                role = _role_bonus(query, place)
                score = sum(WEIGHTS[name] * value for name, value in why.items()) + role
                ranked.append((section, min(1.0, score), (*why.items(), ("role", role))))
        return sorted(ranked, key=lambda row: -row[1])

    def _found(
        self,
        section_id: str,
        score: float,
        why: tuple[tuple[str, float], ...],
        near: Mapping[str, float],
        shared: Mapping[str, float],
    ) -> Found:
        place = self._places[section_id]
        scored = tuple(
            Scored(s, _mixed(near.get(s.id, 0.0), shared[s.id])) for s in place.section.statements
        )
        return Found(place.book, place.section, score, scored, why)


def _with_terms(text: str, terms: Sequence[str]) -> str:
    return f"{text} ({', '.join(terms)})" if terms else text


def _mixed(near: float, shared: float) -> float:
    return (1 - _WORDS_IN_STATEMENT) * near + _WORDS_IN_STATEMENT * shared


def _role_bonus(query: Query, place: _Place) -> float:
    if place.section.chapter not in query.roles:
        return CHAPTER_NAMED if place.section.chapter in query.chapters else 0.0
    is_own = query.role_given and place.section.chapter == query.roles[0]
    return ROLE_GIVEN if is_own else ROLE_NAMED


def _best(sections: Iterable[str], scores: Iterable[float]) -> dict[str, float]:
    """The highest score of each section."""
    best: dict[str, float] = {}
    for section, score in zip(sections, scores, strict=True):
        best[section] = max(float(score), best.get(section, 0.0))
    return best
