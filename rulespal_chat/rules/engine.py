"""The engine: compute a rule, check a claim, solve backwards, make a table.

The evaluator computes and the solver checks; they read the same tree but share no arithmetic, so
that one stands for the other.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from rulespal_chat.errors import CorpusError, UnknownRuleError
from rulespal_chat.rules.forward import compute_in
from rulespal_chat.rules.loading import load_rules
from rulespal_chat.rules.model import Output, Rule, Ruleset, State
from rulespal_chat.rules.results import Check, Claim, Computed, Outcome, Solution, Verdict
from rulespal_chat.rules.state import completed
from rulespal_chat.rules.table import in_words
from rulespal_chat.rules.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.types import Library, Rulebook

_NEAREST = 3


class Engine:
    """Computes the rules of a library's books; a book's rule file is read when it is first needed.

    Args:
        library: the books.
        cache: a folder in which rule files that were read are kept.
    """

    def __init__(self, library: Library, cache: Path | None = None) -> None:
        self._cache = cache
        self._books = {book.id: book for book in library.books}
        self._rulesets: dict[str, Ruleset] = {}

    def rules(self, game: str) -> Ruleset:
        """The rules of a game; a file that can't be read is a problem of an empty ruleset."""
        if game not in self._rulesets:
            self._rulesets[game] = _loaded(self._books[game], self._cache)
        return self._rulesets[game]

    def find(self, rule: str) -> tuple[Ruleset, Rule]:
        """A rule by its id.

        Raises:
            UnknownRuleError: no game has it.
        """
        for game in self._books:
            rules = self.rules(game)
            if rule in rules.rules:
                return rules, rules.rules[rule]
        raise self._unknown(rule)

    def _unknown(self, rule: str) -> UnknownRuleError:
        from rapidfuzz import process

        known = [name for game in self._books for name in self.rules(game).rules]
        nearest = tuple(name for name, _, _ in process.extract(rule, known, limit=_NEAREST))
        perhaps = f" (nearest: {', '.join(nearest)})" if nearest else ""
        return UnknownRuleError(
            f"No rule is called '{rule[:60]}'{perhaps}", "rulespal rules", nearest
        )

    def compute(
        self,
        rule: str,
        state: Mapping[str, Value],
        output: str | None = None,
        *,
        assume: bool = True,
        doubted: frozenset[str] = frozenset(),
    ) -> Computed:
        """Computes an output of a rule; its first one unless one is named.

        Args:
            rule: its id.
            state: known inputs; those that the rule doesn't use are ignored.
            output: the output's name.
            assume: whether inputs without a value take the book's standard.
            doubted: inputs that don't, all the same.

        Raises:
            UnknownRuleError: there is no such rule, or it has no such output.
        """
        rules, found = self.find(rule)
        name = _output(found, output).name
        return compute_in(rules, found, state, name, assume=assume, doubted=doubted)

    def check(self, rule: str, state: Mapping[str, Value], claim: Claim) -> Check:
        """Checks a claim about an output of a rule; errors as for `compute`.

        A claim that may be one of another output as well is wrong only if it is wrong of all.
        """
        checked = self._check(rule, state, claim)
        if checked.verdict is Verdict.CONTRADICTS:
            for rival in claim.rivals:
                other = self._check(rule, state, replace(claim, output=rival))
                if other.verdict is Verdict.AGREES:
                    return other
        return checked

    def _check(self, rule: str, state: Mapping[str, Value], claim: Claim) -> Check:
        rules, found = self.find(rule)
        output = _output(found, claim.output)
        known = completed(rules, state)
        right = compute_in(rules, found, known, output.name)
        if right.outcome is Outcome.INCONSISTENT or right.outcome is Outcome.NOT_APPLICABLE:
            return Check(claim, Verdict.INCONSISTENT, right, right.refused_by)
        if found.undetermined:
            return Check(claim, Verdict.UNDETERMINED, right)
        if output.type.kind == "list":
            return _checked_list(right, claim)
        from rulespal_chat.rules.solver import prove

        proof = prove(rules, found, known, claim)
        if proof.verdict is Verdict.UNDETERMINED:
            return Check(claim, proof.verdict, right, missing=right.missing)
        nearest = None
        if proof.verdict is Verdict.CONTRADICTS:
            nearest = _nearest_true(rules, found, known, claim, right)
        words = in_words(rules, dict([nearest])) if nearest is not None else ""
        return Check(claim, proof.verdict, right, proof.picks, nearest, nearest=words)

    def solve(self, rule: str, state: Mapping[str, Value], claim: Claim) -> Solution:
        """All values of the inputs not known that make a claim true; errors as for `compute`.

        Nothing is assumed: an input with a standard is solved for, unless it is given.
        """
        from rulespal_chat.rules.solver import solve

        rules, found = self.find(rule)
        _output(found, claim.output)
        return solve(rules, found, completed(rules, state), claim)

    def table(
        self, rule: str, state: Mapping[str, Value], over: str, output: str | None = None
    ) -> tuple[tuple[Value, Computed], ...]:
        """The results for each value of one input; errors as for `compute`."""
        rules, found = self.find(rule)
        if over not in found.inputs or not rules.inputs[over].domain:
            names = [n for n in found.inputs if rules.inputs[n].domain]
            command = f"rulespal compute {rule}" + (f" --table {names[0]}" if names else "")
            instead = f", but over {listed(names, 'or')}" if names else ""
            sentence = f"{rule} has no table over '{over[:60]}'{instead}"
            raise UnknownRuleError(sentence, command, tuple(names))
        return tuple(
            (value, self.compute(rule, {**state, over: value}, output))
            for value in rules.inputs[over].domain
        )


def _loaded(book: Rulebook, cache: Path | None) -> Ruleset:
    try:
        return load_rules(book, cache)
    except CorpusError as problem:
        return Ruleset(book, problems=(problem,))


def _output(rule: Rule, name: str | None) -> Output:
    if name is None:
        return rule.outputs[0]
    try:
        return rule.output(name)
    except KeyError:
        names = tuple(output.name for output in rule.outputs)
        raise UnknownRuleError(
            f"{rule.id} doesn't give '{name[:60]}', but {listed(names)}",
            f"rulespal compute {rule.id}",
            names,
        ) from None


def _checked_list(right: Computed, claim: Claim) -> Check:
    """The verdict on a list, which the solver doesn't know."""
    if not right.is_determined or right.value is None:
        return Check(claim, Verdict.UNDETERMINED, right, missing=right.missing)
    if claim.holds(right.value):
        return Check(claim, Verdict.AGREES, right)
    picks = tuple(pick for step in right.derivation for pick in step.picks)
    return Check(claim, Verdict.CONTRADICTS, right, picks)


def _nearest_true(
    rules: Ruleset, rule: Rule, state: State, claim: Claim, right: Computed
) -> tuple[str, Value] | None:
    """The one input that would have to be different: first what is assumed, then what is chosen."""
    current: State = {**dict(right.inputs), **dict(right.assumed)}
    assumed = dict(right.assumed)

    def order(name: str) -> tuple[bool, bool]:
        return (name not in assumed, rules.inputs[name].type.kind == "int")

    for name in sorted(current, key=order):
        domain = rules.inputs[name].domain
        if not domain:
            continue
        place = domain.index(current[name])
        for value in sorted(domain, key=lambda v: abs(domain.index(v) - place)):
            if value != current[name] and _is_true(rules, rule, {**state, name: value}, claim):
                return name, value
    return None


def _is_true(rules: Ruleset, rule: Rule, state: State, claim: Claim) -> bool:
    computed = compute_in(rules, rule, state, claim.output)
    return computed.is_determined and computed.value is not None and claim.holds(computed.value)
