"""Texts to vectors: the interface of embedding models, and all-MiniLM-L6-v2 from the package's own weights.

The token states of an encoder of 6 layers (Wang et al., "MiniLM", 2020) are averaged and scaled to unit
length (Reimers and Gurevych, "Sentence-BERT", 2019, section 3).
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from cachetools import LRUCache
from numpy.typing import NDArray

from nlq_gateway.index.text import ENGLISH
from nlq_gateway.neural import Encoder, open_tokenizer, shared_encoder

Vectors = NDArray[np.float32]

_LONGEST = 256
_CACHED = 4096
_CACHED_CALL = 512
_SHORTEST = np.finfo(np.float32).tiny


class Embedder(ABC):
    """A model that turns texts into vectors of unit length. Safe to share between threads.

    Vectors of models with different names are never compared. `languages` are the tags of the languages that
    the model knows, None for all.
    """

    name: str
    dimensions: int
    languages: frozenset[str] | None = None

    def __init__(self) -> None:
        self._tokenizer = open_tokenizer(_LONGEST)
        self._cache = LRUCache[str, Vectors](_CACHED)
        self._lock = threading.Lock()

    def encode(self, texts: Sequence[str]) -> Vectors:
        """One row per text: float32, shape (number of texts, dimensions), unit length.

        Small calls are cached, since the phrases of a question come back at every stage.
        """
        if len(texts) > _CACHED_CALL:
            return self._encode(texts)
        with self._lock:
            known = {text: self._cache[text] for text in texts if text in self._cache}
        if new := [text for text in dict.fromkeys(texts) if text not in known]:
            known.update(zip(new, self._encode(new), strict=True))
        with self._lock:
            self._cache.update(known)
        return np.array([known[text] for text in texts], np.float32).reshape(-1, self.dimensions)

    def rank(self, word: str) -> int | None:
        """The rank of a lower-case English word, the commonest having the lowest; None for an unknown word.

        It is the word's place in the vocabulary of MiniLM, which BERT orders by frequency.
        """
        rank: int | None = self._tokenizer.token_to_id(word)
        return rank

    def _encode(self, texts: Sequence[str]) -> Vectors:
        found = self._raw([text.encode("utf-8", "ignore").decode("utf-8") for text in texts])
        found /= np.maximum(np.linalg.norm(found, axis=1, keepdims=True), _SHORTEST)
        return found

    @abstractmethod
    def _raw(self, texts: list[str]) -> Vectors:
        """One row per text, of any length; the caller may change it."""


class MiniLM(Embedder):
    """all-MiniLM-L6-v2: 384 dimensions, English, texts of up to 256 tokens (the rest is cut)."""

    name = "all-MiniLM-L6-v2 int8"
    dimensions = 384
    languages = frozenset({ENGLISH})

    def __init__(self, encoder: Encoder | None = None) -> None:
        """Take an encoder; None is the package's own.

        Raises:
            ModelDamaged: when the package's model file is not whole.
        """
        super().__init__()
        self._encoder = encoder or shared_encoder()

    def _raw(self, texts: list[str]) -> Vectors:
        return self._encoder.means([self._tokenizer.encode(text).ids for text in texts])


@lru_cache(maxsize=1)
def shipped_embedder() -> MiniLM:
    """The package's own model, opened once per process; raises ModelDamaged."""
    return MiniLM()
