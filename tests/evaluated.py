"""For the tests of evaluations: three questions on the toad book, and rows made by hand."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from conftest import WordEmbedder

from rulespal_chat.corpus.parser import parse_rulebook
from rulespal_chat.evaluation.model import EvalQuestion, Figure, Place, Row, Run
from rulespal_chat.search.index import read_index, write_index
from rulespal_chat.types import Library

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from rulespal_chat.search.index import Index

OLD_WIN = "The Old Witch > How to Win"
LINES: list[dict[str, Any]] = [
    {
        "id": "old-win",
        "game": "toad-well",
        "kind": "lookup",
        "question": "How many Toads does the Old Witch need to win?",
        "answer": "5 Toads.",
        "must_include": [["5", "five"]],
        "sections": [OLD_WIN],
    },
    {
        "id": "stir",
        "game": "toad-well",
        "kind": "lookup",
        "question": "How often may the Witch stir?",
        "answer": "Once.",
        "must_include": [["once"]],
        "sections": ["The Witch > 1) Brew > Stir"],
    },
    {
        "id": "weather",
        "game": None,
        "kind": "out_of_scope",
        "question": "What is the weather in Paris?",
        "answer": "That isn't in the rules.",
        "must_include": [["isn't", "not"]],
        "sections": [],
        "status": "out_of_scope",
    },
]


def toad_index(folder: Path, text: str) -> Index:
    """An index of one book, whose file is there, with vectors that can be computed by hand."""
    path = folder / "toad-well" / "rulebook.md"
    path.parent.mkdir(parents=True)
    path.write_text(text, encoding="utf-8")
    built = folder / "index"
    built.mkdir()
    library = Library((parse_rulebook(text, path),))
    write_index(built, library, WordEmbedder(), lambda _done, _total: None)
    return read_index(built, WordEmbedder())


def question_file(path: Path, lines: Iterable[dict[str, Any]] = LINES) -> Path:
    """A file with these questions."""
    path.write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")
    return path


def a_row(
    name: str,
    is_correct: bool,
    text: str = "So it is.",
    status: str = "answered",
    **fields: Any,  # noqa: ANN401  (those of a question)
) -> Row:
    """A row with nothing in it but what is named; `hit` is its hit@5."""
    hit = fields.pop("hit", 1.0)
    question = EvalQuestion(
        **{
            "id": name,
            "question": f"Is it {name}?",
            "answer": "It is.",
            "kind": "lookup",
            "sections": (Place("toad-well", OLD_WIN),),
            **fields,
        }
    )
    answer = {"text": text, "status": status, "citations": [], "retrieved": []}
    return Row(question, answer, {"correct": float(is_correct), "hit@5": hit})


def a_run(*rows: Row, **fields: Any) -> Run:  # noqa: ANN401  (those of a run)
    """A run of these rows, with the share of right answers and a time as its only figures."""
    right = sum(bool(row.scores["correct"]) for row in rows) / len(rows)
    figures = (
        Figure("correct", "all", right, 0.0, 1.0, len(rows)),
        Figure("latency_p50", "all", 12.5, 10.0, 15.0, len(rows)),
        Figure("correct", "kind: lookup", right, 0.0, 1.0, len(rows)),
    )
    config = {"retriever": "product", "split": "test", **fields.pop("config", {})}
    return Run(config, {}, rows, fields.pop("figures", figures), **fields)
