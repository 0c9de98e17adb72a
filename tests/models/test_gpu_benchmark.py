"""The benchmark of models in this process runs where there is no GPU, too."""

from __future__ import annotations

import re

import pytest

from benchmarks import gpu

pytestmark = pytest.mark.models


def test_the_tiny_model_fills_all_tables(capsys: pytest.CaptureFixture[str]) -> None:
    import torch

    torch.set_num_threads(1)
    gpu.main(["--tiny"])
    printed = capsys.readouterr().out
    assert printed.lstrip().startswith("CPU, torch")
    for what in ("prefix read anew", "prefix kept", "prefix kept, grammar"):
        rows = re.findall(
            rf"^{what} +(\d+) +\d+\.\d\d +\d+\.\d\d s +\d+\.\d\d s +\d+$", printed, re.MULTILINE
        )
        assert rows == [str(at_once) for at_once in gpu.TINY.at_once]
    assert re.search(r"^  1 at once: [+-][\d.]+%, [+-][\d.]+ ms a token$", printed, re.MULTILINE)
    assert re.search(r"^10 candidates scored: \d+ ms in one batch, \d+ ms one by one", printed, re.MULTILINE)


def test_without_a_gpu_it_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import torch

    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    gpu.main([])
    assert "no CUDA device" in capsys.readouterr().out


def test_the_tokenizer_of_the_large_model_has_its_size() -> None:
    words = gpu.words_of(gpu.LARGE)
    tokenizer = gpu.tokenizer_of(gpu.LARGE, words)
    prompt = gpu.Asker(gpu.LARGE, words).prompt()
    assert len(tokenizer) == gpu.LARGE.words
    assert len(tokenizer(prompt.prefix).input_ids) == gpu.LARGE.prefix
    assert tokenizer.decode(tokenizer(prompt.body).input_ids) == prompt.body


@pytest.mark.parametrize(
    ("latencies", "median", "slow"),
    [((3.0, 1.0, 2.0), 2.0, 3.0), ((1.0,), 1.0, 1.0), (tuple(map(float, range(1, 101))), 50.5, 95.0)],
)
def test_latencies(latencies: tuple[float, ...], median: float, slow: float) -> None:
    run = gpu.Run(1, latencies, 1.0)
    assert (run.median, run.slow) == (median, slow)
