"""A server that a test starts, and requests to it."""

from __future__ import annotations

import re
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import urllib3

from tests.warm import WarmServer

SECONDS = 60
HTTP = urllib3.PoolManager(retries=False, timeout=SECONDS)
QUESTION = {"question": "Who directed Pulp Fiction?"}


@contextmanager
def running(environment: dict[str, str], *arguments: str) -> Iterator[tuple[WarmServer, str]]:
    """A server, once it has printed where it is open, and its address."""
    server = WarmServer((*arguments, "--port", "0"), environment)
    try:
        line = server.stdout.readline()
        found = re.fullmatch(r"nlq: open (http://127\.0\.0\.1:\d+)\n", line)
        assert found, line + server.communicate(SECONDS)[1]
        yield server, found[1]
    finally:
        server.send_signal(signal.SIGTERM)
        server.communicate(timeout=SECONDS)


def get(address: str) -> tuple[int, dict[str, Any]]:
    response = HTTP.request("GET", address)
    return response.status, response.json()


def ask(address: str, **body: Any) -> tuple[int, dict[str, Any]]:
    response = HTTP.request("POST", f"{address}/nlq", json={**QUESTION, **body})
    return response.status, response.json()


def children(server: WarmServer) -> list[str]:
    return Path(f"/proc/{server.pid}/task/{server.pid}/children").read_text(encoding="utf-8").split()
