"""`nlq explore` as people run it, over the sample graph."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]
SAMPLE = ("--data", "builtin:sample")


def test_a_corpus_and_its_report(nlq: Nlq, tmp_path: Path) -> None:
    out, report = tmp_path / "corpus.jsonl", tmp_path / "report.json"
    files = ("--out", str(out), "--report", str(report))
    done = nlq("explore", *SAMPLE, "--programs", "40", "--workers", "1", *files)
    assert done.returncode == 0, done.stderr
    told = dict(line.split("  ", 1) for line in done.stdout.splitlines())
    assert told["corpus"].strip() == str(out)
    assert told["programs"].strip().startswith("40,")
    written = json.loads(report.read_text())
    assert written["programs"] == 40
    assert written["stopped"] == "programs"
    assert written["coverage"]["relations forward"]["of"] == 34
    assert sum(written["relations_per_program"].values()) == 40
    assert len(out.read_text().splitlines()) == 40


def test_a_complete_corpus_is_only_reported_on(nlq: Nlq, tmp_path: Path) -> None:
    command = ("explore", *SAMPLE, "--programs", "20", "--workers", "1", "--out", str(tmp_path / "corpus"))
    first = nlq(*command)
    before = (tmp_path / "corpus").read_bytes()
    again = nlq(*command)
    assert again.returncode == 0, again.stderr
    assert again.stdout == first.stdout
    assert (tmp_path / "corpus").read_bytes() == before


def test_without_a_file_the_corpus_is_the_endpoint_s_own(
    nlq: Nlq, environment: dict[str, str], own_cache: Path
) -> None:
    here = {**environment, "NLQ_CACHE": str(own_cache)}
    done = nlq("explore", *SAMPLE, "--programs", "10", "--workers", "1", env=here)
    assert done.returncode == 0, done.stderr
    file = own_cache / "endpoints" / "sample" / "corpus.jsonl"
    assert len(file.read_text().splitlines()) == 10


@pytest.mark.parametrize(
    "wrong",
    [
        ("--programs", "0"),
        ("--workers", "2", "--scheduler", "tcp://127.0.0.1:1"),
        ("--scheduler", "nowhere://127.0.0.1:1"),
    ],
)
def test_wrong_usage(nlq: Nlq, tmp_path: Path, wrong: tuple[str, ...]) -> None:
    done = nlq("explore", *SAMPLE, "--out", str(tmp_path / "corpus"), *wrong)
    assert done.returncode == 2
    assert done.stderr
