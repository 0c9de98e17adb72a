"""`nlq eval` in processes, as a page, and interrupted."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from typing import Any

import pytest

from tests.clock import until

SAMPLE = ("--data", "builtin:sample")
SECONDS = 120
MANY = 20

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]
Written = Callable[[str, object], str]


@pytest.fixture
def questions(written: Written) -> str:
    """A few questions, one of them answered wrong."""
    question = "Who directed Pulp Fiction?"
    records = [
        {"id": "a-1", "question": question, "answers": ["Quentin Tarantino"]},
        {"id": "b-1", "question": question, "answers": ["<somebody else>"], "topic": ["The Shining"]},
    ]
    return written("questions.jsonl", records)


def timeless(text: str) -> dict[str, Any]:
    return {key: part for key, part in json.loads(text).items() if key != "latency_ms"}


def test_more_processes_give_the_same_report(nlq: Nlq, questions: str) -> None:
    one = nlq("eval", *SAMPLE, "--questions", questions, "--json")
    two = nlq("eval", *SAMPLE, "--questions", questions, "--json", "--workers", "2")
    assert (one.returncode, two.returncode) == (0, 0), two.stderr
    assert timeless(one.stdout) == timeless(two.stdout)
    assert json.loads(two.stdout)["error_table"]["linking"] == 1


def test_the_report_as_a_page(nlq: Nlq, questions: str, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    done = nlq("eval", *SAMPLE, "--questions", questions, "--html", str(page))
    assert done.returncode == 0, done.stderr
    text = page.read_text(encoding="utf-8")
    assert text.startswith("<!doctype html>")
    assert "&lt;somebody else&gt;" in text
    assert "<bdi>questions.jsonl</bdi>" in text


def test_what_cannot_be_is_refused(nlq: Nlq, questions: str) -> None:
    for flags, said in (
        (("--workers", "2", "--scheduler", "tcp://127.0.0.1:1"), "not allowed with"),
        (("--workers", "0"), "from 1 on"),
        (("--html", "/no/x"), "/no/x cannot be written"),
    ):
        done = nlq("eval", *SAMPLE, "--questions", questions, *flags)
        assert (done.returncode, done.stdout) == (2, "")
        assert said in done.stderr


@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupt_reports_what_was_measured(
    environment: dict[str, str], workers: str, tmp_path: Path
) -> None:
    sample = (resources.files("nlq_gateway.sample") / "questions.jsonl").read_text(encoding="utf-8")
    (tmp_path / "many.jsonl").write_text(sample * MANY, encoding="utf-8")
    command = ["eval", *SAMPLE, "--questions", str(tmp_path / "many.jsonl"), "--json", "--workers", workers]
    with (tmp_path / "stderr").open("w") as stderr:
        running = subprocess.Popen(
            [sys.executable, "-m", "nlq_gateway", *command],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=stderr,
            text=True,
            start_new_session=True,
        )
        _wait_for_some(tmp_path / "stderr")
        # A terminal sends it to every process of the group.
        os.killpg(running.pid, signal.SIGINT)
        printed, _ = running.communicate(timeout=SECONDS)
    said = (tmp_path / "stderr").read_text(encoding="utf-8")
    assert running.returncode == 130, said
    total = MANY * sample.count("\n")
    found = re.search(rf"interrupted after (\d+) of {total}", said)
    assert found
    assert 0 < json.loads(printed)["n"] <= int(found[1]) < total
    assert "Traceback" not in said


def _wait_for_some(stderr: Path) -> None:
    until(lambda: re.search(r" [1-9]\d*/", stderr.read_text(encoding="utf-8")))
