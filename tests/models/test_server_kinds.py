"""Every kind of server is found out, asked in its own way, and its program answers the question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from model_kinds import AS_STEPS, AT_FIRST, KINDS, SECRET, running

from benchmarks.rooms import opened
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.models import Deadline
from nlq_gateway.models.opened import configured_model
from nlq_gateway.models.server import ServerModel
from nlq_gateway.models.server.findings import Findings
from nlq_gateway.settings import SAMPLE, ModelSettings, PipelineSettings
from nlq_gateway.trace import Trace

QUESTION = "Who directed Pulp Fiction?"
CHAT = "/chat/completions"
AZURE = {
    "name": "tiny",
    "headers": {"api-key": SECRET},
    "query": {"api-version": "2024-10-21"},
}


@dataclass(frozen=True)
class Expected:
    """The detected features of a kind of server."""

    grammar: str | None = None
    schema: str | None = None
    scoring: str | None = None
    thinks: bool = False
    tools: bool = False


EXPECTED = {
    "vllm": Expected("structured_outputs", scoring="prompt_logprobs"),
    "llamacpp": Expected("grammar"),
    "sglang": Expected("ebnf", scoring="echo"),
    "vllm before 0.11": Expected("guided_grammar", scoring="echo"),
    "cloud": Expected(),
    "cloud with schemas": Expected(schema="response_format"),
    "tools": Expected(schema="tools"),
    "calls": Expected(tools=True),
    "thinks aloud": Expected(thinks=True),
    "thinks beside": Expected(thinks=True),
    "thinks in secret": Expected(thinks=True),
    "azure": Expected(),
}


def settings(url: str, kind: str, **more: object) -> ModelSettings:
    keys = {"backend": "openai", "url": url, **(AZURE if kind == "azure" else {}), **more}
    return ModelSettings.model_validate(keys)


@pytest.fixture(scope="module")
def sample() -> Iterator[Pipeline]:
    with opened((SAMPLE,)) as gateway:
        yield gateway


def asked(sample: Pipeline, model: ModelSettings, strategy: str = "steps") -> tuple[Findings, Trace]:
    """The detected features, and the question's trace with that model's program alone."""
    pipeline = PipelineSettings.model_validate({"strategy": strategy, "only": True, "samples": 0})
    opened = configured_model(model)
    assert opened is not None
    gateway = Pipeline(sample.settings.model_copy(update={"pipeline": pipeline}), opened)
    gateway.endpoints = sample.endpoints
    try:
        trace = gateway.ask(Ask(QUESTION, only=True))
        server = opened._opened()
        assert isinstance(server, ServerModel)
        return server.findings(Deadline.after(30)), trace
    finally:
        opened.close()


def test_every_kind_is_expected() -> None:
    assert EXPECTED.keys() == KINDS.keys()


@pytest.mark.parametrize("kind", KINDS)
def test_a_question_is_answered(sample: Pipeline, kind: str) -> None:
    expected = EXPECTED[kind]
    with running(kind) as url:
        found, trace = asked(sample, settings(url, kind), "explore" if expected.tools else "steps")
    assert found.path == CHAT
    assert Expected(found.grammar, found.schema, found.scoring, found.thinks, found.tools) == expected
    assert (trace.status, trace.text) == ("answered", "Quentin Tarantino"), trace
    call = trace.model_calls[-1]
    assert call.sent is not None
    assert call.sent.api == "chat"
    assert call.sent.bound == (expected.grammar or expected.schema or "")
    assert call.sent.max_tokens == (4096 if expected.thinks else call.sent.max_tokens)
    assert SECRET not in repr(trace.as_json())


def test_a_model_that_calls_tools_looks_by_them(sample: Pipeline) -> None:
    with running("calls") as url:
        _, trace = asked(sample, settings(url, "calls"), "explore")
    looks = [(one.tool, one.argument.strip()) for one in trace.looks]
    assert looks == [
        ("run", f"Step 1:{AT_FIRST}"),
        ("find", "director"),
        ("describe", "Pulp Fiction"),
        ("run", f"Step 1:{AS_STEPS}"),
    ]
    assert trace.looks[-1].result.endswith("Answer: Quentin Tarantino")
    assert [call.purpose for call in trace.model_calls] == ["write", "look", "look", "look"]


def test_what_is_configured_is_sent(sample: Pipeline) -> None:
    with running("cloud") as url:
        model = settings(url, "cloud", reasoning="low", max_tokens=300, extra_body={"user": "nlq", "n": 9})
        _, trace = asked(sample, model)
    sent = trace.model_calls[-1].sent
    assert sent is not None
    assert (sent.effort, sent.max_tokens) == ("low", 300)
    assert {"logprobs", "top_k"} & set(sent.left_out)


def test_a_text_that_is_cut_in_thought_is_told_of(sample: Pipeline) -> None:
    with running("thinks beside") as url:
        pipeline = PipelineSettings.model_validate({"strategy": "steps", "samples": 0})
        opened = configured_model(settings(url, "thinks beside", max_tokens=20))
        assert opened is not None
        gateway = Pipeline(sample.settings.model_copy(update={"pipeline": pipeline}), opened)
        gateway.endpoints = sample.endpoints
        trace = gateway.ask(Ask(QUESTION))
        opened.close()
    assert trace.text == "Quentin Tarantino"
    (warning,) = (one for one in trace.warnings if one.code == "cut-in-thought")
    assert "model.max_tokens" in warning.message


def test_a_wrong_header_is_not_repeated(sample: Pipeline) -> None:
    with running("azure") as url:
        model = settings(url, "azure", headers={"api-key": "wrong-secret"}).model_copy()
        opened = configured_model(model)
        assert opened is not None
        gateway = Pipeline(sample.settings, opened)
        gateway.endpoints = sample.endpoints
        trace = gateway.ask(Ask(QUESTION, strategy="steps"))
        opened.close()
    assert trace.text == "Quentin Tarantino"
    assert "wrong-secret" not in repr(trace.as_json())
    assert "model-unavailable" in {one.code for one in trace.warnings}
