"""Values, calculations and results in plain words."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from rulespal_chat.rules.expressions import WORDS, Expression, MissingError, evaluate

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rulespal_chat.rules.evaluator import Traced
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Input, Output, Ruleset, Unit

_NAME = re.compile(r"\{([a-z][a-z0-9_]*)\}")
_SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "×", ast.FloorDiv: "÷", ast.Mod: "mod",
    ast.Eq: "=", ast.NotEq: "≠", ast.Lt: "<", ast.LtE: "≤", ast.Gt: ">", ast.GtE: "≥",
    ast.In: "in", ast.NotIn: "not in", ast.And: "and", ast.Or: "or",
}  # fmt: skip
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE,
    ast.LtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_LOOSE = (ast.Add, ast.Sub)


def names_in(template: str) -> tuple[str, ...]:
    """The names in braces of a template."""
    return tuple(_NAME.findall(template))


def words_of(name: str) -> str:
    """A name for people: "fury_goal" is "fury goal"."""
    return name.replace("_", " ")


def listed(parts: Sequence[str], last: str = "and") -> str:
    """The parts as a list in a sentence."""
    return f" {last} ".join([", ".join(parts[:-1]), parts[-1]] if len(parts) > 1 else parts)


def shown(value: Value, thing: Input | Output | None = None) -> str:
    """A value for people; an enum's by the first name that it goes by."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return _listed_values(value)
    if isinstance(value, str) and thing is not None:
        called = dict(thing.values).get(value, ())
        return called[0] if called else words_of(value)
    return words_of(value) if isinstance(value, str) else str(value)


def _listed_values(values: tuple[Value, ...]) -> str:
    """A list for people; pairs in it are put into brackets."""
    if any(isinstance(member, tuple) for member in values):
        return listed([f"({', '.join(map(str, m))})" for m in values if isinstance(m, tuple)])
    return listed([shown(member) for member in values])


def with_unit(value: Value, unit: Unit, thing: Input | Output | None = None) -> str:
    """A value with the word for what it counts."""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{value} {unit.of(value)}".rstrip()
    if isinstance(value, tuple):
        return f"{shown(value)} {unit.many}".rstrip()
    return shown(value, thing)


class Wording:
    """Puts what was computed into words.

    Args:
        rules: of the game.
        trace: how each step came about.
        values: of the inputs that were used.
    """

    def __init__(
        self, rules: Ruleset, trace: Mapping[str, Traced], values: Mapping[str, Value]
    ) -> None:
        self._rules, self._trace, self._values = rules, trace, values

    def lead(self, output: Output) -> str:
        """The result as a sentence: "12 Fury: 7 for the standard Ghoul + 5 players."."""
        traced = self._trace[output.name]
        because = self.because(output.name)
        label = self.filled(traced.step.label)
        if isinstance(traced.value, bool):
            result = f"Yes, {output.yes}" if traced.value else f"No, {output.no}"
        else:
            unit = traced.unit or output.unit
            result = with_unit(traced.value, unit, output)
            result = f"{result} {label}".rstrip()
        sentence = f"{result}: {because}" if because else result
        return f"{sentence[:1].upper()}{sentence[1:]}."

    def value(self, name: str) -> str:
        """The value of an input or step; an enum's as its output calls it."""
        value = self._value(name)
        return words_of(name) if value is None else shown(value, self._thing(name))

    def _thing(self, name: str) -> Input | Output | None:
        """The input or output of this name, which knows what its values are called."""
        if name in self._rules.inputs:
            return self._rules.inputs[name]
        outputs = (o for rule in self._rules.rules.values() for o in rule.outputs)
        return next((output for output in outputs if output.name == name), None)

    def because(self, name: str) -> str:
        """Why a step has its value, as a clause; empty for a plain number."""
        traced = self._trace[name]
        if traced.sentences:
            return "; ".join(traced.sentences)
        if traced.row is None:
            return ""
        if traced.row.say:
            return self.filled(traced.row.say)
        tree = traced.row.value.tree
        if isinstance(tree, ast.Name) and tree.id in self._trace:
            return self.because(tree.id)
        is_plain = isinstance(tree, ast.Constant) or ast.unparse(tree) in WORDS
        return "" if is_plain else self._true(tree)

    def _true(self, node: ast.expr) -> str:
        """A term; a condition as it is true, so that "9 ≥ 10" becomes "9 < 10"."""
        holds = self._evaluated(node)
        match node:
            case ast.BoolOp(values=values) if isinstance(holds, bool):
                # The parts that decide are as the whole is: all of a true "and", not of a false.
                deciding = [value for value in values if self._evaluated(value) is holds]
                return " and ".join(map(self._true, deciding))
            case ast.UnaryOp(op=ast.Not(), operand=operand) if isinstance(holds, bool):
                return self._true(operand)
            case ast.Compare(left=left, ops=[operator], comparators=[right]) if holds is False:
                opposite = _OPPOSITE[type(operator)]()
                node = ast.Compare(left=left, ops=[opposite], comparators=[right])
            case ast.Compare() if holds is False:
                return f"not {self._term(node, with_units=True)}"
            case ast.Name(id=name) if isinstance(holds, bool):
                return f"{words_of(name)}: {shown(holds)}"
        return self._term(node, with_units=True)

    def calculation(self, expression: Expression) -> str:
        """An expression with its values put in: "7 + 5"."""
        return self._term(expression.tree, with_units=False)

    def filled(self, template: str) -> str:
        """A template with its names' values put in."""
        return _NAME.sub(lambda found: self.value(found[1]), template)

    def _value(self, name: str) -> Value | None:
        traced = self._trace.get(name)
        return self._values.get(name) if traced is None else traced.value

    def _term(self, node: ast.expr, *, with_units: bool) -> str:  # noqa: C901  (one case a node)
        def term(other: ast.expr) -> str:
            return self._term(other, with_units=with_units)

        match node:
            case ast.Name(id=name):
                return self._name_term(name, with_units=with_units)
            case ast.BinOp(left=left, op=operator, right=right):
                loose = isinstance(operator, _LOOSE)
                sides = [self._side(side, term(side), loose=loose) for side in (left, right)]
                return f"{sides[0]} {_SIGNS[type(operator)]} {sides[1]}"
            case ast.UnaryOp(op=ast.USub(), operand=operand):
                return f"-{term(operand)}"
            case ast.UnaryOp(operand=operand):
                return f"not {term(operand)}"
            case ast.BoolOp(op=junction, values=values):
                return f" {_SIGNS[type(junction)]} ".join(map(term, values))
            case ast.Compare(left=left, ops=operators, comparators=others):
                return term(left) + "".join(
                    f" {_SIGNS[type(operator)]} {term(other)}"
                    for operator, other in zip(operators, others, strict=True)
                )
            case ast.IfExp():
                return term(self._chosen(node))
            case ast.Call(func=ast.Name(id=function), args=args):
                what = {"min": "the smaller of ", "max": "the larger of "}.get(function, "")
                return what + listed([term(arg) for arg in args])
            case ast.List(elts=elements):
                return listed([term(element) for element in elements], "or")
            case ast.Constant(value=value):
                return shown(value)  # type: ignore[arg-type]  # the parser lets no other type through
        return ast.unparse(node)

    def _side(self, node: ast.expr, text: str, *, loose: bool) -> str:
        """A side of an operation, in brackets where it binds less."""
        node = self._chosen(node) if isinstance(node, ast.IfExp) else node
        binds_less = isinstance(node, ast.BinOp) and isinstance(node.op, _LOOSE)
        return f"({text})" if binds_less and not loose else text

    def _chosen(self, node: ast.IfExp) -> ast.expr:
        """The branch that was taken, as far as it is known."""
        taken = self._evaluated(node.test)
        return node.orelse if taken is False else node.body

    def _evaluated(self, node: ast.expr) -> Value | None:
        """The value of an expression, if all that it needs is known."""

        def value_of(name: str) -> Value:
            value = self._value(name)
            if value is None:
                raise MissingError(name)
            return value

        try:
            return evaluate(Expression("", node), value_of)
        except MissingError:
            return None

    def _name_term(self, name: str, *, with_units: bool) -> str:
        value = self._value(name)
        if value is None:
            return words_of(name)
        if not with_units:
            return shown(value, self._rules.inputs.get(name))
        if (traced := self._trace.get(name)) is not None:
            return f"{shown(value)} {self.filled(traced.step.label)}".rstrip()
        given = self._rules.inputs[name]
        return with_unit(value, given.unit, given)
