"""The drafter's network in numpy: an encoder of the question and a decoder with pointers.

The encoder begins with the embedding model's own first layers. The decoder (Vaswani et al., "Attention Is All
You Need", 2017, with norms before each part) looks at the question's tokens and at the schema items offered
first. Each decision is a word of its own, an end of a stretch of the question (Vinyals et al., "Pointer
Networks", 2015), or an item, which is compared with what it looks at in the question.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from nlq_gateway.neural import (
    Array,
    Encoder,
    Linear,
    Norm,
    Weights,
    gelu,
    shared_weights,
)

HEADS = 6
_NORMS = ("norm_own", "norm_memory", "norm_inner")
_MAPS = "query key value mixed query2 key2 value2 mixed2 wide narrow".split()


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """The items of one schema, a row each: vectors, keys, what stands for one chosen, and one offered."""

    vectors: Array
    keys: Array
    inputs: Array
    offers: Array


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """What the decoder looks at for one question: the states of its tokens, and the items offered first.

    `keys` and `values` are of both, for each layer; `first` and `last` find the ends of stretches.
    """

    states: Array
    keys: tuple[Array, ...]
    values: tuple[Array, ...]
    first: Array
    last: Array
    shelf: Shelf


@dataclass(frozen=True, slots=True, eq=False)
class DecoderLayer:
    """Attention to what is written, attention to the memory, and a widening."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Past:
    """Keys and values of the decisions so far, for each layer: shape (layers, programs, decisions, width)."""

    keys: Array
    values: Array

    def of(self, rows: Sequence[int]) -> Past:
        """The same for some of the programs, in another order."""
        return Past(self.keys[:, rows], self.values[:, rows])


@dataclass(frozen=True, slots=True, eq=False)
class Network:
    """The whole network. Stateless: safe to share between threads."""

    encoder: Encoder
    decoder: tuple[DecoderLayer, ...]
    token: Array
    position: Array
    kind: Array
    final_norm: Norm
    offer_norm: Norm
    linear: dict[str, Linear]

    @classmethod
    def of(cls, weights: Weights, shared: Weights) -> Network:
        """The network whose tensors are stored under their names here; `shared` has its encoder's others."""
        names = (
            "from_first from_last from_item offer to_word first_query first_key last_query last_key"
            " item_query item_key focus meaning"
        ).split()
        return cls(
            Encoder.of(weights, shared),
            tuple(map(DecoderLayer.of, weights.under("decoder.").numbered())),
            weights["token.weight"],
            weights["position.weight"],
            weights["kind.weight"],
            Norm.of(weights.under("final_norm.")),
            Norm.of(weights.under("offer_norm.")),
            {name: Linear.of(weights.under(f"{name}.")) for name in names},
        )

    @property
    def longest(self) -> int:
        """How many decisions a program may take."""
        return len(self.position)

    def shelve(self, vectors: Array, kinds: NDArray[np.int64]) -> Shelf:
        """What is computed once for a schema: its labels' embeddings, and the numbers of its items' kinds."""
        kind_rows = self.kind[kinds]
        return Shelf(
            vectors,
            self.linear["item_key"](vectors),
            self.linear["from_item"](vectors) + kind_rows,
            self.offer_norm(self.linear["offer"](vectors) + kind_rows),
        )

    def read(self, ids: Sequence[int], shelf: Shelf, offered: Sequence[int] | NDArray[np.int64]) -> Memory:
        """What the decoder looks at for a question of these tokens, with these items of the shelf."""
        states = self.encoder([ids])
        seen = np.concatenate([states, shelf.offers[offered]])
        return Memory(
            states,
            tuple(layer.key2(seen) for layer in self.decoder),
            tuple(layer.value2(seen) for layer in self.decoder),
            self.linear["first_key"](states),
            self.linear["last_key"](states),
            shelf,
        )

    def past(self) -> Past:
        """Of one program with nothing written."""
        empty = np.empty((len(self.decoder), 1, 0, self.token.shape[1]), np.float32)
        return Past(empty, empty)

    def word_input(self, word: int) -> Array:
        """What stands for a word that was written: shape (width,)."""
        row: Array = self.token[word]
        return row

    def pointed_input(self, memory: Memory, token: int, *, last: bool) -> Array:
        """What stands for an end of a stretch: shape (width,)."""
        rows = self.linear["from_last" if last else "from_first"](memory.states[token : token + 1])
        found: Array = rows[0]
        return found

    def step(self, inputs: Array, past: Past, memory: Memory) -> tuple[Array, Past]:
        """The decoder's states for the next decision of each program, shape (programs, width)."""
        x = inputs + self.position[past.keys.shape[2]]
        keys, values = [], []
        for number, layer in enumerate(self.decoder):
            y = layer.norm_own(x)
            own = np.concatenate([past.keys[number], layer.key(y)[:, None]], 1)
            own_values = np.concatenate([past.values[number], layer.value(y)[:, None]], 1)
            keys.append(own)
            values.append(own_values)
            x = x + layer.mixed(_look(layer.query(y), own, own_values))
            y = layer.norm_memory(x)
            seen = _look(layer.query2(y), memory.keys[number][None], memory.values[number][None])
            x = x + layer.mixed2(seen)
            x = x + layer.narrow(gelu(layer.wide(layer.norm_inner(x))))
        return self.final_norm(x), Past(np.stack(keys), np.stack(values))

    def words(self, x: Array) -> Array:
        """Log-probabilities of the words, shape (programs, words)."""
        return log_softmax(self.linear["to_word"](x))

    def firsts(self, x: Array, memory: Memory) -> Array:
        """Log-probabilities of where a stretch begins, shape (programs, tokens)."""
        return log_softmax(self.linear["first_query"](x) @ memory.first.T * _scale(x))

    def lasts(self, x: Array, memory: Memory) -> Array:
        """Log-probabilities of where a stretch ends, shape (programs, tokens)."""
        return log_softmax(self.linear["last_query"](x) @ memory.last.T * _scale(x))

    def item_scores(self, x: Array, memory: Memory) -> Array:
        """How well each item suits, shape (programs, items): the softmax of those of one kind is meant."""
        focus: Array = np.exp(log_softmax(self.linear["focus"](x) @ memory.states.T * _scale(x)))
        meant = self.linear["meaning"](focus @ memory.states)
        scores: Array = self.linear["item_query"](x) @ memory.shelf.keys.T * _scale(x)
        scores += meant @ memory.shelf.vectors.T
        return scores


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


def _scale(x: Array) -> np.float32:
    return np.float32(x.shape[-1] ** -0.5)


def log_softmax(scores: Array) -> Array:
    """Scores as log-probabilities over the last axis."""
    lowered: Array = np.subtract(scores, scores.max(axis=-1, keepdims=True), dtype=np.float32)
    lowered -= np.log(np.exp(lowered).sum(axis=-1, keepdims=True))
    return lowered


@cache
def shared_network() -> Network | None:
    """The package's own network, loaded once per process; None where the model file has none."""
    weights = shared_weights().under("drafter.")
    if "token.weight" not in weights and "token.weight.scale" not in weights:
        return None
    return Network.of(weights, shared_weights())
