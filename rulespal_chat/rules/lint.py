"""Static checks of a ruleset: gaps, dead rows, and outputs' bounds, for all states at once by z3.

A step is checked under the conditions of its own rule. Where that rule has conditions, the rules
that use the step may reach states that it doesn't, so that the step is checked under theirs, too.
What an algorithm or a card gives is any value to z3: what rests on it can't be refuted by it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rulespal_chat.rules.results import Claim
from rulespal_chat.rules.wording import listed, shown

if TYPE_CHECKING:
    from rulespal_chat.rules.model import Output, Rule, Ruleset, State, Step
    from rulespal_chat.rules.solver import Problem


@dataclass(frozen=True, slots=True)
class Finding:
    """What is wrong with a step.

    Attributes:
        rule: the id of the rule in which it shows.
        step: the step's name.
        line: of the rule in its file.
        sentence: what it is.
    """

    rule: str
    step: str
    line: int
    sentence: str

    def __str__(self) -> str:
        return f"line {self.line}: rule '{self.rule}': {self.sentence}"


class Gap(Finding):
    """A state in which no row fits."""


class DeadRow(Finding):
    """A row that decides in no state."""


class BrokenBound(Finding):
    """A value of an output beyond its bounds."""


class LooseBound(Finding):
    """A bound that no value of an output reaches."""


@dataclass(frozen=True, slots=True)
class Report:
    """What the checks found.

    Attributes:
        findings: what is wrong; none in a sound ruleset.
        loose: bounds that hold, but could be tighter.
        proved: how many checks passed: one a step, a row and a bound.
        unchecked: the steps about which nothing could be said: they depend on what no row gives,
            or z3 gave up.
    """

    findings: tuple[Finding, ...]
    loose: tuple[LooseBound, ...]
    proved: int
    unchecked: tuple[str, ...]


def lint(rules: Ruleset) -> Report:
    """Checks all rules whose value the book gives."""
    linter = _Linter(rules)
    for rule in rules.rules.values():
        if not rule.undetermined:
            linter.check(rule)
    found = linter.findings
    return Report(
        tuple(f for f in found if not isinstance(f, LooseBound)),
        tuple(f for f in found if isinstance(f, LooseBound)),
        linter.proved,
        tuple(dict.fromkeys(linter.unchecked)),
    )


class _Linter:
    """Checks rules one by one, and keeps what it finds."""

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._users = users(rules)
        self.findings: list[Finding] = []
        self.unchecked: list[str] = []
        self.proved = 0

    def check(self, rule: Rule) -> None:
        """Checks the steps and the bounds of a rule."""
        from rulespal_chat.rules.solver import lock

        with lock:
            for step in rule.steps:
                if step.rows:
                    self._check_rows(rule, step)
            for output in rule.outputs:
                if output.type.kind == "int" and not self._rules.steps[output.name].undetermined:
                    self._check_bounds(rule, output)

    def _check_rows(self, rule: Rule, step: Step) -> None:
        dead = set(range(len(step.rows)))
        for where in (rule, *self._others(rule, step)):
            problem = _problem(self._rules, where, step.name, must_fit=False)
            rows = problem.decides[step.name]
            self._check_gap(where, step, problem)
            dead -= {n for n in dead if problem.state_with(rows[n]) is not None}
            if problem.gave_up:
                self.unchecked.append(step.name)
                return
        self.proved += len(rows) - len(dead)
        for n in sorted(dead):
            value = step.rows[n].value.text
            sentence = f"no state reaches row {n + 1} of '{step.name}', which gives {value}"
            self._add(DeadRow, rule, step.name, sentence)

    def _check_gap(self, rule: Rule, step: Step, problem: Problem) -> None:
        import z3

        state = problem.state_with(z3.Not(z3.Or(problem.decides[step.name])))
        if state is None:
            self.proved += not problem.gave_up
        elif self._is_open(rule, step.name):
            self.unchecked.append(step.name)
        else:
            self._add(Gap, rule, step.name, f"no row of '{step.name}' fits{_at(state)}")

    def _check_bounds(self, rule: Rule, output: Output) -> None:
        name = output.name
        if self._is_open(rule, name):
            self.unchecked.append(name)
            return
        problem = _problem(self._rules, rule, name)
        self._check_bound(rule, Claim(name, "<", output.low), problem)
        self._check_bound(rule, Claim(name, ">", output.high), problem)

    def _check_bound(self, rule: Rule, beyond: Claim, problem: Problem) -> None:
        name, bound = beyond.output, beyond.value
        below, end = ("below", "min") if beyond.operator == "<" else ("above", "max")
        state = problem.state_with(problem.claimed(beyond))
        if state is not None:
            sentence = f"'{name}' is {below} its {end} of {bound}{_at(state)}"
            self._add(BrokenBound, rule, name, sentence)
        elif problem.gave_up:
            self.unchecked.append(name)
        else:
            self.proved += 1
            reached = problem.state_with(problem.claimed(Claim(name, "==", bound)))
            if reached is None and not problem.gave_up:
                self._add(LooseBound, rule, name, f"'{name}' is never its {end} of {bound}")

    def _others(self, rule: Rule, step: Step) -> tuple[Rule, ...]:
        """The rules that may reach states of a step that its own rule doesn't."""
        if not (rule.applies or rule.always):
            return ()
        return tuple(user for user in self._users.get(step.name, ()) if user is not rule)

    def _is_open(self, rule: Rule, name: str) -> bool:
        """Whether something that no row gives has a part in it."""
        steps, _ = self._rules.closure(_needed(rule) | {name})
        return any(step.algorithm or step.undetermined for step in steps)

    def _add(self, kind: type[Finding], rule: Rule, step: str, sentence: str) -> None:
        self.findings.append(kind(rule.id, step, rule.line, sentence))


def _problem(rules: Ruleset, rule: Rule, name: str, *, must_fit: bool = True) -> Problem:
    from rulespal_chat.rules.solver import Problem

    return Problem(rules, rule, name, {}, assume=False, must_fit=must_fit)


def _needed(rule: Rule) -> frozenset[str]:
    """The names that a rule's conditions use."""
    return frozenset(n for c in (*rule.applies, *rule.always) for n in c.expression.names)


def users(rules: Ruleset) -> dict[str, list[Rule]]:
    """The rules that use each step, its own one first."""
    found: dict[str, list[Rule]] = {}
    for rule in rules.rules.values():
        own = frozenset(step.name for step in rule.steps)
        for step in rules.closure(own | _needed(rule))[0]:
            found.setdefault(step.name, []).append(rule)
    return found


def _at(state: State) -> str:
    parts = [f"{name}={shown(value)}" for name, value in state.items()]
    return f" at {listed(parts)}" if parts else ""
