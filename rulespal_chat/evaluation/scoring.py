"""What an answer is worth, score by score, against the gold of its question.

The measures of retrieval are those of ir-measures, with one question as a run of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rulespal_chat.answer.checking import own_sentences
from rulespal_chat.answer.citing import marked
from rulespal_chat.evaluation.checking import passes
from rulespal_chat.evaluation.model import SILENT, Place
from rulespal_chat.evaluation.perturbing import perturbed
from rulespal_chat.rules.results import Verdict
from rulespal_chat.types import QUOTES, Status

if TYPE_CHECKING:
    from rulespal_chat.evaluation.model import EvalQuestion, Numeric
    from rulespal_chat.rules.engine import Engine
    from rulespal_chat.rules.results import Check, Computed
    from rulespal_chat.types import Answer, Citation, Library, Retrieved

Scores = dict[str, float | None]

# Beside these, "STEP_ms" of each step that the answer timed, and "total_ms".
SCORES = {
    "hit@1": "the section retrieved first is gold",
    "hit@3": "a gold section is among the first three",
    "hit@5": "a gold section is among the first five",
    "all_gold@5": "all sections needed together are among the first five, or one that is enough",
    "rr@10": "1 / the rank of the first gold section, 0 below the tenth",
    "correct": "the text passes the check under a fitting status, or silence is right",
    "citation_precision": "share of the citations whose section is gold",
    "citation_recall": "a gold section is cited; of those needed together, the share",
    "evidence": "the quotes alone pass the check",
    "quotes_not_verbatim": "citations whose quote isn't the book's, or isn't in the text",
    "abstained": "silence, or part of an answer that says rightly what the book leaves open",
    "should_abstain": "the books have no answer; none where silence is one of the right answers",
    "wrongly_refused": "silence although the books answer",
    "wrongly_answered": "an answer although the books have none",
    "numeric_exact": "the values are computed as gold has them, or the text passes the check",
    "agreed_wrongly": "a check agrees with a value that gold contradicts",
    "false_alarms": "share of sentences with the right value that the engine doesn't agree with",
    "false_passes": "share of sentences with a value off by one that it doesn't contradict",
    "words": "in the text",
    "model_wrote": "the chat model's own sentences are shown; none where none was asked",
    "own_words_correct": "these sentences alone pass the check",
    "removed_sentences": "of the chat model, as the quotes don't say them",
    "repairs": "how often the chat model was asked to write its answer again",
    "input_tokens": "that the chat model read",
    "output_tokens": "that it wrote",
}
_MODEL = (
    "model_wrote",
    "own_words_correct",
    "removed_sentences",
    "repairs",
    "input_tokens",
    "output_tokens",
)
_RETRIEVAL = ("hit@1", "hit@3", "hit@5", "all_gold@5", "rr@10")


class Scorer:
    """Scores answers about the books of a library.

    Args:
        library: whose statements are what may be quoted.
        engine: computes and checks its rules.
    """

    def __init__(self, library: Library, engine: Engine) -> None:
        self._engine = engine
        self._quotable = {
            Place(book.id, section.name): {statement.text for statement in section.statements}
            for book in library.books
            for section in book.sections
        }

    def __call__(self, question: EvalQuestion, answer: Answer) -> Scores:
        """All of `SCORES` and the times in milliseconds; None where a score doesn't apply."""
        passed = passes(answer.text, question)
        return {
            **_retrieval(question, answer),
            **_silence(question, answer, passed),
            **_citing(question, answer),
            "quotes_not_verbatim": float(
                sum(not self._is_verbatim(citation, answer) for citation in answer.citations)
            ),
            **_numbers(question, answer, passed),
            **perturbed(question.numeric, self._engine),
            "words": float(len(answer.text.split())),
            **_model(question, answer),
            **{f"{step}_ms": spent for step, spent in answer.timings_ms},
        }

    def _is_verbatim(self, citation: Citation, answer: Answer) -> bool:
        """Whether the book has the quote, and so has the text."""
        of_section = self._quotable.get(Place(citation.game, citation.section), set())
        shown = marked(citation.quote, citation.mark) in answer.text
        return citation.quote in of_section and shown


def gold_places(question: EvalQuestion) -> tuple[Place, ...]:
    """The sections that hold the answer, or a part of it, each once."""
    return tuple(dict.fromkeys((*question.sections, *question.sections_all)))


def documents(question: EvalQuestion) -> dict[str, int]:
    """The gold sections as relevance judgements: document names with 1."""
    return {_document(place): 1 for place in gold_places(question)}


def ranked(retrieved: tuple[Retrieved, ...]) -> dict[str, float]:
    """What was retrieved as a run: document names, each once, with 1 / rank.

    The scores themselves won't do: the tools behind ir-measures break ties by the documents' names,
    each in its own way, not by the order in which the sections are shown.
    """
    distinct = dict.fromkeys(map(_document, retrieved))
    return {document: 1 / rank for rank, document in enumerate(distinct, start=1)}


def _document(place: Place | Retrieved) -> str:
    return f"{place.game} {place.section}"


def _retrieval(question: EvalQuestion, answer: Answer) -> Scores:
    """Success@1/3/5 and RR@10 over all gold, R@5 over what is needed together."""
    gold = documents(question)
    if not gold:
        return dict.fromkeys(_RETRIEVAL)
    from ir_measures import RR, R, Success, iter_calc

    run = {"": ranked(answer.retrieved)}
    measures = (Success @ 1, Success @ 3, Success @ 5, RR @ 10)
    got = {str(m.measure): float(m.value) for m in iter_calc(measures, {"": gold}, run)}
    together = {_document(place): 1 for place in question.sections_all}
    shares = [float(m.value) for m in iter_calc([R @ 5], {"": together}, run)] if together else []
    all_gold = float(shares == [1.0]) if together else got["Success@5"]
    hits = {f"hit@{k}": got[f"Success@{k}"] for k in (1, 3, 5)}
    return {**hits, "all_gold@5": all_gold, "rr@10": got["RR@10"]}


def _silence(question: EvalQuestion, answer: Answer, passed: bool) -> Scores:
    """Whether the answer is right, and right to be one at all."""
    says_silent = answer.status in SILENT
    accepted = answer.status in question.statuses
    if question.has_answer:
        silence_is_right = not SILENT.isdisjoint(question.statuses)
        fits = accepted or answer.status.says_something
        return {
            "correct": float(passed and fits),
            "abstained": float(says_silent),
            "should_abstain": None if silence_is_right else 0.0,
            "wrongly_refused": float(says_silent and not accepted),
            "wrongly_answered": None,
        }
    abstained = says_silent or (answer.status is Status.PARTLY and passed)
    return {
        "correct": float(abstained or (passed and accepted)),
        "abstained": float(abstained),
        "should_abstain": 1.0,
        "wrongly_refused": None,
        "wrongly_answered": float(answer.status.says_something and not abstained),
    }


def _citing(question: EvalQuestion, answer: Answer) -> Scores:
    gold = set(gold_places(question))
    cited = [Place(citation.game, citation.section) for citation in answer.citations]
    quotes = "\n".join(citation.quote for citation in answer.citations)
    return {
        "citation_precision": _share([c in gold for c in cited]) if gold else None,
        "citation_recall": _recall(question, set(cited)) if gold else None,
        "evidence": float(passes(quotes, question)) if quotes and question.has_answer else None,
    }


def _recall(question: EvalQuestion, cited: set[Place]) -> float | None:
    if question.sections_all:
        return _share([place in cited for place in question.sections_all])
    return float(not cited.isdisjoint(question.sections))


def _numbers(question: EvalQuestion, answer: Answer, passed: bool) -> Scores:
    if not question.numeric:
        return {"numeric_exact": None, "agreed_wrongly": None}
    exact = all(any(_gives(c, gold) for c in answer.computed) for gold in question.numeric)
    wrong = any(_is_wrong(check, gold) for check in answer.checks for gold in question.numeric)
    return {"numeric_exact": float(passed or exact), "agreed_wrongly": float(wrong)}


def _gives(computed: Computed, gold: Numeric) -> bool:
    """Whether it is the gold value; what a question backwards asks for stands in the text only."""
    if gold.inverse or (computed.rule, computed.output) != (gold.rule, gold.output):
        return False
    if gold.possible:
        return computed.possible == gold.possible
    return computed.is_determined and computed.value == gold.result


def _is_wrong(check: Check, gold: Numeric) -> bool:
    """Whether the check agrees with what the gold value contradicts."""
    same = (check.right.rule, check.claim.output) == (gold.rule, gold.output)
    if not same or gold.inverse or gold.result is None:
        return False
    return check.verdict is Verdict.AGREES and not check.claim.holds(gold.result)


def _model(question: EvalQuestion, answer: Answer) -> Scores:
    """What a chat model did for the answer, if one was asked."""
    use = answer.model
    if use is None:
        return dict.fromkeys(_MODEL)
    wrote = answer.writer != QUOTES
    own = "\n".join(own_sentences(answer.text, answer.citations))
    return {
        "model_wrote": float(wrote),
        "own_words_correct": float(passes(own, question))
        if wrote and question.has_answer
        else None,
        "removed_sentences": float(len(use.removed)),
        "repairs": float(use.repairs),
        "input_tokens": None if use.input_tokens is None else float(use.input_tokens),
        "output_tokens": None if use.output_tokens is None else float(use.output_tokens),
    }


def _share(hits: list[bool]) -> float | None:
    return sum(hits) / len(hits) if hits else None
