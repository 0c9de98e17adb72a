"""A store that goes away, hangs, and comes back, between questions."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

import pytest

from compilers.kopl.notations import NOTATIONS
from connectors.errors import EndpointTimeout, EndpointUnreachable
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.trace import Trace
from tests.oxigraph_store import Store

pytestmark = pytest.mark.oxigraph_server

PROGRAM = NOTATIONS["chain"].read("Find(Alfred Hitchcock)->Relate(directed by, backward)->What()")
WAYS: dict[str, Callable[[Pipeline], Trace]] = {
    "ask": lambda gateway: gateway.ask(Ask("Which films did Alfred Hitchcock direct?", "kg")),
    "ask anew": lambda gateway: gateway.ask(Ask("Which films star Joaquin Phoenix?", "kg")),
    "run": lambda gateway: gateway.run(PROGRAM, "kg"),
}


@pytest.fixture
def up(served: Pipeline, store: Store) -> Pipeline:
    if store.server is None:
        store.start()
    trace = WAYS["ask"](served)
    assert trace.answer is not None
    assert set(trace.answer.strings) == {"Psycho", "The Birds"}
    return served


@pytest.mark.parametrize("way", WAYS)
def test_a_store_that_dies_is_no_empty_answer(up: Pipeline, store: Store, way: str) -> None:
    store.stop()
    with pytest.raises(EndpointUnreachable) as caught:
        WAYS[way](up)
    assert caught.value.retryable
    assert up.ask(Ask("How long is the Nile?", "sample")).text == "6650 kilometres"


def test_a_store_that_comes_back_answers_again(up: Pipeline, store: Store) -> None:
    store.stop()
    with pytest.raises(EndpointUnreachable):
        WAYS["run"](up)
    store.start()
    assert WAYS["run"](up).status == "answered"


@pytest.mark.parametrize("way", ["ask", "run"])
def test_a_store_that_hangs_is_no_empty_answer(up: Pipeline, store: Store, way: str) -> None:
    assert store.server is not None
    store.server.send_signal(signal.SIGSTOP)
    # It may answer until it has stopped.
    assert os.WIFSTOPPED(os.waitpid(store.server.pid, os.WUNTRACED)[1])
    try:
        with pytest.raises(EndpointTimeout) as caught:
            WAYS[way](up)
        assert caught.value.retryable
    finally:
        store.server.send_signal(signal.SIGCONT)
