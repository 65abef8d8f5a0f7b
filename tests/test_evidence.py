"""The best statement leads, and what bears on it is said with it: no more than that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespal_chat.answer.evidence import Evidence, candidates, chosen, notes_on
from rulespal_chat.types import (
    BookKind,
    Chapter,
    ChapterKind,
    Found,
    Kind,
    Pick,
    Query,
    Rulebook,
    Scored,
    Section,
    Statement,
)

CHAPTERS = (
    Chapter("The Witch", ChapterKind.ROLE, twins=("The Old Witch",)),
    Chapter("The Old Witch", ChapterKind.ROLE, twins=("The Witch",)),
    Chapter("The Hexer", ChapterKind.ROLE),
    Chapter("The Toad", ChapterKind.ROLE),
    Chapter("Scoring"),
    *(Chapter(f"Role {n}", ChapterKind.ROLE) for n in range(6)),
)
BOOK = Rulebook("toads", "Toads", (), BookKind.GAME, None, CHAPTERS, (), Path("toads.md"))
QUERY = Query("How does it go?", "How does it go?", ("toads",))
BREW, STIR = "The Witch > Brew", "The Witch > Stir"


def kind_of(text: str) -> Kind:
    word = text.partition(":")[0].lower()
    return Kind(word) if word in {"example", "unclear"} else Kind.RULE


def section_of(name: str, *texts: str, line: int = 1) -> Section:
    """A section from that line on, whose statements are told by their first word, as in a book."""
    lines = enumerate(texts, start=line)
    made = (Statement(f"{name}#{n}", kind_of(t), t, (n, n)) for n, t in lines)
    return Section(name, tuple(name.split(" > ")), 3, (1, 1), tuple(made))


def found(name: str, statements: dict[str, float], score: float = 0.0, line: int = 1) -> Found:
    """A section; with a score of 0 the ranks of its statements depend on their own scores only."""
    section = section_of(name, *statements, line=line)
    scored = zip(section.statements, statements.values(), strict=True)
    return Found(BOOK, section, score, tuple(Scored(s, value) for s, value in scored))


def texts(evidence: tuple[Evidence, ...]) -> list[str]:
    return [e.pick.statement.text for e in evidence]


def said(*sections: Found, roles: tuple[str, ...] = ()) -> list[str]:
    return texts(chosen(replace(QUERY, roles=roles), candidates(sections)))


def test_a_score_is_mixed_of_the_statements_and_its_sections() -> None:
    section = found(BREW, {"She stirs.": 0.4, "Example: She stirs.": 0.4}, 0.6)
    ranked = candidates([section])
    assert [e.score for e in ranked] == pytest.approx([0.47, 0.47 * 0.9])
    assert ranked[0].pick == Pick(BOOK, section.section, section.section.statements[0])


def test_candidates_come_best_first_and_know_their_line() -> None:
    ranked = candidates([found(BREW, {"a": 0.2, "b": 0.8}), found(STIR, {"c": 0.5}, line=7)])
    assert texts(ranked) == ["b", "c", "a"]
    assert [e.line for e in ranked] == [2, 7, 1]


def test_equal_candidates_keep_their_order_but_a_rule_precedes_its_example() -> None:
    ranked = candidates([found(BREW, {"Example: a": 0.5, "b": 0.5, "c": 0.5})])
    assert texts(ranked) == ["b", "c", "Example: a"]


def test_only_the_five_best_sections_are_quoted() -> None:
    ranked = candidates([found(f"The Witch > {n}", {f"rule {n}": 0.5}) for n in range(7)])
    assert texts(ranked) == [f"rule {n}" for n in range(5)]


def test_where_nothing_is_found_nothing_is_said() -> None:
    assert chosen(QUERY, candidates([])) == ()
    assert chosen(QUERY, candidates([found(BREW, {}, 0.9)])) == ()


@pytest.mark.parametrize(
    ("section", "score", "belongs"),
    [(BREW, 0.75, True), (BREW, 0.65, False), (STIR, 0.9, True), (STIR, 0.8, False)],
)
def test_what_is_about_as_good_is_said_with_the_lead(
    section: str, score: float, belongs: bool
) -> None:
    if section == BREW:
        sections = [found(BREW, {"lead": 1.0, "other": score})]
    else:
        sections = [found(BREW, {"lead": 1.0}), found(section, {"other": score})]
    assert said(*sections) == (["lead", "other"] if belongs else ["lead"])


@pytest.mark.parametrize(
    "exception",
    [
        "Unless it is full, she stirs.",
        "She stirs except by day.",
        "She hops instead.",
        "She cannot stir.",
        "She stirs, even if it is full.",
        "She stirs regardless.",
        "She stirs only if it is full.",
        "However, she stirs.",
        "She stirs but not by day.",
    ],
)
def test_an_exception_in_the_leads_section_is_said_with_it(exception: str) -> None:
    assert said(found(BREW, {"lead": 1.0, exception: 0.65})) == ["lead", exception]
    assert said(found(BREW, {"lead": 1.0, exception: 0.55})) == ["lead"]
    assert said(found(BREW, {"lead": 1.0}), found(STIR, {exception: 0.65})) == ["lead"]


def test_a_note_is_not_said_with_a_rule() -> None:
    assert said(found(BREW, {"lead": 1.0, "Unclear: whether": 0.99, "b": 0.8})) == ["lead", "b"]


def test_what_is_said_with_the_lead_keeps_the_books_order() -> None:
    best = {"a": 0.8, "b": 0.95, "lead": 1.0}
    other = {"c": 0.97, "d": 0.9}
    assert said(found(BREW, best), found(STIR, other, line=9)) == ["lead", "a", "b", "c", "d"]
    assert said(found(BREW, best, line=9), found(STIR, other)) == ["lead", "c", "d", "a", "b"]


def test_at_most_five_are_said_and_the_best_of_them() -> None:
    scores = {"a": 0.75, "b": 0.8, "lead": 1.0, "c": 0.95, "d": 0.9, "e": 0.85, "f": 0.78}
    assert said(found(BREW, scores)) == ["lead", "b", "c", "d", "e"]


def test_at_most_150_words_are_said_and_a_shorter_rule_may_still_fit() -> None:
    lead, long, fits, full = (
        " ".join([name] * n) for name, n in (("lead", 75), ("b", 76), ("c", 74), ("d", 2))
    )
    scores = {lead: 1.0, long: 0.9, fits: 0.85, full: 0.8, "last": 0.75}
    assert said(found(BREW, scores)) == [lead, fits, "last"]


def test_a_lead_that_is_too_long_is_said_alone() -> None:
    lead = " ".join(["lead"] * 160)
    assert said(found(BREW, {lead: 1.0, "other": 0.9})) == [lead]


def test_a_lead_that_matches_nothing_is_said_alone() -> None:
    assert said(found(BREW, {"lead": 0.0, "other": 0.0})) == ["lead"]


WITCH = found(BREW, {"The Witch stirs.": 1.0})
HEXER = found("The Hexer > Brew", {"The Hexer boils.": 0.78, "The Hexer cools.": 0.75}, line=30)
TOAD = found("The Toad > Brew", {"The Toad hops.": 0.72}, line=20)


@pytest.mark.parametrize(
    ("roles", "statements"),
    [
        ((), ["The Witch stirs."]),
        (("The Witch",), ["The Witch stirs."]),
        (("The Witch", "The Hexer"), ["The Witch stirs.", "The Hexer boils."]),
        (("The Toad", "The Witch"), ["The Witch stirs.", "The Toad hops."]),
        (
            ("The Toad", "The Hexer", "The Witch"),
            ["The Witch stirs.", "The Toad hops.", "The Hexer boils."],
        ),
        (("The Hexer", "The Toad"), ["The Witch stirs."]),
    ],
)
def test_of_each_role_that_is_named_the_best_statement_is_said(
    roles: tuple[str, ...], statements: list[str]
) -> None:
    assert said(WITCH, HEXER, TOAD, roles=roles) == statements


def test_a_role_that_has_nothing_to_say_is_left_out() -> None:
    far = found("The Hexer > Brew", {"The Hexer sleeps.": 0.65})
    assert said(WITCH, far, roles=("The Witch", "The Hexer")) == ["The Witch stirs."]


@pytest.mark.parametrize(
    ("chapter", "roles", "is_said"),
    [
        ("The Old Witch", (), False),
        ("The Old Witch", ("The Witch",), False),
        ("The Old Witch", ("The Witch", "The Old Witch"), True),
        ("The Hexer", (), True),
        ("The Hexer", ("The Witch",), False),
        ("Scoring", (), True),
        ("Scoring", ("The Witch",), True),
    ],
)
def test_a_rule_of_a_twin_or_of_a_role_that_is_not_asked_about_is_not_said(
    chapter: str, roles: tuple[str, ...], is_said: bool
) -> None:
    other = found(f"{chapter} > Brew", {"other": 0.95}, line=9)
    expected = ["The Witch stirs.", "other"] if is_said else ["The Witch stirs."]
    assert said(WITCH, other, roles=roles) == expected


def test_of_many_roles_too_at_most_five_statements_are_said() -> None:
    scores = (1.0, 0.8, 0.78, 0.76, 0.74, 0.72)
    names = [f"Role {n}" for n in range(6)]
    sections = [
        found(f"{name} > Brew", {f"{name} brews.": score}, line=n)
        for n, (name, score) in enumerate(zip(names, scores, strict=True), start=1)
    ]
    ranked = candidates(sections[:5]) + candidates(sections[5:])
    assert texts(chosen(replace(QUERY, roles=tuple(names)), ranked)) == [
        f"{name} brews." for name in names[:5]
    ]


@pytest.mark.parametrize(
    ("words", "statements"), [(146, ["Witch", "Hexer", "Toad"]), (147, ["Witch", "Hexer"])]
)
def test_of_other_roles_too_at_most_150_words_are_said(words: int, statements: list[str]) -> None:
    sections = [
        found(BREW, {" ".join(["Witch"] * 2): 1.0}),
        found("The Hexer > Brew", {" ".join(["Hexer"] * words): 0.9}, line=2),
        found("The Toad > Brew", {" ".join(["Toad"] * 2): 0.8}, line=3),
    ]
    made = said(*sections, roles=("The Witch", "The Hexer", "The Toad"))
    assert [text.split()[0] for text in made] == statements


def test_a_role_that_says_too_much_makes_room_for_the_next() -> None:
    long = " ".join(["Hexer"] * 149)
    hexer = found("The Hexer > Brew", {long: 0.9}, line=2)
    roles = ("The Witch", "The Hexer", "The Toad")
    assert said(WITCH, hexer, TOAD, roles=roles) == ["The Witch stirs.", "The Toad hops."]


NOTED = section_of(BREW, "a", "Unclear: 1", "Unclear: 2", "b", "c", "Unclear: 3")


@pytest.mark.parametrize(
    ("picked", "notes"),
    [
        ([0], ["Unclear: 1", "Unclear: 2"]),
        ([1], ["Unclear: 2"]),
        ([0, 1], ["Unclear: 1", "Unclear: 2"]),
        ([3], []),
        ([4], ["Unclear: 3"]),
        ([4, 0], ["Unclear: 3", "Unclear: 1", "Unclear: 2"]),
        ([5], []),
        ([], []),
    ],
)
def test_the_notes_right_behind_the_picks_are_told_once(
    picked: list[int], notes: list[str]
) -> None:
    picks = [Pick(BOOK, NOTED, NOTED.statements[n]) for n in picked]
    assert [note.text for note in notes_on(picks)] == notes


ITEMS = {f"The Witch comes with {n} {what}.": 1.0 / n for n, what in enumerate(
    ("cauldron", "cards", "ladles", "Toads", "Moons", "boards", "hats"), start=1
)}  # fmt: skip
ALL = Query("What are the components of the Witch?", "What are the components?", ("toads",))


def test_a_list_that_is_asked_for_comes_whole_and_in_its_order() -> None:
    others = {"The Witch stirs.": 0.9, "Cards are dealt.": 0.1}
    pieces = candidates([found(BREW, ITEMS | others)])
    assert texts(chosen(ALL, pieces)) == list(ITEMS)
    assert len(texts(chosen(QUERY, pieces))) < len(ITEMS)


def test_a_list_that_is_too_long_is_not_said_whole() -> None:
    many = {f"The Witch comes with {n} cards.": 1.0 for n in range(15)}
    assert len(chosen(ALL, candidates([found(BREW, many)]))) == 5


def test_the_rows_of_a_table_are_a_list() -> None:
    section = section_of(BREW, "Moon: New; Cards: 1", "Moon: Full; Cards: 3", "Hat: Red; Cards: 2")
    rows = [replace(s, kind=Kind.TABLE_ROW) for s in section.statements]
    whole = replace(section, statements=tuple(rows))
    scored = tuple(Scored(row, score) for row, score in zip(rows, (1.0, 0.1, 0.1), strict=True))
    pieces = candidates([Found(BOOK, whole, 0.0, scored)])
    assert texts(chosen(ALL, pieces)) == ["Moon: New; Cards: 1", "Moon: Full; Cards: 3"]
