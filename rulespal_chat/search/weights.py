"""The encoder that comes with RulesPal: found in the package, verified, unfolded for questions.

It is all-MiniLM-L6-v2 (Reimers and Gurevych, https://arxiv.org/abs/1908.10084; Apache 2.0) trained
further by `evals/training`; what on, and how good it is, its MODEL_CARD.md says. The package keeps
its matrices as int8. They are unfolded to float32 once, by ONNX Runtime itself, so that no question
waits for it and no activation is ever quantised.
"""

from __future__ import annotations

import hashlib
import shutil
from pathlib import Path

from rulespal_chat.errors import IndexBuildError
from rulespal_chat.folders import built_folder

NAME = "rulespal-minilm"
SHA256 = "dd69953f0b78258b926b1b603893bb917909479d18ea416924c7d62b7d54e415"
# The books that its training questions are on: it brings questions nearer to them than to others.
TRAINED_ON = frozenset({"epic-resort-villains-vacation", "evil-corp", "vast-the-fearsome-foes"})
MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
_UNFOLDED = 1  # raised when the unfolded file changes


def packaged_encoder() -> Path:
    """The folder with `MODEL_FILE` and `TOKENIZER_FILE`, as packaged."""
    return Path(__file__).parents[1] / "encoder"


def checksum(folder: Path) -> str:
    """The SHA-256 of the model in the folder, in hexadecimal.

    Raises:
        IndexBuildError: there is none.
    """
    try:
        with (folder / MODEL_FILE).open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        sentence = f"The encoder isn't in {folder}, where it should be"
        raise IndexBuildError(sentence, "pip install --force-reinstall rulespal-chat") from None


def verify(folder: Path) -> None:
    """Checks the model against the checksum of the one that was measured.

    Raises:
        IndexBuildError: they differ, or there is no model.
    """
    found = checksum(folder)
    if found != SHA256:
        sentence = f"The encoder {NAME} has the SHA-256 {found[:12]}…, not {SHA256[:12]}…"
        raise IndexBuildError(sentence, "pip install --force-reinstall rulespal-chat")


def unfolded_folder(home: Path) -> Path:
    """Where the unfolded model and its tokenizer lie, or will."""
    return home / "models" / f"{NAME}-{SHA256[:12]}-{_UNFOLDED}"


def unfold(home: Path) -> Path:
    """Verifies the packaged model and unfolds it, unless that was done before.

    Returns:
        The folder with `MODEL_FILE` and `TOKENIZER_FILE`.

    Raises:
        IndexBuildError: it is missing or wrong.
    """
    folder, packaged = unfolded_folder(home), packaged_encoder()
    if not folder.exists():
        verify(packaged)
        with built_folder(folder) as building:
            shutil.copyfile(packaged / TOKENIZER_FILE, building / TOKENIZER_FILE)
            _optimise(packaged / MODEL_FILE, building / MODEL_FILE)
    return folder


def _optimise(packaged: Path, unfolded: Path) -> None:
    """Computes what is constant, the matrices first of all, and fuses nodes."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.add_session_config_entry("session.disable_quant_qdq", "1")  # else they stay int8
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(unfolded)
    ort.InferenceSession(str(packaged), options, providers=["CPUExecutionProvider"])
