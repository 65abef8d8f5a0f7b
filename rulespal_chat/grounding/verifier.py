"""The verifier: how surely statements bear out a sentence.

A cross-encoder (Nogueira and Cho, https://arxiv.org/abs/1901.04085) that reads both together; what
it was trained on and how good it is, its MODEL_CARD.md says.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from rulespal_chat.weights import VERIFIER, opened

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

MAX_TOKENS = 256


class Verifier:
    """The verifier that comes with RulesPal, on ONNX Runtime.

    Args:
        folder: that `weights.VERIFIER.unfold` filled.

    Raises:
        IndexBuildError: the files are missing or broken.
    """

    def __init__(self, folder: Path) -> None:
        self._session, self._tokenizer = opened(folder, VERIFIER.what)
        self._tokenizer.enable_truncation(MAX_TOKENS)

    def __call__(self, told: str, sentence: str) -> float:
        """The log-odds that evidence, as `evidence` writes it, bears out a sentence."""
        encoded = self._tokenizer.encode(told, sentence)
        inputs = {
            "input_ids": np.array([encoded.ids], dtype=np.int64),
            "attention_mask": np.array([encoded.attention_mask], dtype=np.int64),
            "token_type_ids": np.array([encoded.type_ids], dtype=np.int64),
        }
        (logits,) = self._session.run(["logits"], inputs)
        return float(logits[0])


def evidence(quotes: Sequence[tuple[str, str]]) -> str:
    """Statements as the verifier reads them: each section's name once, then its statements."""
    lines: list[str] = []
    last = ""
    for section, text in quotes:
        if section != last:
            lines.append(section)
        lines.append(text)
        last = section
    return "\n".join(lines)
