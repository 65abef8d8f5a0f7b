"""How computed rules look: lines that are styled on a terminal and plain in a pipe."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from rulespal_chat.rules.results import Claim, Outcome, Verdict
from rulespal_chat.rules.wording import listed, shown, with_unit, words_of
from rulespal_chat.types import SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from rich.console import RenderableType

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Input, Output, Rule, Ruleset
    from rulespal_chat.rules.results import Assignment, Check, Computed, Solution
    from rulespal_chat.types import Pick


class Look(Enum):
    """What a line is, which decides how it looks on a terminal."""

    LEAD = auto()
    TEXT = auto()
    DETAIL = auto()
    PLACE = auto()
    NOTE = auto()
    HINT = auto()  # for people only: it isn't printed in a pipe


_STYLES = {Look.LEAD: "bold", Look.TEXT: "", Look.NOTE: "yellow"}


@dataclass(frozen=True, slots=True)
class Line:
    """A line of output; where it wraps, it keeps to the right of its mark.

    Attributes:
        text: what it says.
        look: how.
        mark: stands before it.
        mark_style: rich's style of the mark.
        indent: columns before the mark.
    """

    text: str
    look: Look = Look.TEXT
    mark: str = ""
    mark_style: str = "dim"
    indent: int = 0


BLANK = Line("")
_MOST_LISTED = 12
_WORDS = 2  # a name of no more reads well before what it names: "Terror Pony difficulty"
_SIGNS = {
    Verdict.AGREES: ("✓", "green"),
    Verdict.CONTRADICTS: ("✗", "red"),
    Verdict.UNDETERMINED: ("?", "yellow"),
    Verdict.INCONSISTENT: ("?", "yellow"),
}


def drawn(lines: Iterable[Line]) -> RenderableType:
    """The lines for a terminal."""
    return Group(*map(_drawn, lines))


def plain(lines: Iterable[Line]) -> str:
    """The lines for a pipe, not wrapped."""
    return "\n".join(
        " " * line.indent + f"{line.mark} {line.text}".strip()
        for line in lines
        if line.look is not Look.HINT
    ).rstrip("\n")


def _drawn(line: Line) -> RenderableType:
    words = line.text.replace(SEPARATOR, " › ") if line.look is Look.PLACE else line.text
    text = Text(words, _STYLES.get(line.look, "dim"))
    shape: RenderableType = text
    if line.mark:
        shape = Table.grid(padding=(0, 1, 0, 0))
        shape.add_column(no_wrap=True)
        shape.add_column()
        shape.add_row(Text(line.mark, line.mark_style), text)
    return Padding(shape, (0, 0, 0, line.indent)) if line.indent else shape


# What rules there are


def ruleset_lines(rulesets: Iterable[Ruleset]) -> Iterator[Line]:
    """The rules of games: what each gives, and what it needs for that."""
    first = ""
    for rules in rulesets:
        yield Line(f"{rules.book.title}  {rules.book.id}", Look.LEAD)
        yield BLANK
        if not rules.rules:
            yield Line("No rules that can be computed.", Look.DETAIL)
            yield BLANK
        for rule in rules.rules.values():
            first = first or rule.id
            yield from _rule_lines(rules, rule)
            yield BLANK
    if first:
        yield Line(f"Compute one: rulespal compute {first}", Look.HINT)


def _rule_lines(rules: Ruleset, rule: Rule) -> Iterator[Line]:
    yield Line(rule.title, mark=rule.id, mark_style="cyan")
    yield Line(rule.section, Look.PLACE, indent=2)
    for output in rule.outputs:
        yield Line(f"{output.name}: {_range(output)}", mark="gives", indent=2)
    for name in rule.inputs:
        yield Line(f"{name}: {choices(rules.inputs[name])}", mark="needs", indent=2)


def choices(given: Input) -> str:
    """The values that an input may have, as they can be typed; the book's standard is marked."""
    match given.type.kind:
        case "list":
            fewest, most = given.length
            return f"{fewest} to {most} numbers of {given.low} to {given.high}"
        case "cell":
            return "a space as column and row, such as 2,1"
        case "cells":
            return "spaces as columns and rows, such as 2,1;3,4"
        case "int":
            standard = f" (standard {given.default})" if given.default is not None else ""
            return _span(given) + standard
    return ", ".join(
        _typed(value) + (" (standard)" if value == given.default else "") for value in given.domain
    )


def _typed(value: Value) -> str:
    """A value as it can be given in key=value."""
    return value if isinstance(value, str) else shown(value)


def example_of(given: Input) -> str:
    """A value of an input as it can be given in key=value."""
    match given.type.kind:
        case "list":
            return ",".join([str(given.high)] * given.length[0])
        case "cell":
            return "2,1"
        case "cells":
            return "2,1;3,4"
    return _typed(given.domain[-1])


def _range(output: Output) -> str:
    match output.type.kind:
        case "bool":
            return "yes or no"
        case "enum":
            return ", ".join(value for value, _ in output.values)
        case "list":
            return f"a list of {output.unit.many or 'numbers'}"
    if output.low == output.high:
        return output.unit.many or "a number"
    return _span(output)


def _span(thing: Input | Output) -> str:
    """The bounds of an int, with its unit unless the name tells it."""
    unit = "" if thing.unit.many.lower() == words_of(thing.name) else thing.unit.many
    return f"{thing.low} to {thing.high} {unit}".rstrip()


# What a rule gives


def computed_lines(rules: Ruleset, rule: Rule, computed: Computed, command: str) -> Iterator[Line]:
    """A result with its derivation, or what it waits for.

    Args:
        rules: of the game.
        rule: the rule.
        computed: the result.
        command: that was typed, to be repeated with what is missing.
    """
    if computed.is_determined:
        yield Line(computed.sentence, Look.LEAD)
        yield from _derivation(computed)
        yield from _assumptions(rules, computed.assumed)
        for pick in computed.also:
            yield BLANK
            yield from _cited([pick])
    else:
        yield from _open(rules, rule, computed, command)
    for pick in computed.unclear:
        yield BLANK
        yield Line(pick.statement.text, Look.NOTE)
        yield Line(pick.section.name, Look.PLACE)
    others = [o.name for o in rule.outputs if o.name != computed.output]
    if others:
        yield BLANK
        yield Line(f"With --output it also gives {listed(others)}.", Look.HINT)


def _derivation(computed: Computed) -> Iterator[Line]:
    yield BLANK
    for derived in computed.derivation:
        yield Line(f"{words_of(derived.name)}: {derived.step}", mark="-")
        yield from _cited(derived.picks, indent=2)


def _cited(picks: Iterable[Pick], indent: int = 0) -> Iterator[Line]:
    """Quotes, each followed by where it stands; several of a section are named once."""
    for section, members in groupby(picks, key=lambda pick: pick.section.name):
        for pick in members:
            yield Line(pick.statement.text, Look.DETAIL, indent=indent)
        yield Line(section, Look.PLACE, indent=indent)


def _assumptions(rules: Ruleset, assumed: Assignment) -> Iterator[Line]:
    if assumed:
        yield BLANK
        yield Line(_assumption(rules, assumed), Look.NOTE)


def _assumption(rules: Ruleset, assumed: Assignment) -> str:
    return f"assumed: {state_in_words(rules, assumed)}"


def state_in_words(rules: Ruleset, state: Assignment) -> str:
    """What is known: "standard ghoul difficulty · 5 players"."""
    return " · ".join(said(rules.inputs[name], value) for name, value in state)


def said(given: Input, value: Value) -> str:
    """What is known of an input: "5 players", "isolation 3 rings", "wall: no", "full moon"."""
    words = words_of(given.name)
    if given.type.kind != "int":
        name = shown(value, given)
        is_level = given.type.kind == "enum" and given.default is not None
        return f"{name} {words}" if is_level and name.count(" ") < _WORDS else f"{words}: {name}"
    unit = with_unit(value, given.unit).partition(" ")[2]
    if unit.lower().endswith(words.lower()) or given.unit.many.lower().endswith(words.lower()):
        return f"{value} {unit}"
    return f"{words} {value}" if unit.lower() in words.lower() else f"{words} {value} {unit}"


def _open(rules: Ruleset, rule: Rule, computed: Computed, command: str) -> Iterator[Line]:
    """Why there is no value, and what would have to be known."""
    match computed.outcome:
        case Outcome.INCONSISTENT:
            yield from _refused("That can't be so", computed)
        case Outcome.NOT_APPLICABLE:
            yield from _refused("The rule doesn't hold here", computed)
        case _ if computed.missing:
            yield Line(f"{computed.reason[:1].upper()}{computed.reason[1:]}.", Look.LEAD)
            yield from _questions(rules, computed)
            first = rules.inputs[computed.missing[0]]
            yield BLANK
            yield Line(f"Next: {command} {first.name}={_in_shell(example_of(first))}", Look.DETAIL)
        case _:
            yield Line(f"The book doesn't say: {computed.reason}.", Look.LEAD)
            yield Line(rule.section, Look.PLACE)


def _in_shell(text: str) -> str:
    return f'"{text}"' if ";" in text else text


def _refused(lead: str, computed: Computed) -> Iterator[Line]:
    """A state that some statements don't allow."""
    quoted = [pick.statement.text for pick in computed.refused_by]
    yield Line(
        f"{lead}." if computed.reason in quoted else f"{lead}: {computed.reason}.", Look.LEAD
    )
    yield from _cited(computed.refused_by)


def _questions(rules: Ruleset, computed: Computed) -> Iterator[Line]:
    yield BLANK
    for name in computed.missing:
        given = rules.inputs[name]
        yield Line(given.ask, mark="?", mark_style="yellow")
        yield Line(f"{name}: {choices(given)}", Look.DETAIL, indent=2)
    if computed.possible:
        output = rules.rules[computed.rule].output(computed.output)
        yield BLANK
        yield Line(f"possible: {possibly(computed.possible, output)}")


def possibly(values: Sequence[Value], output: Output) -> str:
    """The values that may come out: "5 to 8 Toads"."""
    first, last = values[0], values[-1]
    if output.type.kind == "int" and isinstance(first, int) and isinstance(last, int):
        span = f"{first} to {with_unit(last, output.unit)}"
        if 1 < len(values) == last - first + 1:
            return span
        if len(values) > _MOST_LISTED:
            return f"some of {span}"
    if len(values) > _MOST_LISTED:
        return ", ".join([*(shown(v, output) for v in values[:_MOST_LISTED]), "…"])
    named = [shown(value, output) for value in values[:-1]]
    return listed([*named, with_unit(last, output.unit, output)], "or")


def table_lines(
    rules: Ruleset, over: str, output: Output, rows: Sequence[tuple[Value, Computed]]
) -> Iterator[Line]:
    """The results for each value of an input, one a line."""
    given = rules.inputs[over]
    values = [shown(value, given) for value, _ in rows]
    width = max(map(len, [words_of(over), *values]))
    yield Line(words_of(output.name), Look.DETAIL, mark=words_of(over).ljust(width + 1))
    for value, (_, computed) in zip(values, rows, strict=True):
        known = computed.is_determined
        yield Line(
            computed.sentence if known else f"- {computed.reason}",
            Look.TEXT if known else Look.DETAIL,
            mark=value.ljust(width + 1),
            mark_style="bold",
        )
    assumed = dict(pair for _, computed in rows for pair in computed.assumed)
    yield from _assumptions(rules, tuple(assumed.items()))


# What gives a value, and whether it is right


def solution_lines(
    rules: Ruleset, rule: Rule, solution: Solution, known: Assignment
) -> Iterator[Line]:
    """All states that give a value, one a line, or the statements that forbid it."""
    output = rule.output(solution.claim.output)
    claim = claimed(solution.claim, output)
    if output.type.kind == "enum":
        claim = f"{words_of(output.name)} {claim}"
    given = f", given {state_in_words(rules, known)}" if known else ""
    if not solution.states:
        yield Line(f"No: {claim} can't be{given}.", Look.LEAD)
        yield from _cited(solution.forbidden_by)
    elif not any(solution.states):
        yield Line(f"Yes: {claim}{given}.", Look.LEAD)
    else:
        yield Line(f"Yes: {claim}{given}, with" if given else f"Yes: {claim} with", Look.LEAD)
        for state in solution.states:
            yield Line(state_in_words(rules, state), mark="-", indent=2)
    if not solution.is_complete:
        yield Line("There may be more.", Look.NOTE)


def claimed(claim: Claim, output: Output) -> str:
    """A claim in words: "at least 12 Fury"."""
    if isinstance(claim.value, bool):
        is_yes = claim.value == (claim.operator == "==")
        return output.yes if is_yes else output.no
    value = with_unit(claim.value, output.unit, output)
    words = str(Claim(claim.output, claim.operator, value))
    is_clear = bool(output.unit.many) or output.type.kind == "enum"
    return words if is_clear else f"{words_of(output.name)} {words}"


def no_claim_lines(rules: Ruleset) -> Iterator[Line]:
    """That a sentence claims nothing that could be checked."""
    yield Line("The sentence claims nothing that a rule gives.", Look.LEAD)
    yield Line(f"Next: rulespal rules {rules.book.id}", Look.DETAIL)


def check_lines(rules: Ruleset, checks: Iterable[Check], *, name_rules: bool) -> Iterator[Line]:
    """The verdict on each claim in one line, and below it what it rests on.

    Args:
        rules: of the game.
        checks: the verdicts.
        name_rules: whether it must be said which rule each is by.
    """
    for place, check in enumerate(checks):
        rule = rules.rules[check.right.rule]
        output = rule.output(check.claim.output)
        sign, style = _SIGNS[check.verdict]
        if place:
            yield BLANK
        yield Line(_verdict(check, output), mark=sign, mark_style=style)
        for line in _grounds(rules, check, output):
            yield replace(line, indent=2)
        if name_rules:
            yield Line(f"by {rule.id}: {rule.title}", Look.DETAIL, indent=2)


def _verdict(check: Check, output: Output) -> str:
    right = check.right
    match check.verdict:
        case Verdict.AGREES:
            return f"agrees: {claimed(check.claim, output)}"
        case Verdict.CONTRADICTS if right.is_determined:
            verb = "say" if isinstance(right.value, bool) else "give"
            return f"the rules {verb} {_within(right, output)}"
        case Verdict.CONTRADICTS if right.possible:
            return f"the rules give {possibly(right.possible, output)}"
        case Verdict.CONTRADICTS:
            return f"the rules exclude {claimed(check.claim, output)}"
        case Verdict.INCONSISTENT if right.outcome is Outcome.NOT_APPLICABLE:
            return "the rule doesn't hold here"
        case Verdict.INCONSISTENT:
            return "what is given can't be"
    if check.missing:
        return f"needs: {listed([words_of(name) for name in check.missing])}"
    return f"open: {right.reason or 'it takes too long to prove'}"


def _within(computed: Computed, output: Output) -> str:
    """The sentence of a result as it goes on within another: names keep their capitals."""
    value = computed.value
    assert value is not None  # noqa: S101  (asked by the caller)
    start = "yes" if value is True else "no" if value is False else shown(value, output)
    return start + computed.sentence[len(start) :].removesuffix(".")


def _grounds(rules: Ruleset, check: Check, output: Output) -> Iterator[Line]:
    """What a verdict rests on: statements, a state in which it would be true, questions."""
    quoted = [pick.statement.text for pick in check.refuted_by]
    if check.verdict is Verdict.INCONSISTENT and check.right.reason not in quoted:
        yield Line(check.right.reason)
    yield from _cited(check.refuted_by)
    if check.nearest_true is not None:
        name, value = check.nearest_true
        what, where = check.claim.value, said(rules.inputs[name], value)
        claim = f"'{shown(what)}'" if isinstance(what, bool) else claimed(check.claim, output)
        yield Line(f"{claim} would be right with {where}")
    elif check.verdict is not Verdict.AGREES:
        yield Line(f"claimed: {claimed(check.claim, output)}", Look.DETAIL)
    for name in check.missing:
        yield Line(rules.inputs[name].ask)
        yield Line(f"{name}: {choices(rules.inputs[name])}", Look.DETAIL)
    if check.right.assumed:
        yield Line(_assumption(rules, check.right.assumed), Look.NOTE)
