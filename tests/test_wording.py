"""Values, calculations and results in plain words."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

import pytest
from packaged_rules import EPIC, EVIL, VAST
from packaged_rules import an_engine as an_engine
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.rules.evaluator import Traced
from rulespal_chat.rules.expressions import Expression, Type
from rulespal_chat.rules.forward import compute_in
from rulespal_chat.rules.model import Row, Step, Unit
from rulespal_chat.rules.wording import Wording, listed, names_in, shown, with_unit, words_of

if TYPE_CHECKING:
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset


def test_names_become_words_and_templates_know_theirs() -> None:
    assert words_of("fury_goal") == "fury goal"
    assert names_in("{base} + {players} of {base}") == ("base", "players", "base")
    assert names_in("no {Names} or {1x} here") == ()


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ([], ""),
        (["a"], "a"),
        (["a", "b"], "a and b"),
        (["a", "b", "c"], "a, b and c"),
    ],
)
def test_parts_are_listed_as_in_a_sentence(parts: list[str], text: str) -> None:
    assert listed(parts) == text
    assert listed(parts, "or") == text.replace(" and ", " or ")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (7, "7"),
        (True, "yes"),
        (False, "no"),
        ("to_opponent", "to opponent"),
        ((2, 2, 0), "2, 2 and 0"),
        (((6, 1), (5, 2)), "(6, 1) and (5, 2)"),
        ((), ""),
    ],
)
def test_a_value_is_shown(value: Value, text: str) -> None:
    assert shown(value) == text


def test_a_value_of_an_enum_goes_by_its_first_name(toad_rules: Ruleset) -> None:
    assert shown("blood", toad_rules.inputs["moon"]) == "blood"
    assert shown("hops", toad_rules.inputs["golden_hops"]) == "it hops"
    assert shown("toads", toad_rules.rules["witch.start"].output("begins")) == "the Toads"
    assert shown("odd_one", toad_rules.inputs["moon"]) == "odd one"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1 card"),
        (0, "0 cards"),
        (2, "2 cards"),
        (-1, "-1 card"),
        (True, "yes"),
        ("new", "new"),
        ((1, 2), "1 and 2 cards"),
    ],
)
def test_only_what_is_counted_has_a_unit(value: Value, text: str) -> None:
    assert with_unit(value, Unit("card", "cards")) == text


def test_without_a_unit_a_number_stands_alone() -> None:
    assert with_unit(3, Unit()) == "3"


@pytest.mark.parametrize(
    ("rule", "state", "output", "sentence"),
    [
        ("witch.goal", {"players": 3}, None, "6 Toads: 3 for the new Moon + 3 players."),
        (
            "witch.goal",
            {"players": 5, "moon": "full"},
            None,
            "8 Toads: 4 + 5 players would be 9, and 8 is the most.",
        ),
        ("witch.cards", {"players": 1}, None, "4 cards."),
        ("witch.start", {}, None, "The Witch."),
        ("witch.start", {"moon": "full"}, None, "The Toads."),
        ("toad.worth", {"golden": False}, None, "1 Toad."),
        (
            "toad.hop",
            {"golden": True, "golden_hops": "stays"},
            None,
            "0 spaces: a golden Toad stays where it is.",
        ),
        ("well.splash", {"dice": (2, 5)}, None, "7: 2 + 5 = 7."),
        ("well.overflow", {"dice": (5, 6)}, None, "Yes, the Well overflows: 11 pips ≥ 10."),
        ("well.overflow", {"dice": (4, 5)}, None, "No, the Well does not overflow: 9 pips < 10."),
        ("well.overflow", {"dice": (2, 2, 3)}, None, "No, the Well does not overflow: 7 pips < 8."),
        (
            "well.storm",
            {"toads_held": (5, 3)},
            None,
            "2 and 0: the most is 5, the next highest 3; whoever has 5 loses 5 - 3 = 2.",
        ),
        ("box.pieces", {}, "golden_in_box", "1 golden Toad."),
    ],
)
def test_a_result_is_one_plain_sentence(
    toad_rules: Ruleset, rule: str, state: dict[str, Value], output: str | None, sentence: str
) -> None:
    assert compute_in(toad_rules, toad_rules.rules[rule], state, output).sentence == sentence


@pytest.mark.parametrize(
    ("condition", "shown_as"),
    [
        ("pips >= 10", "9 pips < 10"),
        ("pips < 10", "9 pips < 10"),
        ("pips == 10", "9 pips ≠ 10"),
        ("not pips > 9", "9 pips ≤ 9"),
        ("pips > 5 and dice_rolled == 2", "9 pips > 5 and 2 dice = 2"),
        ("pips > 5 and dice_rolled == 3", "2 dice ≠ 3"),
        ("pips > 5 or dice_rolled == 3", "9 pips > 5"),
        ("pips > 9 or dice_rolled == 3", "9 pips ≤ 9 and 2 dice ≠ 3"),
        ("2 <= pips <= 4", "not 2 ≤ 9 pips ≤ 4"),
        ("pips in [2, 3]", "9 pips not in 2 or 3"),
        ("golden", "golden: no"),
        ("pips + dice_rolled", "9 pips + 2 dice"),
        ("true", ""),
        ("7", ""),
    ],
)
def test_a_condition_is_shown_as_it_is_true(
    toad_rules: Ruleset, condition: str, shown_as: str
) -> None:
    value = Expression(condition, ast.parse(condition, mode="eval").body)
    step = Step("told", Type("bool"))
    trace = {"told": Traced(step, value=True, row=Row(None, value, ()))}
    state: dict[str, Value] = {"pips": 9, "dice_rolled": 2, "golden": False}
    assert Wording(toad_rules, trace, state).because("told") == shown_as


def test_a_derivation_shows_each_calculation_with_its_values(toad_rules: Ruleset) -> None:
    computed = compute_in(toad_rules, toad_rules.rules["witch.goal"], {"players": 3})
    assert [(d.name, d.step, d.is_passed_on) for d in computed.derivation] == [
        ("toads_of_the_moon", "3", False),
        ("uncapped", "3 + 3 = 6", False),
        ("toads_to_win", "6", True),
    ]
    less = compute_in(toad_rules, toad_rules.rules["witch.cards"], {"players": 1, "moon": "blood"})
    assert less.derivation[-1].step == "4 - 1 = 3"


def test_what_has_no_value_has_no_sentence(toad_rules: Ruleset) -> None:
    computed = compute_in(toad_rules, toad_rules.rules["witch.goal"], {})
    assert (computed.sentence, computed.reason) == ("", "it depends on players")


@pytest.mark.parametrize("game", [VAST, EVIL, EPIC])
def test_every_sentence_of_the_packaged_rules_reads_as_one(engine: Engine, game: str) -> None:
    rules = engine.rules(game)
    sentences = {
        compute_in(rules, rule, example.given, output.name).sentence
        for rule in rules.rules.values()
        for example in rule.examples
        for output in rule.outputs
    } - {""}
    assert len(sentences) > 50
    for sentence in sentences:
        assert re.match(r"[A-Z0-9(]|-\d", sentence)
        assert sentence.endswith(".")
        assert not sentence.endswith("..")
        assert not {"{", "}", "_"} & set(sentence)
        assert "  " not in sentence
        assert " None" not in sentence
