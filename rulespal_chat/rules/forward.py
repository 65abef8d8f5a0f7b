"""Computing an output of a rule: the value, what it waits for, or why there is none."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.rules.algorithms import SilentError
from rulespal_chat.rules.evaluator import (
    Evaluation,
    HoldsNotError,
    Leaf,
    Trials,
    inputs_that_matter,
    leaves,
)
from rulespal_chat.rules.expressions import MissingError, Value
from rulespal_chat.rules.model import Output, Rule, Ruleset, State
from rulespal_chat.rules.results import Assignment, Computed, Derived, Outcome
from rulespal_chat.rules.state import broken_bounds, completed
from rulespal_chat.rules.wording import Wording, listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulespal_chat.types import Pick


def compute_in(
    rules: Ruleset,
    rule: Rule,
    state: Mapping[str, Value],
    name: str | None = None,
    *,
    assume: bool = True,
    doubted: frozenset[str] = frozenset(),
) -> Computed:
    """Computes an output, or another step, of a rule; its first output unless one is named.

    Args:
        rules: of the game.
        rule: the rule.
        state: known inputs; those that the rule doesn't use are ignored.
        name: of the output or step.
        assume: whether inputs without a value take the book's standard.
        doubted: inputs that don't, all the same.

    Raises:
        KeyError: the rule has no such output or step.
    """
    blank = _Blank(rules, rule, _asked(rules, rule, name), doubted)
    return _compute(blank, completed(rules, state), assume=assume)


def _asked(rules: Ruleset, rule: Rule, name: str | None) -> Output:
    if name is None:
        return rule.outputs[0]
    for output in rule.outputs:
        if output.name == name:
            return output
    step = rules.steps[name]
    return Output(name, step.type, yes=step.name, no=step.name)


def _compute(blank: _Blank, state: State, *, assume: bool) -> Computed:
    rules, rule, output = blank.rules, blank.rule, blank.output
    if (broken := broken_bounds(rules, rule, state)) is not None:
        return blank.ended(Outcome.INCONSISTENT, *broken)
    if rule.undetermined:
        return blank.ended(Outcome.UNDETERMINED, rule.undetermined)
    evaluation = Evaluation(rules, state, assume=assume, doubted=blank.doubted)
    try:
        evaluation.check(rule)
        evaluation.value(output.name)
    except HoldsNotError as error:
        if evaluation.assumed and error.always:  # what is only assumed gives way to what is known
            return _tried(blank, state, assume=False)
        outcome = Outcome.INCONSISTENT if error.always else Outcome.NOT_APPLICABLE
        reason = error.condition.picks[0].statement.text
        return blank.ended(outcome, reason, error.condition.picks)
    except SilentError as error:
        return blank.ended(Outcome.UNDETERMINED, str(error), error.picks)
    except MissingError:
        return _tried(blank, state, assume=assume)
    return blank.determined(evaluation)


def _tried(blank: _Blank, state: State, *, assume: bool) -> Computed:
    """The value if all trials of what isn't known agree, else what is missing."""
    trials = Trials(blank.rules, blank.rule, blank.output.name, assume, blank.doubted)
    tree = trials.tree(state)
    values = [leaf.value for leaf in leaves(tree)]
    if not values:
        broken = next(iter((*blank.rule.always, *blank.rule.applies)))
        return blank.ended(Outcome.INCONSISTENT, broken.picks[0].statement.text, broken.picks)
    if isinstance(tree, Leaf) and tree.value is not None:
        return _same_for_all(blank, state, assume=assume)
    if isinstance(tree, Leaf) and tree.silent:
        return blank.ended(Outcome.UNDETERMINED, tree.silent)
    possible = None
    if trials.is_complete:
        possible = tuple(sorted({v for v in values if v is not None}, key=_sorting))
    standards = _standards(blank, state) if assume else ()
    return blank.missing(inputs_that_matter(tree), possible, standards)


def _standards(blank: _Blank, state: State) -> Assignment:
    """The standards that the trials took for granted."""
    given = (blank.rules.inputs[name] for name in blank.rule.inputs)
    return tuple(
        (i.name, i.default)
        for i in given
        if i.default is not None and i.name not in state and i.name not in blank.doubted
    )


def _sorting(value: Value) -> tuple[str, Value]:
    return (type(value).__name__, value)


def _same_for_all(blank: _Blank, state: State, *, assume: bool) -> Computed:
    """The result where some value of each unknown input is as good as any other."""
    known = dict(state)
    while True:
        evaluation = Evaluation(blank.rules, known, assume=assume, doubted=blank.doubted)
        try:
            evaluation.check(blank.rule)
            evaluation.value(blank.output.name)
        except MissingError as error:
            known[error.name] = _fitting(blank, known, error.name, assume=assume)
        else:
            return blank.determined(evaluation, state)


def _fitting(blank: _Blank, known: State, name: str, *, assume: bool) -> Value:
    """A value of an input with which the rule gives something."""
    for value in blank.rules.inputs[name].domain:
        trials = Trials(blank.rules, blank.rule, blank.output.name, assume, blank.doubted)
        if any(leaf.value is not None for leaf in leaves(trials.tree({**known, name: value}))):
            return value
    raise MissingError(name)


class _Blank:
    """Fills in results of one output of a rule."""

    def __init__(self, rules: Ruleset, rule: Rule, output: Output, doubted: frozenset[str]) -> None:
        self.rules, self.rule, self.output, self.doubted = rules, rule, output, doubted

    def ended(self, outcome: Outcome, reason: str, refused_by: Sequence[Pick] = ()) -> Computed:
        """A result without a value."""
        return Computed(
            self.rules.book.id,
            self.rule.id,
            self.output.name,
            outcome,
            unit=self.output.unit.many,
            reason=reason,
            refused_by=tuple(refused_by),
            unclear=self.rule.unclear,
            also=self.rule.also,
        )

    def missing(
        self, names: tuple[str, ...], possible: tuple[Value, ...] | None, assumed: Assignment
    ) -> Computed:
        """A result that waits for inputs."""
        return Computed(
            self.rules.book.id,
            self.rule.id,
            self.output.name,
            Outcome.UNDETERMINED,
            unit=self.output.unit.many,
            assumed=assumed,
            missing=names,
            possible=possible,
            reason=f"it depends on {listed([n.replace('_', ' ') for n in names])}",
            unclear=self.rule.unclear,
            also=self.rule.also,
        )

    def determined(self, evaluation: Evaluation, state: State | None = None) -> Computed:
        """A result with its value; `state` is what is really known, if less than was evaluated."""
        traced = evaluation.trace[self.output.name]
        values = {**evaluation.used, **evaluation.assumed}
        wording = Wording(self.rules, evaluation.trace, values)
        used = {n: v for n, v in evaluation.used.items() if state is None or n in state}
        used = _as_told(self.rules, used, evaluation.state)
        unit = traced.unit or self.output.unit
        number = traced.value if isinstance(traced.value, int) else 0
        return Computed(
            self.rules.book.id,
            self.rule.id,
            self.output.name,
            Outcome.DETERMINED,
            value=traced.value,
            unit=unit.of(number),
            sentence=wording.lead(self.output),
            inputs=tuple(used.items()),
            assumed=tuple(evaluation.assumed.items()),
            derivation=_derivation(self.output.name, evaluation, wording),
            unclear=self.rule.unclear,
            also=self.rule.also,
        )


def _as_told(rules: Ruleset, used: State, state: Mapping[str, Value]) -> State:
    """The inputs used, with the list that was told in place of its sum and count."""
    told: State = {}
    for name, value in used.items():
        given = rules.inputs[name]
        source = next((s for s in (given.sum_of, given.count_of) if s in state), None)
        told |= {name: value} if source is None else {source: state[source]}
    return told


def _derivation(output: str, evaluation: Evaluation, wording: Wording) -> tuple[Derived, ...]:
    """The steps that the output's value came from, each after those that it uses."""
    needed: set[str] = set()

    def visit(name: str) -> None:
        traced = evaluation.trace.get(name)
        if traced is None or name in needed:
            return
        needed.add(name)
        for used in traced.step.names:
            visit(used)

    visit(output)
    steps = []
    for name, traced in evaluation.trace.items():
        if name not in needed:
            continue
        value = wording.value(name)
        calculation = value
        if traced.row is not None and traced.row.value.names and not traced.is_passed_on:
            calculation = f"{wording.calculation(traced.row.value)} = {value}"
        elif traced.sentences:
            calculation = "; ".join(traced.sentences)
        steps.append(Derived(name, calculation, traced.picks, traced.is_passed_on))
    return tuple(steps)
