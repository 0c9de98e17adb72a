"""The drafter's decoder in onnxruntime, equivalent to `NumpyDecoder`."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np

from nlq_gateway.drafts.drafter.decoder import HEADS, DecisionCache, Pairs, Queries, TokenMaps
from nlq_gateway.neural import Array, LinearGraph, Session, Weights, new_graph


@dataclass(frozen=True, slots=True, eq=False)
class OnnxDecoder:
    """The decoder in onnxruntime: a session for the memory, and one for a step."""

    reading: Session
    stepping: Session
    layers: int
    width: int

    @classmethod
    def of(cls, weights: Weights) -> OnnxDecoder:
        """The decoder whose tensors are stored under their names here."""
        layers = len(list(weights.under("decoder.").numbered()))
        width = len(weights["final_norm.weight"])
        return cls(
            Session(lambda: reading_graph(weights, width)),
            Session(lambda: stepping_graph(weights, width)),
            layers,
            width,
        )

    def read(self, states: Array, offers: Array) -> tuple[TokenMaps, Pairs]:
        """See Decoder."""
        outputs = (*TokenMaps._fields, *_pairs("seen", self.layers))
        found = self.reading(outputs, {"states": states, "offers": offers})
        maps = len(TokenMaps._fields)
        return TokenMaps(*found[:maps]), tuple(one[None] for one in found[maps:])

    def past(self) -> DecisionCache:
        """See Decoder."""
        empty = np.empty((1, HEADS, 0, self.width // HEADS), np.float32)
        return DecisionCache((empty, empty) * self.layers)

    def step(self, inputs: Array, past: DecisionCache, seen: Pairs) -> tuple[Queries, DecisionCache]:
        """See Decoder."""
        given = dict(zip(_pairs("past", self.layers), past.pairs, strict=True))
        given |= dict(zip(_pairs("seen", self.layers), seen, strict=True))
        outputs = (*Queries._fields, *_pairs("next", self.layers))
        found = self.stepping(outputs, {"inputs": inputs[:, None], **given})
        queries = len(Queries._fields)
        return Queries(*(one[:, 0] for one in found[:queries])), DecisionCache(tuple(found[queries:]))


def _pairs(name: str, layers: int) -> list[str]:
    """The names of keys and values, those of each layer one after the other."""
    return list(chain.from_iterable(_pair(name, layer) for layer in range(layers)))


def _pair(name: str, layer: int) -> tuple[str, str]:
    return f"{name}.{layer}.keys", f"{name}.{layer}.values"


def reading_graph(weights: Weights, width: int) -> bytes:
    """Return the graph from `states` and `offers` to the token maps, and to keys and values of both."""
    graph = new_graph()
    states = graph.input("states", ("tokens", width))
    seen = graph.call("Concat", states, graph.input("offers", ("items", width)), axis=0)
    for name in TokenMaps._fields:
        graph.output(graph.linear(states, weights.under(f"{name}.")), name, ("tokens", width))
    for number, layer in enumerate(weights.under("decoder.").numbered()):
        for part, name in zip(("key2.", "value2."), _pair("seen", number), strict=True):
            graph.output(graph.linear(seen, layer.under(part)), name, ("both", width))
    return graph.model()


def stepping_graph(weights: Weights, width: int) -> bytes:
    """Return the graph from `inputs`, past and seen keys and values to the queries, next keys and values."""
    graph = new_graph()
    states = graph.input("inputs", ("programs", 1, width))
    for number, layer in enumerate(weights.under("decoder.").numbered()):
        states = _layer(graph, layer, number, states, width)
    states = graph.norm(states, weights.under("final_norm."))
    for name in Queries._fields:
        outputs = len(weights[f"{name}.bias"])
        graph.output(graph.linear(states, weights.under(f"{name}.")), name, ("programs", 1, outputs))
    return graph.model()


def _layer(graph: LinearGraph, weights: Weights, number: int, x: str, width: int) -> str:
    """The graph of a `DecoderLayer`."""

    def mapped(name: str, value: str) -> str:
        return graph.linear(value, weights.under(f"{name}."))

    def normed(name: str) -> str:
        return graph.norm(x, weights.under(f"{name}."))

    own = normed("norm_own")
    parts = graph.linears(own, [weights.under(f"{name}.") for name in ("query", "key", "value")])
    attended = _look_back(graph, number, parts, width)
    x = graph.call("Add", x, mapped("mixed", attended))
    attended = _look_around(graph, number, mapped("query2", normed("norm_memory")), width)
    x = graph.call("Add", x, mapped("mixed2", attended))
    wide = graph.gelu(mapped("wide", normed("norm_inner")))
    return graph.call("Add", x, mapped("narrow", wide))


def _look_back(graph: LinearGraph, number: int, parts: list[str], width: int) -> str:
    """Attention of each program to its own decisions."""
    shape = ("programs", HEADS, "decisions", width // HEADS)
    past = [graph.input(name, shape) for name in _pair("past", number)]
    query, key, value = parts
    attended, *pair = graph.calls(
        "MultiHeadAttention", 3, query, key, value, "", "", "", *past, num_heads=HEADS
    )
    for name, one in zip(_pair("next", number), pair, strict=True):
        graph.output(one, name, ("programs", HEADS, "written", width // HEADS))
    return attended


def _look_around(graph: LinearGraph, number: int, query: str, width: int) -> str:
    """Attention of the programs, as if they were tokens of one text, to the shared memory."""
    seen = [graph.input(name, (1, "both", width)) for name in _pair("seen", number)]
    row, column = (graph.constant(np.array(shape)) for shape in ((1, -1, width), (-1, 1, width)))
    programs = graph.call("Reshape", query, row)
    attended = graph.contributed("MultiHeadAttention", programs, *seen, num_heads=HEADS)
    return graph.call("Reshape", attended, column)
