"""The language of conditions and values: what it has, what it refuses, and what it gives."""

from __future__ import annotations

import contextlib
import warnings
from typing import TYPE_CHECKING

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from rulespal_chat.rules.expressions import (
    BOOL,
    DEEPEST,
    INT,
    LARGEST,
    LONGEST,
    MOST_NODES,
    ExpressionError,
    MissingError,
    Type,
    Value,
    evaluate,
    joined,
    parse,
    type_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

MOON = Type("enum", frozenset({"new", "full", "blood"}))
TYPES = {
    "a": INT,
    "b": INT,
    "golden": BOOL,
    "wet": BOOL,
    "moon": MOON,
    "dice": Type("list"),
    "here": Type("cell"),
}


def from_state(state: Mapping[str, Value]) -> Callable[[str], Value]:
    def value_of(name: str) -> Value:
        if name not in state:
            raise MissingError(name)
        return state[name]

    return value_of


def value(text: str, **state: Value) -> Value:
    return evaluate(parse(text), from_state(state))


def refusal(text: str) -> str:
    with pytest.raises(ExpressionError) as refused:
        parse(text)
    return str(refused.value)


def misfit(text: str) -> str:
    with pytest.raises(ExpressionError) as refused:
        type_of(parse(text), TYPES)
    return str(refused.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("7", 7),
        ("-7", -7),
        ("2 + 3 * 4", 14),
        ("(2 + 3) * 4", 20),
        ("10 - 4 - 3", 3),
        ("7 // 2", 3),
        ("-7 // 2", -4),
        ("7 % 3", 1),
        ("-7 % 3", 2),
        ("min(4, 2, 3)", 2),
        ("max(4, 2, 3)", 4),
        ("abs(3 - 8)", 5),
        ("true", True),
        ("false", False),
        ("True", True),
        ("not true", False),
        ("true and false", False),
        ("true or false", True),
        ("2 < 3", True),
        ("3 <= 3", True),
        ("3 > 3", False),
        ("3 >= 4", False),
        ("3 == 3", True),
        ("3 != 3", False),
        ("1 < 2 < 3", True),
        ("1 < 3 < 3", False),
        ("3 < 1 < 3", False),
        ("'new' == 'new'", True),
        ("'new' != 'full'", True),
        ('"new"', "new"),
        ("'full' in ['new', 'full']", True),
        ("4 in [1, 2]", False),
        ("1 if true else 2", 1),
        ("1 if false else 2", 2),
        ("  7  ", 7),
    ],
)
def test_the_value_of_an_expression_without_names(text: str, expected: Value) -> None:
    got = value(text)
    assert got == expected
    assert type(got) is type(expected)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + b", 7),
        ("a if golden else b", 5),
        ("moon == 'full'", True),
        ("moon in ['new', 'blood']", False),
        ("golden and a > 4", True),
        ("dice", (6, 1)),
    ],
)
def test_names_stand_for_their_values(text: str, expected: Value) -> None:
    assert value(text, a=5, b=2, golden=True, moon="full", dice=(6, 1)) == expected


def test_an_expression_knows_its_names_and_its_numbers() -> None:
    parsed = parse(" min(a, 3) + 12 if golden or moon in ['full'] and true else -b ")
    assert parsed.text == "min(a, 3) + 12 if golden or moon in ['full'] and true else -b"
    assert parsed.names == {"a", "b", "golden", "moon"}
    assert sorted(parsed.numbers) == [3, 12]


def test_truth_values_are_no_numbers() -> None:
    assert parse("true and True or a == 1").numbers == (1,)


def test_expressions_with_the_same_text_are_equal() -> None:
    assert parse("a + 1") == parse(" a + 1 ")
    assert parse("a + 1") != parse("a + 2")
    assert len({parse("a"), parse("a"), parse("b")}) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "1 +",
        "a b",
        "a = 1",
        "import os",
        "a; b",
        "a\nb",
        "(",
        "'open",
        "01",
        "$a",
        "²",
        "a\x00b",
        "'a\\x62'",
        "a \\\n + b",
        "1e3",
        "2j",
        "0x1F",
        "1if a else 2",
    ],
)
def test_what_is_no_expression_is_refused_with_its_text(text: str) -> None:
    assert refusal(text) == f"'{text.strip()}' is no expression"


PIECES = st.sampled_from(
    ["1", "0x", "0b1", "1_0", ".5", "1.", "e5", "j", "a", "if", "else", "and", "in", "f'", "'", '"',
     "{", "}", "[", "]", "(", ")", " ", " ", "+", "#", "\n", "\\", "\\d", "_", "é"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=12).map("".join))
@example("1if a else 2")
@example("1 if a else 0x0for")
@example("1.if a else 2")
@example("1.5if a else 2")
@example("1_0if a else 2")
@example("f'{1if a else 2}'")
@example("'''a'b''' + 1if a else 'c'")
@example("'\\d'")
def test_python_has_nothing_to_warn_of(text: str) -> None:
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        with contextlib.suppress(ExpressionError):
            parse(text)
    assert warned == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("__import__('os').system('true')", "__import__('os').system('true')"),
        ("1 + open('x')", "open('x')"),
        ("().__class__", "().__class__"),
        ("a.b", "a.b"),
        ("a[0]", "a[0]"),
        ("lambda: 1", "lambda: 1"),
        ("[a for a in b]", "[a for a in b]"),
        ("(b := 1)", "(b := 1)"),
        ("{1: 2}", "{1: 2}"),
        ("{1}", "{1}"),
        ("(1, 2)", "(1, 2)"),
        ("f'{a}'", "f'{a}'"),
        ("b'a'", "b'a'"),
        ("None", "None"),
        ("...", "..."),
        ("1.5", "1.5"),
        ("2 ** 9", "2 ** 9"),
        ("a / 2", "a / 2"),
        ("a << 2", "a << 2"),
        ("a & b", "a & b"),
        ("~a", "~a"),
        ("+a", "+a"),
        ("a is b", "a is b"),
        ("a not in [1]", "a not in [1]"),
        ("a in b", "a in b"),
        ("a in 'new'", "a in 'new'"),
        ("a == [1]", "a == [1]"),
        ("[]", "[]"),
        ("a in [b]", "[b]"),
        ("a in [[1]]", "[[1]]"),
        ("a in [1 + 1]", "[1 + 1]"),
        ("min(a)", "min(a)"),
        ("abs(a, b)", "abs(a, b)"),
        ("max(1, 2, 3, 4, 5, 6, 7, 8, 9)", "max(1, 2, 3, 4, 5, 6, 7, 8, 9)"),
        ("min(*a)", "min(*a)"),
        ("min(a, b, key=b)", "min(a, b, key=b)"),
        ("sum(a, b)", "sum(a, b)"),
        ("a(1)", "a(1)"),
        ("(min)(a, b)(1)", "min(a, b)(1)"),
        ("_a", "_a"),
        ("__debug__", "__debug__"),
    ],
)
def test_what_the_language_does_not_have_is_refused_by_name(text: str, shown: str) -> None:
    assert refusal(text) == f"'{shown}' isn't allowed in a rule"


def test_numbers_have_a_limit() -> None:
    assert parse(str(LARGEST)).numbers == (LARGEST,)
    assert refusal(str(LARGEST + 1)) == f"'{LARGEST + 1}' isn't allowed in a rule"
    assert refusal(f"-{LARGEST + 1}") == f"'{LARGEST + 1}' isn't allowed in a rule"
    assert "isn't allowed" in refusal("9" * 300)


def test_length_has_a_limit() -> None:
    assert parse("a" * LONGEST).names == {"a" * LONGEST}
    assert parse(f"{' ' * LONGEST}a{' ' * LONGEST}").names == {"a"}
    assert refusal("a" * (LONGEST + 1)) == (
        f"an expression of {LONGEST + 1} characters; {LONGEST} are the most"
    )
    assert refusal("(" * 10**6) == f"an expression of {10**6} characters; {LONGEST} are the most"


@pytest.mark.parametrize("opening", ["not ", "-", "1 + (", "abs("])
def test_depth_has_a_limit(opening: str) -> None:
    def nested(levels: int) -> str:
        return opening * levels + "1" + ")" * (levels * opening.count("("))

    assert parse(nested(DEEPEST - 1)).numbers
    assert refusal(nested(DEEPEST)) == f"'{nested(DEEPEST)}' is too large"


def test_brackets_alone_do_not_count_as_depth_and_many_do_no_harm() -> None:
    assert value("(" * 50 + "5" + ")" * 50) == 5
    many = "(" * 195 + "5" + ")" * 195
    try:
        assert value(many) == 5
    except ExpressionError as error:  # some versions of Python stop at 100
        assert str(error) == f"'{many}' is no expression"


def test_the_number_of_parts_has_a_limit() -> None:
    def member(parts: int) -> str:  # the name, the list, the comparison, and its members
        return f"a in [{','.join('1' * (parts - 3))}]"

    assert len(parse(member(MOST_NODES)).numbers) == MOST_NODES - 3
    assert refusal(member(MOST_NODES + 1)) == f"'{member(MOST_NODES + 1)}' is too large"


# Types


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a + 2 * b", INT),
        ("-a", INT),
        ("a // 2 % 3", INT),
        ("min(a, b, 3)", INT),
        ("abs(a)", INT),
        ("a < b < 3", BOOL),
        ("golden == wet", BOOL),
        ("golden == true", BOOL),
        ("not golden and a > 1 or wet", BOOL),
        ("moon == 'full'", BOOL),
        ("'full' == moon", BOOL),
        ("moon != 'full'", BOOL),
        ("moon in ['full', 'new']", BOOL),
        ("a in [1, 2]", BOOL),
        ("true", BOOL),
        ("moon", MOON),
        ("'full'", Type("enum", frozenset({"full"}))),
        ("'full' if golden else 'new'", Type("enum", frozenset({"full", "new"}))),
        ("1 if moon == 'full' else a", INT),
        ("dice", Type("list")),
        ("here", Type("cell")),
    ],
)
def test_the_type_of_an_expression(text: str, expected: Type) -> None:
    assert type_of(parse(text), TYPES) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("c + 1", "'c' is no input and no earlier step"),
        ("min", "'min' is no input and no earlier step"),
        ("a + golden", "'golden' is bool, where int is needed"),
        ("a + 'full'", "''full'' is one of full, where int is needed"),
        ("a - moon", "'moon' is one of blood, full, new, where int is needed"),
        ("-golden", "'golden' is bool, where int is needed"),
        ("not a", "'a' is int, where bool is needed"),
        ("golden and a", "'a' is int, where bool is needed"),
        ("1 if a else 2", "'a' is int, where bool is needed"),
        ("1 if golden else wet", "'1 if golden else wet' mixes int with bool"),
        ("min(a, golden)", "'golden' is bool, where int is needed"),
        ("a == golden", "'a == golden' compares int with bool"),
        ("a == true", "'a == true' compares int with bool"),
        ("a in [1, 'full']", "compares int with one of full"),
        ("a in [1, True]", "compares int with bool"),
        ("moon == 1", "compares one of blood, full, new with int"),
        ("moon == 'fool'", "'moon == 'fool'': one of blood, full, new has no such value"),
        ("'fool' == moon", "has no such value"),
        ("moon in ['full', 'fool']", "has no such value"),
        ("moon < 'full'", "'moon < 'full'' puts one of blood, full, new into an order"),
        ("golden < wet", "'golden < wet' puts bool into an order"),
        ("1 < a == golden", "compares int with bool"),
        ("dice == dice", "compares list with list"),
        ("here == here", "compares cell with cell"),
        ("dice + 1", "'dice' is list, where int is needed"),
        ("[1, 2]", "'[1, 2]' isn't allowed here"),
        ("a in [1] == golden", "'[1]' isn't allowed here"),
        ("a // 0", "'a // 0' divides by no whole number above 0"),
        ("a % 0", "'a % 0' divides by no whole number above 0"),
        ("a // b", "'a // b' divides by no whole number above 0"),
        ("a // -2", "divides by no whole number above 0"),
        ("a % (1 + 1)", "divides by no whole number above 0"),
    ],
)
def test_types_that_do_not_fit_are_refused_with_the_part_that_does_not(
    text: str, message: str
) -> None:
    assert message in misfit(text)


def test_a_type_is_named_by_its_values() -> None:
    assert str(MOON) == "one of blood, full, new"
    assert [str(t) for t in (INT, BOOL, Type("cells"))] == ["int", "bool", "cells"]


def test_two_types_are_joined_if_they_are_of_one_kind() -> None:
    one, other = Type("enum", frozenset({"new"})), Type("enum", frozenset({"full"}))
    assert joined(one, other, "step") == Type("enum", frozenset({"new", "full"}))
    assert joined(INT, INT, "step") == INT
    with pytest.raises(ExpressionError, match="'step' mixes int with bool"):
        joined(INT, BOOL, "step")


# What isn't known


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("unknown and golden", False),
        ("golden and unknown", False),
        ("unknown or wet", True),
        ("wet or unknown", True),
        ("1 if wet else unknown", 1),
        ("unknown if golden else 2", 2),
        ("3 < a < unknown", False),
        ("not (unknown and golden)", True),
    ],
)
def test_a_part_that_decides_outweighs_one_that_is_not_known(text: str, expected: Value) -> None:
    assert value(text, golden=False, wet=True, a=3) == expected


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("first and wet", "first"),
        ("wet and second", "second"),
        ("first or second or golden", "first"),
        ("first + second", "first"),
        ("min(1, second)", "second"),
        ("1 if first else 1", "first"),
        ("a < second", "second"),
    ],
)
def test_the_first_name_that_is_missed_is_told(text: str, name: str) -> None:
    with pytest.raises(MissingError) as missing:
        value(text, golden=False, wet=True, a=3)
    assert missing.value.name == name


def test_a_value_is_asked_for_only_if_it_is_needed() -> None:
    asked = []

    def value_of(name: str) -> Value:
        asked.append(name)
        return name == "wet"

    assert evaluate(parse("a if not wet else b == (1 < 2)"), value_of) is False
    assert asked == ["wet", "b"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("dice + 1", "'dice' is no number"),
        ("dice < 1", "only numbers have an order"),
        ("moon >= 'full'", "only numbers have an order"),
        ("[1, 2]", "'[1, 2]' has no value"),
    ],
)
def test_an_expression_that_was_not_type_checked_cannot_go_wrong_in_silence(
    text: str, message: str
) -> None:
    with pytest.raises(ExpressionError) as refused:
        value(text, dice=(1, 2), moon="full")
    assert str(refused.value) == message


# Properties

Known = tuple[str, int]  # the text of an expression, and its value worked out beside it
NUMBERS = st.integers(0, 50).map(lambda n: (str(n), n))
NAMES = {"a": -7, "b": 12}
LEAVES = NUMBERS | st.sampled_from(sorted(NAMES.items()))


def _worked(sign: str, left: int, right: int) -> int:
    return {"+": left + right, "-": left - right, "*": left * right}[sign]


def _operation(left: Known, sign: str, right: Known) -> Known:
    return f"({left[0]} {sign} {right[0]})", _worked(sign, left[1], right[1])


def _quotient(left: Known, right: int) -> Known:
    return f"({left[0]} // {right})", left[1] // right


def _remainder(left: Known, right: int) -> Known:
    return f"({left[0]} % {right})", left[1] % right


def _choice(one: Known, left: Known, right: Known, other: Known) -> Known:
    text = f"({one[0]} if {left[0]} < {right[0]} else {other[0]})"
    return text, one[1] if left[1] < right[1] else other[1]


def _chosen(function: str, parts: list[Known]) -> Known:
    numbers = [number for _, number in parts]
    chosen = min(numbers) if function == "min" else max(numbers)
    return f"{function}({', '.join(text for text, _ in parts)})", chosen


def _above(inner: st.SearchStrategy[Known]) -> st.SearchStrategy[Known]:
    divisors = st.integers(1, 9)
    return (
        st.builds(_operation, inner, st.sampled_from("+-*"), inner)
        | st.builds(_quotient, inner, divisors)
        | st.builds(_remainder, inner, divisors)
        | st.builds(_choice, inner, inner, inner, inner)
        | st.builds(
            _chosen, st.sampled_from(["min", "max"]), st.lists(inner, min_size=2, max_size=3)
        )
        | inner.map(lambda known: (f"(-{known[0]})", -known[1]))
        | inner.map(lambda known: (f"abs({known[0]})", abs(known[1])))
    )


@given(st.recursive(LEAVES, _above, max_leaves=8))
def test_integer_expressions_have_the_value_that_they_have_in_python(known: Known) -> None:
    text, expected = known
    assume(len(text) <= LONGEST)
    parsed = parse(text)
    assert type_of(parsed, TYPES) == INT
    assert evaluate(parsed, from_state(NAMES)) == expected


@given(
    st.lists(
        st.tuples(st.sampled_from("+-"), st.lists(st.integers(0, 9), min_size=1, max_size=3)),
        min_size=1,
        max_size=12,
    )
)
def test_products_bind_more_than_sums_and_both_go_from_left_to_right(
    terms: list[tuple[str, list[int]]],
) -> None:
    text, expected = "0", 0
    for sign, factors in terms:
        product = 1
        for factor in factors:
            product *= factor
        expected += product if sign == "+" else -product
        text += f" {sign} {' * '.join(map(str, factors))}"
    assert value(text) == expected


Truth = tuple[str, bool | None]  # None: it can't be told
TRUTHS: st.SearchStrategy[Truth] = st.sampled_from(
    [("true", True), ("false", False), ("wet", True), ("golden", False), ("unknown", None)]
)


def _joint(word: str, parts: list[Truth]) -> Truth:
    decisive = word == "or"
    truths = [truth for _, truth in parts]
    joint = decisive if decisive in truths else None if None in truths else not decisive
    return f"({f' {word} '.join(text for text, _ in parts)})", joint


def _opposite(part: Truth) -> Truth:
    return f"(not {part[0]})", None if part[1] is None else not part[1]


def _joints(inner: st.SearchStrategy[Truth]) -> st.SearchStrategy[Truth]:
    parts = st.lists(inner, min_size=2, max_size=4)
    return st.builds(_joint, st.sampled_from(["and", "or"]), parts) | inner.map(_opposite)


@given(st.recursive(TRUTHS, _joints, max_leaves=12))
def test_what_is_not_known_is_missed_exactly_where_nothing_else_decides(truth: Truth) -> None:
    text, expected = truth
    assume(len(text) <= LONGEST)
    state = from_state({"wet": True, "golden": False})
    if expected is None:
        with pytest.raises(MissingError):
            evaluate(parse(text), state)
    else:
        assert evaluate(parse(text), state) is expected


PIECES = st.sampled_from(
    ["a", "golden", "moon", "dice", "1", "0", "'full'", "true", "min(", "abs(", "(", ")", "[", "]",
     ",", "+", "-", "//", "%", "==", "<", "in", "and", "or", "not", "if", "else", ".", "\\", "'",
     "lambda", ":", "=", "*", "**", "await", "f'{", "}'", "\n", "#", "\x00", "1if", "0x"]
)  # fmt: skip


@given(st.text() | st.lists(PIECES, max_size=20).map(" ".join) | st.lists(PIECES).map("".join))
@example("(" * 400)
@example("[" * 400)
@example("-" * 400)
@example("f'" * 100)
@example("\ud800")
@example("'\ud800'")
@example("ª")
@example("'\\N{BELL}'")
def test_any_text_is_an_expression_or_refused(text: str) -> None:
    try:
        parsed = parse(text)
    except ExpressionError:
        return
    assert parsed.text == text.strip()
    assert len(parsed.text) <= LONGEST


OF_ANY_TYPE = ["a", "3", "golden", "true", "moon", "'full'", "'fool'", "dice", "here", "[1, 2]"]
FORMS = [
    "({} + {})", "({} // {})", "({} == {})", "({} < {})", "({} and {})", "({} in {})",
    "min({}, {})", "({} if golden else {})",
]  # fmt: skip


def _filled(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.builds(str.format, st.sampled_from(FORMS), inner, inner) | inner.map(
        "(not {})".format
    )


@given(st.recursive(st.sampled_from(OF_ANY_TYPE), _filled, max_leaves=6))
def test_an_expression_that_has_a_type_has_a_value_of_it(text: str) -> None:
    try:
        parsed = parse(text)
        kind = type_of(parsed, TYPES)
    except ExpressionError:
        return
    state: dict[str, Value] = {"a": 4, "golden": True, "moon": "blood", "dice": (6, 1)}
    got = evaluate(parsed, from_state({**state, "here": (0, 2)}))
    wanted = {"int": int, "bool": bool, "enum": str}.get(kind.kind, tuple)
    assert type(got) is wanted
    assert kind.kind != "enum" or got in kind.values
