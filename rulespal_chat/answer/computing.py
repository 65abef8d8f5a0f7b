"""Drafts of answers that lead with what the rules engine found."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.answer.citing import marked
from rulespal_chat.answer.evidence import notes_on
from rulespal_chat.rules.expressions import MissingError, Value, evaluate
from rulespal_chat.rules.results import Outcome
from rulespal_chat.rules.table import in_words
from rulespal_chat.rules.wording import shown
from rulespal_chat.types import Draft, Kind, QuestionBack, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulespal_chat.rules.asking import Calculation
    from rulespal_chat.rules.model import Input, Row, Rule, Ruleset
    from rulespal_chat.types import Pick

_MOST_QUOTES = 5
_FEW_QUOTES = 2
_OPEN = "what the book leaves open"
_MOST_OPTIONS = 12


def draft_of(calculations: Sequence[Calculation], rules: Ruleset) -> Draft | None:
    """The draft that leads with what was computed; None if nothing is to be said of it."""
    if not calculations:
        return None
    first = calculations[0]
    if first.sentence:
        return _answered(calculations, rules)
    computed = first.computed
    readings = [name for name in computed.missing if rules.inputs[name].is_reading]
    if readings:
        return _left_open(first, rules.inputs[readings[0]], rules)
    if computed.missing:
        return _asking_back(first, rules)
    if computed.outcome is Outcome.INCONSISTENT:
        return _leading("That can't be so.", Status.ANSWERED, computed.refused_by)
    if computed.outcome is Outcome.NOT_APPLICABLE and computed.refused_by:
        return _refused(computed.refused_by)
    if computed.outcome is Outcome.UNDETERMINED:
        return _silent(first)
    return None


def _refused(picks: Sequence[Pick]) -> Draft:
    """The statements by which a rule doesn't apply; among them may be a note that it is open."""
    if any(pick.statement.kind is Kind.UNCLEAR for pick in picks):
        draft = _leading("", Status.PARTLY, picks)
        return Draft(draft.status, draft.text, draft.picks, not_covered=_OPEN)
    return _leading("", Status.ANSWERED, picks)


def _answered(calculations: Sequence[Calculation], rules: Ruleset) -> Draft:
    picks = _distinct(pick for c in calculations for pick in _grounds(c, rules))
    if not _is_proof(calculations[0]):
        picks = picks[:_MOST_QUOTES]
    lead = "\n".join(calculation.sentence for calculation in calculations)
    notes = [note for c in calculations for note in _notes(c, rules)]
    unclear = [note.text for note in notes_on(picks)]
    return _leading(lead, Status.ANSWERED, picks, tuple(dict.fromkeys([*notes, *unclear])))


def _is_proof(calculation: Calculation) -> bool:
    """Whether an answer says that something can't be, of which no step may be left out."""
    return calculation.solution is not None and not calculation.solution.states


def _grounds(calculation: Calculation, rules: Ruleset) -> list[Pick]:
    """The statements that an answer rests on, those that decided it first."""
    computed, solution = calculation.computed, calculation.solution
    if solution is not None and not solution.states:
        return list(solution.forbidden_by)
    if not computed.is_determined:
        return list(_main_statements(rules.rules[computed.rule]))
    last_first = list(reversed(computed.derivation))
    last_first.sort(key=lambda step: step.is_passed_on)
    return [*(pick for step in last_first for pick in step.picks), *computed.also]


def _notes(calculation: Calculation, rules: Ruleset) -> list[str]:
    """What was assumed, and what came from the table."""
    computed = calculation.computed
    notes = []
    if computed.assumed and computed.is_determined:
        notes.append(f"Assumed: {in_words(rules, dict(computed.assumed))}.")
    told = dict(calculation.told)
    known = {n: v for n, v in computed.inputs if n not in told and n != calculation.inverse}
    if known and not calculation.inverse:
        notes.append(f"From the table: {in_words(rules, known)}.")
    return notes


def _asking_back(calculation: Calculation, rules: Ruleset) -> Draft:
    """The question for what is missing, above the rule that needs it."""
    asked = rules.inputs[calculation.computed.missing[0]]
    back = QuestionBack(asked.ask, asked.name, options_of(asked))
    known = {**dict(calculation.told), **dict(calculation.computed.assumed)}
    picks = _main_statements(rules.rules[calculation.computed.rule], known)
    draft = _leading(asked.ask, Status.NEEDS_INPUT, picks, is_marked=False)
    return Draft(draft.status, draft.text, draft.picks, back)


def _left_open(calculation: Calculation, asked: Input, rules: Ruleset) -> Draft:
    """What the book leaves open, with the question how it is read at this table."""
    unclear = calculation.computed.unclear
    rule = rules.rules[calculation.computed.rule]
    picks = _distinct(unclear)[:_FEW_QUOTES] or _main_statements(rule)
    back = QuestionBack(asked.ask, asked.name, options_of(asked))
    draft = _leading(f"The book leaves that open. {asked.ask}", Status.PARTLY, picks)
    return Draft(draft.status, draft.text, draft.picks, back, not_covered=_OPEN)


def _main_statements(rule: Rule, known: Mapping[str, Value] | None = None) -> Sequence[Pick]:
    """Some rules that a value rests on, those of its main section if it has any.

    Args:
        rule: the rule.
        known: inputs that are known; rows that they rule out aren't taken.
    """
    rows = [row for step in rule.steps for row in step.rows if _may_fit(row, known or {})]
    picks = [pick for row in rows for pick in row.picks] or list(rule.picks)
    rests_on = _distinct(p for p in picks if p.statement.kind in {Kind.RULE, Kind.TABLE_ROW})
    main = [pick for pick in rests_on if pick.section.name == rule.section]
    return (main or rests_on)[:_FEW_QUOTES]


def _may_fit(row: Row, known: Mapping[str, Value]) -> bool:
    """Whether a row's condition isn't known to fail."""

    def value_of(name: str) -> Value:
        if name not in known:
            raise MissingError(name)
        return known[name]

    try:
        return row.condition is None or bool(evaluate(row.condition, value_of))
    except MissingError:
        return True


def options_of(asked: Input) -> tuple[str, ...]:
    """The values that an input may have, for people; none if there are too many to list."""
    if asked.type.kind == "bool":
        return ("yes", "no")
    if not 0 < len(asked.domain) <= _MOST_OPTIONS:
        return ()
    return tuple(shown(value, asked) for value in asked.domain)


def _silent(calculation: Calculation) -> Draft:
    """What the book leaves open, with its note."""
    computed = calculation.computed
    picks = _distinct([*computed.unclear, *computed.refused_by])[:_FEW_QUOTES]
    reason = computed.reason.rstrip(".")
    joint = "." if reason[:1].isupper() else ":"
    lead = f"The rulebook doesn't say{joint} {reason}."
    draft = _leading(lead, Status.PARTLY, picks)
    return Draft(draft.status, draft.text, draft.picks, not_covered=_OPEN)


def _leading(
    lead: str,
    status: Status,
    picks: Sequence[Pick],
    notes: tuple[str, ...] = (),
    *,
    is_marked: bool = True,
) -> Draft:
    """A lead with the marks of all that it rests on, above the quotes with a mark each."""
    marks = "".join(f"[{n}]" for n in range(1, len(picks) + 1)) if is_marked else ""
    first, *more = lead.split("\n")
    quotes = [marked(pick.statement.text, n) for n, pick in enumerate(picks, start=1)]
    quoted = {pick.statement.text for pick in picks}
    own = [f"{first} {marks}".rstrip(), *(f"{m} {marks}".rstrip() for m in more)] if lead else []
    text = "\n".join([*own, *quotes])
    return Draft(status, text, tuple(picks), notes=tuple(n for n in notes if n not in quoted))


def _distinct(picks: Iterable[Pick]) -> tuple[Pick, ...]:
    return tuple({pick.statement.id: pick for pick in picks}.values())
