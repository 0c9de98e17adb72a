"""The path of a question: without a language model, with it, or with it alone.

A strategy of the model's own is believed: its program that finds something is the answer, and what the other
ways say is a warning. `auto` asks the model only if the answer without it is not sure, and then chooses
between them. With `only` nothing but the strategy is heard.

The threshold of `auto` is fitted on recorded replies of a strong model over graphs that the other sources
were not trained on (`make bench ARGS="recorded --arbitration"`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nlq_gateway.answering.attempt import AUTO, BOTTOM_UP, Ask
from nlq_gateway.answering.other_readings import other_reading
from nlq_gateway.answering.selection import (
    MOST_LATE,
    ChosenDraft,
    DraftChooser,
    tells,
    voted,
)
from nlq_gateway.answering.with_model import ModelWay
from nlq_gateway.core.types import Draft
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.judging.confidence import Vote
from nlq_gateway.question.reading.reading import QuestionReading
from nlq_gateway.trace import Recorder

# The confidence from which `auto` does not ask the model.
SURE = 0.925


@dataclass(frozen=True, slots=True)
class Answering:
    """One question, with what is drafted for it without the model, best first.

    `waits` is the most of these drafts for which the store's deadline is waited for.
    """

    endpoint: Endpoint
    request: Ask
    reading: QuestionReading
    drafts: Sequence[Draft]
    recorder: Recorder
    way: ModelWay | None
    waits: int = MOST_LATE

    def choice(self) -> ChosenDraft | None:
        """The answer that is given; None where nothing states the question. Raises EndpointError."""
        if self.way is None or self.request.strategy == BOTTOM_UP:
            return self._without()
        if self.request.only:
            written = self.way.choices()
            return next((one for one in written if tells(one.outcome)), next(iter(written), None))
        first = self._without()
        if self.request.strategy == AUTO and first is not None and needs_no_model(first):
            return first
        return self._decided(self.way.choices(), first)

    def _without(self) -> ChosenDraft | None:
        if not self.drafts:
            return None
        return DraftChooser(
            self.endpoint, self.request, self.reading, self.drafts, self.recorder, self.waits
        ).choose()

    def _decided(self, written: Sequence[ChosenDraft], other: ChosenDraft | None) -> ChosenDraft | None:
        """The model's program if it finds something and no other outweighs it, else the surest one."""
        surest = max(written, key=_rank, default=None)
        heard = [
            voted(one, [*_votes(one, written), *_votes(one, [other], independent=True)], self.request)
            for one in written
        ]
        found = (one for one in heard if tells(one.outcome) and not one.refused)
        own = max(found, key=_rank, default=None)
        if other is not None:
            outweighed = self.request.strategy == AUTO and own is not None and outweighs(other, own)
            heard.append(voted(other, _votes(other, [surest], independent=True), self.request))
            own = heard[-1] if outweighed else own
        best = own or max(heard, key=_rank, default=None)
        return (
            None
            if best is None
            else _told_apart(self._by_strategy(best, heard), heard, self.endpoint, self.request.language)
        )

    def _by_strategy(self, best: ChosenDraft, heard: Sequence[ChosenDraft]) -> ChosenDraft:
        """The choice with the best one's answers by the strategy that was asked for; else the best itself."""
        same = (one for one in heard if _answers(one) == _answers(best) and one.refused == best.refused)
        named = (one for one in same if one.outcome.draft.source == self.request.strategy)
        return max(named, key=_rank, default=best)


def needs_no_model(choice: ChosenDraft) -> bool:
    """True if an answer is so sure that the model is not asked."""
    return not choice.refused and tells(choice.outcome) and choice.confidence >= SURE


def outweighs(other: ChosenDraft, written: ChosenDraft) -> bool:
    """True if an answer without the model is given in place of one that the model's program found.

    Only if the model's own is not sure enough: other words for names of the graph are no reason.
    """
    return not other.refused and other.is_sure and not written.is_sure


def _told_apart(
    best: ChosenDraft, heard: Sequence[ChosenDraft], endpoint: Endpoint, language: str
) -> ChosenDraft:
    """The choice, with a warning of another answer that is sure enough to be given."""
    for one in heard:
        answer, draft = one.outcome.answer, one.outcome.draft
        likely = not one.refused and (one.is_sure or best.ambiguous)
        apart = likely and tells(one.outcome) and _answers(one) != _answers(best)
        if apart and not best.refused and answer is not None:
            other = other_reading(draft, answer, endpoint, language)
            return replace(best, warnings=(*best.warnings, other))
    return best


def _rank(choice: ChosenDraft) -> tuple[bool, float]:
    """The sort key of an outcome: sure ones first, empty ones among them."""
    return not choice.refused and choice.is_sure, choice.confidence


def _answers(choice: ChosenDraft) -> frozenset[str]:
    answer = choice.outcome.answer
    return frozenset(answer.strings) if answer is not None else frozenset()


def _votes(
    choice: ChosenDraft, others: Sequence[ChosenDraft | None], *, independent: bool = False
) -> list[Vote]:
    """The other outcomes that found something and are not surely wrong."""
    heard = [one for one in others if one is not None and one is not choice and tells(one.outcome)]
    return [
        Vote(_answers(one) == _answers(choice), independent)
        for one in heard
        if one.confidence >= one.enough / 2
    ]
