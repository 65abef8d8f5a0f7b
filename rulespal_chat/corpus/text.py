"""Text from a book made safe to show: what could fool a terminal or a reader's eye is out."""

from __future__ import annotations

import re
import shlex

# C0 and C1 controls but tab and line feed, marks that turn the writing direction, and characters
# without a width other than the joiners that emoji and several scripts need.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f"
    "\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f]"
)
_NEWLINE = re.compile("\r\n?")


def clean(text: str) -> str:
    """The text without control, escape and invisible characters; every line end is a line feed."""
    return _UNSAFE.sub("", _NEWLINE.sub("\n", text))


def one_line(text: str) -> str:
    """The text cleaned, with each run of white space made one space."""
    return " ".join(clean(text).split())


def quoted(text: str) -> str:
    """The text as one word of a shell command, as a person would quote it."""
    return shlex.quote(text) if re.search(r'["$`\\!]', text) else f'"{text}"'
