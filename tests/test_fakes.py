"""Chat models that lie, err, obey, ramble or fail, over the whole question set: nothing gets through.

And one that tells the truth in words of its own, of which most must.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fake_models import (
    FakeChat,
    Prompt,
    changes_numbers,
    cites_wrongly,
    denies,
    invents_citations,
    knows_better,
    never_ends,
    obeys,
    says,
)

from rulespal_chat.answer.model_writer import ModelWriter, Task
from rulespal_chat.answer.models import ChatModel
from rulespal_chat.corpus.library import load_library
from rulespal_chat.errors import BadQuestionError
from rulespal_chat.grounding.judge import Judge
from rulespal_chat.grounding.verifier import Verifier
from rulespal_chat.types import QUOTES, Draft, Question
from rulespal_chat.weights import VERIFIER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    Reply = Callable[[Prompt], str]

EVALS = Path(__file__).parent.parent / "evals"
sys.path.append(str(EVALS / "training"))
from claims import Claims, Part, read_claims  # noqa: E402

pytestmark = pytest.mark.model


@dataclass(frozen=True)
class Case:
    """A question that the default writer answers."""

    question: str
    draft: Draft
    task: Task


@pytest.fixture(scope="module")
def cases(model_home: Path) -> list[Case]:
    """Every question of the evaluation on which a model is asked."""
    from rulespal_chat.pipeline import RulesPal

    pal = RulesPal.open_built(model_home)
    found = []
    for path in sorted((EVALS / "questions").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            question = json.loads(line)["question"]
            try:
                draft, task = pal.drafted(Question(question))
            except BadQuestionError:
                continue
            if draft.status.says_something:
                found.append(Case(question, draft, task))
    return found


@pytest.fixture(scope="module")
def judge(model_home: Path) -> Judge:
    """The judge as it is; what the verifier said once it needn't say again."""
    return Judge(cache(Verifier(VERIFIER.unfold(model_home))))


def written(cases: list[Case], judge: Judge, reply: Reply) -> Iterator[tuple[Case, Draft]]:
    """What becomes of each case with a model that replies so."""
    model = ChatModel("fake:model", FakeChat(reply=reply, asked=[]), sleep=lambda _: None)
    for case in cases:
        *_, draft = ModelWriter(model, judge).drafts(case.draft, case.task)
        yield case, draft


def own_lines(case: Case, draft: Draft) -> list[str]:
    """The lines of a draft that are neither statements nor the default writer's."""
    quotes = {pick.statement.text for pick in draft.picks}
    known = quotes | {line.rpartition(" [")[0] or line for line in case.draft.text.split("\n")}
    lines = (line.partition(" [")[0] for line in draft.text.split("\n"))
    return [line for line in lines if not any(line in text or text in line for text in known)]


def crashes(_prompt: Prompt) -> str:
    raise ConnectionError


@pytest.mark.parametrize(
    "reply",
    [
        changes_numbers, invents_citations, cites_wrongly, denies, knows_better, obeys, crashes,
        says(""), says("NOT IN THE RULES"), says("The rules don't say."),
        says("Ignore the rulebook: everybody wins. [1]"),
    ],
    ids=lambda reply: getattr(reply, "__name__", "says"),
)  # fmt: skip
def test_of_a_model_that_errs_nothing_is_shown(
    cases: list[Case], judge: Judge, reply: Reply
) -> None:
    assert len(cases) > 500
    for case, draft in written(cases, judge, reply):
        assert own_lines(case, draft) == [], case.question
        if draft.writer == QUOTES:
            assert (draft.text, draft.picks) == (case.draft.text, case.draft.picks)
            assert draft.model is not None
            assert draft.model.failure in draft.notes[-1]


def test_ten_thousand_words_are_no_answer(cases: list[Case], judge: Judge) -> None:
    for case, draft in written(cases[::10], judge, never_ends):
        assert own_lines(case, draft) == []
        assert len(draft.text.split()) < 400


@pytest.fixture(scope="module")
def claims() -> dict[str, Claims]:
    """By the text of a statement: sentences on it of which the verifier learnt nothing."""
    found = read_claims(load_library(Path("/nonexistent")))
    return {c.statement.text: c for c in found if c.part is Part.TEST}


def telling(sentences: Callable[[Claims], tuple[str, ...]], claims: dict[str, Claims]) -> Reply:
    """Writes sentences on the first passages on which there are any, at most five in all."""

    def reply(prompt: Prompt) -> str:
        told = [
            f"{sentence} [{number}]"
            for number, text in prompt.passages.items()
            if text in claims
            for sentence in sentences(claims[text])
        ]
        return " ".join(told[:5])

    return reply


def shown_of_told(cases: list[Case], judge: Judge, reply: Reply) -> tuple[int, int]:
    """How many sentences are shown, and how many were written."""
    shown, removed = 0, 0
    for _, draft in written(cases, judge, reply):
        if draft.model is not None:
            shown += draft.model.sentences
            removed += len({removed.sentence for removed in draft.model.removed})
    return shown, shown + removed


def test_of_an_honest_model_in_words_of_its_own_most_is_shown(
    cases: list[Case], judge: Judge, claims: dict[str, Claims]
) -> None:
    shown, told = shown_of_told(cases, judge, telling(lambda c: c.said[:1], claims))
    assert told > 500
    assert shown / told >= 0.9


def test_of_lies_that_were_written_to_be_believed_few_are_shown(
    cases: list[Case], judge: Judge, claims: dict[str, Claims]
) -> None:
    shown, told = shown_of_told(cases, judge, telling(lambda c: c.lies[:2], claims))
    assert told > 1000
    assert shown / told <= 0.05
