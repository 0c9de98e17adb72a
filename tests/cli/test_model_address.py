"""`nlq ask --model`: a real server of the protocol."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable

import pytest
from model_servers import ANSWER, QUESTION, manners
from protocol_server import ProtocolServer

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]
SOURCE = ("--data", "builtin:sample")


@pytest.mark.parametrize("strategy", ["steps", "code", "decompose", "explore"])
def test_a_model_that_answers(nlq: Nlq, strategy: str) -> None:
    server = ProtocolServer(manners())
    try:
        done = nlq("ask", "--json", *SOURCE, "--model", server.url, "--strategy", strategy, QUESTION)
    finally:
        server.close()
    trace = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert trace["answer"]["text"] == ANSWER
    assert any(attempt["source"].startswith(strategy) for attempt in trace["attempts"])
    assert trace["model"] == f"{server.manners.models[0]} at {server.url}"
    assert trace["usage"]["calls"] == len(trace["model_calls"]) > 0


def test_a_model_that_is_away(nlq: Nlq) -> None:
    done = nlq("ask", *SOURCE, "--model", "http://127.0.0.1:1/v1", "--strategy", "steps", QUESTION)
    assert done.returncode == 0
    assert done.stdout.startswith(ANSWER)
    assert "Note: the language model was given up on" in done.stdout
    assert "nlq: the language model is not there" in done.stderr


@pytest.mark.parametrize(
    "where", ["http://me:secret@127.0.0.1/v1", "http://127.0.0.1:99999999/v1", "http://"]
)
def test_an_address_that_is_none(nlq: Nlq, where: str) -> None:
    done = nlq("ask", *SOURCE, "--model", where, QUESTION)
    assert done.returncode in (0, 2)
    assert "secret" not in done.stdout + done.stderr
    assert done.stderr.startswith("nlq: ")
