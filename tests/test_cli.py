"""The command line as its users meet it: whole transcripts, and every way to get it wrong."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from typing import TYPE_CHECKING

import pexpect
import pytest
from conftest import TOADS, Result

from rulespal_chat.cli import books

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., Result]
    AddBook = Callable[[str, str | bytes], Path]

WIN = """\
Toad Quest: The Well

The Witch > How to Win

- The Witch wins with 3 Toads.
  - A Toad in the Well counts as 2 Toads.
- Example: With 1 Toad in the Well and 1 on her board, the Witch wins.
Unclear: The book does not say whether a golden Toad is a Toad.
"""


@pytest.fixture
def with_toads(add_book: AddBook) -> Path:
    return add_book("toad-well", TOADS)


def on_terminal(*arguments: str, columns: int = 60, lines: int = 60, **variables: str) -> str:
    """What `rulespal` draws on a terminal of this size, pagers switched off, styles left in."""
    environment = os.environ | {"TERM": "xterm-256color", "PAGER": "cat"} | variables
    child = pexpect.spawn(
        sys.executable,
        ["-m", "rulespal_chat", *arguments],
        env=environment,
        dimensions=(lines, columns),
        encoding="utf-8",
    )
    child.expect(pexpect.EOF)
    return (child.before or "").replace("\r\n", "\n")


def unstyled(text: str) -> str:
    return re.sub(r"\x1b\[[0-9;]*m", "", text)


def tidy(text: str) -> str:
    """Without styles and without the spaces that fill up the lines."""
    return "\n".join(line.rstrip() for line in unstyled(text).split("\n"))


@pytest.mark.usefixtures("with_toads")
def test_a_section_in_a_pipe_is_plain_and_one_statement_a_line(rulespal: Run) -> None:
    assert rulespal("show", "toad", "witch", "how", "to", "win") == Result(0, WIN, "")


@pytest.mark.usefixtures("with_toads")
def test_a_table_in_a_pipe_has_its_header_in_every_row(rulespal: Run) -> None:
    assert (
        rulespal("show", "toad", "brew").out
        == """\
Toad Quest: The Well

The Witch > 1) Brew

The Witch draws as many cards as the Moon allows [MOON].
Moon: New; Cards: 1
Moon: Full; Cards: 3; Bonus: 1 Toad
"""
    )


@pytest.mark.usefixtures("with_toads")
def test_all_prints_the_sections_below_as_well(rulespal: Run) -> None:
    shown = rulespal("show", "toad", "Hexer", "--all").out
    assert re.findall(r"^The Witch.*$", shown, re.MULTILINE)[:2] == [
        "The Witch",
        "The Witch > How to Win",
    ]
    assert shown.endswith("The Witch > 1) Brew > Stir\n\n- The Witch may stir once.\n")
    whole = rulespal("show", "toad", "--all").out
    assert whole.endswith("\nScoring\n\n")


@pytest.mark.usefixtures("with_toads")
def test_the_contents_in_a_pipe_are_paths_that_can_be_typed_again(rulespal: Run) -> None:
    assert (
        rulespal("show", "the well").out
        == """\
Toad Quest: The Well

The Witch
The Witch > How to Win
The Witch > 1) Brew
The Witch > 1) Brew > Stir
The Old Witch
The Old Witch > How to Win
Scoring
"""
    )


@pytest.mark.usefixtures("with_toads")
def test_several_matches_are_listed_and_are_a_question_back(rulespal: Run) -> None:
    assert rulespal("show", "toad", "how to win") == Result(
        3,
        "2 sections may be meant by 'how to win':\n"
        "The Witch > How to Win\n"
        "The Old Witch > How to Win\n"
        'Next: rulespal show toad-well "The Witch > How to Win"\n',
        "",
    )


def test_games_lists_what_there_is_and_where_from(rulespal: Run, with_toads: Path) -> None:
    shown = rulespal("games").out
    assert shown.splitlines()[-6:] == [
        "Vast: The Fearsome Foes  vast-the-fearsome-foes",
        "  expansion of Vast: The Crystal Caverns",
        shown.splitlines()[-4],
        "Toad Quest: The Well  toad-well",
        "  expansion of Toad Quest",
        f"  3 chapters · 7 sections · 9 statements · from {with_toads}",
    ]
    assert re.fullmatch(
        r"  6 chapters · 133 sections · 1,\d\d\d statements · comes with RulesPal",
        shown.splitlines()[-4],
    )


def test_games_names_each_book_that_it_leaves_out(rulespal: Run, add_book: AddBook) -> None:
    path = add_book("broken", "# No front matter\n")
    result = rulespal("games")
    assert result.code == 0
    assert result.out.count("comes with RulesPal") == 3
    assert result.err == (
        f"rulespal: {path}: line 1: no front matter; expected '---', then id, title, kind and "
        "chapters in YAML, then '---'. Next: mend it, then rulespal games\n"
    )


def test_showing_a_book_that_cannot_be_read_says_why(rulespal: Run, add_book: AddBook) -> None:
    path = add_book("broken", "# No front matter\n")
    result = rulespal("show", "broken")
    assert (result.code, result.out) == (1, "")
    assert result.err.startswith(f"rulespal: {path}: line 1: no front matter")


@pytest.mark.usefixtures("with_toads")
def test_json_for_programs(rulespal: Run) -> None:
    section = json.loads(rulespal("show", "toad", "stir", "--json").out)
    assert section == {
        "schema": 1,
        "game": "toad-well",
        "title": "Toad Quest: The Well",
        "sections": [
            {
                "id": "toad-well/the-witch/1-brew/stir",
                "section": "The Witch > 1) Brew > Stir",
                "lines": [38, 40],
                "statements": [
                    {
                        "id": "toad-well/the-witch/1-brew/stir#004ee7ff",
                        "kind": "rule",
                        "text": "The Witch may stir once.",
                        "lines": [40, 40],
                    }
                ],
            }
        ],
    }
    contents = json.loads(rulespal("show", "toad", "--json").out)["contents"]
    assert contents[1] == {
        "id": "toad-well/the-witch/how-to-win",
        "section": "The Witch > How to Win",
        "lines": [21, 27],
        "statements": 4,
    }
    matches = rulespal("show", "toad", "how to win", "--json")
    assert matches.code == 3
    assert [m["section"] for m in json.loads(matches.out)["matches"]] == [
        "The Witch > How to Win",
        "The Old Witch > How to Win",
    ]
    games = json.loads(rulespal("games", "--json").out)
    assert games["problems"] == []
    assert games["games"][-1] | {"source": "", "chapters": []} == {
        "id": "toad-well",
        "title": "Toad Quest: The Well",
        "aliases": ["Toad Quest", "The Well"],
        "kind": "expansion",
        "base_game": "Toad Quest",
        "chapters": [],
        "sections": 7,
        "statements": 9,
        "packaged": False,
        "source": "",
    }
    assert games["games"][-1]["chapters"][0] == {
        "heading": "The Witch",
        "kind": "role",
        "aliases": ["Hexer"],
        "twins": ["The Old Witch"],
    }


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["show", "ches"],
            "rulespal: No game in the library is called 'ches'. Next: rulespal games\n",
        ),
        (
            ["show", "evil corpse inc"],
            "rulespal: No game in the library is called 'evil corpse inc' (nearest: evil-corp). "
            "Next: rulespal show evil-corp\n",
        ),
        (
            ["show", "evil", "goblins"],
            "rulespal: Evil Corp. has no section 'goblins'. Next: rulespal show evil-corp\n",
        ),
        (
            ["show", "evil", "\x1b[2J\u202e🎲" * 9_999],
            f"rulespal: Evil Corp. has no section '{('[2J🎲' * 20)[:60]}'. "
            "Next: rulespal show evil-corp\n",
        ),
        (["show", ""], "rulespal: No game in the library is called ''. Next: rulespal games\n"),
    ],
)
def test_a_wrong_name_is_one_sentence_and_the_next_command(
    rulespal: Run, arguments: list[str], message: str
) -> None:
    assert rulespal(*arguments) == Result(2, "", message)


@pytest.mark.parametrize("arguments", [["shwo"], ["show"], ["games", "--jsn"], ["show", "-x"]])
def test_wrong_usage_ends_with_2_and_names_the_help(rulespal: Run, arguments: list[str]) -> None:
    result = rulespal(*arguments)
    assert (result.code, result.out) == (2, "")
    assert "--help" in result.err


def test_help_and_version(rulespal: Run) -> None:
    assert "Exit codes: 0 answered or done; 3 the book doesn't say" in rulespal("--help").out
    assert 'rulespal show vast "ghoul how to win"' in rulespal("show", "--help").out
    assert re.fullmatch(r"rulespal \d+\.\d+\.\d+\n", rulespal("--version").out)


def test_an_interrupt_is_one_word(rulespal: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt() -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(books, "_library", interrupt)
    result = rulespal("games")
    assert result.code == 130
    assert "Traceback" not in result.err


@pytest.mark.usefixtures("with_toads")
def test_a_section_on_a_terminal_wraps_at_60_columns() -> None:
    shown = on_terminal("show", "toad", "witch", "how", "to", "win")
    assert (
        tidy(shown)
        == """\
Toad Quest: The Well
The Witch › How to Win

 • The Witch wins with 3 Toads.
   • A Toad in the Well counts as 2 Toads.
 • Example: With 1 Toad in the Well and 1 on her board, the
   Witch wins.

Unclear: The book does not say whether a golden Toad is a
Toad.

Not to be confused with: The Old Witch › How to Win
"""
    )
    assert "\x1b[" in shown


@pytest.mark.usefixtures("with_toads")
def test_a_table_on_a_terminal_is_a_grid_where_it_fits() -> None:
    assert (
        tidy(on_terminal("show", "toad", "brew"))
        == """\
Toad Quest: The Well
The Witch › 1) Brew

The Witch draws as many cards as the Moon allows [MOON].

Moon  Cards  Bonus
New   1
Full  3      1 Toad

Below: Stir
"""
    )
    assert (
        tidy(on_terminal("show", "toad", "brew", columns=18))
        == """\
Toad Quest: The
Well
The Witch › 1)
Brew

The Witch draws as
many cards as the
Moon allows
[MOON].

Moon: New
Cards: 1

Moon: Full
Cards: 3
Bonus: 1 Toad


Below: Stir
"""
    )


@pytest.mark.usefixtures("with_toads")
def test_contents_choice_and_games_on_a_terminal() -> None:
    assert (
        tidy(on_terminal("show", "toad"))
        == """\
Toad Quest: The Well
expansion of Toad Quest · 7 sections

The Witch  role
  How to Win
  1) Brew
    Stir

The Old Witch  role
  How to Win

Scoring

Read one: rulespal show toad-well "The Witch > How to Win"
"""
    )
    assert (
        tidy(on_terminal("show", "toad", "scoring"))
        == """\
Toad Quest: The Well
Scoring

The book prints this heading without text.

"""
    )
    assert tidy(on_terminal("show", "toad", "how to win", columns=80)).splitlines()[:3] == [
        "2 sections may be meant by 'how to win':",
        "  The Witch › How to Win",
        "  The Old Witch › How to Win",
    ]
    games = tidy(on_terminal("games"))
    assert "Evil Corp.  evil-corp\n  game\n  11 chapters · 48 sections" in games


@pytest.mark.usefixtures("with_toads")
def test_colour_stays_away_when_it_is_not_wanted() -> None:
    assert "\x1b[3" not in on_terminal("show", "toad", "brew", NO_COLOR="1")


def test_a_long_text_goes_through_the_pager() -> None:
    shown = on_terminal("show", "vast", lines=10, PAGER="sed 's/^/| /'")
    assert unstyled(shown).startswith("| Vast: The Fearsome Foes\n| expansion of")


def run(arguments: list[str], **variables: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "rulespal_chat", *arguments],
        env=os.environ | variables,
        capture_output=True,
        text=True,
        check=False,
    )


def test_an_encoding_without_the_books_characters_is_no_traceback() -> None:
    result = run(["show", "evil", "4. pass"], PYTHONIOENCODING="ascii")
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.isascii()


def test_a_reader_that_stops_reading_is_no_traceback() -> None:
    command = f"{sys.executable} -m rulespal_chat show vast --all | head -n 1"
    result = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],  # noqa: S607
        capture_output=True,
        text=True,
        check=False,
    )
    assert (result.stdout, result.stderr) == ("Vast: The Fearsome Foes\n", "")


@pytest.mark.parametrize("arguments", [["--help"], ["--version"], ["show", "--help"]])
def test_help_has_no_side_effects_and_imports_nothing_heavy(
    home: Path, arguments: list[str]
) -> None:
    heavy = ["markdown_it", "ruamel", "rich.console", "rapidfuzz", "torch", "chromadb"]
    code = (
        "import sys\nfrom rulespal_chat.cli import main\n"
        f"try: main({arguments!r})\nexcept SystemExit: pass\n"
        f"print([m for m in {heavy!r} if m in sys.modules], file=sys.stderr)"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert result.stderr == "[]\n"
    assert not home.exists()
