"""Values of inputs as somebody types them: read, checked, and completed from lists."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.errors import BadStateError
from rulespal_chat.rules.model import Ruleset
from rulespal_chat.rules.state import broken_bounds, completed, fits, read_state, read_value

if TYPE_CHECKING:
    from rulespal_chat.rules.expressions import Value

NAMES = ["players", "golden", "moon", "dice", "here", "toads_at", "toads_held", "pips"]
CELLS = "two whole numbers, as in 2,1; several with semicolons"


def refusal(rules: Ruleset, pair: str) -> BadStateError:
    with pytest.raises(BadStateError) as refused:
        read_state(rules, [pair])
    return refused.value


@pytest.mark.parametrize(
    ("pair", "name", "expected"),
    [
        ("players=3", "players", 3),
        ("players = 3 ", "players", 3),
        ("Players=3", "players", 3),
        ("players=+3", "players", 3),
        ("players=03", "players", 3),
        ("players=1", "players", 1),
        ("players=5", "players", 5),
        ("golden=true", "golden", True),
        ("golden=YES", "golden", True),
        ("golden=y", "golden", True),
        ("golden=on", "golden", True),
        ("golden=1", "golden", True),
        ("golden=false", "golden", False),
        ("golden=No", "golden", False),
        ("golden=n", "golden", False),
        ("golden=off", "golden", False),
        ("golden=0", "golden", False),
        ("moon=full", "moon", "full"),
        ("moon=FULL", "moon", "full"),
        ("moon=dark", "moon", "new"),
        ("moon=the red", "moon", "blood"),
        ("golden_hops=stays", "golden_hops", "stays"),
        ("golden hops=it hops", "golden_hops", "hops"),
        ("golden-hops=It stays", "golden_hops", "stays"),
        ("dice=2,5", "dice", (2, 5)),
        ("dice=2, 5, 6", "dice", (2, 5, 6)),
        ("dice=2 5", "dice", (2, 5)),
        ("dice=2/5", "dice", (2, 5)),
        ("dice=[2, 5]", "dice", (2, 5)),
        ("dice=(6,6)", "dice", (6, 6)),
        ("toads_held=0,9,0,9", "toads_held", (0, 9, 0, 9)),
        ("here=2,1", "here", (2, 1)),
        ("here=(-3, 0)", "here", (-3, 0)),
        ("toads_at=2,1", "toads_at", ((2, 1),)),
        ("toads_at=2,1;3,-3", "toads_at", ((2, 1), (3, -3))),
        ("toads_at=(2,1); (3,3)", "toads_at", ((2, 1), (3, 3))),
    ],
)
def test_a_value_of_each_type_is_read(
    toad_rules: Ruleset, pair: str, name: str, expected: Value
) -> None:
    state = read_state(toad_rules, [pair])
    assert state == {name: expected}
    assert type(state[name]) is type(expected)


@pytest.mark.parametrize(
    ("pair", "sentence", "hint"),
    [
        ("players=0", "players can't be '0': it is 1 to 5", "players=5"),
        ("players=6", "players can't be '6': it is 1 to 5", "players=5"),
        ("players=-1", "players can't be '-1': it is 1 to 5", "players=5"),
        ("players=2.0", "players can't be '2.0': it is 1 to 5", "players=5"),
        ("players=three", "players can't be 'three': it is 1 to 5", "players=5"),
        ("players=", "players can't be '': it is 1 to 5", "players=5"),
        ("players=3=4", "players can't be '3=4': it is 1 to 5", "players=5"),
        ("golden=maybe", "golden can't be 'maybe': it is yes or no", "golden=true"),
        ("golden=2", "golden can't be '2': it is yes or no", "golden=true"),
        ("moon=newt", "moon can't be 'newt': it is one of new, full or blood", "moon=blood"),
        ("moon=", "moon can't be '': it is one of new, full or blood", "moon=blood"),
        ("moon=1", "moon can't be '1': it is one of new, full or blood", "moon=blood"),
        (
            "golden-hops=maybe",
            "golden hops can't be 'maybe': it is one of it hops or it stays",
            "golden_hops=stays",
        ),
        ("dice=2", "dice can't be '2': it is 2 to 3 numbers of 1 to 6", "dice=2,2"),
        ("dice=1,2,3,4", "dice can't be '1,2,3,4': it is 2 to 3 numbers of 1 to 6", "dice=2,2"),
        ("dice=7,1", "dice can't be '7,1': it is 2 to 3 numbers of 1 to 6", "dice=2,2"),
        ("dice=0,1", "dice can't be '0,1': it is 2 to 3 numbers of 1 to 6", "dice=2,2"),
        ("dice=two, five", "dice can't be 'two, five': it is 2 to 3 numbers of 1 to 6", "dice=2,2"),
        ("dice=2,x", "dice can't be '2,x': it is 2 to 3 numbers of 1 to 6", "dice=2,2"),
        ("dice=", "dice can't be '': it is 2 to 3 numbers of 1 to 6", "dice=2,2"),
        ("here=2", f"here can't be '2': it is {CELLS}", "here=2,1"),
        ("here=1,2,3", f"here can't be '1,2,3': it is {CELLS}", "here=2,1"),
        ("here=a,b", f"here can't be 'a,b': it is {CELLS}", "here=2,1"),
        ("toads_at=", f"toads at can't be '': it is {CELLS}", "toads_at=2,1"),
        ("toads_at=2;1", f"toads at can't be '2;1': it is {CELLS}", "toads_at=2,1"),
        ("toads_at=2,1;x", f"toads at can't be '2,1;x': it is {CELLS}", "toads_at=2,1"),
    ],
)
def test_a_value_that_cannot_be_is_refused_with_what_can(
    toad_rules: Ruleset, pair: str, sentence: str, hint: str
) -> None:
    refused = refusal(toad_rules, pair)
    assert refused.sentence == sentence
    assert refused.hint == f"give it as {hint}"
    assert str(refused) == f"{sentence}. Next: give it as {hint}"
    assert refused.exit_code == 2
    assert read_state(toad_rules, [hint])  # what is proposed can be typed


@pytest.mark.parametrize("pair", ["players", "", "3", "players:3"])
def test_what_is_no_pair_is_refused(toad_rules: Ruleset, pair: str) -> None:
    refused = refusal(toad_rules, pair)
    assert refused.sentence == f"'{pair}' is no key=value"
    assert refused.hint == "give them as key=value, such as players=5"


@pytest.mark.parametrize(("pair", "name"), [("toads=3", "toads"), ("=3", ""), ("cards=1", "cards")])
def test_an_unknown_input_is_refused_with_those_that_there_are(
    toad_rules: Ruleset, pair: str, name: str
) -> None:
    assert refusal(toad_rules, pair).sentence == (
        f"There is no input '{name}', but dice, dice_rolled, golden, golden_hops, here, moon, "
        "pips, players, toads_at and toads_held"
    )


def test_the_inputs_that_are_meant_are_those_proposed(toad_rules: Ruleset) -> None:
    with pytest.raises(BadStateError) as refused:
        read_state(toad_rules, ["toads=3"], known=["moon", "golden"])
    assert refused.value.sentence == "There is no input 'toads', but golden and moon"
    assert refused.value.hint == "give them as key=value, such as moon=blood"


def test_several_pairs_make_one_state_and_none_an_empty_one(toad_rules: Ruleset) -> None:
    assert read_state(toad_rules, ["players=3", "moon=red", "dice=1,2"]) == {
        "players": 3,
        "moon": "blood",
        "dice": (1, 2),
    }
    assert read_state(toad_rules, []) == {}


def test_one_bad_pair_spoils_the_state(toad_rules: Ruleset) -> None:
    with pytest.raises(BadStateError, match="players can't be '9'"):
        read_state(toad_rules, ["moon=full", "players=9"])


@pytest.mark.parametrize(
    "pair",
    [
        "players=\x1b[31m5\x1b[0m",
        "pl\x1b]0;x\x07ayers=5",
        "\u202eplayers\n\n",
        "moon=" + "n" * 5000,
        "x" * 5000 + "=1",
        "players=" + "9" * 5000,
        "dice=" + "9," * 5000,
        "toads_at=" + ";" * 5000,
        "players=5\nNext: rm",
    ],
)
def test_hostile_pairs_are_refused_in_one_short_clean_line(toad_rules: Ruleset, pair: str) -> None:
    said = str(refusal(toad_rules, pair))
    assert len(said) < 300
    assert said.isprintable()


def check_that_it_fits_or_is_refused(rules: Ruleset, name: str, text: str) -> None:
    given_input = rules.inputs[name]
    try:
        value = read_value(given_input, text)
    except BadStateError as refused:
        assert refused.sentence.startswith(f"{name.replace('_', ' ')} can't be '")
    else:
        assert fits(given_input, value)


@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_are_values_that_fit_or_refused(toad_rules: Ruleset, name: str) -> None:
    for text in ("", " ", ";", ",", "()", "٣", "²,²", "--3", "1e1", "0x1", "\ud800", "None"):
        check_that_it_fits_or_is_refused(toad_rules, name, text)


@pytest.mark.parametrize("name", NAMES)
@given(text=st.text() | st.text("0123456789,;/+-()[] \t=."))
def test_any_text_is_a_value_that_fits_or_refused(
    toad_rules: Ruleset, name: str, text: str
) -> None:
    check_that_it_fits_or_is_refused(toad_rules, name, text)


@given(
    value=st.lists(st.integers(1, 6), min_size=2, max_size=3),
    mark=st.sampled_from([",", " ", "/", ", "]),
)
def test_a_list_is_read_as_it_is_written(toad_rules: Ruleset, value: list[int], mark: str) -> None:
    written = mark.join(map(str, value))
    assert read_value(toad_rules.inputs["dice"], written) == tuple(value)


@pytest.mark.parametrize(
    ("name", "value", "expected"),
    [
        ("players", 1, True),
        ("players", 0, False),
        ("players", 6, False),
        ("players", True, False),
        ("players", "3", False),
        ("golden", True, True),
        ("golden", 1, False),
        ("golden", "yes", False),
        ("moon", "blood", True),
        ("moon", "red", False),
        ("moon", ("new",), False),
        ("dice", (1, 6), True),
        ("dice", (1, 6, 6), True),
        ("dice", (1,), False),
        ("dice", (0, 1), False),
        ("dice", (True, 1), False),
        ("dice", 7, False),
        ("here", (0, 0), True),
        ("here", (0, 0, 0), False),
        ("here", (True, 0), False),
        ("here", "0,0", False),
        ("toads_at", ((0, 0),), True),
        ("toads_at", (), False),
        ("toads_at", (0, 0), False),
        ("toads_at", ((0, 0), (1,)), False),
    ],
)
def test_a_value_fits_only_with_the_type_and_the_bounds_of_its_input(
    toad_rules: Ruleset, name: str, value: Value, expected: bool
) -> None:
    assert fits(toad_rules.inputs[name], value) is expected


def test_the_example_of_a_list_is_within_its_bounds(toad_rules: Ruleset) -> None:
    dice = toad_rules.inputs["dice"]
    for low, high in ((3, 6), (0, 1), (-4, -2)):
        given = replace(dice, low=low, high=high)
        with pytest.raises(BadStateError) as refused:
            read_value(given, "x")
        example = refused.value.hint.removeprefix("give it as dice=")
        assert fits(given, read_value(given, example))


def test_a_game_without_rules_has_no_inputs(toad_rules: Ruleset) -> None:
    with pytest.raises(BadStateError) as refused:
        read_state(Ruleset(toad_rules.book), ["toads=1"])
    assert str(refused.value) == "There is no input 'toads'. Next: rulespal rules"


# What follows from lists


@pytest.mark.parametrize(
    ("state", "more"),
    [
        ({"dice": (2, 5, 1)}, {"pips": 8, "dice_rolled": 3}),
        ({"dice": (6, 6), "players": 2}, {"pips": 12, "dice_rolled": 2}),
        ({"dice": (6, 6), "pips": 12}, {"dice_rolled": 2}),
        ({"toads_held": (3, 3)}, {}),
        ({"pips": 9}, {}),
        ({}, {}),
    ],
)
def test_the_sum_and_the_length_of_a_list_are_known_with_it(
    toad_rules: Ruleset, state: dict[str, Value], more: dict[str, Value]
) -> None:
    before = dict(state)
    assert completed(toad_rules, state) == {**state, **more}
    assert state == before  # it is not changed


# States that can't be


@pytest.mark.parametrize(
    ("rule", "state"),
    [
        ("witch.goal", {}),
        ("witch.goal", {"players": 3, "moon": "full"}),
        ("witch.goal", {"golden": 7}),  # another rule's input
        ("toad.hop", {"golden": True, "golden_hops": "stays"}),
        ("toad.hop", {"golden_hops": "stays"}),  # the Toad may be golden
        ("well.depth", {"here": (0, 0), "toads_at": ((1, 1),)}),
        ("well.overflow", {"dice": (2, 5), "pips": 7, "dice_rolled": 2}),
    ],
)
def test_a_state_within_all_bounds_breaks_none(
    toad_rules: Ruleset, rule: str, state: dict[str, Value]
) -> None:
    assert broken_bounds(toad_rules, toad_rules.rules[rule], state) is None


@pytest.mark.parametrize(
    ("rule", "state", "reason", "quotes"),
    [
        (
            "witch.goal",
            {"players": 6},
            "players is 1 to 5",
            ["Toad Quest is for 1 to 5 players."],
        ),
        ("witch.goal", {"moon": "green"}, "moon is one of new, full or blood", []),
        ("toad.worth", {"golden": 1}, "golden is yes or no", []),
        ("well.splash", {"dice": (7, 7)}, "dice is 2 to 3 numbers of 1 to 6", []),
        ("well.overflow", {"dice_rolled": 4}, "dice rolled is 2 to 3", []),
        ("well.depth", {"here": (1,)}, f"here is {CELLS}", []),
        (
            "toad.hop",
            {"golden": False, "golden_hops": "stays"},
            "golden hops means something only if golden",
            [],
        ),
        (
            "well.overflow",
            {"dice": (2, 5), "pips": 12, "dice_rolled": 2},
            "pips is 7, the sum of dice",
            [],
        ),
        (
            "well.overflow",
            {"dice": (2, 5), "pips": 7, "dice_rolled": 3},
            "dice rolled is 2, the number of dice",
            [],
        ),
    ],
)
def test_a_state_out_of_bounds_is_told_with_what_prints_the_bounds(
    toad_rules: Ruleset, rule: str, state: dict[str, Value], reason: str, quotes: list[str]
) -> None:
    broken = broken_bounds(toad_rules, toad_rules.rules[rule], state)
    assert broken is not None
    assert (broken[0], [pick.statement.text for pick in broken[1]]) == (reason, quotes)
