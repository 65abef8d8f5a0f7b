"""Computing a rule forward: the value with each step that led to it, or what is missing.

Rows are tried in order and the first that fits decides. A value is looked up only when it is
needed, so that an input that doesn't matter is never missed. Where one is, the rule is tried for
each value that it may have; the tree of these trials, with branches that agree folded together (as
in a reduced decision diagram), shows which inputs matter and what may come out.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulespal_chat.rules.algorithms import SilentError
from rulespal_chat.rules.expressions import MissingError, Value, evaluate

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulespal_chat.rules.model import Condition, Row, Rule, Ruleset, State, Step, Unit
    from rulespal_chat.types import Pick

_MOST_TRIALS = 3000


@dataclass(frozen=True, slots=True)
class Traced:
    """How a step got its value.

    Attributes:
        step: the step.
        value: its value.
        row: the row that fitted; None for an algorithm.
        sentences: what an algorithm says of how it went.
    """

    step: Step
    value: Value
    row: Row | None = None
    sentences: tuple[str, ...] = ()

    @property
    def picks(self) -> tuple[Pick, ...]:
        """The statements that it rests on."""
        return self.step.picks if self.row is None else self.row.picks

    @property
    def is_passed_on(self) -> bool:
        """Whether it only takes the value of another step."""
        return self.row is not None and self.row.value.names == {self.row.value.text}

    @property
    def unit(self) -> Unit | None:
        """What it counts, where the row says so."""
        return None if self.row is None else self.row.unit


class HoldsNotError(Exception):
    """A condition doesn't hold.

    Args:
        condition: which.
        always: whether it can't be otherwise; else the rule just doesn't apply.
    """

    def __init__(self, condition: Condition, *, always: bool) -> None:
        super().__init__(condition.expression.text)
        self.condition, self.always = condition, always


class Evaluation:
    """Evaluates a rule for a state, keeping a trace.

    Args:
        rules: of the game.
        state: known inputs.
        assume: whether inputs without a value take the book's standard.
        doubted: inputs that don't, all the same.

    Attributes:
        state: as given.
        trace: the steps evaluated so far, each after those that it uses.
        used: the given inputs that were looked up.
        assumed: the inputs that took their standard.
    """

    def __init__(
        self,
        rules: Ruleset,
        state: Mapping[str, Value],
        *,
        assume: bool = True,
        doubted: frozenset[str] = frozenset(),
    ) -> None:
        self._rules, self.state, self._assume = rules, state, assume
        self._doubted = doubted
        self.trace: dict[str, Traced] = {}
        self.used: State = {}
        self.assumed: State = {}

    def value(self, name: str) -> Value:
        """The value of an input or step.

        Raises:
            MissingError: it needs an input that isn't known.
            SilentError: the book doesn't say.
        """
        if name in self.trace:
            return self.trace[name].value
        if name in self._rules.inputs:
            return self._input(name)
        self.trace[name] = traced = self._traced(self._rules.steps[name])
        return traced.value

    def check(self, rule: Rule) -> None:
        """Checks the conditions of a rule.

        Raises:
            HoldsNotError: one doesn't hold.
            MissingError: whether it applies isn't known.
        """
        for condition in rule.always:
            try:
                if not evaluate(condition.expression, self.value):
                    raise HoldsNotError(condition, always=True)
            except (MissingError, SilentError):  # nothing is known against it
                continue
        for condition in rule.applies:
            if not evaluate(condition.expression, self.value):
                raise HoldsNotError(condition, always=False)

    def _input(self, name: str) -> Value:
        if name in self.state:
            self.used[name] = self.state[name]
            return self.state[name]
        default = self._rules.inputs[name].default
        if default is None or not self._assume or name in self._doubted:
            raise MissingError(name)
        self.assumed[name] = default
        return default

    def _traced(self, step: Step) -> Traced:
        if step.undetermined:
            raise SilentError(step.undetermined, step.picks)
        if step.algorithm is not None:
            arguments = [self.value(name) for name in step.arguments]
            try:
                worked = step.algorithm.work(*arguments)
            except SilentError as error:
                raise SilentError(str(error), step.picks) from None
            return Traced(step, worked.value, None, worked.steps)
        for row in step.rows:
            if row.condition is None or evaluate(row.condition, self.value):
                return Traced(step, evaluate(row.value, self.value), row)
        raise SilentError("no row of the rule fits")


@dataclass(frozen=True, slots=True)
class Leaf:
    """How a trial ended: with a value, or with why there is none.

    Attributes:
        value: what came out, None for nothing.
        silent: why the book doesn't say.
        missing: an input that can't be tried, such as a list.
    """

    value: Value | None = None
    silent: str = ""
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Branch:
    """An input that matters, with what follows from each of its values."""

    name: str
    children: tuple[tuple[Value, Tree], ...]


Tree = Leaf | Branch
REFUSED = Leaf()


@dataclass(slots=True)
class Trials:
    """Tries a rule for all values of the inputs that aren't known.

    Attributes:
        rules: of the game.
        rule: the rule.
        output: the output.
        assume: whether inputs without a value take the book's standard.
        doubted: inputs that don't, all the same.
        is_complete: whether all values could be tried.
    """

    rules: Ruleset
    rule: Rule
    output: str
    assume: bool = True
    doubted: frozenset[str] = frozenset()
    is_complete: bool = True
    _left: int = field(default=_MOST_TRIALS)

    def tree(self, state: Mapping[str, Value]) -> Tree:
        """The reduced tree of what comes out."""
        self._left -= 1
        evaluation = Evaluation(self.rules, state, assume=self.assume, doubted=self.doubted)
        try:
            evaluation.check(self.rule)
            return Leaf(evaluation.value(self.output))
        except HoldsNotError:
            return REFUSED
        except SilentError as error:
            return Leaf(silent=str(error))
        except MissingError as error:
            return self._branch(error.name, state)

    def _branch(self, name: str, state: Mapping[str, Value]) -> Tree:
        domain = self.rules.inputs[name].domain
        if not domain or self._left < len(domain):
            self.is_complete = False
            return Leaf(missing=name)
        children = tuple((value, self.tree({**state, name: value})) for value in domain)
        return _reduced(name, children)


def _reduced(name: str, children: tuple[tuple[Value, Tree], ...]) -> Tree:
    """The branch, or what all its children agree on; trials that were refused don't count."""
    told = [child for _, child in children if child != REFUSED]
    if not told:
        return REFUSED
    return told[0] if all(child == told[0] for child in told) else Branch(name, children)


def leaves(tree: Tree) -> Iterator[Leaf]:
    """The leaves of a tree, without those refused."""
    if isinstance(tree, Branch):
        for _, child in tree.children:
            yield from leaves(child)
    elif tree != REFUSED:
        yield tree


def inputs_that_matter(tree: Tree) -> tuple[str, ...]:
    """The inputs that the result depends on, in the order in which they are needed."""
    names: dict[str, None] = {}
    todo = [tree]
    while todo:
        node = todo.pop(0)
        if isinstance(node, Branch):
            names[node.name] = None
            todo += [child for _, child in node.children]
        elif node.missing:
            names[node.missing] = None
    return tuple(names)
