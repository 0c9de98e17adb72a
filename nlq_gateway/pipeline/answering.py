"""Which way a question goes: without a language model, or also with it.

`auto` asks the model only where the answer without it is not sure, a strategy of the model's own always.
Where both have an answer, each is a vote on the other, and the surest is given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from nlq_gateway.carrying import AUTO, BOTTOM_UP, Ask
from nlq_gateway.choosing import Choice, Chooser, other_reading, tells, voted
from nlq_gateway.confidence import SURE_ENOUGH, Vote
from nlq_gateway.endpoints import Endpoint
from nlq_gateway.errors import InvalidRequest
from nlq_gateway.pipeline.with_model import ModelWay
from nlq_gateway.response import answer_text
from nlq_gateway.trace import Recorder
from nlq_gateway.types import Draft, Links

# From here on `auto` does not ask the model: fewer than one in five answers is wrong.
SURE = 0.8


@dataclass(frozen=True, slots=True)
class Answering:
    """One question, with what is drafted for it without the model, best first."""

    endpoint: Endpoint
    request: Ask
    links: Links
    drafts: Sequence[Draft]
    recorder: Recorder
    way: ModelWay | None

    def choice(self) -> Choice | None:
        """The answer that is surest; None where nothing states the question. Raises EndpointError."""
        first = self._without()
        if self.way is None or self.request.strategy == BOTTOM_UP:
            return first
        if self.request.strategy == AUTO and _is_sure(first):
            return first
        return self._best(self.way.choices(), first)

    def _without(self) -> Choice | None:
        if not self.drafts:
            return None
        chooser = Chooser(self.endpoint, self.request, self.links, self.drafts, self.recorder)
        try:
            return chooser.choose()
        except InvalidRequest:
            if self.way is None or self.request.strategy == BOTTOM_UP:
                raise
            return None

    def _best(self, written: Sequence[Choice], other: Choice | None) -> Choice | None:
        """The surest of all, once each has heard the others."""
        surest = max(written, key=_rank, default=None)
        heard = [
            voted(one, [*_votes(one, written), *_votes(one, [other], independent=True)], self.request)
            for one in written
        ]
        if other is not None:
            heard.append(voted(other, _votes(other, [surest], independent=True), self.request))
        best = max(heard, key=_rank, default=None)
        if best is None:
            return None
        return _told_apart(self._by_strategy(best, heard), heard)

    def _by_strategy(self, best: Choice, heard: Sequence[Choice]) -> Choice:
        """The choice with the best one's answers by the strategy that was asked for; else the best itself."""
        same = (one for one in heard if _answers(one) == _answers(best) and one.refused == best.refused)
        named = (one for one in same if one.outcome.draft.source == self.request.strategy)
        return max(named, key=_rank, default=best)


def _told_apart(best: Choice, heard: Sequence[Choice]) -> Choice:
    """The choice, with a warning of another answer that is sure enough to be given."""
    for one in heard:
        answer, draft = one.outcome.answer, one.outcome.draft
        likely = not one.refused and (one.confidence >= SURE_ENOUGH or best.ambiguous)
        apart = likely and tells(one.outcome) and _answers(one) != _answers(best)
        if apart and not best.refused and answer is not None:
            warning = other_reading(draft, answer_text(draft.program, answer, False))
            return replace(best, warnings=(*best.warnings, warning))
    return best


def _is_sure(choice: Choice | None) -> bool:
    return choice is not None and not choice.refused and choice.confidence >= SURE


def _rank(choice: Choice) -> tuple[bool, float]:
    """What is sure enough first, be it that there is nothing."""
    return not choice.refused and choice.confidence >= SURE_ENOUGH, choice.confidence


def _answers(choice: Choice) -> frozenset[str]:
    answer = choice.outcome.answer
    return frozenset(answer.strings) if answer is not None else frozenset()


def _votes(choice: Choice, others: Sequence[Choice | None], *, independent: bool = False) -> list[Vote]:
    """What others say: those that found something, and are not sure to be wrong."""
    heard = [one for one in others if one is not None and one is not choice and tells(one.outcome)]
    return [
        Vote(_answers(one) == _answers(choice), independent)
        for one in heard
        if one.confidence >= SURE_ENOUGH / 2
    ]
