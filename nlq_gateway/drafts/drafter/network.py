"""The drafter's network: an encoder of the question and a decoder with pointers.

The encoder begins with the embedding model's own first layers, and reads the question together with the
labels of the schema items offered first, as RESDSQL does (Li et al. 2023). The decoder attends
to the question's tokens and to these items. Each decision is a word of the vocabulary, an end of a stretch of
the question (Vinyals et al., "Pointer Networks", 2015), or an item, which is compared with the tokens
attended to.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from nlq_gateway.drafts.drafter.decoder import DecisionCache, Decoder, NumpyDecoder, Pairs, Queries, TokenMaps
from nlq_gateway.drafts.drafter.onnx_decoder import OnnxDecoder
from nlq_gateway.neural import Array, Encoder, Linear, Norm, Text, Weights, means, runtime, shared_weights


@dataclass(frozen=True, slots=True, eq=False)
class Shelf:
    """The items of one schema, a row each: vectors, keys, inputs once chosen, and rows to offer them.

    `tokens` are those of the labels, with the end of a text.
    """

    vectors: Array
    keys: Array
    inputs: Array
    offers: Array
    tokens: Sequence[Text]


@dataclass(frozen=True, slots=True, eq=False)
class Memory:
    """The decoder's memory of one question: its tokens and the items offered first.

    `meanings` are the products of items' vectors with tokens' meanings, shape (tokens, items). `joint` and
    `joint_keys` are what reading them beside the question adds to inputs and keys of the `offered` items,
    a row each.
    """

    tokens: TokenMaps
    states: Array
    seen: Pairs
    shelf: Shelf
    meanings: Array
    offered: Sequence[int]
    joint: Array
    joint_keys: Array


@dataclass(frozen=True, eq=False)
class DecisionScores:
    """Scores for the next decision of each program, one row each; computed on demand."""

    queries: Queries
    memory: Memory

    @cached_property
    def words(self) -> Array:
        """Log-probabilities of the words."""
        return log_softmax(self.queries.to_word)

    @cached_property
    def firsts(self) -> Array:
        """Log-probabilities of the tokens that begin a stretch."""
        return log_softmax(_compared(self.queries.first_query, self.memory.tokens.first_key))

    @cached_property
    def lasts(self) -> Array:
        """Log-probabilities of the tokens that end a stretch."""
        return log_softmax(_compared(self.queries.last_query, self.memory.tokens.last_key))

    @cached_property
    def items(self) -> Array:
        """The scores of the items, for a softmax over those of one kind."""
        focus: Array = np.exp(log_softmax(_compared(self.queries.focus, self.memory.states)))
        scores = _compared(self.queries.item_query, self.memory.shelf.keys)
        scores += focus @ self.memory.meanings
        scores[:, self.memory.offered] += _compared(self.queries.item_query, self.memory.joint_keys)
        return scores


@dataclass(frozen=True, slots=True, eq=False)
class DrafterNetwork:
    """The whole network. Stateless: safe to share between threads."""

    encoder: Encoder
    decoder: Decoder
    token: Array
    position: Array
    kind: Array
    offer_norm: Norm
    linear: dict[str, Linear]

    @classmethod
    def of(cls, weights: Weights, shared: Weights) -> DrafterNetwork:
        """The network stored under these names; `shared` has the remaining layers of its encoder."""
        names = ("from_item", "offer", "item_key", "joint", "joint_key", "ends", "ends_key")
        return cls(
            Encoder.of(weights, shared),
            (NumpyDecoder if runtime() is None else OnnxDecoder).of(weights),
            weights["token.weight"],
            weights["position.weight"],
            weights["kind.weight"],
            Norm.of(weights.under("offer_norm.")),
            {name: Linear.of(weights.under(f"{name}.")) for name in names},
        )

    @property
    def longest(self) -> int:
        """The largest number of decisions of a program."""
        return len(self.position)

    def shelve(self, vectors: Array, kinds: NDArray[np.int64], ends: Array, tokens: Sequence[Text]) -> Shelf:
        """The rows computed once for a schema, from its labels' embeddings and tokens, kinds and ends."""
        own = self.kind[kinds] + self.linear["ends"](ends)
        return Shelf(
            vectors,
            self.linear["item_key"](vectors) + self.linear["ends_key"](ends),
            self.linear["from_item"](vectors) + own,
            self.linear["offer"](vectors) + own,
            tokens,
        )

    def read(self, ids: Text, shelf: Shelf, offered: Sequence[int]) -> Memory:
        """The decoder's memory for a question of these tokens, with these items of the shelf."""
        labels = [shelf.tokens[item] for item in offered]
        states = self.encoder([[*ids, *chain.from_iterable(labels)]])
        own, read = states[: len(ids)], means(states[len(ids) :], labels)
        joint = self.linear["joint"](read)
        tokens, seen = self.decoder.read(own, self.offer_norm(shelf.offers[offered] + joint))
        return Memory(
            tokens,
            own,
            seen,
            shelf,
            tokens.meaning @ shelf.vectors.T,
            offered,
            joint,
            self.linear["joint_key"](read),
        )

    def past(self) -> DecisionCache:
        """The empty cache of one program."""
        return self.decoder.past()

    def word_input(self, word: int) -> Array:
        """The decoder's input for a written word: shape (width,)."""
        row: Array = self.token[word]
        return row

    def pointed_input(self, memory: Memory, token: int, *, last: bool) -> Array:
        """The decoder's input for an end of a stretch: shape (width,)."""
        row: Array = (memory.tokens.from_last if last else memory.tokens.from_first)[token]
        return row

    def item_input(self, memory: Memory, item: int) -> Array:
        """The decoder's input for an item: shape (width,)."""
        row: Array = memory.shelf.inputs[item]
        return row + memory.joint[memory.offered.index(item)] if item in memory.offered else row

    def step(
        self, inputs: Array, past: DecisionCache, memory: Memory
    ) -> tuple[DecisionScores, DecisionCache]:
        """The scores for the next decision of each program, and the cache with the last decision."""
        queries, past = self.decoder.step(inputs + self.position[past.decisions], past, memory.seen)
        return DecisionScores(queries, memory), past


def _compared(queries: Array, keys: Array) -> Array:
    """Scaled products of queries and keys, shape (queries, keys)."""
    scores: Array = queries @ keys.T
    scores *= np.float32(queries.shape[-1] ** -0.5)
    return scores


def log_softmax(scores: Array) -> Array:
    """Scores as log-probabilities over the last axis."""
    lowered: Array = np.subtract(scores, scores.max(axis=-1, keepdims=True), dtype=np.float32)
    lowered -= np.log(np.exp(lowered).sum(axis=-1, keepdims=True))
    return lowered


@cache
def shared_network() -> DrafterNetwork | None:
    """The package's own network, loaded once per process; None if the model file has none."""
    weights = shared_weights().under("drafter.")
    if "token.weight" not in weights and "token.weight.scale" not in weights:
        return None
    return DrafterNetwork.of(weights, shared_weights())
