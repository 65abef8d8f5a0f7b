"""Question files: what is read from a line, and what is wrong with it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from rulespal_chat.evaluation.model import EvalQuestion, Numeric, Place
from rulespal_chat.evaluation.questions import LONGEST_LINE, read_questions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from rulespal_chat.evaluation.model import QuestionProblem

    Read = tuple[Sequence[EvalQuestion], Sequence[QuestionProblem]]

SHORT: dict[str, Any] = {
    "id": "toads-1",
    "game": "toad-well",
    "kind": "lookup",
    "question": "How many Toads win?",
    "answer": "3 Toads.",
    "must_include": [["3", "three"]],
}


def line(**fields: Any) -> bytes:  # noqa: ANN401  (whatever JSON can hold)
    return json.dumps(SHORT | fields).encode() + b"\n"


@pytest.fixture
def read(tmp_path: Path) -> Callable[..., Read]:
    """Reads files with these contents, which are toads-1.jsonl, toads-2.jsonl and so on."""

    def write_and_read(*contents: bytes) -> Read:
        paths = [tmp_path / f"toads-{n}.jsonl" for n, _ in enumerate(contents, start=1)]
        for path, content in zip(paths, contents, strict=True):
            path.write_bytes(content)
        return read_questions(paths)

    return write_and_read


def one(read: Read) -> EvalQuestion:
    (question,), problems = read
    assert list(problems) == []
    return question


def places(problems: Sequence[QuestionProblem], folder: Path) -> list[str]:
    return [str(problem).removeprefix(f"{folder}/") for problem in problems]


def test_every_field_of_a_line_is_read(read: Callable[..., Read], tmp_path: Path) -> None:
    full = line(
        role="The Witch",
        difficulty="hard",
        group="goal",
        split="tune",
        turns=["I am the Witch."],
        status=["answered", "partly"],
        must_not_include=["5"],
        sections=["The Witch > How to Win", {"game": "toads", "section": "Scoring"}],
        sections_all=[{"section": "The Witch"}],
        related_sections=[{"game": None, "section": "Scoring"}],
        numeric={"value": 3, "rule": "witch.goal", "output": "goal", "inputs": {}, "result": 3},
        alt_correct="Three.",
        wrong_example="5 Toads.",
    )
    assert one(read(full)) == EvalQuestion(
        id="toads-1",
        question="How many Toads win?",
        answer="3 Toads.",
        kind="lookup",
        game="toad-well",
        role="The Witch",
        difficulty="hard",
        group="goal",
        split="tune",
        statuses=("answered", "partly"),
        must_include=(("3", "three"),),
        must_not_include=("5",),
        sections=(Place("toad-well", "The Witch > How to Win"), Place("toads", "Scoring")),
        sections_all=(Place("toad-well", "The Witch"),),
        related_sections=(Place("toad-well", "Scoring"),),
        numeric=(Numeric("witch.goal", "goal", {}, 3),),
        turns=("I am the Witch.",),
        alt_correct="Three.",
        wrong_example="5 Toads.",
        file=str(tmp_path / "toads-1.jsonl"),
        line=1,
    )


def test_a_short_line_is_enough_and_null_is_as_good_as_left_out(
    read: Callable[..., Read],
) -> None:
    short = one(read(line()))
    assert (short.split, short.difficulty, short.role, short.group) == ("test", "medium", None, "")
    nulls = dict.fromkeys(("role", "group", "numeric", "turns", "sections", "status", "split"))
    assert one(read(line(**nulls))) == short


@pytest.mark.parametrize(
    ("kind", "status", "expected"),
    [
        ("lookup", None, ("answered",)),
        ("unanswerable", None, ("not_in_rulebook", "partly")),
        ("out_of_scope", None, ("out_of_scope",)),
        ("ambiguous_role", None, ("needs_input", "answered", "partly")),
        ("unanswerable", "partly", ("partly",)),
        ("lookup", ["disputed", "answered"], ("disputed", "answered")),
    ],
)
def test_the_kind_says_which_statuses_are_right_unless_the_line_does(
    read: Callable[..., Read], kind: str, status: object, expected: tuple[str, ...]
) -> None:
    assert one(read(line(kind=kind, status=status))).statuses == expected


def test_a_value_that_no_rule_gives_is_for_readers(read: Callable[..., Read]) -> None:
    assert one(read(line(numeric={"value": 3.5, "inputs": {"players": 2}}))).numeric == ()


def test_further_values_follow_the_first_and_lists_are_tuples(read: Callable[..., Read]) -> None:
    storm = {"rule": "well.storm", "output": "lost", "inputs": {"held": [[5, 5], 3, True]}}
    goal = {"rule": "witch.goal", "output": "goal", "inputs": {"goal": 8, "moon": "full"}}
    numeric = {
        **storm,
        "result": [2, [0]],
        "also": [
            {**goal, "result": 4, "inverse": "players", "pick": "min"},
            {**storm, "result": None, "possible": [1, 2]},
        ],
    }
    held = {"held": ((5, 5), 3, True)}
    assert one(read(line(numeric=numeric))).numeric == (
        Numeric("well.storm", "lost", held, (2, (0,))),
        Numeric("witch.goal", "goal", {"goal": 8, "moon": "full"}, 4, "players", "min"),
        Numeric("well.storm", "lost", held, None, possible=(1, 2)),
    )


RULE = {"rule": "witch.goal", "output": "goal", "inputs": {}, "result": 3}
NO_VALUE = "it isn't a whole number up to a million, true, false, a text or a list of these"


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"question": None}, "question: it is missing"),
        ({"question": 7}, "question: it isn't a text"),
        ({"question": " ?! "}, "question: it has no words"),
        ({"question": "toad " * 500}, "question: it is longer than 2,000 characters"),
        ({"turns": ["And now?", "…"]}, "turns.1: it has no words"),
        ({"answer": "  "}, "answer: it is blank"),
        ({"id": "a\u001b[31mb"}, "id: it has signs that can't be shown, or odd spaces"),
        ({"id": "a" * 101}, "id: it is longer than 100 characters"),
        ({"difficulty": "so-so"}, "difficulty: it isn't 'easy', 'medium' or 'hard'"),
        ({"split": "train"}, "split: it isn't 'tune' or 'test'"),
        ({"status": []}, "status: it is empty"),
        ({"must_include": []}, "must_include: it is empty"),
        ({"must_include": [["3"], []]}, "must_include.1: it is empty"),
        ({"must_include": [["3", " "]]}, "must_include.0.1: it is blank"),
        ({"must_include": ["3"]}, "must_include.0: it isn't a list"),
        ({"must_exclude": ["5"]}, "must_exclude: a question has no such field"),
        ({"sections": "The Witch"}, "sections: it isn't a list"),
        ({"sections": [7]}, "sections.0: it isn't an object with fields"),
        ({"sections": [{"game": "toads"}]}, "sections.0.section: it is missing"),
        ({"game": 7, "sections": ["The Witch"]}, "game: it isn't a text"),
        (
            {"game": None, "sections": ["The Witch"]},
            "sections: a section without a game, as the question has none",
        ),
        ({"numeric": 3}, "numeric: it isn't an object with fields"),
        ({"numeric": {**RULE, "output": None}}, "numeric: it has a rule, but no output"),
        (
            {"numeric": {**RULE, "result": None}},
            "numeric: it has a rule, but no result and nothing possible",
        ),
        (
            {"numeric": {**RULE, "inverse": "players"}},
            "numeric: it asks backwards, but its output isn't an input",
        ),
        ({"numeric": {**RULE, "pick": "least"}}, "numeric.pick: it isn't 'min' or 'max'"),
        ({"numeric": {**RULE, "result": 1.5}}, f"numeric.result: {NO_VALUE}"),
        ({"numeric": {**RULE, "inputs": {"a": 10**7}}}, f"numeric.inputs.a: {NO_VALUE}"),
        ({"numeric": {**RULE, "inputs": {"a": [None]}}}, f"numeric.inputs.a: {NO_VALUE}"),
        ({"numeric": {**RULE, "also": [{"result": {}}]}}, f"numeric.also.0.result: {NO_VALUE}"),
    ],
)
def test_a_wrong_field_is_named_with_its_line(
    read: Callable[..., Read], tmp_path: Path, fields: dict[str, Any], problem: str
) -> None:
    kept, problems = read(line(id="toads-0") + line(**fields) + line(id="toads-2"))
    assert [question.id for question in kept] == ["toads-0", "toads-2"]
    field, _, told = problem.partition(": ")
    assert places(problems, tmp_path) == [f"toads-1.jsonl, line 2, {field}: {told}"]


@pytest.mark.parametrize(
    ("fields", "beginning", "end"),
    [
        ({"kind": "look\u001bup"}, "kind: 'lookup' is none of lookup, numeric,", "ambiguous_role"),
        (
            {"status": "silent"},
            "status.0: 'silent' isn't answered, partly, not_in_rulebook,",
            "or out_of_scope",
        ),
    ],
)
def test_an_unknown_name_is_answered_with_those_that_there_are(
    read: Callable[..., Read], fields: dict[str, Any], beginning: str, end: str
) -> None:
    _, (problem,) = read(line(**fields))
    told = f"{problem.field}: {problem.problem}"
    assert told.startswith(beginning)
    assert told.endswith(end)


def test_all_wrong_fields_of_a_line_are_named(read: Callable[..., Read]) -> None:
    _, problems = read(line(kind="guess", answer=None, split=1))
    assert {problem.field for problem in problems} == {"kind", "answer", "split"}


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        (b"\n", "it is blank"),
        (b" \t\r\n", "it is blank"),
        (b'{"id": "caf\xe9"}\n', "it isn't UTF-8 at byte 12"),
        (b'{"id": }\n', "it isn't JSON: expected value at character 8"),
        (b'["id"]\n', "it isn't an object with fields"),
        (b'{"id": "' + b"x" * LONGEST_LINE + b'"}\n', "it is longer than 65,536 bytes"),
        (b"x" * (3 * LONGEST_LINE) + b"\n", "it is longer than 65,536 bytes"),
    ],
)
def test_a_line_that_is_no_question_is_named_and_the_rest_is_kept(
    read: Callable[..., Read], tmp_path: Path, bad: bytes, problem: str
) -> None:
    kept, problems = read(line(id="toads-0") + bad + line(id="toads-2"))
    assert [(question.id, question.line) for question in kept] == [("toads-0", 1), ("toads-2", 3)]
    assert places(problems, tmp_path) == [f"toads-1.jsonl, line 2: {problem}"]


@pytest.mark.parametrize("deep", [b"[" * 5000, b'{"id": ' * 5000, b"9" * 5000])
def test_hostile_json_is_a_problem_of_its_line(read: Callable[..., Read], deep: bytes) -> None:
    kept, problems = read(deep + b"\n" + line())
    assert [question.id for question in kept] == ["toads-1"]
    assert [problem.line for problem in problems] == [1]


def test_a_problem_shows_nothing_that_could_fool_a_terminal(read: Callable[..., Read]) -> None:
    _, problems = read(line(**{"\u001b[2J" + "x" * 999: 1, "kind": "\u001b[2J" + "y" * 999}))
    assert len(problems) == 2
    assert all(str(problem).isprintable() for problem in problems)
    assert all(len(str(problem)) < 600 for problem in problems)


def test_an_id_counts_for_all_files_and_the_first_one_has_it(
    read: Callable[..., Read], tmp_path: Path
) -> None:
    kept, problems = read(line(id="a") + line(), line(answer="4 Toads.", must_include=[["4"]]))
    assert [(question.id, question.answer) for question in kept] == [
        ("a", "3 Toads."),
        ("toads-1", "3 Toads."),
    ]
    assert places(problems, tmp_path) == [
        f"toads-2.jsonl, line 1, id: 'toads-1' is that of {tmp_path}/toads-1.jsonl, line 2"
    ]


def test_files_that_cant_be_read_are_problems(read: Callable[..., Read], tmp_path: Path) -> None:
    _, problems = read(b"")
    assert places(problems, tmp_path) == ["toads-1.jsonl: it has no questions"]
    _, problems = read_questions([tmp_path / "nowhere.jsonl", tmp_path])
    assert places(problems, tmp_path.parent) == [
        f"{tmp_path.name}/nowhere.jsonl: it can't be read: No such file or directory",
        f"{tmp_path.name}: it can't be read: Is a directory",
    ]


def test_a_file_may_come_from_another_system(read: Callable[..., Read]) -> None:
    windows = b"\xef\xbb\xbf" + line(id="a").replace(b"\n", b"\r\n") + line(id="b").rstrip()
    kept, problems = read(windows)
    assert [question.id for question in kept] == ["a", "b"]
    assert problems == ()
