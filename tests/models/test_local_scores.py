"""Scores are the log-probabilities that a plain forward pass gives, and how tokens are drawn from such."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from tiny_model import make_tiny_model

from nlq_gateway.models import Deadline, ModelRequest, Prompt, Sampling, choose
from nlq_gateway.models.errors import ModelRefused
from nlq_gateway.models.local import LocalModel

pytestmark = pytest.mark.models

PREFIX = "Answer the question with a program. A program has one step on each line.\n" * 3
PROMPTS = (
    Prompt(PREFIX, "Which films?\n"),
    Prompt("", "Which films?\n"),
    Prompt("", "x"),
    Prompt(PREFIX, ""),
)
CONTINUATIONS = (
    "film",
    "directed by",
    "",
    "the duration of the longest film that Mike Nichols directed",
    "日本",
    "Find",
    "Find",
    "f",
    "publication date",
    "Count()",
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    import torch

    torch.set_num_threads(1)
    return make_tiny_model(tmp_path_factory.mktemp("tiny"))


@pytest.fixture(scope="module")
def model(folder: Path) -> Iterator[LocalModel]:
    model = LocalModel.open(str(folder), "cpu", rows=4)
    yield model
    model.close()


@pytest.mark.parametrize("prompt", PROMPTS, ids=["prefix", "body", "one token", "prefix alone"])
def test_scores_are_those_of_a_plain_pass(folder: Path, model: LocalModel, prompt: Prompt) -> None:
    import torch
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(folder)
    network = AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)
    before = [one for part in (prompt.prefix, prompt.body) for one in tokenizer(part).input_ids]
    scores = model.score(prompt, CONTINUATIONS, Deadline.after(60))
    for text, found, count in zip(CONTINUATIONS, scores.log_probabilities, scores.tokens, strict=True):
        tokens = tokenizer(text).input_ids
        assert count == len(tokens)
        with torch.inference_mode():
            likely = network(torch.tensor([before + tokens])).logits[0].log_softmax(-1)
        wanted = sum(float(likely[len(before) + at - 1, token]) for at, token in enumerate(tokens))
        assert found == pytest.approx(wanted, abs=1e-3)
    assert scores.usage.prompt_tokens == len(before) + sum(scores.tokens)


def test_scores_beside_texts_that_are_being_written(model: LocalModel) -> None:
    alone = model.score(PROMPTS[0], CONTINUATIONS, Deadline.after(60))
    request = ModelRequest(PROMPTS[0], Sampling(max_tokens=60))
    text = model.generate(request, Deadline.after(60))
    with ThreadPoolExecutor(6) as pool:
        texts = [pool.submit(model.generate, request, Deadline.after(60)) for _ in range(3)]
        scores = [pool.submit(model.score, PROMPTS[0], CONTINUATIONS, Deadline.after(60)) for _ in range(3)]
    assert all(one.result().generations[0].text == text.generations[0].text for one in texts)
    for one in scores:
        assert one.result().log_probabilities == pytest.approx(alone.log_probabilities, abs=1e-4)


def test_a_written_token_has_the_probability_that_is_scored(model: LocalModel) -> None:
    sampling = Sampling(temperature=1.0, max_tokens=1, seed=1)
    written = model.generate(ModelRequest(PROMPTS[0], sampling, samples=12), Deadline.after(60)).generations
    whole = [one for one in written if one.text and "\ufffd" not in one.text]
    scores = model.score(PROMPTS[0], [one.text for one in whole], Deadline.after(60))
    assert set(scores.tokens) == {1}
    assert scores.log_probabilities == pytest.approx([one.log_probability for one in whole], abs=1e-3)


def test_a_choice_by_scores(model: LocalModel) -> None:
    choice = choose(model, PROMPTS[0], ["film", "directed by", "duration"], Deadline.after(60))
    assert choice is not None
    assert sum(choice.probabilities) == pytest.approx(1)
    assert choice.probabilities[choice.best] == max(choice.probabilities)


def test_nothing_to_score(model: LocalModel) -> None:
    assert model.score(PROMPTS[0], [], Deadline.after(60)).log_probabilities == ()
    assert model.score(PROMPTS[0], ["", ""], Deadline.after(60)).log_probabilities == (0.0, 0.0)


def test_a_continuation_that_is_too_long_is_refused(model: LocalModel) -> None:
    with pytest.raises(ModelRefused, match="reads at most"):
        model.score(PROMPTS[0], ["film", "x1" * 16384], Deadline.after(60))


@pytest.mark.parametrize(
    ("temperature", "top_k", "wanted"),
    [
        (1.0, 0, {0: 0.5, 1: 0.25, 3: 0.25}),
        (0.5, 0, {0: 4 / 6, 1: 1 / 6, 3: 1 / 6}),
        (1.0, 1, {0: 1.0}),
        (0.0, 0, {0: 1.0}),
        (1.0, 99, {0: 0.5, 1: 0.25, 3: 0.25}),
    ],
)
def test_tokens_are_drawn_by_their_shares(temperature: float, top_k: int, wanted: Any) -> None:
    """Chances that lie evenly between 0 and 1 draw each token as often as its probability is."""
    import torch

    from nlq_gateway.models.local.drawing import Draw, drawn

    many = 600
    logits = torch.tensor([0.5, 0.25, 0.0, 0.25]).log().expand(many, 4)
    found = drawn(logits, [Draw(temperature, top_k, row / many) for row in range(many)])
    counts = Counter(token for token, _ in found)
    assert set(counts) == set(wanted)
    for token, share in wanted.items():
        assert counts[token] / many == pytest.approx(share, abs=2 / many)
    assert all(logarithm == pytest.approx(float(logits[0, token]), abs=1e-6) for token, logarithm in found)


def test_rows_are_drawn_by_their_own_rules() -> None:
    import torch

    from nlq_gateway.models.local.drawing import Draw, drawn

    logits = torch.tensor([[0.4, 0.3, 0.2, 0.1]]).log().expand(4, 4)
    draws = [Draw(0.0, 0, 0.0), Draw(1.0, 2, 0.999), Draw(1.0, 0, 0.999), Draw(1.0, 3, 0.999)]
    assert [token for token, _ in drawn(logits, draws)] == [0, 1, 3, 2]
