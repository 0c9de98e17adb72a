"""The drafter's decoder: attention to the decisions so far and to a memory, step by step, in numpy.

Vaswani et al., "Attention Is All You Need", 2017, with norms before each part. `onnx_decoder` is the same for
onnxruntime.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np

from nlq_gateway.neural import Array, Linear, Norm, Weights, gelu

HEADS = 6
_NORMS = ("norm_own", "norm_memory", "norm_inner")
_MAPS = "query key value mixed query2 key2 value2 mixed2 wide narrow".split()

# Keys and values, those of each layer one after the other: (programs or tokens and items, ..., size).
Pairs = tuple[Array, ...]


class DecisionCache(NamedTuple):
    """Keys and values of the decisions so far; the last axis but one is that of the decisions."""

    pairs: Pairs

    @property
    def decisions(self) -> int:
        """The number of decisions in the cache."""
        return int(self.pairs[0].shape[-2])

    def of(self, rows: Sequence[int]) -> DecisionCache:
        """The cache for a selection of the programs, in the given order."""
        return DecisionCache(tuple(one[rows] for one in self.pairs))


class TokenMaps(NamedTuple):
    """Images of the states of a question's tokens, shape (tokens, width)."""

    first_key: Array
    last_key: Array
    from_first: Array
    from_last: Array
    meaning: Array


class Queries(NamedTuple):
    """Images of the states of programs: the words' scores, and vectors for comparisons with other choices."""

    to_word: Array
    first_query: Array
    last_query: Array
    focus: Array
    item_query: Array


class Decoder(Protocol):
    """The layers, and the maps on both sides of them. Safe to share between threads."""

    def read(self, states: Array, offers: Array) -> tuple[TokenMaps, Pairs]:
        """The images of tokens' states, and keys and values of tokens and items for `step` to attend to."""

    def past(self) -> DecisionCache:
        """The empty cache of one program."""

    def step(self, inputs: Array, past: DecisionCache, seen: Pairs) -> tuple[Queries, DecisionCache]:
        """The queries of each program for its next decision, and the cache with the last decision."""


@dataclass(frozen=True, slots=True, eq=False)
class DecoderLayer:
    """Attention to the decisions so far, attention to the memory, and a widening."""

    norm_own: Norm
    norm_memory: Norm
    norm_inner: Norm
    query: Linear
    key: Linear
    value: Linear
    mixed: Linear
    query2: Linear
    key2: Linear
    value2: Linear
    mixed2: Linear
    wide: Linear
    narrow: Linear

    @classmethod
    def of(cls, weights: Weights) -> DecoderLayer:
        """The layer whose parts are stored under their names here."""
        norms = {name: Norm.of(weights.under(f"{name}.")) for name in _NORMS}
        maps = {name: Linear.of(weights.under(f"{name}.")) for name in _MAPS}
        return cls(**norms, **maps)  # type: ignore[arg-type]

    def __call__(self, x: Array, own: Pairs, seen: Pairs) -> tuple[Array, Pairs]:
        """The next states of programs, and their keys and values with this decision."""
        y = self.norm_own(x)
        keys = np.concatenate([own[0], self.key(y)[:, None]], 1)
        values = np.concatenate([own[1], self.value(y)[:, None]], 1)
        x = x + self.mixed(_look(self.query(y), keys, values))
        y = self.norm_memory(x)
        x = x + self.mixed2(_look(self.query2(y), seen[0][None], seen[1][None]))
        return x + self.narrow(gelu(self.wide(self.norm_inner(x)))), (keys, values)


@dataclass(frozen=True, slots=True, eq=False)
class NumpyDecoder:
    """The decoder in numpy and float32."""

    layers: tuple[DecoderLayer, ...]
    final_norm: Norm
    maps: dict[str, Linear]

    @classmethod
    def of(cls, weights: Weights) -> NumpyDecoder:
        """The decoder whose tensors are stored under their names here."""
        maps = {name: Linear.of(weights.under(f"{name}.")) for name in (*TokenMaps._fields, *Queries._fields)}
        layers = tuple(map(DecoderLayer.of, weights.under("decoder.").numbered()))
        return cls(layers, Norm.of(weights.under("final_norm.")), maps)

    def read(self, states: Array, offers: Array) -> tuple[TokenMaps, Pairs]:
        """See Decoder."""
        seen = np.concatenate([states, offers])
        pairs = tuple(one(seen) for layer in self.layers for one in (layer.key2, layer.value2))
        return TokenMaps(*(self.maps[name](states) for name in TokenMaps._fields)), pairs

    def past(self) -> DecisionCache:
        """See Decoder."""
        empty = np.empty((1, 0, len(self.final_norm.weight)), np.float32)
        return DecisionCache((empty, empty) * len(self.layers))

    def step(self, inputs: Array, past: DecisionCache, seen: Pairs) -> tuple[Queries, DecisionCache]:
        """See Decoder."""
        x, pairs = inputs, list[Array]()
        for number, layer in enumerate(self.layers):
            pair = slice(2 * number, 2 * number + 2)
            x, more = layer(x, past.pairs[pair], seen[pair])
            pairs += more
        x = self.final_norm(x)
        return Queries(*(self.maps[name](x) for name in Queries._fields)), DecisionCache(tuple(pairs))


def _look(query: Array, keys: Array, values: Array) -> Array:
    """Attention of one query per program to its keys, shape (programs or 1, keys, width)."""
    programs, width = query.shape
    q = query.reshape(programs, HEADS, 1, -1)
    k, v = (x.reshape(len(x), x.shape[1], HEADS, -1).swapaxes(1, 2) for x in (keys, values))
    scores = (q @ k.swapaxes(2, 3)) * np.float32((width // HEADS) ** -0.5)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    scores /= scores.sum(axis=-1, keepdims=True)
    return np.asarray(scores @ v, np.float32).reshape(programs, width)
