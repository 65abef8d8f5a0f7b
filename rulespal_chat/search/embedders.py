"""Text to vectors: the encoder that comes with RulesPal, or any of sentence-transformers."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, cast

import numpy as np

from rulespal_chat.errors import IndexBuildError
from rulespal_chat.weights import ENCODER, TRAINED_ON, opened

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer
    from torch import Tensor

    Vectors = NDArray[np.float32]

MAX_TOKENS = 256
_BATCH = 32


@dataclass(frozen=True, slots=True)
class Encoded:
    """Texts as unit vectors.

    Attributes:
        vectors: one for each text: an array of shape (texts, dimensions), float32.
        tokens: of each text an array with one for each of its tokens: (tokens, dimensions).
    """

    vectors: Vectors
    tokens: tuple[Vectors, ...]


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def identity(self) -> str:
        """The model by name and content; two embedders with one identity give equal vectors."""

    @property
    def familiar(self) -> frozenset[str]:
        """The ids of the books that it was trained on."""

    def encode(self, texts: Sequence[str]) -> Encoded:
        """The vectors of the texts, in their order."""


class OnnxEmbedder:
    """The encoder that comes with RulesPal, on ONNX Runtime.

    Args:
        folder: that `weights.ENCODER.unfold` filled.

    Raises:
        IndexBuildError: the files are missing or broken.
    """

    identity = f"{ENCODER.name}@{ENCODER.sha256}"
    familiar = TRAINED_ON

    def __init__(self, folder: Path) -> None:
        self._session, self._tokenizer = opened(folder, ENCODER.what)
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()

    def encode(self, texts: Sequence[str]) -> Encoded:
        """See `Embedder`."""
        return _in_batches(texts, self._encode)

    def _encode(self, texts: Sequence[str]) -> Encoded:
        encoded = self._tokenizer.encode_batch(list(texts))
        inputs = {
            "input_ids": np.array([e.ids for e in encoded], dtype=np.int64),
            "attention_mask": np.array([e.attention_mask for e in encoded], dtype=np.int64),
        }
        vectors, tokens = self._session.run(["vectors", "tokens"], inputs)
        special = np.array([e.special_tokens_mask for e in encoded], dtype=bool)  # padding too
        own = tuple(row[~mask] for row, mask in zip(tokens, special, strict=True))
        return Encoded(np.asarray(vectors, dtype=np.float32), own)


class SentenceTransformerEmbedder:
    """Any model of sentence-transformers.

    Args:
        name: a folder or the name of a model on the hub.

    Raises:
        IndexBuildError: there is no such model here.
    """

    familiar: frozenset[str] = frozenset()

    def __init__(self, name: str) -> None:
        self.identity = other_identity(name)
        self._model = load_model(name)

    def encode(self, texts: Sequence[str]) -> Encoded:
        """See `Embedder`."""
        return _in_batches(texts, self._encode)

    def _encode(self, texts: Sequence[str]) -> Encoded:
        features = self._model.encode(list(texts), output_value=None, show_progress_bar=False)
        found = cast("list[dict[str, Tensor]]", features)
        vectors = np.array([f["sentence_embedding"].numpy() for f in found], dtype=np.float32)
        tokens = tuple(self._own_tokens(features) for features in found)
        return Encoded(_unit(vectors), tokens)

    def _own_tokens(self, features: Mapping[str, Tensor]) -> Vectors:
        """The unit vectors of a text's tokens, without those that the tokenizer adds."""
        if "token_embeddings" not in features:  # a model of static vectors has one for the text
            return _unit(features["sentence_embedding"].numpy()[None])
        added = set(self._model.tokenizer.all_special_ids)
        own = [n for n, token in enumerate(features["input_ids"].tolist()) if token not in added]
        return _unit(features["token_embeddings"][own].numpy())


def load_model(name: str) -> SentenceTransformer:
    """Loads a model on the CPU.

    Raises:
        IndexBuildError: there is no such model here.
    """
    os.environ.setdefault("HF_HUB_DISABLE_TELEMETRY", "1")
    from sentence_transformers import SentenceTransformer

    _quiet_transformers()
    try:
        return SentenceTransformer(name, device="cpu")
    except Exception as error:  # each backend has errors of its own
        sentence = f"The embedder '{name}' can't be loaded ({type(error).__name__})"
        raise IndexBuildError(
            sentence, "unset RULESPAL_EMBEDDER, for the one that is built in"
        ) from None


def other_identity(name: str) -> str:
    """The identity of a model by name: with the state of its files if it is a folder."""
    folder = Path(name)
    if not (folder / "config.json").is_file():
        return name
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    state = [(str(p.relative_to(folder)), p.stat().st_size, p.stat().st_mtime_ns) for p in files]
    return f"{folder.resolve()}@{hashlib.sha256(repr(state).encode()).hexdigest()}"


def _quiet_transformers() -> None:
    """No progress bars for the milliseconds in which weights are read."""
    from transformers.utils import logging

    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    logging.set_verbosity_error()  # type: ignore[no-untyped-call]


def _in_batches(texts: Sequence[str], encode: Callable[[Sequence[str]], Encoded]) -> Encoded:
    """All texts, those of about the same length at once: less of a batch is padding."""
    order = sorted(range(len(texts)), key=lambda n: len(texts[n]))
    vectors: dict[int, Vectors] = {}
    tokens: dict[int, Vectors] = {}
    for start in range(0, len(order), _BATCH):
        part = order[start : start + _BATCH]
        encoded = encode([texts[n] for n in part])
        vectors.update(zip(part, encoded.vectors, strict=True))
        tokens.update(zip(part, encoded.tokens, strict=True))
    numbers = range(len(texts))
    return Encoded(np.stack([vectors[n] for n in numbers]), tuple(tokens[n] for n in numbers))


def _unit(vectors: Vectors) -> Vectors:
    """Each row with length 1."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    unit: Vectors = (vectors / np.maximum(lengths, 1e-9)).astype(np.float32)
    return unit
