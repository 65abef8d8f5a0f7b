"""A question set is proved sound: each of its golds, and the set as a whole."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.corpus.library import load_library
from rulespal_chat.evaluation.linting import lint
from rulespal_chat.evaluation.model import EvalQuestion, Numeric, Place
from rulespal_chat.evaluation.questions import read_questions
from rulespal_chat.rules.engine import Engine
from rulespal_chat.types import Library

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset

    Problems = Callable[..., list[str]]

QUESTIONS = Path(__file__).parent.parent / "evals" / "questions"
GOAL = Place("toad-well", "The Witch > How to Win")
SOUND = EvalQuestion(
    id="a",
    question="How many Toads for 4 players under the full Moon?",
    answer="8 Toads.",
    kind="numeric",
    game="toad-well",
    role="The Witch",
    group="goal",
    must_include=(("8", "eight"),),
    sections=(GOAL,),
    numeric=(Numeric("witch.goal", "toads_to_win", {"players": 4, "moon": "full"}, 8),),
    alt_correct="Eight of them.",
    wrong_example="7 Toads.",
    file="toads.jsonl",
    line=7,
)
SILENCE = replace(
    SOUND, kind="unanswerable", statuses=("not_in_rulebook",), sections=(), numeric=(),
    related_sections=(GOAL,),
)  # fmt: skip


@pytest.fixture
def problems(toad_rules: Ruleset) -> Problems:
    """What isn't sound about questions on the toads: fields and problems."""
    library = Library((toad_rules.book,))
    engine = Engine(library)

    def linted(*questions: EvalQuestion, covered: tuple[str, ...] = ()) -> list[str]:
        found = lint(questions, library, engine, covered=covered)
        return [f"{problem.field}: {problem.problem}" for problem in found]

    return linted


def test_a_sound_question_has_no_problem(problems: Problems) -> None:
    assert problems(SOUND) == []
    assert problems(SILENCE) == []
    assert problems(replace(SOUND, role="multiple", wrong_example="", alt_correct="")) == []


def test_a_problem_says_where_the_question_stands(toad_rules: Ruleset) -> None:
    library = Library((toad_rules.book,))
    wrong = replace(SOUND, answer="7 Toads.")
    assert [str(problem) for problem in lint([wrong], library, Engine(library))] == [
        "toads.jsonl, line 7, answer: a: it fails the question's own check"
    ]


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"alt_correct": "Nine."}, "alt_correct: a: it fails the question's own check"),
        (
            {"wrong_example": "Eight, or more."},
            "wrong_example: a: it passes the question's check",
        ),
        ({"must_not_include": ("toads",)}, "answer: a: it fails the question's own check"),
        ({"role": "The Toads"}, "role: a: 'The Toads' is no role of toad-well"),
        (
            {"sections": (Place("toad-well", "How to Win"),)},
            "sections: a: toad-well has no section 'How to Win'",
        ),
        (
            {"sections_all": (GOAL, Place("toads", "Scoring"))},
            "sections_all: a: no book in the library is 'toads'",
        ),
        (
            {"related_sections": (Place("toad-well", "Frogs"),)},
            "related_sections: a: toad-well has no section 'Frogs'",
        ),
        ({"sections": ()}, "sections: a: no section is gold, while the book answers it"),
        (
            {"statuses": ("not_in_rulebook",)},
            "status: a: a right answer to one of kind numeric may be none of: "
            "answered, disputed, needs_input, partly",
        ),
    ],
)
def test_what_a_question_takes_for_gold_has_to_be_right(
    problems: Problems, changes: dict[str, Any], problem: str
) -> None:
    assert problems(replace(SOUND, **changes)) == [problem]


def test_a_question_is_about_a_book_that_is_there_or_about_none(problems: Problems) -> None:
    elsewhere = replace(SOUND, game="toads", numeric=())
    assert problems(elsewhere) == ["game: a: no book in the library is 'toads'"]
    assert problems(replace(SOUND, game=None, role=None, sections=())) == []


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        (
            {"statuses": ("answered", "out_of_scope"), "sections": (GOAL,)},
            "sections: a: one of kind unanswerable has related_sections, not sections",
        ),
        ({"numeric": SOUND.numeric}, "numeric: a: one of kind unanswerable has no value"),
        (
            {"statuses": ("answered",)},
            "status: a: a right answer to one of kind unanswerable may be none of: "
            "not_in_rulebook, out_of_scope, partly",
        ),
        (
            {"kind": "out_of_scope", "statuses": ("partly",)},
            "status: a: a right answer to one of kind out_of_scope may be none of: "
            "not_in_rulebook, out_of_scope",
        ),
    ],
)
def test_a_question_without_an_answer_expects_silence(
    problems: Problems, changes: dict[str, Any], problem: str
) -> None:
    assert problems(replace(SILENCE, **changes)) == [problem]


FULL: dict[str, Value] = {"players": 4, "moon": "full"}
BACK: dict[str, Value] = {"toads_to_win": 8, "moon": "full"}


@pytest.mark.parametrize(
    "gold",
    [
        Numeric("witch.start", "begins", {}, "witch"),
        Numeric("toad.worth", "worth", {"golden": False}, 1),
        Numeric("well.storm", "toads_lost", {"toads_held": (5, 5, 3)}, (2, 2, 0)),
        Numeric("well.overflow", "overflows", {"dice": (2, 3, 3)}, True),
        Numeric("toad.hop", "spaces", {"golden": True}, None, possible=(0, 2)),
        Numeric("toad.worth", "worth", {"worth": 2}, True, inverse="golden"),
        Numeric("witch.goal", "toads_to_win", {**BACK, "toads_to_win": 7}, 3, inverse="players"),
        Numeric("witch.goal", "toads_to_win", BACK, 4, inverse="players", pick="min"),
        Numeric("witch.goal", "toads_to_win", BACK, 5, inverse="players", pick="max"),
    ],
)
def test_a_gold_value_may_be_any_that_a_rule_gives(problems: Problems, gold: Numeric) -> None:
    assert problems(replace(SOUND, numeric=(gold,))) == []


@pytest.mark.parametrize(
    ("gold", "problem"),
    [
        (Numeric("witch.goal", "toads_to_win", FULL, 7), "numeric: a: toads_to_win is 8, not 7"),
        (
            Numeric("toad.worth", "worth", {"golden": False}, True),
            "numeric: a: worth is 1, not True",
        ),
        (
            Numeric("well.storm", "toads_lost", {"toads_held": (5, 5, 3)}, (2, 2)),
            "numeric: a: toads_lost is (2, 2, 0), not (2, 2)",
        ),
        (
            Numeric("toad.hop", "spaces", {"golden": True}, None, possible=(0, 1)),
            "numeric: a: spaces may be (0, 2), not (0, 1)",
        ),
        (
            Numeric("toad.price", "price", {}, 3),
            "numeric: a: price is open: the price of a potion stands on its card, not 3",
        ),
        (
            Numeric("witch.goal", "toads_to_win", BACK, 4, inverse="players"),
            "numeric: a: players is 4 or 5, not 4",
        ),
        (
            Numeric("witch.goal", "toads_to_win", BACK, 5, inverse="players", pick="min"),
            "numeric: a: players is 4, not 5",
        ),
        (
            Numeric("toad.worth", "worth", {"worth": 2}, 1, inverse="golden"),
            "numeric: a: golden is True, not 1",
        ),
        (
            Numeric("toad.worth", "worth", {"worth": 7}, True, inverse="golden", pick="min"),
            "numeric: a: golden is nothing that fits, not True",
        ),
        (
            Numeric("well.splash", "splash", {"splash": 7}, (3, 4), inverse="dice"),
            "numeric: a: dice is nothing that fits or more, not (3, 4)",
        ),
        (
            Numeric("witch.goal", "toads_to_win", {"moon": "full"}, 4, inverse="players"),
            "numeric: a: no value of toads_to_win is told, from which players follows",
        ),
        (
            Numeric("witch.goal", "toads_to_win", {**FULL, "player": 4}, 8),
            "numeric.inputs: a: toad-well can't have player=4",
        ),
        (
            Numeric("witch.goal", "toads_to_win", {"players": 9, "moon": "dim"}, 8),
            "numeric.inputs: a: toad-well can't have moon=dim or players=9",
        ),
        (
            Numeric("witch.goal", "toads_to_win", {"toads_to_win": (8,)}, 4, inverse="players"),
            "numeric.inputs: a: toad-well can't have toads_to_win=(8,)",
        ),
        (
            Numeric("witch.goal", "toads", FULL, 8),
            "numeric.output: a: witch.goal has no output 'toads'",
        ),
    ],
)
def test_a_gold_value_is_what_a_rule_gives_and_nothing_else(
    problems: Problems, gold: Numeric, problem: str
) -> None:
    assert problems(replace(SOUND, numeric=(gold,))) == [problem]


def test_a_rule_that_is_not_there_is_named(problems: Problems) -> None:
    (problem,) = problems(replace(SOUND, numeric=(Numeric("witch.gaol", "goal", {}, 8),)))
    assert problem.startswith("numeric.rule: a: No rule is called 'witch.gaol'")


def test_a_value_comes_from_the_book_that_the_question_is_about() -> None:
    library = load_library(Path("nowhere"))
    crossed = EvalQuestion(
        id="x", question="How much Fury?", answer="12", kind="numeric", game="evil-corp",
        sections=(Place("evil-corp", "Gameplay"),),
        numeric=(Numeric("ghoul.fury_goal", "fury_goal", {"players": 5}, 12),),
    )  # fmt: skip
    found = lint([crossed], library, Engine(library), covered=())
    assert [problem.problem for problem in found] == [
        "x: ghoul.fury_goal is a rule of vast-the-fearsome-foes"
    ]


def test_an_id_is_there_once(problems: Problems) -> None:
    assert problems(SOUND, SOUND) == ["id: a: another question has this id"]


def tune_and_test(one: str, other: str) -> tuple[EvalQuestion, EvalQuestion]:
    return (
        replace(SOUND, id="a", group="", split="tune", question=one),
        replace(SOUND, id="b", group="", split="test", question=other),
    )


def test_a_group_lies_in_one_split_and_is_told_once(problems: Problems) -> None:
    a, b = tune_and_test("How many Toads win?", "When does the Witch stop?")
    a, b = replace(a, group="win"), replace(b, group="win")
    c = replace(b, id="c", question="Who begins?")
    assert problems(a, b, c) == ["group: b: 'win' is in test, and with a in tune"]
    assert problems(replace(a, split="test"), b, c) == []


@pytest.mark.parametrize(
    ("one", "other", "is_near"),
    [
        ("How many Toads does the Witch need to win?", "to win, the witch needs how many toads", True),
        ("how many cards do I draw with 4 players", "How many cards drawn for 4 players?", True),
        ("How does the Witch win?", "How does the Old Witch win with a Toad?", False),
        ("What does a golden Toad count?", "What does a golden Toad cost?", False),
        ("why?", "when?", False),  # nothing but words that stand in all questions
    ],
)  # fmt: skip
def test_no_question_of_one_split_is_nearly_one_of_the_other(
    problems: Problems, one: str, other: str, is_near: bool
) -> None:
    a, b = tune_and_test(one, other)
    told = ["question: b: nearly the same as a of the tune split"] if is_near else []
    assert problems(a, b) == problems(b, a) == told
    assert problems(replace(a, split="test"), b) == []


def test_what_was_asked_before_tells_questions_apart(problems: Problems) -> None:
    a, b = tune_and_test("And under the full Moon?", "and under the full Moon?")
    a = replace(a, turns=("How many Toads does the Witch need to win?",))
    assert problems(a, replace(b, turns=("Who begins in a game of 4 players?",))) == []
    assert len(problems(a, replace(b, turns=a.turns))) == 1


def test_every_heading_with_a_text_is_gold_of_some_question(toad_rules: Ruleset) -> None:
    library = Library((toad_rules.book,))
    others = [s.name for s in toad_rules.book.sections if s.statements and s.name != GOAL.section]
    assert len(others) == 5
    covering = replace(
        SILENCE, id="b", group="", related_sections=tuple(Place("toad-well", n) for n in others[2:])
    )
    found = lint([SOUND, covering], library, Engine(library), covered=["toad-well"])
    lines = {s.name: s.lines[0] for s in toad_rules.book.sections}
    assert [str(problem) for problem in found] == [
        f"toad-well/rulebook.md, line {lines[name]}: no question is about '{name}'"
        for name in others[:2]
    ]


def test_only_packaged_books_that_are_asked_about_have_to_be_covered(
    toad_rules: Ruleset,
) -> None:
    library = load_library(Path("nowhere"))
    assert lint([SOUND], Library((toad_rules.book,)), Engine(Library((toad_rules.book,)))) == ()
    place = Place("evil-corp", "Gameplay")
    asked = replace(SOUND, game=None, role=None, numeric=(), sections=(place,))
    found = lint([asked], library, Engine(library))
    assert {problem.file for problem in found} == {"evil-corp/rulebook.md"}
    assert not [problem for problem in found if "'Gameplay'" in problem.problem]


def test_the_questions_on_the_packaged_books_are_sound() -> None:
    questions, unread = read_questions(sorted(QUESTIONS.glob("*.jsonl")))
    library = load_library(Path("nowhere"))
    covered = [book.id for book in library.books]
    found = lint(questions, library, Engine(library), covered=covered)
    assert [str(problem) for problem in (*unread, *found)] == []
