"""A question becomes an answer whose every sentence has a verbatim quote behind it."""

from __future__ import annotations

import asyncio
import json
from typing import TYPE_CHECKING, Any

import pytest
from toad_rules import a_loaded_rule_file as a_loaded_rule_file
from toad_rules import rulespal_over_the_rule_file as rulespal_over_the_rule_file

from rulespal_chat.errors import BadQuestionError, UnknownGameError, UnknownRoleError
from rulespal_chat.types import Draft, Question, Status

if TYPE_CHECKING:
    from langchain_core.runnables import Runnable

    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.types import Answer, Query

CONTRACT = [
    "schema", "question", "understood", "status", "text", "game", "roles", "citations",
    "question_back", "pointers", "not_covered", "notes", "dropped", "writer", "retrieved",
    "timings_ms", "computed", "checks", "state", "model", "error",
]  # fmt: skip


def test_an_answer_quotes_the_rule_and_says_where_it_stands(toad_pal: RulesPal) -> None:
    answer = toad_pal.ask("How often may the witch stir?")
    assert answer.status is Status.ANSWERED
    assert answer.text.startswith("The Witch may stir once. [1]")
    first = answer.citations[0]
    assert (first.mark, first.game, first.quote) == (1, "toad-well", "The Witch may stir once.")
    assert (first.section, first.lines) == ("The Witch > 1) Brew > Stir", (40, 40))
    assert (answer.game, answer.writer, answer.dropped) == ("toad-well", "quotes", 0)


def test_an_unclear_place_comes_along_with_its_rule(toad_pal: RulesPal) -> None:
    answer = toad_pal.ask("how many toads does the witch need to win", role="Hexer")
    said = [answer.text, *answer.notes]
    assert any("whether a golden Toad is a Toad" in text for text in said)


def test_the_answer_as_a_dict_is_the_json_contract(toad_pal: RulesPal) -> None:
    fields = toad_pal.ask("How often may the witch stir?").as_dict()
    assert sorted(fields) == sorted(CONTRACT)
    again = json.loads(json.dumps(fields))
    assert again["schema"] == 1
    assert again["status"] == "answered"
    assert again["citations"][0] == {
        "mark": 1,
        "game": "toad-well",
        "section": "The Witch > 1) Brew > Stir",
        "statement": "toad-well/the-witch/1-brew/stir#004ee7ff",
        "quote": "The Witch may stir once.",
        "lines": [40, 40],
        "page": None,
    }
    assert list(again["timings_ms"]) == [
        "scope", "search", "compute", "write", "cite", "check", "total",
    ]  # fmt: skip
    assert (again["computed"], again["checks"], again["state"]) == ([], [], {})
    assert again["retrieved"][0]["section"] == "The Witch > 1) Brew > Stir"


def test_every_mark_has_a_quote_and_every_quote_a_mark(toad_pal: RulesPal) -> None:
    texts = {s.id: s.text for book in toad_pal.library.books for s in book.statements}
    for question in ("win", "how does each witch win?", "toads and cards", "golden toad?"):
        answer = toad_pal.ask(question)
        for citation in answer.citations:
            assert f"[{citation.mark}]" in answer.text
            assert texts[citation.statement] == citation.quote


def test_what_is_not_in_the_book_has_pointers_and_no_sources(toad_pal: RulesPal) -> None:
    answer = toad_pal.ask("Who designed Toad Quest?")
    assert answer.status is Status.NOT_IN_RULEBOOK
    assert answer.citations == ()
    assert answer.pointers
    assert "Toad Quest" in answer.text


@pytest.mark.parametrize("question", ["hello", "In Catan, what does a 7 do?", "write me a poem"])
def test_other_things_are_out_of_scope(toad_pal: RulesPal, question: str) -> None:
    answer = toad_pal.ask(question)
    assert answer.status is Status.OUT_OF_SCOPE
    assert answer.citations == ()
    assert "Toad Quest: The Well" in answer.text


def test_bad_questions_are_refused_in_one_sentence(toad_pal: RulesPal) -> None:
    for text in ("", " ", "?!", "\x00\x1b", "🎲🎲", "x " * 50_000):
        with pytest.raises(BadQuestionError):
            toad_pal.ask(text)
    with pytest.raises(UnknownGameError, match="nearest: toad-well"):
        toad_pal.ask("win", game="Toad Kwest Deluxe Edition")
    with pytest.raises(UnknownRoleError, match="roles: The Witch, The Old Witch"):
        toad_pal.ask("win", role="cook")


def test_hostile_text_in_a_question_does_not_come_back(toad_pal: RulesPal) -> None:
    answer = toad_pal.ask("\x1b[31mtoads\u202e \x07win")
    assert answer.understood == "[31mtoads win"


def test_a_runnable_can_be_invoked_batched_and_streamed(
    toad_pal: RulesPal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    monkeypatch.setenv("LANGSMITH_ENDPOINT", "http://127.0.0.1:9")
    question = "How often may the witch stir?"
    expected = toad_pal.ask(question).text
    runnable = toad_pal.as_runnable()
    assert runnable.invoke(question).text == expected
    assert [answer.text for answer in runnable.batch([question, question])] == [expected] * 2
    assert [answer.text for answer in runnable.stream(question)] == [expected]


def test_inside_the_runnable_nothing_is_traced_whatever_the_shell_says(
    toad_pal: RulesPal,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from langsmith.run_helpers import get_tracing_context

    monkeypatch.setenv("LANGSMITH_TRACING", "true")
    seen: list[object] = []
    scope = toad_pal._scope

    def looks(question: Question) -> Query:
        seen.append(get_tracing_context()["enabled"])
        return scope(question)

    monkeypatch.setattr(toad_pal, "_scope", looks)
    runnable = toad_pal.as_runnable()
    runnable.invoke("How often may the witch stir?")
    list(runnable.stream("How often may the witch stir?"))
    asyncio.run(_streamed(runnable, "How often may the witch stir?"))
    assert seen == [False] * 3


async def _streamed(runnable: Runnable[Question | str, Answer], question: str) -> list[Answer]:
    return [answer async for answer in runnable.astream(question)]


def test_the_async_forms_give_the_same(toad_pal: RulesPal) -> None:
    question = "How often may the witch stir?"
    expected = toad_pal.ask(question).text
    runnable = toad_pal.as_runnable()
    assert asyncio.run(runnable.ainvoke(question)).text == expected
    batch = asyncio.run(runnable.abatch([question, Question(question)]))
    assert [answer.text for answer in batch] == [expected] * 2
    assert [answer.text for answer in asyncio.run(_streamed(runnable, question))] == [expected]


def test_a_runnable_can_be_a_part_of_a_chain(toad_pal: RulesPal) -> None:
    from langchain_core.runnables import RunnableLambda

    chain = toad_pal.as_runnable() | RunnableLambda(lambda answer: answer.citations[0].section)
    assert chain.invoke("How often may the witch stir?") == "The Witch > 1) Brew > Stir"
    assert list(chain.stream("How often may the witch stir?")) == ["The Witch > 1) Brew > Stir"]


def test_a_langchain_retriever_finds_the_same_sections(toad_pal: RulesPal) -> None:
    from rulespal_chat.search.langchain import RulesPalRetriever

    retriever = RulesPalRetriever(rulespal=toad_pal, k=2)
    documents = retriever.invoke("how often may she stir")
    assert [d.metadata["section"] for d in documents] == [
        found.section.name for found in toad_pal.search("how often may she stir", top=2)
    ]
    assert documents[0].page_content == "The Witch may stir once."


def test_embeddings_are_those_of_the_embedder() -> None:
    from conftest import WordEmbedder

    from rulespal_chat.search.langchain import EmbedderEmbeddings

    embeddings = EmbedderEmbeddings(WordEmbedder())
    assert embeddings.embed_query("moon") == embeddings.embed_documents(["moon", "toad"])[0]


FULL_MOON = "How many Toads to win under the full Moon?"
FULL_MOON_FOR_3 = "How many Toads to win with 3 players under the full Moon?"


def as_json(answer: Answer) -> dict[str, Any]:
    """The answer as another program reads it."""
    fields: dict[str, Any] = json.loads(json.dumps(answer.as_dict()))
    return fields


def test_what_was_computed_is_in_the_json_with_its_derivation(toad_rules_pal: RulesPal) -> None:
    fields = as_json(toad_rules_pal.ask(f"{FULL_MOON_FOR_3}"))
    assert sorted(fields) == sorted(CONTRACT)
    (computed,) = fields["computed"]
    quoted = computed.pop("derivation")
    assert (
        computed.items()
        >= {
            "rule": "witch.goal",
            "output": "toads_to_win",
            "value": 7,
            "unit": "Toads",
            "inputs": {"moon": "full", "players": 3},
            "assumed": {},
            "missing": [],
            "possible": None,
        }.items()
    )
    assert [(step["step"], step["section"], step["quote"]) for step in quoted] == [
        ("4", "The Witch > Difficulty", "Moon: Full; Toads: 4"),
        (
            "4 + 3 = 7",
            "The Witch > How to Win",
            "The Witch needs the Toads of the Moon and 1 for each player.",
        ),
        (
            "7",
            "The Witch > How to Win",
            "The Witch needs the Toads of the Moon and 1 for each player.",
        ),
    ]
    assert fields["state"] == {"moon": "full", "players": 3}
    assert fields["text"].startswith("7 Toads: 4 for the full Moon + 3 players. [1]")
    assert (fields["status"], fields["error"]) == ("answered", None)


def test_what_was_assumed_is_in_the_json_and_in_the_notes(toad_rules_pal: RulesPal) -> None:
    fields = as_json(toad_rules_pal.ask("How many Toads to win with 3 players?"))
    (computed,) = fields["computed"]
    assert computed["assumed"] == {"moon": "new"}
    assert "Assumed: new moon." in fields["notes"]
    assert fields["state"] == {"players": 3}


def test_checks_are_in_the_json(toad_rules_pal: RulesPal) -> None:
    (check,) = as_json(toad_rules_pal.ask(FULL_MOON_FOR_3))["checks"]
    assert (
        check.items()
        >= {
            "rule": "witch.goal",
            "claim": "7 Toads",
            "verdict": "agrees",
            "refuted_by": [],
            "nearest_true": None,
        }.items()
    )


def test_a_missing_input_is_asked_for_in_the_json(toad_rules_pal: RulesPal) -> None:
    fields = as_json(toad_rules_pal.ask(FULL_MOON))
    assert fields["status"] == "needs_input"
    assert fields["question_back"] == {
        "text": "How many players are there?",
        "input": "players",
        "options": ["1", "2", "3", "4", "5"],
    }
    (computed,) = fields["computed"]
    assert (computed["value"], computed["missing"]) == (None, ["players"])
    assert computed["possible"] == [6, 7, 8]
    assert fields["checks"] == []


def test_a_table_is_used_and_said_to_be(toad_rules_pal: RulesPal) -> None:
    answer = toad_rules_pal.ask(FULL_MOON, table=(("players", "3"), ("cook", "7")))
    assert answer.computed[0].value == 7
    assert any(n.startswith("From the table:") and "3 players" in n for n in answer.notes)
    unread = toad_rules_pal.ask(FULL_MOON, table=(("players", "many"),))
    assert unread.status is Status.NEEDS_INPUT


def test_a_list_of_values_can_be_read_by_other_programs(toad_rules_pal: RulesPal) -> None:
    answer = toad_rules_pal.ask("We have 5, 5 and 3 Toads in a storm: how many are lost?")
    (computed,) = as_json(answer)["computed"]
    assert (computed["value"], computed["inputs"]) == ([2, 2, 0], {"toads_held": [5, 5, 3]})


def test_every_derivation_and_refutation_is_a_statement_of_the_book(
    toad_rules_pal: RulesPal,
) -> None:
    places = {
        (section.name, statement.text)
        for book in toad_rules_pal.library.books
        for section in book.sections
        for statement in section.statements
    }
    for question in (
        FULL_MOON_FOR_3,
        "How many Toads to win with 5 players under the full Moon?",
        "Does the splash overflow with 12 pips?",
        "The goal is 7 under the full Moon: how many players are we?",
    ):
        fields = as_json(toad_rules_pal.ask(question))
        steps = [step for computed in fields["computed"] for step in computed["derivation"]]
        assert steps
        assert {(step["section"], step["quote"]) for step in steps} <= places


def test_a_writer_that_is_wrong_is_disputed_and_both_sides_are_shown(
    toad_rules_pal: RulesPal, monkeypatch: pytest.MonkeyPatch
) -> None:
    def writer(*_: object) -> Draft:
        return Draft(Status.ANSWERED, "The Witch needs 6 Toads.")

    monkeypatch.setattr(toad_rules_pal, "_writer", writer)
    answer = toad_rules_pal.ask(FULL_MOON_FOR_3)
    assert answer.status is Status.DISPUTED
    assert answer.status.says_something
    assert answer.text == "The Witch needs 6 Toads."
    wrong = [check for check in as_json(answer)["checks"] if check["verdict"] == "contradicts"]
    assert [(check["claim"], check["right"]) for check in wrong] == [("6 Toads", 7)]
    assert wrong[0]["nearest_true"] == {"moon": "new"}
    assert {"section": "The Witch > Difficulty", "quote": "Moon: Full; Toads: 4"} in wrong[0][
        "refuted_by"
    ]


def test_the_runnable_computes_too(toad_rules_pal: RulesPal) -> None:
    answer = toad_rules_pal.as_runnable().invoke(FULL_MOON_FOR_3)
    assert [computed.value for computed in answer.computed] == [7]
    assert [str(check.verdict) for check in answer.checks] == ["agrees"]
