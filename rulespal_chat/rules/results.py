"""What the engine finds: values with derivations, verdicts on claims, and solutions."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

from rulespal_chat.rules.expressions import Value, compare

if TYPE_CHECKING:
    from rulespal_chat.types import Pick

Assignment = tuple[tuple[str, Value], ...]
COMPARISONS: dict[str, ast.cmpop] = {
    "==": ast.Eq(), "!=": ast.NotEq(), "<": ast.Lt(), "<=": ast.LtE(), ">": ast.Gt(),
    ">=": ast.GtE(),
}  # fmt: skip
_IN_WORDS = {
    "==": "", "!=": "not ", "<": "less than ", "<=": "at most ", ">": "more than ",
    ">=": "at least ", "has": "",
}  # fmt: skip


class Outcome(StrEnum):
    """How a computation ended."""

    DETERMINED = "determined"
    UNDETERMINED = "undetermined"
    NOT_APPLICABLE = "not_applicable"
    INCONSISTENT = "inconsistent"


class Verdict(StrEnum):
    """What the rules say of a claim."""

    AGREES = "agrees"
    CONTRADICTS = "contradicts"
    UNDETERMINED = "undetermined"
    INCONSISTENT = "inconsistent"


@dataclass(frozen=True, slots=True)
class Derived:
    """A step of a derivation.

    Attributes:
        name: of what was computed.
        step: the calculation with its values, such as "7 + 5 = 12".
        picks: the statements that it rests on.
        is_passed_on: whether it only takes the value of another step, as below a cap.
    """

    name: str
    step: str
    picks: tuple[Pick, ...]
    is_passed_on: bool = False


@dataclass(frozen=True, slots=True)
class Computed:
    """What a rule gives for a state.

    Attributes:
        game: the book's id.
        rule: the rule's id.
        output: what was computed.
        outcome: whether there is a value, and if not, why.
        value: the value; None unless determined.
        unit: what it counts.
        sentence: the result in a plain sentence; empty unless determined.
        inputs: those given that the value depends on.
        assumed: those that took the book's standard.
        missing: those that would have to be known, the first one first.
        possible: the values that may come out, ascending; None if they aren't known.
        derivation: the steps, each after those that it uses.
        reason: why there is no value, as a clause.
        refused_by: the statements that the state breaks, or that show what the book leaves out.
        unclear: the book's notes on what it leaves open.
        also: statements to be said with the value.
    """

    game: str
    rule: str
    output: str
    outcome: Outcome
    value: Value | None = None
    unit: str = ""
    sentence: str = ""
    inputs: Assignment = ()
    assumed: Assignment = ()
    missing: tuple[str, ...] = ()
    possible: tuple[Value, ...] | None = None
    derivation: tuple[Derived, ...] = ()
    reason: str = ""
    refused_by: tuple[Pick, ...] = ()
    unclear: tuple[Pick, ...] = ()
    also: tuple[Pick, ...] = ()

    @property
    def is_determined(self) -> bool:
        """Whether there is a value."""
        return self.outcome is Outcome.DETERMINED

    def as_dict(self) -> dict[str, object]:
        """As the JSON contract has it."""
        return {
            "rule": self.rule,
            "output": self.output,
            "outcome": str(self.outcome),
            "value": self.value,
            "unit": self.unit,
            "inputs": dict(self.inputs),
            "assumed": dict(self.assumed),
            "missing": list(self.missing),
            "possible": None if self.possible is None else list(self.possible),
            "derivation": [
                {"name": d.name, "step": d.step, **quoted(pick)}
                for d in self.derivation
                for pick in d.picks
            ],
            "reason": self.reason or None,
        }


@dataclass(frozen=True, slots=True)
class Claim:
    """That an output has a value, or is on one side of it.

    Attributes:
        output: the output's name.
        operator: "==", "!=", "<", "<=", ">" or ">="; "has" for a member of a list.
        value: what it is compared with.
        text: the words that claim it.
        rivals: other outputs that the words may as well claim it of.
    """

    output: str
    operator: str
    value: Value
    text: str = ""
    rivals: tuple[str, ...] = ()

    def holds(self, value: Value) -> bool:
        """Whether it is true of a value of the output."""
        if self.operator == "has":
            return isinstance(value, tuple) and self.value in value
        return compare(COMPARISONS[self.operator], value, self.value)

    def __str__(self) -> str:
        return self.text or f"{_IN_WORDS[self.operator]}{self.value}"


@dataclass(frozen=True, slots=True)
class Check:
    """What the rules say of a claim.

    Attributes:
        claim: the claim.
        verdict: see `Verdict`.
        right: what the rules give for the same state.
        refuted_by: a minimal set of statements that exclude it.
        nearest_true: the input to change for it to be true, with its value.
        missing: the inputs that would have to be known.
        nearest: `nearest_true` in words; empty if there is none.
    """

    claim: Claim
    verdict: Verdict
    right: Computed
    refuted_by: tuple[Pick, ...] = ()
    nearest_true: tuple[str, Value] | None = None
    missing: tuple[str, ...] = ()
    nearest: str = ""

    def as_dict(self) -> dict[str, object]:
        """As the JSON contract has it."""
        return {
            "rule": self.right.rule,
            "output": self.claim.output,
            "claim": str(self.claim),
            "verdict": str(self.verdict),
            "right": self.right.value,
            "refuted_by": [quoted(pick) for pick in self.refuted_by],
            "nearest_true": None if self.nearest_true is None else dict([self.nearest_true]),
            "missing": list(self.missing),
        }


@dataclass(frozen=True, slots=True)
class Solution:
    """All states in which an output has a value.

    Attributes:
        claim: the value, or bound, that was asked for.
        states: the inputs that bring it about, leaving out those that don't matter.
        forbidden_by: if there is none, a minimal set of statements that exclude it.
        is_complete: whether these are all.
    """

    claim: Claim
    states: tuple[Assignment, ...]
    forbidden_by: tuple[Pick, ...] = ()
    is_complete: bool = True

    def as_dict(self) -> dict[str, object]:
        """As `rulespal solve --json` prints it."""
        return {
            "output": self.claim.output,
            "claim": f"{self.claim.operator} {self.claim.value}",
            "states": [dict(state) for state in self.states],
            "forbidden_by": [quoted(pick) for pick in self.forbidden_by],
            "complete": self.is_complete,
        }


def quoted(pick: Pick) -> dict[str, str]:
    """A statement as JSON: where it stands and what it says."""
    return {"section": pick.section.name, "quote": pick.statement.text}
