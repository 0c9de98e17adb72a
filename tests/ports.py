"""A port for a server that is started later."""

from __future__ import annotations

import secrets
import socket

# Below the range from which the kernel takes ports: no client's connection holds one of these.
LOWEST, HIGHEST = 10_000, 32_000


def free_port() -> int:
    """A port that nothing has bound, drawn at random, so that tests in parallel draw different ones."""
    while True:
        port = LOWEST + secrets.randbelow(HIGHEST - LOWEST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
