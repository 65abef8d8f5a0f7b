"""The loop of `rulespal chat`: reads lines, prints replies."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from rulespal_chat.cli import output
from rulespal_chat.conversation import COMMANDS, Conversation, Reply, transcript
from rulespal_chat.errors import RulesPalError
from rulespal_chat.types import QUOTES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from prompt_toolkit.completion import Completer
    from prompt_toolkit.history import History

    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.types import Answer, Rulebook, Section

_HELLO = "Ask about the rules. /help lists commands, /quit ends."


def run_chat(rulespal: RulesPal, game: str | None, role: str | None, verbose: bool = False) -> None:
    """Chats until the player ends it, or their input does.

    Args:
        rulespal: answers.
        game: that is set at the beginning, by its name.
        role: likewise.
        verbose: whether it is said who wrote each answer, and what that took.

    Raises:
        RulesPalError: there is no such game or role.
    """
    conversation = Conversation()
    for command, name in (("/game", game), ("/role", role)):
        if name is not None:
            conversation, _ = conversation.hear(f"{command} {name}", rulespal)
    if output.is_terminal(sys.stdout):
        typer.echo(_HELLO)
    for line in _lines(rulespal):
        conversation, reply = _heard(conversation, line, rulespal)
        if reply is None:
            continue
        if reply.is_end:
            break
        _print(reply, conversation, rulespal, verbose)
    if verbose:
        _sum_up(conversation.answers)


def _heard(
    conversation: Conversation, line: str, rulespal: RulesPal
) -> tuple[Conversation, Reply | None]:
    """What a line brings about; None for what was wrong with it, or for an answer stopped."""
    try:
        if line.startswith("/") or not line.strip():
            return conversation.hear(line, rulespal)
        with output.growing(rulespal) as show:
            return conversation.hear(line, rulespal, show)
    except RulesPalError as error:
        output.complain(str(error))
    except KeyboardInterrupt:
        if not _at_prompt():
            raise
        typer.echo("Stopped.\n")
    return conversation, None


def _sum_up(answers: tuple[Answer, ...]) -> None:
    """Says how many of the answers a chat model wrote, if one was asked."""
    asked = [answer.model for answer in answers if answer.model is not None]
    if asked:
        wrote = sum(answer.writer != QUOTES for answer in answers)
        typer.echo(f"{asked[0].name} wrote {wrote} of {len(answers)} answers.", err=True)


def _print(reply: Reply, conversation: Conversation, rulespal: RulesPal, verbose: bool) -> None:
    from rulespal_chat.cli.asking import show_answer, show_use
    from rulespal_chat.display import answers

    titles = {book.id: book.title for book in rulespal.library.books}
    if reply.answer is not None:
        show_answer(rulespal, reply.answer)
        if verbose:
            show_use(reply.answer)
    elif reply.sources is not None:
        sources = reply.sources
        output.show(
            lambda: answers.show_quotes(sources, titles),
            lambda: answers.plain_quotes(sources, titles),
        )
    elif reply.book is not None:
        _print_sections(reply.book, reply.sections)
    elif reply.save_to:
        _save(reply.save_to, conversation.answers, titles)
    elif reply.text:
        typer.echo(reply.text)
    if reply.answer is not None or output.is_terminal(sys.stdout):
        typer.echo()


def _print_sections(book: Rulebook, sections: tuple[Section, ...]) -> None:
    from rulespal_chat.display import books

    if len(sections) == 1:
        output.show(
            lambda: books.show_sections(book, sections, links=True),
            lambda: books.plain_sections(book, sections),
        )
    else:
        names = [f"  /section {section.name}" for section in sections]
        typer.echo("\n".join(["Several sections may be meant:", *names]))


def _save(file: str, answers: tuple[Answer, ...], titles: dict[str, str]) -> None:
    path = Path(os.path.expanduser(file))  # Path's own raises for ~nobody
    try:
        with path.open("x", encoding="utf-8") as saved:
            saved.write(transcript(answers, titles))
    except FileExistsError:
        output.complain(f"{path} is there already. Next: /save OTHER-FILE")
        return
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        output.complain(f"{path} can't be written ({reason}). Next: /save OTHER-FILE")
        return
    typer.echo(f"Saved to {path}.")


def _lines(rulespal: RulesPal) -> Iterator[str]:
    """What the player types, line by line, until the end of the input."""
    at_prompt = _at_prompt()
    read = _prompt(rulespal) if at_prompt else sys.stdin.readline
    while True:
        try:
            line = read()
        except EOFError:
            return
        except KeyboardInterrupt:
            if not at_prompt:
                raise
            continue  # throws the line away, as shells do
        except UnicodeDecodeError:
            output.complain("that line isn't UTF-8. Next: type it again")
            continue
        if not line and not at_prompt:
            return
        yield line


def _at_prompt() -> bool:
    return output.is_terminal(sys.stdin) and output.is_terminal(sys.stdout)


def _prompt(rulespal: RulesPal) -> Callable[[], str]:
    from prompt_toolkit import PromptSession

    session: PromptSession[str] = PromptSession(
        "› ", history=_history(), completer=_completer(rulespal)
    )
    return session.prompt


def _history() -> History:
    """What was typed before, kept in the player's data folder if that can be written."""
    from prompt_toolkit.history import FileHistory, InMemoryHistory

    from rulespal_chat.settings import Settings

    path = Settings().home_folder / "history"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.open("a").close()
    except OSError:
        return InMemoryHistory()
    return FileHistory(str(path))


def _completer(rulespal: RulesPal) -> Completer:
    """Completes commands, and the names that may follow them."""
    from prompt_toolkit.completion import FuzzyCompleter, NestedCompleter, WordCompleter

    books = rulespal.library.books
    games = WordCompleter([book.title for book in books], sentence=True, ignore_case=True)
    roles = WordCompleter(
        [c.heading for book in books for c in book.chapters if c.kind == "role"], sentence=True
    )
    sections = WordCompleter([s.name for book in books for s in book.sections], sentence=True)
    after = {"/game": games, "/role": roles, "/section": FuzzyCompleter(sections)}
    return NestedCompleter({command: after.get(command) for command in COMMANDS})
