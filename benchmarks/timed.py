"""Work that cannot be interrupted, in a process of its own that is ended where it takes too long."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from multiprocessing.connection import Connection
from typing import Any, TypeVar

LOADING_SECONDS = 600.0

# Imported once, before the processes are forked.
_PRELOADED = [
    "benchmarks.gold",
    "nlq_gateway.drafts.demonstrations.queries",
    "nlq_gateway.answering.grounding",
]
_PROCESSES = multiprocessing.get_context("forkserver")
_PROCESSES.set_forkserver_preload(_PRELOADED)

State = TypeVar("State")
Item = TypeVar("Item")
Found = TypeVar("Found")


def timed(
    load: Callable[[], State], work: Callable[[State, Item], Found], items: Sequence[Item], seconds: float
) -> Iterator[tuple[Item, Found | None]]:
    """Each item with what the work on it gives, in order; None where it takes longer than so many seconds.

    `load` makes what all the work shares; it is called again in a new process behind an item that took too
    long, or that ended its process. Both functions and what they take and give must be picklable.

    Raises:
        ChildProcessError: `load` failed, or took ten minutes.
    """
    left = list(items)
    while left:
        receiving, sending = _PROCESSES.Pipe(duplex=False)
        process = _PROCESSES.Process(target=_work, args=(load, work, left, sending), daemon=True)
        process.start()
        sending.close()
        for found in _received(receiving, seconds):
            yield left.pop(0), found
        process.kill()
        process.join()
        if left:
            yield left.pop(0), None


def _received(connection: Connection, seconds: float) -> Iterator[Any]:
    """Yield the process's messages once it has loaded, until it falls silent or ends."""
    try:
        if not connection.poll(LOADING_SECONDS):
            raise EOFError
        connection.recv()
    except EOFError:
        raise ChildProcessError("the process failed while loading; see its error above") from None
    while connection.poll(seconds):
        try:
            yield connection.recv()
        except EOFError:
            return


def _work(
    load: Callable[[], State],
    work: Callable[[State, Item], Found],
    items: Sequence[Item],
    connection: Connection,
) -> None:
    """Send the result for each item, after a None that reports the end of loading."""
    state = load()
    connection.send(None)
    for item in items:
        connection.send(work(state, item))
