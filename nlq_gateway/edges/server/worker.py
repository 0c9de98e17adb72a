"""A worker process: gunicorn's threads, with health checks under full load, and a graceful stop.

gunicorn gives a new connection to a thread at once, where it waits for its first byte. Here it waits in the
event loop, so that its address is known before a thread is needed: requests about the process itself have
separate threads, and are answered under any load.
"""

from __future__ import annotations

import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from gunicorn.workers.gthread import STOP_KEEPALIVE_LINGER, TConn

from nlq_gateway.edges.http.leaving import give_up
from nlq_gateway.edges.http.monitoring.health import ABOUT_THE_PROCESS
from nlq_gateway.edges.server.closing import ENDING, SETTLE_SECONDS
from nlq_gateway.edges.server.threads import PatientThreads

# Seconds that a worker replaced by a reload has for its requests.
FINISH_SECONDS = 120.0
# If the same requests hold all turns for this many seconds, something hangs.
HANGING_SECONDS = 300.0
# Seconds in which a worker with fewer connections can take a new one. Without them the worker that wakes
# first gets most, and clients that keep connections open stay with it while others have nothing to do. So
# long its main thread may wait for Python's lock (`sys.getswitchinterval`).
_HESITATION_SECONDS = 0.005
# Seconds reserved for sending the refusal at the end.
_LAST_WORDS_SECONDS = 1.0
_BEGINNINGS = tuple(
    f"{method} {path}{end}".encode()
    for method in ("GET", "HEAD")
    for path in ABOUT_THE_PROCESS
    for end in (" ", "?")
)


class Worker(PatientThreads):
    """One of the server's worker processes."""

    def init_process(self) -> None:
        """Called after the fork; returns when the process is to end."""
        self._busy: dict[int, float] = {}
        self._reserve = ThreadPoolExecutor(2, thread_name_prefix="about-the-process")
        super().init_process()

    def init_signals(self) -> None:
        """Hear signals from now on; those to end were held back since the fork (reloading.py)."""
        super().init_signals()
        signal.pthread_sigmask(signal.SIG_UNBLOCK, ENDING)

    def enqueue_req(self, conn: TConn) -> None:
        """Have a request answered that has begun to come; a new connection waits for that."""
        begun = conn.initialized or conn.data_ready
        if begun and self._is_about_the_process(conn):
            answer = self._reserve.submit(super().handle, conn)
            answer.add_done_callback(lambda done: self.method_queue.defer(self.finish_request, conn, done))
        else:
            super().enqueue_req(conn)

    def accept(self, listener: socket.socket) -> None:
        """Take a new connection, unless a worker that has fewer takes it in a moment."""
        if self.generation.board.has_fewer_connections(self.nr_conns):
            time.sleep(_HESITATION_SECONDS)
        super().accept(listener)

    def handle(self, conn: TConn) -> Any:
        """Answer a request; runs in a thread."""
        thread = threading.get_ident()
        self._busy[thread] = time.monotonic()
        try:
            return super().handle(conn)
        finally:
            del self._busy[thread]

    def notify(self) -> None:
        """Tell the master that the process is well; one that hangs is ended and replaced by it.

        Called in each round of the loop, also after each connection that comes or goes.
        """
        self.generation.board.note_connections(self.slot, self.nr_conns)
        if self.booted:
            self.app.note_load(self, self.tpool._work_queue.qsize())
        if not self.hangs():
            super().notify()

    def hangs(self) -> str:
        """The reason why the process no longer answers; "" if it does."""
        now = time.monotonic()
        hanging = sum(now - began >= HANGING_SECONDS for began in tuple(self._busy.values()))
        if hanging < self.generation.settings.server.limits.concurrency:
            return ""
        return f"{hanging} threads have been busy with the same requests for {HANGING_SECONDS:.0f} s"

    def set_accept_enabled(self, enabled: bool) -> None:
        """Take connections or leave them; a process that stops takes those that wait, if all do."""
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            self._stop()

    def _stop(self) -> None:
        """Take the last connections, and see to it that there is an end to all."""
        board, stop = self.generation.board, self.generation.settings.server.stop
        seconds = stop.finish if board.is_stopping else FINISH_SECONDS
        self.cfg.set("graceful_timeout", int(seconds) + 1)
        ending = threading.Timer(max(seconds - _LAST_WORDS_SECONDS, seconds / 2), give_up)
        ending.daemon = True
        ending.start()
        if board.is_stopping:
            self._take_all_that_wait()
        end = time.monotonic() + STOP_KEEPALIVE_LINGER
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, end)

    def _take_all_that_wait(self) -> None:
        end = time.monotonic() + SETTLE_SECONDS
        while time.monotonic() < end:
            for listener in self.sockets:
                while self._takes(listener):
                    pass
            self.wait_for_and_dispatch_events(0.02)
        for listener in self.sockets:
            listener.close()

    def _takes(self, listener: socket.socket) -> bool:
        """Take a connection, if one waits."""
        before = self.nr_conns
        self.accept(listener)
        return bool(self.nr_conns > before)

    def _is_about_the_process(self, conn: TConn) -> bool:
        """True if the next request on a connection is about the process and needs no thread of the others."""
        unread = b""
        with suppress(OSError):
            conn.sock.setblocking(False)
            unread = conn.sock.recv(32, socket.MSG_PEEK)
        return unread.startswith(_BEGINNINGS)
