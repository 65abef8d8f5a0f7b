"""Hybrid retrieval: vectors and words, on passages and on statements, ranked by section."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from rulespal_chat.search.lexical import LexicalIndex, Stems
from rulespal_chat.search.passages import embedded_statement, passages
from rulespal_chat.search.store import PASSAGES, STATEMENTS
from rulespal_chat.search.vocabulary import Vocabulary
from rulespal_chat.types import Found, Query, Scored

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulespal_chat.search.embedders import Vectors
    from rulespal_chat.search.index import Index
    from rulespal_chat.types import Rulebook, Section

# How much each part counts. On the tune half of the questions this mix had the right section first
# for 0.83 (vectors of statements alone 0.81, late interaction alone 0.80); the optimum is flat.
WEIGHTS = {
    "passage": 0.15,
    "statement": 0.15,
    "late": 0.35,
    "passage words": 0.05,
    "statement words": 0.3,
}
ROLE_NAMED = 0.09  # added for a section in the chapter of a role that the question names
ROLE_GIVEN = 0.25  # and of the role that the asker plays
FAMILIAR = 0.03  # taken from a book that the encoder was trained on, where others compete with it
CHAPTER_NAMED = 0.03  # and of another chapter: a tie-break, as such names are common words
_MOST_PASSAGES = 80
_MOST_STATEMENTS = 160
_RERANKED = 15  # sections whose statements are compared token by token
_STRANGEST = 0.25  # of a question's words are left out when it is asked whether a section has them
_OWN_LATE = 0.9  # share of late interaction in a statement's own score; the rest is words in common


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
        self._numbers: dict[str, list[int]] = {}
        for number, (section, _, _) in enumerate(told):
            self._numbers.setdefault(section, []).append(number)
        self._passage_words = LexicalIndex([self._stems(text) for _, text in cut])
        self._statement_words = LexicalIndex([self._stems(text) for _, _, text in told])

    def __call__(self, query: Query, top: int = 10) -> tuple[Found, ...]:
        """The best sections, best first; at most `top`."""
        terms = self._vocabulary.terms(query)
        # Passages are embedded with their book's title, but a title in common is no word in common.
        asked = [query.text, *([query.focus] if query.focus else [])]
        encoded = self._index.embedder.encode([_with_terms(text, terms) for text in asked])
        vector = _joined(encoded.vectors)
        stems = self._stems(_with_terms(query.topic, terms))
        words = self._statement_words.scores(stems)
        passage_words = self._passage_words.scores(stems)
        parts = {
            "passage": self._near(PASSAGES, vector, query.games, _MOST_PASSAGES),
            "statement": self._near(STATEMENTS, vector, query.games, _MOST_STATEMENTS),
            "passage words": _best(self._passage_sections, passage_words),
            "statement words": _best(self._statement_sections, words),
        }
        near = self._ranked(query, parts, self._places)[: max(_RERANKED, top)]
        first = [section for section, _, _ in near]
        similar = self._similar(np.concatenate(encoded.tokens), first)
        late = {n: float(row.mean()) if len(row) else 0.0 for n, row in similar.items()}
        parts["late"] = _best([self._statement_sections[n] for n in late], late.values())
        ranked = self._ranked(query, parts, first)[:top]
        own = {
            self._statement_ids[n]: _OWN_LATE * score + (1 - _OWN_LATE) * words[n]
            for n, score in late.items()
        }
        return tuple(
            self._found(section, score, (*why, ("covered", self._covered(section, similar))), own)
            for section, score, why in ranked
        )

    def _similar(self, asked: Vectors, sections: Sequence[str]) -> dict[int, Vectors]:
        """See `TokenVectors.similar`; of each statement of the sections, by its number."""
        numbers = sorted(n for section in sections for n in self._numbers.get(section, ()))
        return dict(zip(numbers, self._index.tokens.similar(asked, numbers), strict=True))

    def _covered(self, section: str, similar: Mapping[int, Vectors]) -> float:
        """How near the section comes to a question's words, all but the strangest quarter."""
        own = [similar[n] for n in self._numbers.get(section, ())]
        best = np.max(own, axis=0) if own else np.zeros(0)
        return float(np.quantile(best, _STRANGEST)) if len(best) else 0.0

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
        self, collection: str, vector: Vectors, games: Sequence[str], most: int
    ) -> dict[str, float]:
        within = None if len(games) == len(self._index.library.books) else games
        near = self._index.store.nearest(collection, vector, most, within)
        mark = "@" if collection == PASSAGES else "#"
        return _best([i.rpartition(mark)[0] for i in near], near.values())

    def _ranked(
        self, query: Query, parts: Mapping[str, Mapping[str, float]], sections: Iterable[str]
    ) -> list[tuple[str, float, tuple[tuple[str, float], ...]]]:
        lowest = {name: min(scores.values(), default=0.0) for name, scores in parts.items()}
        ranked = []
        familiar = self._index.embedder.familiar
        nearer = {} if familiar.issuperset(query.games) else dict.fromkeys(familiar, FAMILIAR)
        for section in sections:
            place = self._places[section]
            if place.book.id in query.games:
                why = {name: s.get(section, lowest[name]) for name, s in parts.items()}
                role = _role_bonus(query, place)
                score = sum(WEIGHTS[name] * value for name, value in why.items()) + role
                score -= nearer.get(place.book.id, 0.0)
                ranked.append((section, min(1.0, max(0.0, score)), (*why.items(), ("role", role))))
        return sorted(ranked, key=lambda row: -row[1])

    def _found(
        self,
        section_id: str,
        score: float,
        why: tuple[tuple[str, float], ...],
        own: Mapping[str, float],
    ) -> Found:
        place = self._places[section_id]
        scored = tuple(Scored(s, own[s.id]) for s in place.section.statements)
        return Found(place.book, place.section, score, scored, why)


def _joined(vectors: Vectors) -> Vectors:
    """The unit vector between those of a follow-up as a whole and of what is new in it."""
    joined: Vectors = vectors.sum(axis=0)
    joined /= np.linalg.norm(joined)
    return joined


def _with_terms(text: str, terms: Sequence[str]) -> str:
    return f"{text} ({', '.join(terms)})" if terms else text


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
