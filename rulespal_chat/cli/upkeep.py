"""Keeping RulesPal in order: `rulespal index` and `rulespal doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from rulespal_chat.cli import output

if TYPE_CHECKING:
    from rulespal_chat.health import Finding


def index(
    rebuild: Annotated[
        bool, typer.Option("--rebuild", help="Build it anew even if it is there.")
    ] = False,
    prune: Annotated[
        bool, typer.Option("--prune", help="Remove the indexes that are out of date.")
    ] = False,
) -> None:
    """Build the search index.

    The first question after a change of the books builds it by itself.
    """
    from rulespal_chat.search.index import (
        build_index,
        index_folder,
        is_built,
        prune_indexes,
        remove_index,
    )
    from rulespal_chat.settings import Settings

    settings = Settings()
    home, embedder = settings.home_folder, settings.embedder
    if prune:
        removed = prune_indexes(home, embedder)
        typer.echo(f"Removed {len(removed)} old search index{'' if len(removed) == 1 else 'es'}.")
        if not rebuild:
            return
    if rebuild:
        remove_index(home, embedder)
    if is_built(home, embedder):
        typer.echo(f"The search index is up to date: {index_folder(home, embedder)}")
        return
    with output.progress("Building the search index") as progress:
        folder = build_index(home, embedder, progress)
    typer.echo(f"The search index is built: {folder}")


def doctor(as_json: output.JsonOption = False) -> None:
    """Say what is wrong, and how to mend it."""
    from rulespal_chat.health import examine
    from rulespal_chat.settings import Settings

    findings = examine(Settings())
    if as_json:
        rows = [{"what": f.what, "found": f.found, "mend": f.mend} for f in findings]
        output.show_json({"ok": all(f.is_well for f in findings), "findings": rows})
    else:
        for finding in findings:
            _show_finding(finding)
    if not all(finding.is_well for finding in findings):
        raise typer.Exit(1)


def _show_finding(finding: Finding) -> None:
    from rulespal_chat.corpus.text import one_line

    sign = "✓" if finding.is_well else "✗"
    typer.echo(f"{sign} {one_line(f'{finding.what}: {finding.found}')}")
    if finding.mend:
        typer.echo(f"  {'Next' if finding.is_well else 'Mend it'}: {finding.mend}")
