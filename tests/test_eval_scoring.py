"""Each score, on answers that can be scored by hand."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from toad_rules import a_loaded_rule_file as a_loaded_rule_file

from rulespal_chat.evaluation.model import EvalQuestion, Numeric, Place
from rulespal_chat.evaluation.perturbing import perturbed, sentences, variants
from rulespal_chat.evaluation.scoring import SCORES, Scorer
from rulespal_chat.rules.engine import Engine
from rulespal_chat.rules.results import Claim
from rulespal_chat.types import Answer, Citation, Library, ModelUse, Removed, Retrieved, Status

if TYPE_CHECKING:
    from rulespal_chat.evaluation.scoring import Scores
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Ruleset

TOADS = "toad-well"
WIN, BREW, TOAD, WELL = (
    Place(TOADS, name)
    for name in ("The Witch > How to Win", "The Witch > Brew", "Toads", "The Well")
)
QUOTE = "No more than 8 Toads are ever needed."
FULL_MOON: dict[str, Value] = {"players": 3, "moon": "full"}
GOAL = Numeric("witch.goal", "toads_to_win", FULL_MOON, 7)

QUESTION = EvalQuestion(
    id="most",
    question="What is the most Toads she needs?",
    answer="8",
    kind="lookup",
    game=TOADS,
    must_include=(("8",),),
    must_not_include=("9",),
    sections=(WIN,),
)
SILENCE = replace(
    QUESTION,
    kind="unanswerable",
    statuses=("not_in_rulebook", "partly"),
    sections=(),
    must_include=(("doesn't say",),),
)


def cited(place: Place, quote: str = QUOTE, mark: int = 1) -> Citation:
    return Citation(mark, place.game, place.section, "id", quote, (1, 1))


def retrieved(*places: Place) -> tuple[Retrieved, ...]:
    return tuple(Retrieved(place.game, place.section, 0.5) for place in places)


ANSWER = Answer(
    question=QUESTION.question,
    understood=QUESTION.question,
    status=Status.ANSWERED,
    text=f"{QUOTE} [1]",
    game=TOADS,
    roles=(),
    citations=(cited(WIN),),
    question_back=None,
    pointers=(),
    not_covered=None,
    notes=(),
    dropped=0,
    writer="quotes",
    retrieved=retrieved(WIN),
    timings_ms=(("search", 3.0), ("total", 4.5)),
)
NOTHING = replace(ANSWER, status=Status.NOT_IN_RULEBOOK, text="The book doesn't say.", citations=())


@pytest.fixture(name="score")
def scorer(toad_rules: Ruleset) -> Scorer:
    """Scores answers about the toad book."""
    library = Library((toad_rules.book,))
    return Scorer(library, Engine(library))


@pytest.fixture
def engine(toad_rules: Ruleset) -> Engine:
    """The engine over the toad book alone."""
    return Engine(Library((toad_rules.book,)))


def picked(scores: Scores, *names: str) -> tuple[float | None, ...]:
    return tuple(scores[name] for name in names)


@pytest.mark.parametrize("answer", [ANSWER, NOTHING])
@pytest.mark.parametrize("question", [QUESTION, SILENCE, replace(QUESTION, numeric=(GOAL,))])
def test_every_row_has_every_score_and_the_times_of_its_steps(
    question: EvalQuestion, answer: Answer, score: Scorer
) -> None:
    scores = score(question, answer)
    assert scores.keys() == {*SCORES, "search_ms", "total_ms"}
    assert picked(scores, "search_ms", "total_ms") == (3.0, 4.5)


@pytest.mark.parametrize(
    ("places", "scores"),
    [
        ((WIN, BREW), (1, 1, 1, 1, 1)),
        ((BREW, WIN), (0, 1, 1, 1, 1 / 2)),
        ((BREW, TOAD, WIN), (0, 1, 1, 1, 1 / 3)),
        ((BREW, TOAD, WELL, WIN), (0, 0, 1, 1, 1 / 4)),
        ((BREW, BREW, BREW, WIN), (0, 1, 1, 1, 1 / 2)),
        ((BREW, TOAD), (0, 0, 0, 0, 0)),
        ((Place("other-game", WIN.section),), (0, 0, 0, 0, 0)),
        ((), (0, 0, 0, 0, 0)),
    ],
    ids=["first", "second", "third", "fourth", "twice the same", "absent", "other game", "nothing"],
)
def test_retrieval_counts_the_rank_of_the_first_gold_section(
    places: tuple[Place, ...], scores: tuple[float, ...], score: Scorer
) -> None:
    """All have the same score: the rank is that of the order, whatever the sections' names."""
    found = score(QUESTION, replace(ANSWER, retrieved=retrieved(*places)))
    assert picked(found, "hit@1", "hit@3", "hit@5", "all_gold@5", "rr@10") == pytest.approx(scores)


def test_below_rank_ten_a_section_counts_for_nothing(score: Scorer) -> None:
    others = [Place(TOADS, f"Section {n}") for n in range(10)]
    tenth = replace(ANSWER, retrieved=retrieved(*others[:9], WIN))
    eleventh = replace(ANSWER, retrieved=retrieved(*others, WIN))
    assert score(QUESTION, tenth)["rr@10"] == pytest.approx(0.1)
    assert score(QUESTION, eleventh)["rr@10"] == 0


@pytest.mark.parametrize(
    ("places", "hit", "all_gold"),
    [((WIN, BREW), 1, 1), ((BREW, TOAD, WELL, WIN), 1, 1), ((WIN, TOAD), 1, 0), ((TOAD,), 0, 0)],
)
def test_sections_that_are_needed_together_have_to_be_found_together(
    places: tuple[Place, ...], hit: int, all_gold: int, score: Scorer
) -> None:
    question = replace(QUESTION, sections=(), sections_all=(WIN, BREW))
    found = score(question, replace(ANSWER, retrieved=retrieved(*places)))
    assert picked(found, "hit@5", "all_gold@5") == (hit, all_gold)


def test_any_of_several_sections_that_are_enough_will_do(score: Scorer) -> None:
    question = replace(QUESTION, sections=(WIN, BREW))
    found = score(question, replace(ANSWER, retrieved=retrieved(BREW)))
    assert picked(found, "hit@1", "all_gold@5", "citation_recall") == (1, 1, 1)


def test_a_question_without_gold_sections_measures_neither_search_nor_citations(
    score: Scorer,
) -> None:
    found = score(SILENCE, ANSWER)
    names = ("hit@1", "hit@3", "hit@5", "all_gold@5", "rr@10")
    assert set(picked(found, *names, "citation_precision", "citation_recall")) == {None}


@pytest.mark.parametrize(
    ("status", "text", "correct"),
    [
        (Status.ANSWERED, "At most 8.", 1),
        (Status.PARTLY, "At most 8.", 1),
        (Status.DISPUTED, "At most 8.", 1),
        (Status.ANSWERED, "At most 7.", 0),
        (Status.ANSWERED, "8, or 9.", 0),
        (Status.NEEDS_INPUT, "Of the 8 roles, which is yours?", 0),
        (Status.NOT_IN_RULEBOOK, "No 8 is in the book.", 0),
    ],
)
def test_an_answer_is_correct_if_it_passes_the_check_and_says_something(
    status: Status, text: str, correct: int, score: Scorer
) -> None:
    assert score(QUESTION, replace(ANSWER, status=status, text=text))["correct"] == correct


def test_a_question_back_is_correct_where_it_is_accepted(score: Scorer) -> None:
    question = replace(QUESTION, statuses=("needs_input",), must_include=(("which role",),))
    back = replace(NOTHING, status=Status.NEEDS_INPUT, text="Which role is yours?")
    assert score(question, back)["correct"] == 1


@pytest.mark.parametrize(
    ("status", "text", "scores"),
    [
        (Status.NOT_IN_RULEBOOK, "Nothing about it.", (1, 1, 0)),
        (Status.OUT_OF_SCOPE, "I only know rules.", (1, 1, 0)),
        (Status.PARTLY, "The book doesn't say how many.", (1, 1, 0)),
        (Status.PARTLY, "There are 8.", (0, 0, 1)),
        (Status.ANSWERED, "The book doesn't say how many.", (0, 0, 1)),
        (Status.DISPUTED, "There are 8.", (0, 0, 1)),
        (Status.NEEDS_INPUT, "How many players?", (0, 0, 0)),
    ],
)
def test_silence_is_recognised_as_such_and_in_part_only_if_it_says_what_is_open(
    status: Status, text: str, scores: tuple[float, ...], score: Scorer
) -> None:
    found = score(SILENCE, replace(NOTHING, status=status, text=text))
    assert picked(found, "correct", "abstained", "wrongly_answered") == scores
    assert picked(found, "should_abstain", "wrongly_refused") == (1, None)


@pytest.mark.parametrize(
    ("status", "refused"),
    [
        (Status.NOT_IN_RULEBOOK, 1),
        (Status.OUT_OF_SCOPE, 1),
        (Status.PARTLY, 0),
        (Status.NEEDS_INPUT, 0),
    ],
)
def test_silence_on_a_question_that_has_an_answer_is_a_refusal(
    status: Status, refused: int, score: Scorer
) -> None:
    found = score(QUESTION, replace(NOTHING, status=status))
    assert picked(found, "abstained", "wrongly_refused") == (refused, refused)
    assert picked(found, "should_abstain", "wrongly_answered") == (0, None)


def test_silence_that_is_accepted_for_a_question_with_an_answer_is_no_refusal(
    score: Scorer,
) -> None:
    question = replace(
        SILENCE, kind="false_premise", statuses=("answered", "not_in_rulebook"), sections=(WIN,)
    )
    found = score(question, NOTHING)
    names = ("correct", "wrongly_refused", "should_abstain")
    assert picked(found, *names) == (1, 0, None)


@pytest.mark.parametrize(
    ("places", "precision", "recall"),
    [((WIN,), 1, 1), ((WIN, TOAD, WELL, BREW), 1 / 4, 1), ((TOAD,), 0, 0), ((), None, 0)],
)
def test_citations_are_measured_by_their_sections(
    places: tuple[Place, ...], precision: float | None, recall: float, score: Scorer
) -> None:
    answer = replace(ANSWER, citations=tuple(map(cited, places)))
    found = score(QUESTION, answer)
    assert picked(found, "citation_precision", "citation_recall") == (precision, recall)


def test_of_sections_needed_together_the_share_that_is_cited_counts(score: Scorer) -> None:
    question = replace(QUESTION, sections=(), sections_all=(WIN, BREW))
    assert score(question, ANSWER)["citation_recall"] == 0.5


def test_evidence_is_what_the_quotes_alone_say(score: Scorer) -> None:
    without = replace(ANSWER, citations=(cited(TOAD, "A Toad hops 2 spaces."),))
    both = replace(ANSWER, citations=(*without.citations, cited(WIN)))
    assert score(QUESTION, ANSWER)["evidence"] == 1
    assert score(QUESTION, without)["evidence"] == 0
    assert score(QUESTION, both)["evidence"] == 1
    assert score(QUESTION, NOTHING)["evidence"] is None


@pytest.mark.parametrize(
    ("citation", "text", "violations"),
    [
        (cited(WIN), f"{QUOTE} [1]", 0),
        (cited(WIN, QUOTE.replace("8", "7")), "No more than 7 Toads are ever needed. [1]", 1),
        (cited(WIN, "No more than 8 Toads"), "No more than 8 Toads [1]", 1),
        (cited(BREW), f"{QUOTE} [1]", 1),
        (cited(Place("other-game", WIN.section)), f"{QUOTE} [1]", 1),
        (cited(WIN), "At most 8. [1]", 1),
        (cited(WIN), QUOTE, 1),
        (cited(WIN, mark=2), f"{QUOTE} [1]", 1),
    ],
    ids=[
        "verbatim", "changed", "cut", "other section", "other game", "not in the text", "unmarked",
        "other mark",
    ],
)  # fmt: skip
def test_a_quote_is_a_whole_statement_of_its_section_and_stands_in_the_text_with_its_mark(
    citation: Citation, text: str, violations: int, score: Scorer
) -> None:
    answer = replace(ANSWER, citations=(citation,), text=text)
    assert score(QUESTION, answer)["quotes_not_verbatim"] == violations


def test_a_chat_model_has_to_show_the_quote_too(score: Scorer) -> None:
    answer = replace(ANSWER, writer="some:model", text="At most 8 [1].")
    assert score(QUESTION, answer)["quotes_not_verbatim"] == 1
    shown = replace(answer, text=f"At most 8. [1]\n{QUOTE} [1]", citations=(cited(WIN),))
    assert score(QUESTION, shown)["quotes_not_verbatim"] == 0


def test_what_a_chat_model_did_is_scored(score: Scorer) -> None:
    assert score(QUESTION, ANSWER)["model_wrote"] is None
    use = ModelUse(
        "some:model",
        sentences=1,
        removed=(Removed("It is 9.", "no passage says it"),),
        repairs=1,
        calls=2,
        input_tokens=50,
    )
    text = f"The Witch has at most 8. [1]\n{QUOTE} [1]"
    answer = replace(ANSWER, writer="some:model", text=text, model=use, citations=(cited(WIN),))
    scores = score(QUESTION, answer)
    assert (scores["model_wrote"], scores["own_words_correct"]) == (1.0, 1.0)
    assert (scores["removed_sentences"], scores["repairs"]) == (1.0, 1.0)
    assert (scores["input_tokens"], scores["output_tokens"]) == (50.0, None)
    wrong = replace(answer, text=f"The Witch has some. [1]\n{QUOTE} [1]")
    assert score(QUESTION, wrong)["own_words_correct"] == 0.0
    fallen_back = replace(answer, writer="quotes", text=f"{QUOTE} [1]")
    scores = score(QUESTION, fallen_back)
    assert (scores["model_wrote"], scores["own_words_correct"]) == (0.0, None)


def test_words_are_counted_as_they_are_typed(score: Scorer) -> None:
    assert score(QUESTION, replace(ANSWER, text="At most 8, ever."))["words"] == 4


def test_a_number_is_exact_if_it_was_computed_or_told(score: Scorer, engine: Engine) -> None:
    question = replace(QUESTION, numeric=(GOAL,), must_include=(("7",),))
    computed = (engine.compute("witch.goal", GOAL.inputs),)
    for_5 = (engine.compute("witch.goal", {"players": 5, "moon": "full"}),)
    vague = replace(ANSWER, text="Some.")
    assert score(question, replace(vague, computed=computed))["numeric_exact"] == 1
    assert score(question, replace(vague, text="7 Toads."))["numeric_exact"] == 1
    assert score(question, replace(vague, computed=for_5))["numeric_exact"] == 0
    assert score(question, vague)["numeric_exact"] == 0
    assert score(QUESTION, vague)["numeric_exact"] is None


def test_of_several_values_each_has_to_be_computed(score: Scorer, engine: Engine) -> None:
    cards = Numeric("witch.cards", "cards", {"players": 3}, 3)
    question = replace(QUESTION, numeric=(GOAL, cards), must_include=(("seven and three",),))
    goal = engine.compute("witch.goal", GOAL.inputs)
    both = (goal, engine.compute("witch.cards", cards.inputs))
    assert score(question, replace(ANSWER, computed=(goal,)))["numeric_exact"] == 0
    assert score(question, replace(ANSWER, computed=both))["numeric_exact"] == 1


def test_of_a_value_left_open_all_that_is_possible_has_to_be_computed(
    score: Scorer, engine: Engine
) -> None:
    left_open = engine.compute("toad.hop", {"golden": True})
    gold = Numeric("toad.hop", "spaces", {"golden": True}, None, possible=(0, 2))
    question = replace(QUESTION, numeric=(gold,), must_include=(("either",),))
    assert score(question, replace(ANSWER, computed=(left_open,)))["numeric_exact"] == 1
    fewer = replace(question, numeric=(replace(gold, possible=(2,)),))
    assert score(fewer, replace(ANSWER, computed=(left_open,)))["numeric_exact"] == 0


def test_what_is_asked_for_backwards_has_to_be_told(score: Scorer, engine: Engine) -> None:
    inputs: dict[str, Value] = {"moon": "full", "toads_to_win": 7}
    gold = Numeric("witch.goal", "toads_to_win", inputs, 3, inverse="players")
    question = replace(QUESTION, numeric=(gold,), must_include=(("3 players",),))
    computed = (engine.compute("witch.goal", FULL_MOON),)
    assert score(question, replace(ANSWER, computed=computed))["numeric_exact"] == 0
    assert score(question, replace(ANSWER, text="3 players."))["numeric_exact"] == 1


@pytest.mark.parametrize(
    ("claim", "players", "wrongly"),
    [
        (Claim("toads_to_win", "==", 7), 3, 0),
        (Claim("toads_to_win", ">=", 7), 3, 0),
        (Claim("toads_to_win", "==", 6), 2, 1),
        (Claim("toads_to_win", "<=", 6), 2, 1),
        (Claim("toads_to_win", "==", 6), 3, 0),
    ],
    ids=["right", "right bound", "of another case", "bound of another case", "contradicted"],
)
def test_a_check_agrees_wrongly_with_what_gold_contradicts(
    claim: Claim, players: int, wrongly: int, score: Scorer, engine: Engine
) -> None:
    checks = (engine.check("witch.goal", {"players": players, "moon": "full"}, claim),)
    question = replace(QUESTION, numeric=(GOAL,))
    assert score(question, replace(ANSWER, checks=checks))["agreed_wrongly"] == wrongly


def test_the_engine_lets_the_right_value_pass_and_stops_its_neighbours(engine: Engine) -> None:
    cards = Numeric("witch.cards", "cards", {"players": 3}, 3)
    found = perturbed((GOAL, cards), engine)
    assert found == {"false_alarms": 0, "false_passes": 0}


def test_a_wrong_gold_value_shows_as_false_alarms_and_false_passes(engine: Engine) -> None:
    """Three sentences say 8, and are stopped; of the six that say 7 or 9, those with 7 pass."""
    found = perturbed((replace(GOAL, result=8),), engine)
    assert found == {"false_alarms": 1, "false_passes": 0.5}


@pytest.mark.parametrize(
    "gold",
    [
        replace(GOAL, inverse="players"),
        replace(GOAL, result=None, possible=(6, 7)),
        replace(GOAL, rule="witch.gone"),
        replace(GOAL, output="gone"),
    ],
    ids=["backwards", "left open", "rule deleted", "output deleted"],
)
def test_what_no_plain_sentence_claims_is_not_perturbed(gold: Numeric, engine: Engine) -> None:
    assert perturbed((gold,), engine) == {"false_alarms": None, "false_passes": None}


@pytest.mark.parametrize(
    ("rule", "value", "said", "near"),
    [
        ("witch.goal", 7, ["7 Toads.", "It is 7 Toads in all.", "goal: 7."], [6, 8]),
        ("witch.goal", 0, ["0 Toads.", "It is 0 Toads in all.", "goal: 0."], [1]),
        ("well.overflow", True, ["Yes, the Well overflows."], [False]),
        ("witch.start", "witch", ["The witch."], ["toads"]),
        ("well.storm", (2, 0), [], [(3, 0), (2, 1)]),
    ],
)
def test_plain_sentences_and_what_is_off_by_one(
    rule: str, value: Value, said: list[str], near: list[Value], engine: Engine
) -> None:
    output = engine.find(rule)[1].outputs[0]
    assert list(sentences(output, value)) == said
    assert list(variants(output, value)) == near
