"""From a question to what the rules make of it: a value, a state that gives one, or a yes or no.

Three kinds of question are understood: for an output ("how much Fury do I need?"), backwards for
an input ("my goal is 12, how many players are we?"), and whether an output can be so ("is it 11?",
"can it be 15?").
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulespal_chat.rules.results import Claim, Computed, Outcome, Solution
from rulespal_chat.rules.routing import Asked, Candidate, asked, candidates
from rulespal_chat.rules.wording import listed, shown, with_unit
from rulespal_chat.types import SEPARATOR

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Input, Ruleset
    from rulespal_chat.rules.results import Assignment
    from rulespal_chat.types import Found, Query

# Tuned on the tune half of the questions.
_SURE = 0.62  # a candidate's score, for its value to be said
_SURE_BACKWARDS = 0.6  # less, as the solver must find that nothing else differs
_SURE_STANDARD = 0.76  # for one of the book's standards
_SURE_FACT = 0.80  # for one that no input makes sure
_FOUND_FACT = 0.92  # how well its statement was found, at least
_ASKABLE = 0.74  # for what it lacks to be asked for
_FOUND_OWN = 0.95  # where players ask for themselves: how well the rule was found
_SURELY_NAMED = 0.6  # one word of it, in the question itself
_NAMED = 0.4  # how surely it must be asked for by name, at least
_ASKED_TOGETHER = 0.3  # or so, if several questions are asked at once
_TOGETHER = 0.06  # outputs of a rule that are asked for together score so close
_OTHER_ROLE = 0.2  # what the candidate of another role that is compared may fall short
_MOST_TOGETHER = 2
_FEW = 6  # solutions that can be listed
_TRIED = 4  # candidates, best first
_LEAST = re.compile(r"\b(?:minimum|min|smallest|fewest|least|lowest)\b", re.IGNORECASE)
_MOST = re.compile(r"\b(?:maximum|max|largest|most|highest|biggest)\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Calculation:
    """What the rules make of a question.

    Attributes:
        computed: the value asked for, or what is missing for it.
        sentence: the answer in a plain sentence; empty if there is none.
        inverse: the input that was asked for, where the output was told.
        solution: the states found for it, or for a claim that depends on what isn't known.
        claim: what the question supposes of the output.
        told: the inputs that the question itself gave.
        score: 0 to 1, how surely it is what was asked for.
    """

    computed: Computed
    sentence: str = ""
    inverse: str = ""
    solution: Solution | None = None
    claim: Claim | None = None
    told: Assignment = ()
    score: float = 0.0


def calculate(
    query: Query,
    engine: Engine,
    game: str,
    found: Sequence[Found],
    known: Mapping[str, Value],
) -> tuple[Calculation, ...]:
    """What the rules of a game make of a question; nothing if it asks for nothing that they give.

    Args:
        query: the question.
        engine: computes.
        game: the id of the game that the question is about.
        found: the sections that the search found, best first.
        known: what is known of the game before the question.
    """
    rules = engine.rules(game)
    rated = candidates(query, rules, found, known)
    how = asked(query.topic)
    for candidate in rated[:_TRIED]:
        calculation = _calculated(query.text, how, engine, rules, candidate)
        if calculation is not None:
            others = [
                *_together(how, rated, candidate),
                *_of_other_roles(query, rated, candidate),
            ]
            first = replace(calculation, score=candidate.score)
            return (first, *_values(engine, others))
    return ()


def _calculated(
    text: str, how: Asked, engine: Engine, rules: Ruleset, candidate: Candidate
) -> Calculation | None:
    if candidate.inverse:
        return _inverse(text, engine, rules, candidate)
    if candidate.claimed is not None:
        return _claim(engine, rules, candidate)
    computed = _computed(engine, candidate)
    if not _is_sure(how, candidate, computed):
        return None
    return Calculation(computed, computed.sentence, told=_told(candidate))


def _computed(engine: Engine, candidate: Candidate) -> Computed:
    """The output for what is known; what is spoken of, but not told, isn't assumed."""
    doubted = candidate.reading.mentioned
    rule, output = candidate.rule.id, candidate.output.name
    return engine.compute(rule, candidate.state, output, doubted=doubted)


def _told(candidate: Candidate) -> Assignment:
    return tuple(candidate.reading.state.items())


def _is_sure(how: Asked, candidate: Candidate, computed: Computed) -> bool:
    """Whether the value, or what is missing for it, is what was asked for."""
    if candidate.words < _NAMED:
        return False
    if computed.outcome is Outcome.DETERMINED:
        return candidate.score >= _enough(candidate, computed) and not candidate.reading.left
    if computed.missing:
        return _may_ask(how, candidate, computed)
    if candidate.score < _ASKABLE:
        return False
    return bool(candidate.reading.state) or not candidate.rule.inputs


def _enough(candidate: Candidate, computed: Computed) -> float:
    """The score from which a value is sure: less where the question tells what it depends on."""
    if computed.inputs:
        return _SURE
    if computed.assumed:
        return _SURE_STANDARD
    return _SURE_FACT if candidate.found >= _FOUND_FACT else 1.0


def _may_ask(how: Asked, candidate: Candidate, computed: Computed) -> bool:
    """Whether a value is asked for, and enough is known for the rest to be worth asking for."""
    is_bool = candidate.output.type.kind == "bool"
    is_value = how.is_open or (how.yes_no if is_bool else how.quantity)
    compared = candidate.reading.compared.intersection(computed.missing)
    known = sum(name in candidate.state for name in candidate.rule.inputs)
    is_enough = candidate.score >= _ASKABLE and 0 < known >= len(computed.missing)
    is_own = how.is_personal and how.quantity and candidate.found >= _FOUND_OWN
    is_own = is_own and candidate.words >= _SURELY_NAMED
    return is_value and not compared and (is_enough or is_own)


def _together(how: Asked, rated: Sequence[Candidate], first: Candidate) -> list[Candidate]:
    """Other outputs of the same rule that are asked for as much: "how many, and how far?"."""
    near = _TOGETHER if how.parts == 1 else _ASKED_TOGETHER
    if first.inverse or first.claimed is not None:
        return []
    alike = [
        c
        for c in rated
        if c.rule is first.rule and c is not first and c.score >= first.score - near
        and not c.inverse and c.claimed is None
    ]  # fmt: skip
    return alike[: _MOST_TOGETHER - 1]


def _of_other_roles(
    query: Query, rated: Sequence[Candidate], first: Candidate
) -> Iterator[Candidate]:
    """The best candidate of each other role that a question compares: "nightmare vs shadow"."""
    seen = {_chapter(first)}
    if first.inverse or first.claimed is not None or seen.isdisjoint(query.roles):
        return
    for candidate in rated:
        is_plain = not candidate.inverse and candidate.claimed is None
        is_near = candidate.score >= first.score - _OTHER_ROLE
        chapter = _chapter(candidate)
        if is_plain and is_near and chapter in query.roles and chapter not in seen:
            seen.add(chapter)
            yield candidate


def _chapter(candidate: Candidate) -> str:
    return candidate.rule.section.split(SEPARATOR)[0]


def _values(engine: Engine, beside: Sequence[Candidate]) -> list[Calculation]:
    """What is said beside a value that is sure; it need not be as sure by itself."""
    calculations = []
    for candidate in beside:
        value = _computed(engine, candidate)
        if value.is_determined and candidate.words >= _NAMED and not candidate.reading.left:
            calculations.append(Calculation(value, value.sentence, told=_told(candidate)))
    return calculations


def _claim(engine: Engine, rules: Ruleset, candidate: Candidate) -> Calculation | None:
    """Whether the output can be as the question supposes."""
    if candidate.score < _SURE or candidate.words < _NAMED:
        return None
    claim = Claim(candidate.output.name, "==", candidate.claimed or 0)
    text = with_unit(claim.value, candidate.output.unit)
    claim = replace(claim, text=text)
    computed = _computed(engine, candidate)
    told = _told(candidate)
    if computed.is_determined and computed.value is not None:
        word = "Yes" if claim.holds(computed.value) else "No"
        sentence = f"{word}. {computed.sentence}"
        return Calculation(computed, sentence, claim=claim, told=told)
    if any(rules.inputs[name].is_reading for name in computed.missing):
        return Calculation(computed, told=told)
    solution = engine.solve(candidate.rule.id, candidate.state, claim)
    if solution.states:
        sentence = f"Yes, {text} is possible: {_cases(solution.states, rules)}."
    else:
        sentence = f"No, {text} isn't possible{_range(computed)}."
    return Calculation(computed, sentence, solution=solution, claim=claim, told=told)


def _range(computed: Computed) -> str:
    """What is possible instead, where that is known."""
    numbers = [v for v in computed.possible or () if isinstance(v, int)]
    if not numbers:
        return ""
    return (
        f": it is {min(numbers)} to {max(numbers)}" if len(numbers) > 1 else f": it is {numbers[0]}"
    )


def _inverse(text: str, engine: Engine, rules: Ruleset, candidate: Candidate) -> Calculation | None:
    """The value of an input for which the output is as told."""
    if candidate.score < _SURE_BACKWARDS or candidate.claimed is None:
        return None
    asked = rules.inputs[candidate.inverse]
    value: Value = candidate.claimed
    if candidate.output.type.kind == "bool":
        value = bool(candidate.claimed)
    claim = Claim(candidate.output.name, "==", value)
    state = {**_standards(rules, candidate), **candidate.state}
    solution = engine.solve(candidate.rule.id, state, claim)
    values = _values_of(solution, asked)
    if not values:
        return _impossible(engine, candidate, claim, solution)
    chosen = _chosen(text, values)
    if chosen is None or _depends_on_more(solution, asked):
        return None
    found = next(dict(s) for s in solution.states if dict(s).get(asked.name) == chosen[0])
    told = {**candidate.state, **found}  # without the standards, which are to be named as assumed
    computed = engine.compute(candidate.rule.id, told, candidate.output.name)
    bound = _bound(asked, chosen) if isinstance(claim.value, bool) else ""
    sentence = f"{bound or _spoken(asked, chosen)}. {computed.sentence}"
    return Calculation(computed, sentence, asked.name, solution, claim, _told(candidate))


def _depends_on_more(solution: Solution, asked: Input) -> bool:
    """Whether something else than the input asked for differs among the solutions."""
    others = {tuple(p for p in state if p[0] != asked.name) for state in solution.states}
    return len(others) > 1


def _impossible(
    engine: Engine, candidate: Candidate, claim: Claim, solution: Solution
) -> Calculation | None:
    if isinstance(claim.value, bool):
        return None
    computed = _computed(engine, candidate)
    text = with_unit(claim.value, candidate.output.unit)
    sentence = f"No, {text} isn't possible."
    return Calculation(computed, sentence, candidate.inverse, solution, claim, _told(candidate))


def _standards(rules: Ruleset, candidate: Candidate) -> dict[str, Value]:
    """The standards of the inputs that aren't asked for."""
    given = (rules.inputs[name] for name in candidate.rule.inputs)
    return {
        i.name: i.default for i in given if i.default is not None and i.name != candidate.inverse
    }


def _values_of(solution: Solution, asked: Input) -> list[Value]:
    """The values of an input in the solutions, in the order of its domain."""
    values = {dict(state).get(asked.name) for state in solution.states}
    return [value for value in asked.domain if value in values]


def _chosen(text: str, values: list[Value]) -> list[Value] | None:
    """The values that are asked for: the least, the most, or all if they can be listed."""
    if _LEAST.search(text):
        return values[:1]
    if _MOST.search(text):
        return values[-1:]
    is_span = all(isinstance(v, int) for v in values)
    return values if is_span or len(values) <= _FEW else None


def _bound(asked: Input, values: list[Value]) -> str:
    """The values of a yes as a bound, where they go on to an end of what is possible."""
    if not isinstance(values[0], int) or len(values) < 2:
        return ""
    if values == list(asked.domain[-len(values) :]):
        return f"At least {with_unit(values[0], asked.unit)}"
    if values == list(asked.domain[: len(values)]):
        return f"At most {with_unit(values[-1], asked.unit)}"
    return ""


def _spoken(asked: Input, values: list[Value]) -> str:
    """The values in words: "5 players", "4 to 7 Crystal tokens", "Ragpicker or Scavenger"."""
    numbers = [v for v in values if isinstance(v, int) and not isinstance(v, bool)]
    if len(numbers) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]} {asked.unit.many}".strip()
    if numbers:
        text = listed([str(n) for n in numbers], "or")
        return f"{text} {asked.unit.of(numbers[-1])}".strip()
    text = listed([shown(value, asked) for value in values], "or")
    return text[:1].upper() + text[1:]


def _cases(states: Sequence[Assignment], rules: Ruleset) -> str:
    """Some of the states in words."""
    told = [_case(state, rules) for state in states[:_FEW]]
    more = " and more" if len(states) > _FEW else ""
    return "; ".join(told) + more


def _case(state: Assignment, rules: Ruleset) -> str:
    parts = []
    for name, value in state:
        given = rules.inputs[name]
        if given.type.kind == "bool":
            parts.append(f"{name.replace('_', ' ')}: {shown(value)}")
        else:
            parts.append(with_unit(value, given.unit, given))
    return ", ".join(parts)
