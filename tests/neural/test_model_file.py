from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from nlq_gateway.core.errors import ModelDamaged
from nlq_gateway.neural import MODEL, open_tokenizer, open_weights, shared_weights


@pytest.fixture
def small(tmp_path: Path) -> Path:
    """A matrix of int8 with its scales, a vector, and a note."""
    file = tmp_path / "small.safetensors"
    tensors = {
        "part.words": np.array([[127, -127], [1, 0], [0, 64]], np.int8),
        "part.words.scale": np.array([2, 0.5, 1], np.float32),
        "part.0.bias": np.array([0.5, 1.5], np.float16),
        "part.1.bias": np.array([3, 4], np.float32),
    }
    save_file(tensors, file, {"part.made": "by hand"})
    return file


def test_rows_stay_bytes_until_they_are_looked_up(small: Path) -> None:
    rows = open_weights(small).under("part.").rows("words")
    assert rows.values.dtype == np.int8
    assert len(rows) == 3
    found = rows[[2, 0, 2]]
    assert found.dtype == np.float32
    assert found.tolist() == [[0, 64], [254, -254], [0, 64]]
    assert rows.all().tolist() == [[254, -254], [0.5, 0], [0, 64]]


def test_tensors_are_float32_by_name(small: Path) -> None:
    weights = open_weights(small)
    part = weights.under("part.")
    assert part["words"].tolist() == [[254, -254], [0.5, 0], [0, 64]]
    assert part.under("0.")["bias"].dtype == np.float32
    assert [one["bias"].tolist() for one in part.numbered()] == [[0.5, 1.5], [3, 4]]
    assert part.notes[f"{part.prefix}made"] == "by hand"
    assert "words" in part
    assert "words" not in weights
    with pytest.raises(KeyError):
        weights["words"]


def test_a_matrix_without_scales_is_taken_as_it_is(tmp_path: Path) -> None:
    save_file({"words": np.array([[1.5, 2], [3, 4]], np.float32)}, tmp_path / "plain.safetensors")
    assert open_weights(tmp_path / "plain.safetensors").rows("words")[[1]].tolist() == [[3, 4]]


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"short",
        b"\xff" * 64,
        b"\x02\x00\x00\x00\x00\x00\x00\x00[]",
        b"\x04\x00\x00\x00\x00\x00\x00\x00null",
        b'\x0b\x00\x00\x00\x00\x00\x00\x00{"words":1}',
    ],
)
def test_a_file_that_is_no_safetensors_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "broken").write_bytes(content)
    with pytest.raises(ModelDamaged, match="broken is not a whole model file"):
        open_weights(tmp_path / "broken")


@pytest.mark.parametrize("more", [-1, -2_000_000, 1])
def test_a_file_that_was_cut_or_grew_is_refused(tmp_path: Path, more: int) -> None:
    content = MODEL.read_bytes()
    (tmp_path / "model").write_bytes(content[:more] if more < 0 else content + bytes(more))
    with pytest.raises(ModelDamaged, match="where its header says") as caught:
        open_weights(tmp_path / "model")
    assert "Install the package again" in caught.value.hint


def test_a_size_that_does_not_fit_the_shape_is_refused(small: Path) -> None:
    small.write_bytes(small.read_bytes().replace(b'"shape":[3,2]', b'"shape":[2,2]'))
    with pytest.raises(ModelDamaged, match="of the shape"):
        open_weights(small)


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelDamaged, match="No such file"):
        open_weights(tmp_path / "nothing.safetensors")


def test_a_damaged_tokenizer_is_refused(tmp_path: Path) -> None:
    (tmp_path / "tokenizer.json").write_text("{}")
    with pytest.raises(ModelDamaged, match="tokenizer"):
        open_tokenizer(8, tmp_path / "tokenizer.json")


def test_texts_are_cut() -> None:
    ids = open_tokenizer(5).encode("who directed the film of that name").ids
    assert len(ids) == 5
    assert (ids[0], ids[-1]) == (101, 102)


def test_the_shared_file_is_small_and_mapped() -> None:
    assert MODEL.stat().st_size < 60e6
    words = shared_weights().rows("words")
    assert words.values.shape == (30522, 384)
    assert words.values.dtype == np.int8
    assert not words.values.flags.writeable
