"""The values of an evaluation, in the order in which they come about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rulespal_chat.rules.expressions import Value

SCHEMA = 1
# How an answer may be right about there being none.
SILENT = frozenset({"not_in_rulebook", "out_of_scope"})
NO_ANSWER = frozenset({"unanswerable", "out_of_scope"})  # kinds of question


@dataclass(frozen=True, slots=True)
class Place:
    """A section of a book."""

    game: str
    section: str


@dataclass(frozen=True, slots=True)
class Numeric:
    """What a rule gives for a question.

    Attributes:
        rule, output: what computes it.
        inputs: all that it needs; for a question backwards also the output that is told.
        result: the value; for a question backwards that of the input asked for.
        inverse: the input that is asked for; empty for a question forwards.
        pick: "min" or "max" where the least or most of several is asked for.
        possible: all values that may come out, where the question leaves it open.
    """

    rule: str
    output: str
    inputs: Mapping[str, Value]
    result: Value | None
    inverse: str = ""
    pick: str = ""
    possible: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class EvalQuestion:
    """A question with its gold answer; evals/README.md describes each field.

    Attributes:
        turns: what was asked before in the same chat.
        statuses: those that a right answer may have.
        must_include: of each group, the answer's text has one alternative.
        must_not_include: what only a wrong answer has.
        sections: each enough by itself; sections_all: needed together.
        numeric: what rules give; several where several values are asked for.
        line: in the file, for messages.
    """

    id: str
    question: str
    answer: str
    kind: str
    game: str | None = None
    role: str | None = None
    difficulty: str = "medium"
    group: str = ""
    split: str = "test"
    statuses: tuple[str, ...] = ("answered",)
    must_include: tuple[tuple[str, ...], ...] = ()
    must_not_include: tuple[str, ...] = ()
    sections: tuple[Place, ...] = ()
    sections_all: tuple[Place, ...] = ()
    related_sections: tuple[Place, ...] = ()
    numeric: tuple[Numeric, ...] = ()
    turns: tuple[str, ...] = ()
    alt_correct: str = ""
    wrong_example: str = ""
    file: str = ""
    line: int = 0

    @property
    def has_answer(self) -> bool:
        """Whether the books answer it."""
        return self.kind not in NO_ANSWER


@dataclass(frozen=True, slots=True)
class QuestionProblem:
    """A line of a question file that can't be used, or a question that isn't sound.

    Attributes:
        file, line: where; line 0 for the whole file.
        field: which field, empty for the whole line.
        problem: a sentence.
    """

    file: str
    line: int
    field: str
    problem: str

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else ""
        place = ", ".join(part for part in (self.file, line, self.field) if part)
        return f"{place}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Row:
    """A question that was asked.

    Attributes:
        question: with its gold.
        answer: the answer as the JSON contract has it (`Answer.as_dict`).
        scores: by name; None where a score doesn't apply. See `scoring.SCORES`.
    """

    question: EvalQuestion
    answer: Mapping[str, Any]
    scores: Mapping[str, float | None]

    @property
    def text(self) -> str:
        """The answer's text."""
        return str(self.answer["text"])

    @property
    def status(self) -> str:
        """The answer's status."""
        return str(self.answer["status"])

    def as_dict(self) -> dict[str, Any]:
        """The row as a run's JSON has it: the answer's contract, plus id and scores."""
        return {**self.answer, "id": self.question.id, "scores": dict(self.scores)}


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value.

    Attributes:
        name: of the metric.
        of: what part it is of: "all", "book: evil-corp", "kind: numeric", "role: The Ghost", …
        value: the mean over n rows; NaN never: a figure without rows isn't made.
        low, high: a 95 % bootstrap interval.
        n: the rows behind it.
    """

    name: str
    of: str
    value: float
    low: float
    high: float
    n: int


@dataclass(frozen=True, slots=True)
class Run:
    """A whole evaluation.

    Attributes:
        config: what was asked of what: writer, retriever, split, files, limit.
        environment: versions, processor, date: what may explain a difference.
        rows: in the order of the questions.
        figures: over all rows and by book, kind, role and difficulty.
        problems: what could not be used.
        is_complete: whether all questions were asked.
    """

    config: Mapping[str, Any]
    environment: Mapping[str, Any]
    rows: tuple[Row, ...]
    figures: tuple[Figure, ...]
    problems: tuple[QuestionProblem, ...] = ()
    is_complete: bool = True

    def as_dict(self) -> dict[str, Any]:
        """The run as JSON: schema, config, environment, summary, rows."""
        summary: dict[str, dict[str, Any]] = {}
        for f in self.figures:
            entry = {"value": f.value, "low": f.low, "high": f.high, "n": f.n}
            summary.setdefault(f.of, {})[f.name] = entry
        return {
            "schema": SCHEMA,
            "config": dict(self.config),
            "environment": dict(self.environment),
            "complete": self.is_complete,
            "summary": summary,
            "rows": [row.as_dict() for row in self.rows],
        }


@dataclass(frozen=True, slots=True)
class Difference:
    """A question whose answer got better or worse against a baseline."""

    id: str
    question: str
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Comparison:
    """A run against an earlier one.

    Attributes:
        better, worse: the questions answered right only now, and right only before.
        p: of the exact McNemar test that both are as good, 1 if nothing differs.
        only_now, only_before: ids without a counterpart.
        lost: ids newly wrong that the baseline doesn't accept.
    """

    better: tuple[Difference, ...]
    worse: tuple[Difference, ...]
    p: float
    only_now: tuple[str, ...] = ()
    only_before: tuple[str, ...] = ()
    lost: tuple[str, ...] = field(default=())
