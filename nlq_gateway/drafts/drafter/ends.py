"""The ends of schema items, by which the network tells which items follow one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from nlq_gateway.index.embedding import MiniLM
from nlq_gateway.neural import Array

# The commonest classes at an end; of a large graph's relations the others are odd ones.
_MOST = 4

# Classes with the number of facts, the commonest first.
End = Sequence[tuple[str, int]]


def end_vectors(ends: Iterable[tuple[End, End]], rows: Mapping[str, Array]) -> Array:
    """The mean vectors of both ends of each item, side by side: shape (items, 2 × width)."""
    found = [np.concatenate([_mean(one, rows) for one in pair]) for pair in ends]
    return np.array(found, np.float32).reshape(-1, 2 * MiniLM.dimensions)


def _mean(end: End, rows: Mapping[str, Array]) -> Array:
    """The mean of the classes' vectors, weighted by their facts; zeros where none is known."""
    known = [(rows[name], count) for name, count in end[:_MOST] if name in rows]
    total = sum(count for _, count in known)
    mean = np.zeros(MiniLM.dimensions, np.float32)
    for row, count in known if total else ():
        mean += row * np.float32(count / total)
    return mean
