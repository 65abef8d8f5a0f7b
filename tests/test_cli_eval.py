"""`rulespal eval` on a small book: what it prints, writes and keeps, and what turns it red."""

from __future__ import annotations

import json
import random
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest
from conftest import TOADS, Result
from evaluated import LINES, OLD_WIN, question_file, toad_index

from rulespal_chat.errors import ModelSetupError
from rulespal_chat.evaluation.preparing import Retriever, model_of
from rulespal_chat.pipeline import RulesPal
from rulespal_chat.search.retriever import Retriever as ProductRetriever
from rulespal_chat.types import Draft, Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rulespal_chat.search.index import Index

    Run = Callable[..., Result]

RULE = "- The Old Witch wins with 5 Toads."
assert RULE in TOADS


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> Index:
    return toad_index(tmp_path_factory.mktemp("toads"), TOADS)


@pytest.fixture
def ask_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Index], RulesPal]:
    """Makes the command ask RulesPal with this index, and measure no cold start."""

    def ask(index: Index) -> RulesPal:
        pal = RulesPal(index)
        monkeypatch.setattr("rulespal_chat.cli.asking.opened", lambda *_: pal)
        monkeypatch.setattr("rulespal_chat.cli.evaluating.opened_index", lambda: index)
        return pal

    monkeypatch.setattr("rulespal_chat.evaluation.environment.cold_start_ms", lambda _: 1234.4)
    return ask


@pytest.fixture
def pal(ask_of: Callable[[Index], RulesPal], index: Index) -> RulesPal:
    return ask_of(index)


@pytest.fixture
def questions(tmp_path: Path) -> str:
    return str(question_file(tmp_path / "mine.jsonl"))


@pytest.fixture
def saved(pal: RulesPal, rulespal: Run, questions: str, tmp_path: Path) -> str:
    """The baseline of a run in which all is right."""
    assert pal
    path = str(tmp_path / "baseline.json")
    result = rulespal("eval", "--questions", questions, "--save-baseline", path)
    assert result.code == 0
    return path


def read(path: Path | str) -> dict[str, Any]:
    with open(path, encoding="utf-8") as file:  # noqa: PTH123
        fields: dict[str, Any] = json.load(file)
    return fields


@pytest.mark.usefixtures("pal")
def test_it_prints_a_summary_and_all_is_well(rulespal: Run, questions: str) -> None:
    result = rulespal("eval", "--questions", questions)
    assert (result.code, result.err) == (
        0,
        "rulespal: Asking product …\n".removeprefix("rulespal: "),
    )
    lines = [line.split() for line in result.out.splitlines()]
    assert lines[0] == "product, split test: 3 questions".split()
    assert ["correct", "1.00", "1.00", "–", "1.00", "3"] in lines
    assert ["hit@1", "1.00", "1.00", "–", "1.00", "2"] in lines
    assert ["quotes", "not", "verbatim,", "of", "all", "quotes", "0", "2"] in lines
    assert ["cold", "start", "1234"] in lines
    assert max(map(len, result.out.splitlines())) <= 80


@pytest.mark.usefixtures("pal")
def test_the_json_is_the_answers_contract_with_ids_and_scores(
    rulespal: Run, questions: str, tmp_path: Path
) -> None:
    rulespal("eval", "--questions", questions, "--limit", "2", "--json", str(tmp_path / "run.json"))
    run = read(tmp_path / "run.json")
    assert list(run)[:2] == ["schema", "config"]
    assert run["complete"] is True
    assert run["config"] == {
        "retriever": "product",
        "writer": "quotes",
        "split": "test",
        "limit": 2,
        "files": ["mine.jsonl"],
    }
    assert run["environment"]["cold_start_ms"] == 1234
    assert run["summary"]["all"]["correct"] == {"value": 1, "low": 1, "high": 1, "n": 2}
    first, second = run["rows"]
    assert (first["id"], second["id"]) == ("old-win", "stir")
    assert first["text"] == "The Old Witch wins with 5 Toads. [1]"
    assert first["citations"][0]["section"] == OLD_WIN
    assert first["scores"]["rr@10"] == 1
    assert str(tmp_path) not in json.dumps(run)


@pytest.mark.usefixtures("pal")
def test_the_report_has_every_question(rulespal: Run, questions: str, tmp_path: Path) -> None:
    result = rulespal("eval", "--questions", questions, "--report", str(tmp_path / "r.html"))
    assert result.code == 0
    page = (tmp_path / "r.html").read_text("utf-8")
    assert all(line["id"] in page for line in LINES)


# What turns a run red


def test_a_run_that_is_as_the_baseline_passes(rulespal: Run, questions: str, saved: str) -> None:
    result = rulespal("eval", "--questions", questions, "--baseline", saved)
    assert result.code == 0
    assert result.out.endswith("Against the baseline: 0 better, 0 worse (exact McNemar p = 1)\n")


def test_a_rule_that_a_question_needs_is_missed_when_it_is_deleted(
    rulespal: Run,
    questions: str,
    saved: str,
    tmp_path: Path,
    ask_of: Callable[[Index], RulesPal],
) -> None:
    ask_of(toad_index(tmp_path / "without", TOADS.replace(RULE, "- The Old Witch is shy.")))
    result = rulespal("eval", "--questions", questions, "--baseline", saved)
    assert result.code == 1
    assert result.err.splitlines()[-1] == (
        "rulespal: Newly wrong, and not accepted by the baseline: old-win"
    )
    assert "was    answered: The Old Witch wins with 5 Toads. [1]" in result.out


def test_shuffled_scores_turn_it_red(
    rulespal: Run, questions: str, saved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ranked = ProductRetriever._ranked

    def shuffled(*arguments: Any) -> list[tuple[str, float, Any]]:  # noqa: ANN401
        rows = ranked(*arguments)
        scores = [score for _, score, _ in rows]
        # The writer looks at several sections, so that with seven in all many shuffles do no harm.
        random.Random(7).shuffle(scores)  # noqa: S311
        mixed = [(s, score, why) for (s, _, why), score in zip(rows, scores, strict=True)]
        return sorted(mixed, key=lambda row: -row[1])

    monkeypatch.setattr(ProductRetriever, "_ranked", shuffled)
    result = rulespal("eval", "--questions", questions, "--baseline", saved)
    assert (result.code, result.err.endswith("baseline: old-win, stir\n")) == (1, True)


def test_a_writer_that_always_refuses_turns_it_red(
    pal: RulesPal, rulespal: Run, questions: str, saved: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refusal = Draft(Status.NOT_IN_RULEBOOK, "The rulebook doesn't say.")
    monkeypatch.setattr(pal, "_writer", lambda *_: refusal)
    result = rulespal("eval", "--questions", questions, "--baseline", saved)
    assert (result.code, result.err.endswith("baseline: old-win, stir\n")) == (1, True)
    assert "refused, though the book answers" in result.out


def test_a_quote_that_is_not_verbatim_turns_it_red_without_a_baseline(
    pal: RulesPal, rulespal: Run, questions: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = pal._writer

    def loudly(*arguments: Any) -> Draft:  # noqa: ANN401
        draft = write(*arguments)
        return replace(draft, text=draft.text.upper())

    monkeypatch.setattr(pal, "_writer", loudly)
    result = rulespal("eval", "--questions", questions)
    assert result.code == 1
    assert result.err.endswith("Quotes aren't the book's word for word in: old-win, stir\n")


def test_what_the_baseline_accepts_does_not_and_stays_accepted(
    pal: RulesPal,
    rulespal: Run,
    questions: str,
    saved: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    accepting = {**read(saved), "accepted": ["stir", "old-win"]}
    (tmp_path / "accepting.json").write_text(json.dumps(accepting), encoding="utf-8")
    refusal = Draft(Status.NOT_IN_RULEBOOK, "The rulebook doesn't say.")
    monkeypatch.setattr(pal, "_writer", lambda *_: refusal)
    files = ("--baseline", str(tmp_path / "accepting.json"), "--save-baseline", saved)
    result = rulespal("eval", "--questions", questions, *files)
    assert (result.code, "old-win, worse, as accepted" in result.out) == (0, True)
    assert read(saved)["accepted"] == ["old-win", "stir"]
    assert [row["correct"] for row in read(saved)["rows"]] == [False, False, True]


# Interrupted


def test_interrupted_it_keeps_what_it_has_and_says_so(
    pal: RulesPal,
    rulespal: Run,
    questions: str,
    saved: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ask, before = pal.ask, read(saved)

    def interrupted(text: str) -> Any:  # noqa: ANN401
        if "weather" in text:
            raise KeyboardInterrupt
        return ask(text)

    monkeypatch.setattr(pal, "ask", interrupted)
    files = ("--json", str(tmp_path / "run.json"), "--report", str(tmp_path / "r.html"))
    result = rulespal("eval", "--questions", questions, *files, "--save-baseline", saved)
    assert result.code == 130
    assert result.err.endswith("rulespal: interrupted after 2 questions, which are kept\n")
    assert "2 questions; interrupted" in result.out
    run = read(tmp_path / "run.json")
    assert (run["complete"], [row["id"] for row in run["rows"]]) == (False, ["old-win", "stir"])
    assert "old-win" in (tmp_path / "r.html").read_text("utf-8")
    assert read(saved) == before


def test_interrupted_at_once_there_is_nothing_but_no_error(
    pal: RulesPal, rulespal: Run, questions: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(_: str) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(pal, "ask", interrupted)
    files = ("--json", str(tmp_path / "run.json"), "--report", str(tmp_path / "r.html"))
    result = rulespal("eval", "--questions", questions, *files)
    assert (result.code, read(tmp_path / "run.json")["rows"]) == (130, [])
    assert result.err.endswith("rulespal: interrupted after 0 questions, which are kept\n")


# What else is asked


@pytest.mark.usefixtures("pal")
def test_all_compares_the_product_with_each_baseline(
    rulespal: Run, questions: str, tmp_path: Path
) -> None:
    out = str(tmp_path / "run.json")
    result = rulespal("eval", "--questions", questions, "--retriever", "all", "--json", out)
    assert result.code == 0
    assert "product      recipe        bm25       dense\n" in result.out
    assert (
        "right only product                                    1           1           1\n"
        in result.out
    )
    run = read(out)
    assert (run["config"]["retriever"], len(run["rows"])) == ("product", 3)
    assert run["rows"][0]["writer"] == "quotes"
    others = run["config"]["baselines"]
    assert [(entry["name"], entry["right_only_product"]) for entry in others] == [
        ("recipe", 1),
        ("bm25", 1),
        ("dense", 1),
    ]


@pytest.mark.usefixtures("pal")
def test_interrupted_among_the_baselines_the_product_is_kept(
    rulespal: Run, questions: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rulespal_chat.cli.evaluating.opened_index", interrupted)
    out = str(tmp_path / "run.json")
    result = rulespal("eval", "--questions", questions, "--retriever", "all", "--json", out)
    run = read(out)
    assert (result.code, len(run["rows"]), run["config"]["baselines"]) == (130, 3, [])


@pytest.mark.usefixtures("pal")
def test_a_baseline_can_be_asked_alone(rulespal: Run, questions: str, tmp_path: Path) -> None:
    out = str(tmp_path / "run.json")
    result = rulespal("eval", "--questions", questions, "--retriever", "bm25", "--json", out)
    assert result.out.startswith("bm25, split test: 3 questions\n")
    run = read(out)
    assert (run["config"]["writer"], run["rows"][0]["writer"]) == (None, "bm25")
    assert "cold_start_ms" not in run["environment"]


def test_what_can_be_chosen_is_what_there_is() -> None:
    from rulespal_chat.evaluation.baselines import NAMES

    assert tuple(Retriever) == ("product", *NAMES, "all")


def test_a_writer_is_the_default_one_or_a_chat_model() -> None:
    assert model_of("quotes") == "quotes"
    assert model_of("model:ollama:llama3.2:1b") == "ollama:llama3.2:1b"
    for writer in ("", "model", "model:", "ollama:llama3.2"):
        with pytest.raises(ModelSetupError, match="is neither quotes nor model:PROVIDER:NAME"):
            model_of(writer)


# What is wrong with questions and options


@pytest.mark.usefixtures("pal")
def test_a_bad_line_is_named_and_the_rest_runs_on(rulespal: Run, tmp_path: Path) -> None:
    path = question_file(tmp_path / "mine.jsonl", [LINES[0], {**LINES[1], "kind": 7}, LINES[2]])
    result = rulespal("eval", "--questions", str(path))
    assert (result.code, result.out.splitlines()[0]) == (0, "product, split test: 2 questions")
    assert result.err.startswith(f"rulespal: {path}, line 2, kind: ")


@pytest.mark.usefixtures("pal")
def test_the_files_of_a_folder_are_asked_and_only_the_split_is(
    rulespal: Run, tmp_path: Path
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    question_file(folder / "b.jsonl", [{**LINES[0], "split": "tune"}])
    question_file(folder / "a.jsonl", LINES[1:])
    for split, n in (("tune", "1 question"), ("test", "2 questions"), ("all", "3 questions")):
        result = rulespal("eval", "--questions", str(folder), "--split", split)
        assert result.out.startswith(f"product, split {split}: {n}\n")


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        (LINES, ("--split", "tune"), "No question is of the tune split. Next: rulespal eval --split all"),
        ([{}], (), "There is no question to ask. Next: rulespal eval --lint"),
        (LINES, ("--json", "no/such.json"), "no/such.json can't be written, as its folder isn't there. Next: mkdir -p no"),
        (LINES, ("--baseline", "mine.jsonl"), "mine.jsonl is no baseline, as it isn't JSON. Next: rulespal eval --save-baseline FILE"),
        (LINES, ("--questions", "empty"), "The folder empty has no *.jsonl. Next: rulespal eval --questions FILE"),
    ],
)  # fmt: skip
def test_what_cannot_be_evaluated_is_one_sentence_before_anything_is_asked(
    rulespal: Run,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    content: list[dict[str, Any]],
    options: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").mkdir()
    question_file(tmp_path / "mine.jsonl", content)
    result = rulespal("eval", "--questions", "mine.jsonl", *options)
    assert (result.code, result.out) == (1, "")
    assert result.err.splitlines()[-1] == f"rulespal: {message}"


def test_an_installation_without_questions_or_packages_says_so(
    rulespal: Run, questions: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    preparing = "rulespal_chat.evaluation.preparing"
    monkeypatch.setattr(f"{preparing}.packaged_questions", lambda: tmp_path / "none")
    assert rulespal("eval").err == (
        "rulespal: This installation came without questions. Next: rulespal eval --questions FILE\n"
    )
    monkeypatch.setattr(f"{preparing}.PACKAGES", ("json", "no_such_thing"))
    assert rulespal("eval", "--questions", questions).err == (
        "rulespal: An evaluation needs no-such-thing, which the extra 'eval' brings. "
        "Next: pip install 'rulespal-chat[eval]'\n"
    )


@pytest.mark.parametrize(
    "options",
    [
        ("--writer", "poet"),
        ("--retriever", "oracle"),
        ("--split", "half"),
        ("--limit", "0"),
        ("--questions", "no-such-file"),
        ("--baseline", "no-such-file"),
    ],
)
def test_wrong_options_are_wrong_usage(rulespal: Run, options: tuple[str, str]) -> None:
    result = rulespal("eval", *options)
    assert result.code == 2
    assert options[0] in result.err


# --lint


@pytest.fixture
def toads_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, add_book: Callable[[str, str | bytes], Path]
) -> None:
    add_book("toad-well", TOADS)
    monkeypatch.setattr("rulespal_chat.corpus.library.packaged_corpus", lambda: tmp_path / "none")


@pytest.mark.usefixtures("toads_alone")
def test_lint_asks_nothing_and_finds_sound_questions_sound(rulespal: Run, questions: str) -> None:
    assert rulespal("eval", "--questions", questions, "--lint") == Result(
        0, "3 questions, 0 problems.\n", ""
    )


@pytest.mark.usefixtures("toads_alone")
def test_lint_prints_each_problem_and_fails(rulespal: Run, tmp_path: Path) -> None:
    wrong = {**LINES[1], "answer": "Twice."}
    path = question_file(tmp_path / "mine.jsonl", [LINES[0], wrong, {"id": "x"}])
    result = rulespal("eval", "--questions", str(path), "--lint")
    assert (result.code, result.err) == (1, "")
    lines = result.out.splitlines()
    assert f"{path}, line 2, answer: stir: it fails the question's own check" in lines
    assert any(line.startswith(f"{path}, line 3, ") for line in lines)
    assert lines[-1] == f"2 questions, {len(lines) - 1} problems."
