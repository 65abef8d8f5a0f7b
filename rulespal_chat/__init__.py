"""RulesPal Chat: board-game rules at the table, each with the statement that says so.

The names below are the public face; each is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespal_chat.corpus.library import load_library
    from rulespal_chat.corpus.lookup import find_game, find_sections
    from rulespal_chat.corpus.parser import parse_rulebook, read_rulebook
    from rulespal_chat.corpus.renderer import render_rulebook
    from rulespal_chat.errors import (
        BadQuestionError,
        BadStateError,
        CorpusError,
        EvaluationError,
        IndexBuildError,
        LookupFailedError,
        RulebookError,
        RuleFileError,
        RulesPalError,
        UnknownGameError,
        UnknownRoleError,
        UnknownRuleError,
        UnknownSectionError,
    )
    from rulespal_chat.pipeline import RulesPal
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.results import Check, Claim, Computed, Solution, Verdict
    from rulespal_chat.types import (
        Answer,
        Chapter,
        Citation,
        Found,
        Kind,
        Library,
        Query,
        Question,
        QuestionBack,
        Rulebook,
        Section,
        Statement,
        Status,
    )

__all__ = [
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

_HOMES = {
    "corpus.library": ("load_library",),
    "corpus.lookup": (
        "find_game",
        "find_sections",
    ),
    "corpus.parser": (
        "parse_rulebook",
        "read_rulebook",
    ),
    "corpus.renderer": ("render_rulebook",),
    "errors": (
        "BadQuestionError",
        "BadStateError",
        "CorpusError",
        "EvaluationError",
        "IndexBuildError",
        "LookupFailedError",
        "RuleFileError",
        "RulebookError",
        "RulesPalError",
        "UnknownGameError",
        "UnknownRoleError",
        "UnknownRuleError",
        "UnknownSectionError",
    ),
    "pipeline": ("RulesPal",),
    "rules.engine": ("Engine",),
    "rules.results": (
        "Check",
        "Claim",
        "Computed",
        "Solution",
        "Verdict",
    ),
    "types": (
        "Answer",
        "Chapter",
        "Citation",
        "Found",
        "Kind",
        "Library",
        "Query",
        "Question",
        "QuestionBack",
        "Rulebook",
        "Section",
        "Statement",
        "Status",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)


def __dir__() -> list[str]:
    return [*__all__]
