"""What the report shows of each question: plain texts, and what is right about them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rulespal_chat.evaluation.metrics import SEVERAL_BOOKS
from rulespal_chat.evaluation.model import SILENT, Place
from rulespal_chat.evaluation.scoring import gold_places

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rulespal_chat.evaluation.model import EvalQuestion, Row

RIGHT = "right"


@dataclass(frozen=True, slots=True)
class Cited:
    """A citation: its mark, where it stands, whether that is a gold section."""

    mark: int
    place: str
    quote: str
    is_gold: bool


@dataclass(frozen=True, slots=True)
class Ranked:
    """A retrieved section, its score, whether it is a gold section."""

    place: str
    score: str
    is_gold: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A question as the report shows it; `outcome` is one of those that `outcome` gives."""

    id: str
    asked: str
    turns: tuple[str, ...]
    kind: str
    book: str
    role: str
    difficulty: str
    outcome: str
    status: str
    text: str
    gold: str
    gold_sections: tuple[str, ...]
    citations: tuple[Cited, ...]
    retrieved: tuple[Ranked, ...]
    computed: tuple[str, ...]
    checks: tuple[str, ...]
    scores: str

    @property
    def is_right(self) -> bool:
        """Whether the answer is right."""
        return self.outcome == RIGHT


def outcome(row: Row) -> str:
    """How a question went, as one can filter for it."""
    scores = row.scores
    if scores.get("correct"):
        return RIGHT
    if scores.get("wrongly_refused"):
        return "wrongly refused"
    if not row.question.has_answer:
        return "should have been silent" if row.status not in SILENT else "silent otherwise"
    if scores.get("hit@5") == 0:
        return "section not found"
    return "wrong though found" if scores.get("hit@5") else "wrong"


def shown(row: Row) -> Shown:
    """What the report shows of a row."""
    question, answer = row.question, row.answer
    gold = gold_places(question)
    return Shown(
        id=question.id,
        asked=question.question,
        turns=question.turns,
        kind=question.kind,
        book=question.game or SEVERAL_BOOKS,
        role=question.role or "",
        difficulty=question.difficulty,
        outcome=outcome(row),
        status=row.status,
        text=_text(row),
        gold=question.answer,
        gold_sections=_gold_sections(question),
        citations=tuple(_cited(c, gold) for c in answer.get("citations") or ()),
        retrieved=tuple(_ranked(r, gold) for r in answer.get("retrieved") or ()),
        computed=tuple(_computed(c) for c in answer.get("computed") or ()),
        checks=tuple(_check(c) for c in answer.get("checks") or ()),
        scores=_scores(row.scores),
    )


def _text(row: Row) -> str:
    back = row.answer.get("question_back") or {}
    notes = row.answer.get("notes") or ()
    parts = (row.text, back.get("text"), *notes, row.answer.get("error"))
    return "\n".join(dict.fromkeys(str(part) for part in parts if part))


def _scores(scores: Mapping[str, float | None]) -> str:
    """Those that apply; of the times only the whole."""
    told = {n: v for n, v in scores.items() if v is not None}
    return " · ".join(f"{n} {v:.4g}" for n, v in told.items() if is_told(n))


def is_told(name: str) -> bool:
    """Whether a score is more than the time of a single step."""
    return name == "total_ms" or not name.endswith("_ms")


def _gold_sections(question: EvalQuestion) -> tuple[str, ...]:
    groups = (
        (question.sections_all, " (needed)"),
        (question.sections, ""),
        (question.related_sections, " (related)"),
    )
    named = [f"{place.section}{why}" for places, why in groups for place in places]
    return tuple(dict.fromkeys(named))


def _is_gold(found: Mapping[str, Any], gold: Iterable[Place]) -> bool:
    return Place(found["game"], found["section"]) in gold


def _place(found: Mapping[str, Any]) -> str:
    return f"{found['section']} ({found['game']})"


def _cited(citation: Mapping[str, Any], gold: Iterable[Place]) -> Cited:
    is_gold = _is_gold(citation, gold)
    return Cited(citation["mark"], _place(citation), citation["quote"], is_gold)


def _ranked(found: Mapping[str, Any], gold: Iterable[Place]) -> Ranked:
    return Ranked(_place(found), f"{found['score']:.2f}", _is_gold(found, gold))


def _computed(computed: Mapping[str, Any]) -> str:
    name = f"{computed['rule']}, {computed['output']}"
    if computed["value"] is not None:
        return f"{name}: {computed['value']} {computed['unit'] or ''}".rstrip()
    missing = ", ".join(computed.get("missing") or ())
    return f"{name}: missing {missing}" if missing else f"{name}: {computed.get('reason')}"


def _check(check: Mapping[str, Any]) -> str:
    right = check.get("right")
    said = f"{check['rule']}: “{check['claim']}” {check['verdict']}"
    return said if right is None else f"{said} (the rules give {right})"
