"""Texts to vectors: all-MiniLM-L6-v2, from the package's own weights.

The token states of an encoder of 6 layers (Wang et al., "MiniLM", 2020) are averaged and scaled to unit
length (Reimers and Gurevych, "Sentence-BERT", 2019, section 3).
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from nlq_gateway.neural import Encoder, open_tokenizer, shared_encoder

Vectors = NDArray[np.float32]

_LONGEST = 256
_CACHED = 4096
_CACHED_CALL = 512


class Embedder(Protocol):
    """The interface of a model that turns texts into vectors of unit length."""

    @property
    def name(self) -> str:
        """The model's name; vectors of different names are never compared."""

    @property
    def dimensions(self) -> int:
        """The length of a vector."""

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text: float32, shape (number of texts, dimensions), unit length."""

    def rank(self, word: str) -> int | None:
        """The rank of a lower-case word, the commonest having the lowest; None for an unknown word."""


class MiniLM:
    """all-MiniLM-L6-v2: 384 dimensions, English, texts of up to 256 tokens (the rest is cut).

    Safe to share between threads.
    """

    name = "all-MiniLM-L6-v2 int8"
    dimensions = 384

    def __init__(self, encoder: Encoder | None = None) -> None:
        """Take an encoder; None is the package's own.

        Raises:
            ModelDamaged: when the package's model file is not whole.
        """
        self._encoder = encoder or shared_encoder()
        self._tokenizer = open_tokenizer(_LONGEST)
        self._cache: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text: float32, shape (number of texts, 384), unit length.

        Small calls are cached, since the phrases of a question come back at every stage.
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
        """The word's place in the vocabulary, which BERT orders by frequency."""
        rank: int | None = self._tokenizer.token_to_id(word)
        return rank

    def _encode(self, texts: Sequence[str]) -> Vectors:
        clean = (text.encode("utf-8", "ignore").decode("utf-8") for text in texts)
        means = self._encoder.means([self._tokenizer.encode(text).ids for text in clean])
        means /= np.linalg.norm(means, axis=1, keepdims=True)
        return means
