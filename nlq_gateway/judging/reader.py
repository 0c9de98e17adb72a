"""The networks that read a question beside a candidate: the log odds that the candidate answers it.

Cross-encoders (Nogueira and Cho, "Passage Re-ranking with BERT", 2019): the embedding model's first layers
over both texts, layers of their own above them, and a score of the first token's state. One reads programs,
of which there are many; a deeper one reads the few that ran, with their results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from tokenizers import Tokenizer

from nlq_gateway.neural import FirstEncoder, Linear, open_tokenizer, shared_weights

LONGEST = 128
# The prefix of a network's tensors in the model file, and its layers with the shared ones.
PROGRAMS, RESULTS = ("judge.", 4), ("results.", 6)


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
def shared_reader(prefix: str, depth: int) -> CandidateReader:
    """The package's own, loaded once per process; raises ModelDamaged."""
    weights = shared_weights()
    own = weights.under(prefix)
    encoder = FirstEncoder.of(own, weights, depth)
    return CandidateReader(encoder, Linear.of(own.under("score.")), open_tokenizer(LONGEST))
