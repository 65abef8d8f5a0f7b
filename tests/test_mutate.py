"""The mutation run makes every slip that it promises, and knows which are noticed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from toad_rules import TOAD_WELL, read_toad_rules

sys.path.insert(0, str(Path(__file__).parent.parent / "evals"))

import mutate

if TYPE_CHECKING:
    from collections.abc import Callable

    from rulespal_chat.rules.model import Ruleset

RULES = """\
game: toad-well
inputs:
  players: {type: int, min: 2, max: 5, ask: How many players are there?}
rules:
  - id: witch.cards
    title: Cards to draw
    section: The Witch > Brew
    inputs: [players]
    outputs: {cards: {type: int, min: 2, max: 3}}
    steps:
      - name: cards
        rows:
          - {if: players >= 4, value: 2, quote: "Players: 4 or more; Cards: 2"}
          - {value: 3, quote: "Players: 2-3; Cards: 3"}
    examples: []
"""
SLIPS = [
    ("row 1: players >= 4 -> players >= 3", True),  # the quote has 4 and 2
    ("row 1: players >= 4 -> players >= 5", True),
    ("row 1: players >= 4 -> players > 4", False),
    ("row 1: 2 -> 1", True),
    ("row 1: 2 -> 3", True),
    ("row 2: 3 -> 2", False),  # the quote has 2 and 3
    ("row 2: 3 -> 4", True),
]


@pytest.fixture
def rules(add_book: Callable[[str, str], Path]) -> Callable[..., Ruleset]:
    """The rule of the cards with these examples, after some changes to its file."""

    def read(*examples: str, changes: tuple[tuple[str, str], ...] = ()) -> Ruleset:
        text = RULES.replace("examples: []", f"examples: [{', '.join(examples)}]")
        for old, new in changes:
            assert text.count(old) == 1
            text = text.replace(old, new)
        made = read_toad_rules(add_book("toad-well", TOAD_WELL), text)
        assert made.problems == ()
        return made

    return read


def changes(mutants: list[mutate.Mutant]) -> list[str]:
    return [str(mutant).partition("step cards, ")[2] for mutant in mutants]


def test_each_number_goes_up_and_down_and_each_order_becomes_strict_or_lax(
    rules: Callable[..., Ruleset],
) -> None:
    made = list(mutate.mutants(rules()))
    assert sorted(changes(made)) == sorted(slip for slip, _ in SLIPS)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("players < 4", "players <= 4"),
        ("players <= 4", "players < 4"),
        ("players > 4", "players >= 4"),
        ("4 >= players > 2", "4 > players > 2"),
        ("4 >= players > 2", "4 >= players >= 2"),
        ("not players < 4", "not players <= 4"),
    ],
)
def test_every_order_is_turned(rules: Callable[..., Ruleset], before: str, after: str) -> None:
    made = changes(list(mutate.mutants(rules(changes=(("players >= 4", before),)))))
    assert made.count(f"row 1: {before} -> {after}") == 1


def test_equality_is_left_alone_but_not_its_number(rules: Callable[..., Ruleset]) -> None:
    made = changes(list(mutate.mutants(rules(changes=(("players >= 4", "players == 4"),)))))
    assert [change for change in made if "==" in change] == [
        "row 1: players == 4 -> players == 3",
        "row 1: players == 4 -> players == 5",
    ]


def test_nothing_is_divided_by_0(rules: Callable[..., Ruleset]) -> None:
    halves = ("value: 3,", "value: players // 1, derived: [1],")
    made = changes(list(mutate.mutants(rules(changes=(halves,)))))
    assert [change for change in made if "//" in change] == ["row 2: players // 1 -> players // 2"]


def test_the_loader_refuses_a_number_that_leaves_its_quote(
    rules: Callable[..., Ruleset],
) -> None:
    made = {str(m).partition("step cards, ")[2]: m.is_refused for m in mutate.mutants(rules())}
    assert made == dict(SLIPS)


def test_a_number_that_was_never_quoted_is_for_the_examples(rules: Callable[..., Ruleset]) -> None:
    derived = ("value: 3,", "value: 9 - 6, derived: [9, 6],")
    made = [m for m in mutate.mutants(rules(changes=(derived,))) if m.row == 2]
    assert len(made) == 4
    assert not any(mutant.is_refused for mutant in made)


@pytest.mark.parametrize(
    ("examples", "left"),
    [
        ([], ["row 1: players >= 4 -> players > 4", "row 2: 3 -> 2"]),
        (["{given: {players: 5}, expect: {cards: 2}}"], ["row 1: players >= 4 -> players > 4", "row 2: 3 -> 2"]),
        (["{given: {players: 3}, expect: {cards: 3}}"], ["row 1: players >= 4 -> players > 4"]),
        (["{given: {players: 4}, expect: {cards: 2}}"], ["row 2: 3 -> 2"]),
        (["{given: {players: 3}, expect: {cards: 3}}", "{given: {players: 4}, expect: {cards: 2}}"], []),
    ],
)  # fmt: skip
def test_a_slip_survives_unless_an_example_notices(
    rules: Callable[..., Ruleset], examples: list[str], left: list[str]
) -> None:
    survived, made = mutate.survivors(rules(*examples))
    assert (changes(survived), made) == (left, len(SLIPS))


def test_an_example_of_a_rule_that_uses_the_step_notices_too(
    rules: Callable[..., Ruleset],
) -> None:
    user = """\
  - id: witch.twice
    title: Cards twice
    section: The Witch > Brew
    inputs: [players]
    outputs: {twice: {type: int, min: 4, max: 6}}
    steps: [{name: twice, value: cards + cards, quote: "Under the blood Moon, draw 1 card less."}]
    examples:
      - {given: {players: 3}, expect: {twice: 6}}
      - {given: {players: 4}, expect: {twice: 4}}
"""
    survived, _ = mutate.survivors(
        rules(changes=(("    examples: []\n", f"    examples: []\n{user}"),))
    )
    assert survived == []


def test_rules_whose_examples_fail_already_are_refused(rules: Callable[..., Ruleset]) -> None:
    with pytest.raises(ValueError, match=r"fail already: line 5: rule 'witch\.cards'"):
        mutate.survivors(rules("{given: {players: 4}, expect: {cards: 3}}"))


def test_the_rules_are_left_as_they_were(rules: Callable[..., Ruleset]) -> None:
    before = rules("{given: {players: 4}, expect: {cards: 2}}")
    texts = [row.value.text for row in before.steps["cards"].rows]
    mutate.survivors(before)
    assert [row.value.text for row in before.steps["cards"].rows] == texts
    assert [row.value.numbers for row in before.steps["cards"].rows] == [(2,), (3,)]


def test_the_run_shows_the_share_of_each_book_and_fails_if_all_is_too_low(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["mutate.py"])
    monkeypatch.setattr(mutate, "LEAST", 1.01)
    with pytest.raises(SystemExit, match="Fewer than 101% are caught"):
        mutate.main()
    *books, total = (line.rsplit(maxsplit=3) for line in capsys.readouterr().out.splitlines()[1:])
    assert [title for title, *_ in books] == [
        "Epic Resort: Villain's Vacation", "Evil Corp.", "Vast: The Fearsome Foes",
    ]  # fmt: skip
    assert int(total[1]) == sum(int(made) for _, made, *_ in books)
    assert int(total[2]) >= 0.90 * int(total[1])
