"""The public face: what can be imported from `rulespal_chat`, and that importing it is cheap."""

from __future__ import annotations

import subprocess
import sys

import pytest

import rulespal_chat


def test_all_is_pinned() -> None:
    assert rulespal_chat.__all__ == [
        "Answer",
        "BadQuestionError",
        "BadStateError",
        "Chapter",
        "Check",
        "Citation",
        "Claim",
        "Computed",
        "CorpusError",
        "Engine",
        "EvaluationError",
        "Found",
        "IndexBuildError",
        "Kind",
        "Library",
        "LookupFailedError",
        "Query",
        "Question",
        "QuestionBack",
        "RuleFileError",
        "Rulebook",
        "RulebookError",
        "RulesPal",
        "RulesPalError",
        "Section",
        "Solution",
        "Statement",
        "Status",
        "UnknownGameError",
        "UnknownRoleError",
        "UnknownRuleError",
        "UnknownSectionError",
        "Verdict",
        "find_game",
        "find_sections",
        "load_library",
        "parse_rulebook",
        "read_rulebook",
        "render_rulebook",
    ]
    assert dir(rulespal_chat) == rulespal_chat.__all__


@pytest.mark.parametrize("name", rulespal_chat.__all__)
def test_every_name_is_there(name: str) -> None:
    assert getattr(rulespal_chat, name).__doc__


def test_other_names_are_not() -> None:
    with pytest.raises(AttributeError, match="no attribute 'answer_everything'"):
        rulespal_chat.answer_everything  # noqa: B018  # type: ignore[attr-defined]


def test_importing_the_package_imports_nothing_else_of_it() -> None:
    code = "import rulespal_chat, sys; print([m for m in sys.modules if 'rulespal' in m])"
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    )
    assert result.stdout == "['rulespal_chat']\n"


def test_every_error_is_a_rulespal_error_with_a_next_command() -> None:
    from pathlib import Path

    from rulespal_chat import errors

    broken = errors.RulebookError(Path("b.md"), 3, "a thing", "another")
    assert str(broken) == (
        "b.md: line 3: a thing; expected another. Next: mend it, then rulespal games"
    )
    assert isinstance(broken, errors.CorpusError)
    assert isinstance(broken, errors.RulesPalError)
    assert (broken.exit_code, errors.UnknownGameError("No", "x").exit_code) == (1, 2)
