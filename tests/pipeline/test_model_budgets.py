"""The budget of a question: the best answer so far is given, and nothing is paid twice."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping, Sequence
from itertools import count

import pytest
from model_servers import ANSWER, CODE, LINES, QUESTION, STEPS, serving, using
from protocol_server import Trouble

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.models.errors import Cancelled
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.trace import Trace
from tests.clock import PROMPT_S, promptly

SECONDS = 1.0
OTHER = " Find(Tom Hanks)\nStep 2: What()"
WRITES: Mapping[str, str] = {"steps": STEPS, "code": CODE, "decompose": LINES}
# What is wanted of the model besides a first program, which is right.
MORE: Mapping[str, Mapping[str, object]] = {"runs": {"runs": 3}, "refine": {"refine": True}}
_NUMBERS = count()


def scripted(first: str = STEPS, later: Callable[[], str] = lambda: OTHER) -> ScriptedModel:
    """A model that writes one thing, then another."""
    model = ScriptedModel(lambda _: [first if len(model.requests) == 1 else later()])
    # Replies are kept by the model's name, for longer than the model lives: its address may come again.
    model.name = f"scripted {next(_NUMBERS)}"
    return model


def ask(gateway: Pipeline, model: ScriptedModel, strategy: str = "steps", **pipeline: object) -> Trace:
    with using(gateway, OpenedModel(lambda: model, "scripted"), **pipeline):
        return gateway.ask(Ask(QUESTION, "sample", strategy=strategy))


def kept(trace: Trace, calls: int) -> None:
    """The model's first program has answered, after so many calls, and a warning says why not more."""
    assert (trace.status, trace.text, trace.strategy) == ("answered", ANSWER, "steps")
    assert "model-unavailable" in {warning.code for warning in trace.warnings}
    assert trace.usage.calls == calls


@pytest.mark.parametrize("more", MORE.values(), ids=MORE)
def test_calls(gateway: Pipeline, more: Mapping[str, object]) -> None:
    model = scripted()
    kept(ask(gateway, model, **more, budget={"calls": 1}), 1)
    assert len(model.requests) == 1


@pytest.mark.parametrize("more", MORE.values(), ids=MORE)
def test_tokens(gateway: Pipeline, more: Mapping[str, object]) -> None:
    before = scripted()
    ask(gateway, before)
    (request,) = before.requests
    enough = before.count_tokens(request.prompt.text) + request.sampling.max_tokens
    kept(ask(gateway, scripted(), **more, budget={"tokens": enough}), 1)
    nothing = ask(gateway, model := scripted(), **more, budget={"tokens": enough - 1})
    assert (nothing.text, nothing.usage.calls, model.requests) == (ANSWER, 0, [])


@pytest.mark.parametrize("more", MORE.values(), ids=MORE)
def test_seconds(gateway: Pipeline, more: Mapping[str, object]) -> None:
    def late() -> str:
        time.sleep(SECONDS)
        return OTHER

    kept(ask(gateway, scripted(later=late), **more, budget={"seconds": SECONDS}), 2)


def test_what_another_way_answers_is_told(gateway: Pipeline) -> None:
    model = scripted(" Find(Tom Hanks)\nStep 2: Count()")
    with using(gateway, OpenedModel(lambda: model, "scripted"), budget={"calls": 1}, runs=2):
        trace = gateway.ask(Ask("Who directed Pulp Fiction?", "sample", strategy="steps"))
    assert (trace.text, trace.strategy) == ("1", "steps")
    others = [warning.message for warning in trace.warnings if warning.code == "other-reading"]
    assert any("Quentin Tarantino" in message for message in others)
    assert trace.usage.calls == 1


@pytest.mark.parametrize("strategy", WRITES)
def test_the_same_question_is_asked_once(gateway: Pipeline, strategy: str) -> None:
    model = scripted(WRITES[strategy], lambda: "1")
    first = ask(gateway, model, strategy)
    requests = len(model.requests)
    again = ask(gateway, model, strategy)
    assert len(model.requests) == requests == first.usage.calls
    assert (again.usage.calls, again.usage.cached) == (0, requests)
    assert (again.text, again.program, again.confidence) == (first.text, first.program, first.confidence)


def test_what_is_kept_costs_nothing(gateway: Pipeline) -> None:
    model = scripted()
    ask(gateway, model)
    trace = ask(gateway, model, runs=2, budget={"calls": 1})
    assert (trace.usage.calls, trace.usage.cached) == (1, 1)
    assert "model-unavailable" not in {warning.code for warning in trace.warnings}


def test_failures_are_not_kept(gateway: Pipeline) -> None:
    texts: list[Sequence[str]] = [[], [STEPS]]
    model = scripted()
    model.script = lambda _: texts.pop(0)
    assert ask(gateway, model).strategy == "bottom-up"
    assert ask(gateway, model).strategy == "steps"


def test_a_model_that_is_named_otherwise_is_asked_again(gateway: Pipeline) -> None:
    ask(gateway, one := scripted())
    ask(gateway, other := scripted())
    assert one.requests == other.requests
    assert len(other.requests) == 1


@pytest.mark.parametrize("strategy", ["auto", "steps", "code", "decompose", "explore", "bottom-up"])
def test_whoever_is_gone_is_not_worked_for(gateway: Pipeline, strategy: str) -> None:
    gone = threading.Event()
    with serving(gateway) as server:
        server.always = Trouble(wait=60) if strategy == "bottom-up" else Trouble(after=2)
        asked = len(server.requests)
        threading.Thread(target=_set_once, args=(gone, lambda: len(server.requests) > asked)).start()
        with promptly(), pytest.raises(Cancelled):
            gateway.ask(Ask(QUESTION, "sample", strategy=strategy), gone)
        assert server.left.wait(PROMPT_S)
        assert len(server.requests) == asked + 1


def _set_once(event: threading.Event, ready: Callable[[], bool]) -> None:
    while not ready():
        time.sleep(0.01)
    event.set()
