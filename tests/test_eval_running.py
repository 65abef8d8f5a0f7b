"""Every question is asked as a player asks it, and its row is there as soon as its answer is."""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from toad_rules import a_loaded_rule_file as a_loaded_rule_file
from toad_rules import rulespal_over_the_rule_file as rulespal_over_the_rule_file

from rulespal_chat.errors import BadQuestionError, IndexBuildError
from rulespal_chat.evaluation.environment import cold_start_ms, describe
from rulespal_chat.evaluation.model import EvalQuestion, Place
from rulespal_chat.evaluation.running import product_asker, run
from rulespal_chat.evaluation.scoring import Scorer
from rulespal_chat.types import Status

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rulespal_chat.evaluation.model import Row
    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.types import Answer

GOAL = EvalQuestion(
    id="goal",
    question="How many Toads to win with 3 players under the full Moon?",
    answer="7 Toads.",
    kind="numeric",
    game="toad-well",
    must_include=(("7",),),
    sections=(Place("toad-well", "The Witch > How to Win"),),
)
AND_WITH_4 = replace(
    GOAL,
    id="and",
    question="and with 4 players under the full moon?",
    turns=("I'm the Witch. How many Toads to win with 3 players?",),
    answer="8 Toads.",
    must_include=(("8",),),
)


def rows_of(rulespal: RulesPal, *questions: EvalQuestion) -> list[Row]:
    score = Scorer(rulespal.library, rulespal.engine)
    return list(run(questions, product_asker(rulespal), score))


def no_scores(_question: EvalQuestion, _answer: Answer) -> dict[str, float | None]:
    return {}


def test_a_row_has_the_answer_as_the_contract_has_it_with_id_and_scores(
    toad_rules_pal: RulesPal,
) -> None:
    (row,) = rows_of(toad_rules_pal, GOAL)
    asked = toad_rules_pal.ask(GOAL.question).as_dict()
    assert row.answer.keys() == asked.keys()
    assert (row.text, row.status) == (asked["text"], "answered")
    assert row.scores["correct"] == 1
    written = json.loads(json.dumps(row.as_dict()))
    assert (written["id"], written["scores"]["hit@1"]) == ("goal", 1)


def test_no_game_or_role_is_named_but_in_the_question(toad_rules_pal: RulesPal) -> None:
    named = replace(GOAL, game="no such game", role="no such role")
    (row,) = rows_of(toad_rules_pal, named)
    assert row.status == "answered"
    assert row.answer["error"] is None


def test_a_follow_up_is_heard_in_the_chat_of_the_lines_before_it(
    toad_rules_pal: RulesPal,
) -> None:
    told = replace(GOAL, question="How many Toads to win under the full Moon?")
    in_a_chat = replace(told, turns=("How many Toads to win with 3 players?", "/table players=4"))
    alone, chatted = rows_of(toad_rules_pal, told, in_a_chat)
    assert alone.answer["state"].get("players") is None
    assert chatted.answer["state"]["players"] == 4
    assert chatted.text.startswith("8 Toads")


def test_each_question_has_a_chat_of_its_own(toad_rules_pal: RulesPal) -> None:
    told = replace(GOAL, question="How many Toads to win under the full Moon?")
    in_a_chat = replace(told, turns=("How many Toads to win with 3 players?", "/table players=4"))
    _, after = rows_of(toad_rules_pal, in_a_chat, replace(told, turns=("How do Toads hop?",)))
    assert after.answer["state"].get("players") is None


def test_a_line_that_the_chat_takes_for_no_question_is_not_an_answer(
    toad_rules_pal: RulesPal,
) -> None:
    remark = replace(GOAL, turns=(GOAL.question,), question="we're 4 players")
    (row,) = rows_of(toad_rules_pal, remark)
    assert row.text.startswith("Noted: 4 players")
    assert (row.status, row.scores["correct"]) == ("needs_input", 0)


@pytest.mark.parametrize("turns", [(), ("How do Toads hop?",)])
def test_a_question_that_cannot_be_asked_is_wrong_and_the_rest_goes_on(
    turns: tuple[str, ...], toad_rules_pal: RulesPal
) -> None:
    unaskable = replace(GOAL, question="?" * 100_000, turns=turns)
    refused, row = rows_of(toad_rules_pal, unaskable, GOAL)
    assert (refused.scores["correct"], row.scores["correct"]) == (0, 1)
    assert "Next: " in refused.answer["error"]
    assert refused.text


def test_a_silent_question_that_cannot_be_asked_is_no_recognised_silence(
    toad_rules_pal: RulesPal,
) -> None:
    unaskable = replace(GOAL, question="…", kind="out_of_scope", statuses=("out_of_scope",))
    (row,) = rows_of(toad_rules_pal, unaskable)
    assert (row.scores["correct"], row.scores["abstained"]) == (0, 0)


def test_what_fails_whatever_the_question_ends_the_run() -> None:
    def broken(_question: EvalQuestion) -> Answer:
        raise IndexBuildError("The index is broken", "rulespal index")

    with pytest.raises(IndexBuildError):
        list(run([GOAL], broken, no_scores))


def test_rows_come_one_by_one_so_that_an_interrupted_run_keeps_them(
    toad_rules_pal: RulesPal,
) -> None:
    asked: list[str] = []

    def interrupted(question: EvalQuestion) -> Answer:
        if len(asked) == 2:
            raise KeyboardInterrupt
        asked.append(question.id)
        return toad_rules_pal.ask(question.question)

    rows = run([replace(GOAL, id=name) for name in "abc"], interrupted, no_scores)
    assert [row.question.id for row in islice(rows, 2)] == ["a", "b"]
    with pytest.raises(KeyboardInterrupt):
        next(rows)


def test_progress_is_told_of_each_row_and_of_how_many(toad_rules_pal: RulesPal) -> None:
    told: list[tuple[int, int]] = []
    questions = [replace(GOAL, id=name) for name in "ab"]
    score = Scorer(toad_rules_pal.library, toad_rules_pal.engine)
    asker = product_asker(toad_rules_pal)
    rows = run(questions, asker, score, lambda done, total: told.append((done, total)))
    next(rows)
    assert told == [(1, 2)]
    next(rows)
    assert told == [(1, 2), (2, 2)]


def refusing(question: EvalQuestion, rulespal: RulesPal) -> Answer:
    return replace(
        rulespal.ask(question.question),
        status=Status.NOT_IN_RULEBOOK,
        text="The rulebook doesn't say.",
        citations=(),
    )


def test_a_writer_that_always_refuses_is_never_right_where_there_is_an_answer(
    toad_rules_pal: RulesPal,
) -> None:
    score = Scorer(toad_rules_pal.library, toad_rules_pal.engine)
    rows = run([GOAL, AND_WITH_4], lambda q: refusing(q, toad_rules_pal), score)
    found = [(row.scores["correct"], row.scores["wrongly_refused"]) for row in rows]
    assert found == [(0, 1), (0, 1)]


def values(described: object) -> Sequence[str]:
    if isinstance(described, dict):
        return [text for value in described.values() for text in values(value)]
    return [str(described)]


def test_the_environment_tells_versions_but_neither_paths_nor_names_of_the_machine(
    tmp_path: Path,
) -> None:
    import os
    import platform

    found = describe()
    assert json.loads(json.dumps(found)) == found
    assert found["packages"]["z3-solver"]
    assert found["processors"] == os.cpu_count()
    told = " ".join(values(found))
    assert platform.node() not in told.split()
    assert os.sep not in told
    assert str(tmp_path) not in told


def test_a_folder_within_another_checkout_has_no_commit_of_its_own(tmp_path: Path) -> None:
    from rulespal_chat.evaluation.environment import _commit

    (tmp_path / ".git").mkdir()
    (tmp_path / "site-packages").mkdir()
    assert _commit(tmp_path / "site-packages") is None
    assert _commit(tmp_path) is None  # what git can't read is none, either


@pytest.mark.model
def test_a_cold_start_takes_longer_than_a_warm_answer(
    model_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPAL_HOME", str(model_home))
    assert 100 < cold_start_ms("How does the Ghoul win?") < 120_000


def test_what_is_wrong_with_a_question_is_said_with_what_to_do_next() -> None:
    def refused(_question: EvalQuestion) -> Answer:
        raise BadQuestionError("The question is blank", "rulespal ask QUESTION")

    (row,) = run([GOAL], refused, no_scores)
    assert row.text == "The question is blank"
    assert row.answer["error"] == "The question is blank. Next: rulespal ask QUESTION"
