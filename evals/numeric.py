"""Measures the symbolic engine: python evals/numeric.py [--failures].

For every example of every rule file: does a plain sentence with the right value pass the check, the
engine's own sentence first, and is each value that is off by one contradicted? And how long do
computing and checking take, warm? Exits with 1 if a sentence is judged wrongly or the medians are
above 1 and 15 milliseconds. Whether the questions' gold values are the engine's, `rulespal eval
--lint` says.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.corpus.library import load_library
from rulespal_chat.evaluation.model import Numeric
from rulespal_chat.evaluation.perturbing import sentences, variants, verdicts
from rulespal_chat.rules.engine import Engine
from rulespal_chat.rules.results import Claim, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulespal_chat.rules.model import Rule

AT_MOST_MS = {"compute": 1.0, "check": 15.0}


@dataclass
class Tally:
    """What was counted, with a line for each sentence that was judged wrongly."""

    of: int = 0
    wrong: list[str] = field(default_factory=list)

    def count(self, sentence: str, got: list[Verdict], *, is_right: bool) -> None:
        """Counts a sentence with its verdicts."""
        self.of += 1
        if not is_right:
            self.wrong.append(f"{sentence} {[str(verdict) for verdict in got]}")


def examples(engine: Engine, games: list[str]) -> Iterator[tuple[Rule, Numeric, str]]:
    """The values of the outputs that the examples of all rule files give, with their sentences."""
    for game in games:
        for rule in engine.rules(game).rules.values():
            names = {output.name for output in rule.outputs}
            for example in rule.examples:
                for name in sorted(names.intersection(example.expect or ())):
                    computed = engine.compute(rule.id, example.given, name)
                    gold = Numeric(rule.id, name, example.given, computed.value)
                    yield rule, gold, computed.sentence


def judge(engine: Engine, games: list[str]) -> tuple[Tally, Tally]:
    """Sentences with right values and with wrong ones."""
    right, wrong = Tally(), Tally()
    for rule, gold, lead in examples(engine, games):
        output = rule.output(gold.output)
        if gold.result is None or not (plain := list(sentences(output, gold.result))):
            continue
        for sentence in (lead, *plain):
            got = verdicts(sentence, gold, engine)
            agreed = bool(got) and set(got) == {Verdict.AGREES}
            right.count(f"{rule.id}: {sentence}", got, is_right=agreed)
        for value in variants(output, gold.result):
            for sentence in sentences(output, value):
                got = verdicts(sentence, gold, engine)
                wrong.count(f"{rule.id}: {sentence}", got, is_right=Verdict.CONTRADICTS in got)
    return right, wrong


def times(engine: Engine, games: list[str]) -> dict[str, float]:
    """Medians in milliseconds over all examples, warm."""
    spent: dict[str, list[float]] = {name: [] for name in AT_MOST_MS}
    for rule, gold, _ in examples(engine, games):
        started = time.perf_counter()
        engine.compute(rule.id, gold.inputs, gold.output)
        computed = time.perf_counter()
        spent["compute"].append(computed - started)
        if gold.result is not None:
            engine.check(rule.id, gold.inputs, Claim(gold.output, "==", gold.result))
            spent["check"].append(time.perf_counter() - computed)
    return {name: 1000 * statistics.median(values) for name, values in spent.items()}


def main() -> int:
    """Prints what was measured; 1 if it isn't good enough."""
    parser = argparse.ArgumentParser(description=__doc__.split(":", maxsplit=1)[0])
    parser.add_argument("--failures", action="store_true", help="list what was judged wrongly")
    shows_failures = parser.parse_args().failures
    library = load_library(Path("without books of one's own"))
    engine, games = Engine(library), [book.id for book in library.books]
    right, wrong = judge(engine, games)
    for name, tally in (("right values alarm", right), ("wrong values pass", wrong)):
        print(f"{name:20} {len(tally.wrong)} of {tally.of}")
        if shows_failures and tally.wrong:
            print(*(f"  - {line}" for line in tally.wrong), sep="\n")
    medians = times(engine, games)
    for name, median in medians.items():
        print(f"{name:20} {median:.2f} ms, median")
    is_quick = all(medians[name] <= most for name, most in AT_MOST_MS.items())
    return int(bool(right.wrong or wrong.wrong) or not is_quick)


if __name__ == "__main__":
    sys.exit(main())
