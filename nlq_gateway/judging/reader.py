"""The network that reads a question beside a candidate: the log odds that the candidate answers it.

A cross-encoder (Nogueira and Cho, "Passage Re-ranking with BERT", 2019): the embedding model's first layers
over both texts, two layers of its own above them, and a score of the first token's state.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tokenizers import Tokenizer

from nlq_gateway.neural import FirstEncoder, Linear, open_tokenizer, shared_weights

PREFIX = "judge."
DEPTH = 4
LONGEST = 128


@dataclass(frozen=True, slots=True)
class CandidateOdds:
    """The log odds that a candidate answers the question, and whether the network read all of it."""

    odds: float
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class CandidateReader:
    """Reads candidates. Safe to share between threads."""

    encoder: FirstEncoder
    score: Linear
    tokenizer: Tokenizer

    def read(self, question: str, candidates: Sequence[str]) -> list[CandidateOdds]:
        """The network's log odds for each candidate's text."""
        encoded = self.tokenizer.encode_batch([(question, text) for text in candidates])
        odds = self.score(self.encoder([one.ids for one in encoded]))[:, 0].tolist()
        return [CandidateOdds(odd, not one.overflowing) for odd, one in zip(odds, encoded, strict=True)]


@cache
def shared_reader() -> CandidateReader:
    """The package's own, loaded once per process; raises ModelDamaged."""
    weights = shared_weights()
    own = weights.under(PREFIX)
    encoder = FirstEncoder.of(own, weights, DEPTH)
    return CandidateReader(encoder, Linear.of(own.under("score.")), open_tokenizer(LONGEST))
