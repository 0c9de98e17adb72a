"""A test of the processor's multiplication of bytes."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from nlq_gateway.neural.products import BLOCK, EXACT, LinearGraph
from nlq_gateway.neural.session import Session
from nlq_gateway.neural.weights import SCALE, Weights

_LARGEST = 127
_ROWS = (1, 8)
_TOLERANCE = 0.01


@cache
def multiplies_bytes() -> bool:
    """True if products of the largest bytes are right; without VNNI, sums in 16 bits may overflow."""
    tensors: dict[str, NDArray[Any]] = {
        "weight": np.full((8, 4 * BLOCK), _LARGEST, np.int8),
        "weight" + SCALE: np.ones(8, np.float32),
        "bias": np.zeros(8, np.float32),
    }
    return _is_right(tensors) and _is_right(tensors | {EXACT: np.zeros(0, np.int64)})


def _is_right(tensors: dict[str, NDArray[Any]]) -> bool:
    session = Session(lambda: _product(Weights(tensors)))
    expected = float(_LARGEST * 4 * BLOCK)
    return all(
        bool(np.abs(session(["y"], {"x": x})[0] / expected - sign).max() < _TOLERANCE)
        for rows in _ROWS
        for sign in (1, -1)
        for x in [np.full((rows, 4 * BLOCK), sign, np.float32)]
    )


def new_graph() -> LinearGraph:
    """An empty graph, which multiplies in float32 if the processor fails to multiply bytes."""
    return LinearGraph(int8=multiplies_bytes())


def _product(weights: Weights) -> bytes:
    graph = LinearGraph()
    x = graph.input("x", ("rows", 4 * BLOCK))
    graph.output(graph.linear(x, weights), "y", ("rows", len(weights["bias"])))
    return graph.model()
