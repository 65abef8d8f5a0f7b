"""Whether an answer's text passes the check of a question. evals/README.md says how it is meant."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rulespal_chat.evaluation.model import EvalQuestion

_NUMBER_WORDS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"
).split()
_WHOLE_WORDS = frozenset({*_NUMBER_WORDS, "yes", "no", "not", "can", "may", "own", "over", "only"})


def passes(text: str, question: EvalQuestion) -> bool:
    """Whether the text has one alternative of each required group and none that is forbidden.

    Capitals, emphasis and the marks of citations don't count. An alternative may stand anywhere in
    the text; one that is a number, or a short word such as "no", has to stand there as a whole.
    """
    plain = _plain(text)
    return all(
        any(_has(plain, alternative) for alternative in group) for group in question.must_include
    ) and not any(_has(plain, forbidden) for forbidden in question.must_not_include)


def _plain(text: str) -> str:
    """Without marks and emphasis, in small letters, ended so that a bare "No" matches "no."."""
    unmarked = re.sub(r"\s*\[\d+\]", "", re.sub(r"[*_`]", "", text)).strip()
    return f"{unmarked}.".lower().replace("’", "'").replace("‘", "'")


def _has(plain: str, alternative: str) -> bool:
    wanted = alternative.lower()
    bare = wanted.strip()
    if re.fullmatch(r"\d+(?:\.\d+)?", bare):
        return re.search(rf"(?<![\d.,]){re.escape(bare)}(?!\d|[.,]\d)", plain) is not None
    if bare in _WHOLE_WORDS:
        return re.search(rf"\b{bare}\b", plain) is not None
    return wanted in plain
