"""What a chat remembers: the game, the role, and the last question and answer.

A conversation is a value: each line that a player types makes a new one and a reply.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rulespal_chat.corpus.lookup import find_game, find_sections, words
from rulespal_chat.errors import UnknownRoleError
from rulespal_chat.search.scope import find_role

if TYPE_CHECKING:
    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.types import Answer, QuestionBack, Rulebook, Section

COMMANDS = {
    "/game": "GAME: questions are about this game from now on; without a name, about any",
    "/role": "ROLE: you play this role from now on; without a name, none",
    "/sources": "the quotes behind the last answer",
    "/section": "PATH: a section of the book",
    "/save": "FILE: write the chat to a Markdown file",
    "/help": "this list",
    "/quit": "end the chat; so does Ctrl-D",
}


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
    """

    game: str | None = None
    role: str | None = None
    answers: tuple[Answer, ...] = ()

    def hear(self, line: str, rulespal: RulesPal) -> tuple[Conversation, Reply]:
        """Takes a line that the player typed.

        Raises:
            RulesPalError: what it names isn't there; the conversation goes on as it was.
        """
        typed = line.strip()
        if not typed:
            return self, Reply()
        if typed.startswith("/"):
            command, _, rest = typed.partition(" ")
            return self._command(command.lower(), rest.strip(), rulespal)
        told = self._told(typed)
        if told is not None:
            return told._ask(self.answers[-1].question, rulespal)
        return self._ask(typed, rulespal)

    def _ask(self, question: str, rulespal: RulesPal) -> tuple[Conversation, Reply]:
        try:
            answer = rulespal.ask(question, role=self.role, default_game=self.game)
        except UnknownRoleError:  # the question is on a game in which the player has no role
            answer = rulespal.ask(question, default_game=self.game)
        return replace(self, answers=(*self.answers, answer)), Reply(answer=answer)

    def _told(self, typed: str) -> Conversation | None:
        """What is known if the line replies to the last answer's question back, else None."""
        asked = self.answers[-1].question_back if self.answers else None
        chosen = None if asked is None else _chosen(typed, asked)
        if asked is None or chosen is None:
            return None
        return replace(self, game=chosen) if asked.input == "game" else replace(self, role=chosen)

    def _command(self, command: str, rest: str, rulespal: RulesPal) -> tuple[Conversation, Reply]:
        match command:
            case "/game":
                return self._set_game(rest, rulespal)
            case "/role":
                return self._set_role(rest, rulespal)
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
            return replace(self, game=None, role=None), Reply(
                text="Questions may be about any game."
            )
        book = find_game(rulespal.library, name)
        told = Reply(text=f"Questions are about {book.title}.")
        return replace(self, game=book.id, role=None), told

    def _set_role(self, name: str, rulespal: RulesPal) -> tuple[Conversation, Reply]:
        if not name:
            return replace(self, role=None), Reply(text="You play no role.")
        books = rulespal.library.books
        if self.game is not None:
            books = (find_game(rulespal.library, self.game),)
        role = find_role(books, name)
        return replace(self, role=role), Reply(text=f"You play {role}.")

    def _sources(self) -> Reply:
        if not self.answers or not self.answers[-1].citations:
            return Reply(text="There is no quote behind the last answer.")
        return Reply(sources=self.answers[-1])

    def _section(self, path: str, rulespal: RulesPal) -> Reply:
        game = self.game or (self.answers[-1].game if self.answers else None)
        if game is None:
            return Reply(text="Of which game? Type /game GAME first.")
        if not path:
            return Reply(text="Type /section PATH, or a part of it.")
        book = find_game(rulespal.library, game)
        return Reply(book=book, sections=find_sections(book, path))


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


def _chosen(typed: str, asked: QuestionBack) -> str | None:
    """The option that a reply names: by its number, its name or a part of it."""
    if typed.isdigit() and 1 <= int(typed) <= len(asked.options):
        return asked.options[int(typed) - 1]
    said = set(words(typed))
    meant = [o for o in asked.options if set(words(o)) == said]
    meant = meant or [o for o in asked.options if said and said <= set(words(o))]
    return meant[0] if len(meant) == 1 else None
