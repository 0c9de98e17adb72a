"""The layers of an encoder, run by numpy or by onnxruntime."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from nlq_gateway.core.checkpoint import interruptible
from nlq_gateway.neural.layers import HEADS, EncoderLayer, Run
from nlq_gateway.neural.processor import new_graph
from nlq_gateway.neural.products import LinearGraph
from nlq_gateway.neural.session import Session, runtime
from nlq_gateway.neural.weights import Array, Weights


class Stack(Protocol):
    """Layers one above another."""

    def __call__(self, states: Array, runs: Sequence[Run], /) -> Array:
        """The states of the tokens in some runs after the layers, shape (tokens, width).

        A stack made for first tokens returns those of each text's first token, shape (texts, width).
        """
        ...


class Stacking(Protocol):
    """Makes a stack."""

    def __call__(self, layers: Sequence[Weights], /, *, firsts: bool = False) -> Stack:
        """The layers with these weights; with `firsts` the last has each text's first token alone."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class NumpyStack:
    """Layers in numpy and float32."""

    layers: tuple[EncoderLayer, ...]
    firsts: bool

    @classmethod
    def of(cls, layers: Sequence[Weights], *, firsts: bool = False) -> NumpyStack:
        """See `Stacking`."""
        return cls(tuple(map(EncoderLayer.of, layers)), firsts)

    def __call__(self, states: Array, runs: Sequence[Run]) -> Array:
        """See `Stack`."""
        *below, last = self.layers
        for layer in interruptible(below):
            states = layer(states, runs)
        return last.firsts(states, runs) if self.firsts else last(states, runs)


@dataclass(frozen=True, slots=True, eq=False)
class OnnxStack:
    """Layers in onnxruntime. Texts of one length go through together, so that none is padded."""

    session: Session

    @classmethod
    def of(cls, layers: Sequence[Weights], *, firsts: bool = False) -> OnnxStack:
        """See `Stacking`."""
        return cls(Session(lambda: encoder_graph(layers, firsts=firsts)))

    def __call__(self, states: Array, runs: Sequence[Run]) -> Array:
        """See `Stack`."""
        width = states.shape[1]
        found = [
            self.session(["after"], {"before": states[run].reshape(-1, length, width)})[0].reshape(-1, width)
            for run, length in interruptible(runs)
        ]
        return np.concatenate(found)


def stack_of(layers: Sequence[Weights], *, firsts: bool = False) -> Stack:
    """The layers with these weights, run by onnxruntime if it is installed; see `Stacking`."""
    return (NumpyStack if runtime() is None else OnnxStack).of(layers, firsts=firsts)


def encoder_graph(layers: Sequence[Weights], *, firsts: bool) -> bytes:
    """The model of layers one above another, from `before` to `after`, shape (texts, tokens, width).

    With `firsts`, `after` has one token.
    """
    graph = new_graph()
    width = len(layers[0]["norm.weight"])
    before = graph.input("before", ("texts", "tokens", width))
    shape = graph.call("Shape", before)
    states = graph.call("Reshape", before, graph.constant(np.array([-1, width])))
    for number, layer in enumerate(layers, 1):
        first = firsts and number == len(layers)
        states = _layer(graph, layer, states, shape, width, first=first)
    texts = graph.call("Slice", shape, *(graph.constant(np.array([at])) for at in (0, 1)))
    after = graph.call("Concat", texts, graph.constant(np.array([-1, width])), axis=0)
    graph.output(graph.call("Reshape", states, after), "after", ("texts", "left", width))
    return graph.model()


def _layer(graph: LinearGraph, weights: Weights, x: str, shape: str, width: int, *, first: bool) -> str:
    """The graph of an `EncoderLayer`, for the first token alone or for all; `x` is a matrix of states."""

    def mapped(name: str, rows: str) -> str:
        return graph.linear(rows, weights.under(f"{name}."))

    def by_text(rows: str) -> str:
        return graph.call("Reshape", rows, shape)

    flat = graph.constant(np.array([-1, width]))
    names = ("key", "value") if first else ("key", "value", "query")
    key, value, *own = map(by_text, graph.linears(x, [weights.under(f"{name}.") for name in names]))
    if first:
        x = graph.call("Gather", by_text(x), graph.constant(np.array(0)), axis=1)
        own = [graph.call("Unsqueeze", mapped("query", x), graph.constant(np.array([1])))]
    query = own[0]
    attended = graph.contributed("MultiHeadAttention", query, key, value, num_heads=HEADS)
    mixed = graph.call("Add", mapped("mixed", graph.call("Reshape", attended, flat)), x)
    x = graph.norm(mixed, weights.under("mixed_norm."))
    wide = graph.gelu(mapped("wide", x))
    return graph.norm(graph.call("Add", mapped("narrow", wide), x), weights.under("norm."))
