"""The text encoder that parts of the gateway share: tokens to states (Devlin et al., "BERT", 2019)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, groupby

import numpy as np

from nlq_gateway.checkpoint import interruptible
from nlq_gateway.neural.layers import EncoderLayer, Norm, Run
from nlq_gateway.neural.weights import Array, Rows, Weights, shared_weights


@dataclass(frozen=True, slots=True, eq=False)
class TokenEmbedding:
    """Tokens to the states that the first layer takes; `places` has a row for each place in a text."""

    words: Rows
    places: Array
    norm: Norm

    @classmethod
    def of(cls, weights: Weights) -> TokenEmbedding:
        """The embedding that is stored as `words`, `places` and `norm`."""
        return cls(weights.rows("words"), weights["places"], Norm.of(weights.under("norm.")))

    def __call__(self, texts: Sequence[Sequence[int]]) -> Array:
        """The states of all texts' tokens one after another, shape (tokens, width)."""
        places = np.concatenate([self.places[: len(text)] for text in texts])
        return self.norm(self.words[list(chain.from_iterable(texts))] + places)


@dataclass(frozen=True, slots=True, eq=False)
class Encoder:
    """An embedding of tokens and the layers above it."""

    embedding: TokenEmbedding
    layers: tuple[EncoderLayer, ...]

    @classmethod
    def of(cls, weights: Weights) -> Encoder:
        """The encoder whose layers are stored as `encoder.0.`, `encoder.1.` and so on."""
        layers = tuple(map(EncoderLayer.of, weights.under("encoder.").numbered()))
        return cls(TokenEmbedding.of(weights), layers)

    def __call__(self, texts: Sequence[Sequence[int]], layers: int | None = None) -> Array:
        """The states of all texts' tokens one after another, after so many layers; None is all of them.

        Texts of one length that follow one another are the cheapest.
        """
        return run_layers(self.embedding(texts), self.layers[:layers], runs_of(texts))


def run_layers(states: Array, layers: Sequence[EncoderLayer], runs: Sequence[Run]) -> Array:
    """The states of tokens after these layers."""
    for layer in interruptible(layers):
        states = layer(states, runs)
    return states


def runs_of(texts: Sequence[Sequence[int]]) -> tuple[Run, ...]:
    """Stretches of tokens that hold texts of one length, with that length."""
    return tuple(_runs(map(len, texts)))


def _runs(lengths: Iterator[int]) -> Iterator[Run]:
    start = 0
    for length, group in groupby(lengths):
        end = start + length * sum(1 for _ in group)
        yield slice(start, end), length
        start = end


@cache
def shared_encoder() -> Encoder:
    """The package's own encoder, all-MiniLM-L6-v2, loaded once per process; raises ModelDamaged."""
    return Encoder.of(shared_weights())
