"""From the fields of a rule file to rules, each proved against the book."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from rulespal_chat.rules.declarations import check_bounded, made_input, made_output
from rulespal_chat.rules.expressions import ExpressionError
from rulespal_chat.rules.formulas import condition
from rulespal_chat.rules.model import Condition, Example, Input, Output, Rule, Step
from rulespal_chat.rules.problems import FileProblem
from rulespal_chat.rules.proving import check_numbers
from rulespal_chat.rules.quotes import Quotes
from rulespal_chat.rules.state import has_type
from rulespal_chat.rules.steps import StepBuilder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rulespal_chat.rules.expressions import Type, Value
    from rulespal_chat.rules.plain_yaml import Path
    from rulespal_chat.rules.schema import (
        ConditionModel,
        ExampleModel,
        InputModel,
        QuoteModel,
        RuleModel,
    )
    from rulespal_chat.types import Pick, Rulebook

T = TypeVar("T", Input, Output)


class RuleBuilder:
    """Builds the inputs and rules of a game, in the order of its file.

    Args:
        book: the book that is cited.
        declared: the types of all inputs of the file.

    Attributes:
        inputs, rules, steps: those built so far, by name or id.
    """

    def __init__(self, book: Rulebook, declared: Mapping[str, Type]) -> None:
        self._quotes = Quotes(book)
        self._declared = declared
        self.inputs: dict[str, Input] = {}
        self.rules: dict[str, Rule] = {}
        self.steps: dict[str, Step] = {}
        self._types: dict[str, Type] = {}
        self._words = [
            (re.compile(rf"\b{re.escape(term)}s?\b", re.IGNORECASE), called)
            for term, called in book.words
        ]

    def add_input(self, name: str, given: InputModel) -> None:
        """Adds an input.

        Raises:
            FileProblem: it can't be so.
        """
        bounds: tuple[Pick, ...] = ()
        if given.quote is not None:
            bounds = self._quotes.picks(given.quote, given.section or "", "quote")
        made = self._in_all_words(made_input(name, given, bounds, self._declared))
        self.inputs[name] = made
        self._types[name] = made.type

    def add_rule(self, given: RuleModel, line: int) -> None:
        """Adds a rule with its steps.

        Raises:
            FileProblem: it can't be so.
        """
        if given.id in self.rules:
            raise FileProblem("the id for a second time", "id")
        rule = self._rule(given, line)
        own = {step.name: step for step in rule.steps}
        known = self.steps | own
        _check_outputs(rule)
        self._check_inputs(rule, known)
        check_bounded(given, {step.name for step in rule.steps if not step.undetermined})
        self.rules[given.id] = self._with_notes(rule, given, known)
        self.steps = known
        self._types.update({name: step.type for name, step in own.items()})

    def _in_all_words(self, thing: T) -> T:
        """With phrases that know what players call the book's terms, as its front matter says."""
        return replace(thing, says=tuple(self._in_words(phrase) for phrase in thing.says))

    def _in_words(self, phrase: str) -> str:
        for term, called in self._words:
            if "(" not in phrase:
                phrase = term.sub(lambda found: f"({'|'.join([found[0], *called])})", phrase, 1)  # noqa: B023
        return phrase

    def _rule(self, given: RuleModel, line: int) -> Rule:
        """The rule without what stands beside its steps and conditions."""
        outputs = tuple(self._in_all_words(made_output(n, o)) for n, o in given.outputs.items())
        steps = self._steps(given, outputs)
        types = self._types | {step.name: step.type for step in steps}
        return Rule(
            id=given.id,
            title=given.title,
            section=given.section,
            inputs=tuple(given.inputs),
            outputs=outputs,
            steps=steps,
            applies=self._conditions(given, given.applies, types, "applies"),
            always=self._conditions(given, given.always, types, "always"),
            undetermined=given.undetermined,
            line=line,
        )

    def _steps(self, given: RuleModel, outputs: Sequence[Output]) -> tuple[Step, ...]:
        types = dict(self._types)
        built = []
        for number, step in enumerate(given.steps):
            place = ("steps", number)
            if step.name in types:
                raise FileProblem(f"the name '{step.name}' is taken", *place)
            output = next((o for o in outputs if o.name == step.name), None)
            section = step.section or given.section
            try:
                made = StepBuilder(self._quotes, types, section, place).build(step, output)
            except ExpressionError as error:
                raise FileProblem(f"step '{step.name}': {error}", *place) from None
            types[step.name] = made.type
            built.append(made)
        return tuple(built)

    def _conditions(
        self,
        rule: RuleModel,
        given: Sequence[ConditionModel],
        types: Mapping[str, Type],
        field: str,
    ) -> tuple[Condition, ...]:
        made = []
        for number, each in enumerate(given):
            place = (field, number)
            expression = condition(each.condition, types, *place)
            picks = self._quotes.picks(each.quote, each.section or rule.section, *place)
            check_numbers(expression.numbers, each.derived, picks, "condition", *place)
            made.append(Condition(expression, picks))
        return tuple(made)

    def _check_inputs(self, rule: Rule, steps: Mapping[str, Step]) -> None:
        """Raises FileProblem unless the inputs are those that the rule uses.

        What the book doesn't give may depend on any input.
        """
        twice = [n for n in dict.fromkeys(rule.inputs) if rule.inputs.count(n) > 1]
        if twice:
            raise FileProblem(f"inputs that stand twice: {', '.join(twice)}", "inputs")
        if rule.undetermined:
            lacks, strange = set[str](), set(rule.inputs) - self.inputs.keys()
        else:
            used = self._used(rule, steps)
            lacks, strange = used - {*rule.inputs}, set(rule.inputs) - used
        if lacks:
            raise FileProblem(f"inputs lack {', '.join(sorted(lacks))}", "inputs")
        if strange:
            what = "there aren't" if rule.undetermined else "nothing uses"
            raise FileProblem(f"inputs that {what}: {', '.join(sorted(strange))}", "inputs")

    def _used(self, rule: Rule, steps: Mapping[str, Step]) -> set[str]:
        """The inputs that a rule uses, through other rules too."""
        conditions = (*rule.applies, *rule.always)
        todo = [step.name for step in rule.steps]
        todo += [name for c in conditions for name in c.expression.names]
        found: set[str] = set()
        seen: set[str] = set()
        while todo:
            name = todo.pop()
            if name in self.inputs:
                found.add(name)
            elif name not in seen:
                seen.add(name)
                todo += steps[name].names
        return found

    def _with_notes(self, rule: Rule, given: RuleModel, steps: Mapping[str, Step]) -> Rule:
        """The rule with its examples, and with what is said with its answers."""
        sections = list(dict.fromkeys([given.section, *(p.section.name for p in rule.picks)]))
        return replace(
            rule,
            examples=tuple(
                self._example(example, steps, sections, ("examples", number))
                for number, example in enumerate(given.examples)
            ),
            unclear=self._beside(given.unclear, sections, "unclear"),
            also=self._beside(given.also, sections, "also"),
        )

    def _beside(
        self, given: Sequence[str | QuoteModel], sections: Sequence[str], field: str
    ) -> tuple[Pick, ...]:
        picks: list[Pick] = []
        for number, quote in enumerate(given):
            if isinstance(quote, str):
                picks += self._quotes.anywhere([quote], sections, field, number)
            else:
                picks += self._quotes.picks(quote.quote, quote.section, field, number)
        return tuple(picks)

    def _example(
        self, given: ExampleModel, steps: Mapping[str, Step], sections: Sequence[str], place: Path
    ) -> Example:
        state = {n: self._state_value(n, v, place) for n, v in given.given.items()}
        printed = self._printed(given, sections, place)
        if given.expect == "undetermined":
            return Example(state, None, printed)
        if not given.expect:
            raise FileProblem("an example that expects nothing", *place)
        for name in given.expect:
            if name not in steps:
                raise FileProblem(f"'{name}' is no step", *place)
        return Example(state, {n: _frozen(v) for n, v in given.expect.items()}, printed)

    def _state_value(self, name: str, given: object, place: Path) -> Value:
        """A value of an input; it may be out of bounds, to show that nothing comes of it."""
        if name not in self.inputs:
            raise FileProblem(f"'{name}' is no input", *place)
        value = _frozen(given)
        if not has_type(self.inputs[name], value):
            raise FileProblem(f"{given!r} is no value of '{name}'", *place)
        return value

    def _printed(
        self, example: ExampleModel, sections: Sequence[str], place: Path
    ) -> tuple[Pick, ...]:
        if example.printed is None:
            return ()
        if example.section is not None:
            return self._quotes.picks(example.printed, example.section, *place)
        quotes = [example.printed] if isinstance(example.printed, str) else example.printed
        return self._quotes.anywhere(quotes, sections, *place)


def _check_outputs(rule: Rule) -> None:
    """Raises FileProblem unless each output is a step."""
    own: Iterable[str] = {step.name for step in rule.steps}
    for output in rule.outputs:
        if output.name not in own and not rule.undetermined:
            raise FileProblem(f"the output '{output.name}' is no step of it", "outputs")


def _frozen(value: Any) -> Value:  # noqa: ANN401  (whatever the schema lets through)
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
