"""What else could answer: searches to compare the product with, each as an asker.

- recipe: what tutorials build. Pieces of 1,000 characters that overlap by 200, cut by a recursive
  splitter without regard to headings; vectors of all-MiniLM-L6-v2 in LangChain; the four nearest.
- bm25: the product's words alone; whole sections.
- dense: the product's vectors of passages alone; whole sections.

None of them knows when to be silent, none cites: an answer is the text that was found. Of a
dialogue they are asked all lines at once.
"""

from __future__ import annotations

import re
import time
from typing import TYPE_CHECKING

from rulespal_chat.errors import EvaluationError
from rulespal_chat.search.passages import passages
from rulespal_chat.types import Answer, Retrieved, Status

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from langchain_core.documents import Document

    from rulespal_chat.evaluation.model import EvalQuestion
    from rulespal_chat.search.index import Index
    from rulespal_chat.types import Rulebook, Section

    Place = tuple[Rulebook, Section]
    Found = tuple[str, tuple[Retrieved, ...]]  # the text, and where it stands
    Search = Callable[[str], Found]

NAMES = ("recipe", "bm25", "dense")
CHUNK, OVERLAP = 1000, 200  # characters
TOP = 4  # pieces or sections that make an answer
_RETRIEVED = 10
_BATCH = 32  # pieces embedded at once


def asker(name: str, index: Index) -> Callable[[EvalQuestion], Answer]:
    """An asker by its name, one of `NAMES`.

    Args:
        name: of the baseline.
        index: an open index, whose books are searched; dense uses its vectors too.

    Raises:
        KeyError: there is no such baseline.
        EvaluationError: a package that it needs isn't installed.
        IndexBuildError: the model of the recipe can't be loaded.
        OSError: a book's file can't be read.
    """
    search = {"recipe": _recipe, "bm25": _bm25, "dense": _dense}[name](index)
    return lambda question: _answer(name, question, search)


def _answer(name: str, question: EvalQuestion, search: Search) -> Answer:
    asked = " ".join((*question.turns, question.question))
    started = time.perf_counter()
    text, retrieved = search(asked)
    spent = (time.perf_counter() - started) * 1000
    return Answer(
        question=question.question,
        understood=asked,
        status=Status.ANSWERED,
        text=text,
        game=retrieved[0].game if retrieved else None,
        roles=(),
        citations=(),
        question_back=None,
        pointers=(),
        not_covered=None,
        notes=(),
        dropped=0,
        writer=name,
        retrieved=retrieved,
        timings_ms=(("search", spent), ("total", spent)),
    )


def _bm25(index: Index) -> Search:
    from rulespal_chat.search.lexical import LexicalIndex, Stems

    stems, cut = Stems(), [p for book in index.library.books for p in passages(book)]
    words = LexicalIndex([stems(passage.embedded) for passage in cut])
    places = _places(index)

    def search(text: str) -> Found:
        scores = words.scores(stems(text)).tolist()
        return _found(places, zip((p.section for p in cut), scores, strict=True))

    return search


def _dense(index: Index) -> Search:
    from rulespal_chat.search.store import PASSAGES

    places = _places(index)

    def search(text: str) -> Found:
        vector = index.embedder.encode([text]).vectors[0]
        near = index.store.nearest(PASSAGES, vector, len(places))
        return _found(places, ((i.rpartition("@")[0], score) for i, score in near.items()))

    return search


def _recipe(index: Index) -> Search:
    from langchain_core.vectorstores import InMemoryVectorStore

    from rulespal_chat.evaluation.minilm import packaged_model
    from rulespal_chat.search.embedders import SentenceTransformerEmbedder
    from rulespal_chat.search.langchain import EmbedderEmbeddings

    pieces = [piece for book in index.library.books for piece in _pieces(book)]
    embedder = SentenceTransformerEmbedder(str(packaged_model()))
    store = InMemoryVectorStore(EmbedderEmbeddings(embedder))
    for start in range(0, len(pieces), _BATCH):
        store.add_documents(pieces[start : start + _BATCH])

    def search(text: str) -> Found:
        near = store.similarity_search_with_score(text, k=TOP)
        pages = [document.page_content for document, _ in near]
        return "\n\n".join(pages), _retrieved_by_pieces(near)

    return search


def _pieces(book: Rulebook) -> list[Document]:
    """A book's file cut by the recipe; each piece knows its sections, that of most of it first."""
    try:
        from langchain_text_splitters import RecursiveCharacterTextSplitter
    except ImportError:
        raise EvaluationError(
            "The recipe needs langchain-text-splitters, which isn't installed",
            "pip install 'rulespal-chat[eval]'",
        ) from None
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=CHUNK, chunk_overlap=OVERLAP, add_start_index=True
    )
    text = book.source.read_text(encoding="utf-8")
    pieces = splitter.create_documents([text])
    spans = _spans(book, text)
    for piece in pieces:
        begin = int(piece.metadata["start_index"])
        sections = _sections(text, spans, begin, begin + len(piece.page_content))
        piece.metadata = {"game": book.id, "sections": sections}
    return pieces


def _spans(book: Rulebook, text: str) -> list[tuple[str, int, int]]:
    """Each section's name, the character with which its heading begins, and where it ends."""
    lines = [0, *(found.end() for found in re.finditer("\n", text))]
    begins = [lines[section.lines[0] - 1] for section in book.sections]
    names = [section.name for section in book.sections]
    return list(zip(names, begins, [*begins[1:], len(text)], strict=True))


def _sections(text: str, spans: Iterable[tuple[str, int, int]], begin: int, end: int) -> list[str]:
    """The sections that a piece, from one character to another, has text of; most text first."""
    sizes = {
        name: len(text[max(begin, first) : min(end, last)].strip()) for name, first, last in spans
    }
    return sorted((name for name, size in sizes.items() if size), key=lambda name: -sizes[name])


def _retrieved_by_pieces(near: Iterable[tuple[Document, float]]) -> tuple[Retrieved, ...]:
    """First the section that each piece is mostly of, then the others that pieces reach into."""
    near = list(near)
    ranked: dict[tuple[str, str], float] = {}
    for part in (slice(0, 1), slice(1, None)):
        for document, score in near:
            for section in document.metadata["sections"][part]:
                ranked.setdefault((document.metadata["game"], section), _clipped(score))
    kept = list(ranked.items())[:_RETRIEVED]
    return tuple(Retrieved(game, section, score) for (game, section), score in kept)


def _places(index: Index) -> dict[str, Place]:
    return {s.id: (book, s) for book in index.library.books for s in book.sections}


def _found(places: Mapping[str, Place], scored: Iterable[tuple[str, float]]) -> Found:
    """The best sections by the best score of their passages, and the text of the first ones."""
    best: dict[str, float] = {}
    for section, score in scored:
        best[section] = max(score, best.get(section, 0.0))
    ranked = sorted(best.items(), key=lambda entry: -entry[1])[:_RETRIEVED]
    text = "\n\n".join(_text(places[section][1]) for section, _ in ranked[:TOP])
    return text, tuple(
        Retrieved(places[section][0].id, places[section][1].name, _clipped(score))
        for section, score in ranked
    )


def _text(section: Section) -> str:
    return "\n".join([section.name, *(s.text for s in section.statements)])


def _clipped(score: float) -> float:
    return round(min(1.0, max(0.0, score)), 4)
