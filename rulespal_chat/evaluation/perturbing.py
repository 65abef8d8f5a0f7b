"""Whether the engine lets right values pass and stops those that are off by one.

Plain sentences that claim a value are read and checked as those of a writer would be.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespal_chat.errors import UnknownRuleError
from rulespal_chat.rules.claims import read_claims
from rulespal_chat.rules.results import Verdict
from rulespal_chat.rules.wording import shown, with_unit

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulespal_chat.evaluation.model import Numeric
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Output


def perturbed(golds: Sequence[Numeric], engine: Engine) -> dict[str, float | None]:
    """Shares, 0 to 1, over the sentences about all gold values of a question.

    Left out are values asked for backwards, which claim nothing of an output, and those of rules
    that the library doesn't have.

    Returns:
        `false_alarms`: of the sentences with the right value, those that the engine doesn't agree
        with. `false_passes`: of those with a value off by one, those that it doesn't contradict.
        None if there is no such sentence.
    """
    alarms: list[bool] = []
    passed: list[bool] = []
    for gold in golds:
        if (output := _output(gold, engine)) is None or gold.result is None:
            continue
        for sentence in sentences(output, gold.result):
            got = verdicts(sentence, gold, engine)
            alarms.append(not got or any(v is not Verdict.AGREES for v in got))
        for wrong in variants(output, gold.result):
            got_all = (verdicts(sentence, gold, engine) for sentence in sentences(output, wrong))
            passed += [Verdict.CONTRADICTS not in got for got in got_all]
    return {"false_alarms": _share(alarms), "false_passes": _share(passed)}


def sentences(output: Output, value: Value) -> Iterator[str]:
    """Plain sentences that claim a value of an output; none for a list of pairs."""
    if isinstance(value, bool):
        yield f"Yes, {output.yes}." if value else f"No, {output.no}."
    elif isinstance(value, int):
        yield from _of_number(output, value)
    elif isinstance(value, tuple):
        if output.unit.many and value and all(isinstance(member, int) for member in value):
            yield f"{with_unit(value, output.unit)}."
    elif isinstance(value, str):
        yield f"{shown(value, output).capitalize()}."


def _of_number(output: Output, value: int) -> Iterator[str]:
    if output.unit.many:
        yield f"{with_unit(value, output.unit)}."
        yield f"It is {with_unit(value, output.unit)} in all."
    plain = [phrase for phrase in output.says if not re.search(r"[{(|.\d]", phrase)]
    yield from (f"{phrase}: {value}." for phrase in plain[:1])


def variants(output: Output, value: Value) -> Iterator[Value]:
    """The values that are off by one: of a list one member, of a name every other."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield from (near for near in (value - 1, value + 1) if near >= 0)
    elif isinstance(value, tuple):
        for place, member in enumerate(value):
            if isinstance(member, int):
                yield (*value[:place], member + 1, *value[place + 1 :])
    else:
        yield from (other for other, _ in output.values if other != value)


def verdicts(sentence: str, gold: Numeric, engine: Engine) -> list[Verdict]:
    """The verdicts on what a sentence claims of the gold's output, for its inputs."""
    _, rule = engine.find(gold.rule)
    claims = read_claims(sentence, rule, gold.output)
    return [engine.check(rule.id, gold.inputs, claim).verdict for claim in claims]


def _output(gold: Numeric, engine: Engine) -> Output | None:
    """What a plain sentence can claim; None for a question backwards or left open."""
    if gold.inverse or gold.possible:
        return None
    try:
        return engine.find(gold.rule)[1].output(gold.output)
    except (UnknownRuleError, KeyError):  # the question set's lint says so
        return None


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
