"""How the commands print: for a person at a terminal, for a pipe, for a program, and errors."""

from __future__ import annotations

import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TextIO

    from rich.console import Console, RenderableType

    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.types import Answer

SCHEMA = 1

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def show(styled: Callable[[], RenderableType], plain: Callable[[], str]) -> None:
    """Prints for a person at a terminal, through a pager if it is long, or for a pipe."""
    if not is_terminal(sys.stdout):
        typer.echo(plain())
        return
    console = terminal()
    with console.capture() as capture:
        console.print(styled())
    text = capture.get()
    if text.count("\n") < console.height:
        sys.stdout.write(text)
    else:
        _page(text)


def show_json(fields: dict[str, Any]) -> None:
    """Prints an object, its schema number first."""
    import json

    typer.echo(json.dumps({"schema": SCHEMA, **fields}, ensure_ascii=False, indent=2))


def complain(message: str) -> None:
    """Prints one line on standard error."""
    from rulespal_chat.corpus.text import one_line

    typer.echo(f"rulespal: {one_line(message)}", err=True)


def terminal(stderr: bool = False) -> Console:
    """A console that styles only what goes to a terminal."""
    from rich.console import Console

    return Console(highlight=False, stderr=stderr)


@contextmanager
def progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """Shows on standard error how far a long piece of work is: a bar, or one line in a pipe."""
    if not is_terminal(sys.stderr):
        typer.echo(f"{what} …", err=True)
        yield lambda _done, _total: None
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=terminal(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@contextmanager
def spinner(what: str) -> Iterator[None]:
    """Shows on a terminal that something is going on whose end can't be foreseen."""
    if not is_terminal(sys.stderr):
        yield
        return
    with terminal(stderr=True).status(what):
        yield


@contextmanager
def growing(rulespal: RulesPal) -> Iterator[Callable[[Answer], None]]:
    """Shows on a terminal how a chat model's answer grows; it is gone when the answer is there."""
    writer = rulespal.model_writer
    if writer is None or not is_terminal(sys.stdout):
        yield lambda _answer: None
        return
    from rich.live import Live

    from rulespal_chat.display.answers import show_growing

    name = writer.model.name
    with Live(show_growing(None, name), console=terminal(), transient=True) as live:
        yield lambda answer: live.update(show_growing(answer, name))


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person sits behind the stream; it is None where the shell has closed it."""
    return stream is not None and stream.isatty()


def never_fail_to_print() -> None:
    """Characters that the terminal's encoding lacks become question marks, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _page(text: str) -> None:
    import os
    import pydoc

    # less shows colours only when told to.
    os.environ["LESS"] = f"{os.environ.get('LESS', '')} -R".strip()
    pydoc.pager(text)
