"""Reading a rule file, and proving it against the book.

Every quote must be a statement of the section that it names, every number of a row must stand in
its quotes, and every expression must have a type. A rule that fails is left out and its problem
kept, so that a changed statement makes its rules stale, and no other.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import ValidationError

from rulespal_chat.corpus.places import RULES
from rulespal_chat.errors import CorpusError, RuleFileError
from rulespal_chat.rules.building import RuleBuilder
from rulespal_chat.rules.cache import DocumentCache
from rulespal_chat.rules.declarations import type_declared
from rulespal_chat.rules.model import Ruleset
from rulespal_chat.rules.plain_yaml import PlainYamlError, read_yaml
from rulespal_chat.rules.problems import FileProblem, described
from rulespal_chat.rules.schema import FileModel

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rulespal_chat.rules.plain_yaml import Document
    from rulespal_chat.types import Rulebook

_MOST_BYTES = 4_000_000


def load_rules(book: Rulebook, cache: Path | None = None) -> Ruleset:
    """The rules of a book; none if it has no rule file.

    Args:
        book: the book.
        cache: a folder in which files that were read are kept.

    Raises:
        CorpusError: the file can't be read.
        RuleFileError: it isn't plain YAML, or a field is missing, unknown or wrong.
    """
    path = book.source.with_name(RULES)
    if not path.is_file():
        return Ruleset(book)
    return read_rules(path, book, cache)


def read_rules(path: Path, book: Rulebook, cache: Path | None = None) -> Ruleset:
    """The rules of a file about a book; errors as for `load_rules`."""
    text = _text(path)
    keeper = None if cache is None else DocumentCache(cache, book.id)
    kept = None if keeper is None else keeper.get(text)
    if kept is not None:
        with suppress(CorpusError):
            rules = _read(kept, path, book)
            if not rules.problems:
                return rules
    try:
        document = read_yaml(text)
    except PlainYamlError as error:
        raise RuleFileError(path, error.line, "", error.problem) from None
    rules = _read(document, path, book)
    if keeper is not None and not rules.problems:
        keeper.put(text, document)
    return rules


def _read(document: Document, path: Path, book: Rulebook) -> Ruleset:
    model = _validated(document, path)
    if model.game != book.id:
        raise RuleFileError(
            path, document.line(("game",)), "", f"game is '{model.game}', not '{book.id}'"
        )
    return _built(model, document, path, book)


def _text(path: Path) -> str:
    try:
        if path.stat().st_size > _MOST_BYTES:
            raise CorpusError(path, f"it has more than {_MOST_BYTES:,} bytes")
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise CorpusError(path, error.strerror or "it can't be read") from None
    except UnicodeDecodeError as error:
        line = error.object[: error.start].count(b"\n") + 1
        raise RuleFileError(path, line, "", "bytes that aren't UTF-8") from None


def _validated(document: Document, path: Path) -> FileModel:
    try:
        return FileModel.model_validate(document.data)
    except ValidationError as error:
        place, problem = described(error, document.data)
        rule = _rule_at(document, place)
        raise RuleFileError(path, document.line(place), rule, problem) from None


def _rule_at(document: Document, place: Sequence[str | int]) -> str:
    """The id of the rule that a place belongs to, if it has one."""
    if len(place) < 2 or place[0] != "rules" or not isinstance(place[1], int):
        return ""
    rule = document.data["rules"][place[1]]
    return str(rule.get("id", "")) if isinstance(rule, dict) else ""


def _built(model: FileModel, document: Document, path: Path, book: Rulebook) -> Ruleset:
    declared = {name: type_declared(given) for name, given in model.inputs.items()}
    builder = RuleBuilder(book, declared)
    problems: list[CorpusError] = []
    for name, given in model.inputs.items():
        try:
            builder.add_input(name, given)
        except FileProblem as problem:
            line = document.line(("inputs", name, *problem.place))
            problems.append(RuleFileError(path, line, "", f"input '{name}': {problem}"))
    for number, rule in enumerate(model.rules):
        line = document.line(("rules", number))
        try:
            builder.add_rule(rule, line)
        except FileProblem as problem:
            line = document.line(("rules", number, *problem.place))
            problems.append(RuleFileError(path, line, rule.id, str(problem)))
    return Ruleset(book, builder.inputs, builder.rules, builder.steps, tuple(problems))
