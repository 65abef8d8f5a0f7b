"""What can go wrong, for people.

RulesPalError
├── CorpusError        a book can't be read
│   ├── RulebookError  a line of rulebook.md breaks the format
│   └── RuleFileError  a rule of rules.yaml breaks the format, or is stale
├── BadQuestionError   nothing that can be asked: blank, or far too long
├── BadStateError      a key=value that isn't one, or that no input can have
├── EvaluationError    nothing to ask, or nothing to compare with
├── IndexBuildError    the search index, or the embedder that it needs, can't be had
├── ModelSetupError    a chat model that was asked for can't be had
└── LookupFailedError  a name that the library or a book doesn't have
    ├── UnknownGameError
    ├── UnknownRoleError
    ├── UnknownSectionError
    └── UnknownRuleError

Each error is one sentence and the next command to type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path


class RulesPalError(Exception):
    """Base of all errors that a user can meet.

    Args:
        sentence: what is wrong, in one sentence without a full stop.
        hint: the next command to type.
    """

    exit_code = 1

    def __init__(self, sentence: str, hint: str) -> None:
        super().__init__(sentence, hint)
        self.sentence = sentence
        self.hint = hint

    def __str__(self) -> str:
        return f"{self.sentence}. Next: {self.hint}"


class CorpusError(RulesPalError):
    """A book, or a folder of books, can't be read."""

    def __init__(
        self, path: Path, problem: str, hint: str = "mend it, then rulespal games"
    ) -> None:
        super().__init__(f"{path}: {problem}", hint)
        self.path = path
        self.problem = problem


class RulebookError(CorpusError):
    """A line of a rulebook breaks the format.

    Args:
        path: the rulebook file.
        line: counted from 1.
        found: what stands there.
        expected: what should.
    """

    def __init__(self, path: Path, line: int, found: str, expected: str) -> None:
        super().__init__(path, f"line {line}: {found}; expected {expected}")
        self.line = line
        self.expected = expected


class RuleFileError(CorpusError):
    """A rule of a rule file breaks the format, or a statement that it cites has changed.

    Args:
        path: the rule file.
        line: counted from 1.
        rule: the rule's id; empty for what belongs to no rule.
        problem: what is wrong.
    """

    def __init__(self, path: Path, line: int, rule: str, problem: str) -> None:
        of_rule = f"rule '{rule}': " if rule else ""
        super().__init__(path, f"line {line}: {of_rule}{problem}", "mend it, then rulespal doctor")
        self.line = line
        self.rule = rule


class BadQuestionError(RulesPalError):
    """Nothing that can be asked: blank, or far too long."""

    exit_code = 2


class BadStateError(RulesPalError):
    """A state that can't be read: no key=value, an unknown key, or a value out of bounds."""

    exit_code = 2


class IndexBuildError(RulesPalError):
    """The search index, or the embedder that it needs, can't be had."""

    @classmethod
    def broken(cls, folder: Path, why: str) -> IndexBuildError:
        """That of an index which is there, but can't be read."""
        return cls(f"The search index in {folder} is broken ({why})", "rulespal index --rebuild")


class ModelSetupError(RulesPalError):
    """A chat model that was asked for: no such provider, no package for it, or no key."""

    exit_code = 2


class EvaluationError(RulesPalError):
    """An evaluation has nothing to ask, nothing to compare with, or lacks a package."""


class LookupFailedError(RulesPalError):
    """A name that is not there; `nearest` lists those that come close, best first."""

    exit_code = 2

    def __init__(self, sentence: str, hint: str, nearest: tuple[str, ...] = ()) -> None:
        super().__init__(sentence, hint)
        self.nearest = nearest


class UnknownGameError(LookupFailedError):
    """No game, or more than one, goes by this name."""


class UnknownRoleError(LookupFailedError):
    """No role of the books in question goes by this name."""


class UnknownSectionError(LookupFailedError):
    """No section of the book goes by this name."""


class UnknownRuleError(LookupFailedError):
    """No rule of the library goes by this id, or it has no such output or input."""
