"""A run is compared with an earlier one question by question, and with a test beside it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from evaluated import a_row, a_run

from rulespal_chat.errors import EvaluationError
from rulespal_chat.evaluation.comparing import (
    Earlier,
    against,
    baseline,
    compare,
    mcnemar,
    read_earlier,
)
from rulespal_chat.evaluation.model import Difference

if TYPE_CHECKING:
    from pathlib import Path

    from rulespal_chat.evaluation.model import Row


def earlier(*rows: Row, accepted: tuple[str, ...] = ()) -> Earlier:
    return Earlier.model_validate(baseline(a_run(*rows), accepted))


def test_what_got_better_and_worse_is_told_with_both_answers() -> None:
    before = earlier(a_row("a", True, "Yes."), a_row("b", False, "No."), a_row("c", True))
    now = [a_row("a", False, "", "not_in_rulebook"), a_row("b", True, "Yes."), a_row("c", True)]
    found = compare(now, before)
    assert found.better == (Difference("b", "Is it b?", "answered: No.", "answered: Yes."),)
    assert found.worse == (Difference("a", "Is it a?", "answered: Yes.", "not_in_rulebook: "),)
    assert found.lost == ("a",)


def test_what_the_baseline_accepts_is_worse_but_not_lost() -> None:
    before = earlier(a_row("a", True), a_row("b", True), accepted=("a",))
    found = compare([a_row("a", False), a_row("b", False)], before)
    assert [d.id for d in found.worse] == ["a", "b"]
    assert found.lost == ("b",)


def test_questions_without_a_counterpart_are_named_and_do_not_count() -> None:
    found = compare(
        [a_row("new", False), a_row("a", True)], earlier(a_row("a", True), a_row("b", True))
    )
    assert (found.only_now, found.only_before) == (("new",), ("b",))
    assert (found.better, found.worse, found.lost, found.p) == ((), (), (), 1)


@pytest.mark.parametrize(
    ("better", "worse", "p"),
    [
        (0, 0, 1.0),
        (1, 0, 1.0),
        (3, 3, 1.0),
        (0, 5, 2 / 2**5),
        (1, 5, 2 * (1 + 6) / 2**6),  # none or one of six, at either end
    ],
)
def test_p_is_that_of_so_uneven_a_throw_of_a_coin(better: int, worse: int, p: float) -> None:
    assert mcnemar(better, worse) == pytest.approx(p)


def test_a_baseline_keeps_what_is_compared_and_no_times() -> None:
    kept = baseline(a_run(a_row("a", True, "Yes."), config={"baselines": [1]}), ["z", "b"])
    assert kept == {
        "schema": 1,
        "config": {"retriever": "product", "split": "test"},
        "figures": {"correct": 1.0},
        "accepted": ["b", "z"],
        "rows": [{"id": "a", "correct": True, "status": "answered", "text": "Yes."}],
    }


def test_a_baseline_and_the_json_of_a_run_are_read_alike(tmp_path: Path) -> None:
    run = a_run(a_row("a", True), a_row("b", False, "No.", "partly"))
    for name, fields in (("baseline", baseline(run)), ("run", run.as_dict())):
        (tmp_path / name).write_text(json.dumps(fields), encoding="utf-8")
    assert read_earlier(tmp_path / "run") == read_earlier(tmp_path / "baseline")
    (row, other) = read_earlier(tmp_path / "run").rows
    assert (row.correct, other.correct, other.status, other.text) == (True, False, "partly", "No.")


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"{", "as it isn't JSON"),
        (b"\xff", "as it isn't JSON"),
        (b"[" * 100_000, "as it isn't JSON"),
        (b"[]", "the whole: "),
        (b"{}", "rows: Field required"),
        (b'{"rows": []}', "rows: "),
        (b'{"rows": [7]}', "rows.0: "),
        (b'{"rows": [{"id": "a", "status": "answered", "text": ""}]}', "rows.0.correct: "),
    ],
)
def test_what_is_no_baseline_is_said_to_be_none(
    tmp_path: Path, content: bytes, problem: str
) -> None:
    path = tmp_path / "saved.json"
    path.write_bytes(content)
    with pytest.raises(EvaluationError) as raised:
        read_earlier(path)
    assert f"{path} is no baseline" in raised.value.sentence
    assert problem in raised.value.sentence
    assert raised.value.hint == "rulespal eval --save-baseline FILE"


def test_the_duel_with_a_baseline_says_who_is_right_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        "rulespal_chat.evaluation.metrics.figures", lambda rows: a_run(*rows).figures
    )
    product = [a_row(name, name in "abc") for name in "abcd"]
    others = [a_row(name, name in "cd") for name in "abcd"]
    assert against("bm25", others, product) == {
        "name": "bm25",
        "figures": {"correct": 0.5, "latency_p50": 12.5},
        "correct_by_kind": {"lookup": 0.5},
        "right_only_here": 1,
        "right_only_product": 2,
        "p": 1.0,
    }
