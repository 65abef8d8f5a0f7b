"""Which rule, if any, computes what a question asks.

A rule is a candidate if it cites a section that the search found. It is rated by the words of its
outputs in the question, by how well the sections and statements that it cites were found, and by
how much of what it needs the question tells. What is asked of it may be an output, an input that
gives an output (backwards), or whether an output can be so.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from rulespal_chat.rules.counting import PLAYERS
from rulespal_chat.rules.phrases import find_number, find_phrase, plain
from rulespal_chat.rules.reading import Reading, read
from rulespal_chat.rules.state import without_idle
from rulespal_chat.search.lexical import STOP_WORDS
from rulespal_chat.types import SEPARATOR, ChapterKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.model import Input, Output, Rule, Ruleset, State
    from rulespal_chat.types import Found, Query

# Tuned on the tune half of the questions.
_RANKS = (1.0, 0.9, 0.8, 0.7, 0.6, 0.5)  # what the place of a section found is worth
_WORDS, _FOUND, _TOLD = 0.4, 0.35, 0.25  # shares of a candidate's score
_OTHER_ROLE = 0.4
_BESIDE = 0.8  # of a role's rules that cite another role's, which is named
_TWIN = 0.1  # of the Ghoul's rules where the Vile Ghoul is named
_MANNER = 0.6  # when, where, who or how is asked: seldom a number
_FEW_WORDS = 9  # "Terror card?" asks by naming a thing; a longer text may ask anything
_NO_NUMBER = 0.5  # neither is a number asked for, nor is one told
_UNNAMED = 0.45  # for an output that isn't named, but follows from just what is told
_FOUND_UNNAMED = 0.9
_ASKED_FOR = 0.55  # of an input: some word of it stands in the question itself
_VERBS = (
    r"do|does|did|is|are|was|were(?! (?:just |only )?\d)|can|could|will|would|may|must|should|has|"
    r"have|am|dont|isnt"
)
_QUANTITY = re.compile(
    r" (?:how (?:many|much|far|long|high|big|large|often|strong|angry)|what number|number of|"
    r"(?:what|whats)(?: \w+){0,3} "
    r"(?:cost|price|value|goal|limit|cutoff|threshold|total|target|bonus|boost)|"
    r"(?:least|minimum|min|smallest|fewest|lowest|most|maximum|max|highest) \w+(?: \w+){0,2} "
    r"(?:i|we|he|she|it|id|the \w+) (?:need|can|must|could|may|have)) "
)
_WHAT = re.compile(r" (?:how (?:many|much)|what|whats|which|who|whom|whose|where|when) ")
_OWN = re.compile(r" (?:i|we|my|our|id|ive) ")
_PART = re.compile(r" (?:how (?:many|much|far)|what|whats|which|who|where) ")
_HOW = re.compile(r" (?:how|who|whom|whose|where|wheres|when|whens) ")
_YES_NO = re.compile(rf"(?:^|[.,;:!?)-]) (?:(?:and|but|so|then|now|well|ok|please) )*(?:{_VERBS}) ")
_TAG = re.compile(r" (?:or no|or not|right|correct|true|yes or no|allowed|legal) \? ")
_SUPPOSES = re.compile(r" (?:is|be|are|equal|need|have|have to) ")
_JUDGES = re.compile(r" (?:right|correct|possible|suffice|enough) ")
_GETS = re.compile(
    r" (?:get(?! to )|gain|receive|earn|draw|pay|cost|lose|owe|take|collect|discard|need|have to|"
    r"spend) "
)
_ASKING = re.compile(rf" (?:how|what|whats|which|who|whom|where|when|{_VERBS}) ")


@dataclass(frozen=True, slots=True)
class Asked:
    """How a question asks.

    Attributes:
        form: the whole text in plain form.
        focus: what follows its interrogative.
        quantity: whether it asks for a number.
        manner: whether it asks for a time, place, person or way.
        yes_no: whether it asks for a yes or a no.
        is_open: whether it only names things, as in "Terror card?".
        parts: how many questions it asks at once, at least 1.
        is_what: whether it asks what or which.
        is_personal: whether it is about those who ask, "do I need", and not about the rule.
    """

    form: str
    focus: str
    quantity: bool
    manner: bool
    yes_no: bool
    is_open: bool
    parts: int = 1
    is_what: bool = False
    is_personal: bool = False

    @property
    def is_vague(self) -> bool:
        """Whether it is a question of another kind, or none in form."""
        is_long = len(self.form.split()) > _FEW_WORDS
        return self.manner or (self.is_open and ("?" not in self.form or is_long))


@dataclass(frozen=True, slots=True)
class Candidate:
    """A rule that may compute what is asked.

    Attributes:
        rule: the rule.
        output: what is asked of it.
        words: 0 to 1, how surely it is asked for by name.
        found: 0 to 1, how well its section and statements were found.
        reading: what the question tells.
        state: what the question tells and what was known before.
        inverse: the input that is asked for, where the output is told.
        claimed: the number that the question says of the output; 1 for a yes.
        is_standard: whether the book has a standard for all that the output needs.
        needs: the inputs that the output depends on.
        named: 0 to 1, as `words`, whatever the question asks of it.
    """

    rule: Rule
    output: Output
    words: float
    found: float
    reading: Reading
    state: State = field(default_factory=dict)
    inverse: str = ""
    claimed: int | None = None
    is_standard: bool = False
    needs: frozenset[str] = frozenset()
    named: float = 0.0

    @property
    def told(self) -> float:
        """0 to 1, how much of what it needs is told, and how much of what is told it uses."""
        if self.inverse:
            return self._told_backwards()
        read_here = self.reading.state
        unused = [n for n in read_here if n not in self.needs and _is_number(read_here[n])]
        left = len(self.reading.left) + len(unused)
        if not self.needs or (self.is_standard and not self.state):
            return max(0.0, 0.3 - 0.3 * left)
        share = sum(name in self.state for name in self.needs) / len(self.needs)
        used = min(1.0, sum(name in self.needs for name in read_here) / 3)
        return max(0.0, 0.5 * share + 0.5 * used - 0.3 * left)

    def _told_backwards(self) -> float:
        """As `told`, where the output is told and an input asked for."""
        others = self.needs - {self.inverse}
        known = sum(name in self.state for name in others)
        share = known / len(others) if others else 1.0
        return max(
            0.0, 0.5 * share + 0.5 * min(1.0, (known + 1) / 3) - 0.3 * len(self.reading.left)
        )

    @property
    def score(self) -> float:
        """0 to 1; the candidates are ranked by it."""
        return _WORDS * self.words + _FOUND * self.found + _TOLD * self.told


def asked(text: str) -> Asked:
    """Reads how a question asks."""
    form = plain(text)
    question = _question(form)
    start = _interrogative(question)
    focus = question if start is None else question[start:]
    quantity = _QUANTITY.search(form) is not None
    is_tagged = _TAG.search(form) is not None
    is_what = start is not None and _WHAT.match(focus) is not None
    return Asked(
        form,
        focus,
        quantity,
        manner=not quantity and _HOW.match(focus) is not None,
        yes_no=not (quantity or is_what) and (is_tagged or _YES_NO.search(form) is not None),
        is_open=start is None and not is_tagged,
        parts=max(1, len(_PART.findall(form))),
        is_personal=_OWN.search(focus) is not None,
        is_what=is_what and _HOW.match(focus) is None,
    )


def _question(form: str) -> str:
    """The sentences that ask, else the whole text."""
    sentences = [f" {s.strip()} " for s in re.findall(r"[^.!?]+[.!?]?", form) if s.strip()]
    asking = [s for s in sentences if "?" in s] or [s for s in sentences if _ASKING.search(s)]
    return "".join(asking or sentences)


def _interrogative(question: str) -> int | None:
    """Where a question begins to ask: at "how many", at its last verb in front, at any verb."""
    if _TAG.search(question):  # "…, right?" asks of all that goes before
        return None
    clauses = list(_YES_NO.finditer(question))
    found = _WHAT.search(question) or (clauses[-1] if clauses else _ASKING.search(question))
    return None if found is None else found.start()


def is_statement(text: str) -> bool:
    """Whether a text only tells something: no question mark, and no word that asks."""
    form = plain(text)
    return not ("?" in form or _ASKING.match(form) or _WHAT.search(form) or " how " in form)


def candidates(
    query: Query, rules: Ruleset, found: Sequence[Found], known: Mapping[str, Value]
) -> tuple[Candidate, ...]:
    """The rules that may compute what a question asks, best first.

    Args:
        query: the question.
        rules: of the game that it is about.
        found: the sections that the search found, best first.
        known: what is known before the question.
    """
    text = query.topic
    how = asked(text)
    places = {f.section.id: rank for f, rank in zip(found, _RANKS, strict=False)}
    scores = {s.statement.id: s.score for f in found[: len(_RANKS)] for s in f.statements}
    rated = [
        candidate
        for rule in rules.rules.values()
        if (value := _found(rule, places, scores) * _of_role(rule, rules, query)) > 0
        for candidate in _rated(text, how, rules, rule, value, known)
        if not query.focus or _bears_on(query.focus, rules, candidate)
    ]
    return tuple(sorted(rated, key=lambda c: -c.score))


def _bears_on(focus: str, rules: Ruleset, candidate: Candidate) -> bool:
    """Whether what is new in a follow-up tells an input or asks for the output.

    Else it is a condition that the rule doesn't know: "even if she is asleep?".
    """
    reading = read(focus, rules, candidate.rule, outputs=candidate.rule.outputs)
    is_told = not candidate.needs.isdisjoint(reading.state) or bool(reading.claimed)
    return is_told or _named(asked(focus), candidate.output) > 0


def _found(rule: Rule, places: Mapping[str, float], scores: Mapping[str, float]) -> float:
    """How well the sections and statements that a rule cites were found, 0 to 1."""
    place = own = 0.0
    for pick in rule.picks:
        place = max(place, places.get(pick.section.id, 0.0))
        own = max(own, scores.get(pick.statement.id, 0.0))
    best = max(scores.values(), default=0.0)
    return 0.5 * place + 0.5 * (own / best if best else 0.0)


def _of_role(rule: Rule, rules: Ruleset, query: Query) -> float:
    """1, or less for a rule of another role than those that the question names."""
    own = rule.section.split(SEPARATOR)[0]
    chapters = {own, *(pick.section.chapter for pick in rule.picks)}
    roles = {c.heading for c in rules.book.chapters if c.kind is ChapterKind.ROLE}
    if not query.roles or own in query.roles or not chapters <= roles:
        return 1.0
    if not chapters.isdisjoint(query.roles):
        return _BESIDE
    is_twin = any(
        named != chapter and set(plain(named).split()) > set(plain(chapter).split())
        for named in query.roles
        for chapter in chapters
    )
    return _TWIN if is_twin else _OTHER_ROLE


def _rated(
    text: str, how: Asked, rules: Ruleset, rule: Rule, found: float, known: Mapping[str, Value]
) -> Iterator[Candidate]:
    named = {output.name: _named(how, output) for output in rule.outputs}
    asks_for_value = how.quantity or how.is_what or how.is_open
    may_be_unnamed = asks_for_value and found >= _FOUND_UNNAMED
    if not any(named.values()) and not may_be_unnamed:
        return
    reading = read(text, rules, rule, outputs=rule.outputs)
    if may_be_unnamed and max(named.values()) < _UNNAMED:
        named = {**named, **_unnamed(how, rules, rule, reading)}
    state = without_idle(rules, {**known, **reading.state}, reading.state)
    share = 1.0
    if how.is_vague and not any(map(_is_number, reading.state.values())):
        share = _NO_NUMBER
    for output in rule.outputs:
        if sure := named[output.name]:
            needs = _needs(rules, rule, output)
            plainly = Candidate(
                rule, output, share * _as_asked(how, output) * sure, found, reading, state,
                is_standard=all(rules.inputs[name].default is not None for name in needs),
                needs=needs, named=share * sure,
            )  # fmt: skip
            yield from _kinds(how, rules, plainly)


def _unnamed(how: Asked, rules: Ruleset, rule: Rule, reading: Reading) -> dict[str, float]:
    """The first number that follows from all that a question tells, if nothing is left over.

    Players have words of their own for what they ask: "how many goodies do I get for 20 omens?".
    But "solo rules?" only names a case.
    """
    told = reading.state
    numbers = {name for name, value in told.items() if _is_number(value)}
    if reading.left or not numbers or (how.is_open and numbers == {PLAYERS}):
        return {}
    fitting = [
        output.name
        for output in rule.outputs
        if output.type.kind == "int" and _needs(rules, rule, output) == set(told)
    ]
    return dict.fromkeys(fitting[:1], _UNNAMED)


def _is_number(value: Value) -> bool:
    return not isinstance(value, bool | str)


def _needs(rules: Ruleset, rule: Rule, output: Output) -> frozenset[str]:
    """The inputs that an output depends on, lists for their sums too."""
    if output.name not in rules.steps:
        return frozenset(rule.inputs)
    conditions = (*rule.applies, *rule.always)
    names = {output.name, *(n for c in conditions for n in c.expression.names)}
    _, inputs = rules.closure(frozenset(names))
    lists = {name for i in inputs for name in (i.sum_of, i.count_of) if name}
    return frozenset({given.name for given in inputs} | lists)


def _kinds(how: Asked, rules: Ruleset, plainly: Candidate) -> Iterator[Candidate]:
    """The candidate, as it may be meant: forwards, backwards, or as a claim."""
    output, is_bool = plainly.output, plainly.output.type.kind == "bool"
    claimed = dict(plainly.reading.claimed).get(output.name, 1 if is_bool else None)
    if claimed is None:
        yield plainly
        return
    backwards = list(_inputs_asked(how, rules, plainly)) if how.quantity or not is_bool else []
    for name, words in backwards:
        yield replace(plainly, words=words, inverse=name, claimed=claimed)
    if not is_bool and _is_supposed(how, claimed, plainly.reading.state):
        # The number beside its words had halved how surely the output is asked for.
        yield replace(plainly, words=min(1.0, 2 * plainly.named), claimed=claimed)
    elif is_bool or not backwards:
        yield plainly


def _is_supposed(how: Asked, number: int, state: State) -> bool:
    """Whether it is asked if a number is right: "is it 11?", not "we have 2; may I enter?".

    What stands behind "if" is a condition, and a number that tells an input isn't supposed.
    """
    supposed = how.focus.split(" if ")[0]
    told = sum(value == number for value in state.values())
    verb = _SUPPOSES.search(supposed.partition(f" {number} ")[0] + " ")
    is_asked = how.yes_no and (verb is not None or _JUDGES.search(supposed) is not None)
    return is_asked and supposed.split().count(str(number)) > told


def _inputs_asked(how: Asked, rules: Ruleset, candidate: Candidate) -> Iterator[tuple[str, float]]:
    """The inputs that the question asks for, with how surely."""
    for name in candidate.rule.inputs:
        given = rules.inputs[name]
        is_askable = given.type.kind in {"int", "enum"} and not given.is_reading
        if name not in candidate.state and is_askable:
            sure = max(_phrase(how, phrase) for phrase in _input_phrases(given))
            if sure >= _ASKED_FOR:
                yield name, sure


def _input_phrases(given: Input) -> list[str]:
    """The words by which an input is asked for; an enum by "which level" too."""
    phrases = [p for p in given.says if "{" not in p]
    phrases += [given.name.replace("_", " "), *([given.unit.many] if given.unit.many else [])]
    if given.name == PLAYERS:
        phrases += ["how many of us", "how many are we", "how many people", "how many are playing"]
    if given.type.kind == "enum":
        phrases += [given.name.rsplit("_", 1)[-1], "level"]
    return phrases


def _named(how: Asked, output: Output) -> float:
    """How surely an output is named: by the longest of its phrases, and where it stands."""
    phrases = (*output.says, *output.unit.words)
    return max((_phrase(how, phrase) for phrase in phrases), default=0.0)


def _as_asked(how: Asked, output: Output) -> float:
    """How well the kind of an output goes with the way of asking, 0 to 1."""
    if how.is_open:
        return 1.0
    if output.type.kind == "bool":
        return 1.0 if how.yes_no else 0.3
    if output.type.kind == "int" and how.manner:
        return _MANNER
    if how.yes_no:
        return 0.7 if _GETS.search(how.focus) else 0.3
    return 1.0


def _phrase(how: Asked, phrase: str) -> float:
    """How surely a phrase is what is asked for, 0 to 1."""
    for form, share in ((how.focus, 1.0), (how.form, 0.7)):
        matches = list(find_phrase(phrase, form))
        if matches:
            size = max(_size(form[m.start : m.end]) for m in matches)
            told = [(m.start, m.end) for m in find_number(phrase, form)]
            alone = [m for m in matches if not any(s <= m.start < e for s, e in told)]
            return size * share * (1.0 if alone else 0.5)
        content = _content(phrase)
        if "(" not in phrase and content and content <= set(form.split()):
            return 0.8 * _size(phrase) * share
    return 0.0


def _content(text: str) -> set[str]:
    """The words of a text that say something, in plain form."""
    return {w for w in plain(text).split() if w.isalnum() and w not in STOP_WORDS}


def _size(text: str) -> float:
    """How much a text of so many content words says: one word alone may be anything's."""
    return {0: 0.0, 1: 0.6, 2: 0.85}.get(len(_content(text)), 1.0)
