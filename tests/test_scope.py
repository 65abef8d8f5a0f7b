"""A question says by itself which game and which role it is about."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespal_chat.corpus.library import load_library
from rulespal_chat.corpus.places import packaged_corpus
from rulespal_chat.errors import BadQuestionError, UnknownGameError, UnknownRoleError
from rulespal_chat.search.scope import Scope
from rulespal_chat.types import Before, Library, Query, Question

EPIC, EVIL, VAST = "epic-resort-villains-vacation", "evil-corp", "vast-the-fearsome-foes"
ALL = (EPIC, EVIL, VAST)
ROLES = (
    "The Ghost",
    "The Cave Ghost",
    "The Ghoul",
    "The Vile Ghoul",
    "The Nightmare Unicorn",
    "The Shadow Unicorn",
)
UNICORNS = ROLES[-2:]
SCOPE = Scope(load_library(packaged_corpus() / "nowhere"))


def ask(text: str, game: str | None = None, role: str | None = None) -> Query:
    return SCOPE(Question(text, game, role))


@pytest.mark.parametrize(
    ("text", "roles"),
    [
        ("How does the Ghoul win?", ["The Ghoul"]),
        ("how does the vile ghoul win", ["The Vile Ghoul"]),
        ("can ghouls attack", ["The Ghoul"]),
        ("the ghoul’s attack", ["The Ghoul"]),
        ("vile ghuol attack", ["The Vile Ghoul"]),
        ("vlie goul attack", ["The Vile Ghoul"]),
        ("i'm the vile one", ["The Vile Ghoul"]),
        ("THE CAVE GHOST", ["The Cave Ghost"]),
        ("setup for the ghost as the cave", ["The Cave Ghost"]),
        ("can a vile ghoul hit another vile ghoul", ["The Vile Ghoul"]),
        ("a vile ghoul, a vile ghoul and a ghoul", ["The Vile Ghoul", "The Ghoul"]),
        ("shadow unicorn setup", ["The Shadow Unicorn"]),
        ("unicorn setup", [*UNICORNS]),
        ("do unicorns fly", [*UNICORNS]),
        ("unicron setup", [*UNICORNS]),
        ("the ghost meets the ghoul", ["The Ghost", "The Ghoul"]),
        ("does a vile ghoul fear a ghoul", ["The Vile Ghoul", "The Ghoul"]),
        ("what does a goat eat", []),
        ("what does it cost, at most", []),
        ("the host is aghast", []),
        ("the ghast and the ghoup", []),
        ("how do I win", []),
        ("Как победить?", []),
    ],
)
def test_roles_are_found_in_the_question(text: str, roles: list[str]) -> None:
    query = ask(text)
    assert sorted(query.roles) == sorted(roles)
    assert not query.role_given
    assert (query.games, query.game_named, query.foreign) == (ALL, False, ())


@pytest.mark.parametrize(
    ("text", "games"),
    [
        ("how do I set up Vast: The Fearsome Foes?", [VAST]),
        ("fearsome foes setup", [VAST]),
        ("Vast: The Crystal Caverns setup", [VAST]),
        ("crystal cavern setup in vast", [VAST]),
        ("evil corp. raid", [EVIL]),
        ("EvilCorp raid", [EVIL]),
        ("evil corporatoin raid", [EVIL]),
        ("vsat setup", [VAST]),
        ("vasst setup", [VAST]),
        ("epic resort kraken", [EPIC]),
        ("epic resrot kraken", [EPIC]),
        ("kraken in villain's vacation", [EPIC]),
        ("is Vast longer than Epic Resort", [EPIC, VAST]),
    ],
)
def test_a_game_is_named_by_title_alias_or_base_game(text: str, games: list[str]) -> None:
    query = ask(text)
    assert query.game_named
    assert query.games == tuple(games)


@pytest.mark.parametrize("text", ["vest setup", "vas setup", "an epic corp", "the evil kraken"])
def test_a_part_of_a_title_or_another_letter_in_a_short_one_names_no_game(text: str) -> None:
    query = ask(text)
    assert not query.game_named
    assert query.games == ALL


@pytest.mark.parametrize(
    ("text", "topic"),
    [
        ("In Evil Corp., how many cards do I draw?", "how many cards do I draw?"),
        ("raid in evil corp", "raid"),
        ("Epic Resort: Villain's Vacation: the Kraken", "the Kraken"),
        ("fearsome foes setup", "setup"),
        ("How does the Ghoul win?", "How does the Ghoul win?"),
        ("Vast", "Vast"),
        ("is it like Catan?", "is it like Catan?"),
    ],
)
def test_the_topic_of_a_question_is_all_but_the_games_it_names(text: str, topic: str) -> None:
    query = ask(text)
    assert (query.text, query.topic) == (text, topic)


def test_a_role_of_a_game_that_is_not_meant_is_none() -> None:
    query = ask("the ghoul in evil corp")
    assert query.games == (EVIL,)
    assert query.roles == ()


@pytest.mark.parametrize(
    ("typed", "game"), [("vsat", VAST), ("VAST", VAST), ("epic resrot", EPIC), (EVIL, EVIL)]
)
def test_a_given_game_is_found_in_spite_of_typos(typed: str, game: str) -> None:
    query = ask("how do I win", game=typed)
    assert query.game_named
    assert query.games == (game,)


def test_a_given_game_counts_more_than_one_that_is_named() -> None:
    assert ask("is this like Evil Corp?", game="vast").games == (VAST,)


def test_an_unknown_game_is_answered_with_the_nearest() -> None:
    with pytest.raises(UnknownGameError, match="No game in the library is called") as raised:
        ask("how do I win", game="epic fail resorts")
    assert raised.value.nearest == (EPIC,)


@pytest.mark.parametrize(
    ("typed", "role"),
    [
        ("goul", "The Ghoul"),
        ("the ghuol", "The Ghoul"),
        ("vile goul", "The Vile Ghoul"),
        ("GHOSTS", "The Ghost"),
        ("cave gost", "The Cave Ghost"),
        ("nightmare unicron", "The Nightmare Unicorn"),
        ("shadow", "The Shadow Unicorn"),
    ],
)
def test_a_given_role_is_found_in_spite_of_typos(typed: str, role: str) -> None:
    query = ask("how do I win", role=typed)
    assert query.role_given
    assert query.roles == (role,)


def test_a_given_role_comes_before_those_that_are_named() -> None:
    query = ask("can I attack the ghoul?", role="ghost")
    assert (query.roles, query.role_given) == (("The Ghost", "The Ghoul"), True)


def test_a_default_game_counts_only_if_none_is_named() -> None:
    def games(text: str, game: str | None = None) -> tuple[str, ...]:
        return SCOPE(Question(text, game, default_game="evil corp")).games

    assert games("how do I win?") == ("evil-corp",)
    assert games("how do I win in Vast?") == ("vast-the-fearsome-foes",)
    assert games("how do I win?", "epic resort") == ("epic-resort-villains-vacation",)


@pytest.mark.parametrize(
    "text", ["Can the Ghost go through walls?", "how many spaces can the Ghost move"]
)
def test_a_common_word_is_no_slip_of_a_name(text: str) -> None:
    assert ask(text).roles == ("The Ghost",)


@pytest.mark.parametrize(
    ("typed", "nearest"),
    [
        ("unicorn", ["The Nightmare Unicorn", "The Shadow Unicorn"]),
        ("the big ghost", ["The Ghost", "The Cave Ghost"]),
        ("cavern ghoul", ["The Ghoul", "The Cave Ghost", "The Vile Ghoul"]),
        ("wizard", []),
        ("zzz", []),
    ],
)
def test_an_unknown_role_is_answered_with_the_near_ones_best_first(
    typed: str, nearest: list[str]
) -> None:
    with pytest.raises(UnknownRoleError) as raised:
        ask("how do I win", role=typed)
    assert raised.value.nearest == tuple(nearest)


def test_an_unknown_role_is_answered_with_those_there_are() -> None:
    with pytest.raises(UnknownRoleError) as raised:
        ask("how do I win", role="wizard")
    assert str(raised.value) == (
        f"No role is called 'wizard' (roles: {', '.join(ROLES)}). Next: rulespal games"
    )


def test_a_role_of_another_game_is_unknown() -> None:
    with pytest.raises(UnknownRoleError) as raised:
        ask("how do I win", game="evil corp", role="ghoul")
    assert str(raised.value) == "No role is called 'ghoul'. Next: rulespal games"


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("is it like Terra Mystica?", ["Terra Mystica"]),
        ("settler of catan", ["Settlers of Catan"]),
        ("In Catan, when do I move the robber?", ["Catan"]),
        ("settlers of catan harbours", ["Settlers of Catan"]),
        ("uno or chess?", ["Chess", "Uno"]),
        ("can I unofficially pass", []),
        ("is my hand checked?", []),
        ("what is a good strategy?", []),
        ("may I choose who splendour goes to", []),
        ("ticket to rdie trains", []),
    ],
)
def test_a_game_that_is_not_ours_is_recognised_if_it_is_written_right(
    text: str, foreign: list[str]
) -> None:
    query = ask(text)
    assert sorted(query.foreign) == foreign
    assert (query.games, query.game_named) == (ALL, False)


def test_a_game_of_ours_beside_a_foreign_one_is_still_named() -> None:
    query = ask("is evil corp like chess?")
    assert (query.games, query.game_named, query.foreign) == ((EVIL,), True, ("Chess",))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   ",
        "\n\t",
        "?!…",
        "___",
        "_ _?",
        "🎲🎲",
        "👍🏽",
        "\x00\x1b\x07",
        "\u200b\u202e\ufeff",
        "—–-",
    ],
)
def test_a_question_without_words_is_refused(text: str) -> None:
    with pytest.raises(BadQuestionError) as raised:
        ask(text)
    assert str(raised.value) == (
        'The question has no words. Next: rulespal ask "How does the Ghoul win?"'
    )


def test_an_over_long_question_is_refused() -> None:
    with pytest.raises(BadQuestionError) as raised:
        ask("x" * 2001)
    assert str(raised.value) == (
        "The question has 2,001 characters, while 2,000 are read. "
        "Next: ask again, in a few sentences"
    )


def test_only_what_is_left_of_white_space_counts() -> None:
    assert ask(" " * 5000 + "x" * 2000 + "\n" * 5000).text == "x" * 2000


def test_a_question_is_cleaned_to_one_line() -> None:
    query = ask("How does\n\nthe \x1bGhoul\u202e\twin? ")
    assert query.text == "How does the Ghoul win?"
    assert query.roles == ("The Ghoul",)


@pytest.mark.parametrize("text", ["Как победить?", "怎么赢？", "كيف أفوز؟", "Wie gewinnt man?"])
def test_other_scripts_and_languages_are_fine(text: str) -> None:
    assert ask(text) == Query(text, text, ALL)


def test_a_library_without_books_has_nothing_to_name() -> None:
    text = "How does the Ghoul win?"
    assert Scope(Library(()))(Question(text)) == Query(text, text, ())


@given(st.text())
def test_any_text_is_understood_or_refused(text: str) -> None:
    try:
        query = ask(text)
    except BadQuestionError as refused:
        assert "\n" not in str(refused)
    else:
        assert query.text == " ".join(query.text.split()) != ""
        assert set(query.roles) <= set(ROLES)


@given(st.text())
def test_any_role_is_one_there_is_or_refused(typed: str) -> None:
    try:
        query = ask("how do I win", role=typed)
    except UnknownRoleError as refused:
        assert "\n" not in str(refused)
    else:
        assert set(query.roles) < set(ROLES)


@pytest.mark.parametrize(
    ("text", "chapters"),
    [
        ("what happens in the night phase", ("B. Night Phase",)),
        ("second edition changes?", ("Second Edition Changes",)),
        ("how does the ghoul skitter", ()),
    ],
)
def test_other_chapters_are_named_too(text: str, chapters: tuple[str, ...]) -> None:
    assert ask(text).chapters == chapters


def following(line: str, last: str, of: str, game: str | None = None) -> Query:
    return SCOPE(Question(line, game, before=Before(last, of)))


def test_a_follow_up_is_about_the_game_and_role_of_the_question_before() -> None:
    query = following(
        "and with 3 players?", "How much Fury does the Ghoul need for 5 players?", VAST
    )
    assert query.text == "How much Fury does the Ghoul need for 3 players?"
    assert (query.games, query.roles) == ((VAST,), ("The Ghoul",))


def test_what_is_new_in_a_follow_up_is_its_focus() -> None:
    query = following("and what does that cost?", "How do I hire a monster?", EVIL)
    assert query.text == "How do I hire a monster: and what does that cost?"
    assert query.focus == "and what does that cost?"
    assert query.games == (EVIL,)


@pytest.mark.parametrize(
    ("line", "game", "games"),
    [
        ("and in Epic Resort?", None, (EPIC,)),
        ("what about Catan?", None, ALL),
        ("and with 3 players?", EPIC, (EPIC,)),
        ("new question: how do I win?", None, ALL),
    ],
)
def test_nothing_leaks_from_one_game_to_another(
    line: str, game: str | None, games: tuple[str, ...]
) -> None:
    query = following(line, "How much Fury does the Ghoul need for 5 players?", VAST, game)
    assert query.games == games
    assert "Fury" not in query.text
    assert query.roles == ()
    assert query.focus == ""
