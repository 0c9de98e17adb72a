"""A process that evaluates queries over a store's folder, one at a time, for `connectors.beside`.

It ends when it is killed, when its input ends, or when the process that started it has ended.
"""

from __future__ import annotations

import os
import sys
import threading
from contextlib import suppress
from multiprocessing.connection import Connection

from connectors.oxigraph import EmbeddedOxigraph

# The parent process keeps the time, and kills this one at the deadline.
_NO_LIMIT_MS = 24 * 3_600_000


def serve(connection: Connection) -> None:
    """Answer `(method, arguments)` with `(value, None)` or `(None, error)`.

    The first message has the store's settings, and is answered once it is open.
    """
    threading.Thread(target=_leave_with_parent, daemon=True).start()
    with suppress(EOFError, ConnectionError):  # a starter that closes its end wants no more
        store = EmbeddedOxigraph.open(**connection.recv(), alone=True)
        connection.send((None, None))
        while True:
            method, arguments = connection.recv()
            try:
                value, failure = getattr(store, method)(**arguments, timeout_ms=_NO_LIMIT_MS), None
            except Exception as error:
                value, failure = None, error
            connection.send((value, failure))


def _leave_with_parent() -> None:
    sys.stdin.buffer.read()
    os._exit(1)


if __name__ == "__main__":
    serve(Connection(int(sys.argv[1])))
    os._exit(0)
