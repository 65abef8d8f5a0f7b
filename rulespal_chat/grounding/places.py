"""Whether a sentence has a name or a number where its statement has another.

Nearly every sentence that a verifier takes for the book's, and isn't, has two names of the book in
each other's place. Word order tells: with the names put back, more neighbours are those of the
statement.
"""

from __future__ import annotations

import re
from itertools import combinations
from typing import TYPE_CHECKING

from rulespal_chat.grounding.words import terms

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    Tokens = tuple[str, ...]

_NEAR = 2  # words apart, at most, that count as neighbours
_MOST = 3.0
_STOP = "|"
_NAME = "@"
_CAPITAL = re.compile(r"(?<![.!?:;“\"\n] )(?<!^)(?<!\n)\b[A-Z][a-z]+\b")
_PIECES = re.compile(r"@\w+|[.:;!?\n]|[^@.:;!?\n]+")


def misplaced(sentence: str, statement: str, names: Iterable[str] = ()) -> float:
    """How much better the sentence would fit the statement with a name or number put elsewhere.

    Args:
        sentence: without marks.
        statement: that it is held against; several stand on lines of their own.
        names: of roles, which may have several words.

    Returns:
        0 if it fits best as it stands, else by how much its neighbours would be more alike: one
        pair of words side by side counts 1, one with a word between them a half; at most 3.
    """
    said, told = _tokens(sentence, names), _tokens(statement, names)
    neighbours = _neighbours(told)
    best = max((_fit(other, neighbours) for other in _others(said, told)), default=0.0)
    return min(_MOST, max(0.0, best - _fit(said, neighbours)))


def _others(said: Tokens, told: Tokens) -> Iterator[Tokens]:
    """The sentence with two names, or two numbers, swapped, or one of the statement's put in."""
    for is_kind in (_is_name, str.isdigit):
        own = list(dict.fromkeys(filter(is_kind, said)))
        foreign = [token for token in dict.fromkeys(filter(is_kind, told)) if token not in own]
        for one, other in combinations(own, 2):
            yield tuple({one: other, other: one}.get(token, token) for token in said)
        for one in own:
            for other in foreign:
                yield tuple(other if token == one else token for token in said)


def _fit(tokens: Tokens, told: Mapping[tuple[str, str], float]) -> float:
    return sum(min(near, told.get(pair, 0.0)) for pair, near in _neighbours(tokens).items())


def _neighbours(tokens: Tokens) -> dict[tuple[str, str], float]:
    """Pairs of tokens that follow each other within a sentence, each with how near they are."""
    pairs: dict[tuple[str, str], float] = {}
    for start, one in enumerate(tokens):
        for apart, other in enumerate(tokens[start + 1 : start + 1 + _NEAR], start=1):
            if other == _STOP:
                break
            pairs[one, other] = max(pairs.get((one, other), 0.0), 1 / apart)
    return pairs


def _tokens(text: str, names: Iterable[str]) -> Tokens:
    """The terms of a text, with each name as one token, and a stop between sentences."""
    marked = _with_names(text, sorted(names, key=len, reverse=True))
    found: list[str] = []
    for piece in _PIECES.findall(marked):
        if piece.startswith(_NAME):
            found.append(piece)
        elif piece in ".:;!?\n":
            found.append(_STOP)
        else:
            found += terms(piece)
    return tuple(found)


def _with_names(text: str, longest_first: Sequence[str]) -> str:
    def marked(name: re.Match[str]) -> str:
        return f" {_NAME}{re.sub(r'[^a-z]', '', name[0].lower())} "

    form = text.replace(_NAME, " ")
    if longest_first:
        roles = "|".join(map(re.escape, longest_first))
        form = re.sub(rf"\b(?:{roles})\b", marked, form, flags=re.IGNORECASE)
    return _CAPITAL.sub(marked, form)


def _is_name(token: str) -> bool:
    return token.startswith(_NAME)
