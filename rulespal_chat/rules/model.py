"""Rules that can be computed, as a checked rule file gives them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rulespal_chat.rules.expressions import Type, Value

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rulespal_chat.errors import CorpusError
    from rulespal_chat.rules.algorithms import Algorithm
    from rulespal_chat.rules.expressions import Expression, Scalar
    from rulespal_chat.types import Pick, Rulebook

State = dict[str, Value]


@dataclass(frozen=True, slots=True)
class Unit:
    """What is counted: its word for one, and for any other number."""

    one: str = ""
    many: str = ""

    @property
    def words(self) -> tuple[str, ...]:
        """By what it is called: its words, and their last word alone, as "disc" for Ghoul discs."""
        called = [word for word in (self.one, self.many) if word]
        return tuple(dict.fromkeys([*called, *(word.split()[-1] for word in called)]))

    def of(self, number: int) -> str:
        """The word that goes with a number."""
        return self.one if abs(number) == 1 else self.many


@dataclass(frozen=True, slots=True)
class Input:
    """What has to be known to compute a rule.

    Attributes:
        name: unique in a game; "reading_…" for one between readings of an unclear place.
        type: of its value.
        ask: the question to the player where it is missing.
        unit: of an int.
        low, high: bounds of an int, or of the members of a list; both included.
        length: of a list: the fewest and the most members.
        default: the book's standard, assumed where nothing else is said.
        values: of an enum, each with what it is called.
        says: phrases around an int or a list.
        yes, no: phrases that say a bool.
        unless: phrases of what changes it, beside which a number told isn't the one that counts.
        lasts: whether it holds for a whole game.
        sum_of, count_of: the list that an int follows from.
        only: when it means anything.
        bounds: the statements that print the bounds.
    """

    name: str
    type: Type
    ask: str
    unit: Unit = Unit()
    low: int = 0
    high: int = 0
    length: tuple[int, int] = (0, 0)
    default: Scalar | None = None
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    says: tuple[str, ...] = ()
    yes: tuple[str, ...] = ()
    no: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    lasts: bool = False
    sum_of: str = ""
    count_of: str = ""
    only: Expression | None = None
    bounds: tuple[Pick, ...] = ()

    @property
    def is_reading(self) -> bool:
        """Whether it chooses between readings of what the book leaves open."""
        return self.name.startswith("reading_")

    @property
    def domain(self) -> tuple[Scalar, ...]:
        """Every value that it may have, in order; empty for a list or a cell."""
        match self.type.kind:
            case "int":
                return tuple(range(self.low, self.high + 1))
            case "bool":
                return (False, True)
        return tuple(value for value, _ in self.values)


@dataclass(frozen=True, slots=True)
class Output:
    """What a rule determines and a player may ask for; attributes as those of `Input`.

    Attributes:
        yes, no: clauses that follow "Yes," and "No,".
        says: phrases by which it is asked for and claimed.
    """

    name: str
    type: Type
    unit: Unit = Unit()
    low: int = 0
    high: int = 0
    values: tuple[tuple[str, tuple[str, ...]], ...] = ()
    says: tuple[str, ...] = ()
    yes: str = ""
    no: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A case of a step: the first one whose condition holds gives the value.

    Attributes:
        condition: None holds always.
        value: the value.
        picks: the statements that say so.
        say: a clause with names in braces, for people; empty shows the value's expression.
        unit: where it differs from the output's.
        derived: numbers of the row that its statements lack.
    """

    condition: Expression | None
    value: Expression
    picks: tuple[Pick, ...]
    say: str = ""
    unit: Unit | None = None
    derived: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Step:
    """A named value: by rows, or by an algorithm.

    Attributes:
        name: unique in a game.
        type: of its value.
        rows: its cases; empty for an algorithm.
        algorithm: what computes it, with the names of its arguments.
        picks: the statements that an algorithm follows.
        label: said after the value, with names in braces.
        undetermined: why the book doesn't give the value, if it doesn't.
    """

    name: str
    type: Type
    rows: tuple[Row, ...] = ()
    algorithm: Algorithm | None = None
    arguments: tuple[str, ...] = ()
    picks: tuple[Pick, ...] = ()
    label: str = ""
    undetermined: str = ""

    @property
    def names(self) -> frozenset[str]:
        """The names that it uses."""
        used = {n for row in self.rows for n in row.value.names}
        used |= {n for row in self.rows if row.condition for n in row.condition.names}
        return frozenset(used | set(self.arguments))


@dataclass(frozen=True, slots=True)
class Condition:
    """Something that must hold, and the statements that say so."""

    expression: Expression
    picks: tuple[Pick, ...]


@dataclass(frozen=True, slots=True)
class Example:
    """What a rule gives for a state; `expect` is None where it can't be determined."""

    given: Mapping[str, Value]
    expect: Mapping[str, Value] | None
    printed: tuple[Pick, ...] = ()


@dataclass(frozen=True, slots=True)
class Rule:
    """A rule that can be computed.

    Attributes:
        id: unique in the library, such as "ghoul.fury_goal".
        title: for lists.
        section: the heading path of the section that it mainly stands in.
        inputs: names of all inputs that it uses, through other rules too.
        outputs: what may be asked for; at least one.
        steps: in the order of computing.
        applies: when the rule holds at all.
        always: what can't be otherwise.
        examples: given states and what they give.
        unclear: the book's notes on what it leaves open here.
        also: statements to be said with an answer.
        undetermined: why the book doesn't give the value, if it doesn't.
        line: of the rule in its file.
    """

    id: str
    title: str
    section: str
    inputs: tuple[str, ...]
    outputs: tuple[Output, ...]
    steps: tuple[Step, ...]
    applies: tuple[Condition, ...] = ()
    always: tuple[Condition, ...] = ()
    examples: tuple[Example, ...] = ()
    unclear: tuple[Pick, ...] = ()
    also: tuple[Pick, ...] = ()
    undetermined: str = ""
    line: int = 0

    def output(self, name: str) -> Output:
        """The output of this name.

        Raises:
            KeyError: it has none.
        """
        for output in self.outputs:
            if output.name == name:
                return output
        raise KeyError(name)

    @property
    def picks(self) -> Iterator[Pick]:
        """Every statement that its steps and conditions rest on; some come more than once."""
        for step in self.steps:
            yield from step.picks
            for row in step.rows:
                yield from row.picks
        for condition in (*self.applies, *self.always):
            yield from condition.picks


@dataclass(frozen=True, slots=True)
class Ruleset:
    """The rules of one game.

    Attributes:
        book: the rulebook that they cite.
        inputs: by name.
        rules: by id.
        steps: of all rules, by name.
        problems: one error for each rule that was left out, such as a stale one.
    """

    book: Rulebook
    inputs: Mapping[str, Input] = field(default_factory=dict)
    rules: Mapping[str, Rule] = field(default_factory=dict)
    steps: Mapping[str, Step] = field(default_factory=dict)
    problems: tuple[CorpusError, ...] = ()

    def closure(self, names: frozenset[str]) -> tuple[tuple[Step, ...], tuple[Input, ...]]:
        """The steps and the inputs that these names depend on, each before what uses it."""
        steps: dict[str, Step] = {}
        inputs: dict[str, Input] = {}

        def visit(name: str) -> None:
            if name in self.inputs:
                inputs[name] = self.inputs[name]
            elif name not in steps:
                step = self.steps[name]
                for used in sorted(step.names):
                    visit(used)
                steps[name] = step

        for name in sorted(names):
            visit(name)
        return tuple(steps.values()), tuple(inputs.values())
