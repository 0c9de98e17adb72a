"""The thread that owns the model: takes jobs that wait, writes and scores, and outlives what fails."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator, Sequence

import torch

from nlq_gateway.models.errors import ModelError
from nlq_gateway.models.local.jobs import Job, RatingJob, WritingJob
from nlq_gateway.models.local.network import TorchNetwork
from nlq_gateway.models.local.scoring import rate
from nlq_gateway.models.local.waiting import Waiting, closed
from nlq_gateway.models.local.writing import Batch

_log = logging.getLogger(__name__)

# Prompts are read together up to so many new tokens, which bounds the memory and how long the others wait.
_TOKENS_AT_ONCE = 16_384


class ModelWorker:
    """Runs jobs on one thread, in batches of at most `rows` texts; at most `waiting` jobs wait for it."""

    def __init__(self, network: TorchNetwork, batch: Batch, *, rows: int, waiting: int) -> None:
        self._network = network
        self._batch = batch
        self._rows = rows
        self._waiting = Waiting(waiting)
        self._taken: list[Job] = []
        self._thread = threading.Thread(target=self._run, name="nlq-model", daemon=True)
        self._thread.start()

    def submit(self, job: Job) -> None:
        """Let a job wait for its turn. Raises ModelBusy, or ModelError once closed."""
        self._waiting.put(job)

    def close(self) -> None:
        """End the thread after the step at hand; jobs that are not done get a ModelError."""
        for job in self._waiting.close():
            job.fail(closed())
        self._thread.join()

    def _run(self) -> None:
        with torch.inference_mode():
            self._serve()
            self._fail(self._all(), closed())
        self._batch.close()
        self._network.close()

    def _serve(self) -> None:
        while self._waiting.work(busy=self._batch.rows > 0):
            try:
                self._round()
            except torch.OutOfMemoryError as error:
                self._again(error)
            except Exception as error:
                _log.exception("the model failed; its waiting callers get the error")
                self._fail(self._all(), error)

    def _round(self) -> None:
        """Serve the jobs that there is room for, then write one token of every row."""
        idle = not self._batch.rows
        self._taken = self._waiting.take(self._rows - self._batch.rows, any_size=idle)
        for job in list(self._taken):
            if isinstance(job, RatingJob):
                self._rate(job)
        for group in self._groups([job for job in self._taken if isinstance(job, WritingJob)]):
            self._batch.join(group)
        self._taken = []
        self._batch.step()

    def _groups(self, jobs: Sequence[WritingJob]) -> Iterator[list[WritingJob]]:
        """The jobs in groups that are read together; all rows are as wide as the one with most to read."""
        group: list[WritingJob] = []
        longest = 0
        for job in jobs:
            unread = self._network.unread(job.prefix, job.body)
            longest = max(longest, unread)
            if group and longest * (len(group) + 1) > _TOKENS_AT_ONCE:
                yield group
                group, longest = [], unread
            group.append(job)
        if group:
            yield group

    def _rate(self, job: RatingJob) -> None:
        """A failure concerns this job alone, unless memory ran out."""
        try:
            rate(self._network, job, self._rows)
        except torch.OutOfMemoryError:
            raise
        except Exception as error:
            job.fail(_told(error))

    def _all(self) -> list[Job]:
        """The jobs that are under way, each once."""
        return [job for job in dict.fromkeys((*self._batch.jobs, *self._taken)) if not job.future.done()]

    def _again(self, error: Exception) -> None:
        """Restart the running jobs with half the rows; jobs that were restarted before fail."""
        # Frames of the failed pass hold on to its tensors.
        error.__traceback__ = None
        jobs = self._all()
        self._fail([job for job in jobs if job.restarted], error)
        left = [job for job in jobs if not job.restarted]
        for job in left:
            job.restarted = True
            if isinstance(job, WritingJob):
                job.written.clear()
        self._rows = max(1, self._rows // 2)
        _log.warning("out of memory: from here on the model writes %d texts at once", self._rows)
        self._network.forget()
        self._waiting.put_back(left)

    def _fail(self, jobs: Sequence[Job], error: Exception) -> None:
        """Tell the callers of jobs, and begin with an empty batch."""
        for job in jobs:
            job.fail(_told(error))
        self._taken = []
        self._batch.clear()


def _told(error: Exception) -> ModelError:
    """The error as a caller gets it."""
    if isinstance(error, ModelError):
        return error
    full = isinstance(error, torch.OutOfMemoryError)
    told = ModelError(
        f"the model failed: {type(error).__name__}: {error}",
        hint="shorter prompts and fewer samples need less memory" if full else "",
    )
    told.__cause__ = error
    return told
