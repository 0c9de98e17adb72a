"""The schema items to offer first for a question: near in meaning, or with the same words."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from tokenizers import Tokenizer

from nlq_gateway.index.text import fold, stem
from nlq_gateway.neural import Array

OFFERED = 40
# Tokens of a label that are read beside the question, the end of the text among them.
TOKENS = 6
_SHARED = 0.4


class Offers:
    """Labels of one schema with their vectors, shape (labels, width)."""

    def __init__(self, labels: Sequence[str], vectors: Array) -> None:
        """Index the labels by their words."""
        self.vectors = vectors
        self._with_word: defaultdict[str, list[int]] = defaultdict(list)
        self._shares = np.zeros(len(labels), np.float32)
        for number, label in enumerate(labels):
            words = _stems(label)
            self._shares[number] = 1 / max(len(words), 1)
            for word in words:
                self._with_word[word].append(number)

    def best(self, question: str, vector: Array, size: int) -> NDArray[np.int64]:
        """Positions of the `size` likeliest labels, best first: cosine plus the share of common words."""
        said = np.zeros(len(self.vectors), np.float32)
        for word in set(_stems(question)):
            rows = self._with_word.get(word)
            if rows:
                said[rows] += self._shares[rows]
        scores = self.vectors @ vector + _SHARED * said
        return np.argsort(-scores, kind="stable")[:size]


def label_tokens(labels: Sequence[str], tokenizer: Tokenizer) -> Iterator[tuple[int, ...]]:
    """The tokens of each label with the end of a text, without its beginning; a long label's first ones."""
    for label in labels:
        _, *inner, end = tokenizer.encode(label).ids
        yield (*inner[: TOKENS - 1], end)


def _stems(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stem(fold(text)).split()))
