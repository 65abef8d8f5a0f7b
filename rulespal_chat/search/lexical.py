"""BM25 over stems: finds the rule whose words the question uses.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009); the
scoring is rank_bm25's, the stems are Snowball's.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

# Words that stand in questions whatever they are about.
STOP_WORDS = frozenset(
    "a an and are as at be been but by can could did do does for from had has have how i if in "
    "into is it its me my no not of on or our she he her his so that the their them then there "
    "these they this those to up us was we were what when where which who whom why will with would "
    "you your am m re ll ve s t d don".split()
)


class Stems:
    """Content words of a text, each cut down to its stem."""

    def __init__(self) -> None:
        import Stemmer

        self._stemmer = Stemmer.Stemmer("english")

    def __call__(self, text: str) -> list[str]:
        """The stems of a text's content words, in their order."""
        words = re.findall(r"[^\W_]+", text.lower())
        return [str(self._stemmer.stemWord(w)) for w in words if w not in STOP_WORDS]


class LexicalIndex:
    """Texts to be matched by their words.

    Args:
        texts: each already cut into stems.
    """

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        from rank_bm25 import BM25Okapi

        self._index = BM25Okapi([list(text) or [""] for text in texts]) if texts else None
        self._highest = max(self._index.idf.values(), default=0.0) if self._index else 0.0

    def knows(self, stem: str) -> bool:
        """Whether any of the texts has the word."""
        return self._index is not None and stem in self._index.idf

    def scores(self, stems: Sequence[str]) -> NDArray[np.float64]:
        """How well each text matches, 0 to 1: its BM25 as a share of the highest one possible.

        A word that no text has counts as the rarest one: it is a part of the question that
        nothing here speaks of.
        """
        if self._index is None:
            return np.zeros(0)
        weights = [self._index.idf.get(stem, self._highest) for stem in stems]
        most = (self._index.k1 + 1) * sum(weights)
        scores = self._index.get_scores(list(stems))
        shares = scores / most if most > 0 else np.zeros_like(scores)
        clipped: NDArray[np.float64] = np.clip(shares, 0.0, 1.0)
        return clipped
