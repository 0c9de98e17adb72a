"""A real model with random weights, that knows nothing: all that it writes under a grammar is sound."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from importlib import resources
from pathlib import Path

import pytest
from model_servers import asking, using
from served_model import Served
from tiny_model import make_tiny_model

from compilers.kopl.check import check
from compilers.kopl.program import Program
from connectors.errors import EndpointRefusedQuery, EndpointTimeout
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.drafts.generation.reading import read
from nlq_gateway.models import Capabilities, Deadline, Model, ModelRequest, Prompt, Reply, Scores
from nlq_gateway.models.local import LocalModel
from nlq_gateway.models.opened import OpenedModel

pytestmark = pytest.mark.models

PROMPTS = Path(__file__).parents[1] / "generation" / "fixtures" / "prompts"
SAMPLE = resources.files("nlq_gateway.sample").joinpath("questions.jsonl")

QUESTIONS = [json.loads(line)["question"] for line in SAMPLE.read_text(encoding="utf-8").splitlines()]
ANSWERS = ("Quentin Tarantino", "2001: A Space Odyssey, The Shining")
# Prompts hold the card of the schema; answers are worded by template, so that each question has one text.
UNBOUND = {"budget": {"seconds": 30}, "samples": 0, "response": "template"}


@dataclass
class Listening:
    """A model whose texts are kept, with the grammar that bound them."""

    model: Model
    texts: list[tuple[str, bool, str | None]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.model.name

    @property
    def capabilities(self) -> Capabilities:
        return self.model.capabilities

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        reply = self.model.generate(request, deadline)
        self.texts += [(one.text, one.finished, request.grammar) for one in reply.generations]
        return reply

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        return self.model.score(prompt, continuations, deadline)

    def count_tokens(self, text: str) -> int:
        return self.model.count_tokens(text)

    def prepare(self, deadline: Deadline) -> None:
        self.model.prepare(deadline)

    def close(self) -> None:
        """The model is closed by the fixture."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch

    torch.set_num_threads(1)
    texts = [path.read_text(encoding="utf-8") for path in sorted(PROMPTS.glob("*.txt"))]
    return make_tiny_model(tmp_path_factory.mktemp("tiny"), texts=texts, vocabulary=3000)


@pytest.fixture(scope="module")
def local(folder: Path) -> Iterator[LocalModel]:
    model = LocalModel.open(str(folder), "cpu")
    yield model
    model.close()


@pytest.fixture
def listening(local: LocalModel) -> Listening:
    return Listening(local)


@pytest.mark.parametrize("strategy", ["steps", "code"])
def test_all_that_is_written_is_sound(gateway: Pipeline, listening: Listening, strategy: str) -> None:
    assert len(QUESTIONS) == 40
    with using(gateway, OpenedModel(lambda: listening, "tiny"), **UNBOUND):
        traces = [gateway.ask(Ask(question, "sample", strategy=strategy)) for question in QUESTIONS]
    assert len(listening.texts) == len(QUESTIONS)
    for trace, (text, finished, grammar) in zip(traces, listening.texts, strict=True):
        assert grammar is not None
        assert finished
        program = sound(text, strategy)
        assert runs(gateway, program)
        assert "model-unavailable" not in {warning.code for warning in trace.warnings}


def sound(text: str, strategy: str) -> Program:
    """The program that a text is, without repairs."""
    reading = read(text, strategy, bound=True)
    assert reading.program is not None, text
    assert (*reading.issues, *check(reading.program)) == (), text
    return reading.program


def runs(gateway: Pipeline, program: Program) -> bool:
    """True if every name is one of the graph, and the store answers or finds it too much."""
    try:
        trace = gateway.run(program, "sample", probes=False, timeout_ms=1_000)
    except (EndpointTimeout, EndpointRefusedQuery):
        return True
    return all(binding.how != "unknown" for binding in trace.bindings)


@pytest.mark.parametrize("strategy", ["steps", "code"])
def test_names_need_not_be_bound(gateway: Pipeline, listening: Listening, strategy: str) -> None:
    with using(gateway, OpenedModel(lambda: listening, "tiny"), **UNBOUND, grammar="types"):
        for question in QUESTIONS[:5]:
            gateway.ask(Ask(question, "sample", strategy=strategy))
    assert len(listening.texts) == 5
    for text, _, grammar in listening.texts:
        assert grammar is not None
        assert "directed by" not in grammar
        sound(text, strategy)


@pytest.mark.parametrize("strategy", ["steps", "code"])
def test_nothing_need_be_bound(gateway: Pipeline, listening: Listening, strategy: str) -> None:
    with using(gateway, OpenedModel(lambda: listening, "tiny"), **UNBOUND, grammar="none"):
        trace = gateway.ask(Ask(QUESTIONS[0], "sample", strategy=strategy))
    assert {grammar for _, _, grammar in listening.texts} == {None}
    # The first one, and its correction.
    assert len(listening.texts) == 2
    assert trace.text == ANSWERS[0]
    assert [attempt.how for attempt in trace.attempts if attempt.source == strategy] == [
        "greedy",
        "corrected",
    ]


@pytest.fixture(scope="module")
def process(folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    served = Served(folder, tmp_path_factory.mktemp("hugging face"))
    served.start()
    yield served
    served.kill()


@pytest.mark.parametrize("writer", ["steps", "code", "decompose", "explore"])
def test_a_real_server(gateway: Pipeline, process: Served, writer: str) -> None:
    """It follows no grammar, so that random texts are no programs: the answer is that without it."""
    process.start()
    pipeline = {"budget": {"seconds": 60}, "samples": 0}
    with asking(gateway, process.url, f"{process.folder}", **pipeline):
        trace = gateway.ask(Ask(QUESTIONS[0], "sample", strategy=writer))
        assert (trace.status, trace.text) == ("answered", ANSWERS[0])
        assert trace.warnings == ()
        assert all(call.prompt_tokens > 500 and call.completion_tokens for call in trace.model_calls)
        assert any(attempt.source.startswith(writer) for attempt in trace.attempts)
        process.kill()
        trace = gateway.ask(Ask(QUESTIONS[1], "sample", strategy=writer))
        assert trace.text == ANSWERS[1]
        assert [warning.code for warning in trace.warnings] == ["model-unavailable"]
