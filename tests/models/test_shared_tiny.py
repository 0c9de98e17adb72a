"""A real model in a process that others share writes and scores as it does in this one."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from tiny_model import make_tiny_model

from nlq_gateway.models.base import Deadline, ModelRequest, Prompt, Sampling
from nlq_gateway.models.shared import ModelProcess
from nlq_gateway.settings import ModelSettings

pytestmark = pytest.mark.models
PROMPT = Prompt("Answer the question with a program.\n", "Step 1: ")


@pytest.fixture
def process(tmp_path: Path) -> Iterator[ModelProcess]:
    folder = make_tiny_model(tmp_path)
    made = ModelProcess(ModelSettings(backend="transformers", name=str(folder), device="cpu"))
    made.look_after()
    yield made
    made.stop()


def test_it_writes_and_scores_as_in_this_process(process: ModelProcess, tmp_path: Path) -> None:
    from nlq_gateway.models.local import LocalModel

    shared, local = process.model(), LocalModel.open(str(tmp_path), "cpu")
    deadline = Deadline.after(120)
    while shared.status != "ready":
        deadline.check()
        try:
            shared.prepare()
        except Exception:
            process.look_after()
    assert (shared.name, shared.capabilities) == (local.name, local.capabilities)
    sampling = Sampling(max_tokens=20)
    (written,) = shared.generate(ModelRequest(PROMPT, sampling), deadline).generations
    (here,) = local.generate(ModelRequest(PROMPT, sampling), deadline).generations
    assert (written.text, written.tokens, written.finished) == (here.text, here.tokens, here.finished)
    # Another process adds up in another order.
    assert written.log_probability == pytest.approx(here.log_probability, abs=1e-3)
    options = ("Find(Mike Nichols)", "Count()")
    found, expected = shared.score(PROMPT, options, deadline), local.score(PROMPT, options, deadline)
    assert found.log_probabilities == pytest.approx(expected.log_probabilities, abs=1e-4)
    assert shared.count_tokens(PROMPT.text) == local.count_tokens(PROMPT.text)
    local.close()
