"""Measuring: `rulespal eval`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from rulespal_chat.cli import asking, output
from rulespal_chat.evaluation.preparing import Retriever, Split
from rulespal_chat.types import QUOTES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rulespal_chat.evaluation.comparing import Earlier
    from rulespal_chat.evaluation.model import Comparison, EvalQuestion, QuestionProblem, Row, Run
    from rulespal_chat.evaluation.running import Asker
    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.search.index import Index

INTERRUPTED = 130
_SHOWN = 5  # ids in a message


QuestionsOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--questions",
        metavar="FILE",
        exists=True,
        help="Ask these; may be given several times. Otherwise those of the checkout.",
    ),
]
OutOption = Annotated[
    Path | None,
    typer.Option("--json", metavar="OUT", dir_okay=False, help="Write all answers and scores."),
]
ReportOption = Annotated[
    Path | None,
    typer.Option("--report", metavar="OUT.html", dir_okay=False, help="Write a page to look at."),
]
BaselineOption = Annotated[
    Path | None,
    typer.Option(
        "--baseline",
        metavar="FILE",
        exists=True,
        dir_okay=False,
        help="Compare with a saved run; fail if an answer got wrong that it doesn't accept.",
    ),
]
WriterOption = Annotated[
    str,
    typer.Option(
        "--writer",
        metavar="WRITER",
        help="Who writes the answers: quotes, or a chat model as model:PROVIDER:NAME.",
    ),
]
SaveOption = Annotated[
    Path | None,
    typer.Option("--save-baseline", metavar="FILE", dir_okay=False, help="Save this run."),
]


def evaluate(
    questions: QuestionsOption = None,
    split: Annotated[Split, typer.Option("--split", help="Which questions.")] = Split.TEST,
    writer: WriterOption = QUOTES,
    model_url: asking.ModelUrlOption = None,
    retriever: Annotated[
        Retriever, typer.Option("--retriever", help="What is asked; all compares them.")
    ] = Retriever.PRODUCT,
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, metavar="N", help="Ask only the first N.")
    ] = None,
    out: OutOption = None,
    report: ReportOption = None,
    baseline: BaselineOption = None,
    save_baseline: SaveOption = None,
    lint: Annotated[
        bool, typer.Option("--lint", help="Ask nothing; prove the questions sound.")
    ] = False,
) -> None:
    """Measure the answers to questions with known answers.

    Fails if a quote isn't the book's word for word, or an answer is worse than the baseline's.

    For example: rulespal eval --questions mine.jsonl --report report.html
    """
    from rulespal_chat.evaluation import preparing
    from rulespal_chat.evaluation.comparing import compare, read_earlier

    files = tuple(preparing.question_files(questions or ()))
    if lint:
        _lint(files)
        return
    preparing.check_packages(preparing.PACKAGES)
    preparing.check_packages(preparing.REPORT_PACKAGES if report else ())
    preparing.check_folders(path for path in (out, report, save_baseline) if path)
    model = preparing.model_of(writer)
    earlier = read_earlier(baseline) if baseline else None
    asked, problems = _asked(files, split, limit)
    config = {
        "retriever": str(retriever.first),
        "writer": writer if retriever.first is Retriever.PRODUCT else None,
        "split": str(split),
        "limit": limit,
        "files": [file.name for file in files],
    }
    run = _run(asking.opened(model, model_url), asked, retriever, config, problems)
    comparison = compare(run.rows, earlier) if earlier else None
    _write(run, comparison, out, report)
    if save_baseline:
        _save(run, earlier, save_baseline)
    _finish(run, comparison)


def _asked(
    files: Sequence[Path], split: Split, limit: int | None
) -> tuple[tuple[EvalQuestion, ...], tuple[QuestionProblem, ...]]:
    """The questions of a split, and what is wrong with others, which is said."""
    from rulespal_chat.evaluation.preparing import of_split
    from rulespal_chat.evaluation.questions import read_questions

    read, problems = read_questions(files)
    for problem in problems:
        output.complain(str(problem))
    return of_split(read, split, limit), problems


def _lint(files: Sequence[Path]) -> None:
    from rulespal_chat.corpus.library import load_library
    from rulespal_chat.evaluation.linting import lint
    from rulespal_chat.evaluation.questions import read_questions
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.settings import Settings

    read, problems = read_questions(files)
    library = load_library(Settings().home_folder)
    problems += lint(read, library, Engine(library))
    for problem in problems:
        typer.echo(str(problem))
    typer.echo(f"{_counted(len(read), 'question')}, {_counted(len(problems), 'problem')}.")
    if problems:
        raise typer.Exit(1)


# Asking


def _run(
    rulespal: RulesPal,
    asked: Sequence[EvalQuestion],
    retriever: Retriever,
    config: dict[str, Any],
    problems: tuple[QuestionProblem, ...],
) -> Run:
    """Asks all; once interrupted, what there is."""
    from rulespal_chat.evaluation.environment import describe
    from rulespal_chat.evaluation.metrics import figures
    from rulespal_chat.evaluation.model import Run

    rows, is_complete = _rows(asked, retriever.first, rulespal)
    if retriever is Retriever.ALL and is_complete:
        config["baselines"], is_complete = _all_baselines(rows, rulespal)
    environment = describe()
    if is_complete and retriever.first is Retriever.PRODUCT and rulespal.model_writer is None:
        environment["cold_start_ms"] = _cold_start(asked[0])
    return Run(config, environment, rows, figures(rows), problems, is_complete)


def _rows(
    asked: Sequence[EvalQuestion], retriever: Retriever, rulespal: RulesPal
) -> tuple[tuple[Row, ...], bool]:
    """The rows so far, and whether these are all."""
    from rulespal_chat.evaluation.running import run
    from rulespal_chat.evaluation.scoring import Scorer

    rows: list[Row] = []
    try:
        ask, score = _asker(retriever, rulespal), Scorer(rulespal.library, rulespal.engine)
        list(run(asked[:1], ask, score))  # the first one opens files, which isn't its own time
        with output.progress(f"Asking {retriever}") as progress:
            for row in run(asked, ask, score, progress):
                rows.append(row)  # noqa: PERF402  (what there is stays if it is interrupted)
    except KeyboardInterrupt:
        return tuple(rows), False
    return tuple(rows), True


def _asker(retriever: Retriever, rulespal: RulesPal) -> Asker:
    from rulespal_chat.evaluation.baselines import asker
    from rulespal_chat.evaluation.running import product_asker

    if retriever is Retriever.PRODUCT:
        return product_asker(rulespal)
    with output.spinner(f"Preparing {retriever}"):
        return asker(retriever, opened_index())


def opened_index() -> Index:
    """The index that the baselines search; `asking.opened` has built it."""
    from rulespal_chat.search.index import open_index
    from rulespal_chat.settings import Settings

    settings = Settings()
    return open_index(settings.home_folder, settings.embedder)


def _all_baselines(rows: Sequence[Row], rulespal: RulesPal) -> tuple[list[dict[str, Any]], bool]:
    """What the table of baselines shows of each, and whether all were asked."""
    from rulespal_chat.evaluation.baselines import NAMES
    from rulespal_chat.evaluation.comparing import against

    entries: list[dict[str, Any]] = []
    for name in NAMES:
        others, is_complete = _rows([row.question for row in rows], Retriever(name), rulespal)
        if not is_complete:
            return entries, False
        entries.append(against(name, others, rows))
    return entries, True


def _cold_start(question: EvalQuestion) -> float | None:
    from subprocess import TimeoutExpired

    from rulespal_chat.evaluation.environment import cold_start_ms

    try:
        return round(cold_start_ms(question.question))
    except TimeoutExpired:
        return None


# What came out


def _write(run: Run, comparison: Comparison | None, out: Path | None, report: Path | None) -> None:
    from dataclasses import asdict

    from rulespal_chat.evaluation.terminal import summary

    typer.echo(summary(run, comparison))
    if out:
        compared = {"comparison": asdict(comparison)} if comparison else {}
        _write_json(out, {**run.as_dict(), **compared})
    if report:
        from rulespal_chat.evaluation.report import html

        report.write_text(html(run, comparison), encoding="utf-8")


def _save(run: Run, earlier: Earlier | None, path: Path) -> None:
    """Saves the run, unless it isn't whole; what the earlier one accepts, it accepts as well."""
    from rulespal_chat.evaluation.comparing import baseline

    if run.is_complete:
        _write_json(path, baseline(run, earlier.accepted if earlier else ()))
    else:
        output.complain(f"{path} is left as it was, as a baseline has to be whole")


def _write_json(path: Path, fields: dict[str, Any]) -> None:
    import json

    text = json.dumps(fields, ensure_ascii=False, indent=1, allow_nan=False)
    path.write_text(f"{text}\n", encoding="utf-8")


def _finish(run: Run, comparison: Comparison | None) -> None:
    """Says what is wrong, and ends with the exit code for it."""
    broken = [row.question.id for row in run.rows if row.scores.get("quotes_not_verbatim")]
    lost = comparison.lost if comparison else ()
    if broken:
        output.complain(f"Quotes aren't the book's word for word in: {_some(broken)}")
    if lost:
        output.complain(f"Newly wrong, and not accepted by the baseline: {_some(lost)}")
    if not run.is_complete:
        output.complain(f"interrupted after {_counted(len(run.rows), 'question')}, which are kept")
        raise typer.Exit(INTERRUPTED)
    if broken or lost:
        raise typer.Exit(1)


def _some(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _SHOWN} more" if len(ids) > _SHOWN else ""
    return ", ".join(ids[:_SHOWN]) + more


def _counted(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"
