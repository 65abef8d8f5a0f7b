"""`ask`, `search` and `chat` as a player meets them, on the toad book: whole transcripts."""

from __future__ import annotations

import io
import json
from typing import TYPE_CHECKING

import pytest
from rich.console import Console
from toad_rules import a_loaded_rule_file as a_loaded_rule_file
from toad_rules import rulespal_over_the_rule_file as rulespal_over_the_rule_file

from rulespal_chat.cli import asking
from rulespal_chat.cli.chatting import run_chat
from rulespal_chat.display import answers
from rulespal_chat.rules.results import Check, Claim, Computed, Outcome, Verdict
from rulespal_chat.types import Answer, Citation, QuestionBack, Retrieved, Status

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from conftest import Result

    from rulespal_chat.pipeline import RulesPal

    Run = Callable[..., Result]

STIR = """\
The Witch may stir once. [1]

Word for word from:
  [1] Toad Quest: The Well › The Witch › 1) Brew › Stir
"""


@pytest.fixture
def toads_opened(toad_pal: RulesPal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands open the toad book's index rather than build that of the packaged ones."""
    monkeypatch.setattr(asking, "opened", lambda *_: toad_pal)


@pytest.mark.usefixtures("toads_opened")
def test_ask_says_the_rule_and_where_it_stands(rulespal: Run) -> None:
    asked = rulespal("ask", "how", "often", "may", "the", "witch", "stir?")
    assert (asked.code, asked.out, asked.err) == (0, STIR, "")


@pytest.mark.usefixtures("toads_opened")
def test_top_lists_what_was_searched(rulespal: Run) -> None:
    out = rulespal("ask", "how often may the witch stir?", "--top", "2").out
    assert out.startswith(STIR)
    assert out.splitlines()[5] == "Searched:"
    assert out.splitlines()[6].endswith("Toad Quest: The Well › The Witch › 1) Brew › Stir")
    assert len(out.splitlines()) == 8


@pytest.mark.usefixtures("toads_opened")
@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["ask", "hello"], 3, ""),
        (["ask", " "], 2, "rulespal: The question has no words."),
        (["ask", "win", "--game", "chess"], 2, "rulespal: No game in the library is called"),
        (["ask", "win", "--role", "cook"], 2, "rulespal: No role is called 'cook' (roles: The"),
        (["ask"], 2, "Usage:"),
        (["search", "?"], 2, "rulespal: The question has no words."),
    ],
)
def test_exit_codes_and_errors(
    rulespal: Run, arguments: list[str], code: int, message: str
) -> None:
    result = rulespal(*arguments)
    assert result.code == code
    assert result.err.startswith(message)
    assert "Traceback" not in result.err


@pytest.mark.usefixtures("toads_opened")
def test_the_game_can_be_set_for_the_whole_shell(
    rulespal: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPAL_GAME", "chess")
    assert "chess" in rulespal("ask", "how does one win?").err


@pytest.mark.usefixtures("toads_opened")
def test_search_says_what_was_found_and_why(rulespal: Run) -> None:
    out = rulespal("search", "stir", "--top", "1").out.splitlines()
    assert out[0] == " 1 Toad Quest: The Well › The Witch › 1) Brew › Stir"
    assert " = passage " in out[1]
    assert out[2].strip() == "The Witch may stir once."
    found = json.loads(rulespal("search", "stir", "--json").out)["found"]
    assert found[0]["section"] == "The Witch > 1) Brew > Stir"
    assert found[0]["statements"][0]["text"] == "The Witch may stir once."
    assert set(found[0]["why"]) == {
        "passage",
        "statement",
        "late",
        "passage words",
        "statement words",
        "role",
        "covered",
    }


def chat(
    rulespal: RulesPal,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    *lines: str,
    game: str | None = None,
) -> tuple[str, str]:
    monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
    run_chat(rulespal, game, None)
    captured = capsys.readouterr()
    return captured.out, captured.err


def test_a_chat_in_a_pipe(
    toad_pal: RulesPal,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    saved = tmp_path / "chat.md"
    out, err = chat(
        toad_pal, monkeypatch, capsys,
        "how often may the witch stir?", "/sources", "/section how to win", "/section brew",
        "/role hexer", "", "/dance", f"/save {saved}", f"/save {saved}",
        f"/save {tmp_path / 'no' / 'where'}", "/role cook", "/quit", "never read",
    )  # fmt: skip
    assert out == (
        f"{STIR}\n"
        "[1] The Witch may stir once.\n"
        "    Toad Quest: The Well › The Witch › 1) Brew › Stir, line 40\n"
        "Several sections may be meant:\n"
        "  /section The Witch > How to Win\n"
        "  /section The Old Witch > How to Win\n"
        "Toad Quest: The Well\n"
        "\n"
        "The Witch > 1) Brew\n"
        "\n"
        "The Witch draws as many cards as the Moon allows [MOON].\n"
        "Moon: New; Cards: 1\n"
        "Moon: Full; Cards: 3; Bonus: 1 Toad\n"
        "You play The Witch.\n"
        "There is no /dance. Type /help for what there is.\n"
        f"Saved to {saved}.\n"
    )
    assert err.splitlines() == [
        f"rulespal: {saved} is there already. Next: /save OTHER-FILE",
        f"rulespal: {tmp_path / 'no' / 'where'} can't be written (No such file or directory). "
        "Next: /save OTHER-FILE",
        "rulespal: No role is called 'cook' (roles: The Witch, The Old Witch). "
        "Next: rulespal games",
    ]
    assert saved.read_text(encoding="utf-8").startswith(
        "# RulesPal chat\n\n## how often may the witch stir?\n"
    )


def test_a_chat_ends_with_its_input_and_begins_with_its_game(
    toad_pal: RulesPal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = chat(toad_pal, monkeypatch, capsys, "/section stir", game="the well")
    assert (out.splitlines()[2], err) == ("The Witch > 1) Brew > Stir", "")


def test_a_line_of_a_chat_that_is_not_utf_8_is_skipped(
    toad_pal: RulesPal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = io.TextIOWrapper(io.BytesIO(b"caf\xe9?\n"), encoding="utf-8")
    monkeypatch.setattr("sys.stdin", raw)
    run_chat(toad_pal, None, None)
    assert "that line isn't UTF-8" in capsys.readouterr().err


TITLES = {"toad-well": "Toad Quest: The Well"}
QUOTE = "The Witch may stir once."


def an_answer(status: Status, text: str, **fields: object) -> Answer:
    blank: dict[str, object] = {
        "question": "q", "understood": "q", "game": "toad-well", "roles": (), "citations": (),
        "question_back": None, "pointers": (), "not_covered": None, "notes": (), "dropped": 0,
        "writer": "quotes", "retrieved": (), "timings_ms": (),
    }  # fmt: skip
    return Answer(status=status, text=text, **(blank | fields))  # type: ignore[arg-type]


def drawn(renderable: object, width: int = 60) -> tuple[str, str]:
    """What a terminal of this width shows, with the styles and without."""
    console = Console(width=width, force_terminal=True, highlight=False, color_system="standard")
    with console.capture() as capture:
        console.print(renderable)
    plain = Console(width=width, highlight=False, no_color=True)
    with plain.capture() as bare:
        plain.print(renderable)
    return capture.get(), "\n".join(line.rstrip() for line in bare.get().split("\n"))


def test_on_a_terminal_the_ruling_is_bold_and_its_places_are_dim() -> None:
    citations = tuple(
        Citation(n, "toad-well", "The Witch > 1) Brew > Stir", "id", QUOTE, (40, 40))
        for n in (1, 2)
    )
    answer = an_answer(
        Status.ANSWERED,
        f"{QUOTE} [1]\n{QUOTE} [2]",
        citations=citations,
        notes=("Unclear: how often the moon is full.",),
        retrieved=(Retrieved("toad-well", "Scoring", 0.5),),
    )
    styled, bare = drawn(answers.show_answer(answer, TITLES, top=1))
    assert bare == (
        f"{QUOTE} [1]\n"
        f"{QUOTE} [2]\n"
        "\n"
        "Unclear: how often the moon is full.\n"
        "\n"
        "Word for word from:\n"
        " [1][2] Toad Quest: The Well › The Witch › 1) Brew › Stir\n"
        "\n"
        "Searched:\n"
        " 0.50 Toad Quest: The Well › Scoring\n"
    )
    assert styled.startswith(f"\x1b[1m{QUOTE}\x1b[0m\x1b[2m [1]\x1b[0m")


def test_a_question_back_and_pointers_are_lists() -> None:
    back = an_answer(
        Status.NEEDS_INPUT, "Which role do you mean?",
        question_back=QuestionBack("Which role?", "role", ("The Witch", "The Old Witch")),
    )  # fmt: skip
    assert drawn(answers.show_answer(back, TITLES, top=0))[1] == (
        "Which role do you mean?\n"
        "\n"
        "Reply, or ask again with --role:\n"
        " 1 The Witch\n"
        " 2 The Old Witch\n"
    )
    silent = an_answer(
        Status.NOT_IN_RULEBOOK, "The rulebook doesn't say.",
        pointers=(Retrieved("toad-well", "The Witch > 1) Brew", 0.4),),
    )  # fmt: skip
    assert answers.plain_answer(silent, TITLES, 0) == (
        "The rulebook doesn't say.\n"
        "\n"
        "Nearest sections:\n"
        "  - Toad Quest: The Well › The Witch › 1) Brew"
    )


def test_search_and_sources_on_a_terminal_wrap_at_60_columns(toad_pal: RulesPal) -> None:
    found = drawn(answers.show_found(toad_pal.search("stir", top=2)))[1]
    assert found.splitlines()[0] == " 1 Toad Quest: The Well › The Witch › 1) Brew › Stir"
    sources = drawn(answers.show_quotes(toad_pal.ask("how often may the witch stir?"), TITLES))[1]
    assert sources == (
        "[1] The Witch may stir once.\n"
        "    Toad Quest: The Well › The Witch › 1) Brew › Stir, line\n"
        "    40\n"
    )
    assert max(map(len, (found + sources).splitlines())) <= 60


FULL_MOON = ("ask", "How many Toads to win under the full Moon?")
GOAL = """\
7 Toads: 4 for the full Moon + 3 players. [1][2][3]
The Witch needs the Toads of the Moon and 1 for each player. [1]
Moon: Full; Toads: 4 [2]
The Witch may not brew golden Toads. [3]
✓ agrees: 7 Toads
"""


@pytest.fixture
def rules_opened(toad_rules_pal: RulesPal, monkeypatch: pytest.MonkeyPatch) -> None:
    """The commands open the toad book that has rules."""
    monkeypatch.setattr(asking, "opened", lambda *_: toad_rules_pal)


@pytest.mark.usefixtures("rules_opened")
def test_what_is_told_with_a_question_is_computed_with_and_named(rulespal: Run) -> None:
    told = rulespal(*FULL_MOON, "--with", "players=3")
    assert (told.code, told.err) == (0, "")
    assert told.out.startswith(GOAL)
    assert told.out.splitlines()[5].startswith("From the table: ")
    assert "3 players" in told.out.splitlines()[5]


@pytest.mark.usefixtures("rules_opened")
@pytest.mark.parametrize(
    "pairs",
    [("--with", "players=3", "--with", "moon=full"), ("--with", "players=3 moon=full")],
)
def test_several_things_may_be_told(rulespal: Run, pairs: tuple[str, ...]) -> None:
    fields = json.loads(rulespal("ask", "How many Toads to win?", *pairs, "--json").out)
    assert fields["state"] == {"players": 3, "moon": "full"}
    assert fields["computed"][0]["value"] == 7


@pytest.mark.usefixtures("rules_opened")
def test_what_is_missing_is_asked_for_with_how_to_tell_it(rulespal: Run) -> None:
    asked = rulespal(*FULL_MOON)
    assert asked.code == asking.NO_ANSWER
    assert asked.out.startswith("How many players are there?\n")
    assert "--with players=…" in asked.out
    assert "✓" not in asked.out


@pytest.mark.usefixtures("rules_opened")
@pytest.mark.parametrize("pair", ["players", "=3", "three"])
def test_what_is_no_pair_is_refused(rulespal: Run, pair: str) -> None:
    refused = rulespal(*FULL_MOON, "--with", pair)
    assert refused.code == 2
    assert refused.out == ""
    assert "is no key=value" in refused.err


def test_a_chat_asks_back_takes_the_reply_and_keeps_it(
    toad_rules_pal: RulesPal, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    out, err = chat(
        toad_rules_pal, monkeypatch, capsys, FULL_MOON[1], "three", "/table", "/table players=9",
        "We are four.", "/table", game="toad quest",
    )  # fmt: skip
    assert out.startswith("How many players are there?\n")
    assert GOAL in out
    assert out.endswith("At the table: players=3.\nNoted: 4 players.\nAt the table: players=4.\n")
    assert err.startswith("rulespal: players can't be '9': it is 1 to 5")


def a_check(verdict: Verdict, **fields: object) -> Check:
    right = Computed(
        "toad-well", "witch.goal", "toads_to_win", Outcome.DETERMINED, value=7, unit="Toads"
    )
    claim = Claim("toads_to_win", "==", 6, "6 Toads")
    blank: dict[str, object] = {"claim": claim, "verdict": verdict, "right": right}
    return Check(**(blank | fields))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("check", "line"),
    [
        (a_check(Verdict.AGREES), "✓ agrees: 6 Toads"),
        (a_check(Verdict.CONTRADICTS), "✗ 6 Toads: the rules give 7 Toads"),
        (
            a_check(
                Verdict.CONTRADICTS,
                right=Computed("toad-well", "witch.goal", "toads_to_win", Outcome.UNDETERMINED),
            ),
            "✗ 6 Toads: the rules don't allow it",
        ),
        (a_check(Verdict.INCONSISTENT), "✗ 6 Toads: that state can't be"),
        (
            a_check(Verdict.UNDETERMINED, missing=("players", "golden_hops")),
            "? 6 Toads: needs players and golden hops",
        ),
        (a_check(Verdict.UNDETERMINED), "? 6 Toads: needs more"),
    ],
)
def test_a_line_for_each_check_stands_under_the_answer(check: Check, line: str) -> None:
    answer = an_answer(Status.DISPUTED, "You need 6 Toads.", checks=(check,))
    assert answers.plain_answer(answer, TITLES, 0) == f"You need 6 Toads.\n{line}"
    assert drawn(answers.show_answer(answer, TITLES, top=0))[1] == f"You need 6 Toads.\n{line}\n"


def test_on_a_terminal_what_is_wrong_is_red_and_what_agrees_is_green() -> None:
    checks = (a_check(Verdict.AGREES), a_check(Verdict.CONTRADICTS))
    answer = an_answer(Status.DISPUTED, "You need 6 Toads.", checks=checks)
    styled, bare = drawn(answers.show_answer(answer, TITLES, top=0))
    assert bare.splitlines() == [
        "You need 6 Toads.", "✓ agrees: 6 Toads", "✗ 6 Toads: the rules give 7 Toads",
    ]  # fmt: skip
    assert "\x1b[32m✓ agrees" in styled
    assert "\x1b[31m✗ 6 Toads" in styled


def test_assumptions_are_notes_under_the_checks() -> None:
    answer = an_answer(
        Status.ANSWERED,
        "6 Toads.",
        checks=(a_check(Verdict.AGREES),),
        notes=("Assumed: new moon.",),
    )
    assert answers.plain_answer(answer, TITLES, 0) == (
        "6 Toads.\n✓ agrees: 6 Toads\nAssumed: new moon."
    )


def test_a_question_back_without_options_ends_with_how_to_tell_it() -> None:
    back = an_answer(
        Status.NEEDS_INPUT, "What do the dice show?",
        question_back=QuestionBack("What do the dice show?", "dice", ()),
    )  # fmt: skip
    assert answers.plain_answer(back, TITLES, 0).splitlines() == [
        "What do the dice show?", "", "Reply, or ask again with --with dice=….",
    ]  # fmt: skip
