"""The form of a rule file: which fields there are and what may stand in them."""

from __future__ import annotations

import keyword
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    field_validator,
)
from pydantic_core import PydanticCustomError

from rulespal_chat.rules.expressions import WORDS
from rulespal_chat.rules.tables import ANY

NAME = r"^[a-z][a-z0-9_]*$"
RULE_ID = r"^[a-z][a-z0-9_]*(\.[a-z][a-z0-9_]*)+$"


def _no_word(name: str) -> str:
    if name == ANY or name in WORDS or keyword.iskeyword(name):
        raise PydanticCustomError("word", "a word of the expressions")
    return name


Text = Annotated[str, StringConstraints(min_length=1, strip_whitespace=True)]
Name = Annotated[str, StringConstraints(pattern=NAME), AfterValidator(_no_word)]
RuleId = Annotated[str, StringConstraints(pattern=RULE_ID)]
Formula = int | bool | Text
Quotes = Text | Annotated[list[Text], Field(min_length=1)]
UnitWords = Text | Annotated[list[Text], Field(min_length=2, max_length=2)]
Cell = int | bool | Text | list[int | bool | Text]


class Model(BaseModel):
    """Takes only fields that it has, of the type that they have; none may be left blank."""

    model_config = ConfigDict(extra="forbid", strict=True)

    @field_validator("*", mode="before")
    @classmethod
    def _not_blank(cls, value: Any) -> Any:  # noqa: ANN401  (whatever YAML holds)
        if value is None:
            raise PydanticCustomError("blank", "nothing stands there")
        return value


class Bounds(Model):
    """The bounds of a list's members."""

    min: int
    max: int


class InputModel(Model):
    """An entry of `inputs`."""

    type: Literal["int", "bool", "enum", "list", "cell", "cells"]
    ask: Text
    min: int | None = None
    max: int | None = None
    unit: UnitWords | None = None
    default: int | bool | Text | None = None
    values: dict[Name, list[Text]] = {}
    says: list[Text] = []
    yes: list[Text] = []
    no: list[Text] = []
    unless: list[Text] = []
    lasts: bool = False
    sum_of: Name | None = None
    count_of: Name | None = None
    only: Formula | None = None
    of: Bounds | None = None
    length: Annotated[list[int], Field(min_length=2, max_length=2)] | None = None
    section: Text | None = None
    quote: Quotes | None = None
    derived: list[int] = []


class OutputModel(Model):
    """An entry of a rule's `outputs`."""

    type: Literal["int", "bool", "enum", "list"]
    min: int | None = None
    max: int | None = None
    unit: UnitWords | None = None
    values: dict[Name, list[Text]] = {}
    says: list[Text] = []
    yes: Text = ""
    no: Text = ""


class ConditionModel(Model):
    """An entry of `applies` or `always`."""

    condition: Formula = Field(alias="if")
    quote: Quotes
    section: Text | None = None
    derived: list[int] = []


class RowModel(Model):
    """A row of a step."""

    value: Formula
    quote: Quotes
    condition: Formula | None = Field(default=None, alias="if")
    cells: Cell | list[Cell] | None = Field(default=None, alias="is")
    section: Text | None = None
    say: str = ""
    unit: UnitWords | None = None
    derived: list[int] = []


class StepModel(Model):
    """A step of a rule: rows, the fields of a single row, or an algorithm."""

    name: Name
    section: Text | None = None
    label: str = ""
    by: list[Name] = []
    rows: list[RowModel] = []
    value: Formula | None = None
    quote: Quotes | None = None
    say: str = ""
    unit: UnitWords | None = None
    derived: list[int] = []
    algorithm: Name | None = None
    of: list[Name] = []
    undetermined: Text = ""


class QuoteModel(Model):
    """A quote of another section than the rule's."""

    section: Text
    quote: Text


class ExampleModel(Model):
    """An example: a state and what the rule gives."""

    given: dict[Name, Cell | list[list[int]]]
    expect: Literal["undetermined"] | dict[Name, Cell | list[list[int]]]
    printed: Quotes | None = None
    section: Text | None = None


class RuleModel(Model):
    """A rule."""

    id: RuleId
    title: Text
    section: Text
    inputs: list[Name] = []
    outputs: Annotated[dict[Name, OutputModel], Field(min_length=1)]
    steps: list[StepModel] = []
    applies: list[ConditionModel] = []
    always: list[ConditionModel] = []
    examples: list[ExampleModel] = []
    unclear: list[Text | QuoteModel] = []
    also: list[Text | QuoteModel] = []
    undetermined: Text = ""


class FileModel(Model):
    """A rule file."""

    game: Text
    inputs: dict[Name, InputModel] = {}
    rules: list[RuleModel] = []
