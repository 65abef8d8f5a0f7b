"""Every value in the flow, frozen, in the order in which a question meets them.

A rulebook is made of sections, a section of statements. The statement is the unit of quoting:
a quote is always the whole text of one statement, verbatim. A question is understood as a query,
finds sections, and becomes an answer whose every sentence carries the quote that it rests on.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from rulespal_chat.errors import CorpusError
    from rulespal_chat.rules.expressions import Value
    from rulespal_chat.rules.results import Check, Computed

SEPARATOR = " > "
QUOTES = "quotes"  # the default writer's name


class Kind(StrEnum):
    """What a statement is, as it may be used in an answer."""

    RULE = "rule"
    EXAMPLE = "example"
    UNCLEAR = "unclear"
    TABLE_ROW = "table row"


class BookKind(StrEnum):
    """Whether a book stands alone or needs the rulebook of its base game."""

    GAME = "game"
    EXPANSION = "expansion"


class ChapterKind(StrEnum):
    """Whether a chapter describes what one player plays, or is just a chapter."""

    ROLE = "role"
    CHAPTER = "chapter"


@dataclass(frozen=True, slots=True)
class Statement:
    """One quotable rule: a bullet, a paragraph or a table row.

    Attributes:
        id: stable; it depends on the book's id, the heading path and the text, on nothing else.
        kind: rule, example, unclear or table row.
        text: plain text on one line, without Markdown or control characters. A table row reads
            "Header: cell; Header: cell", leaving out empty cells.
        lines: first and last line in the rulebook file, counted from 1.
        depth: 0 for a paragraph or table row, n for a bullet on the nth level of a list.
        cells: (header, cell) for every column of a table row, empty otherwise.
    """

    id: str
    kind: Kind
    text: str
    lines: tuple[int, int]
    depth: int = 0
    cells: tuple[tuple[str, str], ...] = ()

    @property
    def line(self) -> int:
        """The first line in the rulebook file, counted from 1."""
        return self.lines[0]


@dataclass(frozen=True, slots=True)
class Section:
    """A printed heading and its own text, without the text of the headings below it.

    Attributes:
        id: stable; made of the book's id and the heading path.
        path: the headings from the chapter down to this one, as printed.
        level: the heading's Markdown level, 2 to 6.
        lines: from the heading to the section's last own line, counted from 1.
        statements: in the book's order; empty where the book prints a heading without text.
    """

    id: str
    path: tuple[str, ...]
    level: int
    lines: tuple[int, int]
    statements: tuple[Statement, ...]

    @property
    def name(self) -> str:
        """The heading path joined by " > "."""
        return SEPARATOR.join(self.path)

    @property
    def heading(self) -> str:
        """The section's own heading."""
        return self.path[-1]

    @property
    def chapter(self) -> str:
        """The heading of the chapter that the section stands in."""
        return self.path[0]

    def is_below(self, other: Section) -> bool:
        """Whether this section's path continues the other's."""
        return len(self.path) > len(other.path) and self.path[: len(other.path)] == other.path


@dataclass(frozen=True, slots=True)
class Chapter:
    """A heading of the first level below the title.

    Attributes:
        heading: as printed.
        kind: role or chapter.
        aliases: what players also call it.
        twins: headings of chapters that are easily mistaken for this one.
    """

    heading: str
    kind: ChapterKind = ChapterKind.CHAPTER
    aliases: tuple[str, ...] = ()
    twins: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Rulebook:
    """One book of rules.

    Attributes:
        id: the name of its folder, such as "evil-corp".
        title: as printed.
        aliases: what players also call the game.
        kind: game or expansion.
        base_game: the title of the game that an expansion expands, else None.
        chapters: one for each heading of the first level, in the book's order.
        sections: in the book's order.
        source: the file that the book was read from.
        words: terms of the book, each with what players call it.
    """

    id: str
    title: str
    aliases: tuple[str, ...]
    kind: BookKind
    base_game: str | None
    chapters: tuple[Chapter, ...]
    sections: tuple[Section, ...]
    source: Path
    words: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @property
    def statements(self) -> tuple[Statement, ...]:
        """Every statement of every section, in the book's order."""
        return tuple(s for section in self.sections for s in section.statements)

    def chapter(self, heading: str) -> Chapter:
        """The chapter with this heading.

        Raises:
            KeyError: there is none.
        """
        for chapter in self.chapters:
            if chapter.heading == heading:
                return chapter
        raise KeyError(heading)

    def below(self, section: Section) -> tuple[Section, ...]:
        """The sections below this one, at any depth, in the book's order."""
        return tuple(other for other in self.sections if other.is_below(section))

    def twins(self, section: Section) -> tuple[Section, ...]:
        """The sections of the same name in the twin chapters: what this one is mistaken for."""
        names = {(twin, *section.path[1:]) for twin in self.chapter(section.chapter).twins}
        return tuple(other for other in self.sections if other.path in names)


@dataclass(frozen=True, slots=True)
class Library:
    """The books that could be read, and why the others could not.

    Attributes:
        books: the packaged ones first, then the player's own, each group by id.
        problems: one error for each book that was left out.
    """

    books: tuple[Rulebook, ...]
    problems: tuple[CorpusError, ...] = ()


@dataclass(frozen=True, slots=True)
class Passage:
    """What is embedded and ranked: part of one section.

    Attributes:
        id: stable; made of the section's id and the part's number.
        game: the book's id.
        section: the section's id.
        heading: the book's title and the heading path, which are embedded with the text.
        text: statements, one a line.
    """

    id: str
    game: str
    section: str
    heading: str
    text: str

    @property
    def embedded(self) -> str:
        """The text that is embedded."""
        return f"{self.heading}\n{self.text}"


@dataclass(frozen=True, slots=True)
class Before:
    """What was asked before in a chat.

    Attributes:
        text: the question, standing alone.
        game: the id of the game that it was about.
    """

    text: str
    game: str


@dataclass(frozen=True, slots=True)
class Turn:
    """A question of a chat, standing alone, and the text of its answer."""

    question: str
    answer: str


@dataclass(frozen=True, slots=True)
class Question:
    """What somebody asks.

    Attributes:
        text: as typed.
        game: a book's name, as typed, that the question is about; None leaves all books in play.
        role: a role's name, as typed.
        default_game: the game that it is about if neither `game` nor the text names one.
        table: what is known at the table, as (key, value) as typed.
        before: the last question of a chat, which this one may follow.
        turns: the last questions of a chat with their answers, oldest first.
    """

    text: str
    game: str | None = None
    role: str | None = None
    default_game: str | None = None
    table: tuple[tuple[str, str], ...] = ()
    before: Before | None = None
    turns: tuple[Turn, ...] = ()


@dataclass(frozen=True, slots=True)
class Query:
    """A question as it was understood.

    Attributes:
        text: cleaned, on one line.
        topic: the text without the names of games, which say where to search, not what for.
        games: ids of the books that it is put to: those named, else all of the library.
        game_named: whether the question or its asker named a game.
        roles: headings of the role chapters that it is about: the asker's first, then those named.
        chapters: headings of other chapters that it names.
        role_given: whether the asker, not the question, named the role.
        foreign: names of games that aren't in the library.
        focus: what is new in a follow-up, whose text begins with the question before it; else "".
    """

    text: str
    topic: str
    games: tuple[str, ...]
    game_named: bool = False
    roles: tuple[str, ...] = ()
    chapters: tuple[str, ...] = ()
    role_given: bool = False
    foreign: tuple[str, ...] = ()
    focus: str = ""


@dataclass(frozen=True, slots=True)
class Scored:
    """A statement and how well it matches the query, 0 to 1."""

    statement: Statement
    score: float


@dataclass(frozen=True, slots=True)
class Found:
    """A section that a search found.

    Attributes:
        book: the book.
        section: the section.
        score: 0 to 1; sections are ranked by it.
        statements: the section's statements with their scores, in the book's order.
        why: the parts that the score is made of, by name.
    """

    book: Rulebook
    section: Section
    score: float
    statements: tuple[Scored, ...]
    why: tuple[tuple[str, float], ...] = ()


class Status(StrEnum):
    """How a question was answered."""

    ANSWERED = "answered"
    PARTLY = "partly"
    NOT_IN_RULEBOOK = "not_in_rulebook"
    NEEDS_INPUT = "needs_input"
    DISPUTED = "disputed"
    OUT_OF_SCOPE = "out_of_scope"

    @property
    def says_something(self) -> bool:
        """Whether the book answers, at least in part: exit code 0 rather than 3."""
        return self in {Status.ANSWERED, Status.PARTLY, Status.DISPUTED}


@dataclass(frozen=True, slots=True)
class Pick:
    """A statement that a writer rests a sentence on."""

    book: Rulebook
    section: Section
    statement: Statement


@dataclass(frozen=True, slots=True)
class QuestionBack:
    """What must be known before there is one answer.

    Attributes:
        text: the question to the player.
        input: the name of what is missing, such as "role".
        options: the values that it may have.
    """

    text: str
    input: str
    options: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Removed:
    """A sentence of a chat model that isn't shown, and why not."""

    sentence: str
    why: str


@dataclass(frozen=True, slots=True)
class ModelUse:
    """What a chat model did for an answer.

    Attributes:
        name: provider:model.
        sentences: of its own that are shown.
        removed: its sentences that aren't.
        repairs: how often it was asked to write its answer again.
        calls: how often it was asked at all.
        input_tokens: that it read, None if it doesn't say.
        output_tokens: that it wrote, None if it doesn't say.
        cost: in the currency of RULESPAL_MODEL_PRICE, None if that or the tokens aren't known.
        failure: why the default writer's answer is shown instead; empty if it isn't.
    """

    name: str
    sentences: int = 0
    removed: tuple[Removed, ...] = ()
    repairs: int = 0
    calls: int = 0
    input_tokens: int | None = None
    output_tokens: int | None = None
    cost: float | None = None
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """What a writer made of the search.

    Attributes:
        status: see `Status`.
        text: sentences with marks [1], [2], … that count through `picks`.
        picks: the statement behind each mark.
        question_back: for `needs_input`.
        pointers: nearest sections, where nothing is cited.
        not_covered: what the book leaves to a board, a card or the base game.
        notes: what should be said beside the answer, such as an unclear place.
        writer: "quotes", or the chat model whose sentences are in the text.
        model: what a chat model did, if one was asked.
    """

    status: Status
    text: str
    picks: tuple[Pick, ...] = ()
    question_back: QuestionBack | None = None
    pointers: tuple[Found, ...] = ()
    not_covered: str | None = None
    notes: tuple[str, ...] = ()
    writer: str = QUOTES
    model: ModelUse | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """A mark in an answer's text and the quote behind it.

    Attributes:
        mark: the n of [n], from 1.
        game: the book's id.
        section: the heading path, to be opened in the printed book.
        statement: the statement's id.
        quote: the statement's text, verbatim.
        lines: where the statement stands in the rulebook file.
        page: in the printed book, if it is known.
    """

    mark: int
    game: str
    section: str
    statement: str
    quote: str
    lines: tuple[int, int]
    page: int | None = None


@dataclass(frozen=True, slots=True)
class Retrieved:
    """A section that was retrieved, best first in an answer."""

    game: str
    section: str
    score: float


@dataclass(frozen=True, slots=True)
class Answer:
    """A question's answer: the JSON contract, as values.

    Attributes are those of `as_dict`, which is the contract.
    """

    question: str
    understood: str
    status: Status
    text: str
    game: str | None
    roles: tuple[str, ...]
    citations: tuple[Citation, ...]
    question_back: QuestionBack | None
    pointers: tuple[Retrieved, ...]
    not_covered: str | None
    notes: tuple[str, ...]
    dropped: int
    writer: str
    retrieved: tuple[Retrieved, ...]
    timings_ms: tuple[tuple[str, float], ...]
    computed: tuple[Computed, ...] = ()
    checks: tuple[Check, ...] = ()
    state: tuple[tuple[str, Value], ...] = ()
    model: ModelUse | None = None
    schema: int = 1

    def as_dict(self) -> dict[str, object]:
        """The answer as the JSON contract has it; fields are only ever added under one schema."""
        fields = asdict(replace(self, computed=(), checks=()))
        return {
            "schema": fields.pop("schema"),
            **fields,
            "status": str(self.status),
            "computed": [computed.as_dict() for computed in self.computed],
            "checks": [check.as_dict() for check in self.checks],
            "state": dict(self.state),
            "error": None,
            "timings_ms": dict(self.timings_ms),
        }
