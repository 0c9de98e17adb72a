"""The questions spread over processes of this machine, or over a Dask cluster.

Both are executors of `concurrent.futures`, so what follows is the same for either. Every process opens the
endpoint itself, once; answers come back in the order of the questions.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import BrokenExecutor, CancelledError, Executor, ProcessPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import lru_cache

from nlq_gateway.answering import Pipeline
from nlq_gateway.models import ModelError
from nlq_gateway.offline.evaluation.measure import Measurement, Measurer
from nlq_gateway.offline.evaluation.questions import GoldQuestion
from nlq_gateway.offline.workers import WorkerLost, connect
from nlq_gateway.settings import EndpointSettings, Settings

_opening = threading.Lock()


@dataclass(frozen=True, slots=True)
class EvaluationJob:
    """The parameters of asking for a process: it asks the first endpoint of the settings."""

    settings: Settings
    strategy: str = ""
    only: bool = False


@contextmanager
def processes(number: int) -> Iterator[Executor]:
    """Start `number` processes. They are spawned, because a fork would share locks and connections.

    Raises:
        WorkerLost: one of them ended before its question did.
    """
    context = multiprocessing.get_context("spawn")
    executor = ProcessPoolExecutor(number, context, initializer=_end_with_parent)
    try:
        yield executor
    except BrokenExecutor:
        hint = "too little memory? give fewer --workers"
        raise WorkerLost("a process that was asking questions ended", hint=hint) from None
    finally:
        executor.shutdown(cancel_futures=True)


def _end_with_parent() -> None:
    """End with the parent process: a killed parent sends no signal."""
    parent = multiprocessing.parent_process()

    def wait() -> None:
        if parent is not None:
            parent.join()
            os._exit(1)

    threading.Thread(target=wait, daemon=True).start()


@contextmanager
def cluster(address: str, endpoint: EndpointSettings) -> Iterator[Executor]:
    """The workers of a Dask cluster, which reach the endpoint, its files included, as this machine does.

    Raises:
        ConfigurationError: no scheduler is there, or the store's password would go there unprotected.
        WorkerLost: the scheduler ended, or a question's workers did, one after the other.
    """
    # The import takes half a second, which other commands should not spend.
    from distributed import KilledWorker

    with connect(address, endpoint) as client:
        try:
            yield client.get_executor(pure=False)
        except (CancelledError, KilledWorker) as error:
            raise WorkerLost(f"the cluster at {address} gave up", hint=str(error)) from None


def measured(
    executor: Executor, job: EvaluationJob, questions: Sequence[GoldQuestion]
) -> Generator[Measurement]:
    """The measurements, in order; where the caller stops early, what has not begun is not begun."""
    with _interrupts_held():
        futures = [executor.submit(_measure, job, question) for question in questions]
    try:
        for future in futures:
            yield future.result()
    finally:
        for future in futures:
            future.cancel()


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Processes that start here never see Ctrl-C, which a terminal sends to all: the first one ends them."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _measure(job: EvaluationJob, question: GoldQuestion) -> Measurement:
    with _opening:
        measurer = _measurer(job)
    return measurer.measure(question)


@lru_cache(maxsize=1)
def _measurer(job: EvaluationJob) -> Measurer:
    pipeline = Pipeline(job.settings)
    endpoint = pipeline.endpoint(None)
    endpoint.prepare()
    if pipeline.model is not None:
        # The time of loading a model belongs to no question; if it is down, questions say so.
        with suppress(ModelError):
            pipeline.model.prepare()
        pipeline.prepare_prompts(endpoint)
    return Measurer(pipeline, job.strategy, only=job.only)
