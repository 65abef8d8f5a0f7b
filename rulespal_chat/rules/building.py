"""From the fields of a rule file to rules, each proved against the book."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from rulespal_chat.corpus.text import one_line
from rulespal_chat.rules.algorithms import ALGORITHMS
from rulespal_chat.rules.expressions import (
    BOOL,
    INT,
    Expression,
    ExpressionError,
    Type,
    Value,
    joined,
    parse,
    type_of,
)
from rulespal_chat.rules.model import Condition, Example, Input, Output, Row, Rule, Step, Unit
from rulespal_chat.rules.numbers import numbers_in
from rulespal_chat.rules.tables import condition_of
from rulespal_chat.rules.wording import names_in
from rulespal_chat.types import Pick

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulespal_chat.rules.plain_yaml import Path
    from rulespal_chat.rules.schema import (
        ConditionModel,
        ExampleModel,
        InputModel,
        OutputModel,
        QuoteModel,
        RowModel,
        RuleModel,
        StepModel,
    )
    from rulespal_chat.types import Rulebook

T = TypeVar("T", Input, Output)

_SHOWN = 90


class FileProblem(Exception):  # noqa: N818  (it becomes a RuleFileError once its line is known)
    """What is wrong with an input or a rule.

    Args:
        problem: a sentence without a full stop.
        place: the path to it below the input or the rule.
    """

    def __init__(self, problem: str, *place: str | int) -> None:
        super().__init__(problem)
        self.place: Path = place


class RuleBuilder:
    """Builds the inputs and rules of a game, in the order of its file.

    Args:
        book: the book that is cited.

    Attributes:
        inputs, rules, steps: those built so far, by name or id.
    """

    def __init__(self, book: Rulebook) -> None:
        self._quotes = _Quotes(book)
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
        made = self._in_all_words(_input(name, given, bounds))
        _check_default(made)
        self.inputs[name] = made
        self._types[name] = made.type

    def add_rule(self, given: RuleModel, line: int) -> None:
        """Adds a rule with its steps.

        Raises:
            FileProblem: it can't be so.
        """
        if given.id in self.rules:
            raise FileProblem("the id for a second time", "id")
        outputs = tuple(self._in_all_words(_output(name, o)) for name, o in given.outputs.items())
        steps = self._steps(given, outputs)
        known = {**self.steps, **{step.name: step for step in steps}}
        types = self._types | {step.name: step.type for step in steps}
        rule = Rule(
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
        sections = list(dict.fromkeys([given.section, *(p.section.name for p in rule.picks)]))
        self._check(rule, known)
        _check_bounds(given, {step.name for step in steps if not step.undetermined})
        self.rules[given.id] = Rule(
            **{field: getattr(rule, field) for field in Rule.__slots__}
            | {
                "examples": self._examples(given, known, sections),
                "unclear": self._beside(given.unclear, sections, "unclear"),
                "also": self._beside(given.also, sections, "also"),
            }
        )
        self.steps.update({step.name: step for step in steps})
        self._types.update({step.name: step.type for step in steps})

    def _in_all_words(self, thing: T) -> T:
        """With phrases that know what players call the book's terms, as its front matter says."""
        return replace(thing, says=tuple(self._in_words(phrase) for phrase in thing.says))

    def _in_words(self, phrase: str) -> str:
        for term, called in self._words:
            if "(" not in phrase:
                phrase = term.sub(lambda found: f"({'|'.join([found[0], *called])})", phrase, 1)  # noqa: B023
        return phrase

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
                made = _StepBuilder(self._quotes, types, section, place).build(step, output)
            except ExpressionError as error:
                raise FileProblem(f"step '{step.name}': {error}", *place) from None
            types[step.name] = made.type
            built.append(made)
        return tuple(built)

    def _conditions(
        self,
        rule: RuleModel,
        given: Sequence[ConditionModel],
        types: dict[str, Type],
        field: str,
    ) -> tuple[Condition, ...]:
        made = []
        for number, condition in enumerate(given):
            place = (field, number)
            expression = _typed(condition.condition, BOOL, types, place)
            section = condition.section or rule.section
            made.append(Condition(expression, self._quotes.picks(condition.quote, section, *place)))
        return tuple(made)

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

    def _check(self, rule: Rule, steps: dict[str, Step]) -> None:
        """Raises FileProblem unless the outputs are steps and the inputs those that are used."""
        own = {step.name for step in rule.steps}
        for output in rule.outputs:
            if output.name not in own and not rule.undetermined:
                raise FileProblem(f"the output '{output.name}' is no step of it", "outputs")
        used = own | {n for c in (*rule.applies, *rule.always) for n in c.expression.names}
        inputs = self._inputs_of(used, steps)
        if not rule.undetermined and inputs != set(rule.inputs):
            wrong = sorted(inputs ^ set(rule.inputs))
            lacks = [name for name in wrong if name in inputs]
            raise FileProblem(
                f"inputs lack {', '.join(lacks)}"
                if lacks
                else f"inputs that nothing uses: {', '.join(wrong)}",
                "inputs",
            )

    def _inputs_of(self, names: Iterable[str], steps: dict[str, Step]) -> set[str]:
        found: set[str] = set()
        seen: set[str] = set()
        todo = list(names)
        while todo:
            name = todo.pop()
            if name in self.inputs:
                found.add(name)
            elif name not in seen:
                seen.add(name)
                todo += steps[name].names
        return found

    def _examples(
        self, given: RuleModel, steps: dict[str, Step], sections: Sequence[str]
    ) -> tuple[Example, ...]:
        made = []
        for number, example in enumerate(given.examples):
            place = ("examples", number)
            state = {n: self._state_value(n, v, place) for n, v in example.given.items()}
            expect = None
            if example.expect != "undetermined":
                expect = {n: _frozen(v) for n, v in example.expect.items()}
                strange = [n for n in expect if n not in steps]
                if strange:
                    raise FileProblem(f"'{strange[0]}' is no step", *place)
            made.append(Example(state, expect, self._printed(example, sections, place)))
        return tuple(made)

    def _state_value(self, name: str, value: object, place: Path) -> Value:
        if name not in self.inputs:
            raise FileProblem(f"'{name}' is no input", *place)
        return _frozen(value)

    def _printed(
        self, example: ExampleModel, sections: Sequence[str], place: Path
    ) -> tuple[Pick, ...]:
        if example.printed is None:
            return ()
        if example.section is not None:
            return self._quotes.picks(example.printed, example.section, *place)
        quotes = [example.printed] if isinstance(example.printed, str) else example.printed
        return self._quotes.anywhere(quotes, sections, *place)


class _StepBuilder:
    """Builds one step.

    Args:
        quotes: finds statements.
        types: of the names that may be used.
        section: where its quotes stand unless a row says otherwise.
        place: of the step, below its rule.
    """

    def __init__(self, quotes: _Quotes, types: dict[str, Type], section: str, place: Path) -> None:
        self._quotes, self._types, self._section, self._place = quotes, types, section, place

    def build(self, given: StepModel, output: Output | None) -> Step:
        if given.algorithm is not None:
            return self._algorithm(given)
        if given.undetermined:
            return self._undetermined(given, output)
        rows = self._rows(given, output)
        if not rows:
            raise FileProblem("a step without rows, value or algorithm", *self._place)
        kind = type_of(rows[0].value, self._types)
        for row in rows[1:]:
            kind = joined(kind, type_of(row.value, self._types), given.name)
        if output is not None:
            kind = self._of_output(kind, output)
        self._check_wording([given.label, *(row.say for row in rows)])
        return Step(given.name, kind, rows, label=given.label)

    def _rows(self, given: StepModel, output: Output | None) -> tuple[Row, ...]:
        from rulespal_chat.rules.schema import RowModel

        if given.value is None:
            return tuple(
                self._row(row, given, output, ("rows", n)) for n, row in enumerate(given.rows)
            )
        if given.rows or given.quote is None:
            raise FileProblem("a step has a value with its quote, or rows", *self._place)
        fields: dict[str, Any] = {
            f: getattr(given, f) for f in ("value", "quote", "say", "unit", "derived")
        }
        return (self._row(RowModel(**fields), given, output, ()),)

    def _row(self, row: RowModel, step: StepModel, output: Output | None, place: Path) -> Row:
        where = (*self._place, *place)
        condition = None
        if row.cells is not None:
            text = condition_of(step.by, row.cells)
            condition = parse(text) if text else None
        elif row.condition is not None:
            condition = parse(_text(row.condition))
        if condition is not None and type_of(condition, self._types) != BOOL:
            raise FileProblem(f"'{condition.text}' is no condition", *where)
        value = parse(_literal(row.value, output))
        type_of(value, self._types)
        picks = self._quotes.picks(row.quote, row.section or self._section, *where)
        made = Row(condition, value, picks, row.say, _unit(row.unit), frozenset(row.derived))
        _check_numbers(made, where)
        return made

    def _algorithm(self, given: StepModel) -> Step:
        algorithm = ALGORITHMS.get(given.algorithm or "")
        if algorithm is None:
            raise FileProblem(f"there is no algorithm '{given.algorithm}'", *self._place)
        unknown = [name for name in given.of if name not in self._types]
        if unknown or tuple(self._types[name] for name in given.of) != algorithm.of:
            wanted = ", ".join(map(str, algorithm.of))
            raise FileProblem(f"'{algorithm.name}' is of {wanted}", *self._place)
        if given.quote is None:
            raise FileProblem("an algorithm without a quote", *self._place)
        picks = self._quotes.picks(given.quote, self._section, *self._place)
        return Step(
            given.name, algorithm.gives, (), algorithm, tuple(given.of), picks, given.label,
        )  # fmt: skip

    def _undetermined(self, given: StepModel, output: Output | None) -> Step:
        """A step whose value stands elsewhere than in the book."""
        if given.quote is None:
            raise FileProblem("a step that is undetermined without a quote", *self._place)
        picks = self._quotes.picks(given.quote, given.section or self._section, *self._place)
        kind = INT if output is None else output.type
        return Step(given.name, kind, picks=picks, undetermined=given.undetermined)

    def _of_output(self, kind: Type, output: Output) -> Type:
        if kind.kind != output.type.kind or not kind.values <= output.type.values:
            raise FileProblem(f"'{output.name}' is {kind}, not {output.type}", *self._place)
        return output.type

    def _check_wording(self, texts: Iterable[str]) -> None:
        for text in texts:
            strange = [name for name in names_in(text) if name not in self._types]
            # the step itself isn't known yet, and isn't needed: its value leads the sentence
            if strange:
                raise FileProblem(
                    f"'{{{strange[0]}}}' is no input and no earlier step", *self._place
                )


class _Quotes:
    """Finds the statements that are quoted.

    Args:
        book: the book.
    """

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self._sections = {section.name: section for section in book.sections}
        self._statements = {
            (section.name, s.text): Pick(book, section, s)
            for section in book.sections
            for s in section.statements
        }

    def picks(self, quotes: str | list[str], section: str, *place: str | int) -> tuple[Pick, ...]:
        """The statements of a section with these texts.

        Raises:
            FileProblem: there is no such section, or no such statement in it.
        """
        if section not in self._sections:
            raise FileProblem(f"the book has no section '{section}'", *place)
        texts = [quotes] if isinstance(quotes, str) else quotes
        return tuple(self._pick(section, one_line(text), place) for text in texts)

    def anywhere(
        self, quotes: Iterable[str], sections: Sequence[str], *place: str | int
    ) -> tuple[Pick, ...]:
        """The statements with these texts in the first of the sections that has them."""
        picks: list[Pick] = []
        for text in quotes:
            having = [s for s in sections if (s, one_line(text)) in self._statements]
            picks += self.picks(text, (having or sections)[0], *place)
        return tuple(picks)

    def _pick(self, section: str, text: str, place: Path) -> Pick:
        found = self._statements.get((section, text))
        if found is not None:
            return found
        elsewhere = [name for name in self._sections if (name, text) in self._statements]
        hint = f" (it stands in '{elsewhere[0]}')" if elsewhere else ""
        raise FileProblem(f"stale: '{section}' has no statement '{text[:_SHOWN]}…'{hint}", *place)


def _input(name: str, given: InputModel, bounds: tuple[Pick, ...]) -> Input:
    if given.type == "int" and (given.min is None or given.max is None):
        raise FileProblem("an int without min and max")
    if given.type == "enum" and not given.values:
        raise FileProblem("an enum without values")
    if given.type == "list" and (given.of is None or given.length is None):
        raise FileProblem("a list without 'of' and 'length'")
    low, high = given.min or 0, given.max or 0
    if given.of is not None:
        low, high = given.of.min, given.of.max
    length = given.length or [0, 0]
    only = None if given.only is None else parse(_text(given.only))
    return Input(
        name=name,
        type=Type(given.type, frozenset(given.values)),
        ask=given.ask,
        unit=_unit(given.unit) or Unit(),
        low=low,
        high=high,
        length=(length[0], length[1]),
        default=given.default,
        values=tuple((value, tuple(called)) for value, called in given.values.items()),
        says=tuple(given.says),
        yes=tuple(given.yes),
        no=tuple(given.no),
        lasts=given.lasts,
        sum_of=given.sum_of or "",
        count_of=given.count_of or "",
        only=only,
        bounds=bounds,
    )


def _check_default(made: Input) -> None:
    default = made.default
    if default is None:
        return
    fits = any(type(default) is type(value) and default == value for value in made.domain)
    if not fits:
        raise FileProblem(f"the default {default!r} is none of its values", "default")


def _output(name: str, given: OutputModel) -> Output:
    if given.type == "bool" and not (given.yes and given.no):
        raise FileProblem(f"the output '{name}' is a bool without yes and no", "outputs", name)
    return Output(
        name=name,
        type=Type(given.type, frozenset(given.values)),
        unit=_unit(given.unit) or Unit(),
        low=given.min or 0,
        high=given.max or 0,
        values=tuple((value, tuple(called)) for value, called in given.values.items()),
        says=tuple(given.says),
        yes=given.yes,
        no=given.no,
    )


def _check_bounds(rule: RuleModel, determined: set[str]) -> None:
    """Raises FileProblem if an int that the book gives has no bounds."""
    for name, output in rule.outputs.items():
        unbounded = output.min is None or output.max is None
        if output.type == "int" and unbounded and name in determined and not rule.undetermined:
            raise FileProblem(f"the output '{name}' is an int without min and max", "outputs", name)


def _unit(words: str | list[str] | None) -> Unit | None:
    if words is None:
        return None
    return Unit(words, words) if isinstance(words, str) else Unit(words[0], words[1])


def _text(formula: object) -> str:
    return str(formula).lower() if isinstance(formula, bool) else str(formula)


def _literal(value: object, output: Output | None) -> str:
    """The text of a value; a bare word that the output's enum has is that value."""
    text = _text(value)
    return repr(text) if output is not None and text in output.type.values else text


def _typed(formula: object, wanted: Type, types: dict[str, Type], place: Path) -> Expression:
    try:
        expression = parse(_text(formula))
        got = type_of(expression, types)
    except ExpressionError as error:
        raise FileProblem(str(error), *place) from None
    if got != wanted:
        raise FileProblem(f"'{expression.text}' is {got}, where {wanted} is needed", *place)
    return expression


def _check_numbers(row: Row, place: Path) -> None:
    """Raises FileProblem if a number of the row is neither quoted nor marked derived."""
    written = set(row.value.numbers) | set(row.condition.numbers if row.condition else ())
    quoted = quoted_numbers(row)
    for number in sorted(written):
        if number not in quoted and number not in row.derived:
            raise FileProblem(f"the number {number} stands in no quote of its row", *place)
    for number in sorted(row.derived):
        if number not in written:
            raise FileProblem(f"the number {number}, marked derived, isn't used", *place)


def quoted_numbers(row: Row) -> frozenset[int]:
    """The numbers that the statements of a row give."""
    return frozenset[int]().union(*(numbers_in(pick.statement.text) for pick in row.picks))


def _frozen(value: Any) -> Value:  # noqa: ANN401  (whatever the schema lets through)
    return tuple(map(_frozen, value)) if isinstance(value, list) else value
