"""Players' words put into the books' own: "castle" means the fortress, "five" means 5.

The words are those of the books' front matter; a question gets the terms added that they stand for.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulespal_chat.types import Library, Query

_NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        "one two three four five six seven eight nine ten".split(), start=1
    )
}
# Words of rules questions in all games: no book need have them.
_GENERAL = "max maximum min minimum highest lowest exactly allowed legal explain mean rules"
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
        expressions = [words for terms in self._terms.values() for words in terms]
        self._known = set(stems(_GENERAL)).union(*expressions, *map(stems, _NUMBERS))

    def knows(self, stem: str) -> bool:
        """Whether the word occurs in what players call things."""
        return stem in self._known

    def terms(self, query: Query) -> tuple[str, ...]:
        """The books' terms for the players' words of a query, each once."""
        said = self._stems(query.topic)
        found = [term for game in query.games for term in self._of_book(game, said)]
        said_numbers = (w for w in re.findall(r"\w+", query.topic.lower()) if w in _NUMBERS)
        return tuple(dict.fromkeys([*found, *(_NUMBERS[word] for word in said_numbers)]))

    def _of_book(self, game: str, said: Sequence[str]) -> Iterator[str]:
        terms = self._terms.get(game, {})
        for size in range(_LONGEST, 0, -1):
            for start in range(len(said) - size + 1):
                yield from terms.get(tuple(said[start : start + size]), ())
