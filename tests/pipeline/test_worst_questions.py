"""Questions made to cost much are read in little time, and work ends for a client that has left."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest

from benchmarks.worst import KINDS, question_of
from connectors import EndpointCancelled, observing
from connectors.asking import asking
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask
from nlq_gateway.core import checkpoint
from nlq_gateway.core.errors import QuestionTimeout
from tests.clock import little_work

# Those that took a second and more, up to 29, while their reading was not linear.
DEAREST = (
    "digits",
    "quotes",
    "years",
    "ranges",
    "units",
    "classes",
    "base64",
    "different numbers",
    "different words",
    "different names",
    "different pairs",
    "different plain words",
    "different questions",
    "numbers asked",
)
QUESTION = "Which films directed by Christopher Nolan are longer than 2 hours?"


@dataclass
class Leaving:
    """A client that leaves when a piece of work begins, or ends; `ended` are those that were broken off."""

    at: str
    behind: bool = False
    gone: threading.Event = field(default_factory=threading.Event)
    begun: list[str] = field(default_factory=list)
    ended: list[str] = field(default_factory=list)

    @contextmanager
    def work(self, name: str, attributes: Mapping[str, str]) -> Iterator[None]:
        del attributes
        self.begun.append(name)
        if name == self.at and not self.behind:
            self.gone.set()
        try:
            yield
        except EndpointCancelled:
            self.ended.append(name)
            raise
        if name == self.at:
            self.gone.set()

    def headers(self) -> Mapping[str, str]:
        return {}


@contextmanager
def watching(client: Leaving) -> Iterator[None]:
    observing.watch(client)
    try:
        yield
    finally:
        observing.watch()


@pytest.mark.parametrize("kind", DEAREST)
def test_the_worst_questions_are_read_in_little_time(gateway: Pipeline, kind: str) -> None:
    gateway.ask(Ask(QUESTION))
    question = question_of(kind, gateway.settings.server.max_question)
    with little_work(2.0):
        gateway.ask(Ask(question))


def test_every_kind_fills_a_question() -> None:
    assert all(len(question_of(kind, 2_000)) == 2_000 for kind in KINDS)


@pytest.mark.parametrize("stage", ["link", "generate", "draft", "judge"])
def test_a_stage_ends_when_the_client_leaves(gateway: Pipeline, stage: str) -> None:
    client = Leaving(stage)
    with watching(client), pytest.raises(EndpointCancelled):
        gateway.ask(Ask(f"{QUESTION} {stage}"), client.gone)
    # A stage without anything to do ends by itself; none follows it.
    assert stage in client.ended or client.begun[-1] == stage


def test_an_answer_is_not_weighed_for_a_client_that_left(gateway: Pipeline) -> None:
    client = Leaving("execute", behind=True)
    with watching(client), pytest.raises(EndpointCancelled):
        gateway.ask(Ask(QUESTION), client.gone)
    assert client.begun[-1] == observing.STORE
    assert not client.ended


def test_a_question_ends_when_its_processor_time_is_spent(
    gateway: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "LEAST_MS", 0)
    with pytest.raises(QuestionTimeout) as caught:
        gateway.ask(Ask(QUESTION, timeout_ms=1))
    assert "timeout_ms" in caught.value.hint


def test_time_is_that_of_the_block_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "LEAST_MS", 0)
    with checkpoint.working(0):
        begun = time.thread_time()
        while time.thread_time() == begun:
            pass
        with pytest.raises(QuestionTimeout):
            checkpoint.checkpoint()
    checkpoint.checkpoint()


def test_items_are_given_until_the_client_leaves() -> None:
    gone = threading.Event()
    items = checkpoint.interruptible(range(9))
    with asking(gone=gone):
        assert next(items) == 0
        gone.set()
        with pytest.raises(EndpointCancelled):
            next(items)
