"""Proves a question set sound: what it takes for gold is right, and the splits are apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.corpus.places import RULEBOOK, packaged_corpus
from rulespal_chat.errors import UnknownRuleError
from rulespal_chat.evaluation.checking import passes
from rulespal_chat.evaluation.model import NO_ANSWER, SILENT, Place, QuestionProblem
from rulespal_chat.rules.results import Claim
from rulespal_chat.types import ChapterKind

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

    from rulespal_chat.evaluation.model import EvalQuestion, Numeric
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Output, Ruleset
    from rulespal_chat.types import Library, Rulebook

    Found = Iterator[tuple[str, str]]  # fields, and what is wrong with each

NEAR = 0.6  # share of common words from which two questions are near-duplicates
_ROLES = frozenset({"multiple", "none"})  # besides the headings of role chapters
_SAYING = frozenset({"answered", "partly", "disputed", "needs_input"})
_TYPES = {"int": int, "bool": bool, "enum": str, "list": tuple}
_ACCEPTED = {"unanswerable": SILENT | {"partly"}, "out_of_scope": SILENT}


def lint(
    questions: Sequence[EvalQuestion],
    library: Library,
    engine: Engine,
    *,
    covered: Collection[str] | None = None,
) -> tuple[QuestionProblem, ...]:
    """What isn't sound about a question set; nothing is asked of the product.

    Args:
        questions: with their golds.
        library: the books that they are about.
        engine: over these books.
        covered: ids of books of which every heading with a text has to be gold of some question;
            by default those packaged books that some question is about.

    Returns:
        First the problems of each question, in their order, then those of the set as a whole:
        ids, groups, near-duplicates, and headings without a question.
    """
    books = {book.id: book for book in library.books}
    if covered is None:
        covered = _packaged(questions, library)
    return (
        *(
            _problem(question, field, problem)
            for question in questions
            for field, problem in _of_one(question, books, engine)
        ),
        *_doubled_ids(questions),
        *_split_groups(questions),
        *_near_duplicates(questions),
        *_uncovered(questions, [books[game] for game in covered]),
    )


def _problem(question: EvalQuestion, field: str, problem: str) -> QuestionProblem:
    return QuestionProblem(question.file, question.line, field, f"{question.id}: {problem}")


def _of_one(question: EvalQuestion, books: Mapping[str, Rulebook], engine: Engine) -> Found:
    yield from _checked(question)
    yield from _placed(question, books)
    yield from _agreeing(question)
    for gold in question.numeric:
        yield from _computed(gold, question.game, engine)


def _checked(question: EvalQuestion) -> Found:
    """The check lets right answers through, and stops a wrong one."""
    for field, text in (("answer", question.answer), ("alt_correct", question.alt_correct)):
        if text and not passes(text, question):
            yield field, "it fails the question's own check"
    if question.wrong_example and passes(question.wrong_example, question):
        yield "wrong_example", "it passes the question's check"


def _placed(question: EvalQuestion, books: Mapping[str, Rulebook]) -> Found:
    """Game, role and sections are there."""
    if question.game is not None and question.game not in books:
        yield "game", f"no book in the library is '{question.game}'"
    elif question.game is not None and question.role not in {None, *_ROLES}:
        chapters = books[question.game].chapters
        if question.role not in {c.heading for c in chapters if c.kind is ChapterKind.ROLE}:
            yield "role", f"'{question.role}' is no role of {question.game}"
    for field in ("sections", "sections_all", "related_sections"):
        places: tuple[Place, ...] = getattr(question, field)
        for place in places:
            if place.game not in books:
                yield field, f"no book in the library is '{place.game}'"
            elif all(section.name != place.section for section in books[place.game].sections):
                yield field, f"{place.game} has no section '{place.section}'"


def _agreeing(question: EvalQuestion) -> Found:
    """Kind, statuses and golds say the same of whether there is an answer."""
    accepted = _ACCEPTED.get(question.kind, _SAYING)
    if accepted.isdisjoint(question.statuses):
        needed = ", ".join(sorted(accepted))
        yield "status", f"a right answer to one of kind {question.kind} may be none of: {needed}"
    has_sections = bool(question.sections or question.sections_all)
    if question.kind in NO_ANSWER and has_sections:
        yield "sections", f"one of kind {question.kind} has related_sections, not sections"
    if question.kind in NO_ANSWER and question.numeric:
        yield "numeric", f"one of kind {question.kind} has no value"
    if question.has_answer and question.game is not None and not has_sections:
        yield "sections", "no section is gold, while the book answers it"


def _computed(gold: Numeric, game: str | None, engine: Engine) -> Found:
    """A rule of the game gives the gold value, and only that."""
    try:
        rules, rule = engine.find(gold.rule)
        output = rule.output(gold.output)
    except UnknownRuleError as error:
        yield "numeric.rule", error.sentence
        return
    except KeyError:
        yield "numeric.output", f"{gold.rule} has no output '{gold.output}'"
        return
    if game not in {None, rules.book.id}:
        yield "numeric.rule", f"{gold.rule} is a rule of {rules.book.id}"
    if misfits := sorted(_misfits(gold, rules, output)):
        yield "numeric.inputs", f"{rules.book.id} can't have {' or '.join(misfits)}"
    elif wrong := (_solved(gold, engine) if gold.inverse else _given(gold, engine)):
        yield "numeric", wrong


def _misfits(gold: Numeric, rules: Ruleset, output: Output) -> Iterator[str]:
    """The inputs that there aren't, or that can't have their value."""
    from rulespal_chat.rules.state import fits

    for name, value in gold.inputs.items():
        if gold.inverse and name == gold.output:
            is_fit = type(value) is _TYPES.get(output.type.kind)
        else:
            is_fit = name in rules.inputs and fits(rules.inputs[name], value)
        if not is_fit:
            yield f"{name}={value}"


def _given(gold: Numeric, engine: Engine) -> str:
    """What a rule gives instead of the gold, empty if it gives that."""
    computed = engine.compute(gold.rule, gold.inputs, gold.output)
    if gold.possible:
        if _is_same(computed.possible, gold.possible):
            return ""
        return f"{gold.output} may be {computed.possible}, not {gold.possible}"
    if _is_same(computed.value, gold.result):
        return ""
    got = computed.value if computed.is_determined else f"open: {computed.reason}"
    return f"{gold.output} is {got}, not {gold.result}"


def _solved(gold: Numeric, engine: Engine) -> str:
    """What a rule solves to instead of the gold, empty if it is that."""
    state = dict(gold.inputs)
    if gold.output not in state:
        return f"no value of {gold.output} is told, from which {gold.inverse} follows"
    claim = Claim(gold.output, "==", state.pop(gold.output))
    solution = engine.solve(gold.rule, state, claim)
    values = list(dict.fromkeys(dict(found).get(gold.inverse) for found in solution.states))
    if gold.pick:
        numbers = [value for value in values if isinstance(value, int)]
        values = [{"min": min, "max": max}[gold.pick](numbers)] if numbers else []
    if len(values) == 1 and solution.is_complete and _is_same(values[0], gold.result):
        return ""
    got = " or ".join(map(str, values)) or "nothing that fits"
    return f"{gold.inverse} is {got}{'' if solution.is_complete else ' or more'}, not {gold.result}"


def _is_same(one: Value | None, other: Value | None) -> bool:
    """Whether values are equal and of the same types: 1 isn't true."""
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_is_same, one, other))
    return type(one) is type(other) and one == other


def _doubled_ids(questions: Iterable[EvalQuestion]) -> Iterator[QuestionProblem]:
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            yield _problem(question, "id", "another question has this id")
        seen.add(question.id)


def _split_groups(questions: Iterable[EvalQuestion]) -> Iterator[QuestionProblem]:
    """The groups that are in both splits, at the first question that is in the other one."""
    first: dict[str, EvalQuestion] = {}
    told: set[str] = set()
    for question in questions:
        group = question.group
        if not group or group in told:
            continue
        earlier = first.setdefault(group, question)
        if earlier.split != question.split:
            told.add(group)
            problem = f"'{group}' is in {question.split}, and with {earlier.id} in {earlier.split}"
            yield _problem(question, "group", problem)


def _near_duplicates(questions: Iterable[EvalQuestion]) -> Iterator[QuestionProblem]:
    """Pairs across the splits that share most of their content words, those of earlier turns too.

    The measure is the resemblance of their sets of stems, in [0, 1]: Broder, "On the resemblance
    and containment of documents" (1997).
    """
    from rulespal_chat.search.lexical import Stems

    stems = Stems()
    words = [(q, frozenset(stems(" ".join((*q.turns, q.question))))) for q in questions]
    tune = [(q, said) for q, said in words if q.split == "tune"]
    for question, said in words:
        for other, also_said in tune if question.split == "test" else ():
            if _resemblance(said, also_said) > NEAR:
                problem = f"nearly the same as {other.id} of the tune split"
                yield _problem(question, "question", problem)


def _resemblance(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other) if one | other else 0.0


def _packaged(questions: Iterable[EvalQuestion], library: Library) -> list[str]:
    """The books that come with RulesPal and that a question is about."""
    games = {q.game for q in questions} | {place.game for q in questions for place in _golds(q)}
    corpus = packaged_corpus()
    return [b.id for b in library.books if b.id in games and corpus in b.source.parents]


def _golds(question: EvalQuestion) -> tuple[Place, ...]:
    return (*question.sections, *question.sections_all, *question.related_sections)


def _uncovered(
    questions: Iterable[EvalQuestion], books: Iterable[Rulebook]
) -> Iterator[QuestionProblem]:
    """Headings with a text that no question leads to, where they stand in the rulebook."""
    golds = {place for question in questions for place in _golds(question)}
    for book in books:
        for section in book.sections:
            if section.statements and Place(book.id, section.name) not in golds:
                problem = f"no question is about '{section.name}'"
                yield QuestionProblem(f"{book.id}/{RULEBOOK}", section.lines[0], "", problem)
