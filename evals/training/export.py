"""Writes a trained encoder for RulesPal: python evals/training/export.py WEIGHTS [FOLDER].

The graph goes from token ids to the unit vector of each text and to one of each token. Its big
matrices are kept as int8 with a scale for each row or column, a quarter of their size; RulesPal
unfolds them once on the player's machine, so that activations are never quantised.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
import warnings
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch.nn import functional
from transformers import AutoModel

from rulespal_chat.evaluation.minilm import packaged_model
from rulespal_chat.search import weights

OPSET = 17
LEAST = 100_000  # elements of a matrix that is worth quantising


class Graph(torch.nn.Module):
    """Mean pooling and normalisation on top of the transformer."""

    def __init__(self, transformer: torch.nn.Module) -> None:
        super().__init__()
        self.transformer = transformer

    def forward(
        self, input_ids: torch.Tensor, attention_mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Vectors (texts, size) and token vectors (texts, tokens, size)."""
        out = self.transformer(input_ids=input_ids, attention_mask=attention_mask)
        hidden, mask = out.last_hidden_state, attention_mask.unsqueeze(-1).float()
        pooled = (hidden * mask).sum(1) / mask.sum(1)
        return functional.normalize(pooled, dim=-1), functional.normalize(hidden, dim=-1)


def main() -> None:
    """Writes model.onnx and tokenizer.json, and says what their checksum is."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("weights", type=Path)
    parser.add_argument("folder", type=Path, nargs="?", default=weights.packaged_encoder())
    options = parser.parse_args()
    transformer = AutoModel.from_pretrained(str(packaged_model()), attn_implementation="eager")
    transformer.load_state_dict(torch.load(options.weights))
    options.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as plain:
        model = exported(Graph(transformer).eval(), Path(plain) / "plain.onnx")
    path = options.folder / weights.MODEL_FILE
    onnx.save(quantised(model), str(path))
    tokenizer = (packaged_model() / weights.TOKENIZER_FILE).read_bytes()
    (options.folder / weights.TOKENIZER_FILE).write_bytes(tokenizer)
    checksum = hashlib.sha256(path.read_bytes()).hexdigest()
    print(f"{path}: {path.stat().st_size / 1e6:.1f} MB, SHA-256 {checksum}")


def exported(graph: Graph, path: Path) -> onnx.ModelProto:
    """The graph in ONNX, for any number of texts and tokens."""
    names = ["input_ids", "attention_mask"]
    ids = torch.ones((2, 8), dtype=torch.int64)
    with warnings.catch_warnings(), torch.no_grad():
        # The exporter that needs no further package warns that it is the older one, and of
        # Python branches that this model takes the same way for every input.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            graph,
            (ids, torch.ones_like(ids)),
            str(path),
            input_names=names,
            output_names=["vectors", "tokens"],
            dynamic_axes={name: {0: "texts", 1: "tokens"} for name in (*names, "tokens")},
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
