"""Vectors on disk: the schema's in one array, each large kind's in a graph of near neighbours."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import hnswlib
import numpy as np
from numpy.typing import NDArray

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.embedding import Embedder, Vectors
from nlq_gateway.index.errors import IndexDamaged
from nlq_gateway.index.text import humanise

EXACT_ROWS = 4096
# Large enough that many texts of a piece have one length, which makes them cheap to encode.
_PIECE = 2048
_THREADS = min(4, os.cpu_count() or 1)
_NEIGHBOURS = 16
_BUILD_WIDTH = 100
_SEARCH_WIDTH = 64


def schema_texts(schema: Iterable[SchemaItem]) -> tuple[tuple[int, str], ...]:
    """One row per label or alias: the item's position and the words; also the rows of `schema.npy`."""
    return tuple(
        (position, text)
        for position, item in enumerate(schema)
        for text in dict.fromkeys(humanise(name) for name in (item.label, *item.aliases))
    )


def encode_pieces(
    embedder: Embedder, texts: Sequence[str], progress: Callable[[int, int], None]
) -> Iterator[tuple[NDArray[np.int64], Vectors]]:
    """The numbers of texts and a row for each, piece by piece and in order.

    Threads encode the next pieces while the caller uses one: both work outside Python's lock.
    """
    starts = range(0, len(texts), _PIECE)
    with ThreadPoolExecutor(_THREADS) as threads:
        encoded = threads.map(lambda start: embedder.encode(texts[start : start + _PIECE]), starts)
        for start, vectors in zip(starts, encoded, strict=True):
            yield np.arange(start, start + len(vectors), dtype=np.int64), vectors
            progress(start + len(vectors), len(texts))


def graph_file(folder: Path, kind: Kind) -> Path:
    """The file of the neighbour graph of a kind."""
    return folder / f"vectors-{kind}.hnsw"


def save_graph(
    folder: Path, kind: Kind, pieces: Iterable[tuple[NDArray[np.int64], Vectors]], size: int, dimensions: int
) -> None:
    """Write the neighbour graph of one kind (Malkov and Yashunin, 2018) from numbered rows.

    One thread adds them, in their order, so that the graph is deterministic.
    """
    graph = hnswlib.Index(space="ip", dim=dimensions)
    graph.init_index(max_elements=size, ef_construction=_BUILD_WIDTH, M=_NEIGHBOURS, random_seed=7)
    for labels, vectors in pieces:
        graph.add_items(vectors, labels, num_threads=1)
    graph.save_index(str(graph_file(folder, kind)))


class NeighbourGraph:
    """The neighbour graph of one kind, loaded on first use; safe to share between threads."""

    def __init__(self, file: Path, dimensions: int) -> None:
        self._file = file
        self._dimensions = dimensions
        self._lock = threading.Lock()
        self._graph: hnswlib.Index | None = None

    def search(self, vectors: Vectors, limit: int) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """Labels and cosine similarities of the nearest, each of shape (rows, up to limit).

        Raises:
            IndexDamaged: when the file is missing or is no neighbour graph.
        """
        graph = self._loaded()
        limit = min(limit, graph.get_current_count())
        labels, distances = graph.knn_query(vectors, k=limit, num_threads=1)
        return labels.astype(np.int64), 1 - distances

    def _loaded(self) -> hnswlib.Index:
        with self._lock:
            if self._graph is None:
                graph = hnswlib.Index(space="ip", dim=self._dimensions)
                try:
                    graph.load_index(str(self._file))
                except RuntimeError as error:
                    raise IndexDamaged(
                        f"{self._file.name} of the index cannot be read.",
                        place=self._file.parent,
                        hint="Build the index again with `nlq index`.",
                    ) from error
                graph.set_ef(_SEARCH_WIDTH)
                self._graph = graph
            return self._graph
