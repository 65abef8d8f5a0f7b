"""The summary fits a terminal of 80 columns and begins with the failures that teach most."""

from __future__ import annotations

import pytest
from evaluated import OLD_WIN, a_row, a_run

from rulespal_chat.evaluation.model import Comparison, Difference, Figure
from rulespal_chat.evaluation.terminal import WIDTH, failures, summary


def test_the_most_instructive_failures_come_first() -> None:
    rows = [
        a_row("unfound", False, hit=0.0),
        a_row("answered", False, kind="unanswerable", sections=()),
        a_row("refused", False, status="not_in_rulebook"),
        a_row("hard", False, difficulty="hard"),
        a_row("easy", False, difficulty="easy"),
        a_row("right", True),
        a_row("odd", False, difficulty="whatever"),
    ]
    told = [(row.question.id, why) for row, why in failures(rows)]
    assert told == [
        ("easy", "the section was found, the answer is wrong"),
        ("hard", "the section was found, the answer is wrong"),
        ("odd", "the section was found, the answer is wrong"),
        ("refused", "refused, though the book answers"),
        ("answered", "answered, though the book doesn't"),
        ("unfound", "the section wasn't found"),
    ]
    assert [row.question.id for row, _ in failures(rows, most=1)] == ["easy"]


def test_a_summary_has_the_figures_the_times_the_parts_and_the_failures() -> None:
    shown = summary(a_run(a_row("a", True), a_row("b", False, "No.", turns=("Is it a?",))))
    assert (
        shown
        == f"""\
product, split test: 2 questions

                                            value     95 % interval      n
correct                                      0.50       0.00 – 1.00      2
quotes not verbatim, of all quotes              0                        0

milliseconds                  p50      p95      max
answer                       12.5

                                                   hit@1    hit@5  correct     n
kind: lookup                                                          0.50     2

Wrong: 1. All of them:

b, lookup, medium: the section was found, the answer is wrong
  asked  Is it a? / Is it b?
  gold   It is.
  in     {OLD_WIN}
  got    answered: No."""
    )


def test_no_line_is_longer_than_80_columns_and_none_has_control_characters() -> None:
    long = "x" * 300 + " \x1b[31mred\x07 " + "many words " * 100
    row = a_row("a" * 100, False, long, answer=long, question=long, kind="k" * 90)
    figure = Figure("hit@1", f"role: {'r' * 100}", 0.5, 0.0, 1.0, 3)
    difference = Difference("b" * 90, long, long, long)
    run = a_run(row, figures=(figure,))
    shown = summary(run, Comparison((difference,), (difference,), 1.0))
    assert max(map(len, shown.split("\n"))) <= WIDTH
    assert "\x1b" not in shown
    assert "\x07" not in shown


def test_an_interrupted_run_says_that_it_is() -> None:
    shown = summary(a_run(a_row("a", True), is_complete=False))
    assert shown.startswith("product, split test: 1 question; interrupted, the rest wasn't asked\n")
    assert "Wrong" not in shown


def test_the_table_of_baselines_stars_the_best_and_less_is_better_for_times() -> None:
    other = {
        "name": "bm25",
        "figures": {"correct": 0.25, "latency_p50": 0.5},
        "correct_by_kind": {"lookup": 1.0},
        "right_only_here": 0,
        "right_only_product": 7,
        "p": 0.015625,
    }
    shown = summary(a_run(a_row("a", True), a_row("b", False), config={"baselines": [other]}))
    table = shown.partition("product        bm25\n")[2].split("\n")
    assert [line.split() for line in table[:6]] == [
        ["correct", "0.50*", "0.25"],
        ["latency_p50", "12", "0.50*"],
        ["correct,", "lookup", "0.50", "1.00*"],
        ["right", "only", "here", "0"],
        ["right", "only", "product", "7"],
        ["exact", "McNemar", "p", "0.016"],
    ]


@pytest.mark.parametrize("lost", [(), ("b",)])
def test_what_changed_is_listed_with_old_and_new_answers(lost: tuple[str, ...]) -> None:
    better = Difference("a", "Is it a?", "answered: No.", "answered: Yes.")
    worse = Difference("b", "Is it b?", "answered: Yes.", "answered: No.")
    comparison = Comparison((better,), (worse,), 1.0, ("new",), ("gone", "left"), lost)
    shown = summary(a_run(a_row("a", True)), comparison)
    assert shown.endswith(
        f"""
Against the baseline: 1 better, 1 worse (exact McNemar p = 1)
1 question new
2 questions of the baseline not asked

a, better: Is it a?
  was    answered: No.
  now    answered: Yes.

b, {"worse" if lost else "worse, as accepted"}: Is it b?
  was    answered: Yes.
  now    answered: No."""
    )
