"""The sources of drafts without a language model: the reasoner, the small drafter, and demonstrations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from nlq_gateway.answering.attempt import AUTO, BOTTOM_UP
from nlq_gateway.answering.once import made_once
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.core.types import Draft
from nlq_gateway.drafts.demonstrations import Collection
from nlq_gateway.drafts.drafter import Drafter
from nlq_gateway.drafts.reasoning import BottomUp, Prune
from nlq_gateway.drafts.reasoning.sets.asked import as_asked
from nlq_gateway.drafts.reasoning.sets.others import draft_without_itself
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.judging import Candidate, together
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import Recorder


@dataclass(frozen=True)
class Sources:
    """The stages that propose programs over one endpoint. Safe to share between threads."""

    endpoint: Endpoint

    @made_once
    def surroundings(self) -> StoreSurroundings:
        """The store's surroundings for the reasoner, with a cache that all questions share."""
        ready = self.endpoint.prepared
        return StoreSurroundings(ready.connector, ready.index, ready.layout, ready.traits, ready.options)

    @made_once
    def reasoner(self) -> BottomUp:
        """The reasoner over this endpoint's index."""
        return BottomUp(self.endpoint.index, self.surroundings)

    @made_once
    def drafter(self) -> Drafter:
        """The package's own small model over this endpoint's index."""
        return Drafter(self.endpoint.index)

    def propose(
        self,
        reading: QuestionReading,
        recorder: Recorder,
        strategy: str = AUTO,
        *,
        demonstrations: Collection | None = None,
        prune: Prune | None = None,
    ) -> Iterator[tuple[Candidate, ...]]:
        """Yield the drafts of the drafter and demonstrations, then those with the reasoner's among them.

        The reasoner searches only if the second is asked for. Those of `bottom-up` are the reasoner's alone.
        `demonstrations` take the place of the endpoint's own; `prune` leaves out programs while they grow.
        """
        if strategy == BOTTOM_UP:
            yield together(self._searched(reading, recorder, prune), lambda _: 0.0)
            return
        drafted = self._drafted(reading, recorder)
        with recorder.stage("demonstrate"):
            known = self.endpoint.demonstrations if demonstrations is None else demonstrations
            adapted = known.adapt(reading.links, self.surroundings)
        recorder.demonstrations = adapted.retrieved
        yield together((*drafted, *adapted.drafts), adapted.worth)
        searched = self._searched(reading, recorder, prune)
        yield together((*searched, *drafted, *adapted.drafts), adapted.worth)

    def _drafted(self, reading: QuestionReading, recorder: Recorder) -> list[Draft]:
        """The drafter's programs; none in a language that it does not know."""
        with recorder.stage("draft"):
            written = self.drafter.draft(reading) if reading.language == ENGLISH else ()
        with recorder.stage("generate"):
            found = (draft_without_itself(one, reading, self.reasoner.naming) for one in written)
            return [as_asked(one, reading) for one in found]

    def _searched(
        self, reading: QuestionReading, recorder: Recorder, prune: Prune | None
    ) -> tuple[Draft, ...]:
        with recorder.stage("generate"):
            return tuple(as_asked(one, reading) for one in self.reasoner.draft(reading, prune))
