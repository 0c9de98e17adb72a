"""The network that reads a question beside a candidate: the log odds that the candidate answers it.

A cross-encoder (Nogueira and Cho, "Passage Re-ranking with BERT", 2019): the embedding model's first layers
over both texts, two layers of its own above them, and a score of the first token's state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tokenizers import Tokenizer

from nlq_gateway.neural import Array, Encoder, Linear, open_tokenizer, shared_weights

PREFIX = "judge."
DEPTH = 4
LONGEST = 128


@dataclass(frozen=True, slots=True, eq=False)
class Reader:
    """Reads candidates. Safe to share between threads."""

    encoder: Encoder
    score: Linear
    tokenizer: Tokenizer

    def read(self, question: str, candidates: Sequence[str]) -> Array:
        """The log odds of each candidate's text, shape (candidates,)."""
        pairs = [(question, text) for text in candidates]
        tokens = [one.ids for one in self.tokenizer.encode_batch(pairs)]
        found: Array = self.score(self.encoder.firsts(tokens))[:, 0]
        return found


@cache
def shared_reader() -> Reader:
    """The package's own, loaded once per process; raises ModelDamaged."""
    weights = shared_weights()
    own = weights.under(PREFIX)
    encoder = Encoder.of(own, upon=weights, depth=DEPTH)
    return Reader(encoder, Linear.of(own.under("score.")), open_tokenizer(LONGEST))
