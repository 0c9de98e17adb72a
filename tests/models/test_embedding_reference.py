"""The embedding in numpy against sentence-transformers with the same weights."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest

from nlq_gateway.index import MiniLM
from nlq_gateway.index.weights import find_model

pytestmark = pytest.mark.models

# Measured: 2.5e-7 on these texts.
TOLERANCE = 1e-5
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


def test_vectors_equal_those_of_sentence_transformers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    from sentence_transformers import SentenceTransformer

    reference = SentenceTransformer(str(find_model()), device="cpu")
    assert reference.max_seq_length == 256
    asked = texts()
    assert len(asked) == 50
    expected = np.asarray(reference.encode(asked, normalize_embeddings=True, show_progress_bar=False))
    found = MiniLM(cache=tmp_path).encode(asked)
    assert found.shape == expected.shape == (50, 384)
    assert float(np.abs(found - expected).max()) < TOLERANCE
    assert float((found * expected).sum(axis=1).min()) > 1 - TOLERANCE
