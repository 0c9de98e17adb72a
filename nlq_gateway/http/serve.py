"""Runs the application under gunicorn: threads in worker processes that share one port."""

from __future__ import annotations

import errno
import shutil
import socket
import sys
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from nlq_gateway.endpoints import Endpoint
from nlq_gateway.errors import ConfigurationError
from nlq_gateway.http.app import create_app
from nlq_gateway.http.metrics import count_together, forget_process
from nlq_gateway.http.preparation import EMPTY, LOADING, Board, Preparation
from nlq_gateway.pipeline import Gateway
from nlq_gateway.settings import Settings
from nlq_gateway.trace_store import TraceStore

THREADS = 16
BACKLOG = 1024
STOP_SECONDS = 10
STUCK_SECONDS = 60
LONGEST_LINE = 8190


def serve(settings: Settings, host: str = "127.0.0.1", port: int = 8080, workers: int = 1) -> None:
    """Serve until a signal ends it. Prints where it is open once no endpoint is loading any more.

    Raises:
        ConfigurationError: when the address cannot be listened at, or traces cannot be kept.
    """
    if workers > 1 and settings.model.backend == "transformers":
        hint = "use --workers 1, or let an OpenAI-compatible server run the model (backend: openai)"
        raise ConfigurationError(f"each of {workers} worker processes would load the model", hint=hint)
    listener = listen(host, port)
    store = TraceStore.at(settings.server.trace_store)
    store.check()
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
    Server(settings, store, listener, address, workers, count_together()).run()


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises ConfigurationError where that is not possible."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError, OverflowError) as error:
        raise ConfigurationError(f"cannot listen at {host}: {error}", hint="choose --host") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ConfigurationError(_why(error, host, port), hint="choose another with --port") from None
    return listener


def _why(error: Exception, host: str, port: int) -> str:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return f"port {port} is in use by another program"
    if isinstance(error, OSError) and error.errno == errno.EACCES:
        return f"port {port} may not be used by this user"
    return f"cannot listen at {host}, port {port}: {error}"


class Server(BaseApplication):  # type: ignore[misc]
    """gunicorn with the gateway's settings; the application is made in each worker process."""

    def __init__(
        self,
        settings: Settings,
        store: TraceStore,
        listener: socket.socket,
        address: str,
        workers: int,
        counts: str,
    ) -> None:
        """`listener` is taken over, and so is `counts`, the folder that the workers count in."""
        self._settings = settings
        self._store = store
        self._address = address
        self._workers = workers
        self._descriptor = listener.detach()
        self._board = Board(workers)
        self._counts = counts
        self._slot = 0
        super().__init__()

    def load_config(self) -> None:
        """Set what gunicorn shall do; its command line and files are not read."""
        wanted: dict[str, Any] = {
            "bind": f"fd://{self._descriptor}",
            "workers": self._workers,
            "worker_class": "gthread",
            "threads": THREADS,
            "preload_app": False,
            "timeout": STUCK_SECONDS,
            "graceful_timeout": STOP_SECONDS,
            "limit_request_line": LONGEST_LINE,
            "loglevel": "warning",
            "control_socket_disable": True,
            "pre_fork": self._take_slot,
            "child_exit": self._free_slot,
            "on_exit": self._clear_up,
        }
        for name, value in wanted.items():
            if name in self.cfg.settings:
                self.cfg.set(name, value)

    def load(self) -> Flask:
        """Called in each worker process, after the fork."""
        gateway = Gateway(self._settings)
        preparation: Preparation

        def changed(endpoint: Endpoint) -> None:
            self._tell(endpoint, preparation)

        preparation = Preparation(gateway, changed)
        preparation.start()
        return create_app(gateway, self._store, others=self._board.waiting_for)

    def _take_slot(self, arbiter: Arbiter, worker: Worker) -> None:
        """In the master, right before a fork: the worker inherits the number of its slot."""
        taken = {other.slot for other in arbiter.WORKERS.values()}
        worker.slot = self._slot = min(set(range(len(taken) + 1)) - taken)
        self._board.set(worker.slot, LOADING)

    def _free_slot(self, arbiter: Arbiter, worker: Worker) -> None:
        """In the master, after a worker process ended."""
        del arbiter
        self._board.set(worker.slot, EMPTY)
        forget_process(worker.pid)

    def _clear_up(self, arbiter: Arbiter) -> None:
        """In the master, at its end; a `finally` would run in every worker process that ends."""
        del arbiter
        shutil.rmtree(self._counts, ignore_errors=True)

    def _tell(self, endpoint: Endpoint, preparation: Preparation) -> None:
        """Say once, for all worker processes, what became of an endpoint, and that the server is open."""
        self._board.set(self._slot, preparation.state())
        if self._slot == 0 and endpoint.status == "down":
            print(f"nlq: {endpoint.id} is down: {endpoint.detail}", file=sys.stderr, flush=True)
        if self._board.announce():
            print(f"nlq: open {self._address}", flush=True)
