"""What a sentence claims, each claim with the case that it is about."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.rules.cases import read_cases

if TYPE_CHECKING:
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset

Found = list[tuple[dict[str, "Value"], list[str]]]
KNOWN: dict[str, Value] = {"players": 3, "moon": "full"}


def cases(rules: Ruleset, sentence: str, rule: str = "witch.goal") -> Found:
    """The cases with what is claimed of each."""
    found = read_cases(sentence, rules, rules.rules[rule], KNOWN)
    return [(case.told, [str(claim) for claim in case.claims]) for case in found]


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        ("You need 7 Toads.", [({}, ["7 Toads"])]),
        ("With 2 players you need 6 Toads.", [({"players": 2}, ["6 Toads"])]),
        ("At least 5 and at most 8 Toads.", [({}, ["at most 8 Toads"])]),
        ("Between 5 and 8 Toads.", [({}, ["at least 5 Toads", "at most 8 Toads"])]),
        ("Good evening!", []),
        ("", []),
    ],
)
def test_one_case_is_the_whole_sentence(toad_rules: Ruleset, sentence: str, found: Found) -> None:
    assert cases(toad_rules, sentence) == found


@pytest.mark.parametrize(
    "sentence",
    [
        "With 3 players you need 7 Toads and with 4 players you need 8 Toads.",
        "You need 7 Toads with 3 players, 8 Toads with 4 players.",
        "With 3 players, you need 7 Toads, and with 4 players, 8 Toads.",
        "7 Toads, with 3 players; 8 Toads, with 4 players.",
        "The goal is 7 with 3 players, while the goal is 8 with 4 players.",
    ],
)
def test_each_clause_tells_its_own_case(toad_rules: Ruleset, sentence: str) -> None:
    assert cases(toad_rules, sentence) == [
        ({"players": 3}, ["7 Toads"]), ({"players": 4}, ["8 Toads"]),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("sentence", "found"),
    [
        # the second number's case isn't read
        ("7 Toads with 3 players and 8 Toads with 4.", [({"players": 3}, ["7 Toads"])]),
        # the Moon of the second case isn't told, and isn't known to be this one
        ("Under the blood Moon, 8 Toads with 3 players and 7 Toads with 2 players.", []),
        (
            "Under the blood Moon it is 8 Toads with 3 players and 7 Toads with 2 players.",
            [({"players": 3, "moon": "blood"}, ["8 Toads"])],
        ),
        ("With 4 players, unlike 5 players, you need 8 Toads.", []),
        ("With 4 or more players you need 8 Toads.", []),
        ("With 2-4 players you need 8 Toads.", []),
    ],
)
def test_a_claim_whose_case_is_unclear_is_left_out(
    toad_rules: Ruleset, sentence: str, found: Found
) -> None:
    assert cases(toad_rules, sentence) == found


def test_what_is_known_holds_where_a_clause_tells_no_other(toad_rules: Ruleset) -> None:
    sentence = "Under the full Moon it is 7 Toads with 3 players and 8 Toads with 4 players."
    assert cases(toad_rules, sentence) == [
        ({"players": 3, "moon": "full"}, ["7 Toads"]), ({"players": 4}, ["8 Toads"]),
    ]  # fmt: skip


def test_a_list_is_not_torn_apart(toad_rules: Ruleset) -> None:
    sentence = "With Toads 5, 5 and 3 they lost 2, 2 and 0."
    assert cases(toad_rules, sentence, "well.storm") == [
        ({"toads_held": (5, 5, 3)}, ["2, 2 and 0"])
    ]
