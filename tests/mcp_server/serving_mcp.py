"""`nlq mcp --http` as a process."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SECONDS = 60
HELLO = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {
        "protocolVersion": "2025-06-18",
        "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"},
    },
}


@contextmanager
def serving(environment: dict[str, str], config: str) -> Iterator[tuple[str, Callable[[], str]]]:
    """The server's address and its output; it ends well."""
    command = [sys.executable, "-m", "nlq_gateway", "mcp", "--config", config, "--http", "--port", "0"]
    with tempfile.TemporaryFile("w+", encoding="utf-8") as errors:

        def written() -> str:
            errors.seek(0)
            return errors.read()

        pipe = subprocess.PIPE
        server = subprocess.Popen(command, stdout=pipe, stderr=errors, text=True, env=environment)
        try:
            assert server.stdout is not None
            found = re.fullmatch(r"nlq: open (http://127\.0\.0\.1:\d+/mcp)\n", server.stdout.readline())
            assert found, written()
            yield found[1], written
        finally:
            server.terminate()
            server.communicate(timeout=SECONDS)
        assert server.returncode == 0
