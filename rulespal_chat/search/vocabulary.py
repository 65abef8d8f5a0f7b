"""Players' words put into the books' own: "castle" means the fortress, "five" means 5.

The words are those of the books' front matter; a question gets the terms added that they stand for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulespal_chat.types import Library, Query

_NUMBERS = dict(
    zip(
        "one two three four five six seven eight nine ten".split(),
        map(str, range(1, 11)),
        strict=True,
    )
)
_LONGEST = 3  # words of a player's expression


class Vocabulary:
    """Knows what players call things.

    Args:
        library: the books.
        stems: cuts a text into stems of its content words.
    """

    def __init__(self, library: Library, stems: Callable[[str], Sequence[str]]) -> None:
        self._stems = stems
        self._terms: dict[str, dict[tuple[str, ...], list[str]]] = {}
        for book in library.books:
            terms = self._terms.setdefault(book.id, {})
            for term, called in book.words:
                for words in called:
                    terms.setdefault(tuple(stems(words)), []).append(term)
        self._known = {s for terms in self._terms.values() for words in terms for s in words}

    def knows(self, stem: str) -> bool:
        """Whether the word occurs in what players call things."""
        return stem in self._known

    def terms(self, query: Query) -> tuple[str, ...]:
        """The books' terms for the players' words of a query, each once."""
        said = self._stems(query.topic)
        found = [term for game in query.games for term in self._of_book(game, said)]
        numbers = [_NUMBERS[w] for w in query.topic.lower().split() if w in _NUMBERS]
        return tuple(dict.fromkeys([*found, *numbers]))

    def _of_book(self, game: str, said: Sequence[str]) -> Iterator[str]:
        terms = self._terms.get(game, {})
        for size in range(_LONGEST, 0, -1):
            for start in range(len(said) - size + 1):
                yield from terms.get(tuple(said[start : start + size]), ())
