"""What the models were trained on is the library of today, and nothing that measures them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from rapidfuzz import fuzz, process

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.places import packaged_corpus

EVALS = Path(__file__).parent.parent / "evals"
AS_GOOD_AS_SAME = 90  # rapidfuzz ratio, 0 to 100


def rows(folder: Path) -> list[dict[str, Any]]:
    lines = [
        line
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [json.loads(line) for line in lines]


def test_each_question_has_a_statement_of_the_library() -> None:
    books = load_library(packaged_corpus() / "nowhere").books
    statements = {s.id for book in books for section in book.sections for s in section.statements}
    asked = rows(EVALS / "training" / "questions")
    assert len(asked) > 9000
    assert {row["statement"] for row in asked} <= statements
    assert all(row["question"].strip() for row in asked)


def test_each_claim_has_a_statement_of_the_library() -> None:
    books = load_library(packaged_corpus() / "nowhere").books
    statements = {s.id: s.text for book in books for s in book.statements}
    claims: list[dict[str, Any]] = rows(EVALS / "training" / "claims")
    assert len(claims) == len({row["statement"] for row in claims}) > 1400
    assert {row["statement"] for row in claims} <= statements.keys()
    for row in claims:
        assert (len(row["said"]) >= 2, len(row["lies"]) >= 3) == (True, True)
        sentences = [*row["said"], *row["lies"]]
        assert len(sentences) == len(set(sentences))
        assert statements[row["statement"]] not in row["lies"]


def test_no_question_of_the_evaluation_was_trained_on() -> None:
    trained = [row["question"].lower() for row in rows(EVALS / "training" / "questions")]
    measured = [row["question"].lower() for row in rows(EVALS / "questions")]
    like = process.cdist(measured, trained, scorer=fuzz.ratio, score_cutoff=AS_GOOD_AS_SAME)
    assert [measured[n] for n in like.max(axis=1).nonzero()[0]] == []


def test_the_open_texts_that_measure_were_not_trained_on() -> None:
    trained = {row["file"] for row in rows(EVALS / "training" / "open")}
    measured = {row["file"] for row in rows(EVALS / "open")}
    assert measured == {"cairn_srd.md", "piecepack_backgammon.txt"}
    assert trained.isdisjoint(measured)
    # The thirteen games begin with the same Backgammon, which ends here.
    of_thirteen = [r["start"] for r in rows(EVALS / "training" / "open") if "13" in r["file"]]
    assert min(map(int, of_thirteen)) > 5500
