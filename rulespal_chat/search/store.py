"""The vectors, in Chroma. The only module that knows Chroma."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from rulespal_chat.errors import IndexBuildError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    import numpy as np
    from chromadb.api.client import Client
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

PASSAGES = "passages"
STATEMENTS = "statements"
# Rulebooks are small: neighbours are searched so widely that the search is exact.
_CONFIGURATION = {
    "hnsw": {"space": "cosine", "ef_construction": 400, "ef_search": 2000, "max_neighbors": 48}
}
_BATCH = 1000


class Store:
    """Passages and statements with their vectors, in a folder of their own.

    Args:
        folder: of a store that `Store.create` made.

    Raises:
        IndexBuildError: there is no such store.
    """

    def __init__(self, folder: Path) -> None:
        if not (folder / "chroma.sqlite3").is_file():  # Chroma would make an empty one
            raise IndexBuildError(f"{folder} has no search index", "rulespal index --rebuild")
        try:
            client = _client(folder)
            self._collections = {
                name: client.get_collection(name, embedding_function=None)
                for name in (PASSAGES, STATEMENTS)
            }
        except Exception as error:  # Chroma's own errors have no common base
            raise IndexBuildError.broken(folder, type(error).__name__) from None
        self._folder = folder
        self._counts: dict[str, int] = {}  # an index never changes, and Chroma takes a while

    @staticmethod
    def create(folder: Path, metadata: Mapping[str, str]) -> StoreWriter:
        """A new store to be filled; the metadata says what it was made of."""
        return StoreWriter(folder, metadata)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the collections."""
        return tuple(self._collections)

    def metadata(self) -> dict[str, str]:
        """What the store was made of."""
        return {k: str(v) for k, v in (self._collections[PASSAGES].metadata or {}).items()}

    def count(self, collection: str) -> int:
        """How many passages or statements there are."""
        if collection not in self._counts:
            self._counts[collection] = self._collections[collection].count()
        return self._counts[collection]

    def nearest(
        self, collection: str, vector: Vectors, most: int, games: Sequence[str] | None = None
    ) -> dict[str, float]:
        """The cosine similarity, 0 to 1, of what lies nearest to a vector, by id, nearest first.

        Args:
            collection: `PASSAGES` or `STATEMENTS`.
            vector: of shape (dimensions,).
            most: how many at most.
            games: the ids of the games that it is restricted to; None for all, which is faster.

        Raises:
            IndexBuildError: the store is broken.
        """
        where: dict[str, Any] | None = None if games is None else {"game": {"$in": list(games)}}
        try:
            found = self._collections[collection].query(
                query_embeddings=[vector.tolist()],
                n_results=max(1, min(most, self.count(collection))),
                where=where,
                include=["distances"],
            )
        except Exception as error:  # as above
            raise IndexBuildError.broken(self._folder, type(error).__name__) from None
        ids, distances = found["ids"][0], (found["distances"] or [[]])[0]
        # A cosine can come out a hair beyond its range.
        return {i: min(1.0, max(0.0, 1.0 - d)) for i, d in zip(ids, distances, strict=True)}


class StoreWriter:
    """Fills a new store; `close` it before its folder is renamed."""

    def __init__(self, folder: Path, metadata: Mapping[str, str]) -> None:
        self._client = _client(folder)
        self._collections = {
            name: self._client.create_collection(
                name,
                configuration=_CONFIGURATION,  # type: ignore[arg-type]  # a TypedDict of many keys
                metadata=dict(metadata),
                embedding_function=None,
            )
            for name in (PASSAGES, STATEMENTS)
        }

    def add(
        self,
        collection: str,
        ids: Sequence[str],
        vectors: Vectors,
        texts: Sequence[str],
        metadatas: Sequence[Mapping[str, str]],
    ) -> None:
        """Adds rows; ids must be new."""
        for start in range(0, len(ids), _BATCH):
            part = slice(start, start + _BATCH)
            self._collections[collection].add(
                ids=list(ids[part]),
                embeddings=vectors[part],
                documents=list(texts[part]),
                metadatas=[dict(m) for m in metadatas[part]],
            )

    def close(self) -> None:
        """Writes everything out and lets go of the folder."""
        self._client.close()


def _client(folder: Path) -> Client:
    import chromadb
    from chromadb.config import Settings

    settings = Settings(anonymized_telemetry=False, allow_reset=False)
    return cast("Client", chromadb.PersistentClient(str(folder), settings=settings))
