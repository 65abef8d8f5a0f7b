"""The search in LangChain's terms, for those who build on it. Imported late: it takes a while."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun  # noqa: TC002  (pydantic)
from langchain_core.documents import Document
from langchain_core.embeddings import Embeddings
from langchain_core.retrievers import BaseRetriever

if TYPE_CHECKING:
    from rulespal_chat.search.embedders import Embedder
    from rulespal_chat.types import Passage


class EmbedderEmbeddings(Embeddings):
    """An embedder as LangChain's `Embeddings`.

    Args:
        embedder: of RulesPal.
    """

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """One vector for each text."""
        return [[float(x) for x in row] for row in self._embedder.encode(texts).vectors]

    def embed_query(self, text: str) -> list[float]:
        """The vector of one text."""
        return self.embed_documents([text])[0]


class RulesPalRetriever(BaseRetriever):
    """RulesPal's hybrid search as a LangChain retriever of sections.

    Attributes:
        rulespal: an open `RulesPal`.
        game: the name of the game that is searched; None for all.
        k: how many sections.
    """

    rulespal: Any
    game: str | None = None
    k: int = 5

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: CallbackManagerForRetrieverRun,  # noqa: ARG002
    ) -> list[Document]:
        return [
            Document(
                id=found.section.id,
                page_content="\n".join(s.text for s in found.section.statements),
                metadata={
                    "game": found.book.id,
                    "section": found.section.name,
                    "score": found.score,
                    "lines": list(found.section.lines),
                },
            )
            for found in self.rulespal.search(query, game=self.game, top=self.k)
        ]


def passage_document(passage: Passage) -> Document:
    """A passage as a document, as Chroma holds it."""
    metadata = {"game": passage.game, "section": passage.section, "path": passage.heading}
    return Document(id=passage.id, page_content=passage.embedded, metadata=metadata)
