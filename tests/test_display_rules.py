"""How computed rules look: what the lines say, on a terminal of 60 columns and in a pipe."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from rich.console import Console
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.display import rules as display
from rulespal_chat.rules.engine import Engine
from rulespal_chat.rules.expressions import BOOL, INT, Type
from rulespal_chat.rules.model import Input, Output, Ruleset, Unit
from rulespal_chat.rules.results import Check, Claim, Computed, Outcome, Solution, Verdict
from rulespal_chat.types import Library

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rulespal_chat.display.rules import Line
    from rulespal_chat.rules.expressions import Value

TOADS = Unit("Toad", "Toads")
LEVEL = Type("enum", frozenset({"easy", "hard", "cards"}))
LEVELS = (("easy", ("Easy",)), ("hard", ("Terror Pony",)), ("cards", ("the level of the card",)))


@pytest.fixture
def engine(toad_rules: Ruleset) -> Engine:
    return Engine(Library((toad_rules.book,)))


def on_terminal(lines: Iterable[Line], width: int = 60) -> list[str]:
    """The lines as a terminal of this width has them, without the spaces that fill them up."""
    console = Console(width=width, highlight=False)
    with console.capture() as capture:
        console.print(display.drawn(lines))
    return [line.rstrip() for line in capture.get().splitlines()]


def styled(line: Line) -> str:
    console = Console(width=60, highlight=False, force_terminal=True, color_system="standard")
    with console.capture() as capture:
        console.print(display.drawn([line]))
    return capture.get()


# Lines


def test_a_line_that_wraps_keeps_to_the_right_of_its_mark() -> None:
    line = display.Line("one two three four", mark="?", indent=2)
    assert on_terminal([line], width=14) == ["  ? one two", "    three four"]


def test_in_a_pipe_a_line_is_not_wrapped_and_hints_are_left_out() -> None:
    lines = [
        display.Line("word " * 30 + "end", mark="-", indent=2),
        display.BLANK,
        display.Line("Try this.", display.Look.HINT),
    ]
    assert display.plain(lines) == "  - " + "word " * 30 + "end"
    assert on_terminal(lines)[-1] == "Try this."


def test_a_place_has_the_typed_separator_in_a_pipe_and_a_nice_one_on_a_terminal() -> None:
    line = display.Line("The Witch > Brew", display.Look.PLACE)
    assert display.plain([line]) == "The Witch > Brew"
    assert on_terminal([line]) == ["The Witch › Brew"]
    assert on_terminal([display.Line("5 > 3")]) == ["5 > 3"]


@pytest.mark.parametrize(
    ("look", "code"),
    [
        (display.Look.LEAD, "\x1b[1m"),
        (display.Look.DETAIL, "\x1b[2m"),
        (display.Look.PLACE, "\x1b[2m"),
        (display.Look.NOTE, "\x1b[33m"),
    ],
)
def test_what_a_line_is_decides_its_style(look: display.Look, code: str) -> None:
    assert styled(display.Line("A line.", look)) == f"{code}A line.\x1b[0m\n"


def test_ordinary_text_is_not_styled_and_never_read_as_markup() -> None:
    assert styled(display.Line("[bold]A line.[/bold]")) == "[bold]A line.[/bold]\n"


# What rules there are


def test_a_rule_is_listed_with_what_it_gives_and_needs(toad_rules: Ruleset) -> None:
    lines = display.plain(display.ruleset_lines([toad_rules])).splitlines()
    assert lines[:7] == [
        "Toad Quest: The Well  toad-well",
        "",
        "witch.goal Toads to win",
        "  The Witch > How to Win",
        "  gives toads_to_win: 5 to 8 Toads",
        "  needs players: 1 to 5",
        "  needs moon: new (standard), full, blood",
    ]


def test_a_game_without_rules_says_so(toad_rules: Ruleset) -> None:
    lines = display.plain(display.ruleset_lines([Ruleset(toad_rules.book)]))
    assert lines == "Toad Quest: The Well  toad-well\n\nNo rules that can be computed."


@pytest.mark.parametrize(
    ("name", "choices"),
    [
        ("players", "1 to 5"),
        ("dice_rolled", "2 to 3 dice"),
        ("moon", "new (standard), full, blood"),
        ("golden", "no, yes"),
        ("dice", "2 to 3 numbers of 1 to 6"),
        ("here", "a space as column and row, such as 2,1"),
        ("toads_at", "spaces as columns and rows, such as 2,1;3,4"),
    ],
)
def test_the_choices_of_an_input_can_be_typed(toad_rules: Ruleset, name: str, choices: str) -> None:
    assert display.choices(toad_rules.inputs[name]) == choices


def test_a_standard_number_or_truth_value_is_marked() -> None:
    gems = Input("gems", INT, "?", Unit("Gem", "Gems"), low=0, high=9, default=0)
    wall = Input("wall", BOOL, "?", default=False)
    assert display.choices(gems) == "0 to 9 (standard 0)"
    assert display.choices(wall) == "no (standard), yes"


@pytest.mark.parametrize(
    ("rule", "gives"),
    [
        ("witch.cards", "cards: 1 to 4"),
        ("witch.start", "begins: witch, toads"),
        ("well.splash", "splash: 2 to 18"),
        ("well.overflow", "overflows: yes or no"),
        ("well.storm", "toads_lost: a list of numbers"),
        ("toad.price", "price: coins"),
        ("box.pieces", "golden_in_box: golden Toads"),
    ],
)
def test_what_a_rule_gives_is_listed_with_its_bounds(
    toad_rules: Ruleset, rule: str, gives: str
) -> None:
    one = Ruleset(toad_rules.book, toad_rules.inputs, {rule: toad_rules.rules[rule]})
    assert f"  gives {gives}" in display.plain(display.ruleset_lines([one])).splitlines()


def test_an_output_without_bounds_and_unit_is_a_number(toad_rules: Ruleset) -> None:
    bare = replace(toad_rules.rules["well.splash"], outputs=(Output("splash", INT),))
    one = Ruleset(toad_rules.book, toad_rules.inputs, {bare.id: bare})
    assert "  gives splash: a number" in display.plain(display.ruleset_lines([one])).splitlines()


# Inputs in words


@pytest.mark.parametrize(
    ("given", "value", "words"),
    [
        (Input("players", INT, "?", Unit("player", "players")), 5, "5 players"),
        (Input("players", INT, "?", Unit("player", "players")), 1, "1 player"),
        (Input("gems", INT, "?", Unit("Dragon Gem", "Dragon Gems")), 1, "1 Dragon Gem"),
        (Input("isolation", INT, "?", Unit("ring", "rings")), 3, "isolation 3 rings"),
        (
            Input("monster_strength", INT, "?", Unit("strength", "strength")),
            4,
            "monster strength 4",
        ),
        (Input("influence", INT, "?"), 2, "influence 2"),
        (Input("wall", BOOL, "?"), True, "wall: yes"),
        (Input("wall", BOOL, "?", default=False), False, "wall: no"),
        (
            Input("ghoul_level", LEVEL, "?", default="easy", values=LEVELS),
            "easy",
            "Easy ghoul level",
        ),
        (Input("level", LEVEL, "?", default="easy", values=LEVELS), "hard", "Terror Pony level"),
        (
            Input("level", LEVEL, "?", default="easy", values=LEVELS),
            "cards",
            "level: the level of the card",
        ),
        (Input("target", LEVEL, "?", values=LEVELS), "easy", "target: Easy"),
        (Input("dice", Type("list"), "?"), (4, 5, 6), "dice: 4, 5 and 6"),
        (Input("here", Type("cell"), "?"), (2, 1), "here: 2 and 1"),
    ],
)
def test_what_is_known_of_an_input_is_said_in_words(given: Input, value: Value, words: str) -> None:
    assert display.said(given, value) == words


@pytest.mark.parametrize(
    ("given", "example"),
    [
        (Input("players", INT, "?", low=1, high=5), "5"),
        (Input("wall", BOOL, "?"), "yes"),
        (Input("level", LEVEL, "?", values=LEVELS), "cards"),
        (Input("dice", Type("list"), "?", high=6, length=(2, 3)), "6,6"),
        (Input("here", Type("cell"), "?"), "2,1"),
        (Input("toads_at", Type("cells"), "?"), "2,1;3,4"),
    ],
)
def test_an_example_of_an_input_can_be_typed(given: Input, example: str) -> None:
    assert display.example_of(given) == example


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ((5,), "5 Toads"),
        ((1,), "1 Toad"),
        ((5, 6, 7, 8), "5 to 8 Toads"),
        ((0, 2), "0 or 2 Toads"),
        ((1, 3, 9), "1, 3 or 9 Toads"),
        (tuple(range(0, 30, 2)), "some of 0 to 28 Toads"),
    ],
)
def test_possible_numbers_are_a_span_or_a_list(values: tuple[Value, ...], words: str) -> None:
    assert display.possibly(values, Output("goal", INT, TOADS)) == words


def test_possible_words_are_listed() -> None:
    assert display.possibly((False, True), Output("draws", BOOL)) == "no or yes"
    level = Output("level", LEVEL, values=LEVELS)
    assert display.possibly(("easy", "hard"), level) == "Easy or Terror Pony"


def test_many_possible_lists_are_cut_short() -> None:
    lists = tuple((n, n) for n in range(13))
    words = display.possibly(lists, Output("lost", Type("list")))
    assert words.startswith("0 and 0, 1 and 1, ")
    assert words.endswith("11 and 11, …")


# Results


def test_a_result_leads_and_its_steps_follow_with_their_quotes(
    engine: Engine, toad_rules: Ruleset
) -> None:
    computed = engine.compute("witch.goal", {"players": 5, "moon": "full"})
    lines = list(display.computed_lines(toad_rules, toad_rules.rules["witch.goal"], computed, ""))
    assert on_terminal(lines) == [
        "8 Toads: 4 + 5 players would be 9, and 8 is the most.",
        "",
        "- toads of the moon: 4",
        "  Moon: Full; Toads: 4",
        "  The Witch › Difficulty",
        "- uncapped: 4 + 5 = 9",
        "  The Witch needs the Toads of the Moon and 1 for each",
        "  player.",
        "  The Witch › How to Win",
        "- toads to win: 8",
        "  No more than 8 Toads are ever needed.",
        "  The Witch › How to Win",
        "",
        "The Witch may not brew golden Toads.",
        "The Witch › How to Win",
        "",
        "Unclear: The book does not say whether a borrowed Toad",
        "counts.",
        "The Witch › How to Win",
    ]
    looks = {line.text: line.look for line in lines}
    assert looks["8 Toads: 4 + 5 players would be 9, and 8 is the most."] is display.Look.LEAD
    assert looks["No more than 8 Toads are ever needed."] is display.Look.DETAIL
    assert looks["The Witch > Difficulty"] is display.Look.PLACE
    unclear = "Unclear: The book does not say whether a borrowed Toad counts."
    assert looks[unclear] is display.Look.NOTE


def test_what_was_assumed_is_named(engine: Engine, toad_rules: Ruleset) -> None:
    computed = engine.compute("witch.goal", {"players": 2})
    lines = display.computed_lines(toad_rules, toad_rules.rules["witch.goal"], computed, "")
    assert "assumed: new moon" in display.plain(lines).splitlines()
    given = engine.compute("witch.goal", {"players": 2, "moon": "new"})
    lines = display.computed_lines(toad_rules, toad_rules.rules["witch.goal"], given, "")
    assert "assumed" not in display.plain(lines)


def test_several_quotes_of_a_section_name_it_once(engine: Engine, toad_rules: Ruleset) -> None:
    computed = engine.compute("witch.cards", {"players": 1, "moon": "full"})
    lines = display.computed_lines(toad_rules, toad_rules.rules["witch.cards"], computed, "")
    assert display.plain(lines).splitlines()[-4:] == [
        "  Players: 1; Cards: 4",
        "  Players: 2-3; Cards: 3",
        "  Players: 4 or more; Cards: 2",
        "  The Witch > Brew",
    ]


def test_a_missing_input_is_asked_for_with_the_command_to_type(
    engine: Engine, toad_rules: Ruleset
) -> None:
    computed = engine.compute("witch.goal", {})
    rule = toad_rules.rules["witch.goal"]
    lines = display.computed_lines(toad_rules, rule, computed, "rulespal compute witch.goal")
    assert display.plain(lines).splitlines()[:8] == [
        "It depends on players.",
        "",
        "? How many players are there?",
        "  players: 1 to 5",
        "",
        "possible: 5 to 8 Toads",
        "",
        "Next: rulespal compute witch.goal players=5",
    ]


def test_an_example_that_a_shell_would_split_is_quoted(engine: Engine, toad_rules: Ruleset) -> None:
    computed = engine.compute("well.depth", {"here": (0, 0)})
    lines = display.computed_lines(toad_rules, toad_rules.rules["well.depth"], computed, "do")
    assert display.plain(lines).splitlines()[-1] == 'Next: do toads_at="2,1;3,4"'


def test_a_value_that_the_book_leaves_open_has_the_reason_and_the_section(
    engine: Engine, toad_rules: Ruleset
) -> None:
    computed = engine.compute("toad.night", {})
    lines = display.computed_lines(toad_rules, toad_rules.rules["toad.night"], computed, "")
    assert display.plain(lines) == "The book doesn't say: it depends on the scenario.\nToads"


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        (
            {"players": 1},
            ["The rule doesn't hold here.", "This goal is for games of 2 or more players."],
        ),
        (
            {"players": 5, "moon": "blood"},
            ["That can't be so.", "With 5 players there is no blood Moon."],
        ),
        (
            {"players": 9},
            ["That can't be so: players is 1 to 5.", "Toad Quest is for 1 to 5 players."],
        ),
    ],
)
def test_a_state_that_cannot_be_has_the_statement_against_it(
    engine: Engine, toad_rules: Ruleset, state: dict[str, Value], lines: list[str]
) -> None:
    computed = engine.compute("witch.goal", state)
    rule = toad_rules.rules["witch.goal"]
    text = display.plain(display.computed_lines(toad_rules, rule, computed, ""))
    assert text.splitlines()[:2] == lines


def test_other_outputs_are_hinted_at_on_a_terminal_only(
    engine: Engine, toad_rules: Ruleset
) -> None:
    computed = engine.compute("box.pieces", {})
    lines = list(display.computed_lines(toad_rules, toad_rules.rules["box.pieces"], computed, ""))
    assert display.plain(lines).splitlines() == [
        "12 Toads.",
        "",
        "- toads in box: 12",
        "  There are 12 Toads in the box.",
        "  Setup",
    ]
    assert on_terminal(lines)[-1] == "With --output it also gives wells_in_box and golden_in_box."


def test_a_table_has_a_row_for_each_value(engine: Engine, toad_rules: Ruleset) -> None:
    rows = engine.table("witch.goal", {"players": 5}, "moon")
    output = toad_rules.rules["witch.goal"].outputs[0]
    lines = list(display.table_lines(toad_rules, "moon", output, rows))
    assert display.plain(lines).splitlines() == [
        "moon   toads to win",
        "new    8 Toads: 3 for the new Moon + 5 players.",
        "full   8 Toads: 4 + 5 players would be 9, and 8 is the most.",
        "blood  - With 5 players there is no blood Moon.",
    ]
    assert on_terminal(lines, width=40)[3:5] == [
        "full   8 Toads: 4 + 5 players would be",
        "       9, and 8 is the most.",
    ]


def test_a_table_names_what_its_rows_assume(engine: Engine, toad_rules: Ruleset) -> None:
    rows = engine.table("witch.goal", {}, "players")
    output = toad_rules.rules["witch.goal"].outputs[0]
    lines = display.plain(display.table_lines(toad_rules, "players", output, rows)).splitlines()
    assert lines[1] == "1        - This goal is for games of 2 or more players."
    assert lines[2] == "2        5 Toads: 3 for the new Moon + 2 players."
    assert lines[-2:] == ["", "assumed: new moon"]


# Solutions


def test_every_state_that_gives_a_value_is_a_line(engine: Engine, toad_rules: Ruleset) -> None:
    rule = toad_rules.rules["witch.goal"]
    solution = engine.solve("witch.goal", {}, Claim("toads_to_win", "==", 8))
    assert display.plain(display.solution_lines(toad_rules, rule, solution, ())).splitlines() == [
        "Yes: 8 Toads with",
        "  - new moon · 5 players",
        "  - full moon · 4 players",
        "  - full moon · 5 players",
        "  - blood moon · 3 players",
        "  - blood moon · 4 players",
    ]


@pytest.mark.parametrize(
    ("state", "lines"),
    [
        ({"moon": "new"}, ["Yes: 8 Toads, given new moon, with", "  - 5 players"]),
        ({"moon": "new", "players": 5}, ["Yes: 8 Toads, given new moon · 5 players."]),
        ({"moon": "new", "players": 4}, ["No: 8 Toads can't be, given new moon · 4 players."]),
    ],
)
def test_what_was_given_is_said_with_a_solution(
    engine: Engine, toad_rules: Ruleset, state: dict[str, Value], lines: list[str]
) -> None:
    solution = engine.solve("witch.goal", state, Claim("toads_to_win", "==", 8))
    rule = toad_rules.rules["witch.goal"]
    text = display.plain(display.solution_lines(toad_rules, rule, solution, tuple(state.items())))
    assert text.splitlines()[: len(lines)] == lines


def test_what_cannot_be_has_the_sentences_that_forbid_it(
    engine: Engine, toad_rules: Ruleset
) -> None:
    solution = engine.solve("box.pieces", {}, Claim("toads_in_box", "==", 13))
    rule = toad_rules.rules["box.pieces"]
    assert display.plain(display.solution_lines(toad_rules, rule, solution, ())) == (
        "No: 13 Toads can't be.\nThere are 12 Toads in the box.\nSetup"
    )


def test_a_word_is_solved_for_with_its_name(engine: Engine, toad_rules: Ruleset) -> None:
    solution = engine.solve("witch.start", {}, Claim("begins", "==", "toads"))
    rule = toad_rules.rules["witch.start"]
    assert display.plain(display.solution_lines(toad_rules, rule, solution, ())).splitlines() == [
        "Yes: begins the Toads with",
        "  - full moon",
        "  - blood moon",
    ]


def test_a_list_of_states_that_was_cut_short_says_so(toad_rules: Ruleset) -> None:
    claim = Claim("toads_to_win", "==", 8)
    solution = Solution(claim, ((("players", 5),),), is_complete=False)
    lines = display.solution_lines(toad_rules, toad_rules.rules["witch.goal"], solution, ())
    assert display.plain(lines).splitlines()[-1] == "There may be more."


@pytest.mark.parametrize(
    ("claim", "output", "words"),
    [
        (Claim("goal", "==", 12), Output("goal", INT, TOADS), "12 Toads"),
        (Claim("goal", ">=", 1), Output("goal", INT, TOADS), "at least 1 Toad"),
        (Claim("goal", "!=", 2), Output("goal", INT, TOADS), "not 2 Toads"),
        (Claim("splash", "<=", 7), Output("splash", INT), "splash at most 7"),
        (Claim("level", "==", "hard"), Output("level", LEVEL, values=LEVELS), "Terror Pony"),
        (Claim("draws", "==", True), Output("draws", BOOL, yes="you draw", no="none"), "you draw"),
        (Claim("draws", "==", False), Output("draws", BOOL, yes="you draw", no="none"), "none"),
        (Claim("draws", "!=", True), Output("draws", BOOL, yes="you draw", no="none"), "none"),
        (Claim("lost", "==", (2, 2)), Output("lost", Type("list"), TOADS), "2 and 2 Toads"),
    ],
)
def test_a_claim_is_said_in_words_with_its_unit(claim: Claim, output: Output, words: str) -> None:
    assert display.claimed(claim, output) == words


# Verdicts


def verdict(
    engine: Engine, rules: Ruleset, rule: str, state: dict[str, Value], claim: Claim
) -> list[str]:
    checked = engine.check(rule, state, claim)
    return display.plain(display.check_lines(rules, [checked], name_rules=False)).splitlines()


def test_agreement_is_one_line(engine: Engine, toad_rules: Ruleset) -> None:
    claim = Claim("toads_to_win", "==", 8)
    state: dict[str, Value] = {"players": 5, "moon": "new"}
    assert verdict(engine, toad_rules, "witch.goal", state, claim) == ["✓ agrees: 8 Toads"]


def test_agreement_on_an_assumption_names_it(engine: Engine, toad_rules: Ruleset) -> None:
    claim = Claim("toads_to_win", "==", 8)
    assert verdict(engine, toad_rules, "witch.goal", {"players": 5}, claim) == [
        "✓ agrees: 8 Toads",
        "  assumed: new moon",
    ]


def test_a_contradiction_has_the_right_value_the_sentences_and_the_nearest_state(
    engine: Engine, toad_rules: Ruleset
) -> None:
    claim = Claim("toads_to_win", "==", 8)
    assert verdict(engine, toad_rules, "witch.goal", {"players": 4}, claim) == [
        "✗ the rules give 7 Toads: 3 for the new Moon + 4 players",
        "  Moon: New; Toads: 3",
        "  The Witch > Difficulty",
        "  The Witch needs the Toads of the Moon and 1 for each player.",
        "  The Witch > How to Win",
        "  8 Toads would be right with full moon",
        "  assumed: new moon",
    ]


def test_a_contradicted_yes_or_no_is_said_as_one(engine: Engine, toad_rules: Ruleset) -> None:
    state: dict[str, Value] = {"pips": 10, "dice_rolled": 2}
    lines = verdict(engine, toad_rules, "well.overflow", state, Claim("overflows", "==", False))
    assert lines[0] == "✗ the rules say yes, the Well overflows: 10 pips ≥ 10"
    assert lines[-1] == "  'no' would be right with 9 pips"
    lines = verdict(engine, toad_rules, "witch.start", {}, Claim("begins", "==", "toads"))
    assert lines[0] == "✗ the rules give the Witch"
    assert "  the Toads would be right with full moon" in lines


def test_a_contradiction_that_no_state_mends_has_the_claim(
    engine: Engine, toad_rules: Ruleset
) -> None:
    claim = Claim("toads_in_box", "==", 13)
    assert verdict(engine, toad_rules, "box.pieces", {}, claim) == [
        "✗ the rules give 12 Toads",
        "  There are 12 Toads in the box.",
        "  Setup",
        "  claimed: 13 Toads",
    ]


def test_a_claim_that_can_never_be_true_has_the_values_that_can(
    engine: Engine, toad_rules: Ruleset
) -> None:
    lines = verdict(engine, toad_rules, "witch.goal", {}, Claim("toads_to_win", ">", 8))
    assert lines[0] == "✗ the rules give 5 to 8 Toads"
    assert "  claimed: more than 8 Toads" in lines


def test_a_claim_that_is_excluded_without_any_value_says_so(toad_rules: Ruleset) -> None:
    right = Computed("toad-well", "witch.goal", "toads_to_win", Outcome.UNDETERMINED)
    check = Check(Claim("toads_to_win", "==", 15), Verdict.CONTRADICTS, right)
    lines = display.plain(display.check_lines(toad_rules, [check], name_rules=False))
    assert lines.splitlines()[0] == "✗ the rules exclude 15 Toads"


def test_a_claim_that_needs_more_asks_for_it(engine: Engine, toad_rules: Ruleset) -> None:
    assert verdict(engine, toad_rules, "witch.goal", {}, Claim("toads_to_win", "==", 6)) == [
        "? needs: players",
        "  claimed: 6 Toads",
        "  How many players are there?",
        "  players: 1 to 5",
        "  assumed: new moon",
    ]


def test_a_claim_on_what_the_book_leaves_open_has_the_reason(
    engine: Engine, toad_rules: Ruleset
) -> None:
    claim = Claim("price", "==", 3)
    assert verdict(engine, toad_rules, "toad.price", {}, claim) == [
        "? open: the price of a potion stands on its card",
        "  claimed: 3 coins",
    ]


def test_a_claim_that_could_not_be_proved_in_time_says_so(toad_rules: Ruleset) -> None:
    right = Computed("toad-well", "box.pieces", "toads_in_box", Outcome.DETERMINED, value=12)
    check = Check(Claim("toads_in_box", "==", 12), Verdict.UNDETERMINED, right)
    lines = display.plain(display.check_lines(toad_rules, [check], name_rules=False))
    assert lines.splitlines()[0] == "? open: it takes too long to prove"


def test_a_claim_about_a_state_that_cannot_be_is_not_judged(
    engine: Engine, toad_rules: Ruleset
) -> None:
    claim = Claim("toads_to_win", "==", 6)
    state: dict[str, Value] = {"players": 5, "moon": "blood"}
    assert verdict(engine, toad_rules, "witch.goal", {"players": 1}, claim)[:2] == [
        "? the rule doesn't hold here",
        "  This goal is for games of 2 or more players.",
    ]
    assert verdict(engine, toad_rules, "witch.goal", state, claim)[:2] == [
        "? what is given can't be",
        "  With 5 players there is no blood Moon.",
    ]
    assert verdict(engine, toad_rules, "witch.goal", {"players": 9}, claim)[:3] == [
        "? what is given can't be",
        "  players is 1 to 5",
        "  Toad Quest is for 1 to 5 players.",
    ]


def test_several_verdicts_stand_apart_and_name_their_rules(
    engine: Engine, toad_rules: Ruleset
) -> None:
    checks = [
        engine.check("box.pieces", {}, Claim("toads_in_box", "==", 12)),
        engine.check("toad.worth", {"golden": True}, Claim("worth", "==", 2)),
    ]
    lines = display.check_lines(toad_rules, checks, name_rules=True)
    assert display.plain(lines).splitlines() == [
        "✓ agrees: 12 Toads",
        "  by box.pieces: What is in the box",
        "",
        "✓ agrees: 2 Toads",
        "  by toad.worth: What a Toad counts",
    ]


def test_each_verdict_has_a_colour_of_its_own(engine: Engine, toad_rules: Ruleset) -> None:
    signs = {}
    for value in (12, 13):
        check = engine.check("box.pieces", {}, Claim("toads_in_box", "==", value))
        first = next(iter(display.check_lines(toad_rules, [check], name_rules=False)))
        signs[first.mark] = first.mark_style
    assert signs == {"✓": "green", "✗": "red"}


def test_a_sentence_without_a_claim_names_the_list_of_rules(toad_rules: Ruleset) -> None:
    assert display.plain(display.no_claim_lines(toad_rules)) == (
        "The sentence claims nothing that a rule gives.\nNext: rulespal rules toad-well"
    )
