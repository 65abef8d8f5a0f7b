"""The report's tables of figures, and how a value is written."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulespal_chat.evaluation.comparing import correct_by_kind

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulespal_chat.evaluation.model import Figure, Run

ALL = "all"
PRODUCT = "product"  # what baselines are compared with
TIME = "latency"
STEP = re.compile(rf"{TIME}_\w+_")  # begins the names of the times of single steps
LESS_IS_BETTER = frozenset(
    "wrongly_refused wrongly_answered agreed_wrongly quotes_not_verbatim false_alarms false_passes"
    f" {TIME}_p50 {TIME}_p95 {TIME}_max".split()
)
NEITHER = {"words"}


@dataclass(frozen=True, slots=True)
class Line:
    """A figure of one part, in a table."""

    label: str
    value: str
    interval: str
    n: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A value in the table of baselines; whether none is better."""

    value: str
    wins: bool


@dataclass(frozen=True, slots=True)
class Contest:
    """A metric in the table of baselines: a cell for each system, in the order of the names."""

    label: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Baselines:
    """The table of baselines; the run itself comes first, then `pairs` tell each against it."""

    names: tuple[str, ...]
    lines: tuple[Contest, ...]
    kinds: tuple[Contest, ...]
    pairs: tuple[str, ...]


def value_text(name: str, value: float) -> str:
    """A value as people read it: milliseconds, words, or a share with two places."""
    if name.startswith(TIME):
        return f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"
    return f"{value:.0f}" if name == "words" else f"{value:.2f}"


def interval(figure: Figure) -> str:
    """A figure's interval, with the unit said once."""
    low, high = value_text(figure.name, figure.low), value_text(figure.name, figure.high)
    return f"{low.removesuffix(' ms')} to {high}"


def baselines(run: Run) -> Baselines | None:
    """A line for each metric that at least two systems have."""
    others = run.config.get("baselines") or ()
    if not others:
        return None
    own = {f.name: f.value for f in run.figures if f.of == ALL}
    right = correct_by_kind(run.figures)
    names = (PRODUCT, *(str(other["name"]) for other in others))
    lines = _metrics([own, *(other["figures"] for other in others)])
    kinds = _kinds([right, *(other.get("correct_by_kind") or {} for other in others)])
    return Baselines(names, lines, kinds, tuple(_pair(o) for o in others if "p" in o))


def _pair(other: Mapping[str, Any]) -> str:
    return (
        f"{other['name']}: right where {PRODUCT} isn't {other['right_only_here']} times, the other "
        f"way round {other['right_only_product']} times; exact McNemar test: p = {other['p']:.3g}."
    )


def _metrics(systems: Sequence[Mapping[str, float]]) -> tuple[Contest, ...]:
    told = (name for name in _shared(systems) if not STEP.match(name))
    return tuple(_contest(label(m), m, [values.get(m) for values in systems]) for m in told)


def _kinds(systems: Sequence[Mapping[str, float]]) -> tuple[Contest, ...]:
    """Of each kind, whatever its name, the share of right answers."""
    kinds = _shared(systems)
    return tuple(_contest(k, "correct", [values.get(k) for values in systems]) for k in kinds)


def _shared(systems: Sequence[Mapping[str, float]]) -> list[str]:
    """The names that at least two have."""
    names = dict.fromkeys(name for values in systems for name in values)
    return [name for name in names if sum(name in values for values in systems) > 1]


def _contest(name: str, metric: str, values: Sequence[float | None]) -> Contest:
    there = [value for value in values if value is not None]
    is_less = metric in LESS_IS_BETTER
    best = value_text(metric, min(there) if is_less else max(there))
    texts = ["" if value is None else value_text(metric, value) for value in values]
    is_contest = metric not in NEITHER and len(set(texts) - {""}) > 1
    cells = tuple(Cell(text, is_contest and text == best) for text in texts)
    return Contest(name, cells)


def label(metric: str) -> str:
    """A metric's name in words."""
    return metric.replace("_", " ")


def parts(figures: Iterable[Figure]) -> list[tuple[str, list[Line]]]:
    """The figures of each part, in the order in which the parts first come."""
    found: dict[str, list[Line]] = {}
    for f in figures:
        line = Line(label(f.name), value_text(f.name, f.value), interval(f), f.n)
        found.setdefault(f.of, []).append(line)
    return list(found.items())
