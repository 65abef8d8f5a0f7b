"""Answers in a chat model's words, of which only what the quotes say is shown.

The default writer's draft comes first, always. Where it says nothing, so does the answer: no model
is asked. Else the model writes on the statements that were found; each of its sentences is held
against the statements that it names as soon as it is there. What passes stands above the quotes; if
too little does, the model is asked once to write again, and if that doesn't help, the default draft
stands, with a note.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import TYPE_CHECKING

from rulespal_chat.answer import prompts
from rulespal_chat.answer.citing import marked
from rulespal_chat.answer.evidence import candidates, notes_on
from rulespal_chat.answer.models import ModelFailedError
from rulespal_chat.answer.replies import Sentence, sentences, without_thoughts
from rulespal_chat.answer.silence import is_note
from rulespal_chat.types import QUOTES, Draft, ModelUse, Pick, Removed

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulespal_chat.answer.models import ChatModel, Piece
    from rulespal_chat.answer.prompts import Message
    from rulespal_chat.types import Found, Query, Turn

    Judge = Callable[[str, Sequence[Pick], Sequence[str]], str]
    Contradicted = Callable[[str], bool]

_MOST_PASSAGES = 14
_MOST_WORDS = 450  # of passages, so that a small model still sees the question
_MOST_SENTENCES = 5
_LONGEST_REPLY = 1_500  # characters, two to three times what is asked for; no more is waited for
_MOST_REMOVED = 12  # sentences of a reply, after which nothing good is to be expected
_ENOUGH = 0.5  # of the sentences of a reply that must have passed
_MARK = re.compile(r"\[(\d{1,3})\]")
_VERDICT = re.compile(r"^(?:yes|no)\s*[,.:;!–—]+\s*", re.IGNORECASE)  # not "No player may"

NO_MARK = "it names no passage"
NO_PASSAGE = "it names a passage that there isn't"
WRONG_NUMBER = "the rules give another number"
AN_ORDER = "it gives orders"


@dataclass(frozen=True, slots=True)
class Task:
    """What there is to be written on.

    Attributes:
        query: the question.
        found: the sections that may answer it, best first.
        computed: sentences with the values that the rules engine found.
        table: what is known at the table, in words.
        turns: the last questions of the chat with their answers.
        contradicted: whether the rules engine contradicts a sentence.
    """

    query: Query
    found: Sequence[Found]
    computed: Sequence[str] = ()
    table: Sequence[str] = ()
    turns: Sequence[Turn] = ()
    contradicted: Contradicted = field(default=lambda _sentence: False)


@dataclass
class _Written:
    """What came of the replies so far."""

    kept: list[Sentence] = field(default_factory=list)
    removed: list[Removed] = field(default_factory=list)
    raw: str = ""
    seen: int = 0  # sentences of the last reply
    passed: int = 0  # of these
    use: ModelUse = field(default_factory=lambda: ModelUse(""))

    @property
    def is_enough(self) -> bool:
        return self.passed > 0 and self.passed >= _ENOUGH * self.seen


@dataclass(frozen=True, slots=True)
class ModelWriter:
    """Writes with a chat model.

    Attributes:
        model: the model.
        judge: why a sentence isn't said by the statements that it names; empty if it is.
    """

    model: ChatModel
    judge: Judge

    def drafts(self, quotes: Draft, task: Task) -> Iterator[Draft]:
        """First the default draft, then ones that grow by a sentence; the last one is the answer.

        Args:
            quotes: the default writer's draft.
            task: what it was written on.
        """
        yield quotes
        if not quotes.status.says_something:
            return
        picks = passages(quotes, task.found)
        written = _Written(use=ModelUse(self.model.name))
        ask = prompts.messages(task.query.text, picks, task.computed, task.table, task.turns)
        try:
            for _ in self._tries(ask, picks, task, written):
                yield composed(quotes, picks, written.kept, self._use(written))
        except ModelFailedError as failure:
            yield self._fallen_back(quotes, written, f"{self.model.name} {failure}")
            return
        if written.is_enough:
            yield composed(quotes, picks, written.kept, self._use(written))
        else:
            yield self._fallen_back(quotes, written, _too_little(self.model.name, written))

    def _tries(
        self, ask: list[Message], picks: Sequence[Pick], task: Task, written: _Written
    ) -> Iterator[None]:
        """The reply, and a second one if too little of the first can be shown."""
        yield from self._reply(ask, picks, task, written)
        if written.is_enough or prompts.is_silence(written.raw) or not written.removed:
            return
        problems = [(r.sentence, r.why) for r in written.removed]
        written.use = replace(written.use, repairs=1)
        written.kept.clear()
        again = [*ask, *prompts.repair(written.raw[:_LONGEST_REPLY], problems)]
        yield from self._reply(again, picks, task, written)

    def _reply(
        self, ask: Sequence[Message], picks: Sequence[Pick], task: Task, written: _Written
    ) -> Iterator[None]:
        """Sorts the sentences of a reply; returns at each that is kept."""
        written.raw, written.seen, written.passed = "", 0, 0
        written.use = replace(written.use, calls=written.use.calls + 1)
        for sentence in sentences(self._pieces(ask, written)):
            if not sentence.marks and prompts.is_silence(sentence.text):
                continue
            written.seen += 1
            shown, why = self._judged(sentence, picks, task)
            if why:
                written.removed.append(Removed(sentence.text, why))
            else:
                written.passed += 1
                if shown.text not in [kept.text for kept in written.kept]:
                    written.kept.append(shown)
                    yield
            removed = written.seen - written.passed
            if len(written.kept) >= _MOST_SENTENCES or removed >= _MOST_REMOVED:
                return

    def _pieces(self, ask: Sequence[Message], written: _Written) -> Iterator[str]:
        """The reply's text, cut where it gets far too long, its tokens counted."""
        for piece in self.model.stream(ask):
            written.use = _counted(written.use, piece)
            written.raw += piece.text
            yield piece.text
            if len(without_thoughts(written.raw)) > _LONGEST_REPLY:
                return

    def _judged(
        self, sentence: Sentence, picks: Sequence[Pick], task: Task
    ) -> tuple[Sentence, str]:
        """The sentence as it may be shown, and why it may not."""
        if not sentence.marks:
            return sentence, NO_MARK
        if prompts.is_order(sentence.text):
            return sentence, AN_ORDER
        marks = tuple(mark for mark in sentence.marks if 1 <= mark <= len(picks))
        if len(marks) < len(sentence.marks):
            return sentence, NO_PASSAGE
        text = _without_verdict(sentence.text)
        if why := self.judge(text, [picks[mark - 1] for mark in marks], task.computed):
            return sentence, why
        if task.contradicted(text):
            return sentence, WRONG_NUMBER
        return Sentence(text, marks), ""

    def _use(self, written: _Written) -> ModelUse:
        use = written.use
        return replace(
            use,
            sentences=len(written.kept),
            removed=tuple(written.removed),
            cost=self.model.cost(use.input_tokens, use.output_tokens),
        )

    def _fallen_back(self, quotes: Draft, written: _Written, failure: str) -> Draft:
        """The default writer's draft, with what became of the model's."""
        use = replace(self._use(written), sentences=0, failure=failure)
        note = f"These are the book's own words: {failure}."
        return replace(quotes, model=use, notes=(*quotes.notes, note))


def passages(quotes: Draft, found: Sequence[Found]) -> tuple[Pick, ...]:
    """What the model may write on: what the default writer quotes, then what comes next.

    Notes on what the book leaves open are left to the default writer, and no statement that gives
    orders to a model reaches one.
    """
    picks = [pick for pick in quotes.picks if not _gives_orders(pick)]
    words = sum(len(pick.statement.text.split()) for pick in picks)
    for evidence in candidates([f for f in found if f.book.id == found[0].book.id]):
        size = len(evidence.pick.statement.text.split())
        if evidence.pick in picks or is_note(evidence) or _gives_orders(evidence.pick):
            continue
        if len(picks) >= _MOST_PASSAGES or words + size > _MOST_WORDS:
            break
        picks.append(evidence.pick)
        words += size
    sections = list(dict.fromkeys(pick.section.id for pick in picks))
    return tuple(sorted(picks, key=lambda pick: sections.index(pick.section.id)))


def _gives_orders(pick: Pick) -> bool:
    """Whether a statement, or what it stands under, speaks to a language model."""
    return prompts.is_order(f"{pick.book.title} {pick.section.name} {pick.statement.text}")


def composed(
    quotes: Draft, picks: Sequence[Pick], kept: Sequence[Sentence], use: ModelUse
) -> Draft:
    """The model's sentences above all that the default writer quotes, and what else they rest on.

    What the rules engine said stays in front. A sentence that only repeats a quote isn't said
    again; if there is no other, the answer is the default writer's.

    Args:
        quotes: the default writer's draft.
        picks: the passages, by the numbers that sentences carry.
        kept: the sentences that passed.
        use: what the model did.
    """
    every = [*picks, *(pick for pick in quotes.picks if pick not in picks)]
    places = [every.index(pick) + 1 for pick in quotes.picks]
    lines = [_MARK.sub(lambda m: f"[{places[int(m[1]) - 1]}]", x) for x in quotes.text.split("\n")]
    own = list(takewhile(lambda line: not _quotes_one(line, every), lines))
    quoting = [line for line in lines[len(own) :] if _quotes_one(line, every)]
    closing = [line for line in lines[len(own) :] if line not in quoting]
    quoted = {mark for line in quoting for mark in _marks(line)}
    cited = dict.fromkeys(mark for sentence in kept for mark in sentence.marks)
    more = [marked(every[m - 1].statement.text, m) for m in cited if m not in quoted]
    said = [f"{s.text} {''.join(f'[{m}]' for m in s.marks)}" for s in kept]
    new = [line for line in said if line not in (*quoting, *more)]
    use = replace(use, sentences=len(new))
    notes = (*quotes.notes, *_further_notes(quotes, [every[m - 1] for m in cited]))
    draft = replace(quotes, writer=use.name if new else QUOTES, model=use, notes=notes)
    return _renumbered(draft, [*own, *new, *quoting, *more, *closing], every)


def _further_notes(quotes: Draft, cited: Sequence[Pick]) -> list[str]:
    """The notes on what is unclear in what is cited, save those that the draft has."""
    notes = (note.text for note in notes_on(cited))
    return [note for note in notes if note not in quotes.notes and note not in quotes.text]


def _renumbered(draft: Draft, lines: Sequence[str], picks: Sequence[Pick]) -> Draft:
    """The draft with these lines, its marks counted from 1 in the order in which they come."""
    order = list(dict.fromkeys(int(m) for line in lines for m in _MARK.findall(line)))
    new = {old: n for n, old in enumerate(order, start=1)}
    text = "\n".join(_MARK.sub(lambda m: f"[{new[int(m[1])]}]", line) for line in lines)
    return replace(draft, text=text, picks=tuple(picks[old - 1] for old in order))


def _quotes_one(line: str, picks: Sequence[Pick]) -> bool:
    """Whether a line has a whole statement with its mark."""
    marks = _marks(line)
    return bool(marks) and line.endswith(marked(picks[marks[-1] - 1].statement.text, marks[-1]))


def _marks(line: str) -> list[int]:
    return [int(mark) for mark in _MARK.findall(line)]


def _without_verdict(text: str) -> str:
    """The sentence without a leading yes or no, which no quote can be held against."""
    rest = _VERDICT.sub("", text)
    return rest[:1].upper() + rest[1:]


def _counted(use: ModelUse, piece: Piece) -> ModelUse:
    """The use with the tokens of a piece added; unknown as long as no piece tells any."""

    def added(so_far: int | None, more: int) -> int | None:
        return (so_far or 0) + more if more else so_far

    return replace(
        use,
        input_tokens=added(use.input_tokens, piece.input_tokens),
        output_tokens=added(use.output_tokens, piece.output_tokens),
    )


def _too_little(name: str, written: _Written) -> str:
    """Why the model's words aren't shown, as a sentence without a full stop."""
    if prompts.is_silence(written.raw):
        return f"{name} found no answer in the rules"
    if not written.seen:
        return f"{name} wrote nothing that can be read"
    return f"of {written.seen} sentences by {name} the rules bear out {written.passed}"
