"""The loop over the stages of a question: their order, and the end when the client leaves."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest

from connectors.errors import EndpointCancelled
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.order import STAGES
from nlq_gateway.trace import LinksEvent, ProgramEvent

QUESTION = "Who directed Fargo?"


def test_no_stage_begins_once_the_client_has_left(gateway: Pipeline) -> None:
    gone, events = threading.Event(), list[object]()

    def listen(event: object) -> None:
        events.append(event)
        if isinstance(event, LinksEvent):
            gone.set()

    with pytest.raises(EndpointCancelled):
        gateway.ask(Ask(QUESTION), gone, [listen])
    assert [type(event) for event in events] == [LinksEvent]


def test_stages_are_timed_in_their_order(gateway: Pipeline) -> None:
    events = list[object]()
    trace = gateway.ask(Ask(QUESTION), listeners=[events.append])
    kinds = [type(event) for event in events]
    assert kinds.index(LinksEvent) < kinds.index(ProgramEvent)
    timed = [name for name in trace.timings_ms if name != "total"]
    assert timed[:5] == ["link", "draft", "generate", "demonstrate", "judge"]
    assert timed.index("ground") < timed.index("compile") < timed.index("execute") < timed.index("probe")


def test_the_architecture_page_lists_the_stages_in_their_order() -> None:
    page = (Path(__file__).parents[2] / "ARCHITECTURE.md").read_text(encoding="utf-8")
    listed = page.partition("`order.py` is ")[2].partition("; ")[0]
    assert re.sub(r"\s*\(.*?\)", "", listed).split(", ") == [stage.__name__ for stage in STAGES]
