"""What a sentence claims of the outputs of a rule: "at least 4 Grit", "Yes, it is released".

A number claims the output whose words stand beside it; each number claims once, the surer phrase
first. Of an equation, only the result is claimed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulespal_chat.rules.bounds import low_of_range, operator
from rulespal_chat.rules.phrases import (
    Match,
    find_claimed,
    find_list,
    find_number,
    find_phrase,
    plain,
)
from rulespal_chat.rules.results import Claim
from rulespal_chat.rules.wording import with_unit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rulespal_chat.rules.model import Output, Rule, Ruleset

_EQUATION = re.compile(r"\d+(?: [-+x×*] \d+)+ = (?=\d)")
_SIGNS = {
    "==": "", "!=": "not ", "<": "less than ", "<=": "at most ", ">": "more than ",
    ">=": "at least ",
}  # fmt: skip
# "The maximum goal is 14": what is said isn't said of the output.
_QUALIFIED = re.compile(
    r" (?:maximum|max|minimum|min|highest|largest|biggest|most|lowest|smallest|least|base|basic|"
    r"old|previous|former|other) $"
)
_NOT = re.compile(r" (?:not|isnt|arent|never|instead of|rather than)(?: (?:just|only))? $")
_SIGNED = re.compile(r"(?<= )(?P<sign>[-–] )?(?P<n>\d+)\b")
_YES = re.compile(r"^ (?:yes|yep|yeah|correct|right|true)\b")
_NO = re.compile(r"^ (?:no|nope|wrong|false)\b")


@dataclass(frozen=True, slots=True)
class _Found:
    """A claim and how sure its phrase is."""

    claim: Claim
    match: Match


def read_claims(sentence: str, rule: Rule, about: str | None = None) -> tuple[Claim, ...]:
    """The claims of a sentence about the outputs of a rule, in the order of the sentence.

    Args:
        sentence: in plain words, without quotes of the book.
        rule: whose outputs may be claimed.
        about: the output that the sentence is known to be about; what it says first claims that.
    """
    if about is None:
        return tuple(found.claim for found in _claims(sentence, rule))
    output = rule.output(about)
    form = _EQUATION.sub("", plain(sentence))
    if output.type.kind == "int":
        return _number_about(form, output, rule)
    if output.type.kind == "list":
        return _list_about(form, output)
    found = sorted(_of(form, output, rule), key=lambda f: (f.match.start, -f.match.weight))
    if not found and output.type.kind == "enum":
        found = [f for f in _values_named(form, output) if f.match.start <= 1]
    return tuple(f.claim for f in found[:1])


def _number_about(form: str, output: Output, rule: Rule) -> tuple[Claim, ...]:
    """What the first number of a sentence claims of the output that it is about."""
    first = _SIGNED.search(form)
    if first is None:
        return ()
    value = -int(first["n"]) if first["sign"] else int(first["n"])
    found = [f for f in _of(form, output, rule) if f.match.number_at == first.span("n")]
    sign = found[0].claim.operator if found else "=="
    return (_claim(output, rule, sign, value, form[first.end() :]),)


def _list_about(form: str, output: Output) -> tuple[Claim, ...]:
    """The list that a sentence begins with."""
    listed = re.match(r" (?P<list>\d+(?: (?:, )?(?:and )?\d+)*) ", form)
    if listed is None:
        return ()
    numbers = tuple(map(int, re.findall(r"\d+", listed["list"])))
    return (Claim(output.name, "==", numbers, with_unit(numbers, output.unit)),)


def claimed_rules(sentence: str, rules: Ruleset) -> tuple[tuple[Rule, tuple[Claim, ...]], ...]:
    """The rules that a sentence claims something of, the surest first.

    What tells the case, as "with 5 players" does, claims nothing.
    """
    case = {unit for given in rules.inputs.values() if given.lasts for unit in given.unit.words}
    rated = []
    for rule in rules.rules.values():
        found = [f for f in _claims(sentence, rule) if case.isdisjoint(f.claim.text.split())]
        if found:
            weight = max(f.match.weight for f in found)
            rated.append((weight, rule, tuple(f.claim for f in found)))
    rated.sort(key=lambda entry: -entry[0])
    return tuple((rule, claims) for _, rule, claims in rated)


def _claims(sentence: str, rule: Rule) -> list[_Found]:
    form = _EQUATION.sub("", plain(sentence))
    found = [f for output in rule.outputs for f in _of(form, output, rule)]
    found.sort(key=lambda f: (-f.match.weight, f.match.start))
    taken: set[int] = set()
    kept: list[_Found] = []
    for one in found:
        place = one.match.number_at or (one.match.start, one.match.start)
        places = set(range(*place)) or {one.match.start}
        if taken.isdisjoint(places):
            taken |= places
            rivals = {
                f.claim.output
                for f in found
                if f.match.number_at == one.match.number_at and f.match.weight == one.match.weight
            } - {one.claim.output}
            claim = replace(one.claim, rivals=tuple(sorted(rivals)))
            kept.append(replace(one, claim=claim))
    return sorted(kept, key=lambda f: f.match.start)


def _of(form: str, output: Output, rule: Rule) -> Iterator[_Found]:
    match output.type.kind:
        case "int":
            yield from _of_int(form, output, rule)
        case "bool":
            yield from _of_bool(form, output, rule)
        case "enum":
            yield from _of_enum(form, output)
        case "list":
            yield from _of_list(form, output)


def _phrases(output: Output) -> tuple[str, ...]:
    return tuple(dict.fromkeys([*output.says, *output.unit.words]))


def _of_int(form: str, output: Output, rule: Rule) -> Iterator[_Found]:
    for phrase in _phrases(output):
        for match in find_claimed(phrase, form):
            if match.number is None or match.number_at is None:
                continue
            start, end = match.number_at
            before, after = form[:start], form[end:]
            if match.start < start and _QUALIFIED.search(form[: match.start]):
                continue
            if (low := low_of_range(before, match.number)) is not None:
                yield _Found(_claim(output, rule, ">=", low, after), match)
                yield _Found(_claim(output, rule, "<=", match.number, after), _moved(match))
            elif sign := operator(before, after, form[match.end :]):
                yield _Found(_claim(output, rule, sign, match.number, after), match)


def _claim(output: Output, rule: Rule, sign: str, number: int, after: str) -> Claim:
    """The claim on a number, with the unit that stands after it: a row may have its own."""
    units = (output.unit, *(row.unit for step in rule.steps for row in step.rows if row.unit))
    named = [u for u in units if any(after.startswith(plain(w)) for w in (u.one, u.many) if w)]
    unit = max(named, key=lambda unit: len(unit.many), default=output.unit)
    return Claim(output.name, sign, number, f"{_SIGNS[sign]}{with_unit(number, unit)}")


def _moved(match: Match) -> Match:
    """The match under another place, so that both ends of a range are kept."""
    start, end = match.number_at or (match.start, match.end)
    return replace(match, numbers=(), number_at=(-end, -start))


def _of_bool(form: str, output: Output, rule: Rule) -> Iterator[_Found]:
    """By the output's own clauses, else by a "yes" or "no" that goes with its words."""
    for value, clause in ((False, output.no), (True, output.yes)):
        for match in find_phrase(_literal(clause), form):
            yield _Found(
                Claim(output.name, "==", value, form[match.start : match.end].strip()), match
            )
            return
    told = True if _YES.search(form) else False if _NO.search(form) else None
    if told is None:
        return
    alone = sum(other.type.kind == "bool" for other in rule.outputs) == 1
    for phrase in output.says:
        for match in find_phrase(phrase, form):
            yield _Found(Claim(output.name, "==", told, "yes" if told else "no"), match)
            return
    if alone:
        match = Match(0, 1, weight=1)
        yield _Found(Claim(output.name, "==", told, "yes" if told else "no"), match)


def _literal(clause: str) -> str:
    """A clause as a phrase: its brackets and dots are no signs."""
    return re.sub(r"[(){}|?]|\.\.", " ", clause)


def _of_enum(form: str, output: Output) -> Iterator[_Found]:
    """A value's name, where the sentence leads with it or speaks of the output."""
    found = _values_named(form, output)
    leads = any(f.match.start <= 1 for f in found)
    is_named = any(True for phrase in output.says for _ in find_phrase(phrase, form))
    if len({f.claim.value for f in found}) == 1 and (leads or is_named):
        yield max(found, key=lambda f: f.match.weight)


def _values_named(form: str, output: Output) -> list[_Found]:
    return [
        _Found(Claim(output.name, "==", value, form[match.start : match.end].strip()), match)
        for value, called in output.values
        for phrase in called
        for match in find_phrase(phrase, form)
        if not _NOT.search(form[: match.start])
    ]


def _of_list(form: str, output: Output) -> Iterator[_Found]:
    """A whole list, or one number that must be a member of it: "each loses 3"."""
    whole = [m for p in _phrases(output) for m in find_list(p, form) if m.numbers]
    for match in whole:
        text = with_unit(match.numbers, output.unit)
        yield _Found(Claim(output.name, "==", match.numbers, text), match)
    if not whole:
        for phrase in _phrases(output):
            for match in find_number(phrase, form):
                start, end = match.number_at or (0, 0)
                sign = operator(form[:start], form[end:], form[match.end :])
                if match.number is not None and sign == "==":
                    text = form[match.start : match.end].strip()
                    yield _Found(Claim(output.name, "has", match.number, text), match)
