"""What is wrong with a rule file, in the words of its format."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rulespal_chat.corpus.text import one_line
from rulespal_chat.rules.schema import NAME, RULE_ID
from rulespal_chat.rules.wording import listed

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pydantic import ValidationError

    from rulespal_chat.rules.plain_yaml import Path

_NEEDED = {
    "blank": "a value",
    "word": "a name that is no word of the expressions",
    "int_type": "a whole number",
    "bool_type": "a truth value",
    "string_type": "a text",
    "string_too_short": "a text",
    "list_type": "a list",
    "dict_type": "a mapping",
    "model_type": "a mapping",
    "too_short": "a list of at least {min_length}",
    "too_long": "a list of at most {max_length}",
    "literal_error": "{expected}",
}  # by pydantic's types of errors
_PATTERNS = {NAME: "a name of small letters, digits and _", RULE_ID: "an id such as ghoul.goal"}


class FileProblem(Exception):  # noqa: N818  (it becomes a RuleFileError once its line is known)
    """What is wrong with an input or a rule.

    Args:
        problem: a sentence without a full stop.
        place: the path to it below the input or the rule.
    """

    def __init__(self, problem: str, *place: str | int) -> None:
        super().__init__(problem)
        self.place: Path = place


def described(error: ValidationError, data: object) -> tuple[Path, str]:
    """The place of the first field that is wrong, and what is wrong there.

    Where a value could be one of several types, pydantic has an error for each: the one that got
    furthest into the value counts, or all of them that got as far.

    Args:
        error: of the data's validation.
        data: the whole file's.
    """
    faults = [(_place(fault, data), fault) for fault in error.errors(include_url=False)]
    first = faults[0][0]
    below = [place for place, _ in faults if place[: len(first)] == first]
    place = max(below, key=len)
    return place, _sentence(place, [fault for where, fault in faults if where == place])


def _place(fault: Mapping[str, Any], data: Any) -> Path:  # noqa: ANN401  (whatever YAML holds)
    """The path of a fault in the data; pydantic's own path names the types tried as well."""
    place: list[str | int] = []
    for step in fault["loc"]:
        steps = range(len(data)) if isinstance(data, list) else data
        if isinstance(data, list | dict) and step in steps:
            place.append(step)
            data = data[step]
    return (*place, fault["loc"][-1]) if fault["type"] == "missing" else tuple(place)


def _sentence(place: Path, faults: Sequence[Mapping[str, Any]]) -> str:
    field = one_line(".".join(map(str, place)))
    match faults[0]["type"]:
        case "missing":
            return f"no field '{field}'"
        case "extra_forbidden":
            return f"an unknown field '{field}'"
    if not place:
        return "the file is no mapping"
    needed = listed(list(dict.fromkeys(map(_needed, faults))), "or")
    return f"a wrong value in '{field}': {needed} is needed"


def _needed(fault: Mapping[str, Any]) -> str:
    context = fault.get("ctx", {})
    pattern = _PATTERNS.get(context.get("pattern", ""))
    return pattern or _NEEDED.get(fault["type"], "another value").format(**context)
