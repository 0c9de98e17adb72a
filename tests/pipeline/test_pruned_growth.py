"""The model prunes programs that the reasoner grows, if the settings say so."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from protocol_server import Manners, ProtocolServer

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.attempt import Ask
from nlq_gateway.models import ModelRequest, Prompt
from nlq_gateway.models.errors import ModelBusy
from nlq_gateway.models.opened import OpenedModel
from nlq_gateway.models.server import ServerModel
from nlq_gateway.trace import Trace
from tests.pipeline.scripted_gateway import modelled

QUESTION = "Which films did the director of Pulp Fiction make?"


def asked(gateway: Pipeline, model: ScriptedModel, **pipeline: object) -> Trace:
    return modelled(gateway, model, **pipeline).ask(Ask(QUESTION, "sample", strategy="bottom-up", guess=True))


def disliking(words: str) -> ScriptedModel:
    """A model that finds programs with these words improbable."""

    def prefer(_: Prompt, text: str) -> float:
        return -100.0 if words in text else -0.1 * len(text)

    return ScriptedModel(lambda _: pytest.fail("asked to write"), prefer)


def test_what_the_model_leaves_out_does_not_grow(gateway: Pipeline) -> None:
    plain = gateway.ask(Ask(QUESTION, "sample", strategy="bottom-up", guess=True))
    left_out = {one.program for one in plain.attempts if "directed by" in one.program}
    assert left_out
    pruned = asked(gateway, disliking("directed by"), prune=True)
    assert "prune" in {call.purpose for call in pruned.model_calls}
    assert pruned.attempts
    assert "directed by" not in pruned.attempts[0].program
    assert left_out.isdisjoint(one.program for one in pruned.attempts)


def test_by_default_nothing_is_pruned(gateway: Pipeline) -> None:
    trace = asked(gateway, disliking("directed by"))
    assert "prune" not in {call.purpose for call in trace.model_calls}


def test_a_model_without_scores_is_asked_for_numbers(gateway: Pipeline) -> None:
    def script(request: ModelRequest) -> list[str]:
        listed = (line.partition(". ") for line in request.prompt.body.splitlines())
        return [", ".join(number for number, _, program in listed if "award received" not in program)]

    plain = gateway.ask(Ask(QUESTION, "sample", strategy="bottom-up", guess=True))
    model = ScriptedModel(script)
    trace = asked(gateway, model, prune=True)
    assert {request.grammar for request in model.requests} == {None}
    assert (trace.status, trace.text) == (plain.status, plain.text)


def test_a_model_that_fails_costs_a_warning(gateway: Pipeline) -> None:
    def busy(_: ModelRequest) -> list[str]:
        raise ModelBusy("too much to do")

    plain = gateway.ask(Ask(QUESTION, "sample", strategy="bottom-up", guess=True))
    trace = asked(gateway, ScriptedModel(busy), prune=True)
    assert [warning.code for warning in trace.warnings].count("model-unavailable") == 1
    assert trace.text == plain.text


@pytest.fixture
def server() -> Iterator[ProtocolServer]:
    """A model server that scores by the length of tokens."""
    running = ProtocolServer(Manners(scores="echo"))
    yield running
    running.close()


def test_pruning_by_a_server_of_the_protocol(gateway: Pipeline, server: ProtocolServer) -> None:
    model = OpenedModel(lambda: ServerModel(server.url, None, ""), server.url)
    made = modelled(gateway, disliking(""), prune=True)
    made.model = model
    trace = made.ask(Ask(QUESTION, "sample", strategy="bottom-up", guess=True))
    model.close()
    pruning = [call for call in trace.model_calls if call.purpose == "prune"]
    assert pruning
    assert not any(call.failure for call in pruning)
    assert any(
        " What" not in asked.prompt[0] for asked in server.asked("/completions") if "echo" in asked.body
    )
