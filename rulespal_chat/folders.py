"""Folders that are there whole or not at all."""

from __future__ import annotations

import shutil
import tempfile
import time
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

UNFINISHED = ".unfinished-"
_LONGEST_BUILD = 3600  # seconds


@contextmanager
def built_folder(folder: Path) -> Iterator[Path]:
    """A new folder to fill, which gets its name once the block has ended without an error.

    It is renamed in one step: nobody ever sees half of it, there is nothing to lock, and of two
    who build it at once the slower one throws its own away.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    building = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=folder.parent))
    try:
        yield building
        try:
            building.rename(folder)
        except OSError:
            if not folder.is_dir():
                raise
    finally:
        shutil.rmtree(building, ignore_errors=True)


def remove_unfinished(parent: Path) -> None:
    """Removes what killed builders have left in the folder, not what is being built."""
    for left in parent.glob(f"{UNFINISHED}*"):
        with suppress(FileNotFoundError):  # it was finished just now
            if time.time() - left.stat().st_mtime > _LONGEST_BUILD:
                shutil.rmtree(left, ignore_errors=True)
