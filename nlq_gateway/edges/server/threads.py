"""gunicorn's worker of threads: with spare threads for refusals, and time limits for slow clients.

gunicorn gives each connection a thread, which waits for its request without a limit, and further connections
wait in an unbounded queue. Here a connection gets a thread when it has sent something, a request with its
body must arrive in time, and there are more threads than turns (http/access/turns.py): the spare ones refuse
at once.
"""

from __future__ import annotations

import selectors
import socket
import struct
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from gunicorn.workers.gthread import TConn, ThreadWorker

from nlq_gateway.edges.http.access.gate import ARRIVED
from nlq_gateway.settings import LoadSettings

# Threads for refusals, and for requests without a turn.
SPARE = 16
# Maximum seconds in which a client reads nothing of its answer.
SEND_SECONDS = 30


class PatientThreads(ThreadWorker):  # type: ignore[misc]
    """A worker process; `generation` is what the master gave it."""

    def __init__(self, *arguments: Any) -> None:
        """Take what gunicorn gives."""
        super().__init__(*arguments)
        self._arriving: dict[int, tuple[socket.socket, float]] = {}

    @property
    def _limits(self) -> LoadSettings:
        limits: LoadSettings = self.generation.settings.server.limits
        return limits

    def get_thread_pool(self) -> ThreadPoolExecutor:
        """Threads for all turns, for those who wait for one, and some more."""
        return ThreadPoolExecutor(self._limits.concurrency + self._limits.queue + SPARE)

    def load_wsgi(self) -> None:
        """Load the application, and have it say when a request has arrived as a whole."""
        super().load_wsgi()
        self.wsgi.extensions[ARRIVED] = self._arrived

    def enqueue_req(self, conn: TConn) -> None:
        """Hand a connection to a thread; in the main thread. A new one waits until it has sent something."""
        if conn.initialized or conn.data_ready:
            super().enqueue_req(conn)
            return
        conn.sock.setblocking(False)
        conn.timeout = time.monotonic() + self._limits.receive_ms / 1000
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def handle(self, conn: TConn) -> Any:
        """Handle one request of a connection, in a thread."""
        with suppress(OSError):
            conn.sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", SEND_SECONDS, 0))
        deadline = time.monotonic() + self._limits.receive_ms / 1000
        self._arriving[threading.get_ident()] = conn.sock, deadline
        try:
            return super().handle(conn)
        finally:
            self._arrived()

    def murder_pending(self) -> None:
        """Close what sends nothing, and read no more of what sends too slowly; called every second."""
        super().murder_pending()
        now = time.monotonic()
        for connection, deadline in list(self._arriving.values()):
            if now > deadline:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RD)

    def _arrived(self) -> None:
        self._arriving.pop(threading.get_ident(), None)
