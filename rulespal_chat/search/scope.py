"""Which game and which role a question is about, by the names that it uses.

Names are looked for word by word, the longest first ("vile ghoul" before "ghoul"), in spite of
plurals and small slips. A word that several roles end with ("unicorn") names them all.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespal_chat.corpus.lookup import find_game, words
from rulespal_chat.corpus.text import one_line
from rulespal_chat.errors import BadQuestionError, UnknownRoleError
from rulespal_chat.search.following import FollowUp, follow, without_change
from rulespal_chat.search.lexical import STOP_WORDS
from rulespal_chat.search.other_games import OTHER_GAMES
from rulespal_chat.types import ChapterKind, Query, Question

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulespal_chat.types import Library, Rulebook

LONGEST_QUESTION = 2000
_SHORTEST_WITH_SLIP = 4  # letters, as in "goul"
_LETTERS_A_SLIP = 5
_SAME_ROLE = 75  # rapidfuzz ratio, 0 to 100, for a name that is meant to be a role's


@dataclass(frozen=True, slots=True)
class _Name:
    """A name and what it stands for: games, or roles and other chapters as (game, heading)."""

    words: tuple[str, ...]
    title: str = ""
    games: tuple[str, ...] = ()
    roles: tuple[tuple[str, str], ...] = ()
    chapters: tuple[tuple[str, str], ...] = ()
    foreign: str = ""


class Scope:
    """Reads games and roles out of questions.

    Args:
        library: the books.
    """

    def __init__(self, library: Library) -> None:
        self._library = library
        names = [
            *_game_names(library),
            *_role_names(library),
            *_chapter_names(library),
            *_foreign_names(library),
        ]
        self._names = sorted(names, key=lambda name: -len(name.words))

    def __call__(self, question: Question) -> Query:
        """Understands a question.

        Raises:
            BadQuestionError: it is blank or far too long.
            UnknownGameError: its asker named a game that isn't in the library.
            UnknownRoleError: its asker named a role that no book in question has.
        """
        text, focus = without_change(_readable(question.text)), ""
        found = tuple(self._found(words(text)))
        following = self._following(question, text, found)
        if following is not None:
            text, focus = following.text, following.focus
            found = tuple(self._found(words(text)))
        games = self._games(question, found, follows=following is not None)
        books = [b for b in self._library.books if not games or b.id in games]
        given = None if question.role is None else find_role(books, question.role)
        ids = {book.id for book in books}
        named = _distinct(r for name in found for game, r in name.roles if game in ids)
        chapters = _distinct(c for name in found for game, c in name.chapters if game in ids)
        return Query(
            text=text,
            topic=_without(text, [name.title for name in found if name.games]),
            games=tuple(book.id for book in books),
            game_named=bool(games),
            roles=_distinct((given, *named)) if given else named,
            chapters=chapters,
            role_given=given is not None,
            foreign=_distinct(name.foreign for name in found if name.foreign),
            focus=focus,
        )

    def _following(self, question: Question, text: str, found: Sequence[_Name]) -> FollowUp | None:
        """The text as a follow-up, if it is one; never of a question about another game."""
        before = question.before
        if before is None or any(name.foreign for name in found):
            return None
        others = {game for name in found for game in name.games} - {before.game}
        if others or (question.game or before.game) != before.game:
            return None
        book = next((b for b in self._library.books if b.id == before.game), None)
        return None if book is None else follow(text, before.text, _called(book))

    def _games(
        self, question: Question, found: Sequence[_Name], *, follows: bool
    ) -> tuple[str, ...]:
        """The game that was given, else those named in the text, else the one for such a case."""
        if question.game is not None:
            return (find_game(self._library, question.game).id,)
        if follows and question.before is not None:
            return (question.before.game,)
        named = _distinct(game for name in found for game in name.games)
        if named or question.default_game is None:
            return named
        return (find_game(self._library, question.default_game).id,)

    def _found(self, typed: tuple[str, ...]) -> Iterator[_Name]:
        """The names in the words, longest first; a word serves one name only."""
        free = list(typed)
        for name in self._names:
            size = len(name.words)
            places = [
                start
                for start in range(len(free) - size + 1)
                if _same(free[start : start + size], name)
            ]
            for start in places:
                free[start : start + size] = [""] * size
            if places:
                yield name


def find_role(books: Iterable[Rulebook], name: str) -> str:
    """The heading of the role chapter of this name.

    Raises:
        UnknownRoleError: none of the books has it.
    """
    from rapidfuzz import fuzz, process

    called = {
        " ".join(words(alias)): chapter.heading
        for book in books
        for chapter in book.chapters
        if chapter.kind is ChapterKind.ROLE
        for alias in (chapter.heading, *chapter.aliases)
    }
    typed = " ".join(words(name))
    best = process.extractOne(typed, list(called), scorer=fuzz.ratio, score_cutoff=_SAME_ROLE)
    if best is not None:
        return called[best[0]]
    headings = _distinct(called.values())
    known = f" (roles: {', '.join(headings)})" if headings else ""
    shown = one_line(name)[:60]
    near = process.extract(typed, list(called), scorer=fuzz.WRatio, limit=3, score_cutoff=60)
    nearest = _distinct(called[found] for found, _, _ in near)
    raise UnknownRoleError(f"No role is called '{shown}'{known}", "rulespal games", nearest)


def _called(book: Rulebook) -> dict[str, tuple[str, ...]]:
    """What each role of a book may be called, by its heading: "the vile one" for a twin too."""
    called = {}
    for chapter in book.chapters:
        if chapter.kind is ChapterKind.ROLE:
            bare = re.sub(r"^The ", "", chapter.heading)
            first, *more = bare.split()
            by_first = (f"{first} one", first) if more else (f"normal {bare}", f"regular {bare}")
            called[chapter.heading] = (chapter.heading, bare, *chapter.aliases, *by_first)
    return called


def _readable(text: str) -> str:
    cleaned = one_line(text)
    if not re.search(r"[^\W_]", cleaned):
        raise BadQuestionError(
            "The question has no words", 'rulespal ask "How does the Ghoul win?"'
        )
    if len(cleaned) > LONGEST_QUESTION:
        raise BadQuestionError(
            f"The question has {len(cleaned):,} characters, while {LONGEST_QUESTION:,} are read",
            "ask again, in a few sentences",
        )
    return cleaned


def _without(text: str, titles: Iterable[str]) -> str:
    """The text without these titles and the preposition before them; itself if nothing is left."""
    topic = text
    for title in titles:
        name = re.escape(title.rstrip(".")).replace("'", "['’]?")
        named = rf"(?:\b(?:in|for|of|about|playing|from)\s+)?\b{name}(?!\w)\.?"
        topic = re.sub(named, " ", topic, flags=re.IGNORECASE)
    topic = re.sub(r"\s+([?!.,;:])", r"\1", one_line(topic)).strip(" ,:;-–—")
    return topic if re.search(r"[^\W_]", topic) else text


def _game_names(library: Library) -> Iterator[_Name]:
    for book in library.books:
        titles = (book.title, *book.aliases, *([book.base_game] if book.base_game else []))
        for title in dict.fromkeys(titles):
            yield _Name(words(title), title, games=(book.id,))


def _role_names(library: Library) -> Iterator[_Name]:
    """Each role's names, and the last words that several roles share."""
    called: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    partly: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for book in library.books:
        for chapter in book.chapters:
            if chapter.kind is ChapterKind.ROLE:
                role = (book.id, chapter.heading)
                for name in (chapter.heading, *chapter.aliases):
                    called.setdefault(words(name), []).append(role)
                partly.setdefault(words(chapter.heading)[-1:], []).append(role)
    for name_words, roles in {**partly, **called}.items():
        yield _Name(name_words, roles=tuple(dict.fromkeys(roles)))


def _chapter_names(library: Library) -> Iterator[_Name]:
    """The names of chapters that aren't roles."""
    called: dict[tuple[str, ...], list[tuple[str, str]]] = {}
    for book in library.books:
        for chapter in book.chapters:
            if chapter.kind is ChapterKind.CHAPTER:
                for name in (chapter.heading, *chapter.aliases):
                    called.setdefault(words(name), []).append((book.id, chapter.heading))
    for name_words, chapters in called.items():
        yield _Name(name_words, chapters=tuple(dict.fromkeys(chapters)))


def _foreign_names(library: Library) -> Iterator[_Name]:
    ours = {name.words for name in _game_names(library)}
    for title in OTHER_GAMES:
        if words(title) not in ours:
            yield _Name(words(title), foreign=title)


def _same(typed: Sequence[str], name: _Name) -> bool:
    """Whether the words are the name, a slip of the finger aside.

    A letter too few, too many or in the wrong place is a slip; another letter is one in long names
    only, as "watch" isn't a slip of "witch". Titles of other games are to be written right.
    """
    if tuple(typed) == name.words:
        return True
    return not name.foreign and all(map(_is_slip_of, typed, name.words))


def _is_slip_of(a: str, b: str) -> bool:
    if a == b:
        return True
    if min(len(a), len(b)) < _SHORTEST_WITH_SLIP or a[:1] != b[:1] or a in STOP_WORDS:
        return False
    from rapidfuzz.distance import OSA

    slips = max(1, len(b) // _LETTERS_A_SLIP)
    if len(a) == len(b) and sorted(a) != sorted(b):
        slips -= 1
    return OSA.distance(a, b, score_cutoff=slips) <= slips


def _distinct(items: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(items))
