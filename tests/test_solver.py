"""What the solver says of claims, and what it finds backwards, on rules computed by hand."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from typing import TYPE_CHECKING

import pytest
from toad_rules import TOAD_RULES, TOAD_WELL, read_toad_rules
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.rules import solver
from rulespal_chat.rules.expressions import BOOL, INT, evaluate, parse, type_of
from rulespal_chat.rules.model import Input, Output, Row, Rule, Ruleset, Step
from rulespal_chat.rules.results import Claim, Verdict
from rulespal_chat.rules.solver import Problem, prove, solve

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rulespal_chat.rules.model import State
    from rulespal_chat.types import Pick, Rulebook

AGREES, CONTRADICTS = Verdict.AGREES, Verdict.CONTRADICTS
UNDETERMINED, INCONSISTENT = Verdict.UNDETERMINED, Verdict.INCONSISTENT

NEEDS = "The Witch needs the Toads of the Moon and 1 for each player."
CAP = "No more than 8 Toads are ever needed."
FOR_TWO = "This goal is for games of 2 or more players."
NO_BLOOD = "With 5 players there is no blood Moon."
NEW, FULL, BLOOD = "Moon: New; Toads: 3", "Moon: Full; Toads: 4", "Moon: Blood; Toads: 5"
PLAYERS = "Toad Quest is for 1 to 5 players."
SPLASH = "Roll 2 or 3 dice and add them up: this is the splash."


def texts(picks: tuple[Pick, ...]) -> set[str]:
    return {pick.statement.text for pick in picks}


def goal(operator: str, toads: int) -> Claim:
    return Claim("toads_to_win", operator, toads)


@pytest.mark.parametrize(
    ("state", "claim", "verdict"),
    [
        # 3 for the new Moon, 4 for the full one, 5 for the blood Moon, and 1 for each player
        ({"players": 2, "moon": "new"}, goal("==", 5), AGREES),
        ({"players": 2, "moon": "new"}, goal("==", 6), CONTRADICTS),
        ({"players": 2, "moon": "full"}, goal("!=", 5), AGREES),
        ({"players": 2, "moon": "full"}, goal("<", 6), CONTRADICTS),
        ({"players": 2, "moon": "full"}, goal("<=", 6), AGREES),
        ({"players": 2, "moon": "full"}, goal(">", 6), CONTRADICTS),
        ({"players": 2, "moon": "full"}, goal(">=", 6), AGREES),
        # 2, 3, 4 or 5 players
        ({"moon": "full"}, goal("==", 6), UNDETERMINED),
        ({"moon": "full"}, goal(">=", 6), AGREES),
        ({"moon": "full"}, goal("<", 6), CONTRADICTS),
        ({"moon": "full"}, goal("<=", 8), AGREES),
        ({"moon": "full"}, goal(">", 6), UNDETERMINED),
        # at most 8
        ({"players": 5, "moon": "full"}, goal("==", 8), AGREES),
        ({"players": 5, "moon": "full"}, goal("==", 9), CONTRADICTS),
    ],
)
def test_a_claim_agrees_if_it_holds_in_all_states_and_contradicts_if_in_none(
    toad_rules: Ruleset, state: State, claim: Claim, verdict: Verdict
) -> None:
    assert prove(toad_rules, toad_rules.rules["witch.goal"], state, claim).verdict is verdict


CHECKS: list[tuple[str, State, Claim, Verdict]] = [
    ("witch.start", {"moon": "new"}, Claim("begins", "==", "witch"), AGREES),
    ("witch.start", {"moon": "full"}, Claim("begins", "==", "witch"), CONTRADICTS),
    ("witch.start", {"moon": "full"}, Claim("begins", "!=", "witch"), AGREES),
    ("toad.hop", {"golden": False}, Claim("spaces", "==", 2), AGREES),
    ("toad.hop", {"golden": True}, Claim("spaces", "==", 2), UNDETERMINED),
    ("toad.hop", {"golden": True, "golden_hops": "stays"}, Claim("spaces", "==", 2), CONTRADICTS),
    ("well.overflow", {"pips": 12}, Claim("overflows", "==", True), AGREES),
    ("well.overflow", {"pips": 9}, Claim("overflows", "==", True), UNDETERMINED),
    ("well.overflow", {"pips": 9, "dice_rolled": 2}, Claim("overflows", "==", True), CONTRADICTS),
    ("well.overflow", {"pips": 9, "dice_rolled": 3}, Claim("overflows", "!=", False), AGREES),
    ("toad.price", {}, Claim("price", "==", 3), UNDETERMINED),
    ("toad.price", {"golden": True}, Claim("double_price", "==", 4), UNDETERMINED),
    ("toad.price", {"golden": False}, Claim("double_price", "==", 1), AGREES),
    ("well.splash", {}, Claim("splash", "==", 7), UNDETERMINED),
    ("well.splash", {"dice": (2, 5)}, Claim("splash", "==", 7), AGREES),
    ("well.splash", {"dice": (2, 5)}, Claim("splash", "==", 8), CONTRADICTS),
    ("well.depth", {"here": (0, 0), "toads_at": ((2, 1), (3, 3))}, Claim("depth", "==", 2), AGREES),
]


@pytest.mark.parametrize(("rule", "state", "claim", "verdict"), CHECKS)
def test_words_choices_algorithms_and_what_stands_on_cards_are_judged_too(
    toad_rules: Ruleset, rule: str, state: State, claim: Claim, verdict: Verdict
) -> None:
    assert prove(toad_rules, toad_rules.rules[rule], state, claim).verdict is verdict


@pytest.mark.parametrize(
    ("rule", "state", "claim", "refuted_by"),
    [
        ("witch.goal", {"players": 2, "moon": "new"}, goal("==", 6), {NEW, NEEDS}),
        ("witch.goal", {"players": 4, "moon": "blood"}, goal("<", 8), {BLOOD, NEEDS, CAP}),
        # whatever the Moon and the number of players are, it isn't more than 8
        ("witch.goal", {}, goal("==", 9), {NEEDS, CAP}),
        ("well.splash", {"dice": (2, 5)}, Claim("splash", "==", 8), {SPLASH}),
        ("toad.hop", {"golden": False}, Claim("spaces", "==", 0), {"A Toad hops 2 spaces."}),
    ],
)
def test_a_claim_is_refuted_by_the_statements_that_it_takes_and_no_more(
    toad_rules: Ruleset, rule: str, state: State, claim: Claim, refuted_by: set[str]
) -> None:
    proof = prove(toad_rules, toad_rules.rules[rule], state, claim, assume=False)
    assert proof.verdict is CONTRADICTS
    assert texts(proof.picks) == refuted_by
    assert len(proof.picks) == len(refuted_by)


@pytest.mark.parametrize(("state", "claim"), [({"players": 2}, goal("==", 5)), ({}, goal("==", 5))])
def test_only_a_contradiction_has_statements(
    toad_rules: Ruleset, state: State, claim: Claim
) -> None:
    assert prove(toad_rules, toad_rules.rules["witch.goal"], state, claim).picks == ()


@pytest.mark.parametrize(
    ("state", "refused_by"),
    [
        ({"players": 1}, {FOR_TWO}),
        ({"players": 5, "moon": "blood"}, {NO_BLOOD}),
        ({"players": 6, "moon": "full"}, {PLAYERS}),
    ],
)
@pytest.mark.parametrize("claim", [goal("==", 8), goal("==", 99), goal("!=", 99)])
def test_a_state_that_cant_be_is_found_before_any_claim_about_it(
    toad_rules: Ruleset, state: State, refused_by: set[str], claim: Claim
) -> None:
    proof = prove(toad_rules, toad_rules.rules["witch.goal"], state, claim)
    assert proof.verdict is INCONSISTENT
    assert texts(proof.picks) == refused_by


def test_the_books_standard_is_assumed_where_nothing_is_said(toad_rules: Ruleset) -> None:
    rule = toad_rules.rules["witch.goal"]
    assert prove(toad_rules, rule, {"players": 2}, goal("==", 5)).verdict is AGREES
    without = prove(toad_rules, rule, {"players": 2}, goal("==", 5), assume=False)
    assert without.verdict is UNDETERMINED


def test_an_assumption_gives_way_to_what_is_known(add_book: Callable[[str, str], Path]) -> None:
    changed = TOAD_RULES.replace("moon == 'blood' and", "moon == 'new' and")
    rules = read_toad_rules(add_book("toad-well", TOAD_WELL), changed)
    rule = rules.rules["witch.goal"]
    # with 5 players it can't be the new Moon, so that it is 4 + 5 or 5 + 5, and 8 is the most
    assert prove(rules, rule, {"players": 5}, goal("==", 8)).verdict is AGREES
    assert prove(rules, rule, {"players": 4}, goal("==", 7)).verdict is AGREES
    given = prove(rules, rule, {"players": 5, "moon": "new"}, goal("==", 8))
    assert given.verdict is INCONSISTENT
    assert texts(given.picks) == {NO_BLOOD}


@pytest.mark.parametrize(
    ("state", "claim", "states"),
    [
        ({}, goal("==", 5), [{"moon": "new", "players": 2}]),
        ({"moon": "new"}, goal("==", 8), [{"players": 5}]),
        ({"moon": "full"}, goal("==", 8), [{"players": 4}, {"players": 5}]),
        ({"players": 5}, goal("==", 8), [{"moon": "new"}, {"moon": "full"}]),
        (
            {},
            goal(">", 7),
            [
                {"moon": "new", "players": 5},
                {"moon": "full", "players": 4},
                {"moon": "full", "players": 5},
                {"moon": "blood", "players": 3},
                {"moon": "blood", "players": 4},
            ],
        ),
        ({"moon": "new", "players": 2}, goal("==", 5), [{}]),
    ],
)
def test_all_states_in_which_a_claim_is_true_are_found_in_order(
    toad_rules: Ruleset, state: State, claim: Claim, states: list[State]
) -> None:
    solution = solve(toad_rules, toad_rules.rules["witch.goal"], state, claim)
    assert [dict(found) for found in solution.states] == states
    assert solution.is_complete
    assert solution.forbidden_by == ()


def test_a_state_leaves_out_what_doesnt_matter_in_it(toad_rules: Ruleset) -> None:
    solution = solve(toad_rules, toad_rules.rules["toad.hop"], {}, Claim("spaces", "==", 2))
    found = [dict(state) for state in solution.states]
    assert found == [{"golden": False}, {"golden": True, "golden_hops": "hops"}]


@pytest.mark.parametrize(
    ("claim", "forbidden_by"),
    [
        (goal("==", 9), {NEEDS, CAP}),
        # with 1 player it would be 4; with 2 it is 3, 4 or 5 and 2, or else 8
        (goal("==", 4), {NEEDS, CAP, FOR_TWO, NEW, FULL, BLOOD}),
    ],
)
def test_what_can_never_be_is_forbidden_by_statements(
    toad_rules: Ruleset, claim: Claim, forbidden_by: set[str]
) -> None:
    solution = solve(toad_rules, toad_rules.rules["witch.goal"], {}, claim)
    assert solution.states == ()
    assert solution.is_complete
    assert texts(solution.forbidden_by) == forbidden_by


def test_threads_get_the_right_verdicts(toad_rules: Ruleset) -> None:
    def judge(place: int) -> Verdict:
        rule, state, claim, _ = CHECKS[place % len(CHECKS)]
        return prove(toad_rules, toad_rules.rules[rule], state, claim).verdict

    with ThreadPoolExecutor(8) as threads:
        verdicts = list(threads.map(judge, range(8 * 30)))
    assert verdicts == [CHECKS[place % len(CHECKS)][3] for place in range(8 * 30)]


def made(book: Rulebook, value: str, low: int, high: int) -> tuple[Ruleset, Rule]:
    """A rule whose result is an expression of the ints a, b and c, and the bool p."""
    inputs = {name: Input(name, INT, "?", low=low, high=high) for name in "abc"}
    inputs["p"] = Input("p", BOOL, "?")
    expression = parse(value)
    kind = type_of(expression, {name: given.type for name, given in inputs.items()})
    step = Step("result", kind, (Row(None, expression, ()),))
    used = tuple(sorted(expression.names))
    rule = Rule("a.rule", "", "", used, (Output("result", kind),), (step,))
    return Ruleset(book, inputs, {rule.id: rule}, {step.name: step}), rule


@pytest.mark.parametrize(
    "expression",
    [
        "a + b", "a - b", "a * b", "-a", "a // 2", "a % 3", "abs(a)", "min(a, b, 1)", "max(a, b)",
        "max(0, a, b)", "a if p else b", "a if a < b else 7", "a == b", "a != b", "a < b", "a <= b",
        "a > b", "a >= b", "-2 < a <= b < 3", "a in [0, 2]", "p and a > b", "p or a > b", "not p",
        "not p and not a == 2 or b > 0", "p == (a > b)", "true if p else a > 0", "a - (b - a) * 2",
    ],
)  # fmt: skip
def test_an_expression_means_the_same_to_the_solver_and_the_evaluator(
    toads: Rulebook, expression: str
) -> None:
    import z3

    rules, rule = made(toads, expression, -4, 4)
    problem = Problem(rules, rule, "result", {}, assume=False)
    terms = [problem.terms[name] for name in rule.inputs]
    differs = []
    for values in product(*(rules.inputs[name].domain for name in rule.inputs)):
        right = evaluate(parse(expression), dict(zip(rule.inputs, values, strict=True)).__getitem__)
        here = [term == value for term, value in zip(terms, values, strict=True)]
        differs.append(z3.And(*here, problem.claimed(Claim("result", "!=", right))))
    assert problem.state_with(z3.Or(differs)) is None
    assert not problem.gave_up
    assert problem.state_with(z3.Not(z3.Or(differs))) is not None


@pytest.mark.parametrize(("a", "half", "rest"), [(-5, -3, 1), (-1, -1, 1), (0, 0, 0), (3, 1, 1)])
def test_division_rounds_down(toads: Rulebook, a: int, half: int, rest: int) -> None:
    for value, right in (("a // 2", half), ("a % 2", rest)):
        rules, rule = made(toads, value, -9, 9)
        assert prove(rules, rule, {"a": a}, Claim("result", "==", right)).verdict is AGREES


def test_what_takes_too_long_is_undetermined(
    toads: Rulebook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(solver, "TIMEOUT_MS", 1)
    rules, rule = made(toads, "a * a * a + b * b * b + c * c * c", -5000, 5000)
    # no sum of three cubes leaves 4 when it is divided by 9, but that is hard to see
    claim = Claim("result", "==", 4 + 9 * 1234)
    assert prove(rules, rule, {}, claim).verdict is UNDETERMINED
    solution = solve(rules, rule, {}, claim)
    assert solution.states == ()
    assert solution.forbidden_by == ()
    assert not solution.is_complete


def test_no_more_than_200_states_are_named(toads: Rulebook) -> None:
    rules, rule = made(toads, "a + b", 1, 40)
    few = solve(rules, rule, {}, Claim("result", "==", 41))
    assert (len(few.states), few.is_complete) == (40, True)
    many = solve(rules, rule, {}, Claim("result", "<", 41))
    assert (len(many.states), many.is_complete) == (200, False)


def test_z3_is_loaded_by_the_first_proof_and_not_before() -> None:
    code = (
        "import sys, rulespal_chat.rules.engine, rulespal_chat.rules.solver, rulespal_chat.rules.lint;"
        "sys.exit('z3' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("rule", "claim"),
    [
        ("toad.night", Claim("nights", "==", 3)),  # the book doesn't give it
        ("toad.price", Claim("price", "==", 3)),  # it stands on a card
        ("toad.price", Claim("double_price", "==", 4)),  # of a golden Toad it rests on that card
        ("well.storm", Claim("toads_lost", "==", (2, 0))),  # a list
        ("well.splash", Claim("splash", "==", 7)),  # of dice that aren't known
    ],
)
def test_what_the_rules_dont_give_stays_open_both_ways(
    toad_rules: Ruleset, rule: str, claim: Claim
) -> None:
    assert prove(toad_rules, toad_rules.rules[rule], {}, claim).verdict is UNDETERMINED
    solution = solve(toad_rules, toad_rules.rules[rule], {}, claim)
    assert solution.states == ()
    assert solution.forbidden_by == ()
    assert not solution.is_complete


def test_states_that_dont_rest_on_what_is_open_are_found(toad_rules: Ruleset) -> None:
    rule = toad_rules.rules["toad.price"]
    solution = solve(toad_rules, rule, {}, Claim("double_price", "<", 4))
    assert [dict(state) for state in solution.states] == [{"golden": False}]
    assert not solution.is_complete
