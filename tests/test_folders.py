"""A folder that takes long to fill is there whole or not at all."""

from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from rulespal_chat.folders import UNFINISHED, built_folder, remove_unfinished

if TYPE_CHECKING:
    from pathlib import Path


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_folder_gets_its_name_once_it_is_filled(tmp_path: Path) -> None:
    with built_folder(tmp_path / "index") as building:
        (building / "vectors").write_text("1 2 3")
        assert not (tmp_path / "index").exists()
    assert names(tmp_path) == ["index"]
    assert (tmp_path / "index" / "vectors").read_text() == "1 2 3"


def test_folders_above_it_are_made(tmp_path: Path) -> None:
    with built_folder(tmp_path / "a" / "b" / "index"):
        pass
    assert names(tmp_path / "a" / "b") == ["index"]


@pytest.mark.parametrize("error", [ValueError, OSError, KeyboardInterrupt])
def test_an_error_leaves_nothing(tmp_path: Path, error: type[BaseException]) -> None:
    def fill() -> None:
        with built_folder(tmp_path / "index") as building:
            (building / "half").write_text("")
            raise error

    with pytest.raises(error):
        fill()
    assert names(tmp_path) == []


def test_an_error_leaves_an_older_folder_as_it_is(tmp_path: Path) -> None:
    old = tmp_path / "index"
    old.mkdir()
    (old / "old").write_text("")

    def fill() -> None:
        with built_folder(old):
            raise KeyError

    with pytest.raises(KeyError):
        fill()
    assert names(tmp_path) == ["index"]
    assert names(old) == ["old"]


def test_of_two_builders_the_slower_one_throws_its_own_away(tmp_path: Path) -> None:
    with built_folder(tmp_path / "index") as slow:
        with built_folder(tmp_path / "index") as fast:
            assert fast != slow
            (fast / "fast").write_text("")
        (slow / "slow").write_text("")
    assert names(tmp_path) == ["index"]
    assert names(tmp_path / "index") == ["fast"]


def test_a_file_in_its_place_is_an_error_and_stays(tmp_path: Path) -> None:
    (tmp_path / "index").write_text("mine")

    def fill() -> None:
        with built_folder(tmp_path / "index"):
            pass

    with pytest.raises(OSError, match="index"):
        fill()
    assert names(tmp_path) == ["index"]
    assert (tmp_path / "index").read_text() == "mine"


def test_what_killed_builders_left_is_removed_and_nothing_else(tmp_path: Path) -> None:
    for name in (f"{UNFINISHED}a", f"{UNFINISHED}b", "index", ".hidden"):
        (tmp_path / name / "inside").mkdir(parents=True)
        two_hours_ago = time.time() - 7200
        os.utime(tmp_path / name, (two_hours_ago, two_hours_ago))
    (tmp_path / f"{UNFINISHED}now").mkdir()
    remove_unfinished(tmp_path)
    assert names(tmp_path) == [".hidden", f"{UNFINISHED}now", "index"]
    assert names(tmp_path / "index") == ["inside"]


def test_a_folder_being_built_goes_by_the_unfinished_name(tmp_path: Path) -> None:
    with built_folder(tmp_path / "index") as building:
        assert building.parent == tmp_path
        assert building.name.startswith(UNFINISHED)


def test_where_there_is_no_folder_nothing_is_left_to_remove(tmp_path: Path) -> None:
    remove_unfinished(tmp_path / "nowhere")
    assert names(tmp_path) == []
