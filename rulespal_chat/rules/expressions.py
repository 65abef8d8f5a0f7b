"""A closed language for the conditions and values of rule files.

An expression is parsed with Python's `ast`, held to a short list of nodes, and type-checked before
it is used. Nothing is ever compiled or run: one tree is walked by the evaluator here and by the
compiler to z3 in `solver`.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

Scalar = int | bool | str
Value = Scalar | tuple["Value", ...]

LONGEST = 400  # characters
DEEPEST = 25
MOST_NODES = 120
LARGEST = 10**6
FUNCTIONS = {"min": (2, 8), "max": (2, 8), "abs": (1, 1)}  # with how many arguments
WORDS = {"true": True, "false": False}

_OPERATORS = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
# a number that runs into a word, as in "1if" or "0x1f"
_RUN_TOGETHER = re.compile(r"\b\d\w*\.?\w*[^\W\d_]")
_COMPARISONS = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In)


class ExpressionError(ValueError):
    """The text is no expression of the language, or its types don't fit."""


class MissingError(Exception):
    """A value is needed that isn't known."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


@dataclass(frozen=True, slots=True)
class Type:
    """The type of a value: "int", "bool", "enum" with its values, "list", "cell" or "cells"."""

    kind: str
    values: frozenset[str] = frozenset()

    def __str__(self) -> str:
        return f"one of {', '.join(sorted(self.values))}" if self.kind == "enum" else self.kind


INT, BOOL = Type("int"), Type("bool")


@dataclass(frozen=True, slots=True)
class Expression:
    """An expression that was parsed.

    Attributes:
        text: as written.
        tree: of the allowed nodes only.
    """

    text: str
    tree: ast.expr = field(compare=False, repr=False)

    @property
    def names(self) -> frozenset[str]:
        """The names that it uses."""
        return frozenset(_names(self.tree))

    @property
    def numbers(self) -> tuple[int, ...]:
        """The whole numbers written in it, as they stand."""
        return tuple(
            node.value
            for node in ast.walk(self.tree)
            if isinstance(node, ast.Constant) and type(node.value) is int
        )


def parse(text: str) -> Expression:
    """Parses an expression.

    Raises:
        ExpressionError: it is too long or too deep, or isn't one of this language.
    """
    source = text.strip()
    if len(source) > LONGEST:
        raise ExpressionError(f"an expression of {len(source)} characters; {LONGEST} are the most")
    try:
        tree = ast.parse(_without_warnings(source), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise ExpressionError(f"'{source}' is no expression") from None
    for count, (node, depth) in enumerate(_allowed(tree, 1), start=1):
        if count > MOST_NODES or depth > DEEPEST:
            raise ExpressionError(f"'{source}' is too large")
        _check_node(node)
    return Expression(source, tree)


def _without_warnings(source: str) -> str:
    """The source; of an escape in a string and of "1if" Python would warn, and none needs them."""
    if "\\" in source or _RUN_TOGETHER.search(source):
        raise ValueError(source)
    return source


def _allowed(node: ast.expr, depth: int) -> Iterator[tuple[ast.expr, int]]:
    """The node and those below it, with their depth; names of functions aren't nodes."""
    yield node, depth
    if depth > DEEPEST:
        return
    for child in _children(node):
        yield from _allowed(child, depth + 1)


def _children(node: ast.expr) -> Sequence[ast.expr]:
    match node:
        case ast.BinOp(left=left, right=right):
            return (left, right)
        case ast.UnaryOp(operand=operand):
            return (operand,)
        case ast.BoolOp(values=values):
            return values
        case ast.Compare(left=left, comparators=others):
            return (left, *others)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return (test, body, orelse)
        case ast.Call(args=args):
            return args
        case ast.List(elts=elements):
            return elements
    return ()


def _check_node(node: ast.expr) -> None:  # noqa: C901  (one case a node, as below)
    """Raises ExpressionError for a node that the language doesn't have."""
    match node:
        case ast.Constant(value=bool() | str()) | ast.Name() | ast.BoolOp() | ast.IfExp():
            allowed = not (isinstance(node, ast.Name) and node.id.startswith("_"))
        case ast.Constant(value=int(number)):
            allowed = abs(number) <= LARGEST
        case ast.BinOp(op=operator):
            allowed = isinstance(operator, _OPERATORS)
        case ast.UnaryOp(op=ast.Not() | ast.USub()):
            allowed = True
        case ast.Compare(ops=operators, comparators=others):
            allowed = all(map(_is_comparison, operators, others))
        case ast.List(elts=elements):
            allowed = bool(elements) and all(isinstance(e, ast.Constant) for e in elements)
        case ast.Call(func=ast.Name(id=name), args=args, keywords=[]) if name in FUNCTIONS:
            fewest, most = FUNCTIONS[name]
            allowed = fewest <= len(args) <= most
        case _:
            allowed = False
    if not allowed:
        raise ExpressionError(f"'{ast.unparse(node)}' isn't allowed in a rule")


def _is_comparison(operator: ast.cmpop, other: ast.expr) -> bool:
    return isinstance(operator, _COMPARISONS) and (
        isinstance(operator, ast.In) == isinstance(other, ast.List)
    )


def _names(node: ast.expr) -> Iterator[str]:
    if isinstance(node, ast.Name) and node.id not in WORDS:
        yield node.id
    for child in _children(node):
        yield from _names(child)


def type_of(expression: Expression, types: Mapping[str, Type]) -> Type:
    """The type of an expression, given those of the names.

    Raises:
        ExpressionError: a name is unknown, or the types don't fit.
    """
    return _type(expression.tree, types)


def _type(node: ast.expr, types: Mapping[str, Type]) -> Type:  # noqa: C901
    match node:
        case ast.Constant(value=bool()):
            return BOOL
        case ast.Constant(value=int()):
            return INT
        case ast.Constant(value=str(word)):
            return Type("enum", frozenset({word}))
        case ast.Name(id=name):
            return _type_of_name(name, types)
        case ast.BinOp(left=left, op=operator, right=right):
            _need(INT, (left, right), types)
            if isinstance(operator, ast.FloorDiv | ast.Mod) and not _is_positive(right):
                raise ExpressionError(f"'{ast.unparse(node)}' divides by no whole number above 0")
            return INT
        case ast.UnaryOp(op=operator, operand=operand):
            return _need(BOOL if isinstance(operator, ast.Not) else INT, (operand,), types)
        case ast.BoolOp(values=values):
            return _need(BOOL, values, types)
        case ast.Compare():
            _check_comparison(node, types)
            return BOOL
        case ast.IfExp(test=test, body=body, orelse=orelse):
            _need(BOOL, (test,), types)
            return joined(_type(body, types), _type(orelse, types), ast.unparse(node))
        case ast.Call(args=args):
            return _need(INT, args, types)
    raise ExpressionError(f"'{ast.unparse(node)}' isn't allowed here")


def _type_of_name(name: str, types: Mapping[str, Type]) -> Type:
    if name in WORDS:
        return BOOL
    if name not in types:
        raise ExpressionError(f"'{name}' is no input and no earlier step")
    return types[name]


def _is_positive(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0


def _need(wanted: Type, nodes: Iterable[ast.expr], types: Mapping[str, Type]) -> Type:
    for node in nodes:
        got = _type(node, types)
        if got != wanted:
            raise ExpressionError(f"'{ast.unparse(node)}' is {got}, where {wanted} is needed")
    return wanted


def joined(one: Type, other: Type, where: str) -> Type:
    """The type that has the values of both.

    Raises:
        ExpressionError: there is none.
    """
    if one.kind != other.kind:
        raise ExpressionError(f"'{where}' mixes {one} with {other}")
    return Type(one.kind, one.values | other.values)


def _check_comparison(node: ast.Compare, types: Mapping[str, Type]) -> None:
    terms = [node.left, *node.comparators]
    for operator, left, right in zip(node.ops, terms, terms[1:], strict=False):
        one = _type(left, types)
        others = right.elts if isinstance(right, ast.List) else [right]
        for term in others:
            _check_comparable(one, _type(term, types), node)
        ordered = not isinstance(operator, ast.Eq | ast.NotEq | ast.In)
        if ordered and one != INT:
            raise ExpressionError(f"'{ast.unparse(node)}' puts {one} into an order")


def _check_comparable(one: Type, other: Type, node: ast.expr) -> None:
    """Raises ExpressionError for values of different kinds, or a word that an enum lacks."""
    if one.kind != other.kind or one.kind not in {"int", "bool", "enum"}:
        raise ExpressionError(f"'{ast.unparse(node)}' compares {one} with {other}")
    small, large = sorted((one.values, other.values), key=len)
    if not small <= large:
        raise ExpressionError(f"'{ast.unparse(node)}': {Type('enum', large)} has no such value")


def evaluate(expression: Expression, value_of: Callable[[str], Value]) -> Value:
    """The value of an expression; a name's value is asked for only if it is needed.

    Raises:
        MissingError: from `value_of`, where no other part decides.
    """
    return _value(expression.tree, value_of)


def _value(node: ast.expr, value_of: Callable[[str], Value]) -> Value:  # noqa: C901
    match node:
        case ast.Constant(value=bool() | int() | str() as value):
            return value
        case ast.Name(id=name):
            return WORDS[name] if name in WORDS else value_of(name)
        case ast.BinOp(left=left, op=operator, right=right):
            return _calculated(operator, _int(left, value_of), _int(right, value_of))
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return not _value(operand, value_of)
        case ast.UnaryOp(operand=operand):
            return -_int(operand, value_of)
        case ast.BoolOp(op=operator, values=values):
            return _combined(values, value_of, decisive=isinstance(operator, ast.Or))
        case ast.Compare():
            return _compared(node, value_of)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _value(body if _value(test, value_of) else orelse, value_of)
        case ast.Call(func=ast.Name(id=name), args=args):
            numbers = [_int(arg, value_of) for arg in args]
            return abs(numbers[0]) if name == "abs" else {"min": min, "max": max}[name](numbers)
    raise ExpressionError(f"'{ast.unparse(node)}' has no value")


def _int(node: ast.expr, value_of: Callable[[str], Value]) -> int:
    value = _value(node, value_of)
    if not isinstance(value, int):
        raise ExpressionError(f"'{ast.unparse(node)}' is no number")
    return value


def _calculated(operator: ast.operator, left: int, right: int) -> int:
    match operator:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.FloorDiv():
            return left // right
    return left % right


def _combined(
    nodes: Iterable[ast.expr], value_of: Callable[[str], Value], *, decisive: bool
) -> bool:
    """And (`decisive` false) or or (true): a known part that decides outweighs unknown ones."""
    missing: MissingError | None = None
    for node in nodes:
        try:
            if bool(_value(node, value_of)) is decisive:
                return decisive
        except MissingError as error:
            missing = missing or error
    if missing is not None:
        raise missing
    return not decisive


def _compared(node: ast.Compare, value_of: Callable[[str], Value]) -> bool:
    left = _value(node.left, value_of)
    for operator, term in zip(node.ops, node.comparators, strict=True):
        if isinstance(term, ast.List):
            if left not in [_value(e, value_of) for e in term.elts]:
                return False
            continue
        right = _value(term, value_of)
        if not compare(operator, left, right):
            return False
        left = right
    return True


def compare(operator: ast.cmpop, left: Value, right: Value) -> bool:
    """Whether the comparison of two values holds; order is for numbers only."""
    match operator:
        case ast.Eq():
            return left == right
        case ast.NotEq():
            return left != right
    if not isinstance(left, int) or not isinstance(right, int):
        raise ExpressionError("only numbers have an order")
    match operator:
        case ast.Lt():
            return left < right
        case ast.LtE():
            return left <= right
        case ast.Gt():
            return left > right
    return left >= right
