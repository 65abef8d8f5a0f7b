"""A run on a terminal of 80 columns: figures, baselines, what changed, instructive failures."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from rulespal_chat.corpus.text import one_line
from rulespal_chat.evaluation.comparing import correct_by_kind, is_correct
from rulespal_chat.evaluation.model import SILENT

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rulespal_chat.evaluation.model import Comparison, Difference, Figure, Row, Run

WIDTH = 80
FAILURES = 10
_TIME = "latency_"  # begins a figure's name: latency_p50, and latency_STEP_p50 of a step
_LONGEST = 230  # characters of a text: three lines
_PARTS = ("book", "kind", "role", "difficulty")
_OF_PARTS = ("hit@1", "hit@5", "correct")
_LEAST = {"words", "wrongly_answered", "wrongly_refused", "latency_p50"}  # less is better
_COMPARED = ("hit@1", "hit@3", "hit@5", "all_gold@5", "mrr@10", "correct", *sorted(_LEAST))
_STATISTICS = ("p50", "p95", "max")
_DIFFICULTIES = ("easy", "medium", "hard")
_WHY = (
    "the section was found, the answer is wrong",
    "refused, though the book answers",
    "answered, though the book doesn't",
    "the section wasn't found",
)


def summary(run: Run, comparison: Comparison | None = None) -> str:
    """All of it as lines of up to 80 characters."""
    blocks = [
        _overall(run),
        _times(run),
        _parts(run.figures),
        _baselines(run),
        _failures(run.rows),
        _changes(comparison) if comparison else (),
    ]
    return "\n\n".join(filter(None, ("\n".join(block) for block in blocks)))


def failures(rows: Iterable[Row], most: int = FAILURES) -> tuple[tuple[Row, str], ...]:
    """The most instructive failures, each with what went wrong.

    First those where the right section was found, for there the writer errs; then silence that is
    wrong, answers where there are none, and what wasn't found. Of each, the easy ones first.
    """
    wrong = [(row, _went_wrong(row)) for row in rows if not is_correct(row)]
    wrong.sort(key=lambda pair: (pair[1], _difficulty(pair[0])))
    return tuple((row, _WHY[why]) for row, why in wrong[:most])


def _went_wrong(row: Row) -> int:
    """The place in `_WHY` of what went wrong."""
    if not row.question.has_answer:
        return 2
    if row.status in SILENT:
        return 1
    return 3 if row.scores.get("hit@5") == 0 else 0


def _difficulty(row: Row) -> int:
    named = row.question.difficulty
    return _DIFFICULTIES.index(named) if named in _DIFFICULTIES else len(_DIFFICULTIES)


def _overall(run: Run) -> Iterator[str]:
    asked = f"{run.config['retriever']}, split {run.config['split']}: "
    asked += f"{len(run.rows)} {_plural(len(run.rows))}"
    yield asked if run.is_complete else f"{asked}; interrupted, the rest wasn't asked"
    yield ""
    yield f"{'':40}{'value':>9}  {'95 % interval':>16}{'n':>7}"
    for f in run.figures:
        if f.of == "all" and not f.name.startswith(_TIME):
            yield f"{f.name:40}{_number(f.value):>9}  {_interval(f):>16}{f.n:>7}"
    quotes = sum(len(row.answer["citations"]) for row in run.rows)
    bad = sum(int(row.scores.get("quotes_not_verbatim") or 0) for row in run.rows)
    yield f"{'quotes not verbatim, of all quotes':40}{bad:>9}  {'':16}{quotes:>7}"


def _times(run: Run) -> Iterator[str]:
    """Milliseconds of each step, and of a whole process."""
    steps: dict[str, dict[str, float]] = {}
    for f in run.figures:
        if f.of == "all" and f.name.startswith(_TIME):
            step, _, statistic = f.name.removeprefix(_TIME).rpartition("_")
            steps.setdefault(step or "answer", {})[statistic] = f.value
    if steps:
        yield f"{'milliseconds':24}" + "".join(f"{name:>9}" for name in _STATISTICS)
    for step, got in steps.items():
        values = (f"{got[name]:.1f}" if name in got else "" for name in _STATISTICS)
        yield (f"{_cut(step, 24):24}" + "".join(f"{value:>9}" for value in values)).rstrip()
    if cold := run.environment.get("cold_start_ms"):
        yield f"{'cold start':24}{cold:>9.0f}"


def _interval(figure: Figure) -> str:
    return f"{_number(figure.low)} – {_number(figure.high)}"


def _number(value: float) -> str:
    return f"{value:.2f}" if abs(value) < 10 else f"{value:.0f}"


def _parts(figures: Sequence[Figure]) -> Iterator[str]:
    """A line for each book, kind, role and difficulty."""
    by_part: dict[str, dict[str, Figure]] = {}
    for f in figures:
        by_part.setdefault(f.of, {})[f.name] = f
    parts = [of for part in _PARTS for of in by_part if of.startswith(f"{part}: ")]
    if not parts:
        return
    yield f"{'':47}" + "".join(f"{name:>9}" for name in _OF_PARTS) + f"{'n':>6}"
    for of in parts:
        got = by_part[of]
        values = (_number(got[n].value) if n in got else "" for n in _OF_PARTS)
        n = max((figure.n for figure in got.values()), default=0)
        yield f"{_cut(of, 47):47}" + "".join(f"{v:>9}" for v in values) + f"{n:>6}"


def _baselines(run: Run) -> Iterator[str]:
    """A column for the product and for each baseline, the best value of each line starred."""
    others = run.config.get("baselines") or ()
    if not others:
        return
    entries = [_product(run), *others]
    yield _columns("", [entry["name"] for entry in entries])
    for name in _COMPARED:
        values = [entry["figures"].get(name) for entry in entries]
        yield from _compared(name, values, name in _LEAST)
    for kind in entries[0]["correct_by_kind"]:
        values = [entry["correct_by_kind"].get(kind) for entry in entries]
        yield from _compared(f"correct, {kind}", values)
    for name in ("right_only_here", "right_only_product"):
        yield _columns(name.replace("_", " "), ["", *(f"{entry[name]} " for entry in others)])
    yield _columns("exact McNemar p", ["", *(f"{entry['p']:.2g} " for entry in others)])
    yield "The best is starred. A baseline's answer is all the text that it found, so that it"
    yield "passes a check more easily than an answer that somebody wants to read."


def _product(run: Run) -> dict[str, Any]:
    return {
        "name": "product",
        "figures": {f.name: f.value for f in run.figures if f.of == "all"},
        "correct_by_kind": correct_by_kind(run.figures),
    }


def _compared(name: str, values: Sequence[float | None], less: bool = False) -> Iterator[str]:
    known = [value for value in values if value is not None]
    if known:
        best = min(known) if less else max(known)
        shown = [
            ""
            if v is None
            else f"{_number(v)}{'*' if v == best and min(known) < max(known) else ' '}"
            for v in values
        ]
        yield _columns(name, shown)


def _columns(name: str, values: Iterable[str]) -> str:
    return f"{_cut(name, 32):32}" + "".join(f"{value:>12}" for value in values).rstrip()


def _failures(rows: Sequence[Row]) -> Iterator[str]:
    wrong = sum(not is_correct(row) for row in rows)
    if not wrong:
        return
    chosen = failures(rows)
    yield f"Wrong: {wrong}. " + ("All of them:" if len(chosen) == wrong else "Instructive ones:")
    for row, why in chosen:
        question = row.question
        yield ""
        yield from _wrapped(f"{question.id}, {question.kind}, {question.difficulty}: {why}", 0)
        yield from _wrapped(f"asked  {' / '.join((*question.turns, question.question))}")
        yield from _wrapped(f"gold   {question.answer}")
        places = (*question.sections_all, *question.sections)
        if places:
            yield from _wrapped(f"in     {'; '.join(place.section for place in places)}")
        yield from _wrapped(f"got    {row.status}: {row.text}")


def _changes(comparison: Comparison) -> Iterator[str]:
    better, worse = comparison.better, comparison.worse
    yield (
        f"Against the baseline: {len(better)} better, {len(worse)} worse "
        f"(exact McNemar p = {comparison.p:.2g})"
    )
    news = [(comparison.only_now, "new"), (comparison.only_before, "of the baseline not asked")]
    for ids, what in news:
        if ids:
            yield f"{len(ids)} {_plural(len(ids))} {what}"
    for difference in better:
        yield from _difference("better", difference)
    for difference in worse:
        yield from _difference(
            "worse" if difference.id in comparison.lost else "worse, as accepted", difference
        )


def _difference(how: str, difference: Difference) -> Iterator[str]:
    yield ""
    yield from _wrapped(f"{difference.id}, {how}: {difference.question}", 0)
    yield from _wrapped(f"was    {difference.was}")
    yield from _wrapped(f"now    {difference.now}")


def _wrapped(text: str, indent: int = 2) -> Iterator[str]:
    """A text's lines, the following ones below what the first word labels."""
    label = " " * indent
    below = label + " " * 7 if indent else "  "
    shown = _cut(one_line(text) if not indent else text[:7] + one_line(text[7:]), _LONGEST)
    yield from textwrap.wrap(
        shown, WIDTH, initial_indent=label, subsequent_indent=below, break_on_hyphens=False
    )


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1].rstrip()}…"


def _plural(n: int) -> str:
    return "question" if n == 1 else "questions"
