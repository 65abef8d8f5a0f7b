"""Lists that are told one by one: "A has 5, B 5 and C none"."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from rulespal_chat.rules.phrases import Match

if TYPE_CHECKING:
    from collections.abc import Iterator

_HAS = r"(?:has |have |had |got |with |at |: |is |= |also |only )*"
_N = r"(?:\d+|none|nothing|no(?= [a-z]+ (?:[.,;!?]|and |$)))"
_NOUN = r"(?: (?!and )[a-z]+)?"
_NAMED = re.compile(
    rf"(?<= )(?:[a-z]+ )?{_HAS}\d+{_NOUN}"
    rf"(?: (?:[,;] (?:and )?|and )(?!other |rest |then |for )[a-z]+ {_HAS}{_N}{_NOUN})+ "
)
# "... and Carl doesn't have any": the list would lack a member.
_ONE_MORE = re.compile(
    r"(?:[,;] )?(?:(?:and|but|while) )?[a-z]+ (?:(?:has|have|had|got) )?"
    r"(?:doesnt|dont|didnt|hasnt|havent|isnt|none|nothing|no|zero|empty|not) "
)
_EACH = re.compile(
    rf"(?<= )(?P<count>[2-9]) (?:of us|of them|player|people) (?:each |all )?{_HAS}(?P<each>\d+) "
    r"(?:[a-z]+ )?(?:each )?"
    rf"(?:(?:[,;] )?(?:and |but )?(?:last|other|3rd|4th)(?: 1| player)? {_HAS}"
    r"(?P<last>\d+) )?"
)
_OTHERS = re.compile(
    rf"(?<= )(?P<first>\d+) (?:[a-z]+ )?(?:[,;] )?(?:(?:and|while|but) )?"
    rf"(?:other|others) (?P<count>\d+) (?:player |of them )?{_HAS}(?P<rest>\d+) "
)


def named_lists(form: str, longest: int) -> Iterator[Match]:
    """The lists that a text in plain form tells one by one.

    Args:
        form: the text.
        longest: the most members that a list has.
    """
    for found in _NAMED.finditer(form):
        told = re.findall(rf"(?<= ){_N}(?= )", f" {found[0]}")
        numbers = [int(n) if n.isdigit() else 0 for n in told]
        if _ONE_MORE.match(form, found.end()) is None:
            yield _listed(numbers, found)
    for found in _EACH.finditer(form):
        last = [int(found["last"])] if found["last"] else []
        yield _listed([*[int(found["each"])] * int(found["count"]), *last], found)
    for found in _OTHERS.finditer(form):
        count = min(int(found["count"]), longest)
        yield _listed([int(found["first"]), *[int(found["rest"])] * count], found)


def _listed(numbers: list[int], found: re.Match[str]) -> Match:
    return Match(found.start(), found.end(), None, tuple(numbers), found.span(), len(found[0]))
