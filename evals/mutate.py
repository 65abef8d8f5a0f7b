"""Whether the examples of the rules notice a slip: python evals/mutate.py [--survivors].

Changes the rows of the rule files in memory, one place at a time: each whole number by 1, up and
down, and each < to <=, each > to >=, and back. A change is caught if an example fails, of its rule
or of one that uses its steps, or if the loader refuses it, since the number stands in no quote of
its row any more. Prints the share caught in each book, and fails if it is below 0.90 in all.
"""

from __future__ import annotations

import argparse
import ast
import copy
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.places import packaged_corpus
from rulespal_chat.rules.examples import failures, failures_of
from rulespal_chat.rules.expressions import Expression, ExpressionError, parse, type_of
from rulespal_chat.rules.lint import users
from rulespal_chat.rules.loading import load_rules
from rulespal_chat.rules.proving import quoted_numbers

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulespal_chat.rules.model import Row, Rule, Ruleset, Step

LEAST = 0.90
_FLIPPED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """A ruleset with a change in one place.

    Attributes:
        rules: with the change.
        rule: the rule, without it.
        step: the name of the step.
        row: the place of the row, from 1.
        change: the expression before and after.
        is_refused: whether the loader refuses the number.
    """

    rules: Ruleset
    rule: Rule
    step: str
    row: int
    change: str
    is_refused: bool

    def __str__(self) -> str:
        place = f"line {self.rule.line}: {self.rule.id}, step {self.step}, row {self.row}"
        return f"{place}: {self.change}"


def mutants(rules: Ruleset) -> Iterator[Mutant]:
    """Every ruleset that differs from this one in one place."""
    for rule in rules.rules.values():
        for step in rule.steps:
            for number, row in enumerate(step.rows):
                for changed, change, is_refused in _rows(row):
                    if _has_types(changed, rules):
                        rows = (*step.rows[:number], changed, *step.rows[number + 1 :])
                        made = _with_step(rules, rule, replace(step, rows=rows))
                        yield Mutant(made, rule, step.name, number + 1, change, is_refused)


def _rows(row: Row) -> Iterator[tuple[Row, str, bool]]:
    """The row with each change, with what changed and whether the loader refuses it."""
    quoted = quoted_numbers(row.picks)
    for before in filter(None, (row.condition, row.value)):
        for after, old, new in _changes(before):
            was_quoted = old in quoted and old not in row.derived
            is_refused = was_quoted and new not in quoted and new not in row.derived
            is_value = before is row.value
            changed = replace(row, value=after) if is_value else replace(row, condition=after)
            yield changed, f"{before.text} -> {after.text}", is_refused


def _changes(expression: Expression) -> Iterator[tuple[Expression, int | None, int | None]]:
    """The expression with each change, and the number before and after if it is one."""
    for place, node in enumerate(ast.walk(expression.tree)):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            for number in (node.value - 1, node.value + 1):
                yield _with(expression, place, "value", number), node.value, abs(number)
        elif isinstance(node, ast.Compare):
            for n, operator in enumerate(node.ops):
                if type(operator) in _FLIPPED:
                    flipped = [*node.ops[:n], _FLIPPED[type(operator)](), *node.ops[n + 1 :]]
                    yield _with(expression, place, "ops", flipped), None, None


def _with(expression: Expression, place: int, field: str, value: object) -> Expression:
    """The expression with another value in a field of the node at a place of `ast.walk`."""
    tree = copy.deepcopy(expression.tree)
    setattr(list(ast.walk(tree))[place], field, value)
    return parse(ast.unparse(tree))


def _has_types(row: Row, rules: Ruleset) -> bool:
    """Whether the types of a row still fit; dividing by 0 is no rule at all."""
    types = {name: given.type for name, given in rules.inputs.items()}
    types |= {name: step.type for name, step in rules.steps.items()}
    try:
        for expression in (row.condition, row.value):
            if expression is not None:
                type_of(expression, types)
    except ExpressionError:
        return False
    return True


def _with_step(rules: Ruleset, rule: Rule, step: Step) -> Ruleset:
    steps = tuple(step if step.name == other.name else other for other in rule.steps)
    return replace(
        rules,
        rules={**rules.rules, rule.id: replace(rule, steps=steps)},
        steps={**rules.steps, step.name: step},
    )


def is_caught(mutant: Mutant, concerned: Sequence[Rule]) -> bool:
    """Whether the loader or an example of these rules notices a change."""
    return mutant.is_refused or any(
        any(failures_of(mutant.rules, rule, example))
        for rule in concerned
        for example in rule.examples
    )


def survivors(rules: Ruleset) -> tuple[list[Mutant], int]:
    """The mutants that nothing notices, and how many mutants there are.

    Raises:
        ValueError: an example fails without any change.
    """
    if wrong := list(failures(rules)):
        raise ValueError(f"The examples of {rules.book.title} fail already: {wrong[0]}")
    concerned = users(rules)
    made = list(mutants(rules))
    return [mutant for mutant in made if not is_caught(mutant, concerned[mutant.step])], len(made)


def main() -> None:
    """Mutates the rules of every packaged book and prints the share caught."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--survivors", action="store_true", help="print what nothing noticed")
    options = parser.parse_args()
    print(f"{'':40} mutants  caught  share")
    total = left = 0
    for book in load_library(packaged_corpus() / "nowhere").books:
        try:
            survived, made = survivors(load_rules(book))
        except ValueError as error:
            raise SystemExit(str(error)) from None
        total, left = total + made, left + len(survived)
        print(_line(book.title, made, len(survived)))
        for mutant in survived if options.survivors else ():
            print(f"  {mutant}")
    print(_line("all", total, left))
    if total - left < LEAST * total:
        raise SystemExit(f"Fewer than {LEAST:.0%} are caught.")


def _line(title: str, made: int, survived: int) -> str:
    share = (made - survived) / made if made else 1.0
    return f"{title:40} {made:7} {made - survived:7}  {share:.3f}"


if __name__ == "__main__":
    main()
