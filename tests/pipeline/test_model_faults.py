"""A language model that is down, slow or talks nonsense: questions end in time, answered without it."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import pytest
from model_servers import ANSWER, QUESTION, SECONDS, asking, manners, serving
from protocol_server import ProtocolServer, Trouble, refusal

from connectors.errors import EndpointUnreachable
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.models.server import session
from nlq_gateway.models.server.circuit import ServerCircuit
from nlq_gateway.trace import Trace
from tests.oxigraph_store import Store

# What the answer without the model takes, and what looking at a clock now and then adds.
# For a busy machine; without its budget a question would wait ten seconds for a server that never answers.
MARGIN = 15.0
WRITERS = ("steps", "code", "decompose", "explore")
STRATEGIES = ("auto", *WRITERS, "bottom-up")
UNAVAILABLE = "model-unavailable"


def _where(trouble: Trouble, number: int) -> Sequence[str]:
    """The strategies to ask in: `auto` and another in turn, as all of them ask through one session.

    Scores, which `bottom-up` asks for, do not come as a stream.
    """
    streamed = trouble.after or trouble.each
    others = WRITERS if streamed else (*WRITERS, "bottom-up")
    return ("auto", others[number % len(others)])


def event(text: str) -> str:
    return json.dumps({"choices": [{"index": 0, "text": text, "finish_reason": "stop"}]})


PAGE = Trouble(body="<html><body>Log in</body></html>", content_type="text/html")
TROUBLES: Mapping[str, Trouble] = {
    "accepts and never answers": Trouble(wait=60),
    "drips": Trouble(each=0.4),
    "stalls in mid-stream": Trouble(after=2),
    "resets in mid-stream": Trouble(after=2, then="drop"),
    "ends in mid-stream": Trouble(after=2, then="end"),
    "a page": PAGE,
    "malformed JSON": Trouble(body='{"choices": ['),
    "malformed event": Trouble(after=1, then="{no json"),
    "an event of another shape": Trouble(after=1, then='{"choices": 7}'),
    "an error in mid-stream": Trouble(after=1, then='{"error": {"message": "out of memory"}}'),
    "no choices": Trouble(body='{"id": "x", "choices": []}'),
    "401": refusal(401, "no such key"),
    "404": refusal(404, "no such model"),
    "429 for an hour": refusal(429, "slowly", Retry_After="3600"),
    "500": refusal(500, "out of memory"),
    "503": refusal(503, "loading"),
}
DEEP = "(" * 5_000
# What is written instead of a program, and is sent whole.
TEXTS: Mapping[str, str] = {
    "nothing": "",
    "nonsense": " I am sorry, but as a model I cannot answer this.",
    "100 kB of words": " lorem ipsum" * 8_000,
    "100 kB of one step": " Find(Tom Hanks)\nStep 2: Find(Tom Hanks)\n" * 2_500,
    "a program that does not check": " Find(Tom Hanks)\nStep 2: Relate(What, Count)\nStep 3: What()",
    "a function that is none": " Obliterate(Tom Hanks)\nexpression_2 = Obliterate(expression_1)",
    "hostile names": ' Find("; DROP ALL; #)\nStep 2: Relate(?x } UNION { ?s ?p ?o, forward)\nStep 3: What()',
    "names that are IRIs": " Find(<http://x/>)\nStep 2: Relate(<http://y/> . } #, backward)\nStep 3: What()",
    "control characters": " Find(\x00\ud800\u202e)\nStep 2: Relate(\x00, forward)\nStep 3: What()",
    "a name of 100 kB": f" Find({'x' * 100_000})\nStep 2: What()",
    "brackets": f" Find{DEEP}\nexpression_2 = {DEEP}",
    "numbers": " FindAll()\nStep 2: FilterNum(duration, 1e999 minute, >)\nStep 3: What()",
    "digits": f" FindAll()\nStep 2: FilterYear(publication date, {'9' * 5_000}, >)\nStep 3: What()",
    "steps of the future": " And() <- Step 99999999, Step 2\nStep 2: What() <- Step 7",
    "sub-questions of themselves": "#1: who directed #1?\n#2: who directed #99?\n#3: which of #2 and #3?",
}


@dataclass(frozen=True)
class Asking:
    """A gateway whose question is asked."""

    gateway: Pipeline
    took: list[float] = field(default_factory=list)

    def __call__(self, strategy: str) -> Trace:
        begun = time.monotonic()
        trace = self.gateway.ask(Ask(QUESTION, strategy=strategy))
        self.took.append(time.monotonic() - begun)
        return trace


@pytest.fixture
def ask(gateway: Pipeline) -> Asking:
    return Asking(gateway)


def codes(trace: Trace) -> set[str]:
    return {warning.code for warning in trace.warnings}


def answered(ask: Asking, strategy: str, status: str = "answered") -> Trace:
    """The trace of a question that is answered in time, as it is without a model; for JSON too."""
    trace = ask(strategy)
    assert ask.took[-1] < SECONDS + MARGIN
    assert (trace.status, trace.text) == (status, ANSWER)
    assert trace.strategy not in WRITERS
    json.dumps(trace.as_json(), ensure_ascii=False, allow_nan=False).encode()
    return trace


def works(ask: Asking, strategy: str) -> None:
    """The model is asked, and what it says is listened to."""
    trace = ask(strategy)
    # The scores of this server put programs into an order that says nothing of the question.
    if strategy == "bottom-up":
        assert trace.status in ("answered", "unanswerable")
    else:
        assert (trace.status, trace.text) == ("answered", ANSWER)
    assert UNAVAILABLE not in codes(trace)
    assert trace.model_calls
    assert not any(call.failure for call in trace.model_calls)
    if strategy in ("steps", "code"):
        assert strategy in {trace.strategy, *(attempt.source for attempt in trace.attempts)}


@pytest.mark.parametrize(
    ("trouble", "strategy"),
    [
        pytest.param(trouble, strategy, id=f"{name}-{strategy}")
        for number, (name, trouble) in enumerate(TROUBLES.items())
        for strategy in _where(trouble, number)
    ],
)
def test_a_model_in_trouble(ask: Asking, trouble: Trouble, strategy: str) -> None:
    with serving(ask.gateway) as server:
        server.always = trouble
        trace = answered(ask, strategy)
        assert UNAVAILABLE in codes(trace)
        assert any(call.failure for call in trace.model_calls)
        server.always = None
        works(ask, strategy)


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_a_model_in_trouble_before_anything_is_known_of_it(ask: Asking, trouble: Trouble) -> None:
    with serving(ask.gateway, ready=False) as server:
        server.always = trouble
        assert UNAVAILABLE in codes(answered(ask, "steps"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_nobody_listens(ask: Asking, strategy: str) -> None:
    server = ProtocolServer(manners())
    server.close()
    with asking(ask.gateway, server.url):
        assert UNAVAILABLE in codes(answered(ask, strategy))
        again = ProtocolServer(server.manners, server.port)
        try:
            works(ask, strategy)
        finally:
            again.close()


@pytest.mark.parametrize("strategy", ["auto", "bottom-up"])
def test_a_port_that_accepts_and_never_answers(ask: Asking, strategy: str) -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as listener,
        asking(ask.gateway, f"http://127.0.0.1:{listener.getsockname()[1]}/v1"),
    ):
        assert UNAVAILABLE in codes(answered(ask, strategy))


def test_a_model_that_the_server_does_not_have(ask: Asking) -> None:
    server = ProtocolServer(manners())
    with asking(ask.gateway, server.url, "another"):
        trace = answered(ask, "code")
    server.close()
    assert any("another" in warning.message for warning in trace.warnings)


@pytest.mark.parametrize(
    ("text", "strategy"),
    [
        pytest.param(text, strategy, id=f"{name}-{strategy}")
        for number, (name, text) in enumerate(TEXTS.items())
        for strategy in WRITERS[number % 2 :: 2]
    ],
)
def test_what_is_written_is_no_program(ask: Asking, text: str, strategy: str) -> None:
    with serving(ask.gateway) as server:
        server.always = Trouble(after=0, then=event(text), last=True)
        # The template nearest to one of these steps finds another answer, which is told.
        is_one_step = (text, strategy) == (TEXTS["100 kB of one step"], "decompose")
        trace = answered(ask, strategy, "ambiguous" if is_one_step else "answered")
        assert any(attempt.source.startswith(strategy) and attempt.outcome for attempt in trace.attempts)


@pytest.mark.parametrize("strategy", WRITERS)
def test_a_grammar_that_is_claimed_and_ignored(ask: Asking, strategy: str) -> None:
    with serving(ask.gateway, grammar="grammar") as server:
        server.behave(grammar="", write=lambda _: "Sure! Here is what you asked for.")
        trace = answered(ask, strategy)
        assert any("grammar" in asked.body for asked in server.requests[-len(trace.model_calls) :])
        assert any(attempt.source.startswith(strategy) for attempt in trace.attempts)


def test_the_circuit_opens_and_closes(ask: Asking, monkeypatch: pytest.MonkeyPatch) -> None:
    seconds = [0.0]
    monkeypatch.setattr(session, "ServerCircuit", partial(ServerCircuit, clock=lambda: seconds[0]))
    with serving(ask.gateway) as server:
        server.always = refusal(500, "out of memory")
        for _ in range(3):
            answered(ask, "steps")
        requests = len(server.requests)
        trace = answered(ask, "steps")
        assert UNAVAILABLE in codes(trace)
        assert len(server.requests) == requests
        assert ask.gateway.model.describe()["status"] == "down"
        server.always = None
        seconds[0] = 60.0
        works(ask, "steps")
        assert ask.gateway.model.describe()["status"] == "ready"


def test_a_question_that_is_surely_answered_asks_no_model(ask: Asking) -> None:
    with serving(ask.gateway, ready=False) as server:
        server.always = refusal(500, "out of memory")
        trace = ask.gateway.ask(Ask("Who directed Pulp Fiction?"))
        assert (trace.text, trace.warnings, server.requests) == ("Quentin Tarantino", (), [])


@pytest.mark.oxigraph_server
@pytest.mark.parametrize("strategy", STRATEGIES)
@pytest.mark.parametrize("trouble", [None, refusal(500, "out of memory")], ids=["a model", "no model either"])
def test_an_outage_of_the_store_is_told(
    served: Pipeline, store: Store, strategy: str, trouble: Trouble | None
) -> None:
    if store.server is None:
        store.start()
    with serving(served) as server:
        server.always = trouble
        store.stop()
        with pytest.raises(EndpointUnreachable):
            served.ask(Ask("Who directed Vertigo and Psycho?", "kg", strategy=strategy))
