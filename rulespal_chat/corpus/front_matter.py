"""The YAML at the head of a rulebook: what the book is called and what its chapters are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from rulespal_chat.corpus.text import one_line
from rulespal_chat.errors import RulebookError
from rulespal_chat.types import BookKind, Chapter, ChapterKind

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

_FENCED = re.compile(r"---[ \t]*\n(?P<yaml>.*?)^---[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_EXPECTED = "'---', then id, title, kind and chapters in YAML, then '---'"

ID_PATTERN = r"^[a-z0-9]+(-[a-z0-9]+)*$"
_Name = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _ChapterModel(_Model):
    heading: _Name
    kind: Annotated[ChapterKind, Field(strict=False)] = ChapterKind.CHAPTER
    aliases: list[_Name] = []
    twins: list[_Name] = []

    def chapter(self) -> Chapter:
        aliases, twins = (tuple(map(one_line, names)) for names in (self.aliases, self.twins))
        return Chapter(one_line(self.heading), self.kind, aliases, twins)


class _BookModel(_Model):
    id: Annotated[str, StringConstraints(pattern=ID_PATTERN)]
    title: _Name
    aliases: list[_Name] = []
    kind: Annotated[BookKind, Field(strict=False)]
    base_game: _Name | None = None
    chapters: list[_ChapterModel] = []
    words: dict[_Name, list[_Name]] = {}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """The head of a rulebook, checked.

    Attributes:
        id, title, aliases, kind, base_game, words: as in `Rulebook`.
        chapters: as declared; `chapter_lines` has the line of each one's declaration.
        length: lines up to and including the closing '---'.
    """

    id: str
    title: str
    aliases: tuple[str, ...]
    kind: BookKind
    base_game: str | None
    chapters: tuple[Chapter, ...]
    words: tuple[tuple[str, tuple[str, ...]], ...]
    chapter_lines: tuple[int, ...]
    length: int


def read_front_matter(text: str, path: Path) -> FrontMatter:
    """Reads the front matter of a rulebook's cleaned text.

    Raises:
        RulebookError: it is missing, isn't YAML 1.2, or has a field missing, unknown or wrong.
    """
    fenced = _FENCED.match(text)
    if fenced is None:
        raise RulebookError(path, 1, "no front matter", _EXPECTED)
    data = _load_yaml(fenced["yaml"], path)
    try:
        model = _BookModel.model_validate(data)
    except ValidationError as error:
        raise _field_error(error, data, path) from None
    _check_kind(model, data, path)
    lines = tuple(_line_of(data, ("chapters", n)) for n in range(len(model.chapters)))
    return FrontMatter(
        id=model.id,
        title=one_line(model.title),
        aliases=tuple(map(one_line, model.aliases)),
        kind=model.kind,
        base_game=None if model.base_game is None else one_line(model.base_game),
        chapters=tuple(chapter.chapter() for chapter in model.chapters),
        words=tuple(
            (one_line(term), tuple(map(one_line, called))) for term, called in model.words.items()
        ),
        chapter_lines=lines,
        length=fenced[0].count("\n"),
    )


def _load_yaml(source: str, path: Path) -> Any:  # noqa: ANN401  (whatever the YAML says)
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    yaml = YAML(typ="rt", pure=True)
    yaml.composer.warn_double_anchors = False  # YAML 1.2 allows them
    try:
        data = yaml.load(source)
    except MarkedYAMLError as error:
        mark = error.problem_mark
        line = 2 + (mark.line if mark is not None else 0)
        raise RulebookError(path, line, one_line(str(error.problem)), "plain YAML 1.2") from None
    except (YAMLError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
        # ruamel.yaml lets slips of its own through on broken dates, tags and numbers.
        raise RulebookError(path, 2, "unreadable front matter", "plain YAML 1.2") from None
    if not isinstance(data, dict):
        raise RulebookError(path, 2, "front matter without fields", _EXPECTED)
    return data


def _field_error(error: ValidationError, data: Any, path: Path) -> RulebookError:  # noqa: ANN401
    first = error.errors(include_url=False, include_context=False)[0]
    field = ".".join(str(step) for step in first["loc"])
    wanted = {
        "missing": "it to be there",
        "extra_forbidden": "only fields that the format has",
        "string_pattern_mismatch": "small letters, digits and single hyphens, as in evil-corp",
    }.get(first["type"], first["msg"][:1].lower() + first["msg"][1:])
    what = {"missing": "no field", "extra_forbidden": "an unknown field"}.get(
        first["type"], "a wrong value for"
    )
    line = _line_of(data, first["loc"])
    return RulebookError(path, line, f"front matter: {what} '{one_line(field)}'", wanted)


def _check_kind(model: _BookModel, data: Any, path: Path) -> None:  # noqa: ANN401
    line = _line_of(data, ("kind",))
    if model.kind is BookKind.EXPANSION and model.base_game is None:
        raise RulebookError(path, line, "an expansion without base_game", "the base game's title")
    if model.kind is BookKind.GAME and model.base_game is not None:
        raise RulebookError(path, line, "a game with base_game", "kind: expansion, or no base_game")


def _line_of(data: Any, loc: Sequence[int | str]) -> int:  # noqa: ANN401
    """The line in the file of a place in the YAML, or of the nearest one around it."""
    line, node = 2, data
    for step in loc:
        if isinstance(node, dict) and isinstance(step, str) and step in node:
            line = 2 + int(node.lc.key(step)[0])  # type: ignore[attr-defined]  # ruamel's CommentedMap
        elif isinstance(node, list) and isinstance(step, int) and step < len(node):
            line = 2 + int(node.lc.item(step)[0])  # type: ignore[attr-defined]  # CommentedSeq
        else:
            break
        node = node[step]
    return line
