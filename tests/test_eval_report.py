"""The report is one page that needs nothing else, shows every question, and runs nobody's script."""

from __future__ import annotations

import base64
import hashlib
import re
import sys
from dataclasses import replace
from html.parser import HTMLParser
from typing import TYPE_CHECKING, Any

import pytest

from rulespal_chat.errors import EvaluationError
from rulespal_chat.evaluation.model import (
    Comparison,
    Difference,
    EvalQuestion,
    Figure,
    Place,
    QuestionProblem,
    Row,
    Run,
)
from rulespal_chat.evaluation.report import html
from rulespal_chat.evaluation.report_rows import outcome, shown

if TYPE_CHECKING:
    from collections.abc import Iterator

WIN = Place("toad-well", "The Witch > How to Win")
BREW = Place("toad-well", "The Witch > 1) Brew")
QUESTION = EvalQuestion(
    id="t-1",
    question="how many Toads do I need?",
    answer="3 Toads.",
    kind="numeric",
    game="toad-well",
    role="The Witch",
    sections=(WIN,),
)
ANSWER: dict[str, Any] = {
    "status": "answered",
    "text": "The Witch wins with 3 Toads. [1]",
    "citations": [
        {"mark": 1, "game": WIN.game, "section": WIN.section, "quote": "wins with 3 Toads."}
    ],
    "retrieved": [
        {"game": BREW.game, "section": BREW.section, "score": 0.75},
        {"game": WIN.game, "section": WIN.section, "score": 0.5},
    ],
    "computed": [{"rule": "witch.goal", "output": "toads", "value": 3, "unit": "Toads"}],
    "checks": [{"rule": "witch.goal", "claim": "3 Toads", "verdict": "agrees", "right": 3}],
    "timings_ms": {"search": 8.0, "total": 10.0},
}
SCORES = {"correct": 1.0, "hit@5": 1.0, "rr@10": 0.5, "quotes_not_verbatim": 0.0}
ROW = Row(QUESTION, ANSWER, SCORES)
FIGURES = (
    Figure("correct", "all", 0.75, 0.5, 1.0, 4),
    Figure("latency_p50", "all", 12.0, 10.0, 15.0, 4),
    Figure("correct", "kind: numeric", 0.5, 0.25, 0.75, 4),
    Figure("hit@5", "kind: numeric", 1.0, 1.0, 1.0, 4),
)
HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\"'&\ud800"


def run(*rows: Row, **config: object) -> Run:
    return Run({"writer": "quotes", **config}, {"date": "2025-01-31T10:00:00"}, rows, FIGURES)


class Page(HTMLParser):
    """The elements of a page with their attributes, and the text of those with a class."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self._skips = False
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:  # noqa: D102
        self.elements.append((tag, dict(attrs)))
        self._skips = tag in {"script", "style"}

    def handle_data(self, data: str) -> None:  # noqa: D102
        self.text += "" if self._skips else data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        """The attributes of each element with this tag."""
        return [attributes for name, attributes in self.elements if name == tag]

    def questions(self) -> Iterator[dict[str, str | None]]:
        """The attributes of each question."""
        return (a for a in self.of("details") if a.get("class") == "question")


def test_a_question_is_shown_with_its_answer_gold_citations_and_checks() -> None:
    text = Page(html(run(ROW), None)).text
    for part in (
        "how many Toads do I need?",
        "The Witch wins with 3 Toads. [1]",
        "3 Toads.",
        "The Witch > How to Win (toad-well) ✓",
        "wins with 3 Toads.",
        "witch.goal, toads: 3 Toads",
        "witch.goal: “3 Toads” agrees (the rules give 3)",
    ):
        assert part in text


def test_tiles_tell_value_interval_and_n() -> None:
    text = " ".join(Page(html(run(ROW), None)).text.split())
    assert "answers right0.750.50 to 1.00, of 4" in text
    assert "median time12 ms10 to 15 ms, of 4" in text
    assert "quotes not word for word0of 1" in text


def test_a_cold_start_has_a_tile() -> None:
    timed = replace(run(ROW), environment={"cold_start_ms": 1234})
    assert "cold start1234 ms" in Page(html(timed, None)).text


def test_quotes_that_are_not_verbatim_are_counted_not_averaged() -> None:
    rows = [replace(ROW, scores=SCORES | {"quotes_not_verbatim": n}) for n in (2.0, 1.0)]
    assert "quotes not word for word3of 2" in Page(html(run(*rows), None)).text


def test_the_page_fetches_nothing() -> None:
    page = html(run(ROW), None)
    parsed = Page(page)
    assert not {"link", "img", "iframe", "object"} & {tag for tag, _ in parsed.elements}
    assert not any("src" in attributes for _, attributes in parsed.elements)
    links = [a[name] for _, a in parsed.elements for name in ("href", "xlink:href") if name in a]
    assert all(str(link).startswith("#") for link in links)
    assert not re.search(r"@import|url\((?!#)", page)
    assert "default-src 'none'" in page


def test_hostile_texts_are_shown_and_never_run() -> None:
    question = replace(
        QUESTION,
        id=HOSTILE,
        question=HOSTILE,
        answer=HOSTILE,
        game=HOSTILE,
        role=HOSTILE,
        turns=(HOSTILE,),
        sections=(Place(HOSTILE, HOSTILE),),
    )
    answer = ANSWER | {
        "text": HOSTILE,
        "citations": [{"mark": 1, "game": HOSTILE, "section": HOSTILE, "quote": HOSTILE}],
    }
    figures = tuple(
        replace(f, of=f"{part}: {HOSTILE}") for f in FIGURES for part in ("kind", "book")
    )
    problems = (QuestionProblem(HOSTILE, 1, HOSTILE, HOSTILE),)
    difference = Difference(HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    hostile = replace(
        run(Row(question, answer, SCORES), writer=HOSTILE), figures=figures, problems=problems
    )
    page = html(hostile, Comparison((difference,), (difference,), 1.0, lost=(HOSTILE,)))
    parsed = Page(page)
    assert len(parsed.of("script")) == 1
    assert parsed.of("img") == []
    assert not any(name.startswith("on") for _, a in parsed.elements for name in a)
    assert "<script>alert(1)</script>" in parsed.text
    assert page.encode("utf-8")  # half a surrogate pair can't be written


def test_only_the_page_s_own_script_may_run() -> None:
    page = html(run(ROW), None)
    (script,) = re.findall(r"<script>(.*?)</script>", page, re.DOTALL)
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src 'sha256-{digest}'" in page


def test_questions_can_be_filtered_by_what_differs() -> None:
    wrong = Row(replace(QUESTION, id="t-2"), ANSWER, SCORES | {"correct": 0.0})
    page = Page(html(run(ROW, wrong), None))
    assert [q["data-outcome"] for q in page.questions()] == ["right", "wrong though found"]
    assert [s["name"] for s in page.of("select")] == ["outcome"]


@pytest.mark.parametrize(
    ("scores", "status", "kind", "expected"),
    [
        ({"correct": 1.0}, "answered", "lookup", "right"),
        ({"correct": 0.0, "wrongly_refused": 1.0}, "not_in_rulebook", "lookup", "wrongly refused"),
        ({"correct": 0.0, "hit@5": 0.0}, "answered", "lookup", "section not found"),
        ({"correct": 0.0, "hit@5": 1.0}, "answered", "lookup", "wrong though found"),
        ({"correct": 0.0, "hit@5": None}, "answered", "lookup", "wrong"),
        ({"correct": 0.0}, "answered", "unanswerable", "should have been silent"),
    ],
)
def test_outcomes_say_what_went_wrong(
    scores: dict[str, float | None], status: str, kind: str, expected: str
) -> None:
    row = Row(replace(QUESTION, kind=kind), ANSWER | {"status": status}, scores)
    assert outcome(row) == expected


def test_a_question_back_and_an_error_are_shown_with_the_text() -> None:
    back = {"text": "How many players?", "input": "players", "options": [2, 3]}
    row = Row(QUESTION, ANSWER | {"text": "", "question_back": back, "error": "Too long"}, SCORES)
    assert shown(row).text == "How many players?\nToo long"


def test_what_cannot_be_computed_is_shown_with_what_is_missing() -> None:
    computed = {"rule": "r", "output": "o", "value": None, "unit": "", "missing": ["players"]}
    row = Row(
        QUESTION,
        ANSWER | {"computed": [computed, computed | {"missing": [], "reason": "no Moon"}]},
        SCORES,
    )
    assert shown(row).computed == ("r, o: missing players", "r, o: no Moon")


def test_a_comparison_lists_what_changed_with_both_answers() -> None:
    worse = Difference("t-9", "what now?", "It was this.", "It is that.")
    comparison = Comparison((), (worse,), 0.0312, ("new",), ("old",), ("t-9",))
    text = " ".join(Page(html(run(ROW), comparison)).text.split())
    assert "0 better, 1 worse; exact McNemar test: p = 0.0312. 1 only now. 1 only before." in text
    assert "doesn't accept: t-9" in text
    assert "WasIt was this." in text
    assert "NowIt is that." in text


def test_baselines_are_compared_and_the_best_of_each_line_marked() -> None:
    others = [{"name": "bm25", "figures": {"correct": 0.5, "latency_p50": 2.0, "mrr@10": 0.1}}]
    page = html(run(ROW, baselines=others, retriever="product"), None)
    table = page[page.index("Against other ways") :]
    assert '<td>correct</td><td class="wins">0.75</td><td>0.50</td>' in table
    assert '<td>latency p50</td><td>12 ms</td><td class="wins">2.0 ms</td>' in table
    assert "<td>mrr@10</td>" not in table  # only one of them has it


def test_baselines_are_compared_by_kind_and_question_by_question() -> None:
    other = {
        "name": "bm25",
        "figures": {},
        "correct_by_kind": {"numeric": 0.25, "false_alarms": 0.9, "list": 1.0},
    }
    counts = {"right_only_here": 1, "right_only_product": 9, "p": 0.0215}
    low = Figure("correct", "kind: false_alarms", 0.8, 0.7, 0.9, 9)  # named like what should be low
    compared = run(ROW, baselines=[other | counts])
    page = html(replace(compared, figures=(*FIGURES, low)), None)
    assert '<td>numeric</td><td class="wins">0.50</td><td>0.25</td>' in page
    assert '<td>false_alarms</td><td>0.80</td><td class="wins">0.90</td>' in page
    assert "<td>list</td>" not in page  # only one of them was asked any
    assert "1 times, the other way round 9 times; exact McNemar test: p = 0.0215." in page


def test_no_table_of_baselines_without_any() -> None:
    assert "Against other ways" not in html(run(ROW), None)


def test_an_interrupted_run_and_unusable_lines_are_told() -> None:
    problem = QuestionProblem("mine.jsonl", 3, "kind", "unknown")
    part = replace(run(ROW), is_complete=False, problems=(problem,))
    text = Page(html(part, None)).text
    assert "Interrupted" in text
    assert "mine.jsonl, line 3, kind: unknown" in text


def test_a_run_without_rows_or_figures_still_makes_a_page() -> None:
    page = html(Run({}, {}, (), ()), None)
    assert page.count("There are no such values in this run.") == 5


def test_the_same_run_gives_the_same_page() -> None:
    assert html(run(ROW), None) == html(run(ROW), None)


@pytest.mark.parametrize("package", ["matplotlib", "jinja2"])
def test_without_a_package_the_report_says_what_to_install(
    package: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(
        EvaluationError, match=rf"{package}, .* pip install 'rulespal-chat\[eval\]'"
    ):
        html(run(ROW), None)
