"""A model behind `transformers serve`, a real server in a process of its own."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest
from served_model import Served

from nlq_gateway.models import Capabilities, Deadline, ModelRequest, Prompt, Sampling
from nlq_gateway.models.errors import Cancelled, ModelMissing, ModelRefused, ModelTimeout, ModelUnreachable
from nlq_gateway.models.server import ServerModel
from tests.clock import promptly

pytestmark = pytest.mark.models

PROMPT = Prompt("Answer the question with a program.\n", "How many films? Step 1:")
SHORT = Sampling(max_tokens=12)
LONG = Sampling(max_tokens=7000)


@pytest.fixture(scope="module")
def process(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    from tiny_model import make_tiny_model

    served = Served(make_tiny_model(tmp_path_factory.mktemp("tiny")), tmp_path_factory.mktemp("hugging face"))
    yield served
    served.kill()


@pytest.fixture
def served(process: Served) -> Served:
    process.start()
    return process


@pytest.fixture
def model(served: Served) -> Iterator[ServerModel]:
    model = ServerModel(served.url, f"{served.folder}")
    yield model
    model.close()


def soon() -> Deadline:
    return Deadline.after(30)


def test_what_it_can_do(model: ServerModel, served: Served) -> None:
    found = model.findings()
    assert (found.model, found.path) == (f"{served.folder}", "/completions")
    # It ignores what asks for log-probabilities, refuses grammars, and takes one prompt at a time.
    assert not found.log_probabilities
    assert model.capabilities == Capabilities(grammar=False, scores=False)


def test_it_writes_the_same_again(model: ServerModel) -> None:
    first, second = (model.generate(ModelRequest(PROMPT, SHORT), soon()) for _ in range(2))
    assert first.generations == second.generations
    (generation,) = first.generations
    assert generation.text
    assert generation.log_probability is None
    assert not generation.finished
    assert first.usage.completion_tokens == generation.tokens == 12
    assert 0 < first.usage.prompt_tokens <= model.count_tokens(PROMPT.text) * 3
    assert first.request_id != second.request_id


def test_samples_without_the_parameters_that_it_refuses(model: ServerModel) -> None:
    sampling = Sampling(temperature=0.7, top_k=5, max_tokens=12)
    reply = model.generate(ModelRequest(PROMPT, sampling, samples=3), soon())
    assert len(reply.generations) == 3
    assert reply.usage.completion_tokens == 36


def test_a_text_ends_before_a_stop(model: ServerModel) -> None:
    whole = model.generate(ModelRequest(PROMPT, SHORT), soon()).generations[0].text
    stop = whole[len(whole) // 2]
    (generation,) = model.generate(
        ModelRequest(PROMPT, Sampling(max_tokens=12, stop=(stop,))), soon()
    ).generations
    assert generation.text == whole.partition(stop)[0]
    assert generation.finished


def test_a_grammar_that_it_cannot_follow_is_left_out(model: ServerModel) -> None:
    free, bound = (
        model.generate(ModelRequest(PROMPT, SHORT, grammar=grammar), soon())
        for grammar in (None, 'root ::= "x"')
    )
    assert bound.generations == free.generations


def test_a_model_that_it_does_not_have(served: Served) -> None:
    model = ServerModel(served.url, f"{served.folder}-other")
    with pytest.raises((ModelMissing, ModelRefused)):
        model.generate(ModelRequest(PROMPT), soon())
    model.close()


@pytest.mark.parametrize("how", ["deadline", "gone"])
def test_whoever_gives_up_is_free_at_once(model: ServerModel, how: str) -> None:
    model.findings()
    deadline = Deadline.after(0.5 if how == "deadline" else 60)
    if how == "gone":
        threading.Timer(0.5, deadline.gone.set).start()
    with promptly(), pytest.raises(ModelTimeout if how == "deadline" else Cancelled):
        model.generate(ModelRequest(PROMPT, LONG), deadline)
    assert model.generate(ModelRequest(PROMPT, SHORT), soon()).generations


def test_it_dies_in_the_middle_of_a_text_and_comes_back(model: ServerModel, served: Served) -> None:
    expected = model.generate(ModelRequest(PROMPT, SHORT), soon()).generations
    threading.Timer(0.5, served.kill).start()
    with pytest.raises(ModelUnreachable):
        model.generate(ModelRequest(PROMPT, LONG), soon())
    with pytest.raises(ModelUnreachable):
        model.generate(ModelRequest(PROMPT, SHORT), soon())
    served.start()
    assert model.generate(ModelRequest(PROMPT, SHORT), soon()).generations == expected
