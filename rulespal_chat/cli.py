"""The command line: `rulespal`.

Exit codes: 0 done; 3 a question back (several sections match, all listed); 2 wrong usage, such as
a game that isn't in the library; 1 another error; 130 interrupted.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from io import TextIOWrapper

    from rich.console import RenderableType

    from rulespal_chat.types import Library, Rulebook, Section

SCHEMA = 1
QUESTION_BACK = 3
INTERRUPTED = 130

app = typer.Typer(
    name="rulespal",
    help="Board-game rules at the table: read the rulebooks that RulesPal answers from.",
    epilog="Exit codes: 0 done, 3 a question back, 2 wrong usage, 1 another error.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)

JsonOption = Annotated[bool, typer.Option("--json", help="Print JSON, for programs.")]


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and exits; every error is one sentence and the next command."""
    from rulespal_chat.errors import RulesPalError

    _never_fail_to_print()
    try:
        app(args=arguments)
    except RulesPalError as error:
        _complain(str(error))
        sys.exit(error.exit_code)
    except KeyboardInterrupt:
        _complain("interrupted")
        sys.exit(INTERRUPTED)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"rulespal {version('rulespal-chat')}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_print_version, is_eager=True, help="Print the version and exit."
        ),
    ] = False,
) -> None:
    pass


@app.command()
def games(as_json: JsonOption = False) -> None:
    """List the games whose rulebooks are in the library."""
    from rulespal_chat import display

    library = _library()
    packaged = _packaged(library)
    if as_json:
        _print_json(
            {
                "games": [_game_json(book, packaged) for book in library.books],
                "problems": [str(problem) for problem in library.problems],
            }
        )
    else:
        _print(
            lambda: display.show_games(library, packaged),
            lambda: display.plain_games(library, packaged),
        )
    for problem in library.problems:
        _complain(str(problem))


@app.command()
def show(
    game: Annotated[str, typer.Argument(help="A title, a short name such as 'vast', or an id.")],
    section: Annotated[
        list[str] | None,
        typer.Argument(help="A heading path, a part of one, or something close to it."),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Print the sections below it as well.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Show a rulebook's table of contents, or one of its sections.

    For example: rulespal show vast "ghoul how to win"
    """
    from rulespal_chat.corpus.lookup import find_sections

    book = _find_game(game)
    query = " ".join(section or ())
    if not query.strip():
        _show_contents(book, whole, as_json)
        return
    found = find_sections(book, query)
    if len(found) > 1:
        _show_choice(book, query, found, as_json)
        raise typer.Exit(QUESTION_BACK)
    below = book.below(found[0]) if whole else ()
    _show_sections(book, (*found, *below), as_json, links=not whole)


def _show_contents(book: Rulebook, whole: bool, as_json: bool) -> None:
    from rulespal_chat import display

    if whole:
        _show_sections(book, book.sections, as_json, links=False)
    elif as_json:
        contents = [_section_json(section, with_text=False) for section in book.sections]
        _print_json({"game": book.id, "title": book.title, "contents": contents})
    else:
        _print(lambda: display.show_contents(book), lambda: display.plain_contents(book))


def _show_sections(book: Rulebook, sections: Sequence[Section], as_json: bool, links: bool) -> None:
    from rulespal_chat import display

    if as_json:
        _print_json(
            {
                "game": book.id,
                "title": book.title,
                "sections": [_section_json(s, with_text=True) for s in sections],
            }
        )
    else:
        _print(
            lambda: display.show_sections(book, sections, links),
            lambda: display.plain_sections(book, sections),
        )


def _show_choice(book: Rulebook, query: str, sections: Sequence[Section], as_json: bool) -> None:
    from rulespal_chat import display
    from rulespal_chat.corpus.text import one_line

    asked = one_line(query)
    if as_json:
        matches = [_section_json(section, with_text=False) for section in sections]
        _print_json({"game": book.id, "title": book.title, "matches": matches})
    else:
        _print(
            lambda: display.show_choice(book, asked, sections),
            lambda: display.plain_choice(book, asked, sections),
        )


def _library() -> Library:
    from rulespal_chat.corpus.library import load_library
    from rulespal_chat.settings import Settings

    return load_library(Settings().home_folder)


def _packaged(library: Library) -> frozenset[str]:
    """The ids of the books that come with RulesPal."""
    from rulespal_chat.corpus.library import packaged_corpus

    folder = packaged_corpus()
    return frozenset(b.id for b in library.books if b.source.is_relative_to(folder))


def _find_game(name: str) -> Rulebook:
    """The book of this name; if it is one that can't be read, why."""
    from rulespal_chat.corpus.lookup import find_game
    from rulespal_chat.errors import UnknownGameError

    library = _library()
    try:
        return find_game(library, name)
    except UnknownGameError:
        for problem in library.problems:
            if problem.path.parent.name == name:
                raise problem from None
        raise


def _game_json(book: Rulebook, packaged: frozenset[str]) -> dict[str, Any]:
    return {
        "id": book.id,
        "title": book.title,
        "aliases": list(book.aliases),
        "kind": str(book.kind),
        "base_game": book.base_game,
        "chapters": [
            {
                "heading": c.heading,
                "kind": str(c.kind),
                "aliases": list(c.aliases),
                "twins": list(c.twins),
            }
            for c in book.chapters
        ],
        "sections": len(book.sections),
        "statements": len(book.statements),
        "packaged": book.id in packaged,
        "source": str(book.source),
    }


def _section_json(section: Section, with_text: bool) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": section.id,
        "section": section.name,
        "lines": list(section.lines),
        "statements": len(section.statements),
    }
    if with_text:
        fields["statements"] = [
            {"id": s.id, "kind": str(s.kind), "text": s.text, "lines": list(s.lines)}
            for s in section.statements
        ]
    return fields


def _print(styled: Callable[[], RenderableType], plain: Callable[[], str]) -> None:
    """Prints for a person at a terminal, through a pager if it is long, or for a pipe."""
    if not sys.stdout.isatty():
        typer.echo(plain())
        return
    from rich.console import Console

    console = Console(highlight=False)
    with console.capture() as capture:
        console.print(styled())
    text = capture.get()
    if text.count("\n") < console.height:
        sys.stdout.write(text)
    else:
        _page(text)


def _page(text: str) -> None:
    import os
    import pydoc

    # less shows colours only when told to.
    os.environ["LESS"] = f"{os.environ.get('LESS', '')} -R".strip()
    pydoc.pager(text)


def _print_json(fields: dict[str, Any]) -> None:
    import json

    typer.echo(json.dumps({"schema": SCHEMA, **fields}, ensure_ascii=False, indent=2))


def _complain(message: str) -> None:
    from rulespal_chat.corpus.text import one_line

    typer.echo(f"rulespal: {one_line(message)}", err=True)


def _never_fail_to_print() -> None:
    """Characters that the terminal's encoding lacks become question marks, not a traceback."""
    for stream in (sys.stdout, sys.stderr):
        if TYPE_CHECKING:
            assert isinstance(stream, TextIOWrapper)
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
