"""Answers are the book's own statements, and where the book is silent so is the answer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulespal_chat.answer.writer import QuotesWriter
from rulespal_chat.corpus.parser import parse_rulebook
from rulespal_chat.types import Draft, Found, Library, Query, QuestionBack, Rulebook, Scored, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

PONDS = parse_rulebook(
    """\
---
id: ponds
title: Ponds.
kind: game
---

# Ponds.

## Frogs

- A Frog swims.
- A Frog has a tongue.
""",
    Path("ponds.md"),
)


def find(
    book: Rulebook, name: str, *scores: float, score: float = 0.5, nearest: float = 0.9
) -> Found:
    """A section with its statements' scores; those that are not given are 0."""
    section = next(section for section in book.sections if section.name == name)
    missing = len(section.statements) - len(scores)
    scored = zip(section.statements, (*scores, *[0.0] * missing), strict=True)
    words = (("passage words", 0.1), ("statement words", 0.1))
    why = (
        ("passage", nearest),
        ("statement", nearest),
        ("late", nearest),
        ("covered", nearest),
        *words,
    )
    return Found(book, section, score, tuple(Scored(s, value) for s, value in scored), why)


def write(query: Query, found: Sequence[Found], *books: Rulebook, content_words: int = 5) -> Draft:
    """A draft, as if all of the question's words were known."""
    library = Library(books or tuple({f.book.id: f.book for f in found}.values()))
    return QuotesWriter(
        library,
        lambda _: content_words,
        lambda _: 0.0,
        frozenset({"toad-well", *(b.id for b in library.books)}),
    )(query, found)


def asking(text: str, *roles: str, game_named: bool = False, foreign: str = "") -> Query:
    names = (foreign,) if foreign else ()
    return Query(text, text, ("toad-well",), game_named, roles, foreign=names)


def quotes(draft: Draft) -> list[str]:
    return [pick.statement.text for pick in draft.picks]


WIN = "The Witch > How to Win"
OLD_WIN = "The Old Witch > How to Win"
BREW = "The Witch > 1) Brew"


def test_an_answer_is_made_of_statements_and_marks_that_count_through_them(
    toads: Rulebook,
) -> None:
    draft = write(asking("How does she win?", "The Witch"), [find(toads, WIN, 0.8, 0.9)])
    assert draft == Draft(
        Status.ANSWERED,
        "A Toad in the Well counts as 2 Toads. [1]\nThe Witch wins with 3 Toads. [2]",
        draft.picks,
    )
    assert quotes(draft) == [
        "A Toad in the Well counts as 2 Toads.",
        "The Witch wins with 3 Toads.",
    ]


def test_what_is_left_open_behind_a_quote_is_noted(toads: Rulebook) -> None:
    draft = write(asking("How does she win?", "The Witch"), [find(toads, WIN, 0, 0, 0.9)])
    assert quotes(draft) == ["Example: With 1 Toad in the Well and 1 on her board, the Witch wins."]
    assert draft.notes == ("Unclear: The book does not say whether a golden Toad is a Toad.",)


def test_only_the_best_sections_game_is_quoted(toads: Rulebook) -> None:
    found = [find(PONDS, "Frogs", 0.8, 0.1), find(toads, WIN, 0.9)]
    draft = write(asking("How does it get across?"), found)
    assert quotes(draft) == ["A Frog swims."]


def test_a_greeting_is_returned(toads: Rulebook) -> None:
    draft = write(asking("hello!"), [find(toads, WIN, 0.9)], toads, PONDS)
    assert draft == Draft(
        Status.OUT_OF_SCOPE, "Hello! Ask me about the rules of Toad Quest: The Well and Ponds."
    )


def test_a_game_that_is_not_in_the_library_is_out_of_scope(toads: Rulebook) -> None:
    third = replace(PONDS, id="c", title="Third")
    draft = write(
        asking("How do I win Catan?", foreign="Catan"), [find(toads, WIN)], toads, PONDS, third
    )
    assert draft == Draft(
        Status.OUT_OF_SCOPE,
        "I only know the rules of Toad Quest: The Well, Ponds and Third. "
        "Catan isn't in the library.",
    )


def test_what_is_about_something_else_is_out_of_scope_with_what_comes_near(
    toads: Rulebook,
) -> None:
    far = [
        find(toads, name, score=score, nearest=0.1)
        for name, score in [(WIN, 0.4), (BREW, 0.3), (OLD_WIN, 0.2), ("Scoring", 0.19)]
    ]
    draft = write(asking("best way to boil an egg"), far)
    text = "I only know the rules of Toad Quest: The Well. That isn't in them."
    assert draft == Draft(Status.OUT_OF_SCOPE, text, pointers=tuple(far[:3]))
    none = write(asking("best way to boil an egg"), [replace(f, score=0.1) for f in far])
    assert none == Draft(Status.OUT_OF_SCOPE, text)


@pytest.mark.parametrize(
    "query",
    [
        asking("how to boil an egg in Toad Quest", game_named=True),
        asking("how does the Witch boil an egg", "The Witch"),
    ],
)
def test_what_is_about_a_game_but_far_from_its_rules_is_not_in_the_rulebook(
    toads: Rulebook, query: Query
) -> None:
    far = [find(toads, name, nearest=0.1) for name in (WIN, BREW, OLD_WIN, "Scoring")]
    assert write(query, far) == Draft(
        Status.NOT_IN_RULEBOOK,
        "The rulebook of Toad Quest: The Well doesn't say.",
        pointers=tuple(far[:3]),
    )


def test_where_nothing_is_found_it_is_out_of_scope(toads: Rulebook) -> None:
    assert write(asking("egg", game_named=True), [], toads).status is Status.OUT_OF_SCOPE


def test_a_few_words_that_several_games_answer_need_the_game(toads: Rulebook) -> None:
    found = [find(toads, BREW, 0.8, score=0.5), find(PONDS, "Frogs", 0.8, score=0.45)]
    asked = "Which game do you mean: Toad Quest: The Well or Ponds?"
    assert write(asking("setup?"), found, content_words=2) == Draft(
        Status.NEEDS_INPUT,
        asked,
        question_back=QuestionBack(asked, "game", ("Toad Quest: The Well", "Ponds.")),
    )


@pytest.mark.parametrize(
    ("query", "content_words", "score"),
    [
        (asking("setup?", game_named=True), 2, 0.45),
        (asking("setup of the first pond?"), 3, 0.45),
        (asking("setup?"), 2, 0.4),
    ],
)
def test_the_game_is_not_asked_for_where_it_is_plain(
    toads: Rulebook, query: Query, content_words: int, score: float
) -> None:
    found = [find(toads, BREW, 0.8, score=0.5), find(PONDS, "Frogs", 0.8, score=score)]
    draft = write(query, found, content_words=content_words)
    assert quotes(draft) == ["The Witch draws as many cards as the Moon allows [MOON]."]


def test_roles_that_all_have_the_section_answer_side_by_side(toads: Rulebook) -> None:
    found = [find(toads, OLD_WIN, 0.8, score=0.5), find(toads, WIN, 0.7, score=0.45)]
    draft = write(asking("How do I win?"), found)
    assert draft == Draft(
        Status.ANSWERED,
        "The Witch: The Witch wins with 3 Toads. [1]\n"
        "The Old Witch: The Old Witch wins with 5 Toads. [2]",
        draft.picks,
    )
    assert quotes(draft) == ["The Witch wins with 3 Toads.", "The Old Witch wins with 5 Toads."]


NOTED = "Unclear: It is open whether she hops."


def roles_of(*chapters: str, kind: str = "role") -> Rulebook:
    """A book of roles, each with one section, Turn."""
    names = [chapter.partition("\n")[0] for chapter in chapters]
    declared = "".join(f"  - heading: {name}\n    kind: {kind}\n" for name in names)
    head = f"---\nid: a\ntitle: A\nkind: game\nchapters:\n{declared}---\n# A\n"
    body = (f"## {name}\n### Turn\n" for name in names)
    rules = (chapter.partition("\n")[2] for chapter in chapters)
    text = head + "".join(start + rule + "\n" for start, rule in zip(body, rules, strict=True))
    return parse_rulebook(text, Path("a.md"))


def test_side_by_side_a_note_is_never_a_roles_ruling() -> None:
    book = roles_of(
        "Witch\n- She stirs.\n\n> **Unclear:** It is open whether she hops.\n",
        "Toad\n- It hops.\n",
    )
    found = [find(book, "Witch > Turn", 0.5, 0.52), find(book, "Toad > Turn", 0.5)]
    draft = write(asking("What now?"), found)
    assert draft == Draft(
        Status.ANSWERED, "Witch: She stirs. [1]\nToad: It hops. [2]", draft.picks, notes=(NOTED,)
    )


@pytest.mark.parametrize("empty", ["", "> **Unclear:** It is open whether she hops.\n"])
def test_side_by_side_a_role_without_a_rule_is_skipped(empty: str) -> None:
    book = roles_of(f"Witch\n{empty}", "Toad\n- It hops.\n", "Frog\n- It swims.\n")
    names = ("Toad > Turn", "Witch > Turn", "Frog > Turn")
    found = [find(book, name, *([0.5] if name != "Witch > Turn" else [])) for name in names]
    draft = write(asking("What happens in this turn?"), found)
    assert (draft.status, draft.text) == (
        Status.ANSWERED,
        "Toad: It hops. [1]\nFrog: It swims. [2]",
    )
    alone = write(asking("What happens in this turn?"), found[:2])
    assert alone.text == "It hops. [1]"


@pytest.mark.parametrize(
    ("question", "rules", "status", "closing"),
    [
        (
            "What is the exact cost of a Star?",
            ("The cost of a Star is printed on the card.", "A Star is bought."),
            Status.PARTLY,
            "The value itself is printed on a board or card; the rulebook doesn't give it.",
        ),
        (
            "What does the Dark Star do?",
            ("At the start of the game she takes the Dark Star.", "It hops."),
            Status.PARTLY,
            "What it does is not said in this rulebook.",
        ),
        (
            "How many Stars does each role take?",
            ("She takes Stars.", "It takes Stars."),
            Status.NOT_IN_RULEBOOK,
            "The rulebook of A doesn't give that number.",
        ),
        (
            "Who designed the roles?",
            ("She takes Stars.", "It takes Stars."),
            Status.NOT_IN_RULEBOOK,
            "The rulebook of A doesn't say.",
        ),
    ],
)
def test_silence_comes_before_roles_side_by_side(
    question: str, rules: tuple[str, str], status: Status, closing: str
) -> None:
    book = roles_of(f"Witch\n- {rules[0]}\n", f"Toad\n- {rules[1]}\n")
    found = [find(book, "Witch > Turn", 0.9), find(book, "Toad > Turn", 0.3, score=0.49)]
    draft = write(asking(question), found)
    assert (draft.status, draft.text.split("\n")[-1]) == (status, closing)
    assert not draft.text.startswith("Witch:")


def test_side_by_side_each_role_says_its_best_statement_and_what_it_leaves_open(
    toads: Rulebook,
) -> None:
    found = [find(toads, WIN, 0.1, 0.2, 0.9), find(toads, OLD_WIN, 0.8)]
    draft = write(asking("How do I win?"), found)
    assert draft.text.startswith("The Witch: Example: With 1 Toad in the Well")
    assert draft.notes == ("Unclear: The book does not say whether a golden Toad is a Toad.",)


@pytest.mark.parametrize(
    ("query", "other"),
    [
        (asking("How does she win?", "The Witch"), (OLD_WIN, 0.5)),
        (asking("How do I win?"), (OLD_WIN, 0.4)),
        (asking("How do I win?"), ("The Witch > 1) Brew > Stir", 0.5)),
    ],
)
def test_one_role_answers_where_it_is_named_or_much_the_best(
    toads: Rulebook, query: Query, other: tuple[str, float]
) -> None:
    found = [find(toads, WIN, 0.9, score=0.5), find(toads, other[0], score=other[1])]
    assert quotes(write(query, found)) == ["The Witch wins with 3 Toads."]


def test_chapters_that_are_not_roles_do_not_answer_side_by_side() -> None:
    text = "---\nid: a\ntitle: A\nkind: game\n---\n# A\n## Day\n### End\n- It is dark.\n"
    book = parse_rulebook(text + "## Night\n### End\n- It is light.\n", Path("a.md"))
    found = [find(book, "Day > End", 0.9), find(book, "Night > End", 0.1)]
    assert write(asking("When does it end?"), found).text == "It is dark. [1]"


def test_roles_with_too_much_to_say_are_asked_for(toads: Rulebook) -> None:
    def long(section: str) -> Found:
        found = find(toads, section, 0.8)
        statement = replace(found.statements[0].statement, text="toad " * 80)
        return replace(found, statements=(Scored(statement, 0.8),))

    asked = "Which role do you mean: The Witch or The Old Witch?"
    assert write(asking("How do I win?"), [long(OLD_WIN), long(WIN)]) == Draft(
        Status.NEEDS_INPUT,
        asked,
        question_back=QuestionBack(asked, "role", ("The Witch", "The Old Witch")),
    )


def test_who_made_the_game_is_not_in_the_rulebook() -> None:
    found = [find(PONDS, "Frogs", 0.9)]
    assert write(asking("Who is the designer of this?"), found) == Draft(
        Status.NOT_IN_RULEBOOK, "The rulebook of Ponds doesn't say.", pointers=tuple(found)
    )


def test_headings_without_text_answer_nothing(toads: Rulebook) -> None:
    found = [find(toads, "Scoring")]
    assert write(asking("How are the points scored?"), found) == Draft(
        Status.NOT_IN_RULEBOOK,
        "The rulebook of Toad Quest: The Well doesn't say.",
        pointers=tuple(found),
    )


NOTE = "Unclear: The book does not say whether a golden Toad is a Toad."


@pytest.mark.parametrize(
    ("scores", "statements"),
    [
        (
            (0.8, 0.75, 0.1, 0.9),
            [NOTE, "The Witch wins with 3 Toads.", "A Toad in the Well counts as 2 Toads."],
        ),
        (
            (0.8, 0.75, 0.1, 0.79),
            ["The Witch wins with 3 Toads.", "A Toad in the Well counts as 2 Toads.", NOTE],
        ),
    ],
)
def test_what_a_note_leaves_open_is_answered_in_part_the_better_match_first(
    toads: Rulebook, scores: tuple[float, ...], statements: list[str]
) -> None:
    query = asking("Does a golden Toad count for the Witch?", "The Witch")
    draft = write(query, [find(toads, WIN, *scores)])
    assert draft == Draft(
        Status.PARTLY,
        "\n".join(f"{text} [{n}]" for n, text in enumerate(statements, start=1)),
        draft.picks,
        not_covered="what the note says is left open",
    )
    assert quotes(draft) == statements


def a_book(kind: str, *rules: str) -> Rulebook:
    head = f"---\nid: a\ntitle: Moons\nkind: {kind}\n---\n# Moons\n## Rules\n"
    return parse_rulebook(head + "".join(f"- {rule}\n" for rule in rules), Path("a.md"))


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ("Take the Star [2].", "Take the Star (2)."),
        ("Take [1] or [12] Stars.", "Take (1) or (12) Stars."),
        ("Take Stars [INF + 2].", "Take Stars [INF + 2]."),
    ],
)
def test_a_number_that_the_book_prints_in_brackets_is_no_mark(printed: str, shown: str) -> None:
    draft = write(asking("Which Star is taken?"), [find(a_book("game", printed), "Rules", 0.9)])
    assert draft.text == f"{shown} [1]"
    assert quotes(draft) == [printed]


def test_side_by_side_too_a_printed_number_is_no_mark() -> None:
    book = roles_of("Witch\n- She stirs [2].\n", "Toad [3]\n- It hops.\n")
    found = [find(book, "Witch > Turn", 0.5), find(book, "Toad [3] > Turn", 0.5)]
    draft = write(asking("What happens in this turn?"), found)
    assert draft.text == "Witch: She stirs (2). [1]\nToad (3): It hops. [2]"
    assert quotes(draft) == ["She stirs [2].", "It hops."]


def test_a_value_that_a_card_shows_is_answered_in_part() -> None:
    found = [find(a_book("game", "The cost of a Star is printed on the card."), "Rules", 0.9)]
    draft = write(asking("What is the exact cost of a Star?"), found)
    assert (draft.status, draft.not_covered) == (Status.PARTLY, "the value on the board or card")
    assert draft.text == (
        "The cost of a Star is printed on the card. [1]\n"
        "The value itself is printed on a board or card; the rulebook doesn't give it."
    )


def test_a_thing_that_is_only_named_is_answered_in_part() -> None:
    rule = "At the start of the game each player takes the Dark Star."
    draft = write(asking("What does the Dark Star do?"), [find(a_book("game", rule), "Rules", 0.9)])
    assert (draft.status, draft.not_covered) == (Status.PARTLY, "what the card or token does")
    assert draft.text == f"{rule} [1]\nWhat it does is not said in this rulebook."


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("game", "The rulebook of Moons doesn't give that number."),
        (
            "expansion\nbase_game: Suns",
            "The rulebook of Moons doesn't give that number. "
            "The rulebook of the base game, Suns, isn't in the library.",
        ),
    ],
)
def test_a_number_that_no_rule_gives_is_not_in_the_rulebook(kind: str, text: str) -> None:
    found = [find(a_book(kind, "Each player takes Stars."), "Rules", 0.9)]
    draft = write(asking("How many Stars does each player take?"), found)
    assert draft == Draft(Status.NOT_IN_RULEBOOK, text, pointers=tuple(found))


def test_the_base_game_is_only_missed_if_it_is_not_in_the_library() -> None:
    found = [find(a_book("expansion\nbase_game: Suns", "Each player takes Stars."), "Rules", 0.9)]
    suns = replace(a_book("game", "Each player takes 4 Suns."), id="suns", title="Suns")
    question = asking("How many Stars does each player take?")
    assert write(question, found, found[0].book, suns) == Draft(
        Status.NOT_IN_RULEBOOK,
        "The rulebook of Moons doesn't give that number.",
        pointers=tuple(found),
    )


def test_a_title_loses_its_full_stop_inside_each_sentence(toads: Rulebook) -> None:
    frogs = find(PONDS, "Frogs", 0.9)
    asked = {
        "hello": "Hello! Ask me about the rules of Ponds and Toad Quest: The Well.",
        "How many Frogs are there?": "The rulebook of Ponds doesn't give that number.",
        "Who is the designer?": "The rulebook of Ponds doesn't say.",
        "Write a poem": "I only answer questions about the rules of Ponds and Toad Quest: The "
        "Well.",
    }
    for question, text in asked.items():
        assert write(asking(question), [frogs], PONDS, toads).text == text


def test_a_number_that_a_rule_gives_is_answered() -> None:
    found = [find(a_book("game", "Each player takes 4 Stars."), "Rules", 0.9)]
    draft = write(asking("How many Stars does each player take?"), found)
    assert (draft.status, draft.text) == (Status.ANSWERED, "Each player takes 4 Stars. [1]")
