"""How an answer looks: the ruling first, then where it stands in the book."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from rulespal_chat.answer.citing import marked
from rulespal_chat.corpus.text import one_line
from rulespal_chat.display.books import hanging
from rulespal_chat.rules.model import Unit
from rulespal_chat.rules.results import Verdict
from rulespal_chat.rules.wording import listed, with_unit, words_of
from rulespal_chat.types import QUOTES, SEPARATOR, Status

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from rich.console import RenderableType

    from rulespal_chat.rules.results import Check
    from rulespal_chat.types import Answer, Citation, Found, Retrieved

_OPTIONS = ("game", "role")  # of `rulespal ask`; all else is told with --with
_UNCLEAR = "Unclear:"
_MARKS = re.compile(r"( ?\[\d+\])")


def show_answer(answer: Answer, titles: Mapping[str, str], top: int) -> RenderableType:
    """An answer for a terminal.

    Args:
        answer: the answer.
        titles: of the books, by id.
        top: how many of the sections that were searched are listed.
    """
    parts: list[RenderableType] = [Text(line, style="dim") for line in _understood(answer)]
    parts += _ruling(answer)
    parts += [Text(f"{sign} {text}", style=style) for sign, text, style in _checks(answer)]
    for above, note in zip(("", *answer.notes), answer.notes, strict=False):
        goes_on = bool(above) and not note.startswith(_UNCLEAR)
        parts.append(Padding(Text(note, style="yellow"), (0 if goes_on else 1, 0, 0, 0)))
    for heading, lines in _appendix(answer, titles, top):
        parts.append(Padding(Text(heading, style="dim"), (1, 0, 0, 0)))
        parts += [Padding(hanging(mark, Text(t, style="dim")), (0, 0, 0, 1)) for mark, t in lines]
    return Group(*parts)


def plain_answer(answer: Answer, titles: Mapping[str, str], top: int) -> str:
    """An answer for a pipe: the same, one piece a line."""
    checks = (f"{sign} {text}" for sign, text, _ in _checks(answer))
    lines = [*_understood(answer), answer.text, *checks, *answer.notes]
    for heading, entries in _appendix(answer, titles, top):
        lines += ["", heading, *(f"  {mark} {text}" for mark, text in entries)]
    return "\n".join(lines)


def show_quotes(answer: Answer, titles: Mapping[str, str]) -> RenderableType:
    """The quotes behind an answer, each with where it stands."""
    parts: list[RenderableType] = []
    for mark, quote, place in _quotes(answer, titles):
        parts.append(hanging(mark, Text(quote)))
        parts.append(Padding(Text(place, style="dim"), (0, 0, 0, len(mark) + 1)))
    return Group(*parts)


def plain_quotes(answer: Answer, titles: Mapping[str, str]) -> str:
    """The quotes behind an answer, two lines each."""
    return "\n".join(
        f"{mark} {quote}\n    {place}" for mark, quote, place in _quotes(answer, titles)
    )


def show_found(found: Iterable[Found]) -> RenderableType:
    """What a search found, with what each score is made of."""
    parts: list[RenderableType] = []
    for rank, (head, why, text) in enumerate(_found_lines(found), start=1):
        parts.append(hanging(f"{rank:2}", Text(head, style="bold")))
        parts.append(Padding(Text(why, style="dim"), (0, 0, 0, 3)))
        if text:
            parts.append(Padding(Text(text), (0, 0, 1, 3)))
    return Group(*parts)


def plain_found(found: Iterable[Found]) -> str:
    """What a search found, three lines each."""
    return "\n".join(
        f"{rank:2} {head}\n   {why}\n   {text}"
        for rank, (head, why, text) in enumerate(_found_lines(found), start=1)
    )


def show_growing(answer: Answer | None, model: str) -> RenderableType:
    """An answer while a chat model writes: what the book says is there from the beginning."""
    from rich.spinner import Spinner

    said = [] if answer is None else list(_ruling(answer))
    return Group(*said, Spinner("dots", Text(f"{model} …", style="dim")))


def use_lines(answer: Answer) -> list[str]:
    """Who wrote an answer and how long it took, and what a chat model did for it."""
    spent = dict(answer.timings_ms).get("total", 0.0)
    lines = [f"Written by {answer.writer} in {_time(spent)}."]
    if (use := answer.model) is None:
        return lines
    said = [_count(use.sentences, "sentence") + " shown", f"{len(use.removed)} removed"]
    said += [_count(use.calls, "request"), _tokens(use.input_tokens, use.output_tokens)]
    said += [f"cost {use.cost:.6f}"] if use.cost is not None else []
    lines.append(f"{use.name}: {', '.join(said)}.")
    return lines + [f"Removed, as {r.why}: {r.sentence}" for r in use.removed]


def _time(spent: float) -> str:
    return f"{spent:.0f} ms" if spent < 1000 else f"{spent / 1000:.1f} s"


def _count(n: int, what: str) -> str:
    return f"{n} {what}" if n == 1 else f"{n} {what}s"


def _tokens(read: int | None, wrote: int | None) -> str:
    if read is None or wrote is None:
        return "tokens not counted"
    return f"{read:,} tokens read, {wrote:,} written"


def _understood(answer: Answer) -> Iterator[str]:
    """The question as it was understood, where that isn't what was typed."""
    if answer.understood not in one_line(answer.question):
        yield f"Understood: {answer.understood}"


def _ruling(answer: Answer) -> Iterator[RenderableType]:
    """The sentences: the first in bold, as it is the one to read at the table.

    The quotes below a chat model's sentences are set apart from these.
    """
    quotes = [marked(c.quote, c.mark) for c in answer.citations]
    is_apart = answer.writer == QUOTES
    for n, line in enumerate(answer.text.split("\n")):
        style = "bold" if n == 0 and answer.status is not Status.OUT_OF_SCOPE else ""
        pieces = [(p, "dim" if _MARKS.fullmatch(p) else style) for p in _MARKS.split(line) if p]
        text = Text.assemble(*pieces)
        if n and not is_apart and line in quotes:
            is_apart = True
            yield Padding(text, (1, 0, 0, 0))
        else:
            yield text


def _checks(answer: Answer) -> Iterator[tuple[str, str, str]]:
    """A line for each claim that was checked: a sign, what the rules say, and a style."""
    for check in answer.checks:
        match check.verdict:
            case Verdict.AGREES:
                yield "✓", f"agrees: {check.claim}", "green"
            case Verdict.CONTRADICTS:
                nearest = f" (right with {check.nearest})" if check.nearest else ""
                yield "✗", f"{check.claim}: {_right(check)}{nearest}", "red"
            case Verdict.INCONSISTENT:
                yield "✗", f"{check.claim}: that state can't be", "red"
            case _:
                missing = listed([words_of(name) for name in check.missing])
                yield "?", f"{check.claim}: needs {missing or 'more'}", "yellow"


def _right(check: Check) -> str:
    """What the rules say in place of a claim that is wrong."""
    if check.right.value is None:
        return "the rules don't allow it"
    unit = Unit(check.right.unit, check.right.unit)
    return f"the rules give {with_unit(check.right.value, unit)}"


def _appendix(
    answer: Answer, titles: Mapping[str, str], top: int
) -> Iterator[tuple[str, list[tuple[str, str]]]]:
    """Headings with their lines: sources, pointers, options, and what was searched."""
    if answer.citations:
        yield "Word for word from:", _sources(answer.citations, titles)
    if answer.question_back is not None:
        asked = answer.question_back
        option = asked.input if asked.input in _OPTIONS else f"with {asked.input}=…"
        colon = ":" if asked.options else "."
        yield f"Reply, or ask again with --{option}{colon}", _options(asked.options)
    if answer.pointers:
        yield "Nearest sections:", [("-", _place(p, titles)) for p in answer.pointers]
    if top:
        searched = [(f"{r.score:.2f}", _place(r, titles)) for r in answer.retrieved[:top]]
        yield "Searched:", searched


def _options(options: Sequence[str]) -> list[tuple[str, str]]:
    """The options with the numbers that choose them; numbers themselves as a span."""
    if options and all(option.isdigit() for option in options):
        return [("-", f"{options[0]} to {options[-1]}")]
    return _numbered(options)


def _numbered(options: Iterable[str]) -> list[tuple[str, str]]:
    return [(str(number), option) for number, option in enumerate(options, start=1)]


def _quotes(answer: Answer, titles: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for c in answer.citations:
        place = _titled(c.game, c.section, titles)
        yield f"[{c.mark}]", c.quote, f"{place}, line {c.lines[0]}"


def _sources(citations: Iterable[Citation], titles: Mapping[str, str]) -> list[tuple[str, str]]:
    """Each section once, with all its marks."""
    marks: dict[tuple[str, str], list[int]] = {}
    for citation in citations:
        marks.setdefault((citation.game, citation.section), []).append(citation.mark)
    return [
        ("".join(f"[{m}]" for m in ms), _titled(game, section, titles))
        for (game, section), ms in marks.items()
    ]


def _place(place: Retrieved, titles: Mapping[str, str]) -> str:
    return _titled(place.game, place.section, titles)


def _titled(game: str, section: str, titles: Mapping[str, str]) -> str:
    return " › ".join([titles.get(game, game), *section.split(SEPARATOR)])


def _found_lines(found: Iterable[Found]) -> Iterator[tuple[str, str, str]]:
    for f in found:
        why = ", ".join(f"{name} {value:.2f}" for name, value in f.why)
        best = max(f.statements, key=lambda s: s.score, default=None)
        head = " › ".join([f.book.title, *f.section.path])
        yield head, f"{f.score:.2f} = {why}", best.statement.text if best else ""
