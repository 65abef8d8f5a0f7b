"""Rule files that were read and found sound, kept as JSON: YAML takes longer to read than to prove.

What is kept is the plain data of the file with the lines of its rules, under the hash of its text.
It is proved against the book again each time; a file with a problem is read anew, for the lines.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from rulespal_chat.rules.plain_yaml import Document

if TYPE_CHECKING:
    from rulespal_chat.rules.plain_yaml import Path as Place

_FORMAT = 2


class DocumentCache:
    """Keeps the data of one rule file.

    Args:
        folder: where it is kept; it need not exist.
        game: the id of the game.
    """

    def __init__(self, folder: Path, game: str) -> None:
        self._file = folder / f"rules-{game}.json"

    def get(self, text: str) -> Document | None:
        """The data of a file with this text, if it was kept; its lines are those of the rules."""
        try:
            kept = json.loads(self._file.read_bytes())
            if kept["of"] != _key(text):
                return None
            lines: dict[Place, int] = {("rules", n): line for n, line in enumerate(kept["lines"])}
        except (OSError, ValueError, KeyError, TypeError):  # none, or not what we wrote
            return None
        return Document(kept["data"], lines)

    def put(self, text: str, document: Document) -> None:
        """Keeps the data of a file, if the folder can be written."""
        count = len(document.data["rules"]) if "rules" in document.data else 0
        lines = [document.line(("rules", n)) for n in range(count)]
        kept = {"of": _key(text), "lines": lines, "data": document.data}
        with suppress(OSError):
            handle, name = tempfile.mkstemp(dir=self._file.parent, suffix=".json")
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(kept, file)
            Path(name).replace(self._file)


def _key(text: str) -> str:
    return hashlib.sha256(f"{_FORMAT}\n{text}".encode()).hexdigest()
