"""Asking: `rulespal ask`, `rulespal chat` and `rulespal search`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rulespal_chat.cli import output
from rulespal_chat.types import QUOTES

if TYPE_CHECKING:
    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.settings import Settings
    from rulespal_chat.types import Answer

NO_ANSWER = 3
_MOST_INPUT = 100_000

GameOption = Annotated[
    str | None,
    typer.Option("--game", metavar="GAME", help="The game that the question is about."),
]
WithOption = Annotated[
    list[str] | None,
    typer.Option(
        "--with", metavar="KEY=VALUE", help="What is known at the table, such as players=5."
    ),
]
RoleOption = Annotated[
    str | None, typer.Option("--role", metavar="ROLE", help="The role that you play.")
]
ModelOption = Annotated[
    str | None,
    typer.Option(
        "--model",
        metavar="PROVIDER:NAME",
        help="A chat model that puts the answer into its words, such as ollama:llama3.2; "
        "'quotes' for none.",
    ),
]
ModelUrlOption = Annotated[
    str | None,
    typer.Option("--model-url", metavar="URL", help="Where the model's server is."),
]
VerboseOption = Annotated[
    bool,
    typer.Option("--verbose", help="Say who wrote the answer, how long it took, at what cost."),
]


def ask(
    question: Annotated[
        list[str],
        typer.Argument(
            metavar="QUESTION", help="In your own words; '-' reads it from standard input."
        ),
    ],
    game: GameOption = None,
    role: RoleOption = None,
    known: WithOption = None,
    top: Annotated[
        int,
        typer.Option(
            "--top", min=0, max=10, metavar="N", help="List N of the sections searched, up to 10."
        ),
    ] = 0,
    model: ModelOption = None,
    model_url: ModelUrlOption = None,
    verbose: VerboseOption = False,
    as_json: output.JsonOption = False,
) -> None:
    """Answer a rules question.

    In the book's own sentences, each with where it stands.

    For example: rulespal ask "Five players, I'm the Ghoul: how much Fury do I need?"
    """
    from rulespal_chat.rules.table import split_pairs
    from rulespal_chat.types import Question

    text = _read_standard_input() if question == ["-"] else " ".join(question)
    rulespal = opened(model, model_url)
    table = split_pairs(" ".join(known or ()))
    asked = Question(text, game, role, _default_game(), table)
    with output.growing(rulespal) as show:
        for answer in rulespal.stream(asked):
            show(answer)
    if as_json:
        output.show_json(answer.as_dict())
    else:
        show_answer(rulespal, answer, top)
    if verbose:
        show_use(answer)
    if not answer.status.says_something:
        raise typer.Exit(NO_ANSWER)


def chat(
    game: GameOption = None,
    role: RoleOption = None,
    model: ModelOption = None,
    model_url: ModelUrlOption = None,
    verbose: VerboseOption = False,
) -> None:
    """Ask one question after the other."""
    from rulespal_chat.cli.chatting import run_chat

    run_chat(opened(model, model_url), game or _default_game(), role, verbose)


def search(
    query: Annotated[
        list[str], typer.Argument(metavar="WORDS", help="Words of the rule, or a question.")
    ],
    game: GameOption = None,
    top: Annotated[
        int, typer.Option("--top", min=1, max=50, metavar="N", help="How many sections, up to 50.")
    ] = 5,
    as_json: output.JsonOption = False,
) -> None:
    """List the sections that fit, and why."""
    from rulespal_chat.display import answers

    found = opened(QUOTES).search(" ".join(query), game, top, default_game=_default_game())
    if as_json:
        output.show_json(
            {
                "found": [
                    {
                        "game": f.book.id,
                        "section": f.section.name,
                        "score": round(f.score, 4),
                        "why": {name: round(value, 4) for name, value in f.why},
                        "statements": [
                            {
                                "id": s.statement.id,
                                "text": s.statement.text,
                                "score": round(s.score, 4),
                            }
                            for s in sorted(f.statements, key=lambda s: -s.score)
                        ],
                    }
                    for f in found
                ]
            }
        )
    else:
        output.show(lambda: answers.show_found(found), lambda: answers.plain_found(found))


def _default_game() -> str | None:
    """The game of questions that name none; a blank variable counts as unset."""
    from rulespal_chat.settings import Settings

    return Settings().game or None


def opened(model: str | None = None, model_url: str | None = None) -> RulesPal:
    """RulesPal, its index built with a progress bar if there is none.

    Args:
        model: the chat model by its name; None for that of the environment.
        model_url: where its server is; None for that of the environment.
    """
    from rulespal_chat.pipeline import writer_with
    from rulespal_chat.settings import Settings

    settings = Settings()
    rulespal = _opened(settings)
    if name := model or settings.model:
        url = model_url or settings.model_url
        reached = settings.model_copy(update={"model_url": url})
        rulespal.model_writer = writer_with(name, reached, settings.home_folder)
    return rulespal


def _opened(settings: Settings) -> RulesPal:
    from rulespal_chat.pipeline import RulesPal

    try:
        if settings.embedder is None:
            return RulesPal.open_built(settings.home_folder)
        with output.spinner(f"Loading {settings.embedder}"):
            return RulesPal.open_built(settings.home_folder, settings.embedder)
    except FileNotFoundError:
        with output.progress("Building the search index, once for these books") as progress:
            return RulesPal.open(progress=progress, model=QUOTES)


def show_answer(rulespal: RulesPal, answer: Answer, top: int = 0) -> None:
    """Prints an answer for a person."""
    from rulespal_chat.display import answers

    titles = {book.id: book.title for book in rulespal.library.books}
    output.show(
        lambda: answers.show_answer(answer, titles, top),
        lambda: answers.plain_answer(answer, titles, top),
    )


def show_use(answer: Answer) -> None:
    """Says on standard error who wrote an answer, and what that took."""
    from rulespal_chat.display import answers

    for line in answers.use_lines(answer):
        typer.echo(line, err=True)


def _read_standard_input() -> str:
    """Standard input as text.

    Raises:
        BadQuestionError: it is closed, too long, or isn't UTF-8.
    """
    from rulespal_chat.errors import BadQuestionError

    if sys.stdin is None:
        raise BadQuestionError("Standard input is closed", "rulespal ask QUESTION")
    raw = sys.stdin.buffer.read(_MOST_INPUT + 1)
    if len(raw) > _MOST_INPUT:
        sentence = f"The question on standard input has more than {_MOST_INPUT:,} bytes"
        raise BadQuestionError(sentence, "ask again, in a few sentences")
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadQuestionError(
            "The question on standard input isn't UTF-8", "iconv -t UTF-8 FILE | rulespal ask -"
        ) from None
