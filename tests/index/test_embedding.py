from __future__ import annotations

import threading

import numpy as np
import pytest

from nlq_gateway.index import MiniLM


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [
        # The published examples of the sentence-transformers documentation, "Quickstart".
        ("The weather is lovely today.", "It's so sunny outside!", 0.6660),
        ("The weather is lovely today.", "He drove to the stadium.", 0.1046),
        ("It's so sunny outside!", "He drove to the stadium.", 0.1411),
    ],
)
def test_similarities_are_nearly_the_published_ones(
    embedder: MiniLM, one: str, other: str, similarity: float
) -> None:
    vectors = embedder.encode([one, other])
    assert float(vectors[0] @ vectors[1]) == pytest.approx(similarity, abs=0.01)


def test_vectors_have_unit_length_and_do_not_depend_on_company(embedder: MiniLM) -> None:
    texts = ["a film", "", "directed by", "x " * 400, "Война и \ud800 мир", "💥", "a film"]
    together = embedder.encode(texts)
    assert together.shape == (7, 384)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    alone = np.concatenate([MiniLM().encode([text]) for text in texts[:4]])
    assert np.abs(alone - together[:4]).max() < 1e-5
    assert (together[0] == together[6]).all()


def test_large_calls_give_what_small_ones_give(embedder: MiniLM) -> None:
    texts = [f"label {number}" for number in range(300)]
    assert np.abs(embedder.encode(texts)[7:9] - embedder.encode(texts[7:9])).max() < 1e-5


def test_no_texts_give_no_rows(embedder: MiniLM) -> None:
    assert embedder.encode([]).shape == (0, 384)


def test_words_are_ranked_by_use(embedder: MiniLM) -> None:
    common, name = embedder.rank("film"), embedder.rank("titanic")
    assert common is not None
    assert name is not None
    assert common < name
    assert embedder.rank("chrisopher") is None


def test_the_callers_rows_are_its_own(embedder: MiniLM) -> None:
    first = embedder.encode(["mine"])
    kept = first.copy()
    first[:] = 0
    assert (embedder.encode(["mine"]) == kept).all()


def test_threads_share_a_model(embedder: MiniLM) -> None:
    expected = embedder.encode([f"text {number}" for number in range(8)])
    wrong: list[int] = []

    def work(number: int) -> None:
        for _ in range(20):
            if np.abs(embedder.encode([f"text {number}"])[0] - expected[number]).max() > 1e-5:
                wrong.append(number)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
