"""The models that come with RulesPal: found in the package, verified, unfolded for use.

Both are all-MiniLM-L6-v2 (Reimers and Gurevych, https://arxiv.org/abs/1908.10084; Apache 2.0)
trained further by `evals/training`; what on, and how good they are, their MODEL_CARD.md say. The
package keeps their matrices as int8. They are unfolded to float32 once, by ONNX Runtime itself, so
that no question waits for it and no activation is ever quantised.
"""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.errors import IndexBuildError
from rulespal_chat.folders import built_folder

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MODEL_FILE = "model.onnx"
TOKENIZER_FILE = "tokenizer.json"
# The books that the questions of the encoder's training are on: it brings questions nearer to them.
TRAINED_ON = frozenset({"epic-resort-villains-vacation", "evil-corp", "vast-the-fearsome-foes"})
_PACKAGE = Path(__file__).parent
_UNFOLDED = 1  # raised when the unfolded files change


@dataclass(frozen=True, slots=True)
class Weights:
    """A model by its weights.

    Attributes:
        what: it is, for people.
        name: of the model.
        sha256: of its `MODEL_FILE`, in hexadecimal.
        folder: with that file, as packaged.
    """

    what: str
    name: str
    sha256: str
    folder: Path

    def checksum(self) -> str:
        """The SHA-256 of the file that is there, in hexadecimal.

        Raises:
            IndexBuildError: there is none.
        """
        try:
            with (self.folder / MODEL_FILE).open("rb") as file:
                return hashlib.file_digest(file, "sha256").hexdigest()
        except OSError:
            sentence = f"The {self.what} isn't in {self.folder}, where it should be"
            raise IndexBuildError(sentence, "pip install --force-reinstall rulespal-chat") from None

    def verify(self) -> None:
        """Checks the file against the checksum of the one that was measured.

        Raises:
            IndexBuildError: they differ, or there is no file.
        """
        found = self.checksum()
        if found != self.sha256:
            sentence = (
                f"The {self.what} {self.name} has the SHA-256 {found[:12]}…, "
                f"not {self.sha256[:12]}…"
            )
            raise IndexBuildError(sentence, "pip install --force-reinstall rulespal-chat")

    def unfolded_folder(self, home: Path) -> Path:
        """Where the unfolded model and its tokenizer lie, or will."""
        return home / "models" / f"{self.name}-{self.sha256[:12]}-{_UNFOLDED}"

    def unfold(self, home: Path) -> Path:
        """Verifies the packaged model and unfolds it, unless that was done before.

        Returns:
            The folder with `MODEL_FILE` and `TOKENIZER_FILE`.

        Raises:
            IndexBuildError: it is missing or wrong.
        """
        folder = self.unfolded_folder(home)
        if not folder.exists():
            self.verify()
            with built_folder(folder) as building:
                shutil.copyfile(ENCODER.folder / TOKENIZER_FILE, building / TOKENIZER_FILE)
                _optimise(self.folder / MODEL_FILE, building / MODEL_FILE)
        return folder


ENCODER = Weights(
    "encoder",
    "rulespal-minilm",
    "dd69953f0b78258b926b1b603893bb917909479d18ea416924c7d62b7d54e415",
    _PACKAGE / "encoder",
)
VERIFIER = Weights(
    "verifier",
    "rulespal-verifier",
    "99d3faa065c5acd364ad7c0a6b3407fa06e3df12829af4acec71151cf21b0503",
    _PACKAGE / "verifier",
)


def opened(folder: Path, what: str) -> tuple[InferenceSession, Tokenizer]:
    """A session and the tokenizer of a model that was unfolded to a folder.

    Raises:
        IndexBuildError: the files are missing or broken.
    """
    import onnxruntime as ort
    from tokenizers import Tokenizer

    options = ort.SessionOptions()
    options.log_severity_level = 3
    # The file was optimised when it was unfolded.
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.enable_cpu_mem_arena = False  # a question is short, a pool of memory isn't
    model, tokenizer = (str(folder / name) for name in (MODEL_FILE, TOKENIZER_FILE))
    try:
        session = ort.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        return session, Tokenizer.from_file(tokenizer)
    except Exception as error:  # both libraries have errors of their own
        sentence = f"The {what} in {folder} is broken ({type(error).__name__})"
        raise IndexBuildError(sentence, "rulespal index --rebuild") from None


def _optimise(packaged: Path, unfolded: Path) -> None:
    """Computes what is constant, the matrices first of all, and fuses nodes."""
    import onnxruntime as ort

    options = ort.SessionOptions()
    options.log_severity_level = 3
    options.add_session_config_entry("session.disable_quant_qdq", "1")  # else they stay int8
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_ENABLE_EXTENDED
    options.optimized_model_filepath = str(unfolded)
    ort.InferenceSession(str(packaged), options, providers=["CPUExecutionProvider"])
