"""What an evaluation needs before it begins: a choice, question files, packages, folders."""

from __future__ import annotations

from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.errors import EvaluationError, ModelSetupError
from rulespal_chat.types import QUOTES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulespal_chat.evaluation.model import EvalQuestion

PACKAGES = ("ir_measures", "scipy")  # of the extra "eval", as they are imported
REPORT_PACKAGES = ("jinja2", "matplotlib")


class Split(StrEnum):
    """Which half of the questions is asked."""

    TUNE = "tune"
    TEST = "test"
    ALL = "all"


class Retriever(StrEnum):
    """What is asked: the product, something to compare it with, or all of them."""

    PRODUCT = "product"
    RECIPE = "recipe"
    BM25 = "bm25"
    DENSE = "dense"
    ALL = "all"

    @property
    def first(self) -> Retriever:
        """What the rows of a run are of; with all, the others are only compared with it."""
        return Retriever.PRODUCT if self is Retriever.ALL else self


def model_of(writer: str) -> str:
    """The chat model that a writer names, "quotes" for none.

    Raises:
        ModelSetupError: it is neither "quotes" nor "model:PROVIDER:NAME".
    """
    kind, _, name = writer.partition(":")
    if writer == QUOTES:
        return QUOTES
    if kind != "model" or not name:
        raise ModelSetupError(
            f"The writer '{writer}' is neither quotes nor model:PROVIDER:NAME",
            "rulespal eval --writer model:ollama:llama3.2",
        )
    return name


def packaged_questions() -> Path:
    """The folder of the question files that come with a checkout; an installation has none."""
    return Path(__file__).parents[2] / "evals" / "questions"


def question_files(named: Sequence[Path]) -> Iterator[Path]:
    """The files that are named, those of a folder by their names; if none is, the packaged ones.

    Raises:
        EvaluationError: there are none.
    """
    for path in named or (packaged_questions(),):
        if not path.exists():
            raise EvaluationError(
                "This installation came without questions", "rulespal eval --questions FILE"
            )
        found = sorted(path.glob("*.jsonl")) if path.is_dir() else [path]
        if not found:
            raise EvaluationError(
                f"The folder {path} has no *.jsonl", "rulespal eval --questions FILE"
            )
        yield from found


def of_split(
    questions: Iterable[EvalQuestion], split: Split, limit: int | None = None
) -> tuple[EvalQuestion, ...]:
    """The questions of a split, at most `limit`.

    Raises:
        EvaluationError: there is none.
    """
    read = tuple(questions)
    chosen = tuple(question for question in read if split in {Split.ALL, question.split})
    if chosen:
        return chosen[:limit]
    if read:
        raise EvaluationError(f"No question is of the {split} split", "rulespal eval --split all")
    raise EvaluationError("There is no question to ask", "rulespal eval --lint")


def check_packages(names: Iterable[str]) -> None:
    """Looks for packages without importing them.

    Raises:
        EvaluationError: one isn't installed.
    """
    missing = [name.replace("_", "-") for name in names if find_spec(name) is None]
    if missing:
        raise EvaluationError(
            f"An evaluation needs {' and '.join(missing)}, which the extra 'eval' brings",
            "pip install 'rulespal-chat[eval]'",
        )


def check_folders(paths: Iterable[Path]) -> None:
    """Looks, before minutes are spent, whether files can be written.

    Raises:
        EvaluationError: the folder of one isn't there.
    """
    for path in paths:
        if not path.parent.is_dir():
            raise EvaluationError(
                f"{path} can't be written, as its folder isn't there", f"mkdir -p {path.parent}"
            )
