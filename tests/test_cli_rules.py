"""`rulespal rules`, `compute`, `solve` and `check` as their users meet them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pexpect
import pytest
from conftest import Result
from toad_rules import TOAD_RULES, TOAD_WELL

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Result]
    AddBook = Callable[[str, str | bytes], Path]

QUIET = """\
---
id: quiet-game
title: Quiet Game
kind: game
---

# Quiet Game

## Setup

- Sit down.
"""


@pytest.fixture
def rule_file(add_book: AddBook) -> Path:
    """The rule file of the toad book, which is in the library."""
    path = add_book("toad-well", TOAD_WELL).with_name("rules.yaml")
    path.write_text(TOAD_RULES, encoding="utf-8")
    return path


@pytest.fixture(autouse=True)
def toads_alone(rule_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A library of this one book; other processes have the packaged ones as well."""
    assert rule_file.exists()
    monkeypatch.setattr("rulespal_chat.corpus.library.packaged_corpus", lambda: tmp_path / "none")
    monkeypatch.delenv("RULESPAL_GAME", raising=False)


def on_terminal(*arguments: str) -> str:
    """What `rulespal` draws on a terminal of 60 columns, without the spaces that fill it up."""
    child = pexpect.spawn(
        sys.executable,
        ["-m", "rulespal_chat", *arguments],
        env=os.environ | {"TERM": "xterm-256color", "PAGER": "cat"},
        dimensions=(60, 60),
        encoding="utf-8",
    )
    child.expect(pexpect.EOF)
    return re.sub(" +\r?\n", "\n", (child.before or "").replace("\r\n", "\n"))


def unstyled(text: str) -> str:
    return "\n".join(line.rstrip() for line in re.sub(r"\x1b\[[0-9;]*m", "", text).split("\n"))


# rules


def test_rules_lists_each_rule_with_what_it_gives_and_needs(rulespal: Run) -> None:
    result = rulespal("rules", "toad")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith(
        """\
Toad Quest: The Well  toad-well

witch.goal Toads to win
  The Witch > How to Win
  gives toads_to_win: 5 to 8 Toads
  needs players: 1 to 5
  needs moon: new (standard), full, blood

witch.cards Cards to draw
"""
    )
    assert rulespal("rules").out == result.out


def test_rules_lists_games_without_any(rulespal: Run, add_book: AddBook) -> None:
    add_book("quiet-game", QUIET)
    expected = "Quiet Game  quiet-game\n\nNo rules that can be computed.\n"
    assert rulespal("rules", "quiet").out == expected
    assert rulespal("rules").out.startswith(expected)


def test_rules_names_each_rule_that_is_left_out(rulespal: Run, rule_file: Path) -> None:
    rule_file.write_text(TOAD_RULES.replace("A Toad hops 2 spaces.", "A Toad hops 3 spaces."))
    result = rulespal("rules", "toad")
    assert result.code == 0
    assert "toad.worth" in result.out
    assert "toad.hop" not in result.out
    assert result.err.startswith(f"rulespal: {rule_file}: line ")
    assert "rule 'toad.hop'" in result.err
    assert json.loads(rulespal("rules", "toad", "--json").out)["problems"] == [
        result.err.removeprefix("rulespal: ").rstrip("\n")
    ]


def test_rules_in_json_have_all_that_a_form_would_need(rulespal: Run) -> None:
    listed = json.loads(rulespal("rules", "toad", "--json").out)
    assert (listed["schema"], listed["problems"]) == (1, [])
    (game,) = listed["games"]
    assert (game["id"], game["title"]) == ("toad-well", "Toad Quest: The Well")
    rules = {rule["id"]: rule for rule in game["rules"]}
    assert rules["witch.goal"] == {
        "id": "witch.goal",
        "title": "Toads to win",
        "section": "The Witch > How to Win",
        "outputs": [
            {
                "name": "toads_to_win",
                "type": "int",
                "unit": "Toads",
                "min": 5,
                "max": 8,
                "values": {},
            }
        ],
        "inputs": [
            {
                "name": "players",
                "type": "int",
                "unit": "players",
                "min": 1,
                "max": 5,
                "length": None,
                "values": {},
                "default": None,
                "ask": "How many players are there?",
            },
            {
                "name": "moon",
                "type": "enum",
                "unit": None,
                "min": None,
                "max": None,
                "length": None,
                "values": {"new": ["new", "dark"], "full": ["full"], "blood": ["blood", "red"]},
                "default": "new",
                "ask": "Which Moon is it?",
            },
        ],
    }
    (dice,) = rules["well.splash"]["inputs"]
    assert (dice["type"], dice["min"], dice["max"], dice["length"]) == ("list", 1, 6, [2, 3])
    (price, _) = rules["toad.price"]["outputs"]
    assert (price["min"], price["max"]) == (None, None)
    (begins,) = rules["witch.start"]["outputs"]
    assert begins["values"] == {"witch": ["the Witch"], "toads": ["the Toads"]}


# compute


def test_compute_shows_the_sentence_and_each_step_with_its_quote(rulespal: Run) -> None:
    assert rulespal("compute", "witch.goal", "players=5", "moon=full") == Result(
        0,
        """\
8 Toads: 4 + 5 players would be 9, and 8 is the most.

- toads of the moon: 4
  Moon: Full; Toads: 4
  The Witch > Difficulty
- uncapped: 4 + 5 = 9
  The Witch needs the Toads of the Moon and 1 for each player.
  The Witch > How to Win
- toads to win: 8
  No more than 8 Toads are ever needed.
  The Witch > How to Win

The Witch may not brew golden Toads.
The Witch > How to Win

Unclear: The book does not say whether a borrowed Toad counts.
The Witch > How to Win
""",
        "",
    )


@pytest.mark.parametrize(
    ("arguments", "lead"),
    [
        (["witch.goal", "players=2"], "5 Toads: 3 for the new Moon + 2 players."),
        (["witch.goal", "players=3", "moon=Red"], "8 Toads: 5 for the blood Moon + 3 players."),
        (["witch.goal", "Players = 2", "moon = dark"], "5 Toads: 3 for the new Moon + 2 players."),
        (["box.pieces"], "12 Toads."),
        (["box.pieces", "--output", "wells_in_box"], "2 Wells."),
        (["well.splash", "dice=6,6,6"], "18: 6 + 6 + 6 = 18."),
        (["well.overflow", "dice=5,5"], "Yes, the Well overflows: 10 pips ≥ 10."),
        (
            ["well.overflow", "pips=9", "dice-rolled=2"],
            "No, the Well does not overflow: 9 pips < 10.",
        ),
        (["toad.worth", "golden=yes"], "2 Toads."),
    ],
)
def test_compute_leads_with_the_value(rulespal: Run, arguments: list[str], lead: str) -> None:
    result = rulespal("compute", *arguments)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[0] == lead


def test_compute_names_what_it_assumes(rulespal: Run) -> None:
    assert "\nassumed: new moon\n" in rulespal("compute", "witch.goal", "players=2").out
    assert "assumed" not in rulespal("compute", "witch.goal", "players=2", "moon=new").out


def test_compute_asks_for_what_is_missing_and_repeats_what_was_typed(rulespal: Run) -> None:
    result = rulespal("compute", "toad.hop", "--output", "spaces", "golden=yes")
    assert (result.code, result.err) == (3, "")
    assert result.out.splitlines()[:8] == [
        "It depends on golden hops.",
        "",
        "? Does a golden Toad hop?",
        "  golden_hops: hops, stays",
        "",
        "possible: 0 or 2 spaces",
        "",
        "Next: rulespal compute toad.hop --output spaces golden=yes golden_hops=stays",
    ]


def test_the_next_command_of_a_question_back_gives_a_value(rulespal: Run) -> None:
    asked = rulespal("compute", "witch.goal", "moon=full").out
    command = next(line for line in asked.splitlines() if line.startswith("Next: rulespal "))
    result = rulespal(*command.removeprefix("Next: rulespal ").split())
    assert result.code == 0
    assert result.out.startswith("8 Toads: ")


@pytest.mark.parametrize(
    ("arguments", "lead"),
    [
        (["toad.night"], "The book doesn't say: it depends on the scenario."),
        (["toad.price"], "The book doesn't say: the price of a potion stands on its card."),
        (["witch.goal", "players=1"], "The rule doesn't hold here."),
        (["witch.goal", "players=5", "moon=blood"], "That can't be so."),
    ],
)
def test_compute_without_a_value_ends_with_3(
    rulespal: Run, arguments: list[str], lead: str
) -> None:
    result = rulespal("compute", *arguments)
    assert (result.code, result.err) == (3, "")
    assert result.out.splitlines()[0] == lead


def test_compute_in_json(rulespal: Run) -> None:
    result = rulespal("compute", "witch.goal", "players=2", "--json")
    assert result.code == 0
    assert json.loads(result.out) == {
        "schema": 1,
        "game": "toad-well",
        "rule": "witch.goal",
        "output": "toads_to_win",
        "outcome": "determined",
        "value": 5,
        "unit": "Toads",
        "inputs": {"players": 2},
        "assumed": {"moon": "new"},
        "missing": [],
        "possible": None,
        "derivation": json.loads(result.out)["derivation"],
        "reason": None,
        "sentence": "5 Toads: 3 for the new Moon + 2 players.",
        "ask": [],
        "refused_by": [],
        "also": [
            {
                "section": "The Witch > How to Win",
                "quote": "The Witch may not brew golden Toads.",
            }
        ],
        "unclear": [
            {
                "section": "The Witch > How to Win",
                "quote": "Unclear: The book does not say whether a borrowed Toad counts.",
            }
        ],
    }
    assert json.loads(result.out)["derivation"][1] == {
        "name": "uncapped",
        "step": "3 + 2 = 5",
        "section": "The Witch > How to Win",
        "quote": "The Witch needs the Toads of the Moon and 1 for each player.",
    }


def test_compute_in_json_asks_as_well(rulespal: Run) -> None:
    result = rulespal("compute", "witch.goal", "--json")
    asked = json.loads(result.out)
    assert result.code == 3
    assert (asked["outcome"], asked["value"]) == ("undetermined", None)
    assert asked["missing"] == ["players"]
    assert asked["ask"] == ["How many players are there?"]
    assert asked["possible"] == [5, 6, 7, 8]
    refused = json.loads(rulespal("compute", "witch.goal", "players=1", "--json").out)
    assert refused["outcome"] == "not_applicable"
    assert [quote["quote"] for quote in refused["refused_by"]] == [
        "This goal is for games of 2 or more players."
    ]


def test_a_table_has_a_row_for_each_value(rulespal: Run) -> None:
    assert rulespal("compute", "witch.goal", "--table", "players") == Result(
        0,
        """\
players  toads to win
1        - This goal is for games of 2 or more players.
2        5 Toads: 3 for the new Moon + 2 players.
3        6 Toads: 3 for the new Moon + 3 players.
4        7 Toads: 3 for the new Moon + 4 players.
5        8 Toads: 3 for the new Moon + 5 players.

assumed: new moon
""",
        "",
    )


def test_a_table_of_another_output_in_json(rulespal: Run) -> None:
    result = rulespal(
        "compute", "toad.price", "--table", "golden", "--output", "double_price", "--json"
    )
    table = json.loads(result.out)
    assert result.code == 0
    assert (table["game"], table["rule"], table["over"]) == ("toad-well", "toad.price", "golden")
    assert [(row["at"], row["output"], row["value"]) for row in table["rows"]] == [
        (False, "double_price", 1),
        (True, "double_price", None),
    ]


def test_a_table_without_any_value_ends_with_3(rulespal: Run) -> None:
    result = rulespal("compute", "witch.goal", "--table", "moon")
    assert result.code == 3
    assert result.out.splitlines()[1] == "new    - it depends on players"


# solve


def test_solve_lists_all_that_gives_a_value(rulespal: Run) -> None:
    assert rulespal("solve", "witch.goal", "toads_to_win=8") == Result(
        0,
        """\
Yes: 8 Toads with
  - new moon · 5 players
  - full moon · 4 players
  - full moon · 5 players
  - blood moon · 3 players
  - blood moon · 4 players
""",
        "",
    )


@pytest.mark.parametrize(
    ("arguments", "lines"),
    [
        (
            ["witch.goal", "toads_to_win=8", "moon=new"],
            ["Yes: 8 Toads, given new moon, with", "  - 5 players"],
        ),
        (
            ["witch.goal", "moon=new", "Toads-to-win = 8"],
            ["Yes: 8 Toads, given new moon, with", "  - 5 players"],
        ),
        (
            ["witch.goal", "toads_to_win=8", "moon=new", "players=5"],
            ["Yes: 8 Toads, given new moon · 5 players."],
        ),
        (
            ["witch.start", "begins=the Toads"],
            ["Yes: begins the Toads with", "  - full moon", "  - blood moon"],
        ),
        (
            ["well.overflow", "overflows=no", "dice_rolled=2"],
            ["Yes: the Well does not overflow, given dice rolled 2, with", "  - 2 pips"],
        ),
        (
            ["box.pieces", "toads_in_box=13"],
            ["No: 13 Toads can't be.", "There are 12 Toads in the box.", "Setup"],
        ),
        (["box.pieces", "wells_in_box=2"], ["Yes: 2 Wells."]),
        (["well.splash", "splash=7", "dice=3,4"], ["Yes: splash 7, given dice: 3 and 4."]),
    ],
)
def test_solve_answers_yes_or_no(rulespal: Run, arguments: list[str], lines: list[str]) -> None:
    result = rulespal("solve", *arguments)
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[: len(lines)] == lines


def test_solve_names_the_sentences_that_forbid_a_value(rulespal: Run) -> None:
    result = rulespal("solve", "witch.goal", "toads_to_win=9")
    assert (result.code, result.err) == (0, "")
    assert result.out.startswith("No: 9 Toads can't be.\n")
    assert "No more than 8 Toads are ever needed.\n" in result.out


def test_solve_in_json(rulespal: Run) -> None:
    assert json.loads(
        rulespal("solve", "witch.goal", "toads_to_win=8", "moon=new", "--json").out
    ) == {
        "schema": 1,
        "game": "toad-well",
        "rule": "witch.goal",
        "given": {"moon": "new"},
        "output": "toads_to_win",
        "claim": "== 8",
        "states": [{"players": 5}],
        "forbidden_by": [],
        "complete": True,
        "missing": [],
        "reason": None,
    }
    result = rulespal("solve", "well.splash", "splash=8", "--json")
    open_ = json.loads(result.out)
    assert result.code == 3
    assert (open_["states"], open_["complete"]) == ([], False)
    assert (open_["missing"], open_["reason"]) == (["dice"], "it depends on dice")


@pytest.mark.parametrize(
    ("arguments", "lead"),
    [
        (["well.splash", "splash=7"], "It depends on dice."),
        (["toad.night", "nights=3"], "The book doesn't say: it depends on the scenario."),
        (["witch.goal", "toads_to_win=5", "players=1"], "The rule doesn't hold here."),
        (["witch.goal", "toads_to_win=8", "players=5", "moon=red"], "That can't be so."),
    ],
)
def test_solve_without_a_result_ends_with_3(rulespal: Run, arguments: list[str], lead: str) -> None:
    result = rulespal("solve", *arguments)
    assert (result.code, result.err) == (3, "")
    assert result.out.splitlines()[0] == lead


def test_what_cannot_be_searched_for_is_asked_for(rulespal: Run) -> None:
    result = rulespal("solve", "well.splash", "splash=7")
    assert result.out.splitlines()[2] == "? What do the dice show?"
    assert result.out.splitlines()[-1] == "Next: rulespal solve well.splash splash=7 dice=6,6"


# Wrong usage


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["rules", "chess"],
            "No game in the library is called 'chess'. Next: rulespal games",
        ),
        (
            ["compute", "witch.gaol"],
            "No rule is called 'witch.gaol' (nearest: witch.goal, witch.cards, witch.start). "
            "Next: rulespal rules",
        ),
        (
            ["compute", "witch.goal", "dice=2,3"],
            "witch.goal doesn't use dice, but players and moon. Next: rulespal rules toad-well",
        ),
        (
            ["compute", "box.pieces", "players=3"],
            "box.pieces needs no input. Next: rulespal compute box.pieces",
        ),
        (
            ["compute", "witch.goal", "--output", "fury"],
            "witch.goal doesn't give 'fury', but toads_to_win. Next: rulespal compute witch.goal",
        ),
        (
            ["compute", "witch.goal", "--table", "players", "players=3"],
            "players is given, so that no table can go over it. "
            "Next: rulespal compute witch.goal --table players",
        ),
        (
            ["solve", "witch.goal", "moon=new"],
            "No value of toads_to_win is named, which witch.goal gives. "
            "Next: rulespal solve witch.goal toads_to_win=VALUE",
        ),
        (
            ["solve", "toad.price", "golden"],
            "No value of price or double_price is named, which toad.price gives. "
            "Next: rulespal solve toad.price price=VALUE",
        ),
        (
            ["solve", "witch.goal", "toads_to_win=many"],
            "toads_to_win is a whole number, not 'many'. "
            "Next: rulespal solve witch.goal toads_to_win=8",
        ),
        (
            ["solve", "well.storm", "toads_lost=2,2"],
            "toads_lost is a list, for which nothing is solved. "
            "Next: rulespal compute well.storm --output toads_lost",
        ),
        (
            ["solve", "witch.goal", "toads_to_win=8", "dice=1,1"],
            "witch.goal doesn't use dice, but players and moon. Next: rulespal rules toad-well",
        ),
        (
            ["check", "The goal is 8."],
            "No game is named that the sentence is about. "
            "Next: rulespal check SENTENCE --game GAME",
        ),
        (
            ["check", "!?", "--game", "toad"],
            "The sentence has no words. Next: rulespal check --help",
        ),
        (
            ["check", "toad " * 401, "--game", "toad"],
            "The sentence has 2,004 characters, while 2,000 are read. Next: check it in parts",
        ),
        (
            ["check", "The goal is 8.", "--rule", "witch.goal", "dice=2,3"],
            "witch.goal doesn't use dice, but players and moon. Next: rulespal rules toad-well",
        ),
    ],
)
def test_wrong_usage_is_one_sentence_and_the_next_command(
    rulespal: Run, arguments: list[str], message: str
) -> None:
    assert rulespal(*arguments) == Result(2, "", f"rulespal: {message}\n")


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (["compute", "witch.goal", "players=9"], ["players", "'9'", "1 to 5"]),
        (["compute", "witch.goal", "players=many"], ["players", "'many'", "1 to 5"]),
        (["compute", "witch.goal", "moon=green"], ["moon", "'green'", "new, full or blood"]),
        (["compute", "witch.goal", "frogs=2"], ["'frogs'", "players", "moon"]),
        (["compute", "witch.goal", "players"], ["'players'", "key=value"]),
        (["compute", "witch.goal", "--table", "dice"], ["'dice'", "players", "moon"]),
        (["solve", "well.overflow", "overflows=maybe"], ["overflows", "'maybe'", "yes or no"]),
        (["solve", "witch.start", "begins=nobody"], ["begins", "'nobody'", "the Witch"]),
    ],
)
def test_what_cannot_be_read_is_named_with_what_can(
    rulespal: Run, command: list[str], words: list[str]
) -> None:
    result = rulespal(*command)
    assert (result.code, result.out) == (2, "")
    assert result.err.count("\n") == 1
    assert ". Next: " in result.err
    assert [word for word in words if word not in result.err] == []


def test_a_rule_that_was_left_out_says_why(rulespal: Run, rule_file: Path) -> None:
    rule_file.write_text(TOAD_RULES.replace("A Toad hops 2 spaces.", "A Toad hops 3 spaces."))
    result = rulespal("compute", "toad.hop")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"rulespal: {rule_file}: line ")
    assert "rule 'toad.hop'" in result.err
    assert rulespal("compute", "toad.worth", "golden=no").code == 0


def test_an_unknown_rule_is_unknown_whatever_else_was_left_out(
    rulespal: Run, rule_file: Path
) -> None:
    rule_file.write_text(TOAD_RULES.replace("A Toad hops 2 spaces.", "A Toad hops 3 spaces."))
    result = rulespal("compute", "toad.jump")
    assert result.code == 2
    assert result.err.startswith("rulespal: No rule is called 'toad.jump'")


def test_a_rule_file_that_cannot_be_read_is_named_beside_the_unknown_rule(
    rulespal: Run, rule_file: Path
) -> None:
    rule_file.write_text("game: toad-well\nrules: [")
    result = rulespal("compute", "witch.goal", "players=2")
    assert (result.code, result.out) == (2, "")
    broken, unknown = result.err.splitlines()
    assert broken.startswith(f"rulespal: {rule_file}: line ")
    assert unknown == "rulespal: No rule is called 'witch.goal'. Next: rulespal rules"


def test_a_book_that_cannot_be_read_says_why(rulespal: Run, add_book: AddBook) -> None:
    add_book("also-broken", "")
    path = add_book("broken", "# No front matter\n")
    result = rulespal("rules", "broken")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"rulespal: {path}: line 1: no front matter")


@pytest.mark.parametrize(
    "arguments", [["compute"], ["solve"], ["solve", "witch.goal"], ["check"], ["rules", "a", "b"]]
)
def test_an_argument_too_few_or_too_many_names_the_help(
    rulespal: Run, arguments: list[str]
) -> None:
    result = rulespal(*arguments)
    assert (result.code, result.out) == (2, "")
    assert "--help" in result.err


# check


def test_check_agrees_in_one_line_and_names_the_rule(rulespal: Run) -> None:
    assert rulespal("check", "With 5 players the goal is 8.", "--game", "toad") == Result(
        0,
        "✓ agrees: 8 Toads\n  assumed: new moon\n  by witch.goal: Toads to win\n",
        "",
    )


def test_check_contradicts_with_the_right_value_and_the_nearest_state(rulespal: Run) -> None:
    sentence = "With 4 players the goal is 8."
    assert rulespal("check", sentence, "--rule", "witch.goal") == Result(
        0,
        """\
✗ the rules give 7 Toads: 3 for the new Moon + 4 players
  Moon: New; Toads: 3
  The Witch > Difficulty
  The Witch needs the Toads of the Moon and 1 for each player.
  The Witch > How to Win
  8 Toads would be right with full moon
  assumed: new moon
""",
        "",
    )


def test_check_asks_for_what_it_needs(rulespal: Run) -> None:
    assert rulespal("check", "The goal is 6.", "--rule", "witch.goal") == Result(
        3,
        "? needs: players\n  claimed: 6 Toads\n  How many players are there?\n  players: 1 to 5\n"
        "  assumed: new moon\n",
        "",
    )


def test_what_is_given_wins_over_what_the_sentence_tells(rulespal: Run) -> None:
    sentence = "With 5 players the goal is 8."
    told = rulespal("check", sentence, "--rule", "witch.goal")
    given = rulespal("check", sentence, "--rule", "witch.goal", "players=4")
    assert told.out.startswith("✓ agrees")
    assert given.out.startswith("✗ the rules give 7 Toads")


@pytest.mark.parametrize(
    ("arguments", "code", "first"),
    [
        (["I need at least 5 Toads.", "--rule", "witch.goal"], 0, "✓ agrees: at least 5 Toads"),
        (["The goal is 9.", "--rule", "witch.goal"], 0, "✗ the rules give 5 to 8 Toads"),
        (
            ["No, the Well does not overflow.", "--rule", "well.overflow", "dice=5,5"],
            0,
            "✗ the rules say yes, the Well overflows: 10 pips ≥ 10",
        ),
        (
            ["The goal is 6.", "--rule", "witch.goal", "players=1"],
            3,
            "? the rule doesn't hold here",
        ),
        (
            ["The goal is 6.", "--rule", "witch.goal", "players=5", "moon=red"],
            3,
            "? what is given can't be",
        ),
        (
            ["The price is 3.", "--rule", "toad.price"],
            3,
            "? open: the price of a potion stands on its card",
        ),
    ],
)
def test_check_ends_with_0_only_if_it_could_judge(
    rulespal: Run, arguments: list[str], code: int, first: str
) -> None:
    result = rulespal("check", *arguments)
    assert (result.code, result.err) == (code, "")
    assert result.out.splitlines()[0] == first


def test_each_value_is_checked_once(rulespal: Run) -> None:
    sentence = "The splash is 7 and the goal is 8."
    result = rulespal("check", sentence, "--game", "toad", "players=5", "dice=3,4")
    assert result.code == 0
    assert sorted(re.findall(r"^\S .*|by \S+", result.out, re.MULTILINE)) == sorted(
        ["✓ agrees: splash 7", "by well.splash:", "✓ agrees: 8 Toads", "by witch.goal:"]
    )


def test_a_number_claims_what_it_surely_means_and_nothing_else(rulespal: Run) -> None:
    result = rulespal("check", "You need 8 Toads to win with 5 players.", "--game", "toad")
    assert "by witch.goal:" in result.out
    assert "by box.pieces:" not in result.out


def test_a_sentence_that_claims_nothing_ends_with_3(rulespal: Run) -> None:
    for where in (["--game", "toad"], ["--rule", "witch.goal"]):
        assert rulespal("check", "Good evening.", *where) == Result(
            3,
            "The sentence claims nothing that a rule gives.\nNext: rulespal rules toad-well\n",
            "",
        )


def test_check_in_json(rulespal: Run) -> None:
    result = rulespal("check", "With 4 players the goal is 8.", "--rule", "witch.goal", "--json")
    assert result.code == 0
    found = json.loads(result.out)
    assert (found["schema"], found["game"]) == (1, "toad-well")
    (check,) = found["checks"]
    assert check | {"claim": "", "refuted_by": []} == {
        "rule": "witch.goal",
        "output": "toads_to_win",
        "claim": "",
        "verdict": "contradicts",
        "right": 7,
        "refuted_by": [],
        "nearest_true": {"moon": "full"},
        "missing": [],
        "given": {"players": 4},
        "assumed": {"moon": "new"},
        "ask": [],
    }
    assert check["refuted_by"][0] == {
        "section": "The Witch > Difficulty",
        "quote": "Moon: New; Toads: 3",
    }
    asked = rulespal("check", "The goal is 6.", "--rule", "witch.goal", "--json")
    assert asked.code == 3
    assert json.loads(asked.out)["checks"][0]["ask"] == ["How many players are there?"]
    nothing = rulespal("check", "Good evening.", "--game", "toad", "--json")
    assert (nothing.code, json.loads(nothing.out)["checks"]) == (3, [])


def test_the_default_game_is_that_of_the_environment(
    rulespal: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPAL_GAME", "toad")
    assert rulespal("check", "With 5 players the goal is 8.").out.startswith("✓ agrees: 8 Toads")


def test_a_rule_of_another_game_than_the_one_named_is_refused(
    rulespal: Run, add_book: AddBook
) -> None:
    add_book("quiet-game", QUIET)
    arguments = ["check", "The goal is 8.", "--rule", "witch.goal", "--game"]
    assert rulespal(*arguments, "quiet") == Result(
        2,
        "",
        "rulespal: witch.goal is a rule of Toad Quest: The Well, not of Quiet Game. "
        "Next: rulespal rules quiet-game\n",
    )
    assert rulespal(*arguments, "toad", "players=5").code == 0


def test_check_names_the_rules_of_the_game_that_are_left_out(
    rulespal: Run, rule_file: Path
) -> None:
    rule_file.write_text(TOAD_RULES.replace("A Toad hops 2 spaces.", "A Toad hops 3 spaces."))
    result = rulespal("check", "With 5 players the goal is 8.", "--game", "toad")
    assert result.code == 0
    assert "rule 'toad.hop'" in result.err


# As programs run it


def test_on_a_terminal_it_wraps_at_60_columns_in_colour() -> None:
    shown = on_terminal("check", "With 4 players the goal is 8.", "--rule", "witch.goal")
    assert "\x1b[31m✗" in shown
    assert unstyled(shown) == (
        """\
✗ the rules give 7 Toads: 3 for the new Moon + 4 players
  Moon: New; Toads: 3
  The Witch › Difficulty
  The Witch needs the Toads of the Moon and 1 for each
  player.
  The Witch › How to Win
  8 Toads would be right with full moon
  assumed: new moon
"""
    )
    listed = unstyled(on_terminal("rules", "toad"))
    assert "  needs toads_at: spaces as columns and rows, such as\n        2,1;3,4\n" in listed
    assert listed.endswith("Compute one: rulespal compute witch.goal\n")


def in_a_process(arguments: list[str], then: str) -> subprocess.CompletedProcess[str]:
    """Runs `rulespal` in a fresh Python that says something at its end on standard error."""
    code = (
        "import sys\nfrom rulespal_chat.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        f"print({then}, file=sys.stderr)"
    )
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    "arguments", [["--help"], ["compute", "--help"], ["solve", "--help"], ["check", "--help"]]
)
def test_help_imports_nothing_heavy(arguments: list[str]) -> None:
    heavy = ["z3", "text_to_num", "yaml", "rich.console", "rapidfuzz", "markdown_it"]
    result = in_a_process(arguments, f"[m for m in {heavy!r} if m in sys.modules]")
    assert result.stderr == "[]\n"


def test_only_solving_and_checking_load_the_solver() -> None:
    for arguments, loaded in (
        (["compute", "witch.goal", "players=5"], "False\n"),
        (["solve", "witch.goal", "toads_to_win=8"], "True\n"),
    ):
        assert in_a_process(arguments, "'z3' in sys.modules").stderr == loaded


def test_no_command_of_rules_needs_a_search_index(rulespal: Run, home: Path) -> None:
    for arguments in (
        ["rules", "toad"],
        ["compute", "witch.goal", "players=5"],
        ["solve", "witch.goal", "toads_to_win=8"],
        ["check", "The goal is 8.", "--rule", "witch.goal", "players=5"],
    ):
        assert rulespal(*arguments).code == 0
    assert [path.name for path in home.iterdir()] == ["books"]


def test_the_packaged_games_have_rules(rulespal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    result = rulespal("compute", "er.kraken_strikes", "tourists=5,5,3,2")
    assert result.code == 0
    assert result.out.startswith("2, 2, 0 and 0 ")
