"""Executors of units: this process, processes of this machine, or a Dask cluster."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TypeAlias

from nlq_gateway.core.errors import GatewayError
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.offline.exploration.worker import Done, Task, carry_out, carry_out_there
from nlq_gateway.offline.workers import QUIET, WorkerLost, connect
from nlq_gateway.settings import EndpointSettings


class Here:
    """This process, one unit after the other, when it is asked for."""

    width = 1

    def __init__(self, endpoint: Endpoint) -> None:
        """Use an endpoint that is prepared."""
        self._endpoint = endpoint
        self._tasks: list[Task] = []

    def submit(self, task: Task) -> None:
        """Put a unit in line."""
        self._tasks.append(task)

    def done(self, _: float | None) -> Done:
        """Carry the first one out, however long it takes: the unit has its own deadline."""
        return carry_out(self._endpoint, self._tasks.pop(0))


@dataclass
class Workers:
    """Processes behind a Dask client; `width` is how many units to have under way."""

    client: object
    settings: EndpointSettings
    width: int

    def __post_init__(self) -> None:
        self._futures: list[Future[Done]] = []
        self._executor = self.client.get_executor(pure=False)  # type: ignore[attr-defined]

    def submit(self, task: Task) -> None:
        """Send a unit."""
        self._futures.append(self._executor.submit(carry_out_there, self.settings, task))

    def done(self, timeout_s: float | None) -> Done:
        """Wait for the first one.

        Raises:
            TimeoutError: it is not done in time.
            WorkerLost: the process that had it ended.
        """
        try:
            done = self._futures[0].result(timeout_s)
        except (TimeoutError, GatewayError):
            raise
        except Exception as error:
            raise WorkerLost(
                f"a process that was exploring failed: {type(error).__name__}: {error}",
                hint="the workers need this version of nlq-gateway, the data files and enough memory",
            ) from error
        del self._futures[0]
        return done


# Takes units, and gives them back when they are done, in their order.
UnitPool: TypeAlias = Here | Workers


@contextmanager
def here(endpoint: Endpoint) -> Iterator[UnitPool]:
    """This process."""
    yield Here(endpoint)


@contextmanager
def processes(settings: EndpointSettings, number: int) -> Iterator[UnitPool]:
    """Start `number` processes on this machine."""
    # The import takes a second, which other commands should not spend.
    import dask
    from distributed import Client, LocalCluster

    with (
        dask.config.set(QUIET),
        LocalCluster(
            n_workers=number,
            threads_per_worker=1,
            dashboard_address="127.0.0.1:0",
            memory_limit=0,
            silence_logs=logging.CRITICAL,
        ) as cluster,
        Client(cluster) as client,
    ):
        yield Workers(client, settings, 2 * number)


@contextmanager
def cluster(settings: EndpointSettings, address: str) -> Iterator[UnitPool]:
    """The workers of a cluster, which reach the store, or the data files, as this machine does.

    Raises:
        ConfigurationError: no scheduler is there, or the store's password would go there unprotected.
    """
    with connect(address, settings) as client:
        yield Workers(client, settings, 2 * max(1, sum(client.nthreads().values())))
