"""What a chat remembers: the game, the role, the table, and the questions with their answers.

A conversation is a value: each line that a player types makes a new one and a reply.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulespal_chat.corpus.lookup import find_game, find_sections, words
from rulespal_chat.errors import UnknownRoleError
from rulespal_chat.rules.reading import lasting
from rulespal_chat.rules.routing import is_statement
from rulespal_chat.rules.table import (
    check_pairs,
    in_words,
    reply_value,
    split_pairs,
    typed_pairs,
    updated,
)
from rulespal_chat.rules.wording import listed
from rulespal_chat.search.scope import find_role
from rulespal_chat.types import Before, Question, Status, Turn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.rules.model import Ruleset
    from rulespal_chat.rules.table import Pairs
    from rulespal_chat.types import Answer, QuestionBack, Rulebook, Section

    Show = Callable[[Answer], None]

COMMANDS = {
    "/game": "GAME: questions are about this game from now on; without a name, about any",
    "/role": "ROLE: you play this role from now on; without a name, none",
    "/table": "KEY=VALUE …: what holds at the table, as players=5; without one, what is known",
    "/sources": "the quotes behind the last answer",
    "/section": "PATH: a section of the book",
    "/save": "FILE: write the chat to a Markdown file",
    "/help": "this list",
    "/quit": "end the chat; so does Ctrl-D",
}


_REMEMBERED = 2  # answers; what was asked before them has been forgotten
_MINE = re.compile(
    r"\bI(?:['’]m| am| play|['’]ll be| have| took| drew)\b|\bmy role\b", re.IGNORECASE
)
_SHOW = re.compile(
    r"^\W*(?:(?:ok|okay|please|and|can you|could you|pls)\W+)*(?:show|read|quote|give|cite|where)\b"
    r"(?: (?:me|us|is|does|do|it|say|says|said|stand|stands|the|that|this|exact|full|whole|in|book|"
    r"rule|rulebook|text|quote|source|sources|section|page|out|printed|written|please|from))*\W*$",
    re.IGNORECASE,
)
_CLAUSE = re.compile(r"[^.!?:;,]+[.!?:;,]?")
_SUPPOSES = re.compile(
    r"^\W*(?:and |but )?(?:with|without|in|if|for|at|suppose|when|what|about|as|on)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a line brought about; one of these, or nothing for an empty line.

    Attributes:
        answer: to a question.
        text: a message.
        sections: of `book`, to be shown.
        sources: the last answer, whose quotes are to be shown.
        save_to: the file that the chat is to be written to.
        is_end: whether the chat is over.
    """

    answer: Answer | None = None
    text: str = ""
    book: Rulebook | None = None
    sections: tuple[Section, ...] = ()
    sources: Answer | None = None
    save_to: str = ""
    is_end: bool = False


@dataclass(frozen=True, slots=True)
class Conversation:
    """What is remembered.

    Attributes:
        game: the name of the game that questions are about unless they name another.
        role: the name of the role that the player has.
        answers: so far, in their order.
        table: what is known at the table, as (key, value) as typed.
        table_of: the game that the table is of; None for whichever is asked about first.
        aside: the tables of other games.
        replies: what was replied to the last question back, for that question only.
    """

    game: str | None = None
    role: str | None = None
    answers: tuple[Answer, ...] = ()
    table: Pairs = ()
    table_of: str | None = None
    aside: tuple[tuple[str, Pairs], ...] = ()
    replies: Pairs = ()

    def hear(
        self, line: str, rulespal: RulesPal, show: Show = lambda _answer: None
    ) -> tuple[Conversation, Reply]:
        """Takes a line that the player typed.

        Args:
            line: as typed.
            rulespal: answers.
            show: is given a chat model's answer as it grows.

        Raises:
            RulesPalError: what it names isn't there; the conversation goes on as it was.
        """
        typed = line.strip()
        if not typed:
            return self, Reply()
        if typed.startswith("/"):
            command, _, rest = typed.partition(" ")
            return self._command(command.lower(), rest.strip(), rulespal)
        if self.answers and _SHOW.match(typed):
            return self, self._sources()
        told = self._told(typed, rulespal)
        if told is not None:
            return told._ask(self.answers[-1].question, rulespal, show)
        anew = replace(self, replies=())
        return anew._noted(typed, rulespal) or anew._ask(typed, rulespal, show)

    def _ask(self, question: str, rulespal: RulesPal, show: Show) -> tuple[Conversation, Reply]:
        heard, answer = self, self._answer(question, rulespal.answer_in_quotes)
        if answer.game is not None:
            heard = self._turned_to(answer.game)
            if heard.table != self.table:  # one game's players aren't another's
                answer = heard._answer(question, rulespal.answer_in_quotes)
        if rulespal.model_writer is not None:  # asked once, when the game is known
            answer = heard._answer(question, lambda asked: _last(rulespal.stream(asked), show))
        if answer.game is not None:
            heard = heard._learned(question, answer.game, rulespal)
        return replace(heard, answers=(*self.answers, answer)), Reply(answer=answer)

    def _answer(self, text: str, answer: Callable[[Question], Answer]) -> Answer:
        table = updated(self.table, self.replies)
        question = Question(text, None, self.role, self.game, table, self._before(), self._turns())
        try:
            return answer(question)
        except UnknownRoleError:  # the question is on a game in which the player has no role
            return answer(replace(question, role=None))

    def _turns(self) -> tuple[Turn, ...]:
        """The last questions on the game with their answers, oldest first."""
        last = self.answers[-_REMEMBERED:]
        return tuple(Turn(a.understood, a.text) for a in last if a.game and a.game == self.table_of)

    def _before(self) -> Before | None:
        """The last question that was answered; what was off the subject is skipped."""
        for answer in reversed(self.answers[-_REMEMBERED:]):
            if answer.game is not None and answer.status is not Status.OUT_OF_SCOPE:
                return Before(answer.understood, answer.game)
        return None

    def _turned_to(self, game: str) -> Conversation:
        """With the table of a game; that of another is put aside."""
        if self.table_of in (None, game):
            return replace(self, table_of=game)
        tables = {**dict(self.aside), str(self.table_of): self.table}
        table = tables.pop(game, ())
        return replace(self, table=table, table_of=game, aside=tuple(tables.items()))

    def _learned(self, text: str, game: str | None, rulespal: RulesPal) -> Conversation:
        """With what the statements of a text tell of the table; a question only supposes."""
        if game is None:
            return self
        told = [clause for clause in _CLAUSE.findall(text) if _tells(clause)]
        return self._told_of(" ".join(told), rulespal.engine.rules(game), rulespal)[0]

    def _told_of(
        self, text: str, rules: Ruleset, rulespal: RulesPal
    ) -> tuple[Conversation, list[str]]:
        """With the role and what else lasts that a text tells, and that in words."""
        mine = _MINE.search(text) is not None
        roles = rulespal.roles_in(text, rules.book.id) if text else ()
        role = roles[0] if mine and len(roles) == 1 else self.role
        news = lasting(text, rules, roles or ((role,) if role else ()))
        heard = replace(self, role=role, table=updated(self.table, typed_pairs(news)))
        words = [in_words(rules, news)] if news else []
        return heard, [*words, *([f"you play {role}"] if role != self.role else [])]

    def _noted(self, typed: str, rulespal: RulesPal) -> tuple[Conversation, Reply] | None:
        """Takes a line that asks nothing, but tells of the table: "we're five"."""
        game = self._game_of_table()
        if game is None or not is_statement(typed):
            return None
        turned = self._turned_to(find_game(rulespal.library, game).id)
        rules = rulespal.engine.rules(str(turned.table_of))
        heard, words = turned._told_of(typed, rules, rulespal)
        return (heard, Reply(text=f"Noted: {listed(words)}.")) if words else None

    def _told(self, typed: str, rulespal: RulesPal) -> Conversation | None:
        """What is known if the line replies to the last answer's question back, else None."""
        last = self.answers[-1] if self.answers else None
        if last is None or last.question_back is None:
            return None
        back = last.question_back
        if back.input not in {"game", "role"}:
            return self._input_told(typed, back, last.game, rulespal)
        chosen = _chosen(typed, back)
        if chosen is None:
            return None
        return replace(self, game=chosen) if back.input == "game" else replace(self, role=chosen)

    def _input_told(
        self, typed: str, back: QuestionBack, game: str | None, rulespal: RulesPal
    ) -> Conversation | None:
        """With the value of the input that was asked for, if the line is one."""
        if game is None:
            return None
        given = rulespal.engine.rules(game).inputs[back.input]
        value = reply_value(given, typed)
        if value is None:
            return None
        news = [(given.name, value)]
        if given.lasts:
            return replace(self, table=updated(self.table, news))
        return replace(self, replies=updated(self.replies, news))

    def _command(self, command: str, rest: str, rulespal: RulesPal) -> tuple[Conversation, Reply]:
        setters = {"/game": self._set_game, "/role": self._set_role, "/table": self._set_table}
        if command in setters:
            return setters[command](rest, rulespal)
        match command:
            case "/sources":
                return self, self._sources()
            case "/section":
                return self, self._section(rest, rulespal)
            case "/save":
                return self, Reply(save_to=rest) if rest else Reply(text="Type /save FILE.")
            case "/quit" | "/exit":
                return self, Reply(is_end=True)
            case "/help":
                return self, Reply(text=help_text())
        return self, Reply(text=f"There is no {command}. Type /help for what there is.")

    def _set_game(self, name: str, rulespal: RulesPal) -> tuple[Conversation, Reply]:
        if not name:
            told = Reply(text="Questions may be about any game.")
            return Conversation(answers=self.answers), told
        book = find_game(rulespal.library, name)
        told = Reply(text=f"Questions are about {book.title}.")
        heard = self._turned_to(book.id) if self.table_of else replace(self, table_of=book.id)
        return replace(heard, game=book.id, role=None, replies=()), told

    def _set_role(self, name: str, rulespal: RulesPal) -> tuple[Conversation, Reply]:
        if not name:
            return replace(self, role=None), Reply(text="You play no role.")
        books = rulespal.library.books
        if self.game is not None:
            books = (find_game(rulespal.library, self.game),)
        role = find_role(books, name)
        return replace(self, role=role), Reply(text=f"You play {role}.")

    def _set_table(self, typed: str, rulespal: RulesPal) -> tuple[Conversation, Reply]:
        if not typed:
            return self, Reply(text=self._table_in_words())
        pairs = dict(split_pairs(typed))
        heard = self
        if (role := pairs.pop("role", None)) is not None:
            heard, _ = heard._set_role(role, rulespal)
        if (game := heard._game_of_table()) is not None:
            book = find_game(rulespal.library, game)
            check_pairs(rulespal.engine.rules(book.id), tuple(pairs.items()))
            heard = heard._turned_to(book.id)
        heard = replace(heard, table=updated(heard.table, pairs.items()))
        return heard, Reply(text=heard._table_in_words())

    def _game_of_table(self) -> str | None:
        return self.game or (self.answers[-1].game if self.answers else None)

    def _table_in_words(self) -> str:
        role = [f"role={self.role}"] if self.role else []
        known = [*role, *(f"{key}={value}" for key, value in self.table)]
        return f"At the table: {', '.join(known)}." if known else "Nothing is known of the table."

    def _sources(self) -> Reply:
        if not self.answers or not self.answers[-1].citations:
            return Reply(text="There is no quote behind the last answer.")
        return Reply(sources=self.answers[-1])

    def _section(self, path: str, rulespal: RulesPal) -> Reply:
        game = self._game_of_table()
        if game is None:
            return Reply(text="Of which game? Type /game GAME first.")
        if not path:
            return Reply(text="Type /section PATH, or a part of it.")
        book = find_game(rulespal.library, game)
        return Reply(book=book, sections=find_sections(book, path))


def _last(answers: Iterable[Answer], show: Show) -> Answer:
    """The last of growing answers, each of which is shown."""
    for answer in answers:
        show(answer)
    return answer


def help_text() -> str:
    """The commands with what they do."""
    width = max(map(len, COMMANDS))
    lines = [f"{command:{width}}  {meaning}" for command, meaning in COMMANDS.items()]
    return "\n".join(["Type a question, or one of these.", *lines])


def transcript(answers: tuple[Answer, ...], titles: dict[str, str]) -> str:
    """The chat as Markdown: questions, answers, and the quotes behind them."""
    parts = ["# RulesPal chat"]
    for answer in answers:
        parts += [f"## {answer.question}", "\n\n".join(answer.text.split("\n"))]
        parts += [f"*{note}*" for note in answer.notes]
        if answer.citations:
            parts.append(
                "\n".join(
                    f"- [{c.mark}] “{c.quote}” — {titles.get(c.game, c.game)}, {c.section}"
                    for c in answer.citations
                )
            )
    return "\n\n".join(parts) + "\n"


def _tells(clause: str) -> bool:
    """Whether a clause tells what is, as "we're five" does, and "with 5 players" doesn't."""
    return is_statement(clause) and _SUPPOSES.match(clause) is None


def _chosen(typed: str, asked: QuestionBack) -> str | None:
    """The option that a reply names: by its number, its name or a part of it."""
    if typed.isdigit() and 1 <= int(typed) <= len(asked.options):
        return asked.options[int(typed) - 1]
    said = set(words(typed))
    meant = [o for o in asked.options if set(words(o)) == said]
    meant = meant or [o for o in asked.options if said and said <= set(words(o))]
    return meant[0] if len(meant) == 1 else None
