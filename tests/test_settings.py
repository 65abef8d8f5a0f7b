"""What the environment can say."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.settings import Settings

if TYPE_CHECKING:
    import pytest


def test_rulespal_home_is_where_a_players_data_lives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPAL_HOME", "~/games")
    monkeypatch.setenv("HOME", "/nowhere")
    assert Settings().home_folder == Path("/nowhere/games")


def test_without_it_or_with_an_empty_one_the_system_says(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPAL_HOME", "")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert Settings().home_folder.name == "rulespal"
