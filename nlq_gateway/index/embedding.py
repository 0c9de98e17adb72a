"""Texts to vectors: all-MiniLM-L6-v2 as a forward pass in numpy.

The model is a BERT encoder of 6 layers (Wang et al., "MiniLM", 2020; Devlin et al., "BERT", 2019,
section 3) whose token vectors are averaged and scaled to unit length (Reimers and Gurevych,
"Sentence-BERT", 2019, section 3). The tokens of a batch lie one after another without padding: only
attention needs to know where a text ends, and runs once per length.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from nlq_gateway.index.weights import Weights, check_weights, find_model, map_weights
from nlq_gateway.settings.folders import cache_folder

Vectors = NDArray[np.float32]

_HEADS = 12
_LAYERS = 6
_EPSILON = 1e-12
_LONGEST = 256
_BATCH_TOKENS = 512
_CACHE_ROWS = 16
_CACHED = 4096
_CACHED_CALL = 256


class Embedder(Protocol):
    """Anything that turns texts into vectors of unit length."""

    @property
    def name(self) -> str:
        """The model's name; vectors of different names are never compared."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text: float32, shape (number of texts, dimensions), unit length."""

    def rank(self, word: str) -> int | None:
        """How common a lower-case word is, the commonest having the lowest rank; None for an unknown one."""


@dataclass(frozen=True, slots=True)
class _Linear:
    """An affine map; `weight` has the shape (inputs, outputs)."""

    weight: Vectors
    bias: Vectors

    def __call__(self, x: Vectors) -> Vectors:
        y = x @ self.weight
        y += self.bias
        return y


@dataclass(frozen=True, slots=True)
class _Norm:
    """Layer normalisation over the last axis."""

    weight: Vectors
    bias: Vectors

    def __call__(self, x: Vectors) -> Vectors:
        x = x - x.mean(axis=-1, keepdims=True)
        variance = np.einsum("ij,ij->i", x, x)[:, None] / np.float32(x.shape[-1])
        x /= np.sqrt(variance + np.float32(_EPSILON))
        x *= self.weight
        x += self.bias
        return x


@dataclass(frozen=True, slots=True)
class _Layer:
    """One encoder layer."""

    query: _Linear
    key: _Linear
    value: _Linear
    mixed: _Linear
    mixed_norm: _Norm
    wide: _Linear
    narrow: _Linear
    norm: _Norm

    def __call__(self, x: Vectors, runs: list[tuple[slice, int]]) -> Vectors:
        attended = _attend(self.query(x), self.key(x), self.value(x), runs)
        x = self.mixed_norm(self.mixed(attended) + x)
        return self.norm(self.narrow(gelu(self.wide(x))) + x)


def _attend(query: Vectors, key: Vectors, value: Vectors, runs: list[tuple[slice, int]]) -> Vectors:
    """Attention inside each text; a run is a stretch of tokens that holds texts of one length."""
    width = query.shape[1] // _HEADS
    out = np.empty_like(query)
    for run, length in runs:
        q, k, v = (x[run].reshape(-1, length, _HEADS, width).swapaxes(1, 2) for x in (query, key, value))
        scores = (q @ k.swapaxes(2, 3)) * np.float32(width**-0.5)
        scores -= scores.max(axis=-1, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=-1, keepdims=True)
        out[run] = (scores @ v).swapaxes(1, 2).reshape(-1, query.shape[1])
    return out


def gelu(x: Vectors) -> Vectors:
    """The exact Gaussian error linear unit, x * (1 + erf(x / sqrt(2))) / 2, to 4e-7, row by row.

    Rows go through in blocks that stay in the processor's cache, which makes this three times as fast.
    """
    out = np.empty_like(x)
    for start in range(0, len(x), _CACHE_ROWS):
        block = slice(start, start + _CACHE_ROWS)
        _gelu(x[block], out[block])
    return out


def _gelu(x: Vectors, out: Vectors) -> None:
    """Write the unit's values for one block.

    erf after Abramowitz and Stegun, "Handbook of Mathematical Functions" (1964), 7.1.26. With the
    complementary function, x * (1 + erf) / 2 = max(x, 0) - |x| * erfc(|x| / sqrt(2)) / 2.
    """
    size = np.abs(x)
    t = 1 / (np.float32(0.3275911 * 0.5**0.5) * size + 1)
    tail = t * np.float32(1.061405429)
    for coefficient in (-1.453152027, 1.421413741, -0.284496736, 0.254829592):
        tail += np.float32(coefficient)
        tail *= t
    np.square(size, out=t)
    t *= np.float32(-0.5)
    tail *= np.exp(t, out=t)
    size *= np.float32(0.5)
    tail *= size
    np.maximum(x, 0, out=out)
    out -= tail


class MiniLM:
    """all-MiniLM-L6-v2: 384 dimensions, English, texts of up to 256 tokens (the rest is cut).

    Safe to share between threads. The weights are mapped from the file, so processes share them.
    """

    name = "all-MiniLM-L6-v2"
    dimensions = 384

    def __init__(self, folder: Path | None = None, cache: Path | None = None) -> None:
        """Map the weights.

        Args:
            folder: the model's files; None finds the installed package.
            cache: where it is remembered that the hash was checked; None is the user's cache folder.

        Raises:
            EmbeddingModelMissing: when the package is not installed.
            EmbeddingModelDamaged: when the weights are not the published ones.
        """
        folder = folder or find_model()
        file = folder / "model.safetensors"
        check_weights(file, cache or cache_folder())
        weights = map_weights(file)
        self._tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self._tokenizer.no_padding()
        self._tokenizer.enable_truncation(_LONGEST)
        self._words = weights["embeddings.word_embeddings.weight"]
        self._places = (
            weights["embeddings.position_embeddings.weight"]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _norm(weights, "embeddings.LayerNorm")
        self._layers = tuple(_layer(weights, f"encoder.layer.{number}.") for number in range(_LAYERS))
        self._cache: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text: float32, shape (number of texts, 384), unit length.

        Small calls are remembered, since the phrases of a question come back at every stage.
        """
        if len(texts) > _CACHED_CALL:
            return self._encode(texts)
        with self._lock:
            known = {text: self._cache[text] for text in texts if text in self._cache}
        new = [text for text in dict.fromkeys(texts) if text not in known]
        known.update(zip(new, self._encode(new), strict=True))
        with self._lock:
            for text in texts:
                self._cache[text] = known[text]
                self._cache.move_to_end(text)
            while len(self._cache) > _CACHED:
                self._cache.popitem(last=False)
        return np.stack([known[text] for text in texts]) if texts else np.empty((0, 384), np.float32)

    def rank(self, word: str) -> int | None:
        """The word's place in the vocabulary, which BERT has in order of use."""
        rank: int | None = self._tokenizer.token_to_id(word)
        return rank

    def _encode(self, texts: Sequence[str]) -> Vectors:
        clean = (text.encode("utf-8", "ignore").decode("utf-8") for text in texts)
        tokens = [self._tokenizer.encode(text).ids for text in clean]
        vectors = np.empty((len(texts), self.dimensions), np.float32)
        order = sorted(range(len(texts)), key=lambda at: len(tokens[at]))
        for batch in _batches(order, tokens):
            vectors[batch] = self._forward([tokens[at] for at in batch])
        return vectors

    def _forward(self, texts: list[list[int]]) -> Vectors:
        """The vectors of texts that are sorted by length."""
        lengths = [len(text) for text in texts]
        places = np.concatenate([self._places[:length] for length in lengths])
        x = self._norm(self._words[np.concatenate(texts)] + places)
        runs = list(_runs(lengths))
        for layer in self._layers:
            x = layer(x, runs)
        means = np.concatenate([x[run].reshape(-1, length, x.shape[1]).mean(axis=1) for run, length in runs])
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        return means


def _batches(order: list[int], tokens: list[list[int]]) -> Iterator[list[int]]:
    """Positions in batches of a bounded number of tokens, at least one text each."""
    batch: list[int] = []
    size = 0
    for at in order:
        if batch and size + len(tokens[at]) > _BATCH_TOKENS:
            yield batch
            batch, size = [], 0
        batch.append(at)
        size += len(tokens[at])
    if batch:
        yield batch


def _runs(lengths: list[int]) -> Iterator[tuple[slice, int]]:
    """Stretches of tokens that hold texts of one length, with that length."""
    start = 0
    for length, group in groupby(lengths):
        end = start + length * sum(1 for _ in group)
        yield slice(start, end), length
        start = end


def _linear(weights: Weights, name: str) -> _Linear:
    return _Linear(weights[f"{name}.weight"].T, weights[f"{name}.bias"])


def _norm(weights: Weights, name: str) -> _Norm:
    return _Norm(weights[f"{name}.weight"], weights[f"{name}.bias"])


def _layer(weights: Weights, name: str) -> _Layer:
    return _Layer(
        query=_linear(weights, name + "attention.self.query"),
        key=_linear(weights, name + "attention.self.key"),
        value=_linear(weights, name + "attention.self.value"),
        mixed=_linear(weights, name + "attention.output.dense"),
        mixed_norm=_norm(weights, name + "attention.output.LayerNorm"),
        wide=_linear(weights, name + "intermediate.dense"),
        narrow=_linear(weights, name + "output.dense"),
        norm=_norm(weights, name + "output.LayerNorm"),
    )
