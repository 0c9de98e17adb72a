from __future__ import annotations

import math
import os
from collections.abc import Sequence

import numpy as np
import pytest

from nlq_gateway.neural import (
    Array,
    Encoder,
    FirstEncoders,
    LinearGraph,
    Session,
    Weights,
    gelu,
    runtime,
    shared_encoder,
    shared_weights,
)
from nlq_gateway.neural.encoder import layers_of, runs_of
from nlq_gateway.neural.layers import attend
from nlq_gateway.neural.processor import multiplies_bytes
from nlq_gateway.neural.stack import NumpyStack, OnnxStack

TEXTS = [[101, 2073, 102], [101, 2040, 102], [101, 2856, 2011, 2054, 102]]
MIXED = [TEXTS[2], TEXTS[0], [101, 102], TEXTS[1]]


@pytest.fixture(scope="module", params=["numpy", "onnxruntime"])
def encoder(request: pytest.FixtureRequest) -> Encoder:
    """The package's own, run by each of what may run it."""
    return _encoder(request.param)


def _encoder(name: str) -> Encoder:
    if name == "onnxruntime" and runtime() is None:
        pytest.skip("onnxruntime has no wheel here")
    return Encoder.of(shared_weights(), run_by={"numpy": NumpyStack.of, "onnxruntime": OnnxStack.of}[name])


def test_gelu_is_the_exact_one() -> None:
    x = np.linspace(-9, 9, 50_001, dtype=np.float32).reshape(-1, 3)
    exact = np.array([value * (1 + math.erf(value / math.sqrt(2))) / 2 for value in x.ravel().tolist()])
    assert np.abs(gelu(x).ravel() - exact).max() < 1e-6


def test_runs_are_stretches_of_one_length() -> None:
    assert runs_of(TEXTS) == ((slice(0, 6), 3), (slice(6, 11), 5))
    assert runs_of([]) == ()


def test_attention_stays_inside_a_text() -> None:
    draw = np.random.default_rng(3)
    query, key, value = (draw.standard_normal((11, 24)).astype(np.float32) for _ in range(3))
    together = attend(query, key, value, runs_of(TEXTS), heads=2)
    alone = attend(query[6:], key[6:], value[6:], [(slice(0, 5), 5)], heads=2)
    assert together[6:] == pytest.approx(alone, abs=1e-6)


def test_states_do_not_depend_on_company(encoder: Encoder) -> None:
    together = encoder(TEXTS)
    assert together.shape == (11, 384)
    assert together[6:] == pytest.approx(encoder(TEXTS[2:]), abs=1e-5)


def test_texts_come_back_in_their_order(encoder: Encoder) -> None:
    alone = np.stack([encoder([text]).mean(axis=0) for text in MIXED])
    assert encoder.means(MIXED) == pytest.approx(alone, abs=1e-5)
    assert encoder.means([]).shape == (0, 384)


@pytest.mark.parametrize("depth", [2, 4])
def test_first_tokens_are_those_of_all(depth: int, encoder: Encoder) -> None:
    shared, run_by = shared_weights(), type(encoder.stack).of
    encoder = Encoder.of(shared, depth=depth, run_by=run_by)
    firsts = FirstEncoders.of([(shared, depth), (shared, depth + 1)], shared, depth - 1, run_by)
    (found,) = firsts(MIXED, (0,))
    assert found == pytest.approx(np.stack([encoder([text])[0] for text in MIXED]), abs=1e-4)
    assert [one.shape for one in firsts([], (0, 1))] == [(0, 384), (0, 384)]
    deeper, same = firsts(MIXED, (1, 0))
    assert same == pytest.approx(found, abs=1e-6)
    deeper_encoder = Encoder.of(shared, depth=depth + 1, run_by=run_by)
    assert deeper == pytest.approx(np.stack([deeper_encoder([text])[0] for text in MIXED]), abs=1e-4)


def test_many_texts_go_through_in_batches(encoder: Encoder) -> None:
    texts = [[101, *([2040] * (number % 30)), 102] for number in range(200)]
    found = encoder.means(texts)
    assert found[[0, 59, 199]] == pytest.approx(encoder.means([texts[at] for at in (0, 59, 199)]), abs=1e-5)


def test_both_run_the_same_network() -> None:
    texts = [[101, *range(2000, 2000 + length), 102] for length in (1, 1, 4, 12, 60)]
    one, other = (_encoder(name).means(texts) for name in ("numpy", "onnxruntime"))
    assert _least_cosine(one, other) > 0.998


def test_without_products_of_bytes_the_states_are_those_of_numpy(monkeypatch: pytest.MonkeyPatch) -> None:
    if runtime() is None:
        pytest.skip("onnxruntime has no wheel here")
    monkeypatch.setattr("nlq_gateway.neural.stack.new_graph", lambda: LinearGraph(int8=False))
    assert _encoder("onnxruntime")(TEXTS) == pytest.approx(_encoder("numpy")(TEXTS), abs=1e-4)


@pytest.mark.skipif(
    runtime() is None or not multiplies_bytes(), reason="onnxruntime has no wheel, or bytes overflow here"
)
def test_products_of_bytes_are_nearly_those_of_float32() -> None:
    draw = np.random.default_rng(5)
    x = draw.standard_normal((40, 64)).astype(np.float32)
    x[:, [3, 17]] *= 50
    tensors = {
        "weight": draw.integers(-127, 127, (96, 64), np.int8),
        "weight.scale": draw.random(96, np.float32) / 100,
        "bias": draw.standard_normal(96).astype(np.float32),
    }
    weights = Weights({**tensors, "exact": np.array([3, 17])})
    graph = LinearGraph()
    graph.output(graph.linear(graph.input("x", ("rows", 64)), weights), "y", ("rows", 96))
    found = Session(graph.model)(["y"], {"x": x})[0]
    expected = x @ weights["weight"].T + weights["bias"]
    # With one scale for all channels the large ones would leave the others a few steps each.
    assert np.abs(found - expected).max() / np.abs(expected).max() < 0.004


@pytest.mark.skipif(runtime() is None, reason="onnxruntime has no wheel here")
def test_a_product_that_overflows_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    overflowing = [np.full((8, 8), (2**15 - 1) / 2 * 128, np.float32)]
    monkeypatch.setattr("nlq_gateway.neural.processor.Session", lambda _: lambda *_: overflowing)
    assert not multiplies_bytes.__wrapped__()


def test_unrounded_weights_give_the_same_states() -> None:
    dense = Weights(
        {name: shared_weights()[name] for name in shared_weights().tensors if "scale" not in name}
    )
    if runtime() is None:
        pytest.skip("onnxruntime has no wheel here")
    one, other = (Encoder.of(dense, run_by=run_by)(TEXTS) for run_by in (NumpyStack.of, OnnxStack.of))
    assert one == pytest.approx(other, abs=1e-4)


@pytest.mark.parametrize("own", [0, 2, 6])
@pytest.mark.parametrize("depth", [1, 4, None])
def test_an_encoder_stands_upon_the_layers_of_another(own: int, depth: int | None, encoder: Encoder) -> None:
    shared, run_by = shared_weights(), type(encoder.stack).of
    taken = [f"encoder.{number}." for number in range(own, 6)]
    part = Weights({f"part.{n}": t for n, t in shared.tensors.items() if n.startswith(tuple(taken))})
    found = Encoder.of(part.under("part."), shared, depth, run_by)
    assert _equal(found(TEXTS), Encoder.of(shared, depth=depth, run_by=run_by)(TEXTS))
    assert len(list(layers_of(part.under("part."), shared))) == 6


def test_a_process_that_was_forked_runs_it_too(encoder: Encoder) -> None:
    expected = encoder(TEXTS)
    child = os.fork()
    if child == 0:
        os._exit(0 if _equal(encoder(TEXTS), expected) else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_one_encoder_is_loaded_a_process() -> None:
    assert shared_encoder() is shared_encoder()
    assert isinstance(shared_encoder(), Encoder)


def _least_cosine(one: Array, other: Array) -> float:
    norms: Sequence[Array] = [np.linalg.norm(x, axis=1) for x in (one, other)]
    return float(((one * other).sum(axis=1) / (norms[0] * norms[1])).min())


def _equal(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool((one == other).all())
