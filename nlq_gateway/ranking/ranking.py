"""The order of candidates: a weighted sum of what is seen in them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from nlq_gateway.checkpoint import interruptible
from nlq_gateway.index import Index, is_impossible
from nlq_gateway.ranking.candidates import Candidate
from nlq_gateway.ranking.features import Seen, features_of
from nlq_gateway.ranking.tuned import Tuned
from nlq_gateway.ranking.weights import Weights, shipped
from nlq_gateway.types import Draft, Links

LIKENESS = "likeness"
# Encoding a wording takes milliseconds: so many are compared with the question, if they are as near as this.
WORDED = 4
NEAR = 1.5
_TENTHS = 10

Worded = Callable[[Draft], str]


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with its features, and their weighted sum in words of the question.

    `impossible` is one that nothing in the graph could ever answer, however well it says the question.
    """

    candidate: Candidate
    features: dict[str, float]
    score: float
    impossible: bool = False

    @property
    def draft(self) -> Draft:
        """The draft, with this score."""
        return replace(self.candidate.draft, score=self.score)


@dataclass(frozen=True, slots=True)
class Ranking:
    """Orders candidates over one index. Stateless: safe to share between threads.

    `worded` says in English what a draft asks, "" where it cannot.
    """

    index: Index
    weights: Weights
    tuned: Tuned | None = None
    worded: Worded | None = None

    @classmethod
    def of(cls, index: Index, tuned: Tuned | None = None, worded: Worded | None = None) -> Ranking:
        """By the shipped weights, or by those adapted to the index's endpoint."""
        return cls(index, tuned.weights if tuned else shipped(), tuned, worded)

    def words_of(self, draft: Draft) -> str:
        """What a draft asks, in English; "" where there are no words for it."""
        return self.worded(draft) if self.worded else ""

    def ranked(self, links: Links, candidates: Iterable[Candidate]) -> tuple[Ranked, ...]:
        """The candidates, best first; of equals the shorter program. Impossible ones come last."""
        found = sorted(self._weighed(links, candidates), key=_order)
        return tuple(sorted((*self._likened(links, found[:WORDED]), *found[WORDED:]), key=_order))

    def _likened(self, links: Links, first: Sequence[Ranked]) -> Iterator[Ranked]:
        """The first candidates, with how like the question is to what they ask."""
        near = [one for one in first if first[0].score - one.score <= NEAR]
        alone = len(near) < 2 or self.worded is None or links.question.language != "en"
        texts = [] if alone or self.worded is None else [self.worded(one.candidate.draft) for one in near]
        if not any(texts):
            yield from first
            return
        question, *vectors = self.index.encode([links.question.text, *texts])
        known = [float(question @ vector) for vector, text in zip(vectors, texts, strict=True) if text]
        least, mean = min(known), sum(known) / len(known)
        for one, vector, text in zip(near, vectors, texts, strict=True):
            likeness = _TENTHS * ((float(question @ vector) if text else mean) - least)
            features = {**one.features, LIKENESS: likeness}
            yield replace(one, features=features, score=self.weights.score(features))
        yield from first[len(near) :]

    def _weighed(self, links: Links, candidates: Iterable[Candidate]) -> Iterator[Ranked]:
        seen = Seen(links, self.index)
        for candidate in interruptible(candidates):
            features = features_of(seen, candidate)
            score, impossible = self.weights.score(features), self._is_impossible(candidate.draft)
            yield Ranked(candidate, features, score, impossible)

    def _is_impossible(self, draft: Draft) -> bool:
        meant = {place: iris[0] for place, iris in draft.choices.items() if iris}
        return is_impossible(draft.program, meant, self.index)


def _order(one: Ranked) -> tuple[bool, float, int]:
    return one.impossible, -one.score, len(one.candidate.draft.program)
