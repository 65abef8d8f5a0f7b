"""A run against an earlier one, question by question, and the file that keeps an earlier one."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from rulespal_chat.errors import EvaluationError
from rulespal_chat.evaluation.model import SCHEMA, Comparison, Difference

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from pathlib import Path

    from rulespal_chat.evaluation.model import Figure, Row, Run

KIND = "kind: "  # begins the name of the part that holds the questions of a kind
_CHANCE = 0.5  # of a question that differs to differ either way, if both runs are as good
_MEND = "rulespal eval --save-baseline FILE"


class EarlierRow(BaseModel):
    """A question of an earlier run: whether its answer was right, and what it was.

    It is read from a baseline, and as well from a run's JSON, where `correct` is among the scores.
    """

    model_config = ConfigDict(frozen=True)

    id: str
    correct: bool
    status: str
    text: str

    @model_validator(mode="before")
    @classmethod
    def _from_run(cls, fields: Any) -> Any:  # noqa: ANN401  (whatever the file holds)
        if not isinstance(fields, dict) or "correct" in fields:
            return fields
        scores = fields.get("scores")
        return {**fields, **scores} if isinstance(scores, dict) else fields


class Earlier(BaseModel):
    """An earlier run.

    Attributes:
        rows: its questions.
        accepted: ids of questions that may be answered wrongly.
    """

    model_config = ConfigDict(frozen=True)

    rows: tuple[EarlierRow, ...] = Field(min_length=1)
    accepted: tuple[str, ...] = ()


def baseline(run: Run, accepted: Iterable[str] = ()) -> dict[str, Any]:
    """A run as a baseline file keeps it: what is compared, and nothing that changes by the clock.

    Args:
        run: the run.
        accepted: ids of questions that may be answered wrongly.
    """
    return {
        "schema": SCHEMA,
        "config": {k: v for k, v in run.config.items() if k != "baselines"},
        "figures": {
            f.name: round(f.value, 4)
            for f in run.figures
            if f.of == "all" and not f.name.startswith("latency")
        },
        "accepted": sorted(accepted),
        "rows": [
            {"id": r.question.id, "correct": is_correct(r), "status": r.status, "text": r.text}
            for r in run.rows
        ],
    }


def read_earlier(path: Path) -> Earlier:
    """Reads a baseline, or a run's JSON.

    Raises:
        EvaluationError: it is neither.
        OSError: it can't be read.
    """
    try:
        return Earlier.model_validate(json.loads(path.read_text(encoding="utf-8")))
    except ValidationError as error:
        first = error.errors()[0]
        field = ".".join(map(str, first["loc"])) or "the whole"
        what = f"{path} is no baseline: {field}: {first['msg']}"
        raise EvaluationError(what, _MEND) from None
    except (ValueError, RecursionError):  # no UTF-8, no JSON
        raise EvaluationError(f"{path} is no baseline, as it isn't JSON", _MEND) from None


def compare(rows: Sequence[Row], earlier: Earlier) -> Comparison:
    """What got better and worse, with the exact McNemar test.

    Only the questions that both runs have count; p is two-sided and says how likely a difference
    as uneven is if both are as good (McNemar, "Note on the sampling error of the difference
    between correlated proportions or percentages", 1947; exact by the binomial distribution).
    """
    before = {row.id: row for row in earlier.rows}
    both = [(row, before[row.question.id]) for row in rows if row.question.id in before]
    better = tuple(_difference(r, b) for r, b in both if is_correct(r) and not b.correct)
    worse = tuple(_difference(r, b) for r, b in both if b.correct and not is_correct(r))
    now = {row.question.id for row in rows}
    return Comparison(
        better=better,
        worse=worse,
        p=mcnemar(len(better), len(worse)),
        only_now=tuple(r.question.id for r in rows if r.question.id not in before),
        only_before=tuple(name for name in before if name not in now),
        lost=tuple(d.id for d in worse if d.id not in earlier.accepted),
    )


def against(name: str, rows: Sequence[Row], product: Sequence[Row]) -> dict[str, Any]:
    """An entry of `Run.config["baselines"]`: figures over all rows, and where each side wins.

    Args:
        name: of what was asked.
        rows: its answers.
        product: the answers to the same questions that it is compared with.
    """
    from rulespal_chat.evaluation.metrics import figures

    found = figures(rows)
    pairs = [(is_correct(r), is_correct(p)) for r, p in zip(rows, product, strict=True)]
    here, there = pairs.count((True, False)), pairs.count((False, True))
    return {
        "name": name,
        "figures": {f.name: f.value for f in found if f.of == "all"},
        "correct_by_kind": correct_by_kind(found),
        "right_only_here": here,
        "right_only_product": there,
        "p": mcnemar(here, there),
    }


def correct_by_kind(figures: Iterable[Figure]) -> dict[str, float]:
    """The share of right answers, 0 to 1, of each kind of question."""
    kinds = (f for f in figures if f.name == "correct" and f.of.startswith(KIND))
    return {f.of.removeprefix(KIND): f.value for f in kinds}


def mcnemar(better: int, worse: int) -> float:
    """The two-sided p, 0 to 1, of the exact McNemar test; 1 if nothing differs."""
    if not better + worse:
        return 1.0
    from scipy.stats import binomtest

    return float(binomtest(better, better + worse, _CHANCE).pvalue)


def is_correct(row: Row) -> bool:
    """Whether the answer is right."""
    return bool(row.scores.get("correct"))


def _difference(row: Row, earlier: EarlierRow) -> Difference:
    was, now = f"{earlier.status}: {earlier.text}", f"{row.status}: {row.text}"
    return Difference(row.question.id, row.question.question, was, now)
