"""Run work that cannot be cancelled, and stop waiting for it at a deadline.

A query of the embedded store cannot be stopped from outside. It runs in a thread of a small pool; when its
time is up the caller leaves, a new thread takes the place of the busy one, and the busy one ends with its
query. The number of abandoned queries is bounded.
"""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from queue import SimpleQueue
from typing import Generic, TypeVar

from connectors.asking import asker
from connectors.errors import EndpointCancelled

Value = TypeVar("Value")

# The store's parser and planner recurse: 20,000 levels of nesting fit in this stack, and overrun the usual 8
# MiB, which would end the process. Only the used part takes memory.
_STACK_BYTES = 256 * 1024 * 1024
_start_lock = threading.Lock()


class DeadlinePassed(Exception):
    """The work was not done in time; it may go on in its thread."""


class TooManyAbandoned(Exception):
    """The limit of abandoned work that is still running is reached."""


class _Job(Generic[Value]):
    """One piece of work, and its outcome."""

    __slots__ = ("done", "error", "left", "started", "task", "value")

    def __init__(self, task: Callable[[], Value]) -> None:
        self.task = task
        self.done = threading.Event()
        self.started = False
        self.left = False
        self.value: Value | None = None
        self.error: BaseException | None = None

    def work(self) -> None:
        try:
            self.value = self.task()
        except BaseException as error:
            _clear_frames(error)
            self.error = error


def _clear_frames(error: BaseException) -> None:
    """Drop the local variables that a traceback keeps: some must be freed by the thread that made them."""
    pending: list[BaseException | None] = [error]
    while pending:
        current = pending.pop()
        if current is not None:
            traceback.clear_frames(current.__traceback__)
            pending += (current.__cause__, current.__context__)


class WorkerPool:
    """`size` daemon threads, started with the first work; safe to share between threads, not processes."""

    def __init__(self, size: int = 4, abandoned_limit: int = 4) -> None:
        self._size = size
        self._abandoned_limit = abandoned_limit
        self._queue: SimpleQueue[_Job[object] | None] = SimpleQueue()
        self._lock = threading.Lock()
        self._started = False
        self._abandoned = 0

    @property
    def abandoned(self) -> int:
        """The number of threads that are still busy with abandoned work."""
        return self._abandoned

    def run(self, task: Callable[[], Value], timeout_s: float) -> Value:
        """The result of `task`; raises its errors.

        Raises:
            DeadlinePassed: it took longer than `timeout_s`, time in the queue included.
            TooManyAbandoned: at once, when the limit of abandoned work is reached.
            EndpointCancelled: the client has disconnected.
        """
        job: _Job[Value] = _Job(task)
        self._enqueue(job)
        try:
            in_time = asker().wait(job.done, timeout_s)
        except EndpointCancelled:
            self._leave(job)
            raise
        if not in_time and self._leave(job):
            raise DeadlinePassed
        if job.error is not None:
            raise job.error
        return job.value  # type: ignore[return-value]

    def close(self) -> None:
        """Let the idle threads end."""
        for _ in range(self._size):
            self._queue.put(None)

    def _enqueue(self, job: _Job[Value]) -> None:
        with self._lock:
            if self._abandoned >= self._abandoned_limit:
                raise TooManyAbandoned
            if not self._started:
                self._started = True
                for _ in range(self._size):
                    self._start_thread()
        self._queue.put(job)  # type: ignore[arg-type]

    def _leave(self, job: _Job[Value]) -> bool:
        """Stop waiting; False if the job has ended meanwhile."""
        with self._lock:
            if job.done.is_set():
                return False
            job.left = True
            if job.started:
                self._abandoned += 1
                self._start_thread()
            return True

    def _start_thread(self) -> None:
        with _start_lock:
            usual = threading.stack_size(_STACK_BYTES)
            try:
                threading.Thread(target=self._serve, name="store-query", daemon=True).start()
            finally:
                threading.stack_size(usual)

    def _serve(self) -> None:
        while (job := self._queue.get()) is not None:
            with self._lock:
                if job.left:
                    continue
                job.started = True
            job.work()
            with self._lock:
                job.done.set()
                if job.left:
                    self._abandoned -= 1
                    return
            del job
