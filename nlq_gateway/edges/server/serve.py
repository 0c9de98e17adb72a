"""Runs the application under gunicorn: threads in worker processes that share one port.

SIGHUP reads the configuration again (reloading.py).
"""

from __future__ import annotations

import errno
import logging
import math
import shutil
import signal
import socket
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

from flask import Flask
from gunicorn.app.base import BaseApplication
from gunicorn.arbiter import Arbiter
from gunicorn.glogging import Logger
from gunicorn.workers.base import Worker

from connectors.observing import Watcher, watch
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.readiness import Readiness
from nlq_gateway.core.errors import ConfigurationError, GatewayError
from nlq_gateway.edges.http.access.gate import TURNS
from nlq_gateway.edges.http.access.turns import Turns
from nlq_gateway.edges.http.app import METRICS, create_app
from nlq_gateway.edges.http.monitoring.metrics import Metrics, count_together, forget_process
from nlq_gateway.edges.http.monitoring.telemetry import Spans, is_wanted
from nlq_gateway.edges.server.board import LOADING, STATES, Board
from nlq_gateway.edges.server.reloading import Generations, Master, WorkerGeneration
from nlq_gateway.edges.server.worker import Worker as WorkerProcess
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.endpoints import index_source, preparation
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.models.shared import ModelProcess
from nlq_gateway.settings import ModelSettings, Settings
from nlq_gateway.settings.logs import write_logs

STUCK_SECONDS = 60
# Seconds that an idle connection is kept: longer than the waits in `Retry-After`.
KEPT_SECONDS = 15
# A worker in the place of one that was lost takes connections by then at the latest, ready or not.
REPLACED_SECONDS = 20
LOOK_SECONDS = 0.05
LONGEST_LINE = 8190
# Their warnings are about graphs, and the same in each worker process: the first says them for all.
_ABOUT_GRAPHS = (index_source.__name__, preparation.__name__)

BACKLOG = 1024

_log = logging.getLogger(__name__)


def serve(read: Callable[[], Settings], host: str = "127.0.0.1", port: int = 8080, workers: int = 1) -> None:
    """Serve until a signal ends it. Prints where it is open once no endpoint is loading any more.

    Args:
        read: gives the settings, now and again on each SIGHUP.
        host: the address to listen at.
        port: the port, or 0 for a free one.
        workers: the number of worker processes.

    Raises:
        GatewayError: when the settings are wrong, the address cannot be listened at, or traces cannot be
            kept.
    """
    settings = read()
    write_logs(settings.server.log)
    store = _store(settings)
    listener = listen(host, port)
    address = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"
    first = WorkerGeneration(settings, store, Board(workers))
    Server(read, Generations(first, workers), listener, address, host, workers, count_together()).run()


def _store(settings: Settings) -> TraceStore:
    """Return the store of traces; raises ConfigurationError if the server cannot have these settings."""
    is_wanted(settings.server.telemetry)
    store = TraceStore.of(settings.server)
    store.check()
    return store


class GunicornLogs(Logger):  # type: ignore[misc]
    """gunicorn's own records go the way of all others (`nlq_gateway.settings.logs`)."""

    def setup(self, cfg: Any) -> None:
        """Called by gunicorn, in place of its own handlers."""
        self.cfg = cfg
        self._access_log_enabled = False
        self.error_log.propagate = True


class Server(BaseApplication):  # type: ignore[misc]
    """gunicorn with the gateway's settings; the application is made in each worker process."""

    def __init__(
        self,
        read: Callable[[], Settings],
        generations: Generations,
        listener: socket.socket,
        address: str,
        host: str,
        workers: int,
        counts: str,
    ) -> None:
        """`listener` is taken over, and so is `counts`, the folder that the workers count in."""
        self._read = read
        self.generations = generations
        self.forking = generations.open
        self._address = address
        self._host = host
        self._workers = workers
        self._descriptor = listener.detach()
        self._counts = counts
        self._worker: Worker | None = None
        self._down: set[str] = set()
        self._spans: Spans | None = None
        self._models: dict[ModelSettings, ModelProcess] = {}
        super().__init__()

    def load_config(self) -> None:
        """Set gunicorn's options; its command line and files are not read."""
        wanted: dict[str, Any] = {
            "bind": f"fd://{self._descriptor}",
            "workers": self._workers,
            "worker_class": WorkerProcess,
            "keepalive": KEPT_SECONDS,
            "preload_app": False,
            "timeout": STUCK_SECONDS,
            "limit_request_line": LONGEST_LINE,
            # Else SCRIPT_NAME, sent from this machine or through a proxy on it, takes a prefix off the path.
            "forwarder_headers": "",
            "logger_class": GunicornLogs,
            "control_socket_disable": True,
            "pre_fork": self._take_slot,
            "child_exit": self._free_slot,
            "worker_exit": self._leave,
            "on_exit": self._clear_up,
        }
        for name, value in wanted.items():
            self.cfg.set(name, value)

    def run(self) -> None:
        """Be the master process, until a signal ends it."""
        Master(self).run()

    def look_after_models(self, used: Iterable[Settings]) -> None:
        """In the master: keep a process for each model that these settings need, and no other."""
        wanted = {settings.model for settings in used if settings.model.backend == "transformers"}
        for left in set(self._models) - wanted:
            self._models.pop(left).stop()
        for settings in wanted:
            if settings not in self._models:
                self._models[settings] = ModelProcess(settings, self.generations.open.settings.server.log)
            self._models[settings].look_after()

    def renew(self) -> None:
        """In the master: start workers with the current configuration, unless it is invalid."""
        try:
            settings = self._read()
            self.generations.begin(settings, _store(settings))
        except GatewayError as error:
            _log.error("the configuration is not reloaded: %s; %s", error.message, error.hint)
        except Exception:
            # The master process must survive the error: the server needs it.
            _log.exception("the configuration is not reloaded")

    def tell_reloaded(self) -> None:
        """In the master: report that workers with the new configuration answer now."""
        write_logs(self.generations.open.settings.server.log)
        # Standard output may have no reader, which is no reason to stop.
        with suppress(OSError):
            print(f"nlq: reloaded, open {self._address}", flush=True)

    def load(self) -> Flask:
        """Called in each worker process, after the fork; returns when it can take connections."""
        worker = self._worker
        assert worker is not None
        # A signal to all processes of the server is for the master alone.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
        generation: WorkerGeneration = worker.generation
        write_logs(generation.settings.server.log)
        for name in _ABOUT_GRAPHS if worker.slot else ():
            logging.getLogger(name).setLevel(logging.ERROR)
        try:
            app, readiness = self._application(worker)
        except Exception:
            if generation.first:
                raise
            _log.exception("a worker process cannot have the new configuration")
            # Any other code than those of gunicorn for a worker that cannot start, which end the server.
            sys.exit(1)
        self._wait(worker, readiness)
        generation.board.open(worker.slot)
        return app

    def _wait(self, worker: Worker, readiness: Readiness) -> None:
        """Wait until a worker that joins others is as ready as they are: these answer meanwhile."""
        generation: WorkerGeneration = worker.generation
        replaces = generation.first and generation.board.is_announced
        awaited = {one.id for one in generation.settings.endpoints} if replaces else generation.awaited
        end = time.monotonic() + (REPLACED_SECONDS if replaces else math.inf)
        if generation.first and not replaces:
            return
        while worker.alive and readiness.is_loading(awaited) and time.monotonic() < end:
            worker.notify()
            time.sleep(LOOK_SECONDS)

    def note_load(self, worker: Worker, waiting: int) -> None:
        """In a worker: store its numbers of running and waiting requests, for `/metrics`.

        `waiting` are those that no thread has taken yet.
        """
        turns: Turns = worker.wsgi.extensions[TURNS]
        worker.wsgi.extensions[METRICS].load(turns.taken, turns.waiting + waiting)

    def _application(self, worker: Worker) -> tuple[Flask, Readiness]:
        generation: WorkerGeneration = worker.generation
        shared = self._models.get(generation.settings.model)
        model = shared.model() if shared else None
        pipeline = Pipeline(generation.settings.shared_by(self._workers), model)
        readiness: Readiness

        def changed(endpoint: Endpoint) -> None:
            self._tell(endpoint, readiness, worker)

        board = generation.board
        app = create_app(
            pipeline,
            generation.store,
            others=lambda: board.waiting_for(generation.settings.server.ready == "all"),
            hangs=worker.hangs,
            shared=Path(self._counts),
            bound=self._host,
        )
        counted: Metrics = app.extensions[METRICS]
        readiness = Readiness(pipeline, changed, counted.state, counted.model)
        watch(*self._watchers(app, counted, generation.settings))
        readiness.start()
        return app, readiness

    def _watchers(self, app: Flask, counted: Metrics, settings: Settings) -> Iterator[Watcher]:
        yield counted
        if is_wanted(settings.server.telemetry):
            self._spans = Spans(settings.server.telemetry)
            self._spans.register(app)
            yield self._spans

    def _leave(self, _arbiter: Arbiter, _worker: Worker) -> None:
        """In a worker, at its end."""
        if self._spans is not None:
            self._spans.close()

    def _take_slot(self, arbiter: Arbiter, worker: Worker) -> None:
        """In the master, right before a fork: the worker inherits its generation, and its slot there."""
        generation = self.forking
        taken = {other.slot for other in arbiter.WORKERS.values() if other.generation is generation}
        worker.generation, worker.slot = generation, min(set(range(len(taken) + 1)) - taken)
        generation.board.set(worker.slot, LOADING)
        self._worker = worker

    def _free_slot(self, _arbiter: Arbiter, worker: Worker) -> None:
        """In the master, after a worker process ended."""
        self.generations.lost(worker)
        forget_process(worker.pid)

    def _clear_up(self, _arbiter: Arbiter) -> None:
        """In the master, at its end; a `finally` would run in every worker process that ends."""
        self.look_after_models(())
        shutil.rmtree(self._counts, ignore_errors=True)

    def _tell_of(self, endpoint: Endpoint) -> None:
        """Say that an endpoint is down, and that one is ready again."""
        if endpoint.status == "down":
            self._down.add(endpoint.id)
            print(f"nlq: {endpoint.id} is down: {endpoint.detail}", file=sys.stderr, flush=True)
        elif endpoint.status == "ready" and endpoint.id in self._down:
            self._down.remove(endpoint.id)
            print(f"nlq: {endpoint.id} is ready", file=sys.stderr, flush=True)

    def _tell(self, endpoint: Endpoint, readiness: Readiness, worker: Worker) -> None:
        """Say once, for all worker processes, what became of an endpoint, and that the server is open."""
        generation: WorkerGeneration = worker.generation
        generation.board.set(worker.slot, STATES[readiness.state()])
        if worker.slot == 0:
            self._tell_of(endpoint)
        if generation.first and generation.board.announce():
            print(f"nlq: open {self._address}", flush=True)
        # Last: a client that finds the server ready has been told so.
        generation.board.answers(worker.slot, readiness.can_answer())


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
