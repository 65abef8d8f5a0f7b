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
from rulespal_chat.evaluation.report_rows import Shown, shown
from rulespal_chat.evaluation.report_tables import ALL, baselines, interval, parts, value_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulespal_chat.evaluation.model import Comparison, Figure, Row, Run

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
    "model_wrote": "in the model's words",
    "own_words_correct": "of these alone right",
    "latency_p50": "median time",
    "latency_p95": "95 % within",
}


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
        baselines=baselines(run),
        parts=parts(run.figures),
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
    asked = f"{len(run.rows)} question{'s' * (len(run.rows) != 1)}"
    date = run.environment.get("date")
    return ", ".join([asked, *said, *([str(date)[:10]] if date else [])])


def _tiles(run: Run) -> list[Tile]:
    of_all = {f.name: f for f in run.figures if f.of == ALL}
    tiles = [
        Tile(label, value_text(name, of_all[name].value), _note(of_all[name]))
        for name, label in TILES.items()
        if name in of_all
    ]
    cold = run.environment.get("cold_start_ms")
    start = [Tile("cold start", value_text("latency", cold), "process, one answer")] if cold else []
    return [*tiles, *start, _quotes_tile(run.rows)]


def _note(figure: Figure) -> str:
    return f"{interval(figure)}, of {figure.n}"


def _quotes_tile(rows: Sequence[Row]) -> Tile:
    bad = sum(int(row.scores.get("quotes_not_verbatim") or 0) for row in rows)
    cited = sum(len(row.answer.get("citations") or ()) for row in rows)
    return Tile("quotes not word for word", str(bad), f"of {cited}")


def _charts(run: Run) -> list[Chart]:
    from rulespal_chat.evaluation.metrics import risk_coverage

    times = [float(t["total"]) for t in _timings(run.rows) if "total" in t]
    return [
        _bars("Answers right, by kind of question", "kind", run.figures),
        _bars("Answers right, by book", "book", run.figures),
        Chart(
            "Where the first right section ranks",
            charts.rank_histogram(_ranks(run.rows)),
            "Of questions that a section answers. The last bar: not among the first ten.",
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
