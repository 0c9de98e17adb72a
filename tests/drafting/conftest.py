from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.drafts.drafter import network
from nlq_gateway.drafts.drafter.vocabulary import END, KIND_ID, WORD_ID, WORDS
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.neural import Weights, shared_weights
from nlq_gateway.settings import SAMPLE, Settings

WIDTH, INNER, LONGEST = 384, 64, 40
_MATRICES = "query key value mixed query2 key2 value2 mixed2".split()
_NORMS = ("norm_own", "norm_memory", "norm_inner")
_TOP = """from_first from_last from_item offer first_query first_key last_query last_key item_query item_key
    focus meaning joint joint_key""".split()


@pytest.fixture(scope="session")
def endpoint() -> Iterator[Endpoint]:
    """The sample graph, ready."""
    gateway = Pipeline(Settings.for_data([SAMPLE]))
    endpoint = gateway.endpoint(None)
    endpoint.prepare()
    yield endpoint
    gateway.close()


@pytest.fixture(params=[1, 2, 3], ids="seed {}".format)
def random_weights(request: pytest.FixtureRequest) -> Weights:
    """Weights of the real network's shape."""
    draw = np.random.default_rng(request.param)
    tensors = {}

    def linear(name: str, outputs: int = WIDTH, inputs: int = WIDTH) -> None:
        tensors[f"{name}.weight"] = draw.normal(0, 0.05, (outputs, inputs)).astype(np.float32)
        tensors[f"{name}.bias"] = np.zeros(outputs, np.float32)

    def norm(name: str) -> None:
        tensors[f"{name}.weight"], tensors[f"{name}.bias"] = (
            make(WIDTH, np.float32) for make in (np.ones, np.zeros)
        )

    for layer in range(2):
        for name in _MATRICES:
            linear(f"decoder.{layer}.{name}")
        linear(f"decoder.{layer}.wide", INNER)
        linear(f"decoder.{layer}.narrow", WIDTH, INNER)
        for name in _NORMS:
            norm(f"decoder.{layer}.{name}")
    for name in _TOP:
        linear(name)
    for name in ("ends", "ends_key"):
        linear(name, WIDTH, 2 * WIDTH)
    linear("to_word", len(WORDS))
    # It would hardly ever end by itself.
    tensors["to_word.bias"][[WORD_ID[END], WORD_ID["What"], WORD_ID["Count"]]] = 6.0
    norm("final_norm")
    norm("offer_norm")
    for name, rows in (("token", len(WORDS)), ("position", LONGEST), ("kind", len(KIND_ID))):
        tensors[f"{name}.weight"] = draw.normal(0, 0.5, (rows, WIDTH)).astype(np.float32)
    for name in ("query", "key", "value", "mixed"):
        linear(f"encoder.5.{name}")
    linear("encoder.5.wide", 4 * WIDTH)
    linear("encoder.5.narrow", WIDTH, 4 * WIDTH)
    norm("encoder.5.mixed_norm")
    norm("encoder.5.norm")
    return Weights(tensors)


@pytest.fixture
def untrained(random_weights: Weights) -> network.DrafterNetwork:
    """A network of the real shape whose weights are random: it may write anything that is allowed."""
    return network.DrafterNetwork.of(random_weights, shared_weights())
