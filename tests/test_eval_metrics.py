"""Figures say what they are of, over how many rows, and how far chance may have moved them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

from rulespal_chat.evaluation.metrics import figures, interval, risk_coverage
from rulespal_chat.evaluation.model import EvalQuestion, Figure, Place, Row
from rulespal_chat.evaluation.scoring import SCORES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

QUESTION = EvalQuestion(id="q", question="?", answer="8", kind="lookup", game="toad-well")
NONE: dict[str, float | None] = dict.fromkeys(SCORES)


def row(
    scores: Mapping[str, float | None] = NONE,
    status: str = "answered",
    confidence: float | None = None,
    **fields: Any,  # noqa: ANN401  (those of a question)
) -> Row:
    found = [] if confidence is None else [{"score": confidence}, {"score": 1.0}]
    answer = {"text": "8", "status": status, "retrieved": found}
    return Row(replace(QUESTION, **fields), answer, {**NONE, **scores})


def figure(rows: Sequence[Row], name: str, of: str = "all") -> Figure:
    (found,) = [f for f in figures(rows) if (f.name, f.of) == (name, of)]
    return found


@pytest.mark.parametrize(
    "name", ["hit@1", "hit@3", "hit@5", "all_gold@5", "correct", "citation_recall", "words"]
)
def test_a_mean_is_over_the_rows_that_a_score_applies_to(name: str) -> None:
    rows = [row({name: 1.0}), row({name: 1.0}), row({name: 0.0}), row({name: 0.0}), row()]
    found = figure(rows, name)
    assert (found.value, found.n) == (0.5, 4)
    assert 0 <= found.low < 0.5 < found.high <= 1


def test_the_mean_of_reciprocal_ranks_goes_by_its_usual_name() -> None:
    found = figure([row({"rr@10": 1.0}), row({"rr@10": 0.25})], "mrr@10")
    assert (found.value, found.n) == (0.625, 2)


def test_a_metric_that_applies_to_no_row_has_no_figure() -> None:
    assert {f.name for f in figures([row({"correct": 1.0})])} == {"correct"}
    assert figures([]) == ()


def test_figures_are_given_by_book_kind_role_and_difficulty() -> None:
    right, wrong = {"correct": 1.0}, {"correct": 0.0}
    rows = [
        row(right, kind="numeric", role="The Witch"),
        row(wrong, game="evil-corp", difficulty="hard"),
        row(right, game=None),
    ]
    found = {(f.of): (f.value, f.n) for f in figures(rows)}
    assert found == {
        "all": (2 / 3, 3),
        "book: evil-corp": (0, 1),
        "book: several": (1, 1),
        "book: toad-well": (1, 1),
        "kind: lookup": (0.5, 2),
        "kind: numeric": (1, 1),
        "role: The Witch": (1, 1),
        "difficulty: hard": (0, 1),
        "difficulty: medium": (1, 2),
    }


def silence(abstained: float, due: float | None) -> Row:
    return row({"abstained": abstained, "should_abstain": due})


def test_precision_of_silence_is_of_all_silence_and_recall_of_what_has_no_answer() -> None:
    """Of four silences one is neither right nor wrong, and one of three is a refusal."""
    rows = [
        *(silence(1, 1), silence(1, 1), silence(1, 0), silence(1, None)),
        *(silence(0, 1), silence(0, 1), silence(0, 0), silence(0, 0)),
    ]
    precision, recall = figure(rows, "abstention_precision"), figure(rows, "abstention_recall")
    assert (precision.value, precision.n) == (2 / 3, 3)
    assert (recall.value, recall.n) == (0.5, 4)


def test_times_are_given_by_their_median_95th_percentile_and_longest() -> None:
    rows = [row({"total_ms": float(ms), "search_ms": ms / 2}) for ms in range(101)]
    names = [f"latency_{name}" for name in ("p50", "p95", "max", "search_p50", "search_max")]
    assert [figure(rows, name).value for name in names] == [50, 95, 100, 25, 50]
    median = figure(rows, "latency_p50")
    assert 30 < median.low < 50 < median.high < 70
    of_the_book = {f.name for f in figures(rows) if f.of == "book: toad-well"}
    assert of_the_book == {"latency_p50", "latency_p95", "latency_max"}


@pytest.mark.parametrize("values", [[1.0] * 40, [0.0] * 40, [3.5]])
def test_the_interval_of_what_never_differs_is_a_point(values: list[float]) -> None:
    assert interval(values, np.mean) == (values[0], values[0])


def test_the_interval_is_about_that_of_theory_and_the_same_each_time() -> None:
    """Of 50 hits in 100, the standard error is 0.05: 0.402 to 0.598."""
    values = [0.0, 1.0] * 50
    low, high = interval(values, np.mean)
    assert [low, high] == pytest.approx([0.402, 0.598], abs=0.015)
    assert interval(values, np.mean) == (low, high)


def test_figures_of_retrieval_are_those_of_ir_measures_over_the_whole_run() -> None:
    from test_eval_scoring import ANSWER, BREW, TOAD, WELL, WIN, retrieved

    from rulespal_chat.evaluation.scoring import Scorer, documents, ranked
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.types import Library

    golds: tuple[tuple[Place, ...], ...] = ((WIN,), (TOAD,), (WELL, BREW), (WIN,), (BREW,))
    found = ((WIN, TOAD), (WELL, WIN, TOAD), (WIN, BREW), (TOAD, WELL, BREW, WIN), ())
    cases = [
        (replace(QUESTION, id=str(n), sections=gold), replace(ANSWER, retrieved=retrieved(*places)))
        for n, (gold, places) in enumerate(zip(golds, found, strict=True))
    ]
    score = Scorer(Library(()), Engine(Library(())))
    rows = [Row(question, answer.as_dict(), score(question, answer)) for question, answer in cases]

    import ir_measures
    from ir_measures import RR, Success

    judged = {question.id: documents(question) for question, _ in cases}
    run = {question.id: ranked(answer.retrieved) for question, answer in cases}
    expected = ir_measures.calc_aggregate([Success @ 1, Success @ 3, RR @ 10], judged, run)
    assert [figure(rows, n).value for n in ("hit@1", "hit@3", "mrr@10")] == pytest.approx(
        [expected[Success @ 1], expected[Success @ 3], expected[RR @ 10]]
    )
    assert [figure(rows, n).value for n in ("hit@1", "hit@3", "mrr@10")] == pytest.approx(
        [1 / 5, 3 / 5, (1 + 1 / 3 + 1 / 2 + 1 / 4) / 5]
    )


def sure(confidence: float | None, correct: float, status: str = "answered") -> Row:
    return row({"correct": correct}, status, confidence)


def test_risk_grows_with_coverage_as_less_sure_answers_are_added() -> None:
    rows = [sure(0.2, 0), sure(0.9, 1), sure(0.6, 0), sure(0.7, 1)]
    assert risk_coverage(rows) == ((0.25, 0), (0.5, 0), (0.75, 1 / 3), (1, 0.5))


def test_silence_and_questions_back_are_never_covered() -> None:
    rows = [
        *(sure(0.9, 1), sure(0.8, 0, "partly"), sure(0.7, 1, "disputed")),
        *(
            sure(1.0, 1, "not_in_rulebook"),
            sure(1.0, 0, "out_of_scope"),
            sure(1.0, 0, "needs_input"),
        ),
    ]
    assert risk_coverage(rows) == ((1 / 6, 0), (2 / 6, 1 / 2), (3 / 6, 1 / 3))
    assert risk_coverage(rows[3:]) == ()


def test_answers_that_are_equally_sure_are_added_together() -> None:
    rows = [sure(0.5, 0), sure(0.5, 1), sure(None, 1), sure(0.0, 0)]
    assert risk_coverage(rows) == ((0.5, 0.5), (1, 0.5))
