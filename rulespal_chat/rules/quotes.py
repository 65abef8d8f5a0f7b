"""The statements of a book that a rule file quotes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.corpus.text import one_line
from rulespal_chat.rules.problems import FileProblem
from rulespal_chat.types import Pick

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulespal_chat.rules.plain_yaml import Path
    from rulespal_chat.types import Rulebook

_SHOWN = 90


class Quotes:
    """Finds the statements that are quoted.

    Args:
        book: the book.
    """

    def __init__(self, book: Rulebook) -> None:
        self._sections = {section.name: section for section in book.sections}
        self._statements = {
            (section.name, s.text): Pick(book, section, s)
            for section in book.sections
            for s in section.statements
        }

    def picks(self, quotes: str | list[str], section: str, *place: str | int) -> tuple[Pick, ...]:
        """The statements of a section with these texts.

        Raises:
            FileProblem: there is no such section, or no such statement in it.
        """
        if section not in self._sections:
            raise FileProblem(f"the book has no section '{section}'", *place)
        texts = [quotes] if isinstance(quotes, str) else quotes
        return tuple(self._pick(section, one_line(text), place) for text in texts)

    def anywhere(
        self, quotes: Iterable[str], sections: Sequence[str], *place: str | int
    ) -> tuple[Pick, ...]:
        """The statements with these texts in the first of the sections that has them.

        Raises:
            FileProblem: none has one of them.
        """
        picks: list[Pick] = []
        for text in quotes:
            having = [s for s in sections if (s, one_line(text)) in self._statements]
            picks += self.picks(text, (having or sections)[0], *place)
        return tuple(picks)

    def _pick(self, section: str, text: str, place: Path) -> Pick:
        found = self._statements.get((section, text))
        if found is not None:
            return found
        elsewhere = [name for name in self._sections if (name, text) in self._statements]
        hint = f" (it stands in '{elsewhere[0]}')" if elsewhere else ""
        raise FileProblem(f"stale: '{section}' has no statement '{text[:_SHOWN]}…'{hint}", *place)
