"""Reading the rulebooks: `rulespal games` and `rulespal show`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulespal_chat.cli import output

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespal_chat.types import Library, Rulebook, Section

QUESTION_BACK = 3


def games(as_json: output.JsonOption = False) -> None:
    """List the games in the library."""
    from rulespal_chat.display import books as display_books

    library = _library()
    packaged = _packaged(library)
    if as_json:
        output.show_json(
            {
                "games": [_game_json(book, packaged) for book in library.books],
                "problems": [str(problem) for problem in library.problems],
            }
        )
    else:
        output.show(
            lambda: display_books.show_games(library, packaged),
            lambda: display_books.plain_games(library, packaged),
        )
    for problem in library.problems:
        output.complain(str(problem))


def show(
    game: Annotated[
        str, typer.Argument(metavar="GAME", help="A title, a short name such as 'vast', or an id.")
    ],
    section: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SECTION", help="A heading path, a part of one, or something close to it."
        ),
    ] = None,
    whole: Annotated[
        bool, typer.Option("--all", help="Print the sections below it as well.")
    ] = False,
    as_json: output.JsonOption = False,
) -> None:
    """Show a rulebook, or a section of it.

    Without a section, its table of contents.

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
    from rulespal_chat.display import books as display_books

    if whole:
        _show_sections(book, book.sections, as_json, links=False)
    elif as_json:
        contents = [_section_json(section, with_text=False) for section in book.sections]
        output.show_json({"game": book.id, "title": book.title, "contents": contents})
    else:
        output.show(
            lambda: display_books.show_contents(book), lambda: display_books.plain_contents(book)
        )


def _show_sections(book: Rulebook, sections: Sequence[Section], as_json: bool, links: bool) -> None:
    from rulespal_chat.display import books as display_books

    if as_json:
        output.show_json(
            {
                "game": book.id,
                "title": book.title,
                "sections": [_section_json(s, with_text=True) for s in sections],
            }
        )
    else:
        output.show(
            lambda: display_books.show_sections(book, sections, links),
            lambda: display_books.plain_sections(book, sections),
        )


def _show_choice(book: Rulebook, query: str, sections: Sequence[Section], as_json: bool) -> None:
    from rulespal_chat.corpus.text import one_line
    from rulespal_chat.display import books as display_books

    asked = one_line(query)
    if as_json:
        matches = [_section_json(section, with_text=False) for section in sections]
        output.show_json({"game": book.id, "title": book.title, "matches": matches})
    else:
        output.show(
            lambda: display_books.show_choice(book, asked, sections),
            lambda: display_books.plain_choice(book, asked, sections),
        )


def _library() -> Library:
    from rulespal_chat.corpus.library import load_library
    from rulespal_chat.settings import Settings

    return load_library(Settings().home_folder)


def _packaged(library: Library) -> frozenset[str]:
    """The ids of the books that come with RulesPal."""
    from rulespal_chat.corpus.places import packaged_corpus

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
