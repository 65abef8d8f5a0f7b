"""The numbers of an answer's own sentences, each held against the rules.

Quoted statements aren't claims of ours: they tell of other rows and other cases. What is checked
is every other sentence, whoever wrote it, by the solver, which shares no arithmetic with what
computed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespal_chat.rules.claims import read_claims
from rulespal_chat.rules.reading import read_inputs
from rulespal_chat.rules.results import Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rulespal_chat.rules.asking import Calculation
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.results import Check
    from rulespal_chat.types import Citation, Draft

_MARKS = re.compile(r" ?\[\d{1,3}\]")


def check(
    draft: Draft, citations: Sequence[Citation], calculations: Sequence[Calculation], engine: Engine
) -> tuple[Check, ...]:
    """Checks the claims of a draft, and what the question itself supposed.

    Args:
        draft: the draft.
        citations: what it quotes.
        calculations: the rules that the question asks, with what is known.
        engine: checks.
    """
    if not draft.status.says_something:
        return ()
    computed = {calculation.sentence for calculation in calculations}
    own = [s for s in own_sentences(draft.text, citations) if s not in computed]
    checks = (
        check
        for calculation in calculations
        for check in _checks(calculation, [calculation.sentence, *own], engine)
    )
    return tuple(_distinct(checks))


def own_sentences(text: str, citations: Sequence[Citation]) -> Iterator[str]:
    """The lines of a text that aren't quotes, without their marks."""
    quotes = {_plain(citation.quote) for citation in citations}
    for line in text.split("\n"):
        sentence = _MARKS.sub("", line).strip()
        if sentence and _plain(sentence) not in quotes:
            yield sentence


def _plain(text: str) -> str:
    return re.sub(r"[\[\]()\s]+", " ", text).strip()


def _checks(calculation: Calculation, own: Sequence[str], engine: Engine) -> Iterator[Check]:
    computed = calculation.computed
    rules, rule = engine.find(computed.rule)
    state = {**dict(computed.inputs), **dict(computed.assumed)}
    if calculation.claim is not None and not calculation.inverse and computed.is_determined:
        yield engine.check(rule.id, dict(computed.inputs), calculation.claim)
    for sentence in own:
        is_computed = sentence == calculation.sentence
        if is_computed and calculation.solution is not None and not calculation.inverse:
            continue  # what it says is possible, or isn't, the solver itself has found
        told = {} if is_computed else read_inputs(sentence, rules, rule)
        about = computed.output if is_computed else None
        for claim in read_claims(_said(sentence, calculation), rule, about):
            yield engine.check(rule.id, {**state, **told}, claim)


def _said(sentence: str, calculation: Calculation) -> str:
    """What is to be read: of an answer backwards, or to a claim, the rule's own sentence."""
    is_computed = sentence == calculation.sentence
    return calculation.computed.sentence if is_computed else sentence


def _distinct(checks: Iterator[Check]) -> list[Check]:
    seen: dict[tuple[str, str, str], Check] = {}
    for one in checks:
        key = (one.right.rule, one.claim.output, f"{one.claim.operator}{one.claim.value}")
        seen.setdefault(key, one)
    return list(seen.values())


def is_disputed(checks: Sequence[Check], calculations: Sequence[Calculation]) -> bool:
    """Whether the rules contradict a sentence of the answer itself, not just the question's."""
    supposed = [c.claim for c in calculations if c.claim is not None]
    return any(c.verdict is Verdict.CONTRADICTS and c.claim not in supposed for c in checks)
