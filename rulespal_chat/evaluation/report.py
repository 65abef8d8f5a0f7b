"""The report of an evaluation: one HTML page that needs nothing beside itself.

The page asks nothing of the network, and its content security policy lets no script run but its
own; all texts are escaped by the template.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import dataclass
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from rulespal_chat.errors import EvaluationError
from rulespal_chat.evaluation import charts
from rulespal_chat.evaluation.model import Row
from rulespal_chat.evaluation.report_rows import Shown, shown

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulespal_chat.evaluation.model import Comparison, Figure, Run

ALL = "all"
# The metrics that a tile shows, in this order, and in a few words what they say.
TILES = {
    "correct": "answers right",
    "hit@1": "right section first",
    "hit@5": "right section within five",
    "citation_precision": "cited sections right",
    "evidence": "quotes hold the evidence",
    "abstention_precision": "silence that is right",
    "abstention_recall": "silence where it is due",
    "wrongly_refused": "answers withheld",
    "numeric_exact": "numbers exact",
    "words": "words in an answer",
    "total_ms_p50": "median time",
    "total_ms_p95": "95 % within",
}
# What begins like this is the better the less of it there is, as are times.
LESS_IS_BETTER = ("wrongly_", "agreed_wrongly", "quotes_not", "false_", "words")


@dataclass(frozen=True, slots=True)
class Tile:
    """A figure at the top of the page."""

    label: str
    value: str
    note: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A drawing with what it shows; `key` says what the diamonds are."""

    title: str
    svg: str
    caption: str
    key: str = ""


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
    """The table of baselines; the run itself comes first."""

    names: tuple[str, ...]
    lines: tuple[Contest, ...]


def html(run: Run, comparison: Comparison | None) -> str:
    """The page, which can be written as UTF-8.

    Raises:
        EvaluationError: a package that draws or fills in the page isn't installed.
    """
    style, script = _file("report.css"), _file("report.js")
    questions = [shown(row) for row in run.rows]
    page = _fill(
        run=run,
        comparison=comparison,
        style=style,
        script=script,
        script_hash=_hash(script),
        heading=_heading(run),
        tiles=_tiles(run),
        charts=_charts(run),
        baselines=_baselines(run),
        parts=_parts(run.figures),
        facts=[*_facts(run.config), *_facts(run.environment)],
        choices=_choices(questions),
        questions=questions,
    )
    return page.encode("utf-8", "replace").decode("utf-8")  # half of a surrogate pair


def _file(name: str) -> str:
    return files("rulespal_chat.evaluation").joinpath("page", name).read_text("utf-8")


def _hash(script: str) -> str:
    """A script as a content security policy names it."""
    digest = hashlib.sha256(script.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _fill(*, style: str, script: str, **values: Any) -> str:  # noqa: ANN401
    """The template with these values, escaped; only our own style and script are put in as is."""
    try:
        from jinja2 import Environment, StrictUndefined
        from markupsafe import Markup
    except ImportError as error:
        raise EvaluationError(
            "The report needs jinja2, which isn't installed", "pip install 'rulespal-chat[eval]'"
        ) from error
    environment = Environment(
        autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["drawn"] = Markup
    template = environment.from_string(_file("report.html"))
    return template.render(style=Markup(style), script=Markup(script), **values)  # noqa: S704


def _heading(run: Run) -> str:
    names = ("writer", "retriever", "split")
    said = [f"{name} {run.config[name]}" for name in names if run.config.get(name)]
    date = run.environment.get("date")
    return ", ".join([f"{len(run.rows)} questions", *said, *([str(date)] if date else [])])


def _tiles(run: Run) -> list[Tile]:
    of_all = {f.name: f for f in run.figures if f.of == ALL}
    tiles = [
        Tile(label, value_text(name, of_all[name].value), _note(of_all[name]))
        for name, label in TILES.items()
        if name in of_all
    ]
    return [*tiles, _quotes_tile(run.rows)]


def _note(figure: Figure) -> str:
    return f"{_interval(figure)}, of {figure.n}"


def _quotes_tile(rows: Sequence[Row]) -> Tile:
    bad = sum(int(row.scores.get("quotes_not_verbatim") or 0) for row in rows)
    cited = sum(len(row.answer.get("citations") or ()) for row in rows)
    return Tile("quotes not word for word", str(bad), f"of {cited}")


def value_text(name: str, value: float) -> str:
    """A value as people read it: milliseconds, words, or a share with two places."""
    if "_ms" in name:
        return f"{value:.0f} ms" if value >= 10 else f"{value:.1f} ms"
    return f"{value:.0f}" if name == "words" else f"{value:.2f}"


def _interval(figure: Figure) -> str:
    low, high = value_text(figure.name, figure.low), value_text(figure.name, figure.high)
    return f"{low.removesuffix(' ms')} to {high}"


def _charts(run: Run) -> list[Chart]:
    from rulespal_chat.evaluation.metrics import risk_coverage

    times = [float(t["total"]) for t in _timings(run.rows) if "total" in t]
    return [
        _bars("Answers right, by kind of question", "kind", run.figures),
        _bars("Answers right, by book", "book", run.figures),
        Chart(
            "Where the first right section ranks",
            charts.rank_histogram(_ranks(run.rows)),
            "Of questions that a section answers. “none”: not among the first ten.",
        ),
        Chart(
            "Risk and coverage",
            charts.risk_coverage(risk_coverage(run.rows)),
            "If only the surest answers were given, by the score of the first section: the share "
            "of them that is wrong. The dot: all of them.",
        ),
        Chart(
            "Time for an answer",
            charts.latencies(times),
            f"Half of the answers spend at least: {_steps(run.rows)}." if times else "",
        ),
    ]


def _bars(title: str, part: str, figures: Iterable[Figure]) -> Chart:
    of_part = [f for f in figures if f.of.startswith(f"{part}: ")]
    found = {f.of: f.value for f in of_part if f.name == "hit@5"}
    svg = charts.bars([f for f in of_part if f.name == "correct"], found)
    key = "right section within five" if found else ""
    return Chart(title, svg, "The line: 95 % interval.", key)


def _ranks(rows: Iterable[Row]) -> list[int | None]:
    """The rank of the first gold section of each question that has one, None beyond ten."""
    reciprocal = [row.scores.get("rr@10") for row in rows]
    return [round(1 / rr) if rr else None for rr in reciprocal if rr is not None]


def _timings(rows: Iterable[Row]) -> list[Mapping[str, float]]:
    return [row.answer.get("timings_ms") or {} for row in rows]


def _steps(rows: Iterable[Row]) -> str:
    """The median of each step, in ms."""
    from statistics import median

    timings = _timings(rows)
    names = dict.fromkeys(name for t in timings for name in t if name != "total")
    medians = {name: median([t[name] for t in timings if name in t]) for name in names}
    return ", ".join(f"{name} {value:.1f} ms" for name, value in medians.items())


def _baselines(run: Run) -> Baselines | None:
    """A line for each metric that at least two systems have."""
    others = run.config.get("baselines") or ()
    if not others:
        return None
    own = {f.name: f.value for f in run.figures if f.of == ALL}
    systems = [(str(run.config.get("retriever") or "this run"), own)]
    systems += [(str(other["name"]), dict(other["figures"])) for other in others]
    metrics = dict.fromkeys(name for _, values in systems for name in values)
    shared = [m for m in metrics if sum(m in values for _, values in systems) > 1]
    lines = tuple(_contest(m, [values.get(m) for _, values in systems]) for m in shared)
    return Baselines(tuple(name for name, _ in systems), lines)


def _contest(metric: str, values: Sequence[float | None]) -> Contest:
    there = [value for value in values if value is not None]
    is_less = metric.startswith(LESS_IS_BETTER) or "_ms" in metric
    best = min(there) if is_less else max(there)
    is_contest = len(set(there)) > 1
    cells = [
        Cell("" if v is None else value_text(metric, v), is_contest and v == best) for v in values
    ]
    return Contest(label(metric), tuple(cells))


def label(metric: str) -> str:
    """A metric's name in words: "total_ms_p50" is "total p50"."""
    return metric.replace("_ms_", " ").replace("_", " ")


def _parts(figures: Iterable[Figure]) -> list[tuple[str, list[Line]]]:
    """The figures of each part, in the order in which the parts first come."""
    parts: dict[str, list[Line]] = {}
    for f in figures:
        line = Line(label(f.name), value_text(f.name, f.value), _interval(f), f.n)
        parts.setdefault(f.of, []).append(line)
    return list(parts.items())


def _facts(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Names with plain values; the baselines have a table of their own."""
    return [(str(n), _fact(v)) for n, v in values.items() if n != "baselines" and v is not None]


def _fact(value: Any) -> str:  # noqa: ANN401
    if isinstance(value, dict):
        return ", ".join(f"{name} {inner}" for name, inner in value.items())
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def _choices(questions: Sequence[Shown]) -> dict[str, list[str]]:
    """The values to filter by, of each field that has more than one."""
    fields = ("outcome", "kind", "book", "status", "role", "difficulty")
    values = {name: sorted({str(getattr(q, name)) for q in questions} - {""}) for name in fields}
    return {name: found for name, found in values.items() if len(found) > 1}
