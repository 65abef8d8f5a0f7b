"""A book back to Markdown."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rulespal_chat.corpus.parser import parse_rulebook
from rulespal_chat.corpus.renderer import escape, render_rulebook, render_section

if TYPE_CHECKING:
    from rulespal_chat.types import Rulebook


def test_a_section_is_rendered_as_a_writer_would_write_it(toads: Rulebook) -> None:
    assert (
        "\n".join(render_section(section) for section in toads.sections[1:4])
        == """\
### How to Win

- The Witch wins with 3 Toads.
  - A Toad in the Well counts as 2 Toads.
- **Example:** With 1 Toad in the Well and 1 on her board, the Witch wins.

> **Unclear:** The book does not say whether a golden Toad is a Toad.

### 1\\) Brew

The Witch draws as many cards as the Moon allows \\[MOON\\].

| Moon | Cards | Bonus |
| --- | --- | --- |
| New | 1 |  |
| Full | 3 | 1 Toad |

#### Stir

- The Witch may stir once.
"""
    )


def test_the_front_matter_survives(toads: Rulebook) -> None:
    again = parse_rulebook(render_rulebook(toads), Path("again.md"))
    for field in ("id", "title", "aliases", "kind", "base_game", "chapters"):
        assert getattr(again, field) == getattr(toads, field)


@pytest.mark.parametrize(
    ("text", "markdown"),
    [
        ("7 + the number of players", "7 + the number of players"),
        ("1. First", "1\\. First"),
        ("2) Second", "2\\) Second"),
        ("-Any 2 Roles- vs. Ghoul", "\\-Any 2 Roles- vs. Ghoul"),
        ("a_b *c* | d <e> # f & g", "a\\_b \\*c\\* \\| d \\<e\\> \\# f \\& g"),
    ],
)
def test_only_what_markdown_would_misread_is_escaped(text: str, markdown: str) -> None:
    assert escape(text) == markdown
