from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from benchmarks.published import published_encoder, read_encoder
from nlq_gateway.neural import MODEL, open_weights
from training.pack import main, pack, quantise, read_part, stored


def test_a_row_is_off_by_half_a_step_at_most() -> None:
    matrix = np.random.default_rng(1).standard_normal((50, 384)).astype(np.float32)
    values, scales = quantise(matrix)
    assert values.dtype == np.int8
    assert np.abs(values).max(axis=1).tolist() == [127] * 50
    off = np.abs(values * scales[:, None] - matrix)
    assert (off <= scales[:, None] * 0.5001).all()


def test_what_is_learned_in_small_steps_is_kept() -> None:
    """Many entries move by a tenth of a step; of these, rounding to the nearest keeps none."""
    given = np.random.default_rng(1).integers(-100, 100, (50, 384)).astype(np.float32)
    given[:, 0] = 127
    learned = given + np.float32(0.1)
    learned[:, 0] = 127
    values, scales = quantise(learned, np.random.default_rng(2))
    moved = (values * scales[:, None] - given)[:, 1:]
    assert moved.mean() == pytest.approx(0.1, abs=0.01)
    assert (quantise(learned)[0][:, 1:] == given[:, 1:]).all()


def test_a_matrix_that_stays_is_not_rounded_again() -> None:
    values, scales = quantise(np.random.default_rng(1).standard_normal((50, 384)).astype(np.float32))
    again, _ = quantise(values * scales[:, None], np.random.default_rng(2))
    assert (again != values).mean() < 0.01


def test_a_row_of_zeros_stays_zero() -> None:
    values, scales = quantise(np.zeros((2, 3), np.float32))
    assert (values * scales[:, None] == 0).all()


def test_vectors_stay_float32_and_matrices_become_bytes() -> None:
    found = stored({"m": np.ones((2, 2), np.float32), "v": np.ones(2, np.float16)})
    assert {name: str(tensor.dtype) for name, tensor in found.items()} == {
        "m": "int8",
        "m.scale": "float32",
        "v": "float32",
    }


def test_a_part_goes_under_its_prefix(tmp_path: Path) -> None:
    save_file({"wide.weight": np.eye(2, dtype=np.float32)}, tmp_path / "d.safetensors", {"words": "a b"})
    tensors, notes = read_part("drafter.", tmp_path / "d.safetensors")
    assert (list(tensors), notes) == (["drafter.wide.weight"], {"drafter.words": "a b"})
    (tmp_path / "r.json").write_text('{ "length": -0.5 }')
    assert read_part("judge.", tmp_path / "r.json") == ({}, {"judge.json": '{"length":-0.5}'})


def test_another_encoder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.safetensors").write_bytes(b"something else")
    with pytest.raises(ValueError, match="SHA-256"):
        read_encoder(tmp_path)


def test_the_file_holds_the_encoder_and_what_was_trained(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    encoder = published_encoder()
    if encoder is None:
        pytest.skip("the published encoder is not installed (training/requirements.txt)")
    save_file({"wide.weight": np.eye(2, dtype=np.float32)}, tmp_path / "d.safetensors", {"words": "a b"})
    main(["--drafter", str(tmp_path / "d.safetensors"), "--out", str(tmp_path / "model")])
    assert capsys.readouterr().out.endswith("22.9 MB\n")
    made, packaged = open_weights(tmp_path / "model"), open_weights(MODEL)
    assert made["drafter.wide.weight"].tolist() == [[1, 0], [0, 1]]
    assert made.notes["drafter.words"] == "a b"
    assert (made.rows("words").values == packaged.rows("words").values).all()
    pack(encoder, {}, tmp_path / "model")
    assert open_weights(tmp_path / "model")["drafter.wide.weight"].tolist() == [[1, 0], [0, 1]]
    pack(encoder, {}, tmp_path / "another")
    assert "drafter.wide.weight" not in open_weights(tmp_path / "another")
    save_file({"wide.weight": np.zeros((2, 2), np.float32)}, tmp_path / "onward.safetensors")
    pack(encoder, {"drafter.": tmp_path / "onward.safetensors"}, tmp_path / "model", share=0.25)
    assert open_weights(tmp_path / "model")["drafter.wide.weight"].tolist() == [[0.75, 0], [0, 0.75]]
