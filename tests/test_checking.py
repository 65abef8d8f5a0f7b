"""The numbers of an answer's own sentences, each held against the rules."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from packaged_rules import found_sections
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.answer.checking import check, is_disputed, own_sentences
from rulespal_chat.answer.citing import cite
from rulespal_chat.answer.computing import draft_of
from rulespal_chat.rules.asking import Calculation, calculate
from rulespal_chat.rules.engine import Engine
from rulespal_chat.rules.results import Verdict
from rulespal_chat.types import Citation, Draft, Library, Query, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset
    from rulespal_chat.rules.results import Check

GOAL = ("The Witch > How to Win", "The Witch > Difficulty")
FULL_MOON_FOR_3 = "How many Toads to win with 3 players under the full Moon?"
QUOTE = "The Witch needs the Toads of the Moon and 1 for each player."


@pytest.fixture
def toads(toad_rules: Ruleset) -> Engine:
    """The engine over the toad book alone."""
    return Engine(Library((toad_rules.book,)))


def made(engine: Engine, text: str, *sections: str) -> tuple[Calculation, ...]:
    rules = engine.rules("toad-well")
    found = found_sections(rules.book, *sections)
    return calculate(Query(text, text, ("toad-well",)), engine, "toad-well", found, {})


def checked(
    engine: Engine, question: str, text: str, citations: Sequence[Citation] = ()
) -> tuple[Check, ...]:
    """The checks of a text that answers a question on the goal."""
    calculations = made(engine, question, *GOAL)
    return check(Draft(Status.ANSWERED, text), citations, calculations, engine)


def verdicts(checks: tuple[Check, ...]) -> list[tuple[str, Verdict]]:
    return [(str(one.claim), one.verdict) for one in checks]


def cited(quote: str, mark: int = 1) -> Citation:
    return Citation(mark, "toad-well", "The Witch > How to Win", "id", quote, (1, 1))


def test_the_sentence_that_was_computed_is_checked_by_the_solver(toads: Engine) -> None:
    calculations = made(toads, FULL_MOON_FOR_3, *GOAL)
    draft = draft_of(calculations, toads.rules("toad-well"))
    assert draft is not None
    _, citations, _ = cite(draft)
    checks = check(draft, citations, calculations, toads)
    assert verdicts(checks) == [("7 Toads", Verdict.AGREES)]
    assert not is_disputed(checks, calculations)


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("You need 7 Toads.", Verdict.AGREES),
        ("You need 6 Toads.", Verdict.CONTRADICTS),
        ("You need 8 Toads.", Verdict.CONTRADICTS),
        ("The goal is at least 7.", Verdict.AGREES),
        ("The goal is at least 8.", Verdict.CONTRADICTS),
        ("No more than 7 Toads needed.", Verdict.AGREES),
        ("No more than 6 Toads needed.", Verdict.CONTRADICTS),
        ("4 + 3 = 7 Toads.", Verdict.AGREES),
        ("4 + 3 = 8 Toads.", Verdict.CONTRADICTS),
    ],
)
def test_a_sentence_of_another_writer_is_checked_as_well(
    toads: Engine, text: str, verdict: Verdict
) -> None:
    found = checked(toads, FULL_MOON_FOR_3, f"{text} [1]")
    assert verdict in [one.verdict for one in found]
    assert is_disputed(found, made(toads, FULL_MOON_FOR_3, *GOAL)) is (
        verdict is Verdict.CONTRADICTS
    )


def test_a_contradiction_says_what_is_right_and_why(toads: Engine) -> None:
    found = checked(toads, FULL_MOON_FOR_3, "You need 6 Toads.")
    (wrong,) = [one for one in found if one.verdict is Verdict.CONTRADICTS]
    assert wrong.right.value == 7
    assert {pick.statement.text for pick in wrong.refuted_by} >= {QUOTE, "Moon: Full; Toads: 4"}
    assert wrong.nearest_true == ("moon", "new")


def test_a_quoted_statement_is_no_claim_of_ours(toads: Engine) -> None:
    quote = "Example: 4 players under the full Moon need 8 Toads."
    text = f"You need 7 Toads. [1]\n{quote} [2]"
    quoted = checked(toads, FULL_MOON_FOR_3, text, [cited(QUOTE), cited(quote, 2)])
    assert {one.verdict for one in quoted} == {Verdict.AGREES}
    ours = checked(toads, FULL_MOON_FOR_3, text.replace(quote, "You need 8 Toads."))
    assert Verdict.CONTRADICTS in {one.verdict for one in ours}


def test_a_sentence_that_tells_its_own_case_is_checked_in_that_case(toads: Engine) -> None:
    found = checked(toads, FULL_MOON_FOR_3, "With 4 players you need 8 Toads.")
    assert ("8 Toads", Verdict.AGREES) in verdicts(found)
    wrong = checked(toads, FULL_MOON_FOR_3, "With 2 players you need 8 Toads.")
    assert Verdict.CONTRADICTS in [one.verdict for one in wrong]


def test_the_same_number_is_checked_in_each_case(toads: Engine) -> None:
    text = "7 Toads.\nWith 2 players you need 7 Toads."
    found = verdicts(checked(toads, FULL_MOON_FOR_3, text))
    assert found == [("7 Toads", Verdict.AGREES), ("7 Toads", Verdict.CONTRADICTS)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "With 3 players you need 7 Toads and with 4 players you need 8 Toads.",
            [("7 Toads", Verdict.AGREES), ("8 Toads", Verdict.AGREES)],
        ),
        (
            "With 3 players you need 7 Toads and with 4 players you need 7 Toads.",
            [("7 Toads", Verdict.AGREES), ("7 Toads", Verdict.CONTRADICTS)],
        ),
        ("7 Toads with 3 players and 8 Toads with 4.", [("7 Toads", Verdict.AGREES)]),
        ("With 4 or more players you need 8 Toads.", [("7 Toads", Verdict.AGREES)]),
    ],
)
def test_each_case_of_a_sentence_is_checked_alone(
    toads: Engine, text: str, found: list[tuple[str, Verdict]]
) -> None:
    assert verdicts(checked(toads, FULL_MOON_FOR_3, text)) == found


@pytest.mark.parametrize(
    ("text", "is_wrong"),
    [
        ("You need 7 Toads, which are 4 Toads for the Moon and 3.", False),
        ("You need 8 Toads, which are 4 Toads for the Moon and 3.", True),
        ("The goal can't be 9.", False),
        ("The goal can't be 7.", True),
        ("5-8 Toads", False),
        ("8-9 Toads", True),
    ],
)
def test_parts_of_a_calculation_and_bounds_are_no_false_alarms(
    toads: Engine, text: str, is_wrong: bool
) -> None:
    found = [verdict for _, verdict in verdicts(checked(toads, FULL_MOON_FOR_3, text))]
    assert (Verdict.CONTRADICTS in found) is is_wrong


@pytest.mark.parametrize(
    "status", [Status.NEEDS_INPUT, Status.NOT_IN_RULEBOOK, Status.OUT_OF_SCOPE]
)
def test_what_says_nothing_is_not_checked(toads: Engine, status: Status) -> None:
    calculations = made(toads, FULL_MOON_FOR_3, *GOAL)
    assert check(Draft(status, "You need 6 Toads."), (), calculations, toads) == ()


def test_the_same_claim_is_checked_once(toads: Engine) -> None:
    found = checked(toads, FULL_MOON_FOR_3, "You need 7 Toads.\nThe goal is 7.\n7 Toads to win!")
    assert verdicts(found).count(("7 Toads", Verdict.AGREES)) == 1


def test_without_a_calculation_nothing_is_checked(toads: Engine) -> None:
    assert check(Draft(Status.ANSWERED, "You need 6 Toads."), (), (), toads) == ()


def test_own_sentences_are_lines_without_marks_that_quote_nothing() -> None:
    text = f"You need 7 Toads. [1][2]\n{QUOTE} [1]\n\nMoon: Full; Toads: 4 [2]\nThat is all."
    citations = [cited(QUOTE), cited("Moon: Full; Toads: 4", 2)]
    assert list(own_sentences(text, citations)) == ["You need 7 Toads.", "That is all."]
    assert list(own_sentences("", ())) == []


def test_a_quote_with_brackets_of_its_own_is_still_a_quote() -> None:
    quote = "The Knight loses Grit equal to the Ghost's Influence + 2 [INF + 2]."
    assert (
        list(own_sentences(f"{quote.replace('[', '(').replace(']', ')')} [1]", [cited(quote)]))
        == []
    )


def test_backwards_the_value_that_was_told_is_checked(toads: Engine) -> None:
    text = "With the goal at 7 under the full Moon, how many players are we?"
    calculations = made(toads, text, *GOAL)
    draft = draft_of(calculations, toads.rules("toad-well"))
    assert draft is not None
    checks = check(draft, cite(draft)[1], calculations, toads)
    assert [one.verdict for one in checks] == [Verdict.AGREES]
    assert not is_disputed(checks, calculations)


def test_an_answer_is_not_disputed_for_what_the_question_supposed(toads: Engine) -> None:
    computed = toads.compute("witch.goal", {"players": 3, "moon": "full"})
    from rulespal_chat.rules.results import Claim

    supposed = Claim("toads_to_win", "==", 6, "6 Toads")
    sentence = f"No. {computed.sentence}"
    calculation = Calculation(computed, sentence, claim=supposed)
    checks = check(Draft(Status.ANSWERED, sentence), (), [calculation], toads)
    assert verdicts(checks) == [
        ("6 Toads", Verdict.CONTRADICTS), ("7 Toads", Verdict.AGREES),
    ]  # fmt: skip
    assert not is_disputed(checks, [calculation])


def test_a_list_is_checked_whole(toads: Engine) -> None:
    state: dict[str, Value] = {"toads_held": (5, 5, 3)}
    computed = toads.compute("well.storm", state)
    calculation = Calculation(computed, computed.sentence)
    right = check(Draft(Status.ANSWERED, computed.sentence), (), [calculation], toads)
    assert [one.verdict for one in right] == [Verdict.AGREES]
    wrong = check(Draft(Status.ANSWERED, "Lost: 2, 1 and 0."), (), [calculation], toads)
    assert Verdict.CONTRADICTS in [one.verdict for one in wrong]
