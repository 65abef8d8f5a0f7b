"""Running the examples of a rule file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.rules.forward import compute_in
from rulespal_chat.rules.results import Outcome

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulespal_chat.rules.model import Example, Rule, Ruleset


def failures(rules: Ruleset) -> Iterator[str]:
    """What the examples of all rules don't give as they should, one line each."""
    for rule in rules.rules.values():
        for example in rule.examples:
            for wrong in failures_of(rules, rule, example):
                yield f"line {rule.line}: rule '{rule.id}': {dict(example.given)}: {wrong}"


def failures_of(rules: Ruleset, rule: Rule, example: Example) -> Iterator[str]:
    """What an example doesn't give as it should."""
    if example.expect is None:
        computed = compute_in(rules, rule, example.given)
        if computed.outcome is Outcome.DETERMINED:
            yield f"{computed.output} is {computed.value!r}, where it can't be determined"
        return
    for name, wanted in example.expect.items():
        computed = compute_in(rules, rule, example.given, name)
        if computed.value != wanted or type(computed.value) is not type(wanted):
            got = computed.value if computed.is_determined else computed.reason
            yield f"{name} is {got!r}, not {wanted!r}"
