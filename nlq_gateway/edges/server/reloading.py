"""A reload: worker processes with the new configuration are made ready beside the old ones, which then go.

gunicorn's own reload tells the old workers to go as soon as the new ones are forked, long before these have
opened their indexes. Here both stand side by side for that time: a generation of workers has one
configuration, and the coming one takes no connection before it can answer for what is served already.
"""

from __future__ import annotations

import logging
import queue
import signal
import time
from dataclasses import dataclass
from operator import attrgetter

from gunicorn.arbiter import Arbiter
from gunicorn.workers.base import Worker

from nlq_gateway.edges.server.board import EMPTY, Board
from nlq_gateway.edges.server.closing import ENDING, let_nobody_in
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import Settings

_LOOK_SECONDS = 0.1

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, eq=False)
class WorkerGeneration:
    """The shared state of one configuration's workers; `awaited` are endpoints to be ready before."""

    settings: Settings
    store: TraceStore
    board: Board
    awaited: frozenset[str] = frozenset()
    first: bool = True


class Generations:
    """The generation that answers, and perhaps one that is being prepared to take its place."""

    def __init__(self, first: WorkerGeneration, workers: int) -> None:
        """`workers` is how many processes each has."""
        self.open = first
        self.coming: WorkerGeneration | None = None
        self._workers = workers

    @property
    def alive(self) -> tuple[WorkerGeneration, ...]:
        """The generations whose workers should run."""
        return (self.open, self.coming) if self.coming else (self.open,)

    def begin(self, settings: Settings, store: TraceStore) -> None:
        """Let a generation with these settings come, in place of one that was still being prepared."""
        served = {endpoint.id for endpoint in self.open.settings.endpoints}
        awaited = served & {endpoint.id for endpoint in settings.endpoints}
        self.coming = WorkerGeneration(settings, store, Board(self._workers), frozenset(awaited), first=False)

    def settle(self) -> bool:
        """Let the coming generation take over if all its workers are open; whether it has just done so."""
        if self.coming is None or not self.coming.board.is_open():
            return False
        self.open, self.coming = self.coming, None
        return True

    def lost(self, worker: Worker) -> None:
        """A worker ended: where the coming generation loses one, the old configuration stays."""
        worker.generation.board.set(worker.slot, EMPTY)
        if worker.generation is self.coming:
            self.coming = None
            _log.error("the configuration is not reloaded: a worker process with the new one has ended")


class Master(Arbiter):  # type: ignore[misc]
    """gunicorn's master process: neither a reload nor its end leaves a request without a response."""

    def reload(self) -> None:
        """On SIGHUP: read the configuration again; an invalid one changes nothing."""
        self.app.renew()

    def handle_term(self) -> None:
        """On SIGTERM: announce the stop, and stop some time after that."""
        generation: WorkerGeneration = self.app.generations.open
        generation.board.stop()
        self._pause(generation.settings.server.stop.announce)
        super().handle_term()

    def stop(self, graceful: bool = True) -> None:
        """Stop the workers, which first serve accepted connections."""
        self.cfg.set("graceful_timeout", int(self.app.generations.open.settings.server.stop.finish) + 2)
        if graceful:
            for generation in self.app.generations.alive:
                generation.board.stop()
            for listener in self.LISTENERS:
                let_nobody_in(listener.sock)
        super().stop(graceful)

    def spawn_worker(self) -> int:
        """Start a worker; returns its process id. A signal to end waits until the new process hears it."""
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ENDING)
        try:
            return int(super().spawn_worker())
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)

    def _pause(self, seconds: float) -> None:
        """Wait, unless another signal to end comes."""
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            try:
                if self.SIG_QUEUE.get(timeout=min(left, _LOOK_SECONDS)) in ENDING:
                    return
            except queue.Empty:
                pass
            self.reap_workers()

    def manage_workers(self) -> None:
        """Start the workers that are missing, and let those go that are of no use any more."""
        generations: Generations = self.app.generations
        taken_over = generations.settle()
        going = {worker.generation for worker in self.WORKERS.values()}
        self.app.look_after_models(one.settings for one in going.union(generations.alive))
        for generation in generations.alive:
            self._fill(generation)
        for pid, worker in list(self.WORKERS.items()):
            if worker.generation not in generations.alive:
                self.kill_worker(pid, signal.SIGTERM)
        if taken_over:
            self.app.tell_reloaded()

    def _fill(self, generation: WorkerGeneration) -> None:
        """Bring a generation to its number of workers, which SIGTTIN and SIGTTOU change."""
        workers = sorted(
            (worker for worker in self.WORKERS.values() if worker.generation is generation),
            key=attrgetter("age"),
        )
        for worker in workers[: -self.num_workers]:
            self.kill_worker(worker.pid, signal.SIGTERM)
        for _ in range(self.num_workers - len(workers)):
            self.app.forking = generation
            self.spawn_worker()
