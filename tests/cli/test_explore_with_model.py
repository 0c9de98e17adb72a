"""`nlq explore --model`: a server of the OpenAI protocol words the programs."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from protocol_server import Asked, Manners, ProtocolServer

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]
COMMAND = ("explore", "--data", "builtin:sample", "--workers", "1", "--programs", "12")


def write(asked: Asked) -> str:
    """A question that names the program's steps."""
    program = asked.prompt.rpartition("Program: ")[2].partition("\n")[0]
    return f" What does {program} find?\n"


@pytest.fixture
def server() -> Iterator[ProtocolServer]:
    """A model server that scores by the length of tokens."""
    running = ProtocolServer(Manners(write=write, scores="echo"))
    yield running
    running.close()


def test_programs_are_worded_by_the_model(nlq: Nlq, server: ProtocolServer, tmp_path: Path) -> None:
    out = tmp_path / "corpus.jsonl"
    done = nlq(*COMMAND, "--model", server.url, "--out", str(out))
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    worded = [line for line in lines if "by_model" in line]
    assert worded
    for line in worded:
        assert line["questions"][0].startswith("What does "), line
    assert f", {len(worded)} by the model" in done.stdout
    again = nlq(*COMMAND, "--out", str(out))
    assert again.returncode != 0
    assert "is the corpus of another graph, seed or version" in again.stderr


def test_a_model_that_is_not_there_is_said(nlq: Nlq, server: ProtocolServer, tmp_path: Path) -> None:
    server.close()
    done = nlq(*COMMAND, "--model", server.url, "--out", str(tmp_path / "corpus"))
    assert done.returncode != 0
    assert "the language model is not there" in done.stderr
    assert not (tmp_path / "corpus").exists()


def test_no_model_is_configured(nlq: Nlq, tmp_path: Path) -> None:
    done = nlq(*COMMAND, "--worded", "--out", str(tmp_path / "corpus"))
    assert done.returncode != 0
    assert "give --model WHERE" in done.stderr
