"""Claims and inverse questions, by z3: each row, condition and bound is one tracked assertion.

What refutes a claim is a minimal unsatisfiable core of these (de Moura and Bjørner, "Z3: An
Efficient SMT Solver", 2008), so that it can be named as statements of the book. A context of z3
isn't safe in threads, not even while Python frees what was made in it, and that may be much later
and in any thread: each problem has its own. Work is done under one lock, within a time limit.
"""

from __future__ import annotations

import ast
import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulespal_chat.rules.algorithms import SilentError
from rulespal_chat.rules.evaluator import Evaluation, HoldsNotError
from rulespal_chat.rules.expressions import MissingError, Value
from rulespal_chat.rules.results import Assignment, Claim, Solution, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulespal_chat.rules.expressions import Expression
    from rulespal_chat.rules.model import Input, Output, Rule, Ruleset, State, Step
    from rulespal_chat.types import Pick

TIMEOUT_MS = 2000
_MOST_STATES = 200
lock = threading.Lock()


@dataclass(frozen=True, slots=True)
class Reason:
    """What an assertion stands for: the statements behind it, and whether it is an assumption."""

    picks: tuple[Pick, ...] = ()
    is_assumed: bool = False


@dataclass(frozen=True, slots=True)
class Proof:
    """A verdict with the statements that it needs; empty for one that isn't a contradiction."""

    verdict: Verdict
    picks: tuple[Pick, ...] = ()


def prove(rules: Ruleset, rule: Rule, state: State, claim: Claim, *, assume: bool = True) -> Proof:
    """Whether the rule makes a claim true, false or neither.

    An inconsistent state is found first; a standard that was only assumed gives way to the state.
    """
    if not _is_known(rule, claim.output):
        return Proof(Verdict.UNDETERMINED)
    with lock:
        problem = Problem(rules, rule, claim.output, state, assume=assume)
        consistent, core = problem.check()
        if consistent is False and assume:
            problem = Problem(rules, rule, claim.output, state, assume=False)
            consistent, core = problem.check()
        if consistent is False:
            return Proof(Verdict.INCONSISTENT, core)
        possible, core = problem.check(claim)
        if possible is False:
            return Proof(Verdict.CONTRADICTS, core)
        avoidable, _ = problem.check(claim, negated=True)
        return Proof(Verdict.AGREES if avoidable is False else Verdict.UNDETERMINED)


def solve(rules: Ruleset, rule: Rule, state: State, claim: Claim) -> Solution:
    """All states, beyond what is known, in which a claim is true; not all if some stay open."""
    if not _is_known(rule, claim.output):
        return Solution(claim, (), is_complete=False)
    with lock:
        problem = Problem(rules, rule, claim.output, state, assume=False)
        possible, core = problem.check(claim)
        if possible is False:
            return Solution(claim, (), core)
        states: list[Assignment] = []
        for found in problem.states(claim):
            if len(states) == _MOST_STATES:
                return Solution(claim, _in_order(states, rules), is_complete=False)
            states.append(found)
        return Solution(claim, _in_order(states, rules), is_complete=not problem.gave_up)


def _is_known(rule: Rule, output: str) -> bool:
    """Whether the rule gives an output that the solver knows; it knows no lists."""
    return not rule.undetermined and rule.output(output).type.kind != "list"


def _in_order(states: list[Assignment], rules: Ruleset) -> tuple[Assignment, ...]:
    """The states by their values, each input's in the order of its domain."""

    def places(state: Assignment) -> list[tuple[str, int]]:
        return [(name, rules.inputs[name].domain.index(value)) for name, value in state]

    return tuple(sorted(states, key=places))


class Problem:
    """A rule and a state as assertions of z3; to be made and used under the lock.

    Args:
        rules: of the game.
        rule: the rule.
        output: what is asked about.
        state: known inputs.
        assume: whether inputs without a value take the book's standard.
        must_fit: whether a row of the output must fit; if not, gaps can be found.

    Attributes:
        decides: for each step, in the order of its rows, when a row is the one that decides.
        gave_up: whether z3 reached its time limit.
    """

    def __init__(
        self,
        rules: Ruleset,
        rule: Rule,
        output: str,
        state: Mapping[str, Value],
        *,
        assume: bool = True,
        must_fit: bool = True,
    ) -> None:
        import z3

        self._z3 = z3
        self.gave_up = False
        self._rules, self._rule, self._output = rules, rule, output
        self._state, self._assume, self._must_fit = state, assume, must_fit
        self.decides: dict[str, list[Any]] = {}
        self._codes: dict[str, int] = {}
        self._reasons: dict[str, Reason] = {}
        self.terms: dict[str, Any] = {}
        self._context = z3.Context()
        self.solver = z3.Solver(ctx=self._context)
        self.solver.set("unsat_core", True)
        self.solver.set("core.minimize", True)
        self.solver.set("timeout", TIMEOUT_MS)
        conditions = (*rule.applies, *rule.always)
        used = {output, *(name for c in conditions for name in c.expression.names)}
        steps, inputs = rules.closure(frozenset(used))
        self.inputs = {given.name: given for given in inputs}
        for given in inputs:
            self._add_input(given)
        for step in steps:
            self._add_step(step)
        for condition in conditions:
            self.track(self.term(condition.expression), Reason(condition.picks))

    def track(self, assertion: Any, reason: Reason) -> None:  # noqa: ANN401  (z3 has no types)
        """Asserts something, to be named in a core."""
        name = f"assertion {len(self._reasons)}"
        self._reasons[name] = reason
        self.solver.assert_and_track(assertion, name)

    def check(
        self, claim: Claim | None = None, *, negated: bool = False
    ) -> tuple[bool | None, tuple[Pick, ...]]:
        """Whether all of it, with the claim or its opposite, can be true together.

        Returns:
            True, False or None for unknown; and for False the statements of a minimal core.
        """
        z3 = self._z3
        self.solver.push()
        try:
            if claim is not None:
                term = self.claimed(claim)
                self.solver.add(z3.Not(term) if negated else term)
            answer = self.solver.check()
            if answer == z3.unsat:
                return False, self._core()
            return (True, ()) if answer == z3.sat else (None, ())
        finally:
            self.solver.pop()

    def state_with(self, term: Any) -> State | None:  # noqa: ANN401
        """The inputs of a state in which a term is true; None if there is none, or none in time."""
        z3 = self._z3
        self.solver.push()
        try:
            self.solver.add(term)
            answer = self.solver.check()
            self.gave_up = self.gave_up or answer == z3.unknown
            return self._assigned(self.solver.model()) if answer == z3.sat else None
        finally:
            self.solver.pop()

    def _core(self) -> tuple[Pick, ...]:
        names = sorted(map(str, self.solver.unsat_core()), key=list(self._reasons).index)
        picks = [pick for name in names for pick in self._reasons[name].picks]
        return tuple({pick.statement.id: pick for pick in picks}.values())

    def states(self, claim: Claim) -> Iterator[Assignment]:
        """The states in which a claim is true, one by one, without what doesn't matter in them."""
        z3 = self._z3
        open_ended = 0
        self.solver.push()
        try:
            self.solver.add(self.claimed(claim))
            while open_ended < _MOST_STATES and (answer := self.solver.check()) == z3.sat:
                state = self._assigned(self.solver.model())
                found = self._needed(state, claim.output)
                if found is None:
                    open_ended += 1
                    found = tuple((n, v) for n, v in state.items() if n not in self._state)
                else:
                    yield found
                same = [self._equals(name, value) for name, value in found]
                self.solver.add(z3.Not(z3.And([self._constant(True), *same])))
            self.gave_up = open_ended > 0 or answer != z3.unsat
        finally:
            self.solver.pop()

    def _assigned(self, model: Any) -> State:  # noqa: ANN401
        """The values that a model gives to the inputs."""
        names = {code: word for word, code in self._codes.items()}
        state: State = {}
        for name, given in self.inputs.items():
            if name not in self.terms:
                continue
            term = model.eval(self.terms[name], model_completion=True)
            match given.type.kind:
                case "bool":
                    state[name] = bool(self._z3.is_true(term))
                case "int":
                    state[name] = term.as_long()
                case _:
                    state[name] = names[term.as_long()]
        return state

    def _needed(self, state: State, output: str) -> Assignment | None:
        """The part of a state that a value was computed from, without what was known before.

        None where the book doesn't give a value in this state, which the solver leaves open.
        """
        evaluation = Evaluation(self._rules, {**self._state, **state}, assume=False)
        try:
            evaluation.check(self._rule)
            evaluation.value(output)
        except (SilentError, MissingError, HoldsNotError):
            return None
        free = [name for name in self.inputs if name not in self._state]
        return tuple((name, state[name]) for name in free if name in evaluation.used)

    def _equals(self, name: str, value: Value) -> Any:  # noqa: ANN401
        return self.terms[name] == self._constant(value)

    def claimed(self, claim: Claim) -> Any:  # noqa: ANN401
        """A claim as a term."""
        term, value = self.terms[claim.output], self._constant(claim.value)
        match claim.operator:
            case "==":
                return term == value
            case "!=":
                return term != value
            case "<":
                return term < value
            case "<=":
                return term <= value
            case ">":
                return term > value
        return term >= value

    def _constant(self, value: Value) -> Any:  # noqa: ANN401
        if isinstance(value, bool):
            return self._z3.BoolVal(value, self._context)
        if isinstance(value, str):
            return self._z3.IntVal(self._codes.setdefault(value, len(self._codes)), self._context)
        return self._z3.IntVal(value, self._context)

    def _variable(self, thing: Input | Step | Output) -> Any:  # noqa: ANN401
        make = self._z3.Bool if thing.type.kind == "bool" else self._z3.Int
        return make(thing.name, self._context)

    def _add_input(self, given: Input) -> None:
        """The bounds of an input, and its value if it has one; a list is left to the evaluator."""
        if not given.domain:
            return
        term = self.terms[given.name] = self._variable(given)
        if given.type.kind == "int":
            self.track(term >= given.low, Reason(given.bounds))
            self.track(term <= given.high, Reason(given.bounds))
        elif given.type.kind == "enum":
            self.solver.add(self._z3.Or([term == self._constant(v) for v in given.domain]))
        if given.name in self._state:
            self.track(self._equals(given.name, self._state[given.name]), Reason())
        elif self._assume and given.default is not None:
            assumed = Reason(is_assumed=True)
            self.track(self._equals(given.name, given.default), assumed)

    def _add_step(self, step: Step) -> None:
        if step.type.kind == "list":
            return
        term = self.terms[step.name] = self._variable(step)
        if step.algorithm is not None:
            self._add_algorithm(step)
            return
        if step.undetermined:
            return
        z3 = self._z3
        earlier: list[Any] = []
        self.decides[step.name] = []
        for row in step.rows:
            fits = self._constant(True) if row.condition is None else self.term(row.condition)
            decided = z3.And([*(z3.Not(other) for other in earlier), fits])
            self.track(z3.Implies(decided, term == self.term(row.value)), Reason(row.picks))
            earlier.append(fits)
            self.decides[step.name].append(decided)
        if self._must_fit or step.name != self._output:
            self.track(z3.Or(earlier), Reason(step.rows[-1].picks))

    def _add_algorithm(self, step: Step) -> None:
        """An algorithm's value where its arguments are known; else it stays open."""
        try:
            evaluation = Evaluation(self._rules, self._state, assume=self._assume)
            value = evaluation.value(step.name)
        except (MissingError, SilentError):
            return
        self.track(self._equals(step.name, value), Reason(step.picks))

    def term(self, expression: Expression) -> Any:  # noqa: ANN401
        """An expression as a term."""
        return self._term(expression.tree)

    def _term(self, node: ast.expr) -> Any:  # noqa: ANN401, C901  (one case a node)
        z3 = self._z3
        match node:
            case ast.Constant(value=bool() | int() | str() as value):
                return self._constant(value)
            case ast.Name(id=name):
                return (
                    self._constant(name == "true")
                    if name in ("true", "false")
                    else self.terms[name]
                )
            case ast.BinOp(left=left, op=operator, right=right):
                return _calculated(operator, self._term(left), self._term(right))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return z3.Not(self._term(operand))
            case ast.UnaryOp(operand=operand):
                return -self._term(operand)
            case ast.BoolOp(op=junction, values=values):
                join = z3.And if isinstance(junction, ast.And) else z3.Or
                return join([self._term(value) for value in values])
            case ast.Compare():
                return self._comparison(node)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                return z3.If(self._term(test), self._term(body), self._term(orelse))
            case ast.Call(func=ast.Name(id=function), args=args):
                return self._call(function, [self._term(arg) for arg in args])
        raise TypeError(ast.unparse(node))

    def _comparison(self, node: ast.Compare) -> Any:  # noqa: ANN401
        parts, left = [], self._term(node.left)
        for operator, other in zip(node.ops, node.comparators, strict=True):
            if isinstance(other, ast.List):
                parts.append(self._z3.Or([left == self._term(e) for e in other.elts]))
                continue
            right = self._term(other)
            parts.append(_compared(operator, left, right))
            left = right
        return self._z3.And(parts)

    def _call(self, function: str, terms: list[Any]) -> Any:  # noqa: ANN401
        z3 = self._z3
        if function == "abs":
            return z3.If(terms[0] >= 0, terms[0], -terms[0])
        result = terms[0]
        for term in terms[1:]:
            better = result <= term if function == "min" else result >= term
            result = z3.If(better, result, term)
        return result


def _calculated(operator: ast.operator, left: Any, right: Any) -> Any:  # noqa: ANN401
    """An operation; z3 divides as Python does where the divisor is positive, as it always is."""
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.FloorDiv():
            return left / right
    return left % right


def _compared(operator: ast.cmpop, left: Any, right: Any) -> Any:  # noqa: ANN401
    match operator:
        case ast.Eq():
            return left == right
        case ast.NotEq():
            return left != right
        case ast.Lt():
            return left < right
        case ast.LtE():
            return left <= right
        case ast.Gt():
            return left > right
    return left >= right
