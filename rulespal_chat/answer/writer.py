"""The default writer: it answers in the book's own statements, and knows when to say nothing."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespal_chat.answer import asked, languages, silence
from rulespal_chat.answer.citing import marked
from rulespal_chat.answer.computing import draft_of
from rulespal_chat.answer.evidence import MOST_WORDS, Evidence, candidates, chosen, notes_on
from rulespal_chat.corpus.lookup import words
from rulespal_chat.types import ChapterKind, Draft, Pick, QuestionBack, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rulespal_chat.rules.asking import Calculation
    from rulespal_chat.rules.model import Ruleset
    from rulespal_chat.types import Found, Library, Query, Rulebook, Section

_POINTERS = 3
_WORTH_A_LOOK = 0.18  # a section's score; few questions about other things have one
_AS_GOOD = 0.86  # of the best section's score: another game or role may as well be meant
_ON_THE_BOARD = "The value itself is printed on a board or card; the rulebook doesn't give it."
_ON_THE_CARD = "What it does is not said in this rulebook."
_FEW_UNKNOWN = 0.25  # share of content words: with more, it is about something else
_SURELY_OURS = 0.75  # a calculation's score; of less, the words decide whether it is our game
_FEW_WORDS = 2  # a question of so few content words may mean any game


@dataclass(frozen=True, slots=True)
class QuotesWriter:
    """Writes answers from whole statements, each with its mark.

    Attributes:
        library: the books, to say what can be asked about.
        content_words: how many content words a text has.
        unknown_words: the share of them, 0 to 1, that no book has.
        familiar: the ids of the books that the encoder was trained on.
    """

    library: Library
    content_words: Callable[[str], int]
    unknown_words: Callable[[str], float]
    familiar: frozenset[str] = frozenset()

    def __call__(
        self,
        query: Query,
        found: Sequence[Found],
        calculations: Sequence[Calculation] = (),
        rules: Ruleset | None = None,
    ) -> Draft:
        """The draft of an answer, a question back, or silence.

        Args:
            query: the question.
            found: the sections that may answer it, best first.
            calculations: what the rules engine made of it.
            rules: those that were computed with.
        """
        if not calculations and (in_english := self._in_english(query, found)) is not None:
            return in_english
        if asked.small_talk(query.text):
            return self._greeting(query)
        if asked.a_task(query.text):
            text = f"I only answer questions about the rules of {self._titles()}."
            return Draft(Status.OUT_OF_SCOPE, text)
        computed = None if rules is None else draft_of(calculations, rules)
        if computed is not None and calculations[0].score >= _SURELY_OURS:
            return computed
        unknown = self.unknown_words(query.topic)
        if silence.is_foreign(query, found, unknown, self.familiar):
            return self._not_ours(query, found)
        if computed is not None:
            return computed
        if (games := self._games_meant(query, found)) is not None:
            return games
        return self._of_book(query, [f for f in found if f.book.id == found[0].book.id])

    def _in_english(self, query: Query, found: Sequence[Found]) -> Draft | None:
        """What to say to a question in another language, in that language."""
        if self.unknown_words(query.topic) < languages.UNKNOWN:
            return None
        spoken = languages.language(query.text)
        if spoken is None:
            return None
        return Draft(
            Status.OUT_OF_SCOPE, languages.BOOKS_ARE_ENGLISH[spoken], pointers=_worth_a_look(found)
        )

    def _greeting(self, query: Query) -> Draft:
        thanked = re.search(r"\bth(?:an)?[kx]", query.text, re.IGNORECASE)
        greeting = "You're welcome!" if thanked else "Hello!"
        text = f"{greeting} Ask me about the rules of {self._titles()}."
        return Draft(Status.OUT_OF_SCOPE, text)

    def _of_book(self, query: Query, found: Sequence[Found]) -> Draft:
        ranked = candidates(found)
        rules = [e for e in ranked if not silence.is_note(e)]
        if not rules or asked.about_the_box(query.text):
            return _silent(found, f"The rulebook of {_title(found[0].book)} doesn't say.")
        if (note := silence.open_question(query, ranked)) is not None:
            return _with_note(query, rules, note)
        picks = [e.pick for e in chosen(query, rules)]
        if silence.printed_elsewhere(query, rules):
            return _written(Status.PARTLY, picks, _ON_THE_BOARD, "the value on the board or card")
        if silence.thing_unexplained(query, rules):
            return _written(Status.PARTLY, picks, _ON_THE_CARD, "what the card or token does")
        if silence.value_missing(query, rules):
            return _silent(found, self._no_value(found[0].book))
        beside = None
        if self.unknown_words(query.topic) <= _FEW_UNKNOWN:
            beside = _side_by_side(query, found, picks[0])
        return beside or _written(Status.ANSWERED, picks)

    def _no_value(self, book: Rulebook) -> str:
        text = f"The rulebook of {_title(book)} doesn't give that number."
        others = [b for b in self.library.books if b.id != book.id]
        known = {words(name) for b in others for name in (b.title, *b.aliases)}
        if book.base_game and words(book.base_game) not in known:
            text += f" The rulebook of the base game, {book.base_game}, isn't in the library."
        return text

    def _not_ours(self, query: Query, found: Sequence[Found]) -> Draft:
        if found and (query.game_named or query.roles):
            return _silent(found, f"The rulebook of {_title(found[0].book)} doesn't say.")
        what = f"{query.foreign[0]} isn't in the library" if query.foreign else "That isn't in them"
        text = f"I only know the rules of {self._titles()}. {what}."
        pointers = () if query.foreign else _worth_a_look(found)
        return Draft(Status.OUT_OF_SCOPE, text, pointers=pointers)

    def _titles(self) -> str:
        titles = [_title(book) for book in self.library.books]
        return " and ".join([", ".join(titles[:-1]), titles[-1]] if len(titles) > 1 else titles)

    def _games_meant(self, query: Query, found: Sequence[Found]) -> Draft | None:
        """Which game, if so little was said that another one fits as well."""
        if query.game_named or self.content_words(query.topic) > _FEW_WORDS:
            return None
        near = [f.book for f in found if f.score >= _AS_GOOD * found[0].score]
        books = list({book.id: book for book in near}.values())
        if len(books) < 2:
            return None
        options = tuple(book.title for book in books)
        text = f"Which game do you mean: {_either(map(_title, books))}?"
        return Draft(Status.NEEDS_INPUT, text, question_back=QuestionBack(text, "game", options))


def _worth_a_look(found: Sequence[Found]) -> tuple[Found, ...]:
    return tuple(f for f in found if f.score > _WORTH_A_LOOK)[:_POINTERS]


def _side_by_side(query: Query, found: Sequence[Found], lead: Pick) -> Draft | None:
    """Each role's answer, if no role is named and several roles have a section of that name.

    If they are too long to stand side by side, the role is asked for.
    """
    alike = _sections_of_roles(query, found)
    if len(alike) < 2 or lead.section not in [f.section for f in alike]:
        return None
    leads = [e.pick for f in alike for e in _best_rule(f)]
    text = "\n".join(
        marked(f"{pick.section.chapter}: {pick.statement.text}", n)
        for n, pick in enumerate(leads, start=1)
    )
    if len(text.split()) <= MOST_WORDS:
        return Draft(Status.ANSWERED, text, tuple(leads), notes=_notes(leads))
    roles = tuple(f.section.chapter for f in alike)
    asked = f"Which role do you mean: {_either(roles)}?"
    return Draft(Status.NEEDS_INPUT, asked, question_back=QuestionBack(asked, "role", roles))


def _best_rule(found: Found) -> Sequence[Evidence]:
    """The most relevant rule of a section; empty if it has none."""
    return [e for e in candidates([found]) if not silence.is_note(e)][:1]


def _sections_of_roles(query: Query, found: Sequence[Found]) -> list[Found]:
    if query.roles or not found or len(found[0].section.path) < 2:
        return []
    best = found[0]
    alike = [
        f
        for f in found
        if _same_heading(f.section, best.section)
        and f.score >= _AS_GOOD * best.score
        and _best_rule(f)
        and f.book.chapter(f.section.chapter).kind is ChapterKind.ROLE
    ]
    places = {section.id: n for n, section in enumerate(best.book.sections)}
    return sorted(alike, key=lambda f: places[f.section.id])


def _with_note(query: Query, rules: Sequence[Evidence], note: Evidence) -> Draft:
    """The note on what is left open and the rules around it, the better match first."""
    picks = [e.pick for e in chosen(query, rules) if e.pick != note.pick]
    note_first = note.score > rules[0].score
    picks = [note.pick, *picks[:2]] if note_first else [*picks[:3], note.pick]
    return _written(Status.PARTLY, picks, not_covered="what the note says is left open")


def _same_heading(a: Section, b: Section) -> bool:
    """Whether two sections are called alike in their chapters, as "Solo" and "1 Player / Solo"."""
    if a.path[1:-1] != b.path[1:-1]:
        return False
    one, other = set(words(a.heading)), set(words(b.heading))
    return one <= other or other <= one


def _written(
    status: Status, picks: Sequence[Pick], closing: str = "", not_covered: str | None = None
) -> Draft:
    sentences = [marked(pick.statement.text, n) for n, pick in enumerate(picks, start=1)]
    text = "\n".join([*sentences, *([closing] if closing else [])])
    return Draft(status, text, tuple(picks), not_covered=not_covered, notes=_notes(picks))


def _notes(picks: Sequence[Pick]) -> tuple[str, ...]:
    quoted = {pick.statement.id for pick in picks}
    return tuple(note.text for note in notes_on(picks) if note.id not in quoted)


def _silent(found: Sequence[Found], text: str) -> Draft:
    return Draft(Status.NOT_IN_RULEBOOK, text, pointers=tuple(found[:_POINTERS]))


def _title(book: Rulebook) -> str:
    """The title as it stands inside a sentence."""
    return book.title.rstrip(".")


def _either(options: Iterable[str]) -> str:
    names = list(options)
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
