"""YAML 1.2 as plain data, with the line of every value.

The parser is PyYAML's, which knows YAML 1.1; what a plain scalar means is decided here by the core
schema of YAML 1.2 ("no" and "on" are words). What a rule file doesn't need is refused: duplicate
keys, anchors, tags and several documents.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rulespal_chat.corpus.text import clean

if TYPE_CHECKING:
    from collections.abc import Iterator

_DEEPEST = 30
_INT = re.compile(r"[-+]?[0-9]+")
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS = {"": None, "~": None, "null": None, "true": True, "false": False}
_LONGEST_NUMBER = 18  # digits
# what no YAML file may have: controls, halves of a surrogate pair, and two that are no character
_UNPRINTABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")

Path = tuple[str | int, ...]


class PlainYamlError(ValueError):
    """It isn't YAML, or not of the plain kind.

    Args:
        line: counted from 1.
        problem: what is wrong there.
    """

    def __init__(self, line: int, problem: str) -> None:
        super().__init__(f"line {line}: {problem}")
        self.line, self.problem = line, problem


@dataclass(frozen=True, slots=True)
class Document:
    """The data of a YAML file.

    Attributes:
        data: mappings, lists, strings, numbers, truth values and None.
        lines: the line of the value at each path of keys and indices.
    """

    data: Any
    lines: dict[Path, int]

    def line(self, path: Path) -> int:
        """The line of the value at a path, or of the nearest one around it."""
        for end in range(len(path), -1, -1):
            if path[:end] in self.lines:
                return self.lines[path[:end]]
        return 1


@dataclass(slots=True)
class _Open:
    """A mapping or list that is being read; `key` is the mapping's key that waits for a value."""

    value: dict[str, Any] | list[Any]
    path: Path
    key: str | None = None


@dataclass(slots=True)
class _Builder:
    """Puts the events of a parser together."""

    lines: dict[Path, int] = field(default_factory=dict)
    stack: list[_Open] = field(default_factory=list)
    data: Any = None

    def add(self, value: object, line: int, *, is_open: bool) -> None:
        """Takes the next value: a key, a member, or the document itself."""
        path = self._place(value, line)
        if path is None:
            return
        self.lines[path] = line
        if is_open:
            if len(self.stack) >= _DEEPEST:
                raise PlainYamlError(line, f"more than {_DEEPEST} levels")
            assert isinstance(value, dict | list)  # noqa: S101  (what opens is one of these)
            self.stack.append(_Open(value, path))

    def _place(self, value: object, line: int) -> Path | None:
        """Puts a value where it belongs; its path, or None for a key."""
        if not self.stack:
            self.data = value
            return ()
        top = self.stack[-1]
        if isinstance(top.value, list):
            top.value.append(value)
            return (*top.path, len(top.value) - 1)
        if top.key is None:
            top.key = _key(value, top.value, line)
            return None
        path = (*top.path, top.key)
        top.value[top.key], top.key = value, None
        return path


def _key(value: object, mapping: dict[str, Any], line: int) -> str:
    if not isinstance(value, str):
        raise PlainYamlError(line, f"the key {value!r} is no word")
    if value in mapping:
        raise PlainYamlError(line, f"the key '{value}' for a second time")
    return value


def read_yaml(text: str) -> Document:
    """Reads a document.

    Raises:
        PlainYamlError: it isn't plain YAML 1.2.
    """
    import yaml

    if (odd := _UNPRINTABLE.search(text)) is not None:
        raise PlainYamlError(_line_at(text, odd.start()), f"the character {_code(odd[0])}")
    builder = _Builder()
    try:
        for event in _events(text):
            line = event.start_mark.line + 1
            match event:
                case yaml.ScalarEvent():
                    builder.add(_scalar(event, line), line, is_open=False)
                case yaml.MappingStartEvent():
                    builder.add({}, line, is_open=True)
                case yaml.SequenceStartEvent():
                    builder.add([], line, is_open=True)
                case yaml.MappingEndEvent() | yaml.SequenceEndEvent():
                    builder.stack.pop()
    except yaml.MarkedYAMLError as error:
        mark: Any = error.problem_mark or error.context_mark
        line = 1 + (mark.line if mark is not None else 0)
        raise PlainYamlError(line, str(error.problem or error.context)) from None
    return Document(builder.data, builder.lines)


def _line_at(text: str, place: int) -> int:
    """The line of a character, counted from 1."""
    return len(f"{text[:place]}.".splitlines())


def _code(character: str) -> str:
    return f"U+{ord(character):04X}"


def _events(text: str) -> Iterator[Any]:
    """The parser's events; anchors, tags and further documents are refused."""
    import yaml

    documents = 0
    loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    event: Any
    for event in yaml.parse(text, Loader=loader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None) is not None:
            raise PlainYamlError(line, "an anchor or alias")
        if getattr(event, "tag", None) is not None:
            raise PlainYamlError(line, f"the tag '{event.tag}'")
        documents += isinstance(event, yaml.DocumentStartEvent)
        if documents > 1:
            raise PlainYamlError(line, "a second document")
        yield event


def _scalar(event: Any, line: int) -> str | int | float | bool | None:  # noqa: ANN401
    """A scalar's value by the core schema; quoted ones are strings."""
    value: str = event.value
    if clean(value) != value:  # an escape may give what the file itself can't have
        hidden = next(character for character in value if clean(character) != character)
        raise PlainYamlError(line, f"the character {_code(hidden)}")
    if not event.implicit[0]:
        return value
    if value in _WORDS:
        return _WORDS[value]
    if _INT.fullmatch(value) or _FLOAT.fullmatch(value):
        if len(value) > _LONGEST_NUMBER:
            raise PlainYamlError(line, f"a number of {len(value)} characters")
        return int(value) if _INT.fullmatch(value) else float(value)
    return value
