"""What a sentence claims of the outputs of a rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaged_rules import VAST
from packaged_rules import an_engine as an_engine
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.rules.claims import claimed_rules, read_claims
from rulespal_chat.rules.engine import Engine
from rulespal_chat.rules.results import Claim, Verdict
from rulespal_chat.types import Library

if TYPE_CHECKING:
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset


def claims(
    rules: Ruleset, rule: str, sentence: str, about: str | None = None
) -> list[tuple[str, Value]]:
    """The operators and values that a sentence claims."""
    found = read_claims(sentence, rules.rules[rule], about)
    return [(claim.operator, claim.value) for claim in found]


@pytest.mark.parametrize(
    ("sentence", "claimed"),
    [
        # equals
        ("The goal is 7.", [("==", 7)]),
        ("The Witch needs 7 Toads.", [("==", 7)]),
        ("Toads needed: seven", [("==", 7)]),
        ("exactly 7 Toads to win", [("==", 7)]),
        ("only five Toads", [("==", 5)]),
        ("The goal is 7, not 6.", [("==", 7)]),
        ("The Witch needs 7 Toads, 1 for each player.", [("==", 7)]),
        # at least, at most
        ("At least 7 Toads are needed.", [(">=", 7)]),
        ("The goal is at least 7.", [(">=", 7)]),
        ("A minimum of 7 Toads.", [(">=", 7)]),
        ("no fewer than 5 Toads", [(">=", 5)]),
        ("7 Toads or more", [(">=", 7)]),
        ("At most 8 Toads are needed.", [("<=", 8)]),
        ("No more than 8 Toads needed.", [("<=", 8)]),
        ("The goal is never more than 8.", [("<=", 8)]),
        ("up to 8 Toads", [("<=", 8)]),
        ("8 Toads at most", [("<=", 8)]),
        # more, less
        ("more than 5 Toads", [(">", 5)]),
        ("fewer than 8 Toads", [("<", 8)]),
        ("The goal is under 8.", [("<", 8)]),
        ("7 or more Toads needed", [(">=", 7)]),
        ("The goal: 7+", [(">=", 7)]),
        ("The goal doesn't exceed 8.", [("<=", 8)]),
        ("The goal won't go above 8.", [("<=", 8)]),
        ("It isn't more than 8 Toads.", [("<=", 8)]),
        ("The goal can never be less than 5.", [(">=", 5)]),
        ("The goal exceeds 4.", [(">", 4)]),
        # in signs
        ("goal > 5", [(">", 5)]),
        ("goal < 9", [("<", 9)]),
        ("goal >= 5", [(">=", 5)]),
        ("goal ≤ 8", [("<=", 8)]),
        ("goal != 6", [("!=", 6)]),
        ("goal = 7", [("==", 7)]),
        # not
        ("The goal isn't 6.", [("!=", 6)]),
        ("The goal can't be 9.", [("!=", 9)]),
        ("7 Toads rather than 6 Toads", [("==", 7), ("!=", 6)]),
        # between
        ("Between 5 and 8 Toads needed.", [(">=", 5), ("<=", 8)]),
        ("from 5 to 8 Toads", [(">=", 5), ("<=", 8)]),
        ("The goal is between 5 and 8.", [(">=", 5), ("<=", 8)]),
        ("5-8 Toads", [(">=", 5), ("<=", 8)]),
        ("5–8 Toads", [(">=", 5), ("<=", 8)]),
        ("The goal is 5 to 8.", [(">=", 5), ("<=", 8)]),
        # of an equation its result
        ("3 + 4 = 7 Toads", [("==", 7)]),
        ("The goal is 3 + 4 = 7.", [("==", 7)]),
        # several
        ("The Witch needs 6 Toads with 3 players; the goal is 7 with 4.", [("==", 6), ("==", 7)]),
        # what claims nothing
        ("With 3 players under the full Moon.", []),
        ("Each player has 3.", []),
        ("Chapter 7 of the book.", []),
        ("How many Toads does she need?", []),
        ("The goal can be 8.", []),
        ("You may need 8 Toads.", []),
        ("The goal is 7 or 8.", []),
        ("Either 7 or 8 Toads", []),
        ("about 7 Toads", []),
        ("4 + 3 Toads", []),
        ("The goal is 4 + 3.", []),
        ("Add 2 to 5 Toads.", []),
        ("8 - 5 Toads", []),
        ("The maximum goal is 8.", []),
        ("", []),
    ],
)
def test_what_a_sentence_claims_of_a_number(
    toad_rules: Ruleset, sentence: str, claimed: list[tuple[str, Value]]
) -> None:
    assert claims(toad_rules, "witch.goal", sentence) == claimed


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("The goal is 7.", "7 Toads"),
        ("The goal is at least 7.", "at least 7 Toads"),
        ("The goal is never more than 8.", "at most 8 Toads"),
        ("more than 5 Toads", "more than 5 Toads"),
        ("The goal isn't 6.", "not 6 Toads"),
    ],
)
def test_a_claim_is_said_in_words(toad_rules: Ruleset, sentence: str, text: str) -> None:
    (claim,) = read_claims(sentence, toad_rules.rules["witch.goal"])
    assert str(claim) == text
    assert claim.output == "toads_to_win"


@pytest.mark.parametrize(
    ("sentence", "claimed"),
    [
        ("The Well overflows.", [("==", True)]),
        ("Yes, the Well overflows.", [("==", True)]),
        ("The Well does not overflow.", [("==", False)]),
        ("No, the Well does not overflow: 9 is too little.", [("==", False)]),
        ("Yes, it does.", [("==", True)]),
        ("No.", [("==", False)]),
        ("Right, it overflows.", [("==", True)]),
        ("9 pips.", []),
        ("Nothing is known.", []),
    ],
)
def test_a_bool_is_claimed_by_its_clause_or_by_yes_and_no(
    toad_rules: Ruleset, sentence: str, claimed: list[tuple[str, Value]]
) -> None:
    assert claims(toad_rules, "well.overflow", sentence) == claimed


@pytest.mark.parametrize(
    ("sentence", "claimed"),
    [
        ("The Witch begins.", [("==", "witch")]),
        ("The Toads start.", [("==", "toads")]),
        ("The Toads begin, not the Witch.", [("==", "toads")]),
        ("the Witch", [("==", "witch")]),
        ("First is the Witch.", [("==", "witch")]),
        ("Either the Witch or the Toads begin.", []),
        ("She has the Toads.", []),
        ("Somebody begins.", []),
    ],
)
def test_a_value_of_an_enum_is_claimed_where_it_leads_or_the_output_is_named(
    toad_rules: Ruleset, sentence: str, claimed: list[tuple[str, Value]]
) -> None:
    assert claims(toad_rules, "witch.start", sentence) == claimed


@pytest.mark.parametrize(
    ("sentence", "claimed"),
    [
        ("Lost: 2, 2 and 0.", [("==", (2, 2, 0))]),
        ("Toads lost: 2/2/0", [("==", (2, 2, 0))]),
        ("They lost two, two and none.", [("==", (2, 2, 0))]),
        ("They lost 2 and 2, and nobody else.", []),
        ("2 lost.", [("has", 2)]),
        ("not 2 lost", []),
        ("at least 2 lost", []),
        ("In a storm with 3 Wells.", []),
    ],
)
def test_a_list_is_claimed_whole_or_by_a_member(
    toad_rules: Ruleset, sentence: str, claimed: list[tuple[str, Value]]
) -> None:
    assert claims(toad_rules, "well.storm", sentence) == claimed


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        ("5 Grit: 3 Influence + 2.", "5 Grit"),
        ("3 movement points.", "3 movement points"),
        ("5 payments", "5 payments"),
        ("5.", "5 payments"),
    ],
)
def test_a_claim_has_the_unit_of_the_sentence(engine: Engine, sentence: str, text: str) -> None:
    _, rule = engine.find("ghost.mental_block_cost")
    (claim,) = read_claims(sentence, rule, "mental_block_cost")
    assert str(claim) == text


def test_a_number_claims_the_output_whose_words_are_surest(toad_rules: Ruleset) -> None:
    found = read_claims("12 Toads, 2 Wells and 1 golden Toad", toad_rules.rules["box.pieces"])
    assert [(c.output, c.value) for c in found] == [
        ("toads_in_box", 12), ("wells_in_box", 2), ("golden_in_box", 1),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rule", "about", "sentence", "claimed"),
    [
        ("witch.goal", "toads_to_win", "7: 4 for the full Moon + 3 players.", [("==", 7)]),
        ("witch.goal", "toads_to_win", "At least 7 Toads, with 3 players.", [(">=", 7)]),
        ("witch.goal", "toads_to_win", "None.", []),
        ("well.overflow", "overflows", "Yes, the Well overflows: 10 of 10.", [("==", True)]),
        ("well.overflow", "overflows", "No, the Well does not overflow.", [("==", False)]),
        ("witch.start", "begins", "The Witch: it is the new Moon.", [("==", "witch")]),
        ("well.storm", "toads_lost", "2, 2 and 0: the most is 5.", [("==", (2, 2, 0))]),
        ("well.storm", "toads_lost", "Nobody loses any.", []),
    ],
)
def test_what_a_sentence_about_an_output_says_first_is_its_claim(
    toad_rules: Ruleset, rule: str, about: str, sentence: str, claimed: list[tuple[str, Value]]
) -> None:
    assert claims(toad_rules, rule, sentence, about) == claimed


def test_the_rules_that_a_sentence_claims_something_of_come_surest_first(
    toad_rules: Ruleset,
) -> None:
    claimed = claimed_rules("Toads to win: 7, with 4 players.", toad_rules)
    assert claimed[0][0].id == "witch.goal"
    assert [(c.operator, c.value) for c in claimed[0][1]] == [("==", 7)]
    assert claimed_rules("With 5 players.", toad_rules) == ()
    assert claimed_rules("Good evening!", toad_rules) == ()


@pytest.mark.parametrize(
    ("sentence", "verdict"),
    [
        ("You need 12 Fury.", Verdict.AGREES),
        ("You need 11 Fury.", Verdict.CONTRADICTS),
        ("You need 13 Fury.", Verdict.CONTRADICTS),
        ("The goal is at least 12 Fury.", Verdict.AGREES),
        ("The goal is at least 13 Fury.", Verdict.CONTRADICTS),
        ("The goal is at most 12 Fury.", Verdict.AGREES),
        ("The goal is never more than 11.", Verdict.CONTRADICTS),
        ("The goal is 7 + 5 = 12 Fury.", Verdict.AGREES),
        ("The goal is 7 + 5 = 13 Fury.", Verdict.CONTRADICTS),
        ("It is between 9 and 12 Fury.", Verdict.AGREES),
        ("It is between 13 and 14 Fury.", Verdict.CONTRADICTS),
        ("more than 12 Fury", Verdict.CONTRADICTS),
    ],
)
def test_a_claim_read_is_a_claim_checked(engine: Engine, sentence: str, verdict: Verdict) -> None:
    rule = engine.rules(VAST).rules["ghoul.fury_goal"]
    found = read_claims(sentence, rule)
    verdicts = {engine.check(rule.id, {"players": 5}, claim).verdict for claim in found}
    assert verdict in verdicts
    assert verdicts <= {verdict, Verdict.AGREES}


def test_a_claim_without_words_is_said_by_its_value() -> None:
    assert str(Claim("x", ">=", 3)) == "at least 3"
    assert str(Claim("x", "!=", 3)) == "not 3"
    assert str(Claim("x", "==", 3)) == "3"


@pytest.mark.parametrize(
    ("operator", "of_6", "of_7", "of_8"),
    [
        ("==", False, True, False),
        ("!=", True, False, True),
        ("<", True, False, False),
        ("<=", True, True, False),
        (">", False, False, True),
        (">=", False, True, True),
    ],
)
def test_a_claim_holds_of_the_values_on_its_side(
    operator: str, of_6: bool, of_7: bool, of_8: bool
) -> None:
    claim = Claim("x", operator, 7)
    assert [claim.holds(value) for value in (6, 7, 8)] == [of_6, of_7, of_8]


def test_a_claimed_member_is_one_of_a_list() -> None:
    claim = Claim("x", "has", 2)
    assert claim.holds((2, 0))
    assert not claim.holds((3, 0))
    assert not claim.holds(2)


def test_a_check_and_a_solution_can_be_read_by_other_programs(toad_rules: Ruleset) -> None:
    engine = Engine(Library((toad_rules.book,)))
    check = engine.check("witch.goal", {"players": 3}, Claim("toads_to_win", "==", 7)).as_dict()
    quote = {
        "section": "The Witch > How to Win",
        "quote": "The Witch needs the Toads of the Moon and 1 for each player.",
    }
    assert check == {
        "rule": "witch.goal",
        "output": "toads_to_win",
        "claim": "7",
        "verdict": "contradicts",
        "right": 6,
        "refuted_by": [
            {"section": "The Witch > Difficulty", "quote": "Moon: New; Toads: 3"},
            quote,
        ],
        "nearest_true": {"moon": "full"},
        "missing": [],
    }
    solution = engine.solve("witch.goal", {"moon": "full"}, Claim("toads_to_win", "==", 7))
    assert solution.as_dict() == {
        "output": "toads_to_win",
        "claim": "== 7",
        "states": [{"players": 3}],
        "forbidden_by": [],
        "complete": True,
    }
