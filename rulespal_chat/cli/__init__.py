"""The command line: `rulespal`.

Exit codes: 0 answered, partly answered or disputed, or done; 3 the book doesn't say, out of scope,
or a question back; 2 wrong usage, such as a game that isn't in the library; 1 another error;
130 interrupted.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Annotated

import typer

from rulespal_chat.cli import asking, books, evaluating, rules, upkeep
from rulespal_chat.cli.output import complain, never_fail_to_print

if TYPE_CHECKING:
    from collections.abc import Sequence

INTERRUPTED = 130

app = typer.Typer(
    name="rulespal",
    help="Board-game rules at the table: the ruling, the rule that says so, the section to open.",
    epilog=(
        "Exit codes: 0 answered or done; 3 the book doesn't say, out of scope, or a question back; "
        "2 wrong usage; 1 another error; 130 interrupted."
    ),
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["--help", "-h"]},
)
app.command()(asking.ask)
app.command()(asking.chat)
app.command()(asking.search)
app.command()(books.games)
app.command()(books.show)
app.command()(rules.rules)
app.command()(rules.compute)
app.command()(rules.solve)
app.command()(rules.check)
app.command("eval")(evaluating.evaluate)
app.command()(upkeep.index)
app.command()(upkeep.doctor)


def main(arguments: Sequence[str] | None = None) -> None:
    """Runs the command line and exits; an error is one sentence and the next command."""
    from rulespal_chat.errors import RulesPalError

    never_fail_to_print()
    try:
        app(args=arguments)
    except RulesPalError as error:
        complain(str(error))
        sys.exit(error.exit_code)
    except OSError as error:
        what = f"{error.filename}: " if error.filename else ""
        complain(f"{what}{error.strerror or error}. Next: rulespal doctor")
        sys.exit(1)
    except KeyboardInterrupt:
        complain("interrupted")
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
