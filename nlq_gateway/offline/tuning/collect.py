"""Questions with their executed candidates, and those with the right answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from compilers.errors import CompilerError
from connectors.errors import EndpointError
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask, carry_out
from nlq_gateway.answering.selection import tells
from nlq_gateway.core.types import Links, Question
from nlq_gateway.drafts.demonstrations import Collection
from nlq_gateway.judging import Judged
from nlq_gateway.offline.evaluation.measure import predicted
from nlq_gateway.offline.evaluation.questions import Gold
from nlq_gateway.offline.evaluation.score import score
from nlq_gateway.offline.tuning.fit import LabelledCandidates
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import Recorder

MILLISECONDS = 3_000
_MOST = 12


@dataclass(frozen=True, slots=True)
class Carried:
    """A candidate that was carried out: whether it tells anything, and whether that is the right answer."""

    judged: Judged
    tells: bool
    right: bool


@dataclass(frozen=True, slots=True)
class OrderedCandidates:
    """A question's candidates, in today's order."""

    carried: tuple[Carried, ...]

    def choice(self, weight: float = 1.0) -> LabelledCandidates:
        """The informative candidates, for learning."""
        telling = [one for one in self.carried if one.tells]
        features = tuple(one.judged.evidence for one in telling)
        return LabelledCandidates(features, tuple(one.right for one in telling), weight)


class Collector:
    """Asks an endpoint, which is ready, and tries more than the first draft that tells something."""

    def __init__(self, pipeline: Pipeline) -> None:
        """Run the first `_MOST` drafts of each question, and half as many of each source."""
        self._endpoint = pipeline.endpoint(None)
        self._sources = pipeline.sources(self._endpoint.snapshot())

    def collect(
        self, text: str, gold: Gold, language: str = "en", demonstrations: Collection | None = None
    ) -> OrderedCandidates:
        """The drafts for a question; `demonstrations` take the place of the endpoint's own."""
        links = Linker(self._endpoint.index).link(Question(" ".join(text.split()), language))
        reading = QuestionReading.of(links, self._endpoint.index)
        *_, proposed = self._sources.propose(reading, Recorder(), demonstrations=demonstrations)
        request = Ask(text, language=language, timeout_ms=MILLISECONDS)
        order = [one for one in self._endpoint.judge.order(reading, proposed) if one.near]
        carried = [self._carried(request, links, judged, gold) for judged in _first(order)]
        return OrderedCandidates(tuple(carried))

    def _carried(self, request: Ask, links: Links, judged: Judged, gold: Gold) -> Carried:
        draft = judged.draft
        if draft.empty:
            return Carried(judged, False, False)
        hits = {mention.text: mention.hits for mention in (*links.others, *links.mentions)}
        try:
            outcome = carry_out(self._endpoint, request, draft, hits, Recorder())
        except (CompilerError, EndpointError):
            return Carried(judged, False, False)
        right = score(predicted(outcome.answer), gold).exact == 1.0
        return Carried(judged, tells(outcome), right)


def _first(order: Sequence[Judged]) -> Iterator[Judged]:
    """The first candidates, half as many of each source at least."""
    seen: Counter[str] = Counter()
    for place, one in enumerate(order):
        source = one.candidate.draft.source
        seen[source] += 1
        if place < _MOST or seen[source] <= _MOST // 2:
            yield one
