"""Rules that can be computed: `rulespal rules`, `compute`, `solve` and `check`."""

from __future__ import annotations

import re
import shlex
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulespal_chat.cli import output

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rulespal_chat.display.rules import Line
    from rulespal_chat.errors import CorpusError
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Input, Output, Rule, Ruleset, State
    from rulespal_chat.rules.results import Check, Claim, Computed, Solution
    from rulespal_chat.types import Library, Rulebook

UNDETERMINED = 3
_INT = re.compile(r"[-+]?\d{1,6}")
_SHOWN = 60

RuleArgument = Annotated[
    str, typer.Argument(metavar="RULE", help="The id of a rule, as in 'rulespal rules'.")
]
PairsArgument = Annotated[
    list[str] | None, typer.Argument(metavar="KEY=VALUE", help="What is known, such as players=5.")
]


def rules(
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="Without it, the rules of all games.")
    ] = None,
    as_json: output.JsonOption = False,
) -> None:
    """List the rules that can be computed.

    With what each gives, and what it needs for that.
    """
    from rulespal_chat.display import rules as display

    library, engine = _opened()
    books = library.books if game is None else (_find_game(library, game),)
    rulesets = [engine.rules(book.id) for book in books]
    problems = [problem for ruleset in rulesets for problem in ruleset.problems]
    if as_json:
        output.show_json(
            {
                "games": [_ruleset_json(ruleset) for ruleset in rulesets],
                "problems": [str(problem) for problem in problems],
            }
        )
    else:
        _show(display.ruleset_lines(rulesets))
    for problem in problems:
        output.complain(str(problem))


def compute(
    rule: RuleArgument,
    pairs: PairsArgument = None,
    name: Annotated[
        str | None,
        typer.Option("--output", metavar="NAME", help="Which output, if the rule gives several."),
    ] = None,
    over: Annotated[
        str | None,
        typer.Option("--table", metavar="INPUT", help="A row for each value of this input."),
    ] = None,
    as_json: output.JsonOption = False,
) -> None:
    """Compute a rule, step by step.

    With the sentences of the book behind each step.

    For example: rulespal compute ghoul.fury_goal players=5
    """
    from rulespal_chat.display import rules as display

    library, engine = _opened()
    ruleset, found = _find_rule(library, engine, rule)
    state = _read_state(ruleset, (found,), pairs or ())
    if over is not None:
        _compute_table(engine, found, state, over, name, as_json)
        return
    computed = engine.compute(found.id, state, name)
    if as_json:
        output.show_json(_computed_json(ruleset, computed))
    else:
        options = () if name is None else ("--output", name)
        command = shlex.join(["rulespal", "compute", found.id, *options, *(pairs or ())])
        _show(display.computed_lines(ruleset, found, computed, command))
    if not computed.is_determined:
        raise typer.Exit(UNDETERMINED)


def _compute_table(
    engine: Engine, rule: Rule, state: State, over: str, name: str | None, as_json: bool
) -> None:
    from rulespal_chat.display import rules as display
    from rulespal_chat.errors import BadStateError

    if over in state:
        raise BadStateError(
            f"{over} is given, so that no table can go over it",
            f"rulespal compute {rule.id} --table {over}",
        )
    ruleset = engine.find(rule.id)[0]
    rows = engine.table(rule.id, state, over, name)
    if as_json:
        entries = [{"at": value, **computed.as_dict()} for value, computed in rows]
        output.show_json(
            {"game": ruleset.book.id, "rule": rule.id, "over": over, "rows": entries},
        )
    else:
        _show(display.table_lines(ruleset, over, rule.output(rows[0][1].output), rows))
    if not any(computed.is_determined for _, computed in rows):
        raise typer.Exit(UNDETERMINED)


def solve(
    rule: RuleArgument,
    target: Annotated[
        str, typer.Argument(metavar="OUTPUT=VALUE", help="What the rule is to give.")
    ],
    pairs: PairsArgument = None,
    as_json: output.JsonOption = False,
) -> None:
    """Say what gives a value, or why nothing does.

    For example: rulespal solve ghoul.fury_goal fury_goal=12
    """
    from rulespal_chat.display import rules as display

    library, engine = _opened()
    ruleset, found = _find_rule(library, engine, rule)
    claim, others = _read_target(found, [target, *(pairs or ())])
    state = _read_state(ruleset, (found,), others)
    forward = engine.compute(found.id, state, claim.output, assume=False)
    solution = _solution(engine, ruleset, found, state, claim, forward)
    is_decided = solution.is_complete or bool(solution.states)
    if as_json:
        output.show_json(_solution_json(ruleset, state, solution, forward))
    elif is_decided:
        _show(display.solution_lines(ruleset, found, solution, tuple(state.items())))
    else:
        command = shlex.join(["rulespal", "solve", found.id, target, *(pairs or ())])
        _show(display.computed_lines(ruleset, found, forward, command))
    if not is_decided:
        raise typer.Exit(UNDETERMINED)


def _solution(
    engine: Engine, ruleset: Ruleset, rule: Rule, state: State, claim: Claim, forward: Computed
) -> Solution:
    """What gives a value; nothing, incompletely, where that can't be searched for."""
    from rulespal_chat.rules.results import Solution

    searched = forward.missing and all(ruleset.inputs[name].domain for name in forward.missing)
    if forward.is_determined or searched:
        return engine.solve(rule.id, state, claim)
    return Solution(claim, (), is_complete=False)


def check(
    sentence: Annotated[
        str, typer.Argument(metavar="SENTENCE", help="Such as 'With 5 players I need 12 Fury'.")
    ],
    pairs: PairsArgument = None,
    game: Annotated[
        str | None, typer.Option("--game", metavar="GAME", help="The game that it is about.")
    ] = None,
    rule: Annotated[
        str | None,
        typer.Option("--rule", metavar="RULE", help="The rule that it is about, by its id."),
    ] = None,
    as_json: output.JsonOption = False,
) -> None:
    """Check a sentence against the rules.

    Each value that it claims, with what refutes it.

    For example: rulespal check "With 5 players I need 12 Fury." --game vast
    """
    from rulespal_chat.display import rules as display
    from rulespal_chat.rules.results import Verdict

    text = _readable(sentence)
    library, engine = _opened()
    ruleset, claims = _claims(library, engine, text, game, rule)
    found = _checked(engine, ruleset, text, pairs or (), claims)
    if as_json:
        output.show_json(_checks_json(ruleset, found))
    elif found:
        _show(display.check_lines(ruleset, [c for c, _ in found], name_rules=rule is None))
    else:
        _show(display.no_claim_lines(ruleset))
    if not any(c.verdict in {Verdict.AGREES, Verdict.CONTRADICTS} for c, _ in found):
        raise typer.Exit(UNDETERMINED)


def _readable(sentence: str) -> str:
    """The sentence on one line.

    Raises:
        BadQuestionError: it has no words, or far too many.
    """
    from rulespal_chat.corpus.text import one_line
    from rulespal_chat.errors import BadQuestionError
    from rulespal_chat.search.scope import LONGEST_QUESTION

    text = one_line(sentence)
    if not re.search(r"[^\W_]", text):
        raise BadQuestionError("The sentence has no words", "rulespal check --help")
    if len(text) > LONGEST_QUESTION:
        raise BadQuestionError(
            f"The sentence has {len(text):,} characters, while {LONGEST_QUESTION:,} are read",
            "check it in parts",
        )
    return text


def _claims(
    library: Library, engine: Engine, text: str, game: str | None, rule: str | None
) -> tuple[Ruleset, list[tuple[Rule, tuple[Claim, ...]]]]:
    """What a sentence claims, by rule; where no rule is named, each value of the surest one."""
    from rulespal_chat.rules.claims import claimed_rules, read_claims

    if rule is not None:
        ruleset, found = _find_rule(library, engine, rule)
        _check_game(library, ruleset, found, game)
        claims = read_claims(text, found)
        return ruleset, [(found, claims)] if claims else []
    ruleset = engine.rules(_find_game(library, _named_game(game)).id)
    for problem in ruleset.problems:
        output.complain(str(problem))
    return ruleset, _surest(claimed_rules(text, ruleset))


def _surest(
    found: Iterable[tuple[Rule, tuple[Claim, ...]]],
) -> list[tuple[Rule, tuple[Claim, ...]]]:
    """Each value once, as a claim of the rule that comes first: a number claims one thing only."""
    taken: set[tuple[type, Value]] = set()
    kept = []
    for rule, claims in found:
        new = tuple(c for c in claims if (type(c.value), c.value) not in taken)
        taken |= {(type(c.value), c.value) for c in new}
        if new:
            kept.append((rule, new))
    return kept


def _named_game(game: str | None) -> str:
    from rulespal_chat.errors import UnknownGameError
    from rulespal_chat.settings import Settings

    name = game or Settings().game
    if not name:
        raise UnknownGameError(
            "No game is named that the sentence is about", "rulespal check SENTENCE --game GAME"
        )
    return name


def _check_game(library: Library, ruleset: Ruleset, rule: Rule, game: str | None) -> None:
    """Raises UnknownRuleError if a rule isn't one of the game that was named, if any."""
    from rulespal_chat.errors import UnknownRuleError

    if game is not None and (book := _find_game(library, game)) != ruleset.book:
        raise UnknownRuleError(
            f"{rule.id} is a rule of {ruleset.book.title}, not of {book.title}",
            f"rulespal rules {book.id}",
        )


def _checked(
    engine: Engine,
    ruleset: Ruleset,
    text: str,
    pairs: Sequence[str],
    claims: Sequence[tuple[Rule, tuple[Claim, ...]]],
) -> list[tuple[Check, State]]:
    """The verdicts, each with the state that it is about: what is given wins over what is read."""
    from rulespal_chat.rules.cases import read_cases

    given = _read_state(ruleset, [rule for rule, _ in claims], pairs) if claims else {}
    found = []
    for rule, of_rule in claims:
        for case in read_cases(text, ruleset, rule, given):
            state = {**case.told, **given}
            meant = [claim for claim in case.claims if claim in of_rule]
            found += [(engine.check(rule.id, state, claim), state) for claim in meant]
    return found


# Finding


def _opened() -> tuple[Library, Engine]:
    from rulespal_chat.corpus.library import load_library
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.settings import Settings

    library = load_library(Settings().home_folder)
    return library, Engine(library)


def _find_game(library: Library, name: str) -> Rulebook:
    """The book of this name; if it is one that can't be read, why."""
    from rulespal_chat.corpus.lookup import find_game
    from rulespal_chat.errors import UnknownGameError

    try:
        return find_game(library, name)
    except UnknownGameError:
        for problem in library.problems:
            if problem.path.parent.name == name:
                raise problem from None
        raise


def _find_rule(library: Library, engine: Engine, name: str) -> tuple[Ruleset, Rule]:
    """The rule of this id; if it is one that was left out, or whose file can't be read, why."""
    from rulespal_chat.errors import UnknownRuleError

    try:
        return engine.find(name)
    except UnknownRuleError:
        for problem in _rule_problems(library, engine):
            of_rule = getattr(problem, "rule", "")
            if of_rule == name:
                raise problem from None
            if not of_rule:
                output.complain(str(problem))
        raise


def _rule_problems(library: Library, engine: Engine) -> Iterable[CorpusError]:
    return (problem for book in library.books for problem in engine.rules(book.id).problems)


# Reading key=value


def _read_state(ruleset: Ruleset, used: Sequence[Rule], pairs: Sequence[str]) -> State:
    """What is known, of the inputs that these rules use.

    Raises:
        BadStateError: a pair is none, its value can't be, or no rule of these uses it.
    """
    from rulespal_chat.errors import BadStateError
    from rulespal_chat.rules.state import read_state
    from rulespal_chat.rules.wording import listed

    ids = listed([rule.id for rule in used])
    dont = "doesn't" if len(used) == 1 else "don't"
    names = tuple(dict.fromkeys(name for rule in used for name in _usable(ruleset, rule)))
    if pairs and not names:
        raise BadStateError(f"{ids} needs no input", f"rulespal compute {used[0].id}")
    state = read_state(ruleset, pairs, names)
    unused = [name for name in state if name not in names]
    if unused:
        raise BadStateError(
            f"{ids} {dont} use {listed(unused)}, but {listed(names)}",
            f"rulespal rules {ruleset.book.id}",
        )
    return state


def _usable(ruleset: Ruleset, rule: Rule) -> Iterable[str]:
    """The inputs of a rule, and the lists that they follow from."""
    for name in rule.inputs:
        given = ruleset.inputs[name]
        yield from (n for n in (name, given.sum_of, given.count_of) if n)


def _read_target(rule: Rule, pairs: Sequence[str]) -> tuple[Claim, list[str]]:
    """The claim that a pair about an output makes, and the other pairs.

    Raises:
        BadStateError: there is none, or its value is none that the output can have.
    """
    from rulespal_chat.errors import BadStateError
    from rulespal_chat.rules.results import Claim
    from rulespal_chat.rules.wording import listed

    outputs = {o.name: o for o in rule.outputs}
    for place, pair in enumerate(pairs):
        name, equals, text = pair.partition("=")
        asked = outputs.get(name.strip().lower().replace("-", "_").replace(" ", "_"))
        if equals and asked is not None:
            value = _read_output(rule, asked, text.strip())
            return Claim(asked.name, "==", value), [*pairs[:place], *pairs[place + 1 :]]
    raise BadStateError(
        f"No value of {listed(list(outputs), 'or')} is named, which {rule.id} gives",
        f"rulespal solve {rule.id} {rule.outputs[0].name}=VALUE",
    )


def _read_output(rule: Rule, asked: Output, text: str) -> Value:
    """A value of an output as somebody types it; a number may lie out of its bounds."""
    from rulespal_chat.corpus.text import one_line
    from rulespal_chat.errors import BadStateError
    from rulespal_chat.rules.model import Input
    from rulespal_chat.rules.state import read_value

    match asked.type.kind:
        case "int":
            if not _INT.fullmatch(text):
                raise BadStateError(
                    f"{asked.name} is a whole number, not '{one_line(text)[:_SHOWN]}'",
                    f"rulespal solve {rule.id} {asked.name}={asked.high}",
                )
            return int(text)
        case "list":
            raise BadStateError(
                f"{asked.name} is a list, for which nothing is solved",
                f"rulespal compute {rule.id} --output {asked.name}",
            )
    return read_value(Input(asked.name, asked.type, ask="", values=asked.values), text)


# Printing


def _show(lines: Iterable[Line]) -> None:
    from rulespal_chat.display.rules import drawn, plain

    kept = tuple(lines)
    output.show(lambda: drawn(kept), lambda: plain(kept))


def _ruleset_json(ruleset: Ruleset) -> dict[str, Any]:
    return {
        "id": ruleset.book.id,
        "title": ruleset.book.title,
        "rules": [
            {
                "id": rule.id,
                "title": rule.title,
                "section": rule.section,
                "outputs": [_output_json(asked) for asked in rule.outputs],
                "inputs": [_input_json(ruleset.inputs[name]) for name in rule.inputs],
            }
            for rule in ruleset.rules.values()
        ],
    }


def _output_json(asked: Output) -> dict[str, Any]:
    is_bounded = asked.type.kind == "int" and asked.low < asked.high
    return {
        "name": asked.name,
        "type": asked.type.kind,
        "unit": asked.unit.many or None,
        "min": asked.low if is_bounded else None,
        "max": asked.high if is_bounded else None,
        "values": {value: list(called) for value, called in asked.values},
    }


def _input_json(given: Input) -> dict[str, Any]:
    is_bounded = given.type.kind in {"int", "list"}
    return {
        "name": given.name,
        "type": given.type.kind,
        "unit": given.unit.many or None,
        "min": given.low if is_bounded else None,
        "max": given.high if is_bounded else None,
        "length": list(given.length) if given.type.kind == "list" else None,
        "values": {value: list(called) for value, called in given.values},
        "default": given.default,
        "ask": given.ask,
    }


def _computed_json(ruleset: Ruleset, computed: Computed) -> dict[str, Any]:
    from rulespal_chat.rules.results import quoted

    return {
        "game": computed.game,
        **computed.as_dict(),
        "sentence": computed.sentence or None,
        "ask": [ruleset.inputs[name].ask for name in computed.missing],
        "refused_by": [quoted(pick) for pick in computed.refused_by],
        "also": [quoted(pick) for pick in computed.also],
        "unclear": [quoted(pick) for pick in computed.unclear],
    }


def _solution_json(
    ruleset: Ruleset, state: State, solution: Solution, forward: Computed
) -> dict[str, Any]:
    is_decided = solution.is_complete or bool(solution.states)
    return {
        "game": ruleset.book.id,
        "rule": forward.rule,
        "given": state,
        **solution.as_dict(),
        "missing": [] if is_decided else list(forward.missing),
        "reason": None if is_decided else forward.reason or None,
    }


def _checks_json(ruleset: Ruleset, found: Iterable[tuple[Check, State]]) -> dict[str, Any]:
    return {
        "game": ruleset.book.id,
        "checks": [
            {
                **checked.as_dict(),
                "given": state,
                "assumed": dict(checked.right.assumed),
                "ask": [ruleset.inputs[name].ask for name in checked.missing],
            }
            for checked, state in found
        ],
    }
