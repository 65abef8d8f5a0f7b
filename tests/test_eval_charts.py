"""Charts show each value, and are drawn whatever the values and names are."""

from __future__ import annotations

import re

import pytest

from rulespal_chat.evaluation import charts
from rulespal_chat.evaluation.model import Figure


def test_bars_come_worst_first_and_name_value_and_n() -> None:
    figures = [
        Figure("correct", "kind: table", 0.9, 0.8, 1.0, 10),
        Figure("correct", "kind: list", 0.25, 0.0, 0.5, 8),
    ]
    svg = charts.bars(figures, {"kind: list": 1.0})
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", svg)
    assert [t for t in texts if not re.fullmatch(r"[\d.]+", t)] == [
        "list",
        "0.25 of 8",
        "table",
        "0.90 of 10",
    ]


def test_names_that_look_like_formulas_or_lack_a_glyph_are_drawn_as_they_are() -> None:
    svg = charts.bars([Figure("correct", "book: $x^$ 蛙 <b>", 1.0, 1.0, 1.0, 1)], {})
    assert "$x^$ 蛙 &lt;b&gt;" in svg


def test_the_rank_histogram_counts_each_rank_and_those_not_found() -> None:
    svg = charts.rank_histogram([1, 1, 1, 3, None])
    texts = re.findall(r"<text[^>]*>([^<]+)</text>", svg)
    assert texts[:11] == [*map(str, range(1, 11)), "&gt;10"]
    assert texts[-3:] == ["3", "1", "1"]


def test_charts_take_the_page_s_colours_and_ids_of_their_own() -> None:
    drawn = [charts.rank_histogram([1]), charts.latencies([1.0, 20.0, 300.0])]
    assert all("var(--accent)" in svg and "#04" not in svg for svg in drawn)
    ids = [set(re.findall(r'\bid="([^"]+)"', svg)) for svg in drawn]
    assert ids[0]
    assert not ids[0] & ids[1]


@pytest.mark.parametrize("times", [[0.0], [5.0, 5.0], [0.2, 90_000.0]])
def test_any_times_can_be_drawn(times: list[float]) -> None:
    assert "p95: " in charts.latencies(times)


def test_a_risk_coverage_curve_of_one_point_can_be_drawn() -> None:
    assert "coverage: share answered" in charts.risk_coverage([(0.5, 0.0)])
