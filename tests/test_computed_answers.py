"""What the packaged books promise of numbers: by the engine, and through questions.

The values are worked out by hand from the books. The tests through questions use the real model.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaged_rules import EPIC, EVIL, VAST
from packaged_rules import an_engine as an_engine

from rulespal_chat.conversation import Conversation
from rulespal_chat.rules.examples import failures_of
from rulespal_chat.rules.results import Claim, Outcome, Verdict
from rulespal_chat.types import Status

if TYPE_CHECKING:
    from pathlib import Path

    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.results import Computed
    from rulespal_chat.types import Answer

State = dict[str, "Value"]

FURY_FOR_ONE_PLAYER_LESS = {"ragpicker": 5, "scavenger": 6, "ghoul": 7, "stalker": 7, "hunter": 8}
SOLO_FURY = {"easy": 7, "medium": 8, "hard": 9}


def quotes(computed: Computed) -> list[str]:
    return [pick.statement.text for step in computed.derivation for pick in step.picks]


@pytest.mark.parametrize("players", range(4, 8))
@pytest.mark.parametrize("level", FURY_FOR_ONE_PLAYER_LESS)
def test_the_fury_goal_of_every_level_is_a_number_plus_the_players_and_14_at_most(
    engine: Engine, level: str, players: int
) -> None:
    computed = engine.compute("ghoul.fury_goal", {"players": players, "ghoul_difficulty": level})
    assert computed.value == min(14, FURY_FOR_ONE_PLAYER_LESS[level] + players)
    assert computed.unit == "Fury"
    assert any("at most 14" in quote for quote in quotes(computed))


@pytest.mark.parametrize(("players", "printed"), [(2, 9), (3, 10)])
@pytest.mark.parametrize("level", FURY_FOR_ONE_PLAYER_LESS)
def test_with_2_and_3_players_the_printed_goal_or_that_of_the_card_holds_as_it_is_read(
    engine: Engine, level: str, players: int, printed: int
) -> None:
    of_card = FURY_FOR_ONE_PLAYER_LESS[level] + players
    state: State = {"players": players, "ghoul_difficulty": level}
    by_card = engine.compute("ghoul.fury_goal", {**state, "reading_fury_goal": "level"})
    by_print = engine.compute("ghoul.fury_goal", {**state, "reading_fury_goal": "printed"})
    assert (by_card.value, by_print.value) == (of_card, printed)


@pytest.mark.parametrize("level", FURY_FOR_ONE_PLAYER_LESS)
@pytest.mark.parametrize("solo", SOLO_FURY)
def test_alone_the_solo_level_gives_the_fury_goal_whatever_the_card(
    engine: Engine, level: str, solo: str
) -> None:
    state: State = {"players": 1, "ghoul_difficulty": level, "solo_level": solo}
    assert engine.compute("ghoul.fury_goal", state).value == SOLO_FURY[solo]


def test_alone_without_a_solo_level_it_is_asked_for(engine: Engine) -> None:
    computed = engine.compute("ghoul.fury_goal", {"players": 1})
    assert computed.missing == ("solo_level",)
    assert computed.possible == (7, 8, 9)


def test_12_on_standard_means_5_players(engine: Engine) -> None:
    claim = Claim("fury_goal", "==", 12)
    solution = engine.solve("ghoul.fury_goal", {"ghoul_difficulty": "ghoul"}, claim)
    assert solution.states == ((("players", 5),),)
    assert solution.is_complete


def test_12_over_any_difficulty(engine: Engine) -> None:
    solution = engine.solve("ghoul.fury_goal", {}, Claim("fury_goal", "==", 12))
    found = {(dict(s)["ghoul_difficulty"], dict(s)["players"]) for s in solution.states}
    assert found == {
        ("hunter", 4), ("ghoul", 5), ("stalker", 5), ("scavenger", 6), ("ragpicker", 7),
    }  # fmt: skip


@pytest.mark.parametrize("level", FURY_FOR_ONE_PLAYER_LESS)
def test_15_fury_is_impossible_and_the_sentences_say_why(engine: Engine, level: str) -> None:
    claim = Claim("fury_goal", "==", 15)
    solution = engine.solve("ghoul.fury_goal", {"ghoul_difficulty": level, "players": 7}, claim)
    assert solution.states == ()
    anywhere = engine.solve("ghoul.fury_goal", {}, claim)
    assert (anywhere.states, anywhere.is_complete) == ((), True)
    forbidden = {pick.statement.text for pick in anywhere.forbidden_by}
    cap = "The Ghoul's Fury goal can never be above 14, whatever the difficulty level or number of players."
    assert cap in forbidden


def test_the_hunter_with_7_players_needs_14_and_the_cap_is_cited(engine: Engine) -> None:
    computed = engine.compute("ghoul.fury_goal", {"players": 7, "ghoul_difficulty": "hunter"})
    assert computed.value == 14
    assert (
        computed.sentence
        == "14 Fury: 8 for the Hunter + 7 players would be 15, and 14 is the most."
    )
    assert (
        "The Ghoul's Fury goal can never be above 14, whatever the difficulty level or number of players."
        in quotes(computed)
    )


def test_12_fury_for_five_is_said_with_its_terms_and_its_assumption(engine: Engine) -> None:
    computed = engine.compute("ghoul.fury_goal", {"players": 5})
    assert computed.sentence == "12 Fury: 7 for the standard Ghoul + 5 players."
    assert computed.assumed == (("ghoul_difficulty", "ghoul"),)
    assert computed.inputs == (("players", 5),)


def test_11_for_five_is_wrong_and_would_be_right_on_the_scavenger(engine: Engine) -> None:
    check = engine.check("ghoul.fury_goal", {"players": 5}, Claim("fury_goal", "==", 11))
    assert check.verdict is Verdict.CONTRADICTS
    assert check.right.value == 12
    assert check.nearest_true == ("ghoul_difficulty", "scavenger")
    assert any("7 + the number of players" in pick.statement.text for pick in check.refuted_by)


@pytest.mark.parametrize(
    ("tourists", "lost"),
    [
        ((5, 5, 3, 2), (2, 2, 0, 0)),
        ((7, 7, 4, 1), (3, 3, 0, 0)),
        ((5, 0), (5, 0)),
        ((0, 9, 2), (0, 7, 0)),
        ((0, 0, 0), (0, 0, 0)),
    ],
)
def test_the_kraken_takes_the_leaders_down_to_the_next(
    engine: Engine, tourists: tuple[int, ...], lost: tuple[int, ...]
) -> None:
    state: State = {"tourists": tourists}
    left = tuple(a - b for a, b in zip(tourists, lost, strict=True))
    assert engine.compute("er.kraken_strikes", state).value == lost
    assert engine.compute("er.kraken_strikes", state, "tourists_lost_total").value == sum(lost)
    assert engine.compute("er.kraken_strikes", state, "tourists_left").value == left


@pytest.mark.parametrize("tourists", [(4, 4), (6, 6, 6), (1, 1, 1, 1)])
def test_if_all_are_tied_nothing_is_guessed_and_the_note_is_shown(
    engine: Engine, tourists: tuple[int, ...]
) -> None:
    computed = engine.compute("er.kraken_strikes", {"tourists": tourists})
    assert (computed.outcome, computed.value) == (Outcome.UNDETERMINED, None)
    assert computed.missing == ()
    assert "tied" in computed.reason
    assert any("does not say how many Tourists" in pick.statement.text for pick in computed.unclear)


@pytest.mark.parametrize(
    ("before", "added", "total", "released", "after"),
    [(6, 3, 9, False, 9), (6, 4, 10, True, 0), (0, 10, 10, True, 0), (9, 0, 9, False, 9)],
)
def test_the_kraken_is_released_at_10(
    engine: Engine, before: int, added: int, total: int, released: bool, after: int
) -> None:
    state: State = {"kraken_before": before, "kraken_added": added}
    results = [
        engine.compute("er.kraken_release", state, name).value
        for name in ("kraken_total", "kraken_released", "kraken_after")
    ]
    assert results == [total, released, after]


def test_a_strike_and_the_release_after_it_are_one_calculation(engine: Engine) -> None:
    for before, released in ((5, False), (6, True)):
        state: State = {"kraken_before": before, "tourists": (5, 5, 3, 2)}
        computed = engine.compute("er.kraken_strike_release", state, "strike_released")
        assert computed.value is released


def test_a_tie_for_the_released_kraken_goes_clockwise_from_the_harbormaster(engine: Engine) -> None:
    assert engine.compute("er.kraken_target", {"vps": (20, 31, 31)}).value == 2
    assert engine.compute("er.kraken_target", {"vps": (31, 20, 31)}).value == 1


OMENS = {1: 1, 2: 2, 3: 3, 4: 3, 5: 4, 6: 4, 7: 4, 8: 5, 9: 5, 10: 5, 11: 5, 12: 6, 13: 6, 14: 6}


@pytest.mark.parametrize(("total", "omens"), OMENS.items())
def test_omen_tokens_by_the_sum_of_isolation_crystals_and_ghost_tiles(
    engine: Engine, total: int, omens: int
) -> None:
    for isolation in {1, min(total, 12), (total + 1) // 2}:
        state: State = {
            "isolation": isolation, "crystals_on_map": min(total - isolation, 12),
            "ghost_tiles_on_map": max(0, total - isolation - 12),
        }  # fmt: skip
        assert engine.compute("caveghost.omen_tokens", state).value == omens


@pytest.mark.parametrize(("tiles", "omens"), [(0, 3), (1, 4), (4, 5), (6, 5)])
def test_ghost_tiles_count_for_omen_tokens(engine: Engine, tiles: int, omens: int) -> None:
    state: State = {"isolation": 2, "crystals_on_map": 2, "ghost_tiles_on_map": tiles}
    assert engine.compute("caveghost.omen_tokens", state).value == omens


def test_of_the_isolation_0_the_book_says_nothing(engine: Engine) -> None:
    state: State = {"isolation": 0, "crystals_on_map": 0, "ghost_tiles_on_map": 0}
    computed = engine.compute("caveghost.omen_tokens", state)
    assert (computed.is_determined, computed.value, computed.missing) == (False, None, ())
    assert any("when the sum is below 1" in p.statement.text for p in computed.refused_by)


def test_isolation_is_the_ring_of_the_closest_piece(engine: Engine) -> None:
    state: State = {"me": (0, 0), "pieces": ((3, 0), (2, -1))}
    assert engine.compute("caveghost.isolation", state).value == 2


@pytest.mark.parametrize(
    ("level", "dice", "draws"),
    [
        ("ghoul", (2, 2, 3), True),
        ("ghoul", (2, 3, 3), False),
        ("ragpicker", (1, 1, 5), True),
        ("scavenger", (6, 1, 1), False),
        ("stalker", (2, 2), True),
        ("stalker", (2, 3), False),
        ("hunter", (3, 1), True),
        ("hunter", (4, 1), False),
    ],
)
def test_a_low_roll_draws_a_terror_card(
    engine: Engine, level: str, dice: tuple[int, ...], draws: bool
) -> None:
    state: State = {"ghoul_difficulty": level, "dice": dice}
    assert engine.compute("ghoul.terror_on_roll", state, "draws_terror").value is draws
    threshold = engine.compute("ghoul.terror_on_roll", state, "terror_threshold").value
    assert threshold == (7 if len(dice) == 3 else 4)


@pytest.mark.parametrize("influence", [0, 1, 4, 12])
@pytest.mark.parametrize(
    ("role", "more"),
    [
        ("knight", 2), ("goblins", 0), ("dragon", 0), ("unicorn", 0), ("thief", 0), ("ghoul", 1),
        ("vile_ghoul", 1),
    ],
)  # fmt: skip
def test_a_mental_block_costs_by_the_role_and_the_influence(
    engine: Engine, role: str, more: int, influence: int
) -> None:
    state: State = {"target": role, "influence": influence}
    assert engine.compute("ghost.mental_block_cost", state).value == influence + more


def test_a_mental_block_is_paid_in_what_the_role_has(engine: Engine) -> None:
    paid = {
        "knight": "5 Grit", "goblins": "3 Secrets cards", "dragon": "3 Power cards",
        "unicorn": "3 Unicorn cards", "thief": "3 Action cubes", "ghoul": "4 movement points",
    }  # fmt: skip
    for role, price in paid.items():
        computed = engine.compute("ghost.mental_block_cost", {"target": role, "influence": 3})
        assert f"{computed.value} {computed.unit}" == price


def test_the_cave_pays_nothing_that_could_be_counted(engine: Engine) -> None:
    computed = engine.compute("ghost.mental_block_cost", {"target": "cave", "influence": 3})
    assert not (computed.is_determined and computed.value)


@pytest.mark.parametrize("cost", [0, 2, 5])
@pytest.mark.parametrize("surcharge", [0, 1, 2])
def test_hiring_costs_the_tile_and_the_raise(engine: Engine, cost: int, surcharge: int) -> None:
    state: State = {"hire_cost": cost, "salary_raise": surcharge}
    assert engine.compute("ec.hire_cost", state).value == cost + surcharge


@pytest.mark.parametrize(
    ("colour", "cell", "first", "coins"),
    [
        ("red", "raid", True, 3),
        ("red", "raid", False, 0),
        ("blue", "raid", True, 0),
        ("yellow", "raid", True, 0),
        ("red", "fortress", True, 0),
    ],
)
def test_the_first_red_raider_takes_loot_of_its_printed_strength(
    engine: Engine, colour: str, cell: str, first: bool, coins: int
) -> None:
    state: State = {
        "colour": colour, "cell": cell, "first_of_colour": first, "fear_strength": 3,
    }  # fmt: skip
    assert engine.compute("ec.loot", state, "loot_coins").value == coins
    assert engine.compute("ec.loot", state, "gets_loot").value is (coins > 0)


@pytest.mark.parametrize(
    ("cell", "colour", "removed", "steps", "direction"),
    [
        ("raid", "red", False, 3, "to_opponent"),
        ("raid", "red", True, 3, "to_owner"),
        ("fortress", "yellow", False, 2, "to_opponent"),
        ("fortress", "yellow", True, 2, "to_owner"),
        ("portal", "blue", False, 0, "stays"),
        ("port", "yellow", False, 0, "stays"),
    ],
)
def test_the_fear_marker_moves_for_raid_and_fortress_alone(
    engine: Engine, cell: str, colour: str, removed: bool, steps: int, direction: str
) -> None:
    state: State = {
        "cell": cell, "colour": colour, "removed": removed, "fear_strength": 2, "fear_modifier": 1,
    }  # fmt: skip
    assert engine.compute("ec.fear_move", state, "fear_steps").value == steps
    assert engine.compute("ec.fear_move", state, "fear_direction").value == direction


@pytest.mark.parametrize("colour", ["red", "yellow"])
def test_only_blue_monsters_may_enter_the_portal(engine: Engine, colour: str) -> None:
    assert engine.compute("ec.portal_access", {"colour": colour}).value is False
    state: State = {"cell": "portal", "colour": colour, "fear_strength": 2}
    assert engine.compute("ec.fear_move", state).outcome is Outcome.INCONSISTENT


@pytest.mark.parametrize(
    ("strength", "bonus", "summoning"), [(1, 0, 1), (1, 1, 2), (1, 2, 3), (2, 2, 4), (0, 0, 0)]
)
def test_the_summoning_strength_is_the_monsters_and_its_passive(
    engine: Engine, strength: int, bonus: int, summoning: int
) -> None:
    state: State = {"fear_strength": strength, "passive_bonus": bonus, "colour": "blue"}
    assert engine.compute("ec.summoning_strength", state).value == summoning


def test_the_passives_that_add_to_the_summoning_strength(engine: Engine) -> None:
    added = {1: 1, 3: 2, 4: 1, 5: 1, 7: 2, 8: 1, 10: 1}
    for number in range(1, 11):
        computed = engine.compute("ec.blue_passive", {"blue_tile": f"blue_{number}"})
        assert (computed.value or 0) == added.get(number, 0)


@pytest.mark.parametrize("summon", [1, 2, 3])
def test_a_summoning_strength_to_3_is_the_demons_level(engine: Engine, summon: int) -> None:
    assert engine.compute("ec.demon_level", {"summon": summon}, "demon_level").value == summon


def test_of_a_summoning_strength_above_3_the_book_names_no_level(engine: Engine) -> None:
    computed = engine.compute("ec.demon_level", {"summon": 4}, "demon_level")
    assert not computed.is_determined
    assert any("above 3" in pick.statement.text for pick in computed.unclear)


@pytest.mark.parametrize(("players", "draws"), [(2, 5), (3, 5), (4, 4)])
def test_each_night_5_tiles_are_drawn_or_4_by_each_of_4_players(
    engine: Engine, players: int, draws: int
) -> None:
    state: State = {"players": players}
    assert engine.compute("ec.supply_size", state, "night_draw").value == draws
    assert engine.compute("ec.supply_size", state, "supply_size").value == draws


@pytest.mark.parametrize(
    ("in_bag", "first", "after", "refilled"),
    [(5, 5, 0, False), (8, 5, 0, False), (3, 3, 2, True), (0, 0, 5, True)],
)
def test_a_bag_with_too_few_tiles_is_refilled_for_the_rest(
    engine: Engine, in_bag: int, first: int, after: int, refilled: bool
) -> None:
    state: State = {"players": 2, "tiles_behind": 0, "tiles_in_bag": in_bag}
    results = [
        engine.compute("ec.draws", state, name).value
        for name in ("drawn_from_bag_first", "drawn_after_reshuffle", "bag_refilled")
    ]
    assert results == [first, after, refilled]


def test_tie_break_sums_are_hire_costs_and_magic_coins(engine: Engine) -> None:
    assert engine.compute("ec.tie_break_score", {"hire_sum": 14, "magic": 3}).value == 17
    state: State = {
        "hire_sum_a": 14, "magic_a": 3, "fear_sum_a": 9, "hire_sum_b": 15, "magic_b": 2,
        "fear_sum_b": 11,
    }  # fmt: skip
    sums = [engine.compute("ec.tie_break_two", state, name).value for name in ("sum_a", "sum_b")]
    assert sums == [17, 17]
    assert engine.compute("ec.tie_break_two", state, "two_winner").value == "second"
    more: State = {**state, "magic_a": 4}
    assert engine.compute("ec.tie_break_two", more, "two_winner").value == "first"


@pytest.mark.parametrize(
    ("hire", "magic", "fear", "winners"),
    [
        ((10, 12), (3, 0), (0, 30), (1,)),
        ((10, 12), (2, 0), (4, 5), (2,)),
        ((10, 10, 9), (0, 0, 1), (7, 7, 6), (1, 2)),
    ],
)
def test_who_wins_among_claimants(
    engine: Engine,
    hire: tuple[int, ...],
    magic: tuple[int, ...],
    fear: tuple[int, ...],
    winners: tuple[int, ...],
) -> None:
    state: State = {"hire_sums": hire, "magic_coins": magic, "fear_sums": fear}
    assert engine.compute("ec.tie_break_winner", state).value == winners


RADIANCE = {"pony": 7, "mare": 8, "nightmare": 9, "dire": 10, "phantasm": 11}


@pytest.mark.parametrize(("level", "goal"), RADIANCE.items())
def test_the_radiance_goal_of_every_level(engine: Engine, level: str, goal: int) -> None:
    computed = engine.compute("unicorn.radiance_goal", {"unicorn_difficulty": level})
    assert (computed.value, computed.unit) == (goal, "Radiance")


def test_the_standard_radiance_goal_is_assumed_and_said_so(engine: Engine) -> None:
    computed = engine.compute("unicorn.radiance_goal", {})
    assert (computed.value, computed.assumed) == (9, (("unicorn_difficulty", "nightmare"),))


@pytest.mark.parametrize(
    ("players", "removed", "added", "change"), [(2, 3, 0, -3), (3, 0, 0, 0), (4, 0, 3, 3)]
)
def test_the_monster_pile_by_players(
    engine: Engine, players: int, removed: int, added: int, change: int
) -> None:
    results = [
        engine.compute("er.monster_pile", {"players": players}, name).value
        for name in ("pile_removed", "pile_added", "pile_change")
    ]
    assert results == [removed, added, change]


def test_the_book_does_not_print_how_large_the_pile_is(engine: Engine) -> None:
    assert not engine.compute("er.monster_pile", {"players": 3}, "pile_size").is_determined


@pytest.mark.parametrize(("game", "fewest"), [(VAST, 40), (EVIL, 18), (EPIC, 1)])
def test_every_example_that_a_book_prints_comes_out(engine: Engine, game: str, fewest: int) -> None:
    rules = engine.rules(game)
    assert rules.problems == ()
    printed = [(rule, e) for rule in rules.rules.values() for e in rule.examples if e.printed]
    assert len(printed) >= fewest
    assert [wrong for rule, e in printed for wrong in failures_of(rules, rule, e)] == []
    assert all(e.expect for _, e in printed)


@pytest.fixture(scope="module")
def rulespal(model_home: Path) -> RulesPal:
    from rulespal_chat.pipeline import RulesPal

    return RulesPal.open_built(model_home)


def verdicts(answer: Answer) -> set[Verdict]:
    return {check.verdict for check in answer.checks}


@pytest.mark.model
@pytest.mark.parametrize(
    ("question", "lead", "value"),
    [
        (
            "Five players, I'm the Ghoul: how much Fury do I need?",
            "12 Fury: 7 for the standard Ghoul + 5 players. [1]",
            12,
        ),
        (
            "With 7 players as a Hunter Ghoul, how much Fury do I need?",
            "14 Fury: 8 for the Hunter + 7 players would be 15, and 14 is the most. [1]",
            14,
        ),
        ("I play the Ghoul solo on hard, how much Fury?", "9 Fury: ", 9),
        ("Tourists are 5, 5, 3 and 2 when the Kraken strikes. How many does each lose?", "2, 2, 0 and 0 Tourists lost", (2, 2, 0, 0)),
        ("The Kraken strikes, tourists are 7/7/4/1: who loses how many?", "3, 3, 0 and 0 Tourists lost", (3, 3, 0, 0)),
        ("There are 6 tourists on the Kraken and 4 more are added. Is it released?", "Yes, the Kraken is released", True),
        (
            "Cave Ghost: Isolation 3, 4 Crystal tokens and 1 Ghost tile on the map, how many Omen tokens do I collect?",
            "5 Omen tokens: ",
            5,
        ),
        ("I rolled 2, 2 and 3 as the Ghoul. Do I draw a Terror card?", "Yes, you draw a Terror card", True),
        ("As a Stalker Ghoul I rolled 3 and 2, do I draw a Terror card?", "No, you draw no Terror card", False),
        ("How much Grit must the Knight pay for a Mental Block if the Ghost has 3 Influence?", "5 Grit: ", 5),
        ("In Evil Corp, a monster with hire cost 3 lies in a slot with a raise of 2. What do I pay?", "5 gold coins: ", 5),
        ("How much Radiance does the Dire Unicorn need?", "10 Radiance", 10),
        ("Epic Resort second edition with 2 players: how many Monsters are removed from the Monster pile?", "3 removed Monsters", 3),
    ],
)  # fmt: skip
def test_a_computed_value_leads_the_answer_and_agrees_with_the_rules(
    rulespal: RulesPal, question: str, lead: str, value: Value
) -> None:
    answer = rulespal.ask(question)
    assert answer.status is Status.ANSWERED
    assert answer.text.startswith(lead)
    assert answer.computed[0].value == value
    assert verdicts(answer) == {Verdict.AGREES}
    assert answer.citations != ()


@pytest.mark.model
def test_12_asked_backwards_is_5_players(rulespal: RulesPal) -> None:
    answer = rulespal.ask("My Fury goal is 12 on standard, how many players are we?")
    assert answer.text.startswith("5 players. 12 Fury: 7 for the standard Ghoul + 5 players. [1]")
    assert verdicts(answer) == {Verdict.AGREES}


@pytest.mark.model
def test_the_standard_that_a_question_backwards_leaves_out_is_named_as_assumed(
    rulespal: RulesPal,
) -> None:
    for question in (
        "our goal is 12 fury, how many players?",
        "Goal 12 Fury: how many are playing?",
    ):
        answer = rulespal.ask(question)
        assert answer.text.startswith("5 players. 12 Fury: 7 for the standard Ghoul + 5 players.")
        assert "Assumed: standard ghoul difficulty." in answer.notes


@pytest.mark.model
def test_a_goal_of_15_is_impossible_and_quotes_say_why(rulespal: RulesPal) -> None:
    for question in ("Can the Ghoul's Fury goal be 15?", "Can my Fury goal be 15 with 7 players?"):
        answer = rulespal.ask(question)
        assert answer.status is Status.ANSWERED
        assert answer.text.startswith("No")
        assert answer.citations != ()


@pytest.mark.model
def test_a_wrong_number_in_a_question_is_set_right(rulespal: RulesPal) -> None:
    answer = rulespal.ask("Is the Fury goal 11 with 5 players?")
    assert answer.text.startswith("No. 12 Fury: 7 for the standard Ghoul + 5 players.")
    assert "Assumed: standard ghoul difficulty." in answer.notes
    wrong, right = answer.checks
    assert (wrong.verdict, wrong.right.value) == (Verdict.CONTRADICTS, 12)
    assert wrong.nearest_true == ("ghoul_difficulty", "scavenger")
    assert right.verdict is Verdict.AGREES
    assert answer.status is Status.ANSWERED


@pytest.mark.model
def test_if_all_are_tied_the_note_of_the_book_is_quoted(rulespal: RulesPal) -> None:
    question = "The Kraken strikes and we are all tied, tourists are 4, 4 and 4. How many are lost?"
    answer = rulespal.ask(question)
    assert answer.status is Status.PARTLY
    assert [computed.value for computed in answer.computed] == [None]
    assert any("does not say how many Tourists" in citation.quote for citation in answer.citations)


@pytest.mark.model
def test_a_table_with_difficulties_is_that_of_the_role(rulespal: RulesPal) -> None:
    table = (("players", "5"), ("difficulty", "hard"))
    ghoul = rulespal.ask("How much Fury do I need?", role="ghoul", table=table)
    assert ghoul.text.startswith("12 Fury: 7 for the Stalker + 5 players.")
    assert dict(ghoul.state) == {"players": 5, "ghoul_difficulty": "stalker"}


@pytest.mark.model
def test_a_chat_keeps_the_table_from_question_to_question(rulespal: RulesPal) -> None:
    conversation = Conversation()
    for line in ("/game vast", "We are five.", "/role ghoul", "/table difficulty=hunter"):
        conversation, _ = conversation.hear(line, rulespal)
    conversation, reply = conversation.hear("How much Fury do I need?", rulespal)
    assert reply.answer is not None
    assert reply.answer.text.startswith("13 Fury: 8 for the Hunter + 5 players.")
    assert any(
        note.startswith("From the table:") and "5 players" in note for note in reply.answer.notes
    )


@pytest.mark.model
def test_a_chat_takes_the_solo_level_as_a_reply(rulespal: RulesPal) -> None:
    conversation = Conversation()
    for line in ("/game vast", "I play the Ghoul solo, what is my Fury goal?"):
        conversation, reply = conversation.hear(line, rulespal)
    assert reply.answer is not None
    assert reply.answer.status is Status.NEEDS_INPUT
    assert reply.answer.question_back is not None
    assert reply.answer.question_back.options == ("Easy", "Medium", "Hard")
    _, reply = conversation.hear("medium", rulespal)
    assert reply.answer is not None
    assert reply.answer.computed[0].value == 8
