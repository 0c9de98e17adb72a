"""Turns at a store: bounds on the queries at a time and on those begun in a second.

Queries wait in a queue per client (`connectors.asking`), first in, first out; the queues are served in turn,
so that no client waits for all queries of another.
"""

from __future__ import annotations

import math
import threading
import time
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

from connectors.asking import asker
from connectors.errors import EndpointCancelled, EndpointOverloaded, EndpointTimeout

T = TypeVar("T")
# Waiting queries per running one: more would only wait for their deadline.
_WAITING = 32


class FairQueue(Generic[T]):
    """First in, first out for each owner; the owners take turns."""

    def __init__(self) -> None:
        self._owners: OrderedDict[Hashable, deque[T]] = OrderedDict()
        self._size = 0

    def __len__(self) -> int:
        return self._size

    def put(self, owner: Hashable, item: T) -> None:
        """Add an item behind the owner's others."""
        self._owners.setdefault(owner, deque()).append(item)
        self._size += 1

    def take(self) -> T:
        """The oldest item of the owner whose turn it is; the owner's next turn comes after all others."""
        owner, items = self._owners.popitem(last=False)
        item = items.popleft()
        if items:
            self._owners[owner] = items
        self._size -= 1
        return item

    def remove(self, owner: Hashable, item: T) -> None:
        """Take out an item that is in the queue."""
        items = self._owners[owner]
        items.remove(item)
        if not items:
            del self._owners[owner]
        self._size -= 1


class Bucket:
    """A token bucket: `per_second` tokens a second; it starts with, and holds, a second's worth or one."""

    def __init__(self, per_second: float, clock: Callable[[], float] = time.monotonic) -> None:
        """`per_second` may be infinite: then there is always a token."""
        self._rate = per_second
        self._most = max(1.0, per_second)
        self._clock = clock
        self._tokens = self._most
        self._filled = clock()

    def pause(self) -> float:
        """Seconds until there is a token."""
        if self._rate == math.inf:
            return 0.0
        now = self._clock()
        self._tokens = min(self._most, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        return max(0.0, (1.0 - self._tokens) / self._rate)

    def take(self) -> None:
        """Use a token, once `pause` is 0."""
        if self._rate != math.inf:
            self._tokens -= 1.0


class Gate:
    """Lets queries through to one store. Safe to share between threads; each process has its own turns."""

    def __init__(self, concurrency: int, per_second: float) -> None:
        """At most `concurrency` at a time, and `per_second` begun in a second, infinite for any number."""
        self._free = concurrency
        self._most_waiting = concurrency * _WAITING
        self._bucket = Bucket(per_second)
        self._queue: FairQueue[threading.Event] = FairQueue()
        self._lock = threading.Lock()

    @contextmanager
    def turn(self, deadline: float) -> Iterator[None]:
        """Hold a turn in the block; waits for it until `deadline`, a time of `time.monotonic`.

        Raises:
            EndpointOverloaded: too many wait already.
            EndpointTimeout: the turn did not come in time.
            EndpointCancelled: the client disconnected meanwhile.
        """
        self._wait(deadline)
        try:
            yield
        finally:
            with self._lock:
                self._free += 1
                self._let_through()

    def _wait(self, deadline: float) -> None:
        owner, admitted = asker().who, threading.Event()
        with self._lock:
            if len(self._queue) >= self._most_waiting:
                raise EndpointOverloaded(
                    f"{len(self._queue)} queries wait for the store already",
                    hint="retry later; limits.concurrency and limits.per_second bound the queries at a time",
                )
            self._queue.put(owner, admitted)
            pause = self._let_through()
        try:
            while not asker().wait(admitted, min(pause, deadline - time.monotonic())):
                if time.monotonic() >= deadline:
                    raise EndpointTimeout(
                        "the query's turn at the store did not come within the deadline",
                        hint="ask less at a time, or raise limits.concurrency or limits.per_second",
                    )
                with self._lock:
                    pause = self._let_through()
        except (EndpointCancelled, EndpointTimeout):
            self._leave(owner, admitted)
            raise

    def _let_through(self) -> float:
        """Admit all queries that may run now; return the seconds until the bucket lets another through."""
        while self._free and self._queue:
            pause = self._bucket.pause()
            if pause > 0:
                return pause
            self._bucket.take()
            self._free -= 1
            self._queue.take().set()
        return math.inf

    def _leave(self, owner: str, admitted: threading.Event) -> None:
        with self._lock:
            if not admitted.is_set():
                self._queue.remove(owner, admitted)
                return
            self._free += 1
            self._let_through()
