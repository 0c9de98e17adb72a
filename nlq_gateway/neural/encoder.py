"""The text encoders of the package: tokens to states (Devlin et al., "BERT", 2019)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import chain, groupby

import numpy as np

from nlq_gateway.neural.layers import Norm, Run
from nlq_gateway.neural.stack import Stack, Stacking, stack_of
from nlq_gateway.neural.weights import Array, StoredMatrix, Weights, shared_weights

_BATCH_TOKENS = 512

Text = Sequence[int]


@dataclass(frozen=True, slots=True, eq=False)
class TokenEmbedding:
    """Tokens to the input states of the first layer; `places` has a row for each position in a text."""

    words: StoredMatrix
    places: Array
    norm: Norm

    @classmethod
    def of(cls, weights: Weights) -> TokenEmbedding:
        """The embedding stored as `words`, `places` and `norm`."""
        return cls(weights.rows("words"), weights["places"], Norm.of(weights.under("norm.")))

    def __call__(self, texts: Sequence[Text]) -> Array:
        """The states of all texts' tokens one after another, shape (tokens, width)."""
        places = np.concatenate([self.places[: len(text)] for text in texts])
        return self.norm(self.words[list(chain.from_iterable(texts))] + places)


@dataclass(frozen=True, slots=True, eq=False)
class Encoder:
    """An embedding of tokens and the layers above it. Safe to share between threads."""

    embedding: TokenEmbedding
    stack: Stack

    @classmethod
    def of(
        cls,
        weights: Weights,
        upon: Weights | None = None,
        depth: int | None = None,
        run_by: Stacking = stack_of,
    ) -> Encoder:
        """The encoder whose layers are stored as `encoder.0.`, `encoder.1.` and so on.

        Args:
            weights: the encoder's own.
            upon: has the layers, and the embedding, that the encoder itself lacks.
            depth: the number of layers to run; None is all of them.
            run_by: makes the layers' runner, by default onnxruntime where it is installed, else numpy.
        """
        embedding = weights if upon is None or "words" in weights else upon
        return cls(TokenEmbedding.of(embedding), run_by(list(layers_of(weights, upon))[:depth]))

    def __call__(self, texts: Sequence[Text]) -> Array:
        """The states of all texts' tokens one after another, shape (tokens, width)."""
        return self.stack(self.embedding(texts), runs_of(texts))

    def means(self, texts: Sequence[Text]) -> Array:
        """The mean state of each text's tokens, shape (texts, width)."""
        found = np.empty((len(texts), self.embedding.places.shape[1]), np.float32)
        for batch in _pieces(texts):
            chosen = [texts[at] for at in batch]
            found[batch] = means(self(chosen), chosen)
        return found


@dataclass(frozen=True, slots=True, eq=False)
class FirstEncoders:
    """Encoders that share an embedding and their first layers. Safe to share between threads.

    The last layer of each has the first token of each text alone.
    """

    embedding: TokenEmbedding
    below: Stack
    above: tuple[Stack, ...]

    @classmethod
    def of(
        cls, each: Iterable[tuple[Weights, int]], upon: Weights, shared: int, run_by: Stacking = stack_of
    ) -> FirstEncoders:
        """The encoders with these weights and depths.

        Args:
            each: the weights of an encoder, and the number of its layers with the shared ones.
            upon: has the embedding, and the layers that an encoder itself lacks.
            shared: the number of first layers, of `upon`, that run once for all encoders.
            run_by: see `Encoder.of`.
        """
        stacks = (list(layers_of(own, upon))[shared:depth] for own, depth in each)
        above = tuple(run_by(layers, firsts=True) for layers in stacks)
        return cls(TokenEmbedding.of(upon), run_by(list(layers_of(upon))[:shared]), above)

    def __call__(self, texts: Sequence[Text], numbers: Sequence[int]) -> list[Array]:
        """The state of each text's first token by the encoders with these numbers, shape (texts, width)."""
        shape = len(texts), self.embedding.places.shape[1]
        found = [np.empty(shape, np.float32) for _ in numbers]
        for batch in _pieces(texts):
            chosen = [texts[at] for at in batch]
            runs = runs_of(chosen)
            states = self.below(self.embedding(chosen), runs)
            for own, number in zip(found, numbers, strict=True):
                own[batch] = self.above[number](states, runs)
        return found


def layers_of(weights: Weights, upon: Weights | None = None) -> Iterator[Weights]:
    """The weights of an encoder's layers, the first layer first, each its own or that of another encoder."""
    number = 0
    while True:
        for one in (weights, upon):
            if one is not None and f"encoder.{number}.query.weight" in one:
                yield one.under(f"encoder.{number}.")
                break
        else:
            return
        number += 1


def runs_of(texts: Sequence[Text]) -> tuple[Run, ...]:
    """Runs of tokens that hold texts of one length, with that length."""
    return tuple(_runs(map(len, texts)))


def _runs(lengths: Iterable[int]) -> Iterator[Run]:
    start = 0
    for length, group in groupby(lengths):
        end = start + length * sum(1 for _ in group)
        yield slice(start, end), length
        start = end


def means(states: Array, texts: Sequence[Text]) -> Array:
    """The mean of each text's states, which come one after another; shape (texts, width)."""
    lengths = np.array([len(text) for text in texts])
    found: Array = np.add.reduceat(states, np.cumsum(lengths) - lengths, axis=0)
    found /= lengths[:, None].astype(np.float32)
    return found


def _pieces(texts: Sequence[Text]) -> Iterator[list[int]]:
    """Numbers of texts, the shortest first, in batches of a bounded number of tokens or of one text."""
    batch: list[int] = []
    size = 0
    for at in sorted(range(len(texts)), key=lambda at: len(texts[at])):
        if batch and size + len(texts[at]) > _BATCH_TOKENS:
            yield batch
            batch, size = [], 0
        batch.append(at)
        size += len(texts[at])
    if batch:
        yield batch


@cache
def shared_encoder() -> Encoder:
    """The package's own encoder, all-MiniLM-L6-v2, loaded once per process; raises ModelDamaged."""
    return Encoder.of(shared_weights())
