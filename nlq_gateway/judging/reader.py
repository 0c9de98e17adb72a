"""The networks that read a question beside a candidate: the log odds that the candidate answers it.

Cross-encoders (Nogueira and Cho, "Passage Re-ranking with BERT", 2019): the embedding model's first layers
over both texts, layers of their own above them, and a score of the first token's state. One reads programs,
of which there are many; a deeper one reads the few that ran, with their results.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
from tokenizers import Tokenizer

from nlq_gateway.neural import FirstEncoders, Linear, open_tokenizer, shared_weights

LONGEST = 128
# The prefix of a network's tensors in the model file, and its layers with the shared ones.
PROGRAMS, RESULTS = ("judge.", 4), ("results.", 6)
_SHARED = 2


@dataclass(frozen=True, slots=True)
class CandidateOdds:
    """The log odds that a candidate answers the question, and whether the network read all of it."""

    odds: float
    whole: bool


@dataclass(frozen=True, slots=True, eq=False)
class CandidateReader:
    """Reads candidates by `PROGRAMS`, the first, and by `RESULTS`. Safe to share between threads."""

    encoders: FirstEncoders
    scores: tuple[Linear, Linear]
    tokenizer: Tokenizer

    def read(self, question: str, candidates: Sequence[str], *, results: bool = False) -> list[CandidateOdds]:
        """The log odds for each candidate's text, by the first network.

        A text with `results` is read by both, and their mean taken.
        """
        encoded = self.tokenizer.encode_batch([(question, text) for text in candidates])
        numbers = (0, 1) if results else (0,)
        states = self.encoders([one.ids for one in encoded], numbers)
        odds = np.mean([self.scores[at](own)[:, 0] for at, own in zip(numbers, states, strict=True)], axis=0)
        found = zip(odds.tolist(), encoded, strict=True)
        return [CandidateOdds(odd, not one.overflowing) for odd, one in found]


@cache
def shared_reader() -> CandidateReader:
    """The package's own, loaded once per process; raises ModelDamaged."""
    weights = shared_weights()
    own = [(weights.under(prefix), depth) for prefix, depth in (PROGRAMS, RESULTS)]
    programs, results = (Linear.of(one.under("score.")) for one, _ in own)
    encoders = FirstEncoders.of(own, weights, _SHARED)
    return CandidateReader(encoders, (programs, results), open_tokenizer(LONGEST))
