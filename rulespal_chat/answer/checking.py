"""The numbers of an answer's own sentences, each held against the rules.

Quoted statements aren't claims of ours: they tell of other rows and other cases. What is checked
is every other sentence, whoever wrote it, by the solver, which shares no arithmetic with what
computed.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespal_chat.rules.cases import Case, read_cases
from rulespal_chat.rules.claims import read_claims
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
        for check in (
            *_supposed(calculation, engine),
            *_checks(calculation, [calculation.sentence, *own], engine),
        )
    )
    return tuple(_distinct(checks))


def contradicts(sentence: str, calculations: Sequence[Calculation], engine: Engine) -> bool:
    """Whether a rule that the question asks contradicts a sentence, for what is known of it.

    Other rules aren't tried: which of them a sentence in somebody's own words claims something of
    is too often mistaken.
    """
    checks = (c for calculation in calculations for c in _checks(calculation, [sentence], engine))
    return any(check.verdict is Verdict.CONTRADICTS for check in checks)


def own_sentences(text: str, citations: Sequence[Citation]) -> Iterator[str]:
    """The lines of a text that aren't quotes, without their marks."""
    quotes = {_plain(citation.quote) for citation in citations}
    for line in text.split("\n"):
        sentence = _MARKS.sub("", line).strip()
        if sentence and _plain(sentence) not in quotes:
            yield sentence


def _plain(text: str) -> str:
    return re.sub(r"[\[\]()\s]+", " ", text).strip()


def _supposed(calculation: Calculation, engine: Engine) -> Iterator[Check]:
    """The check of what the question itself supposes, if it does."""
    computed = calculation.computed
    if calculation.claim is not None and not calculation.inverse and computed.is_determined:
        yield engine.check(computed.rule, dict(computed.inputs), calculation.claim)


def _checks(calculation: Calculation, own: Sequence[str], engine: Engine) -> Iterator[Check]:
    computed = calculation.computed
    rules, rule = engine.find(computed.rule)
    state = {**dict(computed.inputs), **dict(computed.assumed)}
    for sentence in own:
        if sentence != calculation.sentence:
            cases = read_cases(sentence, rules, rule, state)
        elif calculation.solution is not None and not calculation.inverse:
            continue  # what it says is possible, or isn't, the solver itself has found
        else:  # of an answer backwards, or to a claim, the rule's own sentence is read
            cases = (Case({}, read_claims(computed.sentence, rule, computed.output)),)
        for case in cases:
            found = [engine.check(rule.id, {**state, **case.told}, c) for c in case.claims]
            yield from _of_the_output(found)


def _of_the_output(checks: Sequence[Check]) -> Iterator[Check]:
    """The checks of a case, without the other numbers where one is right.

    "7 Toads, for the Moon gives 4 Toads" tells a part of the calculation as well.
    """
    right = {
        (one.right.rule, one.claim.output)
        for one in checks
        if one.verdict is Verdict.AGREES and one.claim.operator == "=="
    }
    for one in checks:
        is_other = one.claim.operator == "==" and one.verdict is Verdict.CONTRADICTS
        if not (is_other and (one.right.rule, one.claim.output) in right):
            yield one


def _distinct(checks: Iterator[Check]) -> list[Check]:
    """Each claim once in each case: the same number may be right in one, and wrong in another."""
    seen: dict[tuple[object, ...], Check] = {}
    for one in checks:
        case = frozenset((*one.right.inputs, *one.right.assumed))
        claim = (one.claim.output, one.claim.operator, one.claim.value)
        seen.setdefault((one.right.rule, claim, case, one.verdict), one)
    return list(seen.values())


def is_disputed(checks: Sequence[Check], calculations: Sequence[Calculation]) -> bool:
    """Whether the rules contradict a sentence of the answer itself, not just the question's."""
    supposed = [c.claim for c in calculations if c.claim is not None]
    return any(c.verdict is Verdict.CONTRADICTS and c.claim not in supposed for c in checks)
