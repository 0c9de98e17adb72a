"""The layers of an encoder, run by numpy or by onnxruntime."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from nlq_gateway.core.checkpoint import interruptible
from nlq_gateway.neural.graph import OnnxGraph
from nlq_gateway.neural.layers import HEADS, EncoderLayer, Run
from nlq_gateway.neural.processor import new_graph
from nlq_gateway.neural.session import Session, runtime
from nlq_gateway.neural.weights import Array, Weights

Stack = Callable[[Array, Sequence[Run]], Array]


@dataclass(frozen=True, slots=True, eq=False)
class NumpyStack:
    """Layers in numpy and float32."""

    layers: tuple[EncoderLayer, ...]

    @classmethod
    def of(cls, layers: Sequence[Weights]) -> NumpyStack:
        """The layers with these weights."""
        return cls(tuple(map(EncoderLayer.of, layers)))

    def __call__(self, states: Array, runs: Sequence[Run]) -> Array:
        """The states of tokens after the layers, shape (tokens, width)."""
        for layer in interruptible(self.layers):
            states = layer(states, runs)
        return states


@dataclass(frozen=True, slots=True, eq=False)
class OnnxStack:
    """Layers in onnxruntime. Texts of one length go through together, so that none is padded."""

    session: Session

    @classmethod
    def of(cls, layers: Sequence[Weights]) -> OnnxStack:
        """The layers with these weights."""
        return cls(Session(lambda: encoder_graph(layers)))

    def __call__(self, states: Array, runs: Sequence[Run]) -> Array:
        """The states of tokens after the layers, shape (tokens, width)."""
        found = np.empty_like(states)
        for run, length in interruptible(runs):
            texts = states[run].reshape(-1, length, states.shape[1])
            found[run] = self.session(["after"], {"before": texts})[0].reshape(-1, states.shape[1])
        return found


def stack_of(layers: Sequence[Weights]) -> Stack:
    """The layers with these weights, run by onnxruntime where it is installed."""
    return NumpyStack.of(layers) if runtime() is None else OnnxStack.of(layers)


def encoder_graph(layers: Sequence[Weights]) -> bytes:
    """The model of layers one above another, from `before` to `after`, shape (texts, tokens, width)."""
    graph = new_graph()
    shape = ("texts", "tokens", len(layers[0]["norm.weight"]))
    states = graph.input("before", shape)
    for layer in layers:
        states = _layer(graph, layer, states)
    graph.output(states, "after", shape)
    return graph.model()


def _layer(graph: OnnxGraph, weights: Weights, x: str) -> str:
    """What `EncoderLayer` computes."""
    query, key, value = (graph.linear(x, weights.under(f"{name}.")) for name in ("query", "key", "value"))
    attended = graph.contributed("MultiHeadAttention", query, key, value, num_heads=HEADS)
    mixed = graph.call("Add", graph.linear(attended, weights.under("mixed.")), x)
    x = graph.norm(mixed, weights.under("mixed_norm."))
    wide = graph.gelu(graph.linear(x, weights.under("wide.")))
    narrow = graph.call("Add", graph.linear(wide, weights.under("narrow.")), x)
    return graph.norm(narrow, weights.under("norm."))
