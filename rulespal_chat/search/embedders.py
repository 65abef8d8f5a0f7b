"""Text to vectors: the default model on ONNX Runtime, any other on sentence-transformers."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from rulespal_chat.errors import IndexBuildError
from rulespal_chat.search import weights

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray
    from sentence_transformers import SentenceTransformer

    Vectors = NDArray[np.float32]

MAX_TOKENS = 256
_BATCH = 32


class Embedder(Protocol):
    """Turns texts into unit vectors."""

    @property
    def identity(self) -> str:
        """The model by name and content; two embedders with one identity give equal vectors."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """One row of length 1 for each text: an array of shape (texts, dimensions), float32."""


class OnnxEmbedder:
    """all-MiniLM-L6-v2 on ONNX Runtime, from a file that `weights.export` wrote.

    Args:
        folder: with the model and its tokenizer.

    Raises:
        IndexBuildError: they are missing or broken.
    """

    identity = f"{weights.NAME}@{weights.SHA256}"

    def __init__(self, folder: Path) -> None:
        import onnxruntime as ort
        from tokenizers import Tokenizer

        options = ort.SessionOptions()
        options.log_severity_level = 3
        # The file was optimised when it was exported.
        options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
        options.enable_cpu_mem_arena = False  # a question is short, a pool of memory isn't
        model, tokenizer = (str(folder / n) for n in (weights.MODEL_FILE, weights.TOKENIZER_FILE))
        try:
            self._session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
            self._tokenizer = Tokenizer.from_file(tokenizer)
        except Exception as error:  # both libraries have errors of their own
            sentence = f"The exported model in {folder} is broken ({type(error).__name__})"
            raise IndexBuildError(sentence, "rulespal index --rebuild") from None
        self._tokenizer.enable_truncation(MAX_TOKENS)
        self._tokenizer.enable_padding()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        encoded = self._tokenizer.encode_batch(list(texts))
        inputs = {
            "input_ids": np.array([e.ids for e in encoded], dtype=np.int64),
            "attention_mask": np.array([e.attention_mask for e in encoded], dtype=np.int64),
        }
        (vectors,) = self._session.run(["vectors"], inputs)
        return np.asarray(vectors, dtype=np.float32)


class SentenceTransformerEmbedder:
    """Any model of sentence-transformers.

    Args:
        name: a folder or the name of a model on the hub.

    Raises:
        IndexBuildError: there is no such model here.
    """

    def __init__(self, name: str) -> None:
        self.identity = other_identity(name)
        self._model = load_model(name)

    @classmethod
    def of(cls, model: SentenceTransformer, identity: str) -> SentenceTransformerEmbedder:
        """An embedder from a model that is already loaded."""
        embedder = cls.__new__(cls)
        embedder.identity = identity
        embedder._model = model
        return embedder

    def embed(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder`."""
        vectors = self._model.encode(
            list(texts), batch_size=_BATCH, normalize_embeddings=True, show_progress_bar=False
        )
        return np.asarray(vectors, dtype=np.float32)


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
