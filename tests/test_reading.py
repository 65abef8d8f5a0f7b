"""What a sentence tells of the state of a game, and nothing more than it tells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaged_rules import EPIC, EVIL, VAST
from packaged_rules import an_engine as an_engine
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.rules.reading import Reading, lasting, read, read_inputs

if TYPE_CHECKING:
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset

State = dict[str, "Value"]

FURY, ROLL, TREASURE, FURY_GAIN = (
    "ghoul.fury_goal", "ghoul.terror_on_roll", "ghoul.treasure_cost", "ghoul.fury_gain",
)  # fmt: skip
OMENS, BLOCK, DECK = "caveghost.omen_tokens", "ghost.mental_block_cost", "ghost.possession_deck"
RADIANCE, LEFT, TARGET = "unicorn.radiance_goal", "unicorn.radiance_left", "vileghoul.goal"
STRIKES, RELEASE, HUNTERS, SEASON = (
    "er.kraken_strikes", "er.kraken_release", "er.hunters", "er.end_of_season",
)  # fmt: skip
HIRE, LOOT, MARKER, SUMMON = "ec.hire_cost", "ec.loot", "ec.fear_move", "ec.summoning_strength"


@pytest.mark.parametrize(
    ("rule", "text", "state"),
    [
        # how many play
        (FURY, "Five of us tonight, how much Fury?", {"players": 5}),
        (FURY, "we're 4, what's the goal", {"players": 4}),
        (FURY, "fury goal 6p?", {"players": 6}),
        (FURY, "In a two-player game, what must the Ghoul reach?", {"players": 2}),
        (FURY, "There are seven people at our table.", {"players": 7}),
        (FURY, "me and two friends, so what do I need?", {"players": 3}),
        (FURY, "I play against 3 others", {"players": 4}),
        (FURY, "It's a party of six.", {"players": 6}),
        (FURY, "My wife and I play head to head.", {"players": 2}),
        (FURY, "I'm playing by myself", {"players": 1}),
        (FURY, "solo game, medium", {"players": 1, "solo_level": "medium"}),
        (FURY, "How much Fury on my own?", {"players": 1}),
        # how hard
        (FURY, "hard Ghoul for 4 players", {"players": 4, "ghoul_difficulty": "stalker"}),
        (FURY, "solo on hard", {"players": 1, "solo_level": "hard"}),
        (FURY, "The Hunter needs how much?", {"ghoul_difficulty": "hunter"}),
        (FURY, "expert level, three players", {"players": 3, "ghoul_difficulty": "hunter"}),
        (FURY, "The easiest card, and we are 5.", {"players": 5, "ghoul_difficulty": "ragpicker"}),
        (FURY, "5 players, Stalker card", {"players": 5, "ghoul_difficulty": "stalker"}),
        (FURY, "not the Hunter, the Scavenger", {"ghoul_difficulty": "scavenger"}),
        (FURY, "Is it different on hard and on easy?", {}),
        (RADIANCE, "hard Unicorn", {"unicorn_difficulty": "dire"}),
        (RADIANCE, "What must the Phantasm Unicorn gain?", {"unicorn_difficulty": "phantasm"}),
        (RADIANCE, "Terror Pony!", {"unicorn_difficulty": "pony"}),
        # dice
        (ROLL, "I rolled 2, 2 and 3.", {"dice": (2, 2, 3)}),
        (ROLL, "My dice came up 6/1/1", {"dice": (6, 1, 1)}),
        (ROLL, "As a Stalker I threw 3 and 2", {"dice": (3, 2), "ghoul_difficulty": "stalker"}),
        (ROLL, "All 3 dice add up to 7", {"dice_rolled": 3, "dice_sum": 7}),
        (ROLL, "I rolled a total of nine", {"dice_sum": 9}),
        (ROLL, "my dice: 8, 2 and 3", {}),
        # things on the map
        (
            OMENS,
            "Isolation 3, 4 Crystal tokens and 1 Ghost tile are on the map",
            {"isolation": 3, "crystals_on_map": 4, "ghost_tiles_on_map": 1},
        ),
        (
            OMENS,
            "My Isolation is 2, there are no Ghost tiles, and six Crystal tokens.",
            {"isolation": 2, "ghost_tiles_on_map": 0, "crystals_on_map": 6},
        ),
        (OMENS, "the nearest piece is in ring 4", {"isolation": 4}),
        (OMENS, "3 Treasures lie there and the Isolation is at 1", {"isolation": 1}),
        (OMENS, "30 Crystal tokens", {}),
        # roles and targets
        (BLOCK, "The Knight blocks a Ghost with an Influence of 3", {"target": "knight", "influence": 3}),
        (BLOCK, "I'm the Thief and her INF is 2", {"target": "thief", "influence": 2}),
        (BLOCK, "the Vile Ghoul against Influence 4", {"target": "vile_ghoul", "influence": 4}),
        (BLOCK, "Influence: five; the Goblins pay", {"target": "goblins", "influence": 5}),
        (BLOCK, "no Knight here, the Dragon pays for Influence 1", {"target": "dragon", "influence": 1}),
        (TARGET, "no Knight, but a Dragon in play", {"knight_in_play": False, "dragon_in_play": True}),
        (TARGET, "without a Dragon, with the Knight", {"knight_in_play": True, "dragon_in_play": False}),
        # what is carried
        (TREASURE, "3 Treasures and a Dragon Gem", {"treasures": 3, "gems": 1}),
        (TREASURE, "two chests", {"treasures": 2}),
        (FURY_GAIN, "three successful attacks and no Treasures", {"successes": 3, "treasures": 0}),
        (LEFT, "I have 6 Radiance already", {"radiance": 6}),
        # tourists
        (STRIKES, "tourists are 7, 7, 4 and 1", {"tourists": (7, 7, 4, 1)}),
        (STRIKES, "7/7/4/1 tourists", {"tourists": (7, 7, 4, 1)}),
        (STRIKES, "A has 5 tourists, B 5, C 3", {"tourists": (5, 5, 3)}),
        (STRIKES, "Tourists: five, five, three and two", {"tourists": (5, 5, 3, 2)}),
        (STRIKES, "we sit at 6, 6 and 2", {"tourists": (6, 6, 2)}),
        (STRIKES, "I have 7 tourists and the other two have 4 each", {"tourists": (7, 4, 4)}),
        (STRIKES, "Kraken hits 5, 0", {"tourists": (5, 0)}),
        (STRIKES, "I have 5 tourists. How many do I lose?", {}),
        (STRIKES, "3 Heroes and 2 Villains stay, tourists 4 and 2", {"tourists": (4, 2)}),
        (RELEASE, "6 tourists are already on the Kraken, 3 more are added", {"kraken_before": 6, "kraken_added": 3}),
        (RELEASE, "The Kraken has 8 and takes another two.", {"kraken_before": 8, "kraken_added": 2}),
        (SEASON, "fully rested Villain with 3 Health", {"fully_rested": True, "villain_health": 3}),
        (SEASON, "he is not yet fully rested", {"fully_rested": False}),
        (HUNTERS, "Can the Ghost Hunter catch a Banshee?", {"worker": "ghost_hunter", "monster": "vengeful_banshee"}),
        # hiring and raiding
        (HIRE, "hire cost 3 and a raise of 2", {"hire_cost": 3, "salary_raise": 2}),
        (HIRE, "4 gold to hire it and 1 gold more on top", {"hire_cost": 4, "salary_raise": 1}),
        (
            LOOT,
            "my red monster of strength 2 is the first red in the raid cell",
            {"colour": "red", "cell": "raid", "first_of_colour": True, "fear_strength": 2},
        ),
        (
            LOOT,
            "a blue monster of fear strength 3 on a raid, but not first",
            {"colour": "blue", "cell": "raid", "first_of_colour": False, "fear_strength": 3},
        ),
        (
            MARKER,
            "I remove a red monster with strength 2 from the raid cell",
            {"colour": "red", "cell": "raid", "removed": True, "fear_strength": 2},
        ),
        (
            MARKER,
            "yellow monster, fear strength 1, in the port",
            {"colour": "yellow", "cell": "port", "fear_strength": 1},
        ),
        (
            SUMMON,
            "blue monster of strength 1 with a passive of 2",
            {"colour": "blue", "fear_strength": 1, "passive_bonus": 2},
        ),
        ("ec.supply_size", "tiles per player in a 3-player game?", {"players": 3}),
        ("ec.blue_passive", "What does the 3rd blue tile add?", {"blue_tile": "blue_3"}),
        ("ec.blue_passive", "the seventh blue monster", {"blue_tile": "blue_7"}),
        ("shadow.prompt", "What does the third card prompt?", {"card_number": 3}),
        ("shadow.prompt", "the 5th Spirit card shows an angry action", {"card_number": 5, "angry_card": True}),
        # numbers that nobody claims
        (FURY, "We bought it for 60 dollars in 2019; what's the goal on Hunter?", {"ghoul_difficulty": "hunter"}),
        (FURY, "On turn 4 my son asked for the goal", {}),
        (FURY, "I attacked 3 players this turn", {}),
        (OMENS, "After 4 rounds and 20 minutes: Isolation 2?", {"isolation": 2}),
        (HIRE, "tile number 12 costs 3 to hire", {"hire_cost": 3}),
        (STRIKES, "It is Season 3 and we play with 4 players", {}),
        # numbers that are bounds, or denied
        (OMENS, "2-3 Crystals, Isolation 1", {"isolation": 1}),
        (OMENS, "2 or 3 Crystals", {}),
        (OMENS, "3 or more Crystals", {}),
        (OMENS, "at least 3 Crystals and more than 2 Ghost tiles", {}),
        (OMENS, "Isolation > 2", {}),
        (OMENS, "not 2 Crystals but 3 Crystals", {"crystals_on_map": 3}),
        (TREASURE, "3 Treasures and up to 2 Gems", {"treasures": 3}),
        (HIRE, "hire cost 3, raise 1 or 2", {"hire_cost": 3}),
        # what is no longer there
        (OMENS, "2 Crystals were removed, Isolation 1", {"isolation": 1}),
        (OMENS, "I removed 2 Crystals", {}),
        (OMENS, "2 Crystals gone, 3 Crystals left", {"crystals_on_map": 3}),
        ("caveghost.cave_collapsed", "2 Crystals were removed", {"crystal_tiles_removed": 2}),
        (SEASON, "he lost 2 Health", {}),
        # words of levels in passing
        (FURY, "hard to say, but 4 players", {"players": 4}),
        (FURY, "is it hard to win with 4 players?", {"players": 4}),
        (FURY, "an easy question: 5 players", {"players": 5}),
        (FURY, "it's too hard with 5 players", {"players": 5}),
        (FURY, "a normal attack", {}),
        (FURY, "hard to play on, 4 players", {"players": 4, "ghoul_difficulty": "stalker"}),
        # lists with a member told by a word, or not at all
        (STRIKES, "Anna has 7 tourists, Ben 4, and Carl none", {"tourists": (7, 4, 0)}),
        (STRIKES, "Anna has 7 tourists, Ben 4 and Carl no tourists", {"tourists": (7, 4, 0)}),
        (STRIKES, "Anna has 7 tourists, Ben 4 and Carl doesn't have any", {}),
        (STRIKES, "tourists: 7, 4 and zero", {"tourists": (7, 4, 0)}),
        (STRIKES, "2-4 tourists", {}),
        # a list out of bounds tells no number either
        (ROLL, "I rolled 8, 2 and 3", {}),
        # a pronoun is no number
        (LOOT, "a blue one of fear strength 3 on a raid", {"colour": "blue", "cell": "raid", "fear_strength": 3}),
    ],
)  # fmt: skip
def test_a_sentence_tells_exactly_this(engine: Engine, rule: str, text: str, state: State) -> None:
    rules, found = engine.find(rule)
    assert read_inputs(text, rules, found) == state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("3 players under the full Moon", {"players": 3, "moon": "full"}),
        ("It is a dark Moon, not a red one", {"moon": "new"}),
        ("never under the blood Moon", {}),
        ("Is it full or red?", {}),
        ("6 players", {}),
        ("0 players", {}),
        ("12 Toads", {}),
        ("we are three and the moon is red", {"players": 3, "moon": "blood"}),
        ("not four but five players", {"players": 5}),
    ],
)
def test_values_are_read_within_their_bounds(toad_rules: Ruleset, text: str, state: State) -> None:
    assert read_inputs(text, toad_rules, toad_rules.rules["witch.goal"]) == state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("a golden Toad", {"golden": True}),
        ("the Toad is gold, a gold toad", {"golden": True}),
        ("a plain toad", {"golden": False}),
        ("no golden Toad", {"golden": False}),
        ("it isn't golden", {"golden": False}),
        ("a golden and a plain toad", {}),
        ("a toad", {}),
        ("marigold", {}),
    ],
)
def test_a_bool_is_read_where_it_is_said_one_way_only(
    toad_rules: Ruleset, text: str, state: State
) -> None:
    assert read_inputs(text, toad_rules, toad_rules.rules["toad.worth"]) == state


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("it hops", {}),
        ("a plain toad: it hops", {"golden": False}),
        ("it hops, and it is golden", {"golden": True, "golden_hops": "hops"}),
        ("it is golden and it stays", {"golden": True, "golden_hops": "stays"}),
    ],
)
def test_what_means_nothing_in_a_state_is_not_read(
    toad_rules: Ruleset, text: str, state: State
) -> None:
    assert read_inputs(text, toad_rules, toad_rules.rules["toad.hop"]) == state


def test_the_list_that_a_sum_follows_from_is_read_for_it(toad_rules: Ruleset) -> None:
    rule = toad_rules.rules["well.overflow"]
    assert read_inputs("the dice are 4 and 5", toad_rules, rule) == {"dice": (4, 5)}
    assert read_inputs("9 pips", toad_rules, rule) == {"pips": 9}
    assert read_inputs("rolled three dice for 9 pips", toad_rules, rule) == {
        "dice_rolled": 3,
        "pips": 9,
    }


def reading(rules: Ruleset, rule: str, text: str) -> Reading:
    found = rules.rules[rule]
    return read(text, rules, found, outputs=found.outputs)


def test_numbers_said_of_an_output_are_claims_and_no_state(toad_rules: Ruleset) -> None:
    told = reading(toad_rules, "witch.goal", "Is the goal 7 with 4 players?")
    assert (told.state, told.claimed, told.left) == ({"players": 4}, (("toads_to_win", 7),), ())


def test_numbers_that_nobody_claims_are_left(toad_rules: Ruleset) -> None:
    told = reading(toad_rules, "witch.goal", "3 players, 20 minutes, in 2019: one question")
    assert (told.state, told.claimed, told.left) == ({"players": 3}, (), (20, 2019))


def test_what_is_spoken_of_without_a_value_is_mentioned(toad_rules: Ruleset) -> None:
    told = reading(toad_rules, "witch.goal", "Is it another goal if the Moon is full or red?")
    assert told.state == {}
    assert told.mentioned == {"moon"}
    assert reading(toad_rules, "witch.goal", "what is the goal?").mentioned == frozenset()


def test_values_set_against_each_other_are_compared(toad_rules: Ruleset) -> None:
    told = reading(toad_rules, "witch.goal", "Is a full or a blood Moon worse?")
    assert told.state == {}
    assert told.compared == {"moon"}
    assert reading(toad_rules, "witch.goal", "full moon").compared == frozenset()


@pytest.mark.parametrize(
    ("text", "bounded", "compared"),
    [
        ("up to 4 players", {"players"}, set()),
        ("2-4 players", {"players"}, set()),
        ("3 or more players", {"players"}, set()),
        ("for 2 players and for 3 players", set(), {"players"}),
        ("3 players", set(), set()),
        ("no more than 7 Toads", set(), set()),
    ],
)
def test_bounds_and_several_values_tell_none(
    toad_rules: Ruleset, text: str, bounded: set[str], compared: set[str]
) -> None:
    told = reading(toad_rules, "witch.goal", text)
    assert (set(told.bounded), set(told.compared)) == (bounded, compared)
    assert told.claimed == ()
    assert (told.state == {}) is (text != "3 players")


def test_a_word_that_may_mean_a_level_keeps_the_standard_from_being_assumed(engine: Engine) -> None:
    rules, rule = engine.find(FURY)
    assert read("5 players, and is it hard?", rules, rule).mentioned == {"ghoul_difficulty"}
    assert read("5 players, hard to say", rules, rule).mentioned == frozenset()


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("we're five", {"players": 5}),
        ("there are four of us and I'm the Hunter", {"players": 4, "ghoul_difficulty": "hunter"}),
        ("Only two players today.", {"players": 2}),
        ("We play on hard", {}),  # which role's?
        ("Phantasm Unicorn", {"unicorn_difficulty": "phantasm"}),
        ("I rolled 2 and 3", {}),
        ("my Isolation is 3", {}),
        ("it is 9 o'clock", {}),
        ("we're eight", {}),
        ("hello", {}),
    ],
)
def test_what_lasts_for_a_game_is_told_apart_from_what_holds_now(
    engine: Engine, text: str, state: State
) -> None:
    assert lasting(text, engine.rules(VAST)) == state


def test_each_game_has_bounds_of_its_own(engine: Engine) -> None:
    assert lasting("we're five", engine.rules(EVIL)) == {}
    assert lasting("we're four", engine.rules(EPIC)) == {"players": 4}


@pytest.mark.parametrize("text", ["", "?!", "\x00", "🎲" * 50, "5 " * 3000, "we are " * 3000])
def test_any_text_can_be_read(engine: Engine, text: str) -> None:
    rules, rule = engine.find(STRIKES)
    assert "tourists" not in read_inputs(text, rules, rule)
    assert lasting(text, engine.rules(VAST)) == {}


@pytest.mark.parametrize(
    ("text", "state", "left"),
    [
        ("At 2 Anger he attacks the Knight", {"anger": 2}, ()),
        ("At Anger 1 he plays an angry Move into the Knight", {}, (1,)),
        ("His Anger is 2 and the card shows an angry action", {}, (2,)),
    ],
)
def test_a_number_that_changes_on_the_way_is_not_the_one_that_counts(
    engine: Engine, text: str, state: State, left: tuple[int, ...]
) -> None:
    told = read(text, *engine.find("unicorn.attack_knight"))
    assert (told.state, told.left) == (state, left)
    before = read(text, *engine.find("unicorn.anger_raise"))
    assert set(before.state) == {"anger_before"}
