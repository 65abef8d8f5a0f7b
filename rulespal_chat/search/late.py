"""Late interaction: each token of a question looks for its like among those of a text.

MaxSim as in ColBERT (Khattab and Zaharia, https://arxiv.org/abs/2004.12832), here the mean over the
question's tokens instead of their sum, so that long questions don't score higher. The vectors lie
in one file of the index and are read where they are needed.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from rulespal_chat.errors import IndexBuildError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

_TOKENS = "tokens.npy"
_ENDS = "token_ends.npy"


class TokenVectors:
    """The token vectors of all statements, in their order in the library.

    Args:
        folder: of an index.

    Raises:
        IndexBuildError: they are missing or broken.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._tokens = np.asarray(np.load(folder / _TOKENS, mmap_mode="r"))
            ends = np.load(folder / _ENDS)
        except (OSError, ValueError, EOFError) as error:
            raise IndexBuildError.broken(folder, type(error).__name__) from None
        if self._tokens.ndim != 2 or list(ends[-1:]) not in ([], [len(self._tokens)]):
            raise IndexBuildError.broken(folder, "its files don't belong together")
        self._starts, self._ends = np.concatenate([[0], ends[:-1]]), ends
        self._was_asked = False

    @staticmethod
    def write(folder: Path, tokens: Sequence[Vectors]) -> None:
        """Keeps the token vectors of texts, in half precision, which changes no ranking."""
        own = [rows if len(rows) else np.zeros((1, rows.shape[1]), np.float32) for rows in tokens]
        whole = np.concatenate(own) if own else np.zeros((0, 1), np.float32)
        np.save(folder / _TOKENS, whole.astype(np.float16))
        np.save(folder / _ENDS, np.cumsum([len(rows) for rows in own], dtype=np.int64))

    @cached_property
    def _unpacked(self) -> Vectors:
        return self._tokens.astype(np.float32)

    def similar(self, asked: Vectors, numbers: Sequence[int]) -> Vectors:
        """How like each token of a question the nearest token of each text is, 0 to 1.

        Args:
            asked: the question's token vectors, of shape (tokens, dimensions).
            numbers: of the texts, ascending.

        Returns:
            An array of shape (texts, tokens); its means over the tokens are the texts' MaxSim.
        """
        if not len(asked) or not len(numbers):
            return np.zeros((len(numbers), len(asked)), np.float32)
        starts, ends = self._starts[list(numbers)], self._ends[list(numbers)]
        # One question reads a few of them from the file; for who asks on, all are unpacked once.
        tokens = self._unpacked if self._was_asked else self._tokens
        self._was_asked = True
        rows = np.concatenate([tokens[s:e] for s, e in zip(starts, ends, strict=True)])
        near = rows.astype(np.float32, copy=False) @ asked.T
        firsts = np.concatenate([[0], np.cumsum(ends - starts)[:-1]])
        best: Vectors = np.clip(np.maximum.reduceat(near, firsts, axis=0), 0.0, 1.0)
        return best
