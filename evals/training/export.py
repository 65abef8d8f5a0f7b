"""Writes a trained model for RulesPal: python evals/training/export.py encoder|verifier WEIGHTS.

The encoder's graph goes from token ids to the unit vector of each text and to one of each token,
the verifier's from those of evidence and sentence to a logit. The big matrices are kept as int8
with a scale for each row or column, a quarter of their size; RulesPal unfolds them once on the
player's machine, so that activations are never quantised.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch.nn import functional
from transformers import AutoModel
from verify import Verifier

from rulespal_chat import weights
from rulespal_chat.evaluation.minilm import packaged_model

if TYPE_CHECKING:
    from collections.abc import Callable

OPSET = 17
LEAST = 100_000  # elements of a matrix that is worth quantising


class EncoderGraph(torch.nn.Module):
    """Mean pooling and normalisation on top of the transformer."""

    inputs = ("input_ids", "attention_mask")
    outputs: ClassVar = {"vectors": ("texts",), "tokens": ("texts", "tokens")}

    def __init__(self, trained: Path) -> None:
        super().__init__()
        folder = str(packaged_model())
        self.transformer = AutoModel.from_pretrained(folder, attn_implementation="eager")
        self.transformer.load_state_dict(torch.load(trained))

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Vectors (texts, size) and token vectors (texts, tokens, size)."""
        out = self.transformer(input_ids=input_ids, attention_mask=attention_mask)
        hidden, mask = out.last_hidden_state, attention_mask.unsqueeze(-1).float()
        pooled = (hidden * mask).sum(1) / mask.sum(1)
        return functional.normalize(pooled, dim=-1), functional.normalize(hidden, dim=-1)


class VerifierGraph(torch.nn.Module):
    """The verifier from token ids on."""

    inputs = ("input_ids", "attention_mask", "token_type_ids")
    outputs: ClassVar = {"logits": ("texts",)}

    def __init__(self, trained: Path) -> None:
        super().__init__()
        self.verifier = Verifier()
        self.verifier.load_state_dict(torch.load(trained))

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor, token_type_ids: torch.Tensor
    ) -> torch.Tensor:
        """Logits (texts,)."""
        out = self.verifier.transformer(
            input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
        )
        return self.verifier.logits(out.last_hidden_state, attention_mask)


Graph = EncoderGraph | VerifierGraph
MODELS: dict[str, tuple[Callable[[Path], Graph], weights.Weights]] = {
    "encoder": (EncoderGraph, weights.ENCODER),
    "verifier": (VerifierGraph, weights.VERIFIER),
}


def main() -> None:
    """Writes model.onnx and says what its checksum is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", choices=MODELS)
    parser.add_argument("weights", type=Path)
    options = parser.parse_args()
    graph, known = MODELS[options.model]
    known.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as plain:
        model = exported(graph(options.weights).eval(), Path(plain) / "plain.onnx")
    path = known.folder / weights.MODEL_FILE
    onnx.save(quantised(model), str(path))
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, SHA-256 {checksum}")


def exported(graph: Graph, path: Path) -> onnx.ModelProto:
    """The graph in ONNX, for any number of texts and tokens."""
    ids = torch.ones((2, 8), dtype=torch.int64)
    axes = dict.fromkeys(graph.inputs, ("texts", "tokens")) | graph.outputs
    with warnings.catch_warnings(), torch.no_grad():
        # The exporter that needs no further package warns that it is the older one, and of
        # Python branches that this model takes the same way for every input.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            graph,
            (ids,) * len(graph.inputs),
            str(path),
            input_names=list(graph.inputs),
            output_names=list(graph.outputs),
            dynamic_axes={name: dict(enumerate(sizes)) for name, sizes in axes.items()},
            opset_version=OPSET,
            dynamo=False,
        )
    return onnx.load(str(path))


def quantised(model: onnx.ModelProto) -> onnx.ModelProto:
    """The model with its big matrices as int8, unfolded by a node each."""
    big = [i for i in model.graph.initializer if np.prod(i.dims) >= LEAST and len(i.dims) == 2]
    nodes = []
    for initializer in big:
        matrix = numpy_helper.to_array(initializer)
        axis = 0 if matrix.shape[0] > matrix.shape[1] * 4 else 1  # a row of embeddings each
        scale = np.abs(matrix).max(axis=1 - axis).astype(np.float32) / 127
        scale[scale == 0] = 1.0
        shape = (-1, 1) if axis == 0 else (1, -1)
        whole = np.clip(np.round(matrix / scale.reshape(shape)), -127, 127).astype(np.int8)
        name = initializer.name
        model.graph.initializer.remove(initializer)
        model.graph.initializer.extend(
            [
                numpy_helper.from_array(whole, f"{name}_int8"),
                numpy_helper.from_array(scale, f"{name}_scale"),
                numpy_helper.from_array(np.zeros_like(scale, dtype=np.int8), f"{name}_zero"),
            ]
        )
        inputs = [f"{name}_int8", f"{name}_scale", f"{name}_zero"]
        nodes.append(helper.make_node("DequantizeLinear", inputs, [name], axis=axis))
    for node in reversed(nodes):
        model.graph.node.insert(0, node)
    onnx.checker.check_model(model)
    return model


if __name__ == "__main__":
    main()
