"""Charts as SVG for pages that may be light or dark.

Each function gives an `<svg>` element, or an empty string if there is nothing to draw. It is drawn
340 units wide, so that its text keeps its size on a phone, and in colours that the page names.
"""

from __future__ import annotations

import io
import re
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rulespal_chat.errors import EvaluationError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

    from rulespal_chat.evaluation.model import Figure

# Colours that stand for the page's own; `_svg` puts those in.
INK, MUTED, LINE, ACCENT, SECOND = "#010101", "#020202", "#030303", "#040404", "#050505"
_OF_THE_PAGE = {INK: "ink", MUTED: "muted", LINE: "line", ACCENT: "accent", SECOND: "second"}
_STYLE: dict[Any, Any] = {  # matplotlib's own type lists every setting
    "svg.fonttype": "none",  # text stays text: it can be read aloud, and takes the page's font
    "svg.hashsalt": "rulespal",  # the same run gives the same page
    "font.size": 11,
    "text.color": INK,
    "text.parse_math": False,  # a dollar in a book's name is a dollar
    "axes.edgecolor": LINE,
    "axes.labelcolor": MUTED,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "xtick.color": MUTED,
    "ytick.color": MUTED,
    "grid.color": LINE,
    "axes.axisbelow": True,
}
_WIDTH = 340 / 72  # inches
RANKS = 10  # how many retrieved sections an answer lists
_FASTEST = 0.1  # ms; what is quicker is drawn here, as the axis is logarithmic


def bars(figures: Sequence[Figure], found: Mapping[str, float]) -> str:
    """A bar for each part, the worst first, with its 95 % interval.

    Args:
        figures: values of one metric, 0 to 1, each of another part.
        found: by the same parts, the share for which the right section was found: a diamond.
    """
    if not figures:
        return ""
    ordered = sorted(figures, key=lambda f: (f.value, f.of))
    with _axes(0.55 + 0.46 * len(ordered)) as (drawing, axes):
        for y, figure in enumerate(ordered):
            _bar(axes, y, figure, found.get(figure.of))
        axes.set(xlim=(0, 1.02), ylim=(len(ordered) - 0.45, -0.75), yticks=[])
        axes.spines["left"].set_visible(False)
        axes.grid(axis="x")
    return _svg(drawing, f"bars-{_key(ordered[0].of)}")


def _bar(axes: Axes, y: int, figure: Figure, found: float | None) -> None:
    name = figure.of.partition(": ")[2] or figure.of
    axes.text(0, y - 0.3, _shown(name), va="center")
    count = f"{figure.value:.2f} of {figure.n}"
    axes.text(1.02, y - 0.3, count, va="center", ha="right", color=MUTED)
    axes.barh(y + 0.12, figure.value, height=0.34, color=ACCENT)
    axes.hlines(y + 0.12, figure.low, figure.high, color=INK, linewidth=1.4)
    if found is not None:
        axes.plot(found, y + 0.12, marker="D", color=SECOND, markersize=6, clip_on=False)


def rank_histogram(ranks: Sequence[int | None]) -> str:
    """How many questions have their first gold section at each rank.

    Args:
        ranks: from 1; None where none of the retrieved sections is gold.
    """
    if not ranks:
        return ""
    places = [*range(1, RANKS + 1), None]
    counts = [sum(rank == place for rank in ranks) for place in places]
    with _axes(2.6) as (drawing, axes):
        drawn = axes.bar(range(len(places)), counts, color=[ACCENT] * RANKS + [SECOND])
        axes.bar_label(drawn, [str(n) if n else "" for n in counts], padding=2, fontsize=10)
        axes.locator_params(axis="y", integer=True)
        axes.set_xticks(range(len(places)), [str(p) if p else f">{RANKS}" for p in places])
        axes.set(xlabel="rank of the first right section", ylabel="questions")
    return _svg(drawing, "ranks")


def risk_coverage(points: Sequence[tuple[float, float]]) -> str:
    """The share of wrong answers among the surest ones, by how many are answered.

    Args:
        points: (coverage, risk), both 0 to 1, by ascending coverage.
    """
    if not points:
        return ""
    coverage, risk = [x for x, _ in points], [y for _, y in points]
    with _axes(2.6) as (drawing, axes):
        axes.plot(coverage, risk, color=ACCENT, linewidth=2)
        axes.plot(coverage[-1], risk[-1], marker="o", color=SECOND, clip_on=False)
        axes.set(xlim=(0, 1), ylim=(0, max(0.1, *risk) * 1.1))
        axes.set(xlabel="coverage: share answered", ylabel="risk: share of them wrong")
        axes.grid()
    return _svg(drawing, "risk")


def latencies(milliseconds: Sequence[float]) -> str:
    """How many answers took how long, on a logarithmic axis, with the median and p95."""
    if not milliseconds:
        return ""
    import numpy as np

    times = np.maximum(np.asarray(milliseconds, dtype=float), _FASTEST)
    low, high = times.min() / 1.1, times.max() * 1.1
    with _axes(2.6) as (drawing, axes):
        counts, _, _ = axes.hist(times, bins=np.geomspace(low, high, 25).tolist(), color=ACCENT)
        axes.locator_params(axis="y", integer=True)
        axes.set(xscale="log", xlim=(low, high), ylim=(0, np.max(counts) * 1.35))
        for share, height in ((50, 0.98), (95, 0.85)):
            _percentile(axes, share, float(np.percentile(times, share)), height)
        _plain_ticks(axes, low, high)
        axes.set(xlabel="milliseconds", ylabel="answers")
    return _svg(drawing, "latency")


def _percentile(axes: Axes, share: int, at: float, height: float) -> None:
    axes.axvline(at, ymax=0.72, color=SECOND, linewidth=1.4)
    low, high = axes.get_xlim()
    is_right = at > (low * high) ** 0.5
    axes.annotate(
        f"p{share}: {at:.3g} ms",
        (at, height),
        xycoords=("data", "axes fraction"),
        xytext=(-4 if is_right else 4, 0),
        textcoords="offset points",
        ha="right" if is_right else "left",
        va="top",
    )


def _plain_ticks(axes: Axes, low: float, high: float) -> None:
    """At most about six ticks, written as plain numbers."""
    steps = (1, 2, 5) if high / low < 300 else (1,)
    every = [n * 10.0**power for power in range(-1, 8) for n in steps]
    ticks = [tick for tick in every if low <= tick <= high]
    axes.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    axes.set_xticks([], minor=True)


@contextmanager
def _axes(height: float) -> Iterator[tuple[Drawing, Axes]]:
    """A drawing in the page's style; pyplot, which keeps every figure alive, isn't needed."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure as Drawing
    except ImportError as error:
        raise EvaluationError(
            "The report's charts need matplotlib, which isn't installed",
            "pip install 'rulespal-chat[eval]'",
        ) from error
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        # The browser has fonts for what matplotlib's own lacks.
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        drawing = Drawing(figsize=(_WIDTH, height), layout="constrained")
        yield drawing, drawing.subplots()
        drawing.draw_without_rendering()


def _svg(drawing: Drawing, key: str) -> str:
    """The drawing as an element whose ids are its own, in the page's colours."""
    import matplotlib as mpl

    text = io.StringIO()
    nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
    with mpl.rc_context(_STYLE), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from font")
        drawing.savefig(text, format="svg", transparent=True, metadata=nothing)
    svg = text.getvalue()
    svg = svg[svg.index("<svg") :]
    for colour, name in _OF_THE_PAGE.items():
        svg = svg.replace(colour, f"var(--{name})")
    return re.sub(r'(\bid="|url\(#|href="#)', rf"\g<1>{key}-", svg)


def _shown(name: str, most: int = 34) -> str:
    """A name that fits beside its value, without what no font can draw."""
    plain = "".join(c for c in name if c.isprintable())
    return plain if len(plain) <= most else plain[: most - 1] + "…"


def _key(of: str) -> str:
    return re.sub(r"\W+", "-", of.partition(":")[0])
