"""A small book with a rule file next to it that has every feature of rule files once.

A test module gets a fixture by importing it: `from toad_rules import a_loaded_rule_file as
a_loaded_rule_file`; tests take it as `toad_rules`. `toad_rules_pal` is RulesPal over this book.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rulespal_chat.corpus.parser import read_rulebook
from rulespal_chat.rules.loading import load_rules
from rulespal_chat.types import Library

if TYPE_CHECKING:
    from pathlib import Path

    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.rules.model import Ruleset

TOAD_WELL = """\
---
id: toad-well
title: "Toad Quest: The Well"
aliases: [Toad Quest, The Well]
kind: expansion
base_game: Toad Quest
chapters:
  - heading: The Witch
    kind: role
words:
  Toad: [frog]
---

# Toad Quest: The Well

## Setup

- Toad Quest is for 1 to 5 players.
- Unless a Moon card is out, play under the new Moon.
- There are 12 Toads in the box.
- There are 2 Wells in the box.
- There is 1 golden Toad in the box.

## The Witch

### How to Win

- This goal is for games of 2 or more players.
- With 5 players there is no blood Moon.
- The Witch needs the Toads of the Moon and 1 for each player.
- No more than 8 Toads are ever needed.
- The Witch may not brew golden Toads.
- **Example:** 4 players under the full Moon need 8 Toads.

> **Unclear:** The book does not say whether a borrowed Toad counts.

### Difficulty

| Moon | Toads |
| --- | --- |
| New | 3 |
| Full | 4 |
| Blood | 5 |

### Brew

| Players | Cards |
| --- | --- |
| 1 | 4 |
| 2-3 | 3 |
| 4 or more | 2 |

- Under the blood Moon, draw 1 card less.
- Under the new Moon the Witch begins.
- Under any other Moon the Toads begin.

## Toads

- A plain Toad counts as 1 Toad.
- A golden Toad counts as 2 Toads.
- A Toad hops 2 spaces.
- The price of a potion stands on its card.
- How long the night lasts depends on the scenario.

> **Unclear:** The book does not say whether a golden Toad hops.

## The Well

- Roll 2 or 3 dice and add them up: this is the splash.
- The Well overflows if the dice add up to 10 or more.
- With 3 dice it overflows at 8 or more.
- The depth is the steps to the closest Toad; a step aslant is 1 step.
- In a storm, whoever has the most Toads goes down to the next highest number.
"""

TOAD_RULES = """\
game: toad-well

inputs:
  players:
    type: int
    min: 1
    max: 5
    unit: [player, players]
    ask: How many players are there?
    says: [players]
    lasts: true
    section: Setup
    quote: Toad Quest is for 1 to 5 players.
  moon:
    type: enum
    default: new
    ask: Which Moon is it?
    values:
      new: [new, dark]
      full: [full]
      blood: [blood, red]
  golden:
    type: bool
    ask: Is the Toad golden?
    yes: [golden, gold Toad]
    no: [plain Toad, not golden]
  golden_hops:
    type: enum
    ask: Does a golden Toad hop?
    values:
      hops: [it hops]
      stays: [it stays]
    only: golden
  dice:
    type: list
    of: {min: 1, max: 6}
    length: [2, 3]
    ask: What do the dice show?
    says: [dice]
  pips:
    type: int
    min: 2
    max: 18
    unit: [pip, pips]
    ask: What do the dice add up to?
    says: [pips]
    sum_of: dice
  dice_rolled:
    type: int
    min: 2
    max: 3
    unit: [die, dice]
    ask: How many dice are rolled?
    says: ["rolled {n} dice"]
    count_of: dice
  here:
    type: cell
    ask: Where is the Well?
  toads_at:
    type: cells
    ask: Where are the Toads?
  toads_held:
    type: list
    of: {min: 0, max: 9}
    length: [2, 4]
    ask: How many Toads does each player have?
    says: [Toads]

rules:
  - id: witch.goal
    title: Toads to win
    section: The Witch > How to Win
    inputs: [players, moon]
    outputs:
      toads_to_win:
        type: int
        unit: [Toad, Toads]
        min: 5
        max: 8
        says: [Toads to win, Toads needed, goal]
    applies:
      - if: players >= 2
        quote: This goal is for games of 2 or more players.
    always:
      - if: not (moon == 'blood' and players == 5)
        quote: With 5 players there is no blood Moon.
    steps:
      - name: toads_of_the_moon
        section: The Witch > Difficulty
        label: for the {moon} Moon
        by: [moon]
        rows:
          - {is: new, value: 3, quote: "Moon: New; Toads: 3"}
          - {is: full, value: 4, quote: "Moon: Full; Toads: 4"}
          - {is: blood, value: 5, quote: "Moon: Blood; Toads: 5"}
      - name: uncapped
        value: toads_of_the_moon + players
        quote: The Witch needs the Toads of the Moon and 1 for each player.
      - name: toads_to_win
        rows:
          - if: uncapped > 8
            value: 8
            quote: No more than 8 Toads are ever needed.
            say: "{toads_of_the_moon} + {players} players would be {uncapped}, and 8 is the most"
          - value: uncapped
            quote: The Witch needs the Toads of the Moon and 1 for each player.
    examples:
      - {given: {players: 2}, expect: {toads_to_win: 5}}
      - {given: {players: 3, moon: full}, expect: {toads_to_win: 7}}
      - {given: {players: 3, moon: blood}, expect: {toads_to_win: 8}}
      - given: {players: 4, moon: full}
        expect: {toads_to_win: 8}
        printed: "Example: 4 players under the full Moon need 8 Toads."
      - {given: {players: 5, moon: full}, expect: {uncapped: 9, toads_to_win: 8}}
      - {given: {}, expect: undetermined}
      - {given: {players: 1}, expect: undetermined}
    unclear: ["Unclear: The book does not say whether a borrowed Toad counts."]
    also: [The Witch may not brew golden Toads.]

  - id: witch.cards
    title: Cards to draw
    section: The Witch > Brew
    inputs: [players, moon]
    outputs:
      cards:
        type: int
        unit: [card, cards]
        min: 1
        max: 4
        says: [cards, draw]
    steps:
      - name: cards_by_players
        label: for {players} players
        by: [players]
        rows:
          - {is: 1, value: 4, quote: "Players: 1; Cards: 4"}
          - {is: 2..3, value: 3, quote: "Players: 2-3; Cards: 3"}
          - {is: 4.., value: 2, quote: "Players: 4 or more; Cards: 2"}
      - name: cards
        by: [moon]
        rows:
          - is: blood
            value: cards_by_players - 1
            quote: Under the blood Moon, draw 1 card less.
          - is: any
            value: cards_by_players
            quote: ["Players: 1; Cards: 4", "Players: 2-3; Cards: 3", "Players: 4 or more; Cards: 2"]
    examples:
      - {given: {players: 1}, expect: {cards: 4}}
      - {given: {players: 2}, expect: {cards: 3}}
      - {given: {players: 3}, expect: {cards: 3}}
      - {given: {players: 4}, expect: {cards: 2}}
      - {given: {players: 5, moon: blood}, expect: {cards: 1}}

  - id: witch.start
    title: Who begins
    section: The Witch > Brew
    inputs: [moon]
    outputs:
      begins:
        type: enum
        values:
          witch: [the Witch]
          toads: [the Toads]
        says: [begins, starts, first]
    steps:
      - name: begins
        rows:
          - {if: moon == 'new', value: witch, quote: Under the new Moon the Witch begins.}
          - {value: toads, quote: Under any other Moon the Toads begin.}
    examples:
      - {given: {}, expect: {begins: witch}}
      - {given: {moon: full}, expect: {begins: toads}}

  - id: toad.worth
    title: What a Toad counts
    section: Toads
    inputs: [golden]
    outputs:
      worth:
        type: int
        unit: [Toad, Toads]
        min: 1
        max: 2
        says: [counts, worth]
    steps:
      - name: worth
        rows:
          - {if: golden, value: 2, quote: A golden Toad counts as 2 Toads.}
          - {value: 1, quote: A plain Toad counts as 1 Toad.}
    examples:
      - {given: {golden: true}, expect: {worth: 2}}
      - {given: {golden: false}, expect: {worth: 1}}
      - {given: {}, expect: undetermined}

  - id: toad.hop
    title: How far a Toad hops
    section: Toads
    inputs: [golden, golden_hops]
    outputs:
      spaces:
        type: int
        unit: [space, spaces]
        min: 0
        max: 2
        says: [hop, hops, spaces, Toad hops]
    steps:
      - name: spaces
        rows:
          - if: golden and golden_hops == 'stays'
            value: 0
            derived: [0]
            quote: "Unclear: The book does not say whether a golden Toad hops."
            say: a golden Toad stays where it is
          - {value: 2, quote: A Toad hops 2 spaces.}
    examples:
      - {given: {golden: false}, expect: {spaces: 2}}
      - {given: {golden: true, golden_hops: hops}, expect: {spaces: 2}}
      - {given: {golden: true, golden_hops: stays}, expect: {spaces: 0}}
      - {given: {golden: true}, expect: undetermined}
    unclear: ["Unclear: The book does not say whether a golden Toad hops."]

  - id: toad.price
    title: What a potion costs
    section: Toads
    inputs: [golden]
    outputs:
      price: {type: int, unit: [coin, coins], says: [price, cost]}
      double_price: {type: int, min: 0, max: 100, unit: [coin, coins]}
    steps:
      - name: price
        undetermined: the price of a potion stands on its card
        quote: The price of a potion stands on its card.
      - name: double_price
        rows:
          - {if: golden, value: price * 2, quote: A golden Toad counts as 2 Toads.}
          - {value: 1, quote: A plain Toad counts as 1 Toad.}
    examples:
      - {given: {}, expect: undetermined}
      - {given: {golden: false}, expect: {double_price: 1}}

  - id: toad.night
    title: How long the night lasts
    section: Toads
    outputs:
      nights: {type: int, unit: [night, nights], says: [nights]}
    undetermined: it depends on the scenario
    also: [How long the night lasts depends on the scenario.]
    examples:
      - {given: {}, expect: undetermined}

  - id: well.splash
    title: The splash
    section: The Well
    inputs: [dice]
    outputs:
      splash: {type: int, min: 2, max: 18, says: [splash]}
    steps:
      - name: splash
        algorithm: total
        of: [dice]
        quote: "Roll 2 or 3 dice and add them up: this is the splash."
    examples:
      - {given: {dice: [2, 5]}, expect: {splash: 7}}
      - {given: {dice: [6, 6, 6]}, expect: {splash: 18}}
      - {given: {}, expect: undetermined}

  - id: well.overflow
    title: Whether the Well overflows
    section: The Well
    inputs: [pips, dice_rolled]
    outputs:
      overflows:
        type: bool
        yes: the Well overflows
        no: the Well does not overflow
        says: [overflow, overflows, splash overflows]
    steps:
      - name: overflows
        rows:
          - {if: dice_rolled == 3, value: pips >= 8, quote: With 3 dice it overflows at 8 or more.}
          - {value: pips >= 10, quote: The Well overflows if the dice add up to 10 or more.}
    examples:
      - {given: {dice: [4, 5]}, expect: {overflows: false}}
      - {given: {dice: [5, 5]}, expect: {overflows: true}}
      - {given: {dice: [2, 2, 3]}, expect: {overflows: false}}
      - {given: {dice: [2, 3, 3]}, expect: {overflows: true}}
      - {given: {pips: 12}, expect: {overflows: true}}
      - {given: {pips: 9}, expect: undetermined}

  - id: well.depth
    title: How deep the Well is
    section: The Well
    inputs: [here, toads_at]
    outputs:
      depth: {type: int, min: 0, max: 20, unit: [step, steps], says: [depth]}
    steps:
      - name: depth
        algorithm: chebyshev_isolation
        of: [here, toads_at]
        quote: The depth is the steps to the closest Toad; a step aslant is 1 step.
    examples:
      - {given: {here: [0, 0], toads_at: [[2, 1], [3, 3]]}, expect: {depth: 2}}

  - id: well.storm
    title: Toads lost in a storm
    section: The Well
    inputs: [toads_held]
    outputs:
      toads_lost: {type: list, says: [lost]}
    steps:
      - name: toads_lost
        algorithm: kraken_strikes
        of: [toads_held]
        quote: In a storm, whoever has the most Toads goes down to the next highest number.
    examples:
      - {given: {toads_held: [5, 5, 3]}, expect: {toads_lost: [2, 2, 0]}}
      - {given: {toads_held: [4, 4]}, expect: undetermined}

  - id: box.pieces
    title: What is in the box
    section: Setup
    outputs:
      toads_in_box: {type: int, min: 12, max: 12, unit: [Toad, Toads], says: [Toads]}
      wells_in_box: {type: int, min: 2, max: 2, unit: [Well, Wells], says: [Wells]}
      golden_in_box: {type: int, min: 1, max: 1, unit: [golden Toad, golden Toads]}
    steps:
      - {name: toads_in_box, value: 12, quote: There are 12 Toads in the box.}
      - {name: wells_in_box, value: 2, quote: There are 2 Wells in the box.}
      - {name: golden_in_box, value: 1, quote: There is 1 golden Toad in the box.}
    examples:
      - {given: {}, expect: {toads_in_box: 12, wells_in_box: 2, golden_in_box: 1}}
"""


def read_toad_rules(path: Path, rules: str = TOAD_RULES) -> Ruleset:
    """Writes a rule file next to the rulebook at a path, and reads both.

    With the path that `add_book("toad-well", TOAD_WELL)` returns, the command line finds them too.
    """
    path.with_name("rules.yaml").write_text(rules, encoding="utf-8")
    return load_rules(read_rulebook(path))


@pytest.fixture(name="toad_rules", scope="session")
def a_loaded_rule_file(tmp_path_factory: pytest.TempPathFactory) -> Ruleset:
    """`TOAD_RULES` about `TOAD_WELL`, loaded."""
    path = tmp_path_factory.mktemp("toads") / "toad-well" / "rulebook.md"
    path.parent.mkdir()
    path.write_text(TOAD_WELL, encoding="utf-8")
    return read_toad_rules(path)


@pytest.fixture(name="toad_rules_pal", scope="session")
def rulespal_over_the_rule_file(
    toad_rules: Ruleset, tmp_path_factory: pytest.TempPathFactory
) -> RulesPal:
    """RulesPal with this book and its rules alone, and vectors that can be computed by hand."""
    from conftest import WordEmbedder

    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.search.index import read_index, write_index

    folder = tmp_path_factory.mktemp("toad-rules")
    library = Library((toad_rules.book,))
    write_index(folder, library, WordEmbedder(), lambda _done, _total: None)
    return RulesPal(read_index(folder, WordEmbedder()))
