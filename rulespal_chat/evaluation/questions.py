"""Reading question files: one JSON object a line, each a question with its gold answer.

evals/README.md describes the fields. What can't be used becomes a problem with its file, line and
field, and the rest is kept.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pydantic import ValidationError

from rulespal_chat.corpus.text import one_line
from rulespal_chat.evaluation.model import EvalQuestion, QuestionProblem
from rulespal_chat.evaluation.question_form import QuestionForm

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from pathlib import Path
    from typing import BinaryIO

LONGEST_LINE = 65_536  # bytes
_WRONG = {
    "missing": "it is missing",
    "extra_forbidden": "a question has no such field",
    "string_type": "it isn't a text",
    "string_too_long": "it is longer than {max_length} characters",
    "list_type": "it isn't a list",
    "dict_type": "it isn't an object with fields",
    "model_type": "it isn't an object with fields",
    "too_short": "it is empty",
    "literal_error": "it isn't {expected}",
}  # by pydantic's types of errors
_SHOWN = 60


def read_questions(
    paths: Iterable[Path],
) -> tuple[tuple[EvalQuestion, ...], tuple[QuestionProblem, ...]]:
    """Reads question files.

    Args:
        paths: of files with a question a line, in UTF-8. An id counts for all of them.

    Returns:
        The questions in the order of files and lines, and what could not be used. Nothing is
        raised: a file that can't be read is a problem, too.
    """
    questions: dict[str, EvalQuestion] = {}
    problems: list[QuestionProblem] = []
    for path in paths:
        for read in _read_file(path):
            if isinstance(read, QuestionProblem):
                problems.append(read)
            elif (earlier := questions.setdefault(read.id, read)) is not read:
                problem = f"'{read.id}' is that of {earlier.file}, line {earlier.line}"
                problems.append(QuestionProblem(read.file, read.line, "id", problem))
    return tuple(questions.values()), tuple(problems)


def _read_file(path: Path) -> Iterator[EvalQuestion | QuestionProblem]:
    """Every question of a file, and every problem in its place."""
    file, number = str(path), 0
    try:
        with path.open("rb") as opened:
            for number, line in enumerate(_lines(opened), start=1):
                yield from _read_line(line, file, number)
    except OSError as error:
        yield QuestionProblem(file, 0, "", f"it can't be read: {error.strerror or error}")
        return
    if number == 0:
        yield QuestionProblem(file, 0, "", "it has no questions")


def _lines(opened: BinaryIO) -> Iterator[bytes]:
    """The lines of a file; of one that is too long only the beginning is kept in memory."""
    while line := opened.readline(LONGEST_LINE + 1):
        yield line
        while line and not line.endswith(b"\n"):
            line = opened.readline(LONGEST_LINE)


def _read_line(line: bytes, file: str, number: int) -> Iterator[EvalQuestion | QuestionProblem]:
    try:
        form = QuestionForm.model_validate_json(_text(line, is_first=number == 1))
    except _LineError as error:
        yield QuestionProblem(file, number, "", str(error))
    except ValidationError as error:
        for field, problem in _faults(error):
            yield QuestionProblem(file, number, field, problem)
    else:
        yield replace(form.evaluated, file=file, line=number)


class _LineError(Exception):
    """A line that can't be JSON."""


def _text(line: bytes, *, is_first: bool) -> str:
    """A line as text, without the mark of the byte order that some editors begin a file with."""
    if len(line) > LONGEST_LINE:
        raise _LineError(f"it is longer than {LONGEST_LINE:,} bytes")
    try:
        text = line.decode("utf-8-sig" if is_first else "utf-8")
    except UnicodeDecodeError as error:
        raise _LineError(f"it isn't UTF-8 at byte {error.start + 1}") from None
    if not text.strip():
        raise _LineError("it is blank")
    return text


def _faults(error: ValidationError) -> Iterator[tuple[str, str]]:
    """The field and what is wrong with it, for all that is wrong with a line."""
    for fault in error.errors(include_url=False):
        field = one_line(".".join(map(str, fault["loc"])))[:_SHOWN]
        yield field, _sentence(fault)


def _sentence(fault: Mapping[str, Any]) -> str:
    context = fault.get("ctx", {})
    if fault["type"] == "json_invalid":
        reason = re.sub(r" at line 1 column (\d+)$", r" at character \1", str(context["error"]))
        return f"it isn't JSON: {reason}"
    known = _WRONG.get(fault["type"])
    return known.format(**context) if known else one_line(str(fault["msg"]))
