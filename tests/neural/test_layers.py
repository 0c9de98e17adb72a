from __future__ import annotations

import math

import numpy as np
import pytest

from nlq_gateway.neural import Array, Encoder, attend, gelu, run_layers, runs_of, shared_encoder

TEXTS = [[101, 2073, 102], [101, 2040, 102], [101, 2856, 2011, 2054, 102]]


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


def test_states_do_not_depend_on_company() -> None:
    encoder = shared_encoder()
    together = encoder(TEXTS)
    assert together.shape == (11, 384)
    assert together[6:] == pytest.approx(encoder(TEXTS[2:]), abs=1e-5)


@pytest.mark.parametrize("shared", [0, 2, 6])
def test_other_layers_go_on_from_shared_ones(shared: int) -> None:
    encoder = shared_encoder()
    states = run_layers(encoder(TEXTS, shared), encoder.layers[shared:], runs_of(TEXTS))
    assert _equal(states, encoder(TEXTS))


def test_one_encoder_is_loaded_a_process() -> None:
    assert shared_encoder() is shared_encoder()
    assert isinstance(shared_encoder(), Encoder)
    assert len(shared_encoder().layers) == 6


def _equal(one: Array, other: Array) -> bool:
    return one.shape == other.shape and bool((one == other).all())
