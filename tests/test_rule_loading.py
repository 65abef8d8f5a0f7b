"""A rule file is proved against its book: what is wrong is named, and the rest still loads."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from toad_rules import TOAD_RULES, TOAD_WELL, read_toad_rules
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.corpus.parser import read_rulebook
from rulespal_chat.errors import CorpusError, RuleFileError
from rulespal_chat.rules.algorithms import ALGORITHMS
from rulespal_chat.rules.examples import failures
from rulespal_chat.rules.expressions import BOOL, INT, Type
from rulespal_chat.rules.forward import compute_in
from rulespal_chat.rules.loading import load_rules, read_rules
from rulespal_chat.rules.model import Ruleset, Unit

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rulespal_chat.rules.expressions import Value

RULES = (
    "witch.goal", "witch.cards", "witch.start", "toad.worth", "toad.hop", "toad.price",
    "toad.night", "well.splash", "well.overflow", "well.depth", "well.storm", "box.pieces",
)  # fmt: skip
NEXT = "Next: mend it, then rulespal doctor"
HEAD = "game: toad-well\n"
# what is replaced by what, the rule that is wrong, a passage on the line named, and the problem
CASE = ("old", "new", "rule", "at", "problem")


@pytest.fixture
def rulebook(tmp_path: Path) -> Path:
    """The toad book in a folder of its own."""
    path = tmp_path / "toad-well" / "rulebook.md"
    path.parent.mkdir()
    path.write_text(TOAD_WELL, encoding="utf-8")
    return path


@pytest.fixture
def load(rulebook: Path) -> Callable[[str], Ruleset]:
    """Loads a rule file about the toad book."""
    return lambda rules: read_toad_rules(rulebook, rules)


def changed(old: str, new: str, text: str = TOAD_RULES) -> str:
    """The text with its one occurrence of `old` replaced."""
    assert text.count(old) == 1, f"{text.count(old)} times: {old}"
    return text.replace(old, new)


def line_of(text: str, at: str) -> int:
    """The line on which a passage that occurs once begins, counted from 1."""
    assert text.count(at) == 1, f"{text.count(at)} times: {at}"
    return text[: text.index(at)].count("\n") + 1


def refused(load: Callable[[str], Ruleset], text: str) -> RuleFileError:
    """The error with which a whole file is refused."""
    with pytest.raises(RuleFileError) as error:
        load(text)
    return error.value


def check_left_out(rules: Ruleset, rule: str, line: int, problem: str) -> None:
    """Checks that one rule is left out with this message, and that all others are there."""
    path = rules.book.source.with_name("rules.yaml")
    assert [str(p) for p in rules.problems] == [
        f"{path}: line {line}: rule '{rule}': {problem}. {NEXT}"
    ]
    error = rules.problems[0]
    assert isinstance(error, RuleFileError)
    assert (error.path, error.line, error.rule) == (path, line, rule)
    assert set(rules.rules) == {*RULES} - {rule}


# What is loaded


def test_a_sound_file_loads_whole_in_its_order(toad_rules: Ruleset) -> None:
    assert toad_rules.problems == ()
    assert tuple(toad_rules.rules) == RULES
    assert list(toad_rules.inputs) == [
        "players", "moon", "golden", "golden_hops", "dice", "pips", "dice_rolled", "here",
        "toads_at", "toads_held",
    ]  # fmt: skip
    assert [toad_rules.rules[r].line for r in RULES] == [
        line_of(TOAD_RULES, f"- id: {rule}") for rule in RULES
    ]


def test_every_example_of_it_comes_out(toad_rules: Ruleset) -> None:
    assert list(failures(toad_rules)) == []
    assert sum(len(rule.examples) for rule in toad_rules.rules.values()) == 37


def test_an_int_input_has_its_bounds_with_what_prints_them(toad_rules: Ruleset) -> None:
    players = toad_rules.inputs["players"]
    assert (players.type, players.low, players.high) == (INT, 1, 5)
    assert players.domain == (1, 2, 3, 4, 5)
    assert players.unit == Unit("player", "players")
    assert [players.unit.of(n) for n in (0, 1, 2)] == ["players", "player", "players"]
    assert (players.ask, players.says) == ("How many players are there?", ("players",))
    assert players.lasts
    assert players.default is None
    assert [p.statement.text for p in players.bounds] == ["Toad Quest is for 1 to 5 players."]


def test_an_enum_input_has_its_values_and_its_standard(toad_rules: Ruleset) -> None:
    moon = toad_rules.inputs["moon"]
    assert moon.type == Type("enum", frozenset({"new", "full", "blood"}))
    assert moon.domain == ("new", "full", "blood")
    assert moon.values == (
        ("new", ("new", "dark")),
        ("full", ("full",)),
        ("blood", ("blood", "red")),
    )
    assert moon.default == "new"
    assert not moon.lasts


def test_a_bool_a_list_and_cells_are_inputs(toad_rules: Ruleset) -> None:
    golden, dice = toad_rules.inputs["golden"], toad_rules.inputs["dice"]
    assert (golden.type, golden.domain) == (BOOL, (False, True))
    assert (golden.yes, golden.no) == (("golden", "gold Toad"), ("plain Toad", "not golden"))
    assert (dice.type.kind, dice.low, dice.high, dice.length) == ("list", 1, 6, (2, 3))
    assert dice.domain == ()
    assert toad_rules.inputs["pips"].sum_of == "dice"
    assert toad_rules.inputs["dice_rolled"].count_of == "dice"
    assert [toad_rules.inputs[n].type.kind for n in ("here", "toads_at")] == ["cell", "cells"]
    only = toad_rules.inputs["golden_hops"].only
    assert only is not None
    assert only.text == "golden"


def test_a_rule_has_its_parts_each_with_what_it_cites(toad_rules: Ruleset) -> None:
    goal = toad_rules.rules["witch.goal"]
    assert (goal.title, goal.section) == ("Toads to win", "The Witch > How to Win")
    assert goal.inputs == ("players", "moon")
    assert [step.name for step in goal.steps] == ["toads_of_the_moon", "uncapped", "toads_to_win"]
    output = goal.output("toads_to_win")
    assert (output.type, output.low, output.high) == (INT, 5, 8)
    table, uncapped, capped = goal.steps
    assert [row.condition and row.condition.text for row in table.rows] == [
        "moon == 'new'",
        "moon == 'full'",
        "moon == 'blood'",
    ]
    assert table.label == "for the {moon} Moon"
    assert table.rows[0].picks[0].section.name == "The Witch > Difficulty"
    assert [row.condition for row in uncapped.rows] == [None]
    assert capped.rows[0].say.endswith("and 8 is the most")
    assert capped.names == {"uncapped"}
    assert [c.expression.text for c in goal.applies] == ["players >= 2"]
    assert [c.picks[0].statement.text for c in goal.always] == [
        "With 5 players there is no blood Moon."
    ]
    assert [pick.statement.text for pick in goal.picks][-2:] == [
        "This goal is for games of 2 or more players.",
        "With 5 players there is no blood Moon.",
    ]
    assert [p.statement.text for p in goal.unclear] == [
        "Unclear: The book does not say whether a borrowed Toad counts."
    ]
    assert [p.statement.text for p in goal.also] == ["The Witch may not brew golden Toads."]


def test_phrases_know_what_players_call_the_terms_of_the_book(toad_rules: Ruleset) -> None:
    assert toad_rules.book.words == (("Toad", ("frog",)),)
    says = toad_rules.rules["witch.goal"].output("toads_to_win").says
    assert says == ("(Toads|frog) to win", "(Toads|frog) needed", "goal")
    assert toad_rules.inputs["toads_held"].says == ("(Toads|frog)",)
    assert toad_rules.inputs["dice"].says == ("dice",)


def test_a_phrase_with_choices_of_its_own_is_kept(load: Callable[[str], Ruleset]) -> None:
    rules = load(changed("says: [splash]", "says: ['(big )?Toad splash']"))
    assert rules.rules["well.splash"].outputs[0].says == ("(big )?Toad splash",)


def test_a_unit_may_be_one_word_that_does_not_change(load: Callable[[str], Ruleset]) -> None:
    rules = load(changed("unit: [pip, pips]", "unit: Fury"))
    assert rules.inputs["pips"].unit == Unit("Fury", "Fury")
    assert load(TOAD_RULES).inputs["golden"].unit == Unit()


def test_notes_and_conditions_may_stand_in_other_sections(load: Callable[[str], Ruleset]) -> None:
    text = changed(
        "also: [The Witch may not brew golden Toads.]",
        "also: [{section: Toads, quote: A Toad hops 2 spaces.}]",
    )
    text = changed(
        "if: players >= 2\n        quote: This goal is for games of 2 or more players.",
        "if: players >= 1\n        section: Setup\n        quote: Toad Quest is for 1 to 5 players.",
        text,
    )
    rules = load(text)
    assert rules.problems == ()
    goal = rules.rules["witch.goal"]
    assert [(p.section.name, p.statement.text) for p in goal.also] == [
        ("Toads", "A Toad hops 2 spaces.")
    ]
    assert goal.applies[0].picks[0].section.name == "Setup"


def test_a_note_without_a_section_may_stand_in_any_that_the_rule_cites(
    load: Callable[[str], Ruleset],
) -> None:
    text = changed("also: [The Witch may not brew golden Toads.]", 'also: ["Moon: New; Toads: 3"]')
    (also,) = load(text).rules["witch.goal"].also
    assert also.section.name == "The Witch > Difficulty"


def test_a_rule_has_no_output_but_its_own(toad_rules: Ruleset) -> None:
    with pytest.raises(KeyError):
        toad_rules.rules["witch.goal"].output("cards")


def test_the_types_of_steps_are_those_of_their_values(toad_rules: Ruleset) -> None:
    types = {name: str(step.type) for name, step in toad_rules.steps.items()}
    assert types["cards_by_players"] == "int"
    assert types["overflows"] == "bool"
    assert types["begins"] == "one of toads, witch"
    assert types["splash"] == "int"
    assert types["toads_lost"] == "list"


def test_an_algorithm_stands_in_for_rows(toad_rules: Ruleset) -> None:
    (splash,) = toad_rules.rules["well.splash"].steps
    assert (splash.algorithm, splash.arguments) == (ALGORITHMS["total"], ("dice",))
    assert splash.rows == ()
    assert splash.names == {"dice"}
    assert [p.statement.text for p in splash.picks] == [
        "Roll 2 or 3 dice and add them up: this is the splash."
    ]


def test_a_step_or_a_rule_may_be_undetermined(toad_rules: Ruleset) -> None:
    price = toad_rules.rules["toad.price"].steps[0]
    assert (price.undetermined, price.rows) == ("the price of a potion stands on its card", ())
    assert toad_rules.rules["toad.night"].undetermined == "it depends on the scenario"


def test_an_example_may_be_one_that_the_book_prints(toad_rules: Ruleset) -> None:
    printed = [e for e in toad_rules.rules["witch.goal"].examples if e.printed]
    assert [(dict(e.given), e.expect) for e in printed] == [
        ({"players": 4, "moon": "full"}, {"toads_to_win": 8})
    ]
    assert printed[0].printed[0].statement.text.startswith("Example: 4 players")
    undetermined = toad_rules.rules["witch.goal"].examples[-1]
    assert (dict(undetermined.given), undetermined.expect) == ({"players": 1}, None)


def test_what_a_step_depends_on_comes_before_it(toad_rules: Ruleset) -> None:
    steps, inputs = toad_rules.closure(frozenset({"toads_to_win", "dice"}))
    assert [step.name for step in steps] == ["toads_of_the_moon", "uncapped", "toads_to_win"]
    assert {given.name for given in inputs} == {"moon", "players", "dice"}


def test_a_book_without_a_rule_file_has_no_rules(rulebook: Path) -> None:
    rules = load_rules(read_rulebook(rulebook))
    assert (rules.rules, rules.inputs, rules.problems) == ({}, {}, ())


def test_a_step_may_use_the_steps_of_rules_before_it_with_their_inputs(
    load: Callable[[str], Ruleset],
) -> None:
    rule = """
  - id: witch.both
    title: Cards and Toads
    section: The Witch > Brew
    inputs: [players, moon, golden]
    outputs:
      both: {type: int, min: 0, max: 20}
    steps:
      - {name: both, value: cards + worth, quote: "Under the blood Moon, draw 1 card less."}
"""
    rules = load(TOAD_RULES + rule)
    assert rules.problems == ()
    state: dict[str, Value] = {"players": 2, "moon": "blood", "golden": True}
    assert compute_in(rules, rules.rules["witch.both"], state).value == 2 + 2
    too_few = load(TOAD_RULES + rule.replace("[players, moon, golden]", "[players]"))
    assert "rule 'witch.both': inputs lack golden, moon." in str(too_few.problems[0])


def test_yes_no_on_and_off_are_words_as_values_and_in_tables(
    load: Callable[[str], Ruleset],
) -> None:
    rules = load(
        """\
game: toad-well
inputs:
  lamp:
    type: enum
    ask: Is the lamp lit?
    values: {on: [on], off: [off], no: [no, none]}
rules:
  - id: toad.lamp
    title: The lamp
    section: Toads
    inputs: [lamp]
    outputs:
      lit: {type: enum, values: {yes: [lit], no: [dark]}}
    steps:
      - name: lit
        by: [lamp]
        rows:
          - {is: on, value: yes, quote: A Toad hops 2 spaces.}
          - {is: [off, no], value: no, quote: A Toad hops 2 spaces.}
    examples:
      - {given: {lamp: on}, expect: {lit: yes}}
      - {given: {lamp: off}, expect: {lit: no}}
      - {given: {lamp: no}, expect: {lit: no}}
"""
    )
    assert rules.problems == ()
    assert rules.inputs["lamp"].domain == ("on", "off", "no")
    assert list(failures(rules)) == []


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b""])
@pytest.mark.parametrize("end", [b"\n", b"\r\n", b"\r"])
def test_a_byte_order_mark_and_other_line_ends_make_no_difference(
    rulebook: Path, mark: bytes, end: bytes
) -> None:
    path = rulebook.with_name("rules.yaml")
    path.write_bytes(mark + TOAD_RULES.encode().replace(b"\n", end))
    rules = load_rules(read_rulebook(rulebook))
    assert rules.problems == ()
    assert [rules.rules[r].line for r in RULES] == [
        line_of(TOAD_RULES, f"- id: {rule}") for rule in RULES
    ]


# Stale quotes


@pytest.mark.parametrize(
    CASE,
    [
        ("- No more than 8 Toads are ever needed.", "- No more than 9 Toads are ever needed.", "witch.goal", "- if: uncapped > 8", "stale: 'The Witch > How to Win' has no statement 'No more than 8 Toads are ever needed.…'"),
        ("| New | 3 |", "| New | 2 |", "witch.goal", "- {is: new, value: 3", "stale: 'The Witch > Difficulty' has no statement 'Moon: New; Toads: 3…'"),
        ("- This goal is for games of 2 or more players.\n", "", "witch.goal", "- if: players >= 2", "stale: 'The Witch > How to Win' has no statement 'This goal is for games of 2 or more players.…'"),
        ("- With 5 players there is no blood Moon.", "- With 5 players there is no Blood Moon.", "witch.goal", "- if: not (moon == 'blood'", "stale: 'The Witch > How to Win' has no statement 'With 5 players there is no blood Moon.…'"),
        ("whether a borrowed Toad counts.", "whether a borrowed Toad counts!", "witch.goal", 'unclear: ["Unclear: The book does not say whether a borrowed', "stale: 'The Witch > How to Win' has no statement 'Unclear: The book does not say whether a borrowed Toad counts.…'"),
        ("- The Witch may not brew golden Toads.", "- The Witch may brew golden Toads.", "witch.goal", "also: [The Witch may not", "stale: 'The Witch > How to Win' has no statement 'The Witch may not brew golden Toads.…'"),
        ("- **Example:** 4 players", "- **Example:** 3 players", "witch.goal", "- given: {players: 4, moon: full}", "stale: 'The Witch > How to Win' has no statement 'Example: 4 players under the full Moon need 8 Toads.…'"),
        ("- Roll 2 or 3 dice", "- Roll 3 dice", "well.splash", "- name: splash", "stale: 'The Well' has no statement 'Roll 2 or 3 dice and add them up: this is the splash.…'"),
        ("- The price of a potion stands on its card.", "- The price of a potion is 3.", "toad.price", "- name: price", "stale: 'Toads' has no statement 'The price of a potion stands on its card.…'"),
        ("- There are 2 Wells in the box.", "- There are 3 Wells in the box.", "box.pieces", "- {name: wells_in_box", "stale: 'Setup' has no statement 'There are 2 Wells in the box.…'"),
        ("### Difficulty", "### Levels", "witch.goal", "- {is: new, value: 3", "the book has no section 'The Witch > Difficulty'"),
    ],
)  # fmt: skip
def test_a_changed_statement_makes_its_rule_stale_and_no_other(
    rulebook: Path, old: str, new: str, rule: str, at: str, problem: str
) -> None:
    rulebook.write_text(changed(old, new, TOAD_WELL), encoding="utf-8")
    check_left_out(read_toad_rules(rulebook), rule, line_of(TOAD_RULES, at), problem)


def test_a_statement_that_moved_is_told_where_it_stands_now(rulebook: Path) -> None:
    moved = changed("- No more than 8 Toads are ever needed.\n", "", TOAD_WELL)
    moved = changed("## Toads\n", "## Toads\n\n- No more than 8 Toads are ever needed.", moved)
    rulebook.write_text(moved, encoding="utf-8")
    (problem,) = read_toad_rules(rulebook).problems
    assert "'No more than 8 Toads are ever needed.…' (it stands in 'Toads')" in str(problem)


def test_a_stale_input_takes_along_the_rules_that_need_it_and_no_other(rulebook: Path) -> None:
    changed_book = changed("for 1 to 5 players", "for 1 to 6 players", TOAD_WELL)
    rulebook.write_text(changed_book, encoding="utf-8")
    rules = read_toad_rules(rulebook)
    line = line_of(TOAD_RULES, "quote: Toad Quest is for 1 to 5 players.")
    path = rulebook.with_name("rules.yaml")
    assert str(rules.problems[0]) == (
        f"{path}: line {line}: input 'players': stale: 'Setup' has no statement "
        f"'Toad Quest is for 1 to 5 players.…'. {NEXT}"
    )
    left_out = ["witch.goal", "witch.cards"]
    assert [p.rule for p in rules.problems[1:] if isinstance(p, RuleFileError)] == left_out
    assert set(rules.rules) == {*RULES} - {*left_out}


def test_a_quote_may_be_broken_over_lines(load: Callable[[str], Ruleset]) -> None:
    old = "quote: No more than 8 Toads are ever needed."
    new = "quote: |\n              No more than 8\n              Toads  are ever needed.\n"
    assert load(changed(old, new)).problems == ()


@pytest.mark.parametrize(
    "quote",
    [
        "More than 8 Toads",
        "No more than 8 Toads are ever needed",
        "no more than 8 toads are ever needed.",
        "8",
    ],
)
def test_a_part_of_a_statement_is_no_quote(load: Callable[[str], Ruleset], quote: str) -> None:
    text = changed("quote: No more than 8 Toads are ever needed.", f"quote: '{quote}'")
    (problem,) = load(text).problems
    assert f"stale: 'The Witch > How to Win' has no statement '{quote}…'" in str(problem)


def test_each_quote_of_a_list_is_proved(load: Callable[[str], Ruleset]) -> None:
    old = 'quote: ["Players: 1; Cards: 4", "Players: 2-3; Cards: 3"'
    text = changed(old, 'quote: ["Players: 1; Cards: 4", "Players: 2-4; Cards: 3"')
    line = line_of(text, "- is: any")
    problem = "stale: 'The Witch > Brew' has no statement 'Players: 2-4; Cards: 3…'"
    check_left_out(load(text), "witch.cards", line, problem)


def test_a_long_quote_is_shortened_in_the_message(load: Callable[[str], Ruleset]) -> None:
    text = changed("quote: There are 2 Wells in the box.", f"quote: {'Toad ' * 2000}")
    (problem,) = load(text).problems
    assert len(str(problem)) < 400


# One rule that can't be so


@pytest.mark.parametrize(
    CASE,
    [
        ("section: The Witch > Difficulty", "section: Witch > Difficulty", "witch.goal", "- {is: new, value: 3", "the book has no section 'Witch > Difficulty'"),
        ("section: The Witch > Difficulty", "section: the witch > difficulty", "witch.goal", "- {is: new, value: 3", "the book has no section 'the witch > difficulty'"),
        ("{name: wells_in_box, value: 2,", "{name: wells_in_box, section: Boxes, value: 2,", "box.pieces", "- {name: wells_in_box", "the book has no section 'Boxes'"),
        ("- {if: golden, value: 2, quote: A golden Toad counts as 2 Toads.}\n          - {value: 1, quote: A plain Toad counts as 1 Toad.}\n    examples:\n      - {given: {golden: true}", "- {if: golden, value: 2, section: Frogs, quote: A golden Toad counts as 2 Toads.}\n          - {value: 1, quote: A plain Toad counts as 1 Toad.}\n    examples:\n      - {given: {golden: true}", "toad.worth", "section: Frogs", "the book has no section 'Frogs'"),
    ],
)  # fmt: skip
def test_a_section_that_the_book_lacks_is_refused(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("is: new, value: 3", "is: new, value: 13", "witch.goal", "- {is: new", "the number 13 stands in no quote of its row"),
        ("- if: uncapped > 8", "- if: uncapped > 7", "witch.goal", "- if: uncapped > 7", "the number 7 stands in no quote of its row"),
        ("value: cards_by_players - 1", "value: cards_by_players - 2", "witch.cards", "- is: blood", "the number 2 stands in no quote of its row"),
        ("{is: 2..3, value: 3", "{is: 2..5, value: 3", "witch.cards", "- {is: 2..5", "the number 5 stands in no quote of its row"),
        ("{is: 4.., value: 2", "{is: [4, 5], value: 2", "witch.cards", "- {is: [4, 5]", "the number 5 stands in no quote of its row"),
        ("name: wells_in_box, value: 2", "name: wells_in_box, value: 3", "box.pieces", "- {name: wells_in_box", "the number 3 stands in no quote of its row"),
        ("            derived: [0]\n", "", "toad.hop", "- if: golden and", "the number 0 stands in no quote of its row"),
        ("derived: [0]", "derived: [1]", "toad.hop", "- if: golden and", "the number 0 stands in no quote of its row"),
        ("if: players >= 2", "if: players >= 3", "witch.goal", "- if: players >= 3", "the number 3 stands in no quote of its condition"),
        ("players == 5)", "players == 4)", "witch.goal", "- if: not (moon", "the number 4 stands in no quote of its condition"),
    ],
)  # fmt: skip
def test_a_number_that_no_quote_of_its_row_or_condition_has_is_refused(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("derived: [0]", "derived: [0, 5]", "toad.hop", "- if: golden and", "the number 5, marked derived, isn't used"),
        ("name: wells_in_box, value: 2", "name: wells_in_box, derived: [7], value: 2", "box.pieces", "- {name: wells_in_box", "the number 7, marked derived, isn't used"),
        ("if: players >= 2", "derived: [1]\n        if: players >= 2", "witch.goal", "- derived: [1]", "the number 1, marked derived, isn't used"),
        ("{is: new, value: 3,", "{is: new, value: 3, derived: [3],", "witch.goal", "- {is: new", "the number 3, marked derived, stands in a quote"),
        ("if: players >= 2", "derived: [2]\n        if: players >= 2", "witch.goal", "- derived: [2]", "the number 2, marked derived, stands in a quote"),
    ],
)  # fmt: skip
def test_a_derived_number_that_is_not_used_or_is_quoted_is_refused(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("if: players >= 2", "derived: [0]\n        if: players - 2 >= 0"),
        ("players == 5)", "players == 4)\n        derived: [4]"),
        ("    min: 1\n    max: 5\n", "    min: 0\n    max: 5\n    derived: [0]\n"),
        ("    min: 1\n    max: 5\n", "    min: 1\n    max: 1000\n    derived: [1000]\n"),
    ],
)
def test_a_number_of_a_condition_or_a_bound_may_be_derived(
    load: Callable[[str], Ruleset], old: str, new: str
) -> None:
    assert load(changed(old, new)).problems == ()


@pytest.mark.parametrize(
    CASE,
    [
        ("inputs: [players, moon]\n    outputs:\n      toads_to_win", "inputs: [players]\n    outputs:\n      toads_to_win", "witch.goal", "inputs: [players]\n", "inputs lack moon"),
        ("inputs: [players, moon]\n    outputs:\n      toads_to_win", "outputs:\n      toads_to_win", "witch.goal", "- id: witch.goal", "inputs lack moon, players"),
        ("inputs: [players, moon]\n    outputs:\n      toads_to_win", "inputs: [players, moon, golden, dice]\n    outputs:\n      toads_to_win", "witch.goal", "inputs: [players, moon, golden, dice]", "inputs that nothing uses: dice, golden"),
        ("inputs: [dice]", "inputs: [dice, unheard_of]", "well.splash", "inputs: [dice, unheard_of]", "inputs that nothing uses: unheard_of"),
        ("inputs: [pips, dice_rolled]", "inputs: [dice, pips, dice_rolled]", "well.overflow", "inputs: [dice, pips, dice_rolled]", "inputs that nothing uses: dice"),
        ("inputs: [dice]", "inputs: [dice, dice]", "well.splash", "inputs: [dice, dice]", "inputs that stand twice: dice"),
        ("    undetermined: it depends on the scenario\n", "    inputs: [moon, unheard_of]\n    undetermined: it depends on the scenario\n", "toad.night", "inputs: [moon, unheard_of]", "inputs that there aren't: unheard_of"),
    ],
)  # fmt: skip
def test_the_inputs_of_a_rule_are_exactly_those_that_it_uses(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("if: players >= 2", "if: players >=", "witch.goal", "- if: players >=", "'players >=' is no expression"),
        ("if: players >= 2", "if: __import__('os').system('true')", "witch.goal", "- if: __import__", "'__import__('os').system('true')' isn't allowed in a rule"),
        ("value: toads_of_the_moon + players", "value: toads_of_the_moon ** players", "witch.goal", "- name: uncapped", "step 'uncapped': 'toads_of_the_moon ** players' isn't allowed in a rule"),
        ("name: wells_in_box, value: 2", "name: wells_in_box, value: 10000000", "box.pieces", "- {name: wells_in_box", "step 'wells_in_box': '10000000' isn't allowed in a rule"),
        ("if: dice_rolled == 3", "if: dice_rolled in dice", "well.overflow", "- name: overflows", "step 'overflows': 'dice_rolled in dice' isn't allowed in a rule"),
    ],
)  # fmt: skip
def test_an_expression_that_the_language_lacks_is_refused(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("if: players >= 2", "if: plaayers >= 2", "witch.goal", "- if: plaayers", "'plaayers' is no input and no earlier step"),
        ("value: toads_of_the_moon + players", "value: toads_to_win + players", "witch.goal", "- name: uncapped", "step 'uncapped': 'toads_to_win' is no input and no earlier step"),
        ("value: toads_of_the_moon + players", "value: uncapped + players", "witch.goal", "- name: uncapped", "step 'uncapped': 'uncapped' is no input and no earlier step"),
        ("value: toads_of_the_moon + players", "value: cards + players", "witch.goal", "- name: uncapped", "step 'uncapped': 'cards' is no input and no earlier step"),
        ("by: [players]", "by: [plaayers]", "witch.cards", "- name: cards_by_players", "step 'cards_by_players': 'plaayers' is no input and no earlier step"),
        ("label: for the {moon} Moon", "label: for the {mood} Moon", "witch.goal", "- name: toads_of_the_moon", "'{mood}' is no input and no earlier step"),
        ('say: "{toads_of_the_moon}', 'say: "{toads_of_the_mood}', "witch.goal", "- name: toads_to_win", "'{toads_of_the_mood}' is no input and no earlier step"),
        ("        algorithm: total\n", "        algorithm: total\n        label: for {nothing}\n", "well.splash", "- name: splash", "'{nothing}' is no input and no earlier step"),
    ],
)  # fmt: skip
def test_a_name_that_is_not_known_by_then_is_refused(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("if: players >= 2", "if: players", "witch.goal", "- if: players\n", "'players' is int, where bool is needed"),
        ("if: players >= 2", "if: 2", "witch.goal", "- if: 2\n", "'2' is int, where bool is needed"),
        ("if: players >= 2", "if: players >= 'two'", "witch.goal", "- if: players >= 'two'", "'players >= 'two'' compares int with one of two"),
        ("if: dice_rolled == 3", "if: dice_rolled", "well.overflow", "- {if: dice_rolled,", "'dice_rolled' is no condition"),
        ("{if: dice_rolled == 3, value: pips >= 8", "{if: dice_rolled == 3, value: pips", "well.overflow", "- name: overflows", "step 'overflows': 'overflows' mixes int with bool"),
        ("{if: dice_rolled == 3, value: pips >= 8", "{if: dice_rolled == 3, value: pips // 0 == 8", "well.overflow", "- name: overflows", "step 'overflows': 'pips // 0' divides by no whole number above 0"),
        ("value: toads_of_the_moon + players", "value: toads_of_the_moon + moon", "witch.goal", "- name: uncapped", "step 'uncapped': 'moon' is one of blood, full, new, where int is needed"),
        ("{if: moon == 'new', value: witch", "{if: moon == 'newt', value: witch", "witch.start", "- name: begins", "step 'begins': 'moon == 'newt'': one of blood, full, new has no such value"),
        ("value: witch, quote", "value: wich, quote", "witch.start", "- name: begins", "step 'begins': 'wich' is no input and no earlier step"),
        ("value: witch, quote", "value: \"'wich'\", quote", "witch.start", "- name: begins", "'begins' is one of toads, wich, not one of toads, witch"),
        ("overflows:\n        type: bool\n        yes: the Well overflows\n        no: the Well does not overflow", "overflows:\n        type: int\n        min: 0\n        max: 1", "well.overflow", "- name: overflows", "'overflows' is bool, not int"),
    ],
)  # fmt: skip
def test_types_that_do_not_fit_are_refused(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("by: [players]", "by: [players, moon]", "witch.cards", "- name: cards_by_players", "step 'cards_by_players': 'is' needs a value for each of players, moon"),
        ("{is: 1, value: 4", "{is: [1, new], value: 4", "witch.cards", "- name: cards_by_players", "step 'cards_by_players': 'players in [1, 'new']' compares int with one of new"),
        ("{is: 1, value: 4", "{is: true, value: 4", "witch.cards", "- {is: true", "'players' is no condition"),
        ("- is: blood", "- is: green", "witch.cards", "- name: cards\n", "step 'cards': 'moon == 'green'': one of blood, full, new has no such value"),
        ("- is: blood", "- is: 1..3", "witch.cards", "- name: cards\n", "step 'cards': 'moon >= 1' compares one of blood, full, new with int"),
    ],
)  # fmt: skip
def test_cells_that_do_not_fit_their_table_are_refused(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("algorithm: total", "algorithm: sum_of_all", "well.splash", "- name: splash", "there is no algorithm 'sum_of_all'"),
        ("of: [dice]", "of: [pips]", "well.splash", "- name: splash", "'total' is of list"),
        ("of: [dice]", "of: [dice, dice]", "well.splash", "- name: splash", "'total' is of list"),
        ("of: [dice]", "of: []", "well.splash", "- name: splash", "'total' is of list"),
        ("of: [dice]", "of: [nothing]", "well.splash", "- name: splash", "'total' is of list"),
        ("of: [here, toads_at]", "of: [toads_at, here]", "well.depth", "- name: depth", "'chebyshev_isolation' is of cell, cells"),
        ('of: [dice]\n        quote: "Roll 2 or 3 dice and add them up: this is the splash."', "of: [dice]", "well.splash", "- name: splash", "an algorithm without a quote"),
        ("splash: {type: int, min: 2, max: 18,", "splash: {type: bool, yes: it splashes, no: it is dry,", "well.splash", "- name: splash", "'splash' is int, not bool"),
        ("toads_lost: {type: list,", "toads_lost: {type: int, min: 0, max: 9,", "well.storm", "- name: toads_lost", "'toads_lost' is list, not int"),
    ],
)  # fmt: skip
def test_an_algorithm_takes_and_gives_its_types_and_cites_a_statement(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("- name: begins", "- name: moon", "witch.start", "- name: moon", "the name 'moon' is taken"),
        ("- name: begins", "- name: cards", "witch.start", "- name: cards\n        rows", "the name 'cards' is taken"),
        ("- name: uncapped", "- name: toads_of_the_moon", "witch.goal", "- name: toads_of_the_moon\n        value", "the name 'toads_of_the_moon' is taken"),
    ],
)  # fmt: skip
def test_a_name_that_is_taken_is_refused(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("      toads_to_win:\n        type: int", "      toads_to_lose:\n        type: int", "witch.goal", "      toads_to_lose:", "the output 'toads_to_lose' is no step of it"),
        ("        yes: the Well overflows\n", "", "well.overflow", "        type: bool\n        no:", "the output 'overflows' is a bool without yes and no"),
        ("        min: 5\n        max: 8\n", "        min: 5\n", "witch.goal", "        type: int\n        unit: [Toad, Toads]\n        min: 5", "the output 'toads_to_win' is an int without min and max"),
        ("    undetermined: it depends on the scenario\n", "", "toad.night", "      nights: {type: int", "the output 'nights' is no step of it"),
        ("        min: 5\n        max: 8\n", "        min: 8\n        max: 5\n", "witch.goal", "        max: 5\n", "min 8 is above max 5"),
        ("        min: 5\n        max: 8\n", "        min: 5\n        max: 8\n        yes: it is so\n", "witch.goal", "        yes: it is so", "'yes' is for type bool only"),
        ("        type: enum\n        values:\n          witch: [the Witch]\n          toads: [the Toads]\n", "        type: enum\n", "witch.start", "        type: enum\n        says", "an enum without values"),
    ],
)  # fmt: skip
def test_an_output_is_a_step_with_what_its_type_needs(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("{name: wells_in_box, value: 2, quote: There are 2 Wells in the box.}", "{name: wells_in_box, value: 2}", "box.pieces", "- {name: wells_in_box", "a step has a value with its quote, or rows"),
        ("{name: wells_in_box, value: 2, quote: There are 2 Wells in the box.}", "{name: wells_in_box, value: 2, quote: There are 2 Wells in the box., rows: [{value: 2, quote: There are 2 Wells in the box.}]}", "box.pieces", "- {name: wells_in_box", "a step has rows or value, not both"),
        ("        algorithm: total\n", "        algorithm: total\n        value: 3\n", "well.splash", "- name: splash", "a step has algorithm or value, not both"),
        ("        algorithm: total\n", "        algorithm: total\n        undetermined: who knows\n", "well.splash", "- name: splash", "a step has algorithm or undetermined, not both"),
        ("        undetermined: the price of", "        value: 3\n        undetermined: the price of", "toad.price", "- name: price", "a step has undetermined or value, not both"),
        ("        undetermined: the price of", "        rows: []\n        undetermined: the price of", "toad.price", "- name: price", "a step has rows or undetermined, not both"),
        ("        algorithm: total\n", "        algorithm: total\n        by: [pips]\n", "well.splash", "- name: splash", "'by' doesn't go with 'algorithm'"),
        ("        by: [players]\n", "        by: [players]\n        say: as the table says\n", "witch.cards", "- name: cards_by_players", "'say' doesn't go with 'rows'"),
        ("{name: wells_in_box, value: 2,", "{name: wells_in_box, of: [dice], value: 2,", "box.pieces", "- {name: wells_in_box", "'of' doesn't go with 'value'"),
        ("- is: blood\n", "- is: blood\n            if: players > 1\n", "witch.cards", "- is: blood", "a row has is or if, not both"),
        ("{name: wells_in_box, value: 2, quote: There are 2 Wells in the box.}", "{name: wells_in_box, quote: There are 2 Wells in the box.}", "box.pieces", "- {name: wells_in_box", "a step without rows, value or algorithm"),
        ("        undetermined: the price of a potion stands on its card\n        quote: The price of a potion stands on its card.", "        undetermined: the price of a potion stands on its card", "toad.price", "- name: price", "a step that is undetermined without a quote"),
    ],
)  # fmt: skip
def test_a_step_has_one_way_to_its_value_and_cites_a_statement(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize(
    CASE,
    [
        ("{given: {golden: true}, expect: {worth: 2}}", "{given: {silver: true}, expect: {worth: 2}}", "toad.worth", "- {given: {silver", "'silver' is no input"),
        ("{given: {dice: [2, 5]}, expect", "{given: {dice: [2, x]}, expect", "well.splash", "{given: {dice: [2, x]}", "[2, 'x'] is no value of 'dice'"),
        ("{given: {dice: [2, 5]}, expect", "{given: {dice: 7}, expect", "well.splash", "{given: {dice: 7}", "7 is no value of 'dice'"),
        ("{given: {players: 2}, expect: {toads", "{given: {players: two}, expect: {toads", "witch.goal", "{given: {players: two}", "'two' is no value of 'players'"),
        ("{given: {players: 2}, expect: {toads", "{given: {players: true}, expect: {toads", "witch.goal", "{given: {players: true}", "True is no value of 'players'"),
        ("{given: {golden: true}, expect: {worth: 2}}", "{given: {golden: 1}, expect: {worth: 2}}", "toad.worth", "{given: {golden: 1}", "1 is no value of 'golden'"),
        ("{given: {moon: full}, expect", "{given: {moon: ful}, expect", "witch.start", "{given: {moon: ful}", "'ful' is no value of 'moon'"),
        ("given: {here: [0, 0]", "given: {here: [[0, 0]]", "well.depth", "given: {here: [[0, 0]]", "[[0, 0]] is no value of 'here'"),
        ("toads_at: [[2, 1], [3, 3]]}", "toads_at: [2, 1]}", "well.depth", "toads_at: [2, 1]}", "[2, 1] is no value of 'toads_at'"),
        ("{given: {golden: true}, expect: {worth: 2}}", "{given: {golden: true}, expect: {}}", "toad.worth", "{given: {golden: true}, expect: {}}", "an example that expects nothing"),
        ("{given: {golden: true}, expect: {worth: 2}}", "{given: {golden: true}, expect: {weight: 2}}", "toad.worth", "- {given: {golden: true}, expect: {weight", "'weight' is no step"),
        ('printed: "Example: 4 players', 'section: The Well\n        printed: "Example: 4 players', "witch.goal", "- given: {players: 4, moon: full}", "stale: 'The Well' has no statement 'Example: 4 players under the full Moon need 8 Toads.\u2026' (it stands in 'The Witch > How to Win')"),
    ],
)  # fmt: skip
def test_an_example_is_about_inputs_and_steps_that_there_are(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    check_left_out(load(text), rule, line_of(text, at), problem)


@pytest.mark.parametrize("given", ["players: 9", "players: 0, moon: full"])
def test_an_example_may_show_that_nothing_comes_of_a_value_out_of_bounds(
    load: Callable[[str], Ruleset], given: str
) -> None:
    rules = load(
        changed("{players: 1}, expect: undetermined", f"{{{given}}}, expect: undetermined")
    )
    assert rules.problems == ()
    assert list(failures(rules)) == []


def test_the_second_rule_of_an_id_is_left_out(load: Callable[[str], Ruleset]) -> None:
    text = changed("- id: toad.worth", "- id: witch.goal")
    rules = load(text)
    (problem,) = rules.problems
    line = line_of(text, "- id: witch.goal\n    title: What a Toad counts")
    assert f"line {line}: rule 'witch.goal': the id for a second time. {NEXT}" in str(problem)
    assert rules.rules["witch.goal"].title == "Toads to win"
    assert set(rules.rules) == {*RULES} - {"toad.worth"}


def test_each_rule_that_is_wrong_is_named(load: Callable[[str], Ruleset]) -> None:
    text = changed("is: new, value: 3", "is: new, value: 13")
    text = changed("algorithm: total", "algorithm: sum_of_all", text)
    text = changed("name: wells_in_box, value: 2", "name: wells_in_box, value: 3", text)
    rules = load(text)
    named = [problem.rule for problem in rules.problems if isinstance(problem, RuleFileError)]
    assert named == ["witch.goal", "well.splash", "box.pieces"]
    assert set(rules.rules) == {*RULES} - {*named}


# Inputs that can't be so


@pytest.mark.parametrize(
    ("old", "new", "name", "at", "problem"),
    [
        ("    min: 1\n    max: 5\n", "    min: 1\n", "players", "    type: int\n    min: 1\n    unit", "an int without min and max"),
        ("    values:\n      hops: [it hops]\n      stays: [it stays]\n", "", "golden_hops", "    type: enum\n    ask: Does a golden", "an enum without values"),
        ("    of: {min: 1, max: 6}\n", "", "dice", "    type: list\n    length: [2, 3]", "a list without 'of' and 'length'"),
        ("    default: new\n", "    default: newt\n", "moon", "    default: newt", "the default 'newt' is none of its values"),
        ("    default: new\n", "    default: dark\n", "moon", "    default: dark", "the default 'dark' is none of its values"),
        ("    default: new\n", "    default: 1\n", "moon", "    default: 1", "the default 1 is none of its values"),
        ("    min: 1\n    max: 5\n", "    min: 1\n    max: 5\n    default: 6\n", "players", "    default: 6", "the default 6 is none of its values"),
        ("    min: 1\n    max: 5\n", "    min: 1\n    max: 5\n    default: true\n", "players", "    default: true", "the default True is none of its values"),
        ("    type: bool\n    ask: Is the Toad golden?", "    type: bool\n    default: 1\n    ask: Is the Toad golden?", "golden", "    default: 1", "the default 1 is none of its values"),
        ("    min: 1\n    max: 5\n", "    min: 5\n    max: 1\n", "players", "    max: 1\n", "min 5 is above max 1"),
        ("    min: 1\n    max: 5\n", "    min: 1\n    max: 1001\n    derived: [1001]\n", "players", "    max: 1001", "an int of 1,001 values; 1,000 are the most"),
        ("    min: 1\n    max: 5\n", "    min: 0\n    max: 999999999999\n    default: -1\n", "players", "    max: 99", "an int of 1,000,000,000,000 values; 1,000 are the most"),
        ("    min: 1\n    max: 5\n", "    min: 1\n    max: 6\n", "players", "quote: Toad Quest is for", "the number 6 stands in no quote of its input"),
        ("    min: 1\n    max: 5\n", "    min: 1\n    max: 5\n    derived: [5]\n", "players", "quote: Toad Quest is for", "the number 5, marked derived, stands in a quote"),
        ("    min: 2\n    max: 18\n", "    min: 2\n    max: 18\n    derived: [2]\n", "pips", "    type: int\n    min: 2\n    max: 18", "the number 2, marked derived, isn't used"),
        ("    min: 1\n    max: 5\n", "    min: 1\n    max: 5\n    values: {one: [one]}\n", "players", "    values: {one", "'values' is for type enum only"),
        ("    yes: [golden, gold Toad]", "    min: 0\n    yes: [golden, gold Toad]", "golden", "    min: 0\n    yes", "'min' is for type int only"),
        ("of: {min: 1, max: 6}", "of: {min: 6, max: 1}", "dice", "of: {min: 6", "min 6 is above max 1"),
        ("length: [2, 3]", "length: [3, 2]", "dice", "length: [3, 2]", "a length of 3 to 2, where 1 to 100 is the widest"),
        ("length: [2, 3]", "length: [0, 2]", "dice", "length: [0, 2]", "a length of 0 to 2, where 1 to 100 is the widest"),
        ("length: [2, 3]", "length: [2, 101]", "dice", "length: [2, 101]", "a length of 2 to 101, where 1 to 100 is the widest"),
        ("sum_of: dice", "sum_of: nothing", "pips", "sum_of: nothing", "'nothing' is no input that is a list"),
        ("sum_of: dice", "sum_of: toads_at", "pips", "sum_of: toads_at", "'toads_at' is no input that is a list"),
        ("sum_of: dice", "sum_of: players", "pips", "sum_of: players", "'players' is no input that is a list"),
        ("count_of: dice", "count_of: moon", "dice_rolled", "count_of: moon", "'moon' is no input that is a list"),
        ("sum_of: dice", "sum_of: dice\n    count_of: toads_held", "pips", "count_of: toads_held", "either sum_of or count_of"),
        ("    only: golden\n", "    only: golden\n    sum_of: dice\n", "golden_hops", "    sum_of: dice\n  dice:\n", "'sum_of' is for type int only"),
        ("only: golden", "only: golden +", "golden_hops", "only: golden +", "'golden +' is no expression"),
        ("only: golden", "only: goldn", "golden_hops", "only: goldn", "'goldn' is no input and no earlier step"),
        ("only: golden", "only: players", "golden_hops", "only: players", "'players' is int, where bool is needed"),
        ("only: golden", "only: players == 'two'", "golden_hops", "only: players == 'two'", "'players == 'two'' compares int with one of two"),
        ("only: golden", "only: golden_hops == 'hops'", "golden_hops", "only: golden_hops ==", "'golden_hops' is no input and no earlier step"),
        ("section: Setup\n    quote", "section: Nowhere\n    quote", "players", "quote: Toad Quest is for", "the book has no section 'Nowhere'"),
        ("quote: Toad Quest is for 1 to 5 players.", "quote: Toad Quest is for 5 players.", "players", "quote: Toad Quest is for", "stale: 'Setup' has no statement 'Toad Quest is for 5 players.…'"),
    ],
)  # fmt: skip
def test_an_input_that_cannot_be_is_left_out_with_the_rules_that_use_it(
    load: Callable[[str], Ruleset], old: str, new: str, name: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    rules = load(text)
    path = rules.book.source.with_name("rules.yaml")
    assert str(rules.problems[0]) == (
        f"{path}: line {line_of(text, at)}: input '{name}': {problem}. {NEXT}"
    )
    assert name not in rules.inputs
    sound = read_toad_rules(rules.book.source)
    using = {rule.id for rule in sound.rules.values() if name in rule.inputs}
    given = {r.id for r in sound.rules.values() if any(name in e.given for e in r.examples)}
    assert set(rules.rules) == {*RULES} - using - given
    assert len(rules.problems) == 1 + len(using | given)


def test_an_input_may_mean_something_only_by_one_that_comes_later(
    load: Callable[[str], Ruleset],
) -> None:
    only = load(changed("only: golden", "only: pips >= 3")).inputs["golden_hops"].only
    assert only is not None
    assert only.names == {"pips"}


# Files whose form is wrong


@pytest.mark.parametrize(
    CASE,
    [
        ("rules:\n", "rulez:\n", "", "  - id: witch.goal", "an unknown field 'rulez'"),
        ("    lasts: true\n", "    last: true\n", "", "    last: true", "an unknown field 'inputs.players.last'"),
        ("- is: blood\n", "- cells: blood\n", "witch.cards", "- cells: blood", "an unknown field 'rules.1.steps.1.rows.0.cells'"),
        ("    title: What a Toad counts\n", "    title: What a Toad counts\n    priority: 1\n", "toad.worth", "    priority: 1", "an unknown field 'rules.3.priority'"),
        ("say: a golden Toad stays", "says: a golden Toad stays", "toad.hop", "says: a golden Toad stays", "an unknown field 'rules.4.steps.0.rows.0.says'"),
        ("of: {min: 1, max: 6}", "of: {min: 1, max: 6, step: 2}", "", "of: {min: 1, max: 6, step: 2}", "an unknown field 'inputs.dice.of.step'"),
        ("game: toad-well\n", "", "", "inputs:\n  players", "no field 'game'"),
        ("    ask: Which Moon is it?\n", "", "", "    type: enum\n    default: new", "no field 'inputs.moon.ask'"),
        ("    title: What a Toad counts\n", "", "toad.worth", "- id: toad.worth", "no field 'rules.3.title'"),
        ("  - id: toad.worth\n    title", "  - title", "", "- title", "no field 'rules.3.id'"),
        ("    outputs:\n      nights: {type: int, unit: [night, nights], says: [nights]}\n", "", "toad.night", "- id: toad.night", "no field 'rules.6.outputs'"),
        ("      - if: players >= 2\n        quote: This goal is for games of 2 or more players.", "      - if: players >= 2", "witch.goal", "- if: players >= 2", "no field 'rules.0.applies.0.quote'"),
    ],
)  # fmt: skip
def test_an_unknown_or_missing_field_is_named_with_its_place(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, problem: str
) -> None:
    text = changed(old, new)
    error = refused(load, text)
    line = line_of(text, at)
    of_rule = f"rule '{rule}': " if rule else ""
    path = error.path
    assert path.name == "rules.yaml"
    assert str(error) == f"{path}: line {line}: {of_rule}{problem}. {NEXT}"
    assert (error.line, error.rule) == (line, rule)


@pytest.mark.parametrize(
    ("old", "new", "rule", "at", "field"),
    [
        ("game: toad-well", "game: 5", "", "game: 5", "game"),
        ("game: toad-well", "game: ''", "", "game: ''", "game"),
        ("game: toad-well", "game: [toad-well]", "", "game: [", "game"),
        ("type: cells", "type: cubes", "", "type: cubes", "inputs.toads_at.type"),
        ("    lasts: true", "    lasts: yes", "", "    lasts: yes", "inputs.players.lasts"),
        ("    lasts: true", "    lasts: 1", "", "    lasts: 1", "inputs.players.lasts"),
        ("    min: 1\n    max: 5\n", "    min: '1'\n    max: 5\n", "", "    min: '1'", "inputs.players.min"),
        ("    min: 1\n    max: 5\n", "    min: 1.0\n    max: 5\n", "", "    min: 1.0", "inputs.players.min"),
        ("    min: 1\n    max: 5\n", "    min: true\n    max: 5\n", "", "    min: true", "inputs.players.min"),
        ("length: [2, 3]", "length: [2]", "", "length: [2]\n", "inputs.dice.length"),
        ("length: [2, 3]", "length: [2, 3, 4]", "", "length: [2, 3, 4]", "inputs.dice.length"),
        ("says: [players]", "says: players", "", "says: players", "inputs.players.says"),
        ("      hops: [it hops]", "      Hops: [it hops]", "", "      Hops: [it hops]", "inputs.golden_hops.values"),
        ("  here:\n", "  'he re':\n", "", "    type: cell\n", "inputs.he re"),
        ("- id: toad.worth", "- id: worth", "worth", "- id: worth", "rules.3.id"),
        ("- id: toad.worth", "- id: Toad.worth", "Toad.worth", "- id: Toad.worth", "rules.3.id"),
        ("- id: toad.worth", "- id: 3", "3", "- id: 3", "rules.3.id"),
        ("derived: [0]", "derived: ['0']", "toad.hop", "derived: ['0']", "rules.4.steps.0.rows.0.derived.0"),
        ("derived: [0]", "derived: 0", "toad.hop", "derived: 0", "rules.4.steps.0.rows.0.derived"),
        ("of: [dice]", "of: dice", "well.splash", "        of: dice\n", "rules.7.steps.0.of"),
        ("given: {here: [0, 0]", "given: {here: {x: 0}", "well.depth", "{given: {here: {x: 0}", "rules.9.examples.0.given.here"),
        ("inputs: [dice]", "inputs: [Dice]", "well.splash", "inputs: [Dice]", "rules.7.inputs.0"),
    ],
)  # fmt: skip
def test_a_wrong_value_is_named_with_its_place(
    load: Callable[[str], Ruleset], old: str, new: str, rule: str, at: str, field: str
) -> None:
    text = changed(old, new)
    error = refused(load, text)
    assert f"a wrong value in '{field}" in error.sentence
    assert (error.path.name, error.rule) == ("rules.yaml", rule)
    assert error.line == line_of(text, at)
    assert str(error).endswith(f". {NEXT}")


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("game: toad-well", "game: 5", "'game': a text is needed"),
        ("type: cells", "type: cubes", "'inputs.toads_at.type': 'int', 'bool', 'enum', 'list', 'cell' or 'cells' is needed"),
        ("    lasts: true", "    lasts: yes", "'inputs.players.lasts': a truth value is needed"),
        ("length: [2, 3]", "length: [2]", "'inputs.dice.length': a list of at least 2 is needed"),
        ("length: [2, 3]", "length: [2, 3, 4]", "'inputs.dice.length': a list of at most 2 is needed"),
        ("      hops: [it hops]", "      Hops: [it hops]", "'inputs.golden_hops.values.Hops': a name of small letters, digits and _ is needed"),
        ("- id: toad.worth", "- id: worth", "'rules.3.id': an id such as ghoul.goal is needed"),
        ("of: [dice]", "of: dice", "'rules.7.steps.0.of': a list is needed"),
        ("if: players >= 2", "if: 2.5", "'rules.0.applies.0.if': a whole number, a truth value or a text is needed"),
        ("if: players >= 2", "if:", "'rules.0.applies.0.if': a value is needed"),
        ("if: uncapped > 8", "if:", "'rules.0.steps.2.rows.0.if': a value is needed"),
        ("    lasts: true", "    lasts: ~", "'inputs.players.lasts': a value is needed"),
        ("quote: No more than 8 Toads are ever needed.", "quote: [5]", "'rules.0.steps.2.rows.0.quote.0': a text is needed"),
        ("unit: [pip, pips]", "unit: [pip]", "'inputs.pips.unit': a text or a list of at least 2 is needed"),
        ("{given: {players: 1}, expect: undetermined}", "{given: {players: 1}, expect: nothing}", "'rules.0.examples.6.expect': 'undetermined' or a mapping is needed"),
    ],
)  # fmt: skip
def test_what_a_field_needs_is_said_in_the_words_of_the_format(
    load: Callable[[str], Ruleset], old: str, new: str, problem: str
) -> None:
    error = refused(load, changed(old, new))
    assert error.sentence.endswith(f"a wrong value in {problem}")


@pytest.mark.parametrize("text", ["", "- game\n", "toads\n", "5\n"])
def test_a_file_without_fields_is_no_mapping(load: Callable[[str], Ruleset], text: str) -> None:
    assert refused(load, text).sentence.endswith("line 1: the file is no mapping")


@pytest.mark.parametrize("word", ["any", "true", "false", "if", "and", "in"])
def test_words_of_the_expressions_are_no_names(load: Callable[[str], Ruleset], word: str) -> None:
    needed = "a name that is no word of the expressions is needed"
    texts = {
        f"inputs.{word}": f"{HEAD}inputs:\n  '{word}': {{type: bool, ask: x}}\n",
        f"inputs.moon.values.{word}": changed("blood: [blood, red]", f"'{word}': [blood]"),
        "rules.2.steps.0.name": changed("- name: begins", f"- name: '{word}'"),
    }
    for field, text in texts.items():
        error = refused(load, text)
        assert error.sentence.endswith(f"a wrong value in '{field}': {needed}")


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("title: What a Toad counts", 'title: "What \\e[31ma Toad"', "U+001B"),
        ("title: What a Toad counts", 'title: "What a \\u202eToad"', "U+202E"),
        ("ask: Is the Toad golden?", 'ask: "Is \\x9b31m it?"', "U+009B"),
    ],
)
def test_no_escape_brings_hidden_characters_into_a_text(
    load: Callable[[str], Ruleset], old: str, new: str, code: str
) -> None:
    text = changed(old, new)
    error = refused(load, text)
    assert (error.line, error.rule) == (line_of(text, new), "")
    assert error.sentence.endswith(f"the character {code}")


def test_a_file_about_another_game_is_refused(load: Callable[[str], Ruleset]) -> None:
    error = refused(load, f"# ours\n{changed('game: toad-well', 'game: toad-hill')}")
    assert error.sentence.endswith("line 2: game is 'toad-hill', not 'toad-well'")


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("inputs: {}\ngame: a\ngame: b\n", 3, "the key 'game' for a second time"),
        (f"{HEAD}inputs: &all {{}}\n", 2, "an anchor or alias"),
        (f"{HEAD}inputs: *all\n", 2, "an anchor or alias"),
        (
            f"{HEAD}rules: !!python/object/apply:os.system [echo]\n",
            2,
            "the tag 'tag:yaml.org,2002:python/object/apply:os.system'",
        ),
        (f"{HEAD}---\n{HEAD}", 2, "a second document"),
        (f"{HEAD}rules: [{'9' * 400}]\n", 2, "a number of 400 characters"),
        (f"{HEAD}rules: {'[' * 40}{']' * 40}\n", 2, "more than 30 levels"),
        (f"{HEAD}1: 2\n", 2, "the key 1 is no word"),
    ],
)
def test_what_is_no_plain_yaml_is_refused_with_its_line(
    load: Callable[[str], Ruleset], text: str, line: int, problem: str
) -> None:
    error = refused(load, text)
    assert str(error) == f"{error.path}: line {line}: {problem}. {NEXT}"


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("", 1),
        ("# nothing yet\n", 1),
        ("---\n", 2),
        ("null\n", 1),
        ("- game\n", 1),
        ("toads\n", 1),
        (f"{HEAD}rules: {{}}\n", 2),
        (f"{HEAD}rules: toads\n", 2),
        (f"{HEAD}rules:\n", 2),
        (f"{HEAD}\nrules:\n  - 5\n", 4),
        (f"{HEAD}\nrules:\n  - [toads]\n", 4),
        (f"{HEAD}inputs: []\n", 2),
        (f"{HEAD}inputs:\n  players: 5\n", 3),
        (f"{HEAD}inputs:\n  players:\n", 3),
        (f"{HEAD}rules: [1, 2\n", 3),
        (f"{HEAD}\trules: []\n", 2),
    ],
)
def test_a_file_of_another_shape_is_refused_with_its_line(
    load: Callable[[str], Ruleset], text: str, line: int
) -> None:
    error = refused(load, text)
    assert (error.line, error.rule) == (line, "")
    assert str(error).startswith(f"{error.path}: line {error.line}: ")
    assert str(error).endswith(f". {NEXT}")
    assert len(str(error).splitlines()) == 1


@pytest.mark.parametrize(
    ("raw", "line", "problem"),
    [
        (TOAD_RULES.encode("utf-16"), 1, "bytes that aren't UTF-8"),
        (b"game: toad-well\n# caf\xe9\n", 2, "bytes that aren't UTF-8"),
        (b"game: toad-well\n\n\n\xff\xff\xff", 4, "bytes that aren't UTF-8"),
        (b"\x7fELF\x02\x01\x01\x00\xc0\xff", 1, "bytes that aren't UTF-8"),
        (b"game: toad-well\nx: \xed\xa0\x80\n", 2, "bytes that aren't UTF-8"),
    ],
)
def test_another_encoding_is_refused_with_its_line(
    rulebook: Path, raw: bytes, line: int, problem: str
) -> None:
    path = rulebook.with_name("rules.yaml")
    path.write_bytes(raw)
    with pytest.raises(RuleFileError) as error:
        load_rules(read_rulebook(rulebook))
    assert str(error.value) == f"{path}: line {line}: {problem}. {NEXT}"


@pytest.mark.parametrize("raw", [b"game: toad\x00well\n", b"\x1b[31m\n", b"game: \x7f\n"])
def test_control_characters_are_refused(rulebook: Path, raw: bytes) -> None:
    rulebook.with_name("rules.yaml").write_bytes(raw)
    with pytest.raises(RuleFileError) as error:
        load_rules(read_rulebook(rulebook))
    assert "character" in error.value.sentence
    assert str(error.value).isprintable()


def test_a_file_that_is_too_large_is_refused_unread(rulebook: Path) -> None:
    path = rulebook.with_name("rules.yaml")
    with path.open("wb") as file:
        file.truncate(20_000_000_000)  # a hole: it takes no space
    with pytest.raises(CorpusError) as error:
        load_rules(read_rulebook(rulebook))
    assert error.value.sentence == f"{path}: it has more than 4,000,000 bytes"


def test_a_file_that_is_not_there_is_refused(rulebook: Path) -> None:
    with pytest.raises(CorpusError, match="No such file"):
        read_rules(rulebook.with_name("other.yaml"), read_rulebook(rulebook))


def test_a_folder_or_a_pipe_in_its_place_is_no_rule_file(rulebook: Path) -> None:
    path = rulebook.with_name("rules.yaml")
    path.mkdir()
    assert load_rules(read_rulebook(rulebook)).rules == {}
    path.rmdir()
    os.mkfifo(path)
    assert load_rules(read_rulebook(rulebook)).rules == {}


def test_a_file_cut_off_anywhere_loads_or_is_refused_with_a_line_of_it(
    load: Callable[[str], Ruleset],
) -> None:
    lines = TOAD_RULES.splitlines()
    for end in range(0, len(lines), 7):
        text = "\n".join(lines[:end])
        try:
            rules = load(text)
        except RuleFileError as error:
            assert 1 <= error.line <= end + 1
        else:
            assert list(rules.rules) == list(RULES[: len(rules.rules)])
            assert len(rules.problems) <= 1  # the rule that breaks off


def test_without_any_one_of_its_lines_it_loads_or_names_what_is_wrong(
    load: Callable[[str], Ruleset],
) -> None:
    lines = TOAD_RULES.splitlines()
    for left_out in range(0, len(lines), 5):
        rest = [*lines[:left_out], *lines[left_out + 1 :]]
        problems: tuple[CorpusError, ...]
        try:
            problems = load("\n".join(rest)).problems
        except RuleFileError as error:
            problems = (error,)
        for problem in problems:
            assert isinstance(problem, RuleFileError)
            assert 1 <= problem.line <= len(rest) + 1
            assert str(problem).endswith(f". {NEXT}")
