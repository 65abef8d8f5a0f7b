"""Finding a game or a section by what a player types: a whole name, a part of it, or a typo.

A name is compared word by word, without regard to capitals, accents, articles, plurals,
punctuation and the number in front of a heading. The ways of matching are tried from strict to
loose, and the first that finds anything decides. If none does, each word typed is replaced by the
nearest word of the names and they are tried once more.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from rulespal_chat.corpus.text import one_line, quoted
from rulespal_chat.errors import UnknownGameError, UnknownSectionError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rulespal_chat.types import Library, Rulebook, Section

T = TypeVar("T")
Words = tuple[str, ...]

_ARTICLES = frozenset({"a", "an", "the"})
_ENUMERATOR = re.compile(r"(?:^|\s)(?:\d+[.)]|[A-Z]\.)(?=\s)")
# rapidfuzz ratio, 0 to 100: one slip in a word of four letters or more ("goul", "hunt"/"haunt").
_SAME_WORD = 75
_SHOWN = 60
_LONGEST_QUERY = 200


@dataclass(frozen=True, slots=True)
class _Named(Generic[T]):
    """Something with one or more names, each a sequence of parts (chapter, heading, …)."""

    thing: T
    names: tuple[tuple[Words, ...], ...]


def find_game(library: Library, name: str) -> Rulebook:
    """The book that goes by this id, title or alias, or by an unmistakable part or typo of it.

    Raises:
        UnknownGameError: none does, or several do.
    """
    named = [
        _Named(b, tuple((words(n),) for n in (b.id, b.title, *b.aliases))) for b in library.books
    ]
    found = _find(named, [name])
    if len(found) == 1:
        return found[0]
    typed = one_line(name)[:_SHOWN]
    if found:
        ids = tuple(book.id for book in found)
        raise UnknownGameError(f"'{typed}' may be {_listed(ids)}", "rulespal games", ids)
    nearest = _nearest(name, {n: b.id for b in library.books for n in (b.title, *b.aliases)})
    hint = f"rulespal show {nearest[0]}" if nearest else "rulespal games"
    raise UnknownGameError(
        f"No game in the library is called '{typed}'{_perhaps(nearest)}", hint, nearest
    )


def find_sections(book: Rulebook, query: str) -> tuple[Section, ...]:
    """The sections that a heading path, a part of one, or a typo of it may mean, in book order.

    One section means that the query is unmistakable. A role's whole name rules out its twin:
    "ghoul setup" doesn't mean the Vile Ghoul's.

    Raises:
        UnknownSectionError: there is none.
    """
    aliases = {chapter.heading: chapter.aliases for chapter in book.chapters}
    named = [_Named(s, _section_names(s, aliases[s.chapter])) for s in book.sections]
    parts = [part for part in re.split(r"[>›/]", query) if part.strip()]
    if found := _find(named, parts):
        return found
    nearest = _nearest(query, {section.name: section.name for section in book.sections})
    hint = f"rulespal show {book.id}"
    if nearest:
        hint += f" {quoted(nearest[0])}"
    typed = one_line(query)[:_SHOWN]
    raise UnknownSectionError(
        f"{book.title} has no section '{typed}'{_perhaps(nearest)}", hint, nearest
    )


def _section_names(section: Section, aliases: Iterable[str]) -> tuple[tuple[Words, ...], ...]:
    rest = tuple(words(heading) for heading in section.path[1:])
    return tuple((words(chapter), *rest) for chapter in (section.chapter, *aliases))


def words(text: str) -> Words:
    """The words of a name as they are compared: plain, small, singular, without articles."""
    plain = unicodedata.normalize("NFKD", _ENUMERATOR.sub(" ", text)).casefold()
    plain = re.sub(r"[\u0300-\u036f'’]", "", plain)
    typed = re.findall(r"\w+", plain)
    return tuple(_singular(w) for w in typed if w not in _ARTICLES) or tuple(typed)


def _singular(word: str) -> str:
    """The word without the s of a plural or a genitive, in names as in what is typed."""
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def _find(named: Sequence[_Named[T]], parts: Sequence[str]) -> tuple[T, ...]:
    query = tuple(w for part in parts for w in words(part[:_LONGEST_QUERY]))
    if not query:
        return ()
    return _matches(named, query) or _matches(named, _spelled(named, query))


def _matches(named: Sequence[_Named[T]], query: Words) -> tuple[T, ...]:
    for way in (_whole, _heading, _tail, _run, _subset):
        if found := [(n.thing, name) for n in named for name in n.names if way(query, name)]:
            of_chapter = [
                thing for thing, name in found if len(name) > 1 and set(name[0]) <= set(query)
            ]
            return tuple(dict.fromkeys(of_chapter or [thing for thing, _ in found]))
    return ()


def _whole(query: Words, name: tuple[Words, ...]) -> bool:
    return query == _flat(name)


def _heading(query: Words, name: tuple[Words, ...]) -> bool:
    """The last heading whole, with or without the chapter before it."""
    return query in {name[-1], (*name[0], *name[-1])}


def _tail(query: Words, name: tuple[Words, ...]) -> bool:
    return _flat(name)[-len(query) :] == query


def _run(query: Words, name: tuple[Words, ...]) -> bool:
    flat = _flat(name)
    return any(flat[i : i + len(query)] == query for i in range(len(flat)))


def _subset(query: Words, name: tuple[Words, ...]) -> bool:
    return set(query) <= set(_flat(name))


def _flat(name: tuple[Words, ...]) -> Words:
    return tuple(word for part in name for word in part)


def _spelled(named: Sequence[_Named[T]], query: Words) -> Words:
    """The query with each word that no name has replaced by the nearest one that some name has."""
    from rapidfuzz import fuzz, process

    known = list(dict.fromkeys(w for n in named for name in n.names for w in _flat(name)))
    spelled: list[str] = []
    for word in query:
        best = process.extractOne(word, known, scorer=fuzz.ratio, score_cutoff=_SAME_WORD)
        spelled.append(best[0] if best else word)
    return tuple(spelled)


def _nearest(typed: str, names: dict[str, str]) -> tuple[str, ...]:
    """What up to three of the names stand for that look most like the text, best first."""
    from rapidfuzz import fuzz, process

    prepare: Callable[[str], str] = lambda text: " ".join(words(text[:_LONGEST_QUERY]))  # noqa: E731
    best = process.extract(
        typed, list(names), scorer=fuzz.WRatio, processor=prepare, limit=3, score_cutoff=60
    )
    return tuple(dict.fromkeys(names[name] for name, _, _ in best))


def _perhaps(nearest: tuple[str, ...]) -> str:
    return f" (nearest: {'; '.join(nearest)})" if nearest else ""


def _listed(names: Sequence[str]) -> str:
    return " or ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
