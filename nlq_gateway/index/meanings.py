"""The most similar meanings: the vectors of a built index, read-only and shared by processes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from compilers.kopl.functions import NAMING_KINDS, SCHEMA_KINDS, Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.embedding import Embedder, Vectors
from nlq_gateway.index.errors import IndexDamaged
from nlq_gateway.index.manifest import SCHEMA_VECTORS
from nlq_gateway.index.vectors import NeighbourGraph, graph_file, schema_texts

_CANDIDATES_PER_HIT = 5


@dataclass(frozen=True, slots=True)
class NearItem:
    """A schema item by its position, with its nearest name and the cosine, at least 0."""

    number: int
    text: str
    score: float


class Meanings:
    """The vectors of a version. The schema's are mapped from a file; graphs are loaded on first use.

    `texts` are the schema's names as words, each with the item's position, `vectors` a row for each of
    them, zeros in a version without vectors.
    """

    def __init__(
        self, folder: Path, schema: Sequence[SchemaItem], embedder: Embedder | None, has_vectors: bool
    ) -> None:
        """Open the vectors in a version's folder, if it has some; raises IndexDamaged for broken ones."""
        self.texts = schema_texts(schema)
        self._embedder = embedder
        self._folder = folder
        self.vectors = self._load() if has_vectors else np.zeros((len(self.texts), 1), np.float32)
        self._rows_of_kind = _rows_of_kind(schema, self.texts)
        self._graphs = {
            kind: NeighbourGraph(file, self.vectors.shape[1])
            for kind in NAMING_KINDS
            if embedder is not None and (file := graph_file(folder, kind)).is_file()
        }

    def encode(self, texts: Sequence[str]) -> Vectors:
        """The vectors of texts; zeros without an embedder."""
        if self._embedder is None:
            return np.zeros((len(texts), self.vectors.shape[1]), np.float32)
        return self._embedder.encode(texts)

    def schema(self, kind: Kind, vectors: Vectors, limit: int) -> Iterator[tuple[NearItem, ...]]:
        """Yield for each vector the schema items of a kind with the nearest names, each once, best first."""
        for rows, scores in self._rows(kind, vectors, limit):
            found: dict[int, NearItem] = {}
            for row, score in zip(rows, scores, strict=True):
                position, text = self.texts[row]
                found.setdefault(position, NearItem(position, text, _as_score(score)))
                if len(found) == limit:
                    break
            yield tuple(found.values())

    def entities(self, vectors: Vectors, limit: int) -> list[list[tuple[int, float]]]:
        """Return for each vector the numbers of the entities with the nearest names, and their scores."""
        graph = self._graphs.get(Kind.ENTITY)
        if graph is None:
            return [[] for _ in vectors]
        numbers, scores = graph.search(vectors, limit)
        return [
            list(zip(row, map(_as_score, near), strict=True))
            for row, near in zip(numbers.tolist(), scores.tolist(), strict=True)
        ]

    def _rows(self, kind: Kind, vectors: Vectors, limit: int) -> Iterator[tuple[list[int], list[float]]]:
        """Rows of the schema's vectors with their scores, best first, for each vector.

        An item has several rows, so there are more rows than items wanted.
        """
        own = self._rows_of_kind[kind]
        if graph := self._graphs.get(kind):
            labels, scores = graph.search(vectors, _CANDIDATES_PER_HIT * limit)
            yield from zip(labels.tolist(), scores.tolist(), strict=True)
            return
        for scores in vectors @ self.vectors[own].T:
            order = np.argsort(-scores, kind="stable")
            yield (own.start + order).tolist(), scores[order].tolist()

    def _load(self) -> Vectors:
        """The schema's vectors, mapped from the file."""
        try:
            vectors: Vectors = np.load(self._folder / SCHEMA_VECTORS, mmap_mode="r")
        except (OSError, ValueError, EOFError) as error:
            raise IndexDamaged(
                f"{SCHEMA_VECTORS} of the index cannot be read.",
                place=self._folder,
                hint="Delete the folder and build the index again with `nlq index`.",
            ) from error
        if len(vectors) != len(self.texts):
            raise IndexDamaged(
                f"The index has {len(vectors)} vectors for {len(self.texts)} names.",
                place=self._folder,
                hint="Delete the folder and build the index again with `nlq index`.",
            )
        return vectors


def _rows_of_kind(schema: Sequence[SchemaItem], texts: Sequence[tuple[int, str]]) -> dict[Kind, slice]:
    """The rows of each kind; items, and so rows, are in order of kind."""
    ends = Counter(schema[position].kind for position, _ in texts)
    rows: dict[Kind, slice] = {}
    start = 0
    for kind in SCHEMA_KINDS:
        rows[kind] = slice(start, start + ends[kind])
        start += ends[kind]
    return rows


def _as_score(cosine: float) -> float:
    return min(1.0, max(0.0, cosine))
