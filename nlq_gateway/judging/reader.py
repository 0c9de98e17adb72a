"""The networks that read a question beside a candidate: the log odds that the candidate answers it.

Cross-encoders (Nogueira and Cho, "Passage Re-ranking with BERT", 2019): the embedding model's first layers
over both texts, layers of their own above them, and a score of the first token's state. One reads programs,
of which there are many; a deeper one reads the few that ran, with their results. A third reads a fact beside
its reverse, for the direction of a relation.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from tokenizers import Tokenizer

from nlq_gateway.judging.directions import PLAIN, Reversed, directed
from nlq_gateway.neural import Array, FirstEncoders, Linear, Text, open_tokenizer, shared_weights

LONGEST = 192
# The prefix of a network's tensors in the model file, and its layers with the shared ones.
PROGRAMS, RESULTS, DIRECTIONS = ("judge.", 4), ("results.", 6), ("directions.", 4)
_SHARED = 2


@dataclass(frozen=True, slots=True)
class CandidateOdds:
    """The log odds that a candidate answers the question, and whether the network read all of it.

    `is_reversed`: the reverse of its fact is asked for.
    """

    odds: float
    whole: bool
    is_reversed: bool = False

    def directed(self, leaning: float) -> CandidateOdds:
        """The same with what is known of the direction of its relation, in log odds."""
        return replace(self, odds=directed(self.odds, leaning), is_reversed=leaning < -PLAIN)


@dataclass(frozen=True, slots=True, eq=False)
class CandidateReader:
    """Reads candidates by `PROGRAMS` and `RESULTS`, facts by `DIRECTIONS`. Safe to share between threads."""

    encoders: FirstEncoders
    scores: tuple[Linear, ...]
    tokenizer: Tokenizer

    def read(self, question: str, candidates: Sequence[str], *, results: bool = False) -> list[CandidateOdds]:
        """The log odds for each candidate's text, by the first network.

        A text with `results` is read by both, and their mean taken.
        """
        encoded = self.tokenizer.encode_batch([(question, text) for text in candidates])
        odds = self._odds([one.ids for one in encoded], (0, 1) if results else (0,))
        found = zip(odds.mean(axis=0).tolist(), encoded, strict=True)
        return [CandidateOdds(odd, not one.overflowing) for odd, one in found]

    def leanings(self, facts: Sequence[Reversed]) -> list[float]:
        """The log odds that each question asks for a fact and not for its reverse."""
        encoded = self.tokenizer.encode_batch([pair for both in facts for pair in both])
        odds = self._odds([one.ids for one in encoded], (2,)).reshape(-1, 2)
        found: list[float] = (odds[:, 0] - odds[:, 1]).tolist()
        return found

    def _odds(self, texts: Sequence[Text], numbers: Sequence[int]) -> Array:
        """The log odds of texts by the networks with these numbers, shape (networks, texts)."""
        states = self.encoders(texts, numbers)
        return np.stack([self.scores[at](own)[:, 0] for at, own in zip(numbers, states, strict=True)])


@cache
def shared_reader() -> CandidateReader:
    """The package's own, loaded once per process; raises ModelDamaged."""
    weights = shared_weights()
    own = [(weights.under(prefix), depth) for prefix, depth in (PROGRAMS, RESULTS, DIRECTIONS)]
    scores = tuple(Linear.of(one.under("score.")) for one, _ in own)
    encoders = FirstEncoders.of(own, weights, _SHARED)
    return CandidateReader(encoders, scores, open_tokenizer(LONGEST))
