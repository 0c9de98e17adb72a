"""Jobs that wait for the worker: first come, first served, and not too many."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Sequence

from nlq_gateway.models.errors import ModelBusy, ModelError
from nlq_gateway.models.local.jobs import Job


class Waiting:
    """A bounded queue. Safe to share between threads."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._jobs: deque[Job] = deque()
        self._changed = threading.Condition()
        self._closed = False

    def put(self, job: Job) -> None:
        """Wait at the end of the queue.

        Raises:
            ModelBusy: The queue is full of requests whose callers still wait.
            ModelError: The queue is closed.
        """
        with self._changed:
            if self._closed:
                raise closed()
            if len(self._jobs) >= self._most:
                self._jobs = deque(one for one in self._jobs if not one.gone())
            if len(self._jobs) >= self._most:
                raise ModelBusy(
                    f"{self._most} requests wait for the model", hint="ask again in a few seconds"
                )
            self._jobs.append(job)
            self._changed.notify()

    def put_back(self, jobs: Sequence[Job]) -> None:
        """Jobs that had been taken are to be taken again before all others."""
        with self._changed:
            self._jobs.extendleft(reversed(jobs))
            self._changed.notify()

    def work(self, *, busy: bool) -> bool:
        """Wait for a job unless `busy`; False once the queue is closed."""
        with self._changed:
            self._changed.wait_for(lambda: busy or self._closed or self._jobs)
            return not self._closed

    def take(self, rows: int, *, any_size: bool) -> list[Job]:
        """The next jobs that need so many rows at most; with `any_size`, the first whatever it needs."""
        taken: list[Job] = []
        with self._changed:
            while self._jobs and (self._jobs[0].rows <= rows or (any_size and not taken)):
                job = self._jobs.popleft()
                if not job.gone():
                    taken.append(job)
                    rows -= job.rows
        return taken

    def close(self) -> list[Job]:
        """Take no more jobs; returns those that wait."""
        with self._changed:
            self._closed = True
            left = list(self._jobs)
            self._jobs.clear()
            self._changed.notify_all()
        return left


def closed() -> ModelError:
    """The error of a job that comes too late."""
    return ModelError("the model has been closed")
