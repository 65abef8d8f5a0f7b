"""The rules have no gaps and no dead rows, and their outputs stay within bounds: all proved."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import pytest
from toad_rules import TOAD_RULES, TOAD_WELL, read_toad_rules
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.places import RULES, packaged_corpus
from rulespal_chat.rules.lint import BrokenBound, DeadRow, Gap, lint
from rulespal_chat.rules.loading import load_rules

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rulespal_chat.rules.lint import Report
    from rulespal_chat.rules.model import Ruleset

FOUR = '- {is: 4.., value: 2, quote: "Players: 4 or more; Cards: 2"}'
ONLY_FOUR = FOUR.replace("4..", "4")
CAPPED = "- if: uncapped > 8"
UNCAPPED = "- value: uncapped\n            quote:"
UNCAPPED_FOR_TWO = """\
- if: players >= 2
            value: uncapped
            section: The Witch > How to Win
            quote:
              - This goal is for games of 2 or more players.
              -"""
BLOOD_FOR_FIVE = """\
- if: moon == 'blood' and players == 5
            value: 8
            derived: [8]
            quote: With 5 players there is no blood Moon.
          """
MORE_CARDS = "      - name: cards\n        by"
CARDS_FOR_TOADS = """\
      - name: cards_and_toads
        value: cards_by_players + toads_to_win
        quote: Under the blood Moon, draw 1 card less.
"""
DEPTH = """\
        quote: The depth is the steps to the closest Toad; a step aslant is 1 step.
"""
DEEP = """\
      - name: deep
        rows:
          - {if: depth >= 1, value: true, quote: The depth is the steps to the closest Toad; a step aslant is 1 step.}
"""


@cache
def packaged() -> dict[str, Ruleset]:
    library = load_library(packaged_corpus() / "nowhere")
    return {book.id: load_rules(book) for book in library.books}


@pytest.fixture
def check(add_book: Callable[[str, str], Path]) -> Callable[..., Report]:
    """Checks the rules of the toads after some changes to their file."""
    book = add_book("toad-well", TOAD_WELL)

    def checked(*changes: tuple[str, str]) -> Report:
        text = TOAD_RULES
        for old, new in changes:
            assert text.count(old) == 1
            text = text.replace(old, new)
        rules = read_toad_rules(book, text)
        assert rules.problems == ()
        return lint(rules)

    return checked


@pytest.mark.parametrize(
    "book", sorted(path.parent.name for path in packaged_corpus().glob(f"*/{RULES}"))
)
def test_the_packaged_rules_are_sound(book: str) -> None:
    report = lint(packaged()[book])
    assert list(map(str, report.findings)) == []
    assert report.proved > 100
    assert len(report.unchecked) < 10


def test_sound_rules_pass_and_what_rests_on_algorithms_and_cards_is_counted(
    toad_rules: Ruleset,
) -> None:
    report = lint(toad_rules)
    assert report.findings == report.loose == ()
    assert report.unchecked == ("double_price", "splash", "depth")
    # 24 rows and no gap in each of 13 steps, and two bounds of 7 outputs
    assert report.proved == 24 + 13 + 14


@pytest.mark.parametrize(
    ("old", "new", "kind", "place", "sentence"),
    [
        pytest.param(
            FOUR, ONLY_FOUR, Gap, "witch.cards cards_by_players",
            "no row of 'cards_by_players' fits at players=5",
            id="a state without a row",
        ),
        pytest.param(
            FOUR, f"{FOUR}\n          {ONLY_FOUR}", DeadRow, "witch.cards cards_by_players",
            "no state reaches row 4 of 'cards_by_players', which gives 2",
            id="a row after those that take all its states",
        ),
        pytest.param(
            CAPPED, BLOOD_FOR_FIVE + CAPPED, DeadRow, "witch.goal toads_to_win",
            "no state reaches row 1 of 'toads_to_win', which gives 8",
            id="a row for states that the rule excludes",
        ),
        pytest.param(
            "        min: 5", "        min: 6", BrokenBound, "witch.goal toads_to_win",
            "'toads_to_win' is below its min of 6 at moon=new and players=2",
            id="a value below the min",
        ),
        pytest.param(
            "        min: 1\n        max: 2", "        min: 1\n        max: 1", BrokenBound, "toad.worth worth",
            "'worth' is above its max of 1 at golden=yes",
            id="a value above the max",
        ),
    ],
)  # fmt: skip
def test_a_fault_is_found(
    check: Callable[..., Report], old: str, new: str, kind: type, place: str, sentence: str
) -> None:
    (found,) = check((old, new)).findings
    assert type(found) is kind
    assert (f"{found.rule} {found.step}", found.sentence) == (place, sentence)


def test_a_finding_names_its_line_and_rule(check: Callable[..., Report]) -> None:
    changed = TOAD_RULES.replace(FOUR, ONLY_FOUR)
    line = changed[: changed.index("- id: witch.cards")].count("\n") + 1
    (found,) = check((FOUR, ONLY_FOUR)).findings
    assert found.line == line
    assert str(found) == f"line {line}: rule 'witch.cards': {found.sentence}"


@pytest.mark.parametrize(("old", "new"), [("max: 8", "max: 9"), ("min: 5", "min: 4")])
def test_a_bound_that_no_value_reaches_is_sound_but_loose(
    check: Callable[..., Report], old: str, new: str
) -> None:
    report = check((f"        {old}", f"        {new}"))
    assert report.findings == ()
    end = new.replace(":", " of")
    assert [f.sentence for f in report.loose] == [f"'toads_to_win' is never its {end}"]


def test_another_rule_may_reach_a_gap_that_the_conditions_of_its_own_hide(
    check: Callable[..., Report],
) -> None:
    goal_for_two = (UNCAPPED, UNCAPPED_FOR_TWO)
    assert check(goal_for_two).findings == ()
    (found,) = check(goal_for_two, (MORE_CARDS, CARDS_FOR_TOADS + MORE_CARDS)).findings
    assert isinstance(found, Gap)
    assert found.rule == "witch.cards"
    assert found.sentence.startswith("no row of 'toads_to_win' fits at players=1 and moon=")


def test_a_row_that_only_another_rule_reaches_is_alive(check: Callable[..., Report]) -> None:
    blood_for_five = (CAPPED, BLOOD_FOR_FIVE + CAPPED)
    assert check(blood_for_five, (MORE_CARDS, CARDS_FOR_TOADS + MORE_CARDS)).findings == ()


def test_a_gap_that_an_algorithm_may_never_reach_is_no_finding(
    check: Callable[..., Report],
) -> None:
    report = check((DEPTH, DEPTH + DEEP))
    assert report.findings == ()
    assert "deep" in report.unchecked
