"""Marks in a draft become citations; one that stands for nothing is dropped, and counted."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespal_chat.types import Citation

if TYPE_CHECKING:
    from rulespal_chat.types import Draft, Pick

_MARK = re.compile(r" ?\[(\d{1,3})\]")
_NUMBER_IN_BRACKETS = re.compile(r"\[(\d+)\]")


def marked(text: str, mark: int) -> str:
    """The sentence with its mark; a number in brackets of its own isn't to be taken for one."""
    unmarked = _NUMBER_IN_BRACKETS.sub(r"(\1)", text)
    return f"{unmarked} [{mark}]"


def cite(draft: Draft) -> tuple[str, tuple[Citation, ...], int]:
    """Resolves the marks of a draft.

    Returns:
        The text with the marks that resolve, a citation for each of them in the order of the
        marks, and how many marks were dropped.
    """
    used: set[int] = set()
    dropped = 0

    def resolve(mark: re.Match[str]) -> str:
        nonlocal dropped
        number = int(mark[1])
        if 1 <= number <= len(draft.picks):
            used.add(number)
            return mark[0]
        dropped += 1
        return ""

    text = _MARK.sub(resolve, draft.text)
    return text, tuple(_citation(n, draft.picks[n - 1]) for n in sorted(used)), dropped


def _citation(mark: int, pick: Pick) -> Citation:
    return Citation(
        mark=mark,
        game=pick.book.id,
        section=pick.section.name,
        statement=pick.statement.id,
        quote=pick.statement.text,
        lines=pick.statement.lines,
    )
