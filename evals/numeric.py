"""Measures the symbolic engine on the questions that a rule computes.

    python evals/numeric.py [tune|test|all] [--failures] [--check]

- given: rule and state from the question file, does the engine give the answer?
- asked: through `ask`, is the question answered with the value, and is no wrong value agreed with?
- perturbed: does a plain sentence with the right value pass, and is each one that is off by one
  contradicted? For the questions, and for every example of every rule file.
"""

from __future__ import annotations

import argparse
import re
import statistics
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from check import passes
from measure import load

from rulespal_chat.pipeline import RulesPal
from rulespal_chat.rules.claims import read_claims
from rulespal_chat.rules.results import Claim, Verdict
from rulespal_chat.rules.wording import shown, with_unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Output, Rule
    from rulespal_chat.types import Answer

AT_LEAST_ASKED = 0.90
AT_MOST_MS = {"compute": 1.0, "check": 15.0}


@dataclass
class Tally:
    """What was counted, with a line for each failure."""

    right: int = 0
    of: int = 0
    wrong: list[str] = field(default_factory=list)

    def count(self, is_right: bool, line: str) -> None:
        """Counts one case."""
        self.of += 1
        self.right += is_right
        if not is_right:
            self.wrong.append(line)

    @property
    def share(self) -> float:
        """The share of right ones, 1 if there is none."""
        return self.right / self.of if self.of else 1.0


def golds(question: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What rules should give for a question: rule, output, inputs and result."""
    numeric = question.get("numeric")
    if not numeric or "rule" not in numeric:
        return []
    return [numeric, *numeric.get("also", ())]


def frozen(value: Any) -> Value:  # noqa: ANN401  (whatever JSON has)
    """A JSON value as the engine has it: lists are tuples."""
    result: Value = tuple(map(frozen, value)) if isinstance(value, list) else value
    return result


def given(gold: Mapping[str, Any], engine: Engine) -> bool:
    """Whether the engine gives the answer for the rule and state."""
    state = {name: frozen(value) for name, value in gold["inputs"].items()}
    wanted = frozen(gold["result"])
    if gold.get("inverse"):
        claim = Claim(gold["output"], "==", state.pop(gold["output"]))
        solution = engine.solve(gold["rule"], state, claim)
        values = [dict(s).get(gold["inverse"]) for s in solution.states]
        picked = {"min": min, "max": max}.get(gold.get("pick", ""))
        if picked is not None:
            return picked(v for v in values if isinstance(v, int)) == wanted
        return set(values) == {wanted}
    computed = engine.compute(gold["rule"], state, gold["output"])
    if gold.get("possible"):
        return computed.possible == frozen(gold["possible"])
    return computed.value == wanted


def agreed_wrongly(answer: Answer, question: Mapping[str, Any]) -> bool:
    """Whether a value that the gold contradicts is shown as agreed."""
    for gold in golds(question):
        for check in answer.checks:
            same = (check.right.rule, check.claim.output) == (gold["rule"], gold["output"])
            agrees = same and check.verdict is Verdict.AGREES and not gold.get("inverse")
            if agrees and not check.claim.holds(frozen(gold["result"])):
                return True
    return False


def sentences(rule: Rule, output: Output, value: Value) -> Iterator[str]:
    """Plain sentences that claim a value of an output."""
    if isinstance(value, bool):
        yield f"Yes, {output.yes}." if value else f"No, {output.no}."
    elif isinstance(value, int):
        named = [phrase for phrase in output.says if not re.search(r"[{(|.\d]", phrase)]
        if output.unit.many:
            yield f"{with_unit(value, output.unit)}."
            yield f"It is {with_unit(value, output.unit)} in all."
        yield from (f"{phrase}: {value}." for phrase in named[:1])
    elif isinstance(value, tuple) and output.unit.many and isinstance(value[0], int):
        yield f"{with_unit(value, output.unit)}."
    elif isinstance(value, str):
        yield f"{shown(value, output).capitalize()}."
    del rule


def variants(output: Output, value: Value) -> Iterator[Value]:
    """The values that are off by one."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (n for n in (value - 1, value + 1) if n >= 0)
    elif isinstance(value, tuple):
        for place, member in enumerate(value):
            if isinstance(member, int):
                yield (*value[:place], member + 1, *value[place + 1 :])
    else:
        yield from (other for other, _ in output.values if other != value)


def verdicts(
    engine: Engine, rule: Rule, output: Output, state: Mapping[str, Value], sentence: str
) -> list[Verdict]:
    """The verdicts on what a sentence claims of an output."""
    claims = read_claims(sentence, rule, output.name)
    return [engine.check(rule.id, state, claim).verdict for claim in claims]


def perturb(
    engine: Engine, rule: Rule, name: str, state: Mapping[str, Value], tallies: dict[str, Tally]
) -> None:
    """Counts false alarms for the right value and false passes for the wrong ones."""
    computed = engine.compute(rule.id, state, name)
    output = rule.output(name)
    if computed.value is None or _is_nested(computed.value):
        return
    for right in (computed.sentence, *sentences(rule, output, computed.value)):
        got = verdicts(engine, rule, output, state, right)
        alarm = any(v is not Verdict.AGREES for v in got)
        tallies["no false alarm"].count(
            not alarm and bool(got), f"{rule.id} {state}: {right} {got}"
        )
    for wrong in variants(output, computed.value):
        for sentence in sentences(rule, output, wrong):
            got = verdicts(engine, rule, output, state, sentence)
            stopped = Verdict.CONTRADICTS in got
            tallies["no false pass"].count(stopped, f"{rule.id} {state}: {sentence} {got}")


def _is_nested(value: Value) -> bool:
    """Whether it is a list of pairs, which no plain sentence claims."""
    return isinstance(value, tuple) and any(isinstance(member, tuple) for member in value)


def measure(rulespal: RulesPal, questions: Sequence[Mapping[str, Any]]) -> dict[str, Tally]:
    """Everything that is measured."""
    names = ("given", "asked", "nothing wrong agreed", "no false alarm", "no false pass")
    tallies = {name: Tally() for name in names}
    for question in questions:
        for gold in golds(question):
            tallies["given"].count(given(gold, rulespal.engine), f"{question['id']} {gold}")
        if golds(question):
            answer = rulespal.ask(question["question"])
            line = f"{question['id']} {question['question']}\n   {answer.text.splitlines()[0]}"
            tallies["asked"].count(passes(answer.text, question), line)
            fine = not agreed_wrongly(answer, question)
            tallies["nothing wrong agreed"].count(fine, line)
    for rule, name, state in examples(rulespal):
        perturb(rulespal.engine, rule, name, state, tallies)
    return tallies


def examples(rulespal: RulesPal) -> Iterator[tuple[Rule, str, Mapping[str, Value]]]:
    """The outputs that the examples of all rule files give."""
    for book in rulespal.library.books:
        for rule in rulespal.engine.rules(book.id).rules.values():
            outputs = {output.name for output in rule.outputs}
            for example in rule.examples:
                for name in outputs.intersection(example.expect or ()):
                    yield rule, name, example.given


def times(rulespal: RulesPal) -> dict[str, float]:
    """Medians in milliseconds over all examples, warm."""
    engine = rulespal.engine
    spent: dict[str, list[float]] = {"compute": [], "check": []}
    for book in rulespal.library.books:
        for rule in engine.rules(book.id).rules.values():
            for example in rule.examples:
                started = time.perf_counter()
                computed = engine.compute(rule.id, example.given)
                spent["compute"].append(time.perf_counter() - started)
                if computed.value is None:
                    continue
                claim = Claim(rule.outputs[0].name, "==", computed.value)
                started = time.perf_counter()
                engine.check(rule.id, example.given, claim)
                spent["check"].append(time.perf_counter() - started)
    return {name: 1000 * statistics.median(values) for name, values in spent.items()}


def main() -> int:
    """Prints what was measured; with --check, 1 if it isn't good enough."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("split", nargs="?", choices=("tune", "test", "all"), default="all")
    parser.add_argument("--failures", action="store_true")
    parser.add_argument("--check", action="store_true")
    chosen = parser.parse_args()
    splits = ("tune", "test") if chosen.split == "all" else (chosen.split,)
    questions = [question for split in splits for question in load(split)]
    rulespal = RulesPal.open()
    tallies = measure(rulespal, questions)
    for name, tally in tallies.items():
        print(f"{name:22} {tally.share:.2f}  {tally.right} of {tally.of}")
        if chosen.failures:
            print(*(f"  - {line}" for line in tally.wrong[:60]), sep="\n")
    medians = times(rulespal)
    for name, median in medians.items():
        print(f"{name:22} {median:.2f} ms, median")
    exact = all(t.right == t.of for name, t in tallies.items() if name != "asked")
    quick = all(medians[name] <= most for name, most in AT_MOST_MS.items())
    good = exact and quick and tallies["asked"].share >= AT_LEAST_ASKED
    return int(chosen.check and not good)


if __name__ == "__main__":
    sys.exit(main())
