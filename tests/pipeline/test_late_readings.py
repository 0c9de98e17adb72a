"""A reading that the store has no time for does not keep a question from its next reading."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest

from connectors.errors import EndpointTimeout
from nlq_gateway.answering import Ask, Pipeline, order
from nlq_gateway.answering import selection as choosing
from nlq_gateway.answering.selection import LATE, MOST_LATE
from nlq_gateway.answering.sources import Sources
from nlq_gateway.judging import Candidate

Turns: TypeAlias = Iterator[tuple[Candidate, ...]]
QUESTION = "What is the population of Georgia?"


def slow(monkeypatch: pytest.MonkeyPatch, readings: int) -> list[str]:
    """Have the first so many readings take longer than they may; the programs that were carried out."""
    carried: list[str] = []
    carry_out = choosing.carry_out

    def timed(endpoint: Any, request: Any, draft: Any, hits: Any, recorder: Any) -> Any:
        carried.append(str(draft.program))
        if len(carried) <= readings:
            raise EndpointTimeout("no answer within the deadline", endpoint=endpoint.settings.id)
        return carry_out(endpoint, request, draft, hits, recorder)

    monkeypatch.setattr(choosing, "carry_out", timed)
    return carried


def settled_with(monkeypatch: pytest.MonkeyPatch, turns: Callable[[Turns], Turns]) -> None:
    """The first drafts need no search of the reasoner; `turns` changes what is proposed."""
    propose = Sources.propose
    monkeypatch.setattr(order, "is_settled", lambda _: True)
    monkeypatch.setattr(Sources, "propose", lambda *given, **named: turns(propose(*given, **named)))


def test_the_next_reading_is_tried(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    carried = slow(monkeypatch, 1)
    trace = gateway.ask(Ask(QUESTION, "sample"))
    assert trace.answer is not None
    assert not trace.answer.empty
    assert len(carried) > 1
    assert [one.outcome for one in trace.attempts][:2] == [LATE, "answered"]


def test_a_reading_that_only_the_reasoner_has_is_tried(
    gateway: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled_with(monkeypatch, _fewer)
    slow(monkeypatch, 1)
    trace = gateway.ask(Ask(QUESTION, "sample"))
    assert [one.outcome for one in trace.attempts][:2] == [LATE, "answered"]
    assert trace.answer is not None


def test_an_outage_is_no_answer_where_the_reasoner_adds_nothing(
    gateway: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    settled_with(monkeypatch, _twice)
    slow(monkeypatch, 1_000)
    with pytest.raises(EndpointTimeout, match="no answer within the deadline"):
        gateway.ask(Ask(QUESTION, "sample"))


def _twice(turns: Turns) -> Turns:
    """One and the same candidate in both turns."""
    one = next(turns)[:1]
    yield one
    yield one


def _fewer(turns: Turns) -> Turns:
    """The same, but the first turn has one candidate only."""
    yield next(turns)[:1]
    yield from turns


def test_the_error_comes_where_no_reading_is_left(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    carried = slow(monkeypatch, 1_000)
    with pytest.raises(EndpointTimeout, match="no answer within the deadline"):
        gateway.ask(Ask(QUESTION, "sample"))
    assert 1 < len(carried) <= MOST_LATE
