"""The form of a question file: which fields there are and what may stand in them.

A field that is null counts as left out.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    ValidationInfo,
    field_validator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from rulespal_chat.corpus.text import one_line
from rulespal_chat.evaluation.model import EvalQuestion, Numeric, Place
from rulespal_chat.rules.expressions import LARGEST, Value
from rulespal_chat.rules.wording import listed
from rulespal_chat.types import Status

if TYPE_CHECKING:
    from collections.abc import Sequence

LONGEST_NAME = 100  # characters
KINDS = (
    "lookup numeric numeric_inverse table scenario multi_section negation comparison definition "
    "list exception false_premise unanswerable out_of_scope ambiguous ambiguous_role"
).split()
# What a right answer may be where a question doesn't say it.
_STATUSES = {
    "unanswerable": ("not_in_rulebook", "partly"),
    "out_of_scope": ("out_of_scope",),
    "ambiguous": ("needs_input", "answered", "partly"),
    "ambiguous_role": ("needs_input", "answered", "partly"),
}
_SHOWN = 60


def _askable(text: str) -> str:
    from rulespal_chat.search.scope import LONGEST_QUESTION

    if not re.search(r"[^\W_]", text):
        raise PydanticCustomError("wordless", "it has no words")
    if len(one_line(text)) > LONGEST_QUESTION:
        raise PydanticCustomError(
            "long", "it is longer than {most} characters", {"most": f"{LONGEST_QUESTION:,}"}
        )
    return text


def _filled(text: str) -> str:
    if not text.strip():
        raise PydanticCustomError("blank", "it is blank")
    return text


def _printable(text: str) -> str:
    if one_line(text) != text:
        raise PydanticCustomError("unprintable", "it has signs that can't be shown, or odd spaces")
    return text


def _kind(name: str) -> str:
    if name not in KINDS:
        shown = one_line(name)[:_SHOWN]
        raise PydanticCustomError(
            "kind", "'{shown}' is none of {kinds}", {"shown": shown, "kinds": ", ".join(KINDS)}
        )
    return name


def _status(name: str) -> str:
    if name not in {*Status}:
        known = listed([str(status) for status in Status], "or")
        context = {"shown": one_line(name)[:_SHOWN], "known": known}
        raise PydanticCustomError("status", "'{shown}' isn't {known}", context)
    return name


def _value(value: object) -> Value:
    """A JSON value as the engine has it: lists are tuples."""
    if isinstance(value, list):
        return tuple(map(_value, value))
    if isinstance(value, bool | str) or (isinstance(value, int) and abs(value) <= LARGEST):
        return value
    raise PydanticCustomError(
        "value", "it isn't a whole number up to a million, true, false, a text or a list of these"
    )


def _as_list(value: object) -> object:
    return [value] if isinstance(value, str) else value


def _as_place(value: object) -> object:
    return {"section": value} if isinstance(value, str) else value


# Blanks would be in every text; but those around a word may be meant.
_Text = Annotated[str, AfterValidator(_filled)]
_Short = Annotated[str, StringConstraints(max_length=LONGEST_NAME), AfterValidator(_printable)]
_Name = Annotated[_Short, AfterValidator(_filled)]
_Asked = Annotated[str, AfterValidator(_askable)]
_Value = Annotated[Any, AfterValidator(_value)]


class _Form(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)

    @model_validator(mode="before")
    @classmethod
    def _without_nulls(cls, data: Any) -> Any:  # noqa: ANN401  (whatever the JSON holds)
        if not isinstance(data, dict):
            return data
        return {name: value for name, value in data.items() if value is not None}


class _PlaceForm(_Form):
    game: _Text | None = None
    section: _Text


class _NumericForm(_Form):
    value: Any = None  # for readers
    rule: str = ""
    output: str = ""
    inputs: dict[str, _Value] = {}
    result: _Value = None
    inverse: str = ""
    pick: Literal["min", "max"] | None = None
    possible: Annotated[list[_Value], Field(min_length=1)] | None = None
    also: list[_NumericForm] = []

    @model_validator(mode="after")
    def _is_whole(self) -> _NumericForm:
        if self.rule and not self.output:
            raise PydanticCustomError("output", "it has a rule, but no output")
        if self.rule and self.result is None and self.possible is None:
            raise PydanticCustomError("result", "it has a rule, but no result and nothing possible")
        if self.inverse and self.output not in self.inputs:
            raise PydanticCustomError("told", "it asks backwards, but its output isn't an input")
        return self

    @property
    def numerics(self) -> tuple[Numeric, ...]:
        """What rules give; nothing where a value is only told."""
        further = tuple(numeric for form in self.also for numeric in form.numerics)
        if not self.rule:
            return further
        first = Numeric(
            self.rule, self.output, self.inputs, self.result, self.inverse, self.pick or "",
            tuple(self.possible or ()),
        )  # fmt: skip
        return (first, *further)


_Places = list[Annotated[_PlaceForm, BeforeValidator(_as_place)]]


class QuestionForm(_Form):
    """A line of a question file."""

    id: _Name
    game: _Name | None = None
    role: _Name | None = None
    kind: Annotated[str, AfterValidator(_kind)]
    difficulty: Literal["easy", "medium", "hard"] = "medium"
    group: _Short = ""
    split: Literal["tune", "test"] = "test"
    question: _Asked
    turns: list[_Asked] = []
    answer: _Text
    status: Annotated[
        list[Annotated[str, AfterValidator(_status)]],
        BeforeValidator(_as_list),
        Field(min_length=1),
    ] = []
    must_include: Annotated[list[Annotated[list[_Text], Field(min_length=1)]], Field(min_length=1)]
    must_not_include: list[_Text] = []
    sections: _Places = []
    sections_all: _Places = []
    related_sections: _Places = []
    numeric: _NumericForm | None = None
    alt_correct: str = ""
    wrong_example: str = ""

    @field_validator("sections", "sections_all", "related_sections")
    @classmethod
    def _in_a_game(cls, places: list[_PlaceForm], info: ValidationInfo) -> list[_PlaceForm]:
        """The places, each with its game: by default that of the question, which stands before."""
        game = info.data.get("game")
        if "game" not in info.data:  # its own problem is told
            return places
        if game is None and any(place.game is None for place in places):
            raise PydanticCustomError("game", "a section without a game, as the question has none")
        return [place.model_copy(update={"game": place.game or game}) for place in places]

    @property
    def evaluated(self) -> EvalQuestion:
        """The question, without the place in which it stands."""
        return EvalQuestion(
            id=self.id,
            question=self.question,
            answer=self.answer,
            kind=self.kind,
            game=self.game,
            role=self.role,
            difficulty=self.difficulty,
            group=self.group,
            split=self.split,
            statuses=tuple(self.status) or _STATUSES.get(self.kind, ("answered",)),
            must_include=tuple(map(tuple, self.must_include)),
            must_not_include=tuple(self.must_not_include),
            sections=_places(self.sections),
            sections_all=_places(self.sections_all),
            related_sections=_places(self.related_sections),
            numeric=self.numeric.numerics if self.numeric else (),
            turns=tuple(self.turns),
            alt_correct=self.alt_correct,
            wrong_example=self.wrong_example,
        )


def _places(forms: Sequence[_PlaceForm]) -> tuple[Place, ...]:
    return tuple(Place(form.game or "", form.section) for form in forms)
