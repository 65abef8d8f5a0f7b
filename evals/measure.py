"""Measures answers: python evals/measure.py [tune|test] [--failures] [--check].

No game is named, as by a player who just asks. Prints, each with the number of questions behind it,
how often the right section is first and within five, how often silence is right, how often it is
wrong, how many answers pass their check, and how many quotes aren't in the book word for word.
"""

from __future__ import annotations

import argparse
import json
import re
import statistics
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from check import passes

from rulespal_chat.pipeline import RulesPal
from rulespal_chat.types import Answer, Status

QUESTIONS = Path(__file__).parent / "questions"
SILENT = {Status.NOT_IN_RULEBOOK, Status.OUT_OF_SCOPE}
NO_ANSWER = {"unanswerable", "out_of_scope"}
# On the test half, what `--check` holds the product to: at least, and at most.
AT_LEAST = {
    "right section first": 0.70,
    "right section within five": 0.93,
    "out of scope recognised": 0.90,
    "unanswerable recognised": 0.45,
    "answers that pass their check": 0.68,
}
AT_MOST = {"answerable refused": 0.08, "quotes not verbatim": 0}


@dataclass(frozen=True)
class Row:
    """A question, its answer, and how long that took."""

    question: dict[str, Any]
    answer: Answer
    seconds: float

    @property
    def kind(self) -> str:
        """The question's kind."""
        return str(self.question["kind"])

    def section_within(self, n: int) -> bool:
        """Whether a right section is among the first n that were retrieved."""
        return any(
            found.section in self.question["sections"]
            and self.question["game"] in {None, found.game}
            for found in self.answer.retrieved[:n]
        )

    @property
    def passed(self) -> bool:
        """Whether the answer's text passes the question's check."""
        return passes(self.answer.text, self.question)

    @property
    def kept_silent(self) -> bool:
        """Silence, or part of an answer that says what the book leaves open."""
        partly = self.answer.status is Status.PARTLY and self.passed
        return self.answer.status in SILENT or partly


def load(split: str) -> list[dict[str, Any]]:
    """The questions of a split, in the order of their files."""
    lines = [line for file in sorted(QUESTIONS.glob("*.jsonl")) for line in file.open("rb")]
    return [q for q in map(json.loads, lines) if q["split"] == split]


def run(rulespal: RulesPal, questions: list[dict[str, Any]]) -> list[Row]:
    """Asks every question, naming no game."""
    rows = []
    for question in questions:
        started = time.perf_counter()
        answer = rulespal.ask(question["question"])
        rows.append(Row(question, answer, time.perf_counter() - started))
    return rows


def summary(rows: list[Row], library: RulesPal) -> dict[str, tuple[float, int]]:
    """Each figure with the number of questions that it rests on."""
    with_section = [r for r in rows if r.question["sections"]]
    answerable = [r for r in rows if r.kind not in NO_ANSWER]
    out_of_scope = [r for r in rows if r.kind == "out_of_scope"]
    unanswerable = [r for r in rows if r.kind == "unanswerable"]
    return {
        "right section first": _share([r.section_within(1) for r in with_section]),
        "right section within five": _share([r.section_within(5) for r in with_section]),
        "out of scope recognised": _share(
            [r.answer.status is Status.OUT_OF_SCOPE for r in out_of_scope]
        ),
        "unanswerable recognised": _share([r.kept_silent for r in unanswerable]),
        "answerable refused": _share([r.answer.status in SILENT for r in answerable]),
        "answers that pass their check": _share([r.passed for r in rows]),
        "quotes not verbatim": (
            violations(rows, library),
            sum(len(r.answer.citations) for r in rows),
        ),
    }


def violations(rows: list[Row], rulespal: RulesPal) -> int:
    """How many quotes don't stand word for word in the book's file and in the answer's text."""
    files = {book.id: plain(book.source.read_text("utf-8")) for book in rulespal.library.books}
    return sum(
        not in_file(c.quote, files[c.game]) or plain(c.quote) not in plain(r.answer.text)
        for r in rows
        for c in r.answer.citations
    )


def plain(text: str) -> str:
    """Without emphasis, and without the signs that set table cells apart."""
    return " ".join(re.sub(r"\*\*|[|;]", " ", text).split())


def in_file(quote: str, file: str) -> bool:
    """Whether a quote stands there as a whole, or, from a table, cell by cell."""
    return plain(quote) in file or all(
        plain(cell.partition(": ")[2]) in file for cell in quote.split("; ")
    )


def shortfalls(figures: dict[str, tuple[float, int]]) -> list[str]:
    """The figures that fall short of what `--check` asks for."""
    low = [name for name, least in AT_LEAST.items() if figures[name][0] < least]
    return low + [name for name, most in AT_MOST.items() if figures[name][0] > most]


def _share(hits: list[bool]) -> tuple[float, int]:
    return (sum(hits) / len(hits) if hits else 0.0), len(hits)


def main() -> None:
    """Asks the questions of a split and prints the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("split", nargs="?", choices=["tune", "test"], default="test")
    parser.add_argument("--failures", action="store_true", help="print what failed its check")
    parser.add_argument("--check", action="store_true", help="fail if a figure falls short")
    options = parser.parse_args()
    rulespal = RulesPal.open()
    rulespal.ask("How does the Ghoul win?")  # the first question opens files
    rows = run(rulespal, load(options.split))
    figures = summary(rows, rulespal)
    for name, (value, n) in figures.items():
        shown = f"{value:.2f}" if isinstance(value, float) else f"{value}"
        print(f"{name:32} {shown:>6}   of {n}")
    times = sorted(row.seconds * 1000 for row in rows)
    p95 = times[int(0.95 * (len(times) - 1))]
    print(f"{'warm answer, ms':32} p50 {statistics.median(times):.0f}, p95 {p95:.0f}")
    words = statistics.mean(len(row.answer.text.split()) for row in rows)
    print(f"{'words in an answer':32} {words:.0f}")
    if options.failures:
        for row in (r for r in rows if not r.passed):
            print(f"\n{row.question['id']} {row.kind}: {row.question['question']}")
            print(f"  gold: {row.question['answer']} {row.question['sections']}")
            print(f"  {row.answer.status}: {row.answer.text}")
    if options.check and (short := shortfalls(figures)):
        raise SystemExit(f"Short of what is asked for: {', '.join(short)}")


if __name__ == "__main__":
    main()
