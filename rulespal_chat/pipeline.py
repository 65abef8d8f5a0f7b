"""RulesPal: from a question to an answer, in a straight line of steps.

    question -> scope -> search -> compute -> write -> cite -> check -> answer

Each step is a function of the values before it; together they are also a LangChain runnable. `ask`
runs them without LangChain, which takes longer to import than a question to answer. A chat model,
if there is one, comes between writing and citing: it rewrites the draft, sentence by sentence.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

from rulespal_chat.answer.checking import check, contradicts, is_disputed
from rulespal_chat.answer.citing import cite
from rulespal_chat.answer.writer import QuotesWriter
from rulespal_chat.rules.asking import calculate
from rulespal_chat.rules.engine import Engine
from rulespal_chat.rules.table import bound
from rulespal_chat.search.index import Index, build_index, open_index
from rulespal_chat.search.retriever import Retriever
from rulespal_chat.search.scope import Scope
from rulespal_chat.types import (
    QUOTES,
    Answer,
    Before,
    Draft,
    Found,
    Query,
    Question,
    Retrieved,
    Status,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from langchain_core.language_models import BaseChatModel
    from langchain_core.runnables import Runnable

    from rulespal_chat.answer.model_writer import ModelWriter, Task
    from rulespal_chat.answer.models import ChatModel
    from rulespal_chat.rules.asking import Calculation
    from rulespal_chat.rules.results import Check
    from rulespal_chat.settings import Settings
    from rulespal_chat.types import Library

    Progress = Callable[[int, int], None]

RETRIEVED = 10


class RulesPal:
    """Answers rules questions from the library.

    Args:
        index: an open search index.
        model_writer: rewrites the answers with a chat model; by default they are quotes.
    """

    def __init__(self, index: Index, model_writer: ModelWriter | None = None) -> None:
        self.library: Library = index.library
        self.model_writer = model_writer
        self.engine = Engine(index.library, index.folder)
        self._scope = Scope(index.library)
        self._retriever = Retriever(index)
        retriever = self._retriever
        self._writer = QuotesWriter(
            index.library,
            retriever.content_words,
            retriever.unknown_words,
            index.embedder.familiar,
        )
        self._steps = (
            Step("scope", "query", lambda v: self._scope(v["question"])),
            Step("search", "found", lambda v: self.retrieve(v["query"])),
            Step("compute", "calculations", self._compute),
            Step("write", "draft", self._write),
        )
        self._ending = (
            Step("cite", "cited", lambda v: cite(v["draft"])),
            Step("check", "checks", self._check),
            Step("answer", "answer", _answer),
        )

    @classmethod
    def open(
        cls,
        home: Path | None = None,
        embedder: str | None = None,
        progress: Progress | None = None,
        model: str | BaseChatModel | None = None,
    ) -> RulesPal:
        """Opens RulesPal, building its search index if there is none for the books of now.

        Args:
            home: the folder of a player's own data; by default `RULESPAL_HOME` or the system's.
            embedder: a folder or hub name of a sentence-transformers model; by default
                `RULESPAL_EMBEDDER` or the built-in model.
            progress: is told how many texts are embedded, and of how many, while it is built.
            model: the chat model that rewrites answers, by its name or as LangChain has it;
                "quotes" for none, by default `RULESPAL_MODEL`.

        Raises:
            IndexBuildError: the index can't be built or opened.
            ModelSetupError: the chat model can't be opened.
        """
        from rulespal_chat.settings import Settings

        settings = Settings()
        folder, embedder = home or settings.home_folder, embedder or settings.embedder
        try:
            opened = cls.open_built(folder, embedder)
        except FileNotFoundError:
            build_index(folder, embedder, progress or (lambda _done, _total: None))
            opened = cls.open_built(folder, embedder)
        opened.model_writer = writer_with(model or settings.model, settings, folder)
        return opened

    @classmethod
    def open_built(cls, home: Path, embedder: str | None = None) -> RulesPal:
        """Opens RulesPal on an index that is there, without a chat model.

        Raises:
            FileNotFoundError: it isn't.
            IndexBuildError: it is broken.
        """
        return cls(open_index(home, embedder))

    def ask(
        self,
        text: str,
        game: str | None = None,
        role: str | None = None,
        default_game: str | None = None,
        table: tuple[tuple[str, str], ...] = (),
        before: Before | None = None,
    ) -> Answer:
        """Answers a question.

        Args:
            text: as somebody typed it.
            game: the name of the game that it is about; without it all books compete.
            role: the name of the role that the asker plays.
            default_game: the game that it is about if it names none itself.
            table: what is known at the table, as (key, value) pairs such as ("players", "5").
            before: the last question of a chat, which this one may follow.

        Raises:
            BadQuestionError: it is blank or far too long.
            UnknownGameError: the library has no such game.
            UnknownRoleError: the games have no such role.
        """
        return self.answer(Question(text, game, role, default_game, table, before))

    def answer(self, question: Question) -> Answer:
        """Answers a question; errors as for `ask`."""
        values = self._drafted(question)
        for draft, spent in self._drafts(values):
            values = _with_draft(values, draft, spent)
        return self._ended(values)

    def stream(self, question: Question) -> Iterator[Answer]:
        """First the default writer's answer, at once, then ones that grow by the model's sentences.

        Each is whole in itself, cited and checked, and the last one is the answer: where the model
        fails, it has nothing of the model's any more. Errors as for `ask`.
        """
        values = self._drafted(question)
        for draft, spent in self._drafts(values):
            yield self._ended(_with_draft(values, draft, spent))

    def answer_in_quotes(self, question: Question) -> Answer:
        """The default writer's answer, whatever model there is; errors as for `ask`."""
        return self._ended(self._drafted(question))

    def drafted(self, question: Question) -> tuple[Draft, Task]:
        """The default writer's draft, and what a chat model would write on; errors as for `ask`."""
        values = self._drafted(question)
        return values["draft"], self._task(values)

    def _drafted(self, question: Question) -> dict[str, Any]:
        """The values up to the default writer's draft."""
        values: dict[str, Any] = {"question": question, "timings": {}}
        for step in self._steps:
            values = step(values)
        return values

    def _ended(self, values: dict[str, Any]) -> Answer:
        for step in self._ending:
            values = step(values)
        answer: Answer = values["answer"]
        return answer

    def _drafts(self, values: dict[str, Any]) -> Iterator[tuple[Draft, float | None]]:
        """The drafts of the chat model, each with the milliseconds since it was asked."""
        if self.model_writer is None:
            yield values["draft"], None
            return
        started = time.perf_counter()
        for draft in self.model_writer.drafts(values["draft"], self._task(values)):
            yield draft, (time.perf_counter() - started) * 1000

    def search(
        self,
        text: str,
        game: str | None = None,
        top: int = RETRIEVED,
        default_game: str | None = None,
    ) -> tuple[Found, ...]:
        """The sections that may answer a question, best first; errors as for `ask`."""
        return self.retrieve(self._scope(Question(text, game, None, default_game)), top)

    def roles_in(self, text: str, game: str) -> tuple[str, ...]:
        """The headings of the roles that a text names; errors as for `ask`."""
        return self._scope(Question(text, game)).roles

    def retrieve(self, query: Query, top: int = RETRIEVED) -> tuple[Found, ...]:
        """The sections that may answer a query that was understood, best first."""
        return self._retriever(query, top)

    def _compute(self, values: dict[str, Any]) -> tuple[Calculation, ...]:
        """What the rules engine makes of the question, for the game of the best section."""
        query, found = values["query"], values["found"]
        if not found or query.foreign:
            return ()
        game = found[0].book.id
        known = bound(self.engine.rules(game), values["question"].table)
        of_game = [f for f in found if f.book.id == game]
        return calculate(query, self.engine, game, of_game, known)

    def _write(self, values: dict[str, Any]) -> Draft:
        found, calculations = values["found"], values["calculations"]
        rules = self.engine.rules(found[0].book.id) if calculations else None
        return self._writer(values["query"], found, calculations, rules)

    def _check(self, values: dict[str, Any]) -> tuple[Check, ...]:
        _, citations, _ = values["cited"]
        return check(values["draft"], citations, values["calculations"], self.engine)

    def _task(self, values: dict[str, Any]) -> Task:
        """What a chat model writes on."""
        from rulespal_chat.answer.model_writer import Task

        question, query = values["question"], values["query"]
        found, calculations = values["found"], values["calculations"]
        known = {pair for c in calculations for pair in (*c.computed.inputs, *c.computed.assumed)}
        told = (*question.table, *known)
        return Task(
            query,
            found,
            computed=[c.sentence for c in calculations if c.sentence],
            table=[f"{key}: {value}" for key, value in dict(told).items()]
            + [f"role: {role}" for role in query.roles[:1] if query.role_given],
            turns=question.turns,
            contradicted=lambda sentence: contradicts(sentence, calculations, self.engine),
        )

    def as_runnable(self) -> Runnable[Question | str, Answer]:
        """RulesPal as a LangChain runnable: invoke, batch, stream, and their async forms.

        It takes a question, or its text, and nothing in it is traced.
        """
        from rulespal_chat.chain import AnswerChain

        return AnswerChain(self)


def writer_with(
    model: str | BaseChatModel | None, settings: Settings, home: Path
) -> ModelWriter | None:
    """The writer for a chat model; None for no model, or "quotes".

    Args:
        model: by its name, or as LangChain has it.
        settings: how it is reached, and what it costs.
        home: the folder for what its sentences are verified with.

    Raises:
        ModelSetupError: it can't be opened, or a setting can't be read.
        IndexBuildError: the verifier isn't there, or broken.
    """
    if model is None or model == QUOTES:
        return None
    from rulespal_chat.answer.model_writer import ModelWriter
    from rulespal_chat.grounding.judge import Judge
    from rulespal_chat.grounding.verifier import Verifier
    from rulespal_chat.weights import VERIFIER

    chat = chat_model(model, settings)
    return ModelWriter(chat, Judge(Verifier(VERIFIER.unfold(home))))


def chat_model(model: str | BaseChatModel, settings: Settings) -> ChatModel:
    """A chat model that is opened, and not asked yet; arguments and errors as for `writer_with`."""
    from rulespal_chat.answer.models import TIMEOUT, ChatModel, Price, open_model, seconds

    timeout = seconds(settings.model_timeout) if settings.model_timeout else TIMEOUT
    price = Price.parsed(settings.model_price) if settings.model_price else None
    if isinstance(model, str):
        return open_model(model, settings.model_url, timeout, price)
    return ChatModel(type(model).__name__, model, timeout, price)


class Step:
    """One step: adds its value to those before it, and how long it took.

    Args:
        label: its name in the timings.
        name: of the value that it makes.
        make: the value, from those before it.
    """

    def __init__(self, label: str, name: str, make: Callable[[dict[str, Any]], object]) -> None:
        self.label, self._name, self._make = label, name, make

    def __call__(self, values: dict[str, Any]) -> dict[str, Any]:
        """The values with this step's added."""
        started = time.perf_counter()
        value = self._make(values)
        spent = (time.perf_counter() - started) * 1000
        return {**values, self._name: value, "timings": {**values["timings"], self.label: spent}}


def _with_draft(values: dict[str, Any], draft: Draft, spent: float | None) -> dict[str, Any]:
    """The values with another draft, and how many milliseconds it took."""
    timings = values["timings"] if spent is None else {**values["timings"], "model": spent}
    return {**values, "draft": draft, "timings": timings}


def _answer(values: dict[str, Any]) -> Answer:
    """Cites the draft and puts all that was found out into one value."""
    query, found, draft = values["query"], values["found"], values["draft"]
    text, citations, dropped = values["cited"]
    timings = {**values["timings"], "total": sum(values["timings"].values())}
    calculations, checks = values["calculations"], values["checks"]
    disputed = is_disputed(checks, calculations)
    ours = draft.status is not Status.OUT_OF_SCOPE
    computed = tuple(calculation.computed for calculation in calculations if ours)
    return Answer(
        question=values["question"].text,
        understood=query.text,
        status=Status.DISPUTED if disputed else draft.status,
        text=text,
        game=_game(query, draft),
        roles=query.roles,
        citations=citations,
        question_back=draft.question_back,
        pointers=_retrieved(draft.pointers),
        not_covered=draft.not_covered,
        notes=draft.notes,
        dropped=dropped,
        writer=draft.writer,
        retrieved=_retrieved(found),
        timings_ms=tuple((step, round(ms, 2)) for step, ms in timings.items()),
        computed=computed,
        checks=checks,
        state=tuple({pair for c in computed for pair in c.inputs}),
        model=draft.model,
    )


def _game(query: Query, draft: Draft) -> str | None:
    """The game that the answer is about; none where it is about no game or about several."""
    cited = {pick.book.id for pick in draft.picks} or {f.book.id for f in draft.pointers}
    if len(cited) == 1:
        return cited.pop()
    return query.games[0] if query.game_named and len(query.games) == 1 else None


def _retrieved(found: Sequence[Found]) -> tuple[Retrieved, ...]:
    return tuple(Retrieved(f.book.id, f.section.name, round(f.score, 4)) for f in found)
