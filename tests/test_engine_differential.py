"""The solver against brute force: what z3 proves and finds is what trying every state gives.

Drawn are a rule of the packaged books, a partial state and a claim. The solver's answer has to be
that of an enumeration of all states that the partial one may turn out to be. Both read the same
rules, but share no arithmetic.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import TYPE_CHECKING

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.places import packaged_corpus
from rulespal_chat.rules.algorithms import SilentError
from rulespal_chat.rules.evaluator import Evaluation, HoldsNotError
from rulespal_chat.rules.loading import load_rules
from rulespal_chat.rules.results import Claim, Verdict
from rulespal_chat.rules.solver import prove, solve

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Input, Output, Rule, Ruleset, State

MOST_STATES = 3000  # to try for a claim
MOST_SOLVED = 60  # to try for a solution: the solver names them one by one
OPERATORS = ("==", "!=", "<", "<=", ">", ">=")

Full = tuple[tuple[str, "Value"], ...]
"""A value for every input."""


class Nothing:
    """No value: the state can't be, or the book doesn't say."""


REFUSED, SILENT = Nothing(), Nothing()


class Case:
    """An output of a rule, with what came out of the states that were tried."""

    def __init__(self, rules: Ruleset, rule: Rule, output: Output) -> None:
        self.rules, self.rule, self.output = rules, rule, output
        self.tried: dict[Full, Value | Nothing] = {}
        conditions = (*rule.applies, *rule.always)
        names = {name for c in conditions for name in c.expression.names}
        self.steps, self.inputs = rules.closure(frozenset({output.name, *names}))

    def __repr__(self) -> str:
        return f"{self.rule.id} {self.output.name}"

    @property
    def is_open(self) -> bool:
        """Whether what an algorithm or a card gives has a part in it."""
        return any(step.algorithm or step.undetermined for step in self.steps)

    def outcome(self, state: Full) -> Value | Nothing:
        """What comes out of a state in which everything is known."""
        if state not in self.tried:
            self.tried[state] = self._outcome(dict(state))
        return self.tried[state]

    def _outcome(self, state: State) -> Value | Nothing:
        evaluation = Evaluation(self.rules, state, assume=False)
        try:
            evaluation.check(self.rule)
            return evaluation.value(self.output.name)
        except HoldsNotError:
            return REFUSED
        except SilentError:
            return SILENT

    def outcomes(self, state: State) -> dict[Full, Value | Nothing]:
        """What comes out of each state that a partial one may be; none if a value is impossible."""
        known = [given for given in self.inputs if given.domain and given.name in state]
        if any(state[given.name] not in given.domain for given in known):
            return {}
        values = [[state[i.name]] if i.name in state else i.domain for i in self.inputs]
        names = [given.name for given in self.inputs]
        full = (tuple(zip(names, chosen, strict=True)) for chosen in product(*values))
        tried = {one: self.outcome(one) for one in full}
        return {one: value for one, value in tried.items() if value is not REFUSED}

    def assumed(self, state: State) -> State:
        """A partial state with the book's standards for what it leaves open."""
        standards = {i.name: i.default for i in self.inputs if i.default is not None}
        return {**standards, **state}


@cache
def cases() -> tuple[Case, ...]:
    """Every output that isn't a list; those that depend on something come five times as often."""
    library = load_library(packaged_corpus() / "nowhere")
    found = [
        Case(rules, rule, output)
        for rules in map(load_rules, library.books)
        for rule in rules.rules.values()
        for output in rule.outputs
        if output.type.kind != "list" and not rule.undetermined
    ]
    return tuple(case for case in found for _ in range(5 if case.inputs else 1))


def says_of(case: Case, state: State, claim: Claim) -> set[Verdict]:
    """The verdict by trying everything; what was only assumed gives way to what is known.

    Where the book is silent of something that the output rests on, the solver may still know more
    than nothing: that the Tourists lost, however many they are, aren't fewer than none.
    """
    outcomes = case.outcomes(case.assumed(state)) or case.outcomes(state)
    if not outcomes:
        return {Verdict.INCONSISTENT}
    told = {claim.holds(v) for v in outcomes.values() if not isinstance(v, Nothing)}
    if SILENT not in outcomes.values():
        return {_verdict(told)}
    if case.rules.steps[case.output.name].undetermined:
        return {Verdict.UNDETERMINED}
    return {
        Verdict.UNDETERMINED,
        *([_verdict(told)] if told else [Verdict.AGREES, Verdict.CONTRADICTS]),
    }


def _verdict(told: set[bool]) -> Verdict:
    """The verdict on a claim that is true in some states, in some not."""
    if len(told) == 2:
        return Verdict.UNDETERMINED
    return Verdict.AGREES if True in told else Verdict.CONTRADICTS


def a_value(given: Input) -> st.SearchStrategy[Value]:
    """A value of an input; now and then an int that is out of its bounds."""
    match given.type.kind:
        case "list":
            members = st.integers(given.low, given.high)
            lists = st.lists(members, min_size=given.length[0], max_size=given.length[1])
            return lists.map(tuple)
        case "cell":
            return st.tuples(st.integers(0, 5), st.integers(0, 5))
        case "cells":
            cell = st.tuples(st.integers(0, 5), st.integers(0, 5))
            return st.lists(cell, min_size=1, max_size=4).map(tuple)
        case "int":
            inside = st.integers(given.low, given.high)
            outside = st.sampled_from([given.low - 1, given.high + 1])
            return st.integers(0, 19).flatmap(lambda n: inside if n < 19 else outside)
    return st.sampled_from(given.domain)


@st.composite
def partial_states(draw: st.DrawFn, case: Case, most: int) -> State:
    """Values for some of the inputs, for so many that no more states than `most` are left."""
    order = draw(st.permutations(case.inputs))
    state: State = {}
    left = 1
    for one in order:
        size = len(one.domain)
        if not size or left * size > most or draw(st.booleans()):
            state[one.name] = draw(a_value(one))
        else:
            left *= size
    return state


def claims(case: Case, outcomes: Iterable[Value | Nothing]) -> st.SearchStrategy[Claim]:
    """Claims on an output; of ints those close to what may come out."""
    kind, name = case.output.type.kind, case.output.name
    if kind != "int":
        values = sorted(case.output.type.values) if kind == "enum" else [False, True]
        return st.builds(
            Claim, st.just(name), st.sampled_from(OPERATORS[:2]), st.sampled_from(values)
        )
    known = {value for value in outcomes if isinstance(value, int)} or {case.output.low}
    near = sorted({value + step for value in known for step in (-1, 0, 1)})
    return st.builds(Claim, st.just(name), st.sampled_from(OPERATORS), st.sampled_from(near))


@settings(max_examples=2000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_claim_is_judged_as_trying_every_state_judges_it(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(cases()), "case")
    state = data.draw(partial_states(case, MOST_STATES), "state")
    claim = data.draw(claims(case, case.outcomes(state).values()), "claim")
    assert prove(case.rules, case.rule, state, claim).verdict in says_of(case, state, claim)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_a_solution_is_every_state_in_which_the_claim_is_true(data: st.DataObject) -> None:
    case = data.draw(st.sampled_from(cases()).filter(lambda one: not one.is_open), "case")
    state = data.draw(partial_states(case, MOST_SOLVED), "state")
    outcomes = case.outcomes(state)
    claim = data.draw(claims(case, outcomes.values()), "claim")
    solution = solve(case.rules, case.rule, state, claim)
    assert solution.is_complete
    true = {full for full, v in outcomes.items() if not isinstance(v, Nothing) and claim.holds(v)}
    found = {full for full in outcomes if any(set(s) <= set(full) for s in solution.states)}
    assert found == true
    assert all(any(set(s) <= set(full) for full in true) for s in solution.states)
