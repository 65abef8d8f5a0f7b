"""From scored rows to figures: means and quantiles, each with n and an interval."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from rulespal_chat.evaluation.model import Figure
from rulespal_chat.types import Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from rulespal_chat.evaluation.model import EvalQuestion, Row

    Statistic = Callable[..., object]

# The name of each mean, and the score that it is the mean of.
MEANS = {
    "hit@1": "hit@1",
    "hit@3": "hit@3",
    "hit@5": "hit@5",
    "all_gold@5": "all_gold@5",
    "mrr@10": "rr@10",
    "correct": "correct",
    "citation_precision": "citation_precision",
    "citation_recall": "citation_recall",
    "evidence": "evidence",
    "quotes_not_verbatim": "quotes_not_verbatim",
    "wrongly_refused": "wrongly_refused",
    "wrongly_answered": "wrongly_answered",
    "numeric_exact": "numeric_exact",
    "agreed_wrongly": "agreed_wrongly",
    "false_alarms": "false_alarms",
    "false_passes": "false_passes",
    "words": "words",
    "model_wrote": "model_wrote",
    "own_words_correct": "own_words_correct",
    "removed_sentences": "removed_sentences",
    "repairs": "repairs",
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
}
# Means of one score over the rows where another is 1.
OF_THOSE = {
    "abstention_precision": ("should_abstain", "abstained"),
    "abstention_recall": ("abstained", "should_abstain"),
}
QUANTILES = {"p50": 0.5, "p95": 0.95}
RESAMPLES = 1000
SEVERAL_BOOKS = "several"  # what a question is asked of that is of no one book
_TIME = "_ms"  # ends the names of scores that are times
_TOTAL = f"total{_TIME}"
_SEED = 20_240_229
_CONFIDENCE = 0.95
_LABELS: dict[str, Callable[[EvalQuestion], str | None]] = {
    "book": lambda question: question.game or SEVERAL_BOOKS,
    "kind": lambda question: question.kind,
    "role": lambda question: question.role,
    "difficulty": lambda question: question.difficulty,
}


def figures(rows: Sequence[Row]) -> tuple[Figure, ...]:
    """Every metric over all rows, and by book, kind, role and difficulty.

    A metric that applies to no row of a part has no figure there. How long answers took, in
    milliseconds, is "latency_p50", "latency_p95" and "latency_max"; that of a step, as in
    "latency_search_p50", is given over all rows only.
    """
    steps = dict.fromkeys(name for row in rows for name in row.scores if name.endswith(_TIME))
    found = [*_of_part("all", rows), *_times("all", rows, tuple(steps))]
    for label, part in _parts(rows):
        found += [*_of_part(label, part), *_times(label, part, (_TOTAL,))]
    return tuple(found)


def risk_coverage(rows: Sequence[Row]) -> tuple[tuple[float, float], ...]:
    """The risk-coverage curve of answering only what one is sure of.

    Coverage is the share of all questions that are answered, risk the share of wrong ones among
    these. Answers are added from the surest down, equally sure ones together; the last point is
    where the product stands, since what it leaves unanswered is never added. As confidence stands
    the score of the section that was retrieved first: it is the same scale for every writer.

    Source: R. El-Yaniv and Y. Wiener, "On the foundations of noise-free selective classification",
    Journal of Machine Learning Research 11 (2010).

    Returns:
        (coverage, risk), both 0 to 1, coverage ascending; empty if nothing was answered.
    """
    answered = sorted(filter(_says_something, rows), key=confidence, reverse=True)
    points: list[tuple[float, float]] = []
    wrong = 0
    for done, row in enumerate(answered, start=1):
        wrong += not row.scores["correct"]
        if done == len(answered) or confidence(answered[done]) < confidence(row):
            points.append((done / len(rows), wrong / done))
    return tuple(points)


def confidence(row: Row) -> float:
    """The score of the section retrieved first, 0 to 1; 0 if there is none."""
    retrieved = row.answer["retrieved"]
    return float(retrieved[0]["score"]) if retrieved else 0.0


def _says_something(row: Row) -> bool:
    return Status(row.status).says_something


def _parts(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """The rows of each book, kind, role and difficulty, named as figures name them."""
    for what, label in _LABELS.items():
        parts: dict[str, list[Row]] = {}
        for row in rows:
            if (name := label(row.question)) is not None:
                parts.setdefault(name, []).append(row)
        yield from ((f"{what}: {name}", part) for name, part in sorted(parts.items()))


def _of_part(label: str, rows: Sequence[Row]) -> Iterator[Figure]:
    import numpy as np

    for name, score in MEANS.items():
        yield from _figure(name, label, _values(rows, score), np.mean)
    for name, (score, condition) in OF_THOSE.items():
        those = [row for row in rows if row.scores[condition] == 1]
        yield from _figure(name, label, _values(those, score), np.mean)


def _times(label: str, rows: Sequence[Row], steps: Sequence[str]) -> Iterator[Figure]:
    import numpy as np

    for step in steps:
        spent = _values(rows, step)
        metric = "latency" if step == _TOTAL else f"latency_{step.removesuffix(_TIME)}"
        for name, share in QUANTILES.items():
            quantile = partial(np.quantile, q=share)
            yield from _figure(f"{metric}_{name}", label, spent, quantile)
        if spent:  # resampling says nothing of how far the longest may go
            most = max(spent)
            yield Figure(f"{metric}_max", label, most, most, most, len(spent))


def _values(rows: Sequence[Row], score: str) -> list[float]:
    values = (row.scores.get(score) for row in rows)
    return [value for value in values if value is not None]


def _figure(
    name: str, label: str, values: Sequence[float], statistic: Statistic
) -> Iterator[Figure]:
    if not values:
        return
    low, high = interval(values, statistic)
    yield Figure(name, label, float(str(statistic(values))), low, high, len(values))


def interval(values: Sequence[float], statistic: Statistic) -> tuple[float, float]:
    """The 95 % percentile bootstrap interval, the same at each call.

    The percentile one, since BCa isn't defined for values that are all the same: theirs is a point,
    as is that of a single value, and n tells how little that says.

    Args:
        values: at least one.
        statistic: takes values along `axis`, as numpy's functions do.
    """
    if len(set(values)) == 1:
        return values[0], values[0]
    import numpy as np
    from scipy.stats import bootstrap

    found = bootstrap(
        (np.asarray(values),),
        statistic,
        n_resamples=RESAMPLES,
        vectorized=True,
        confidence_level=_CONFIDENCE,
        method="percentile",
        rng=np.random.default_rng(_SEED),
    ).confidence_interval
    return float(found.low), float(found.high)
