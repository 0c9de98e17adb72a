"""The order of candidates: a weighted sum of what is seen in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from nlq_gateway.index import Index
from nlq_gateway.ranking.candidates import Candidate
from nlq_gateway.ranking.features import Seen, features_of
from nlq_gateway.ranking.tuned import Tuned
from nlq_gateway.ranking.weights import Weights, shipped
from nlq_gateway.types import Draft, Links


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its features, and their weighted sum in words of the question."""

    candidate: Candidate
    features: dict[str, float]
    score: float

    @property
    def draft(self) -> Draft:
        """The draft, with this score."""
        return replace(self.candidate.draft, score=self.score)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Orders candidates over one index. Stateless: safe to share between threads."""

    index: Index
    weights: Weights
    tuned: Tuned | None = None

    @classmethod
    def of(cls, index: Index, tuned: Tuned | None = None) -> Ranking:
        """By the shipped weights, or by those adapted to the index's endpoint."""
        return cls(index, tuned.weights if tuned else shipped(), tuned)

    def ranked(self, links: Links, candidates: Iterable[Candidate]) -> tuple[Ranked, ...]:
        """The candidates, best first; of equals the shorter program."""
        return tuple(sorted(self._weighed(links, candidates), key=_order))

    def _weighed(self, links: Links, candidates: Iterable[Candidate]) -> Iterator[Ranked]:
        seen = Seen(links, self.index)
        for candidate in candidates:
            features = features_of(seen, candidate)
            yield Ranked(candidate, features, self.weights.score(features))


def _order(one: Ranked) -> tuple[float, int]:
    return -one.score, len(one.candidate.draft.program)
