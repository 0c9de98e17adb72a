"""Memory that all worker processes share: whether each is ready, and how many connections it has."""

from __future__ import annotations

import mmap
import struct

from nlq_gateway.endpoints.endpoint import Status

EMPTY, LOADING, DOWN, READY = range(4)
STATES: dict[Status, int] = {"loading": LOADING, "down": DOWN, "ready": READY}
STOPPING = "the server is stopping"
_COUNT = struct.Struct("=I")


class Board:
    """Shared memory of worker processes: the state of each, whether it takes connections and can answer.

    A state is EMPTY, LOADING, DOWN or READY.
    """

    def __init__(self, workers: int) -> None:
        """Share memory with later forks; all `workers` count as LOADING at first."""
        self._workers = workers
        self._memory = mmap.mmap(-1, 3 * workers + 2)
        self._memory[:workers] = bytes([LOADING]) * workers
        self._counts = mmap.mmap(-1, _COUNT.size * workers)

    def set(self, slot: int, state: int) -> None:
        """Note the state of the worker in that slot; a slot beyond the memory is not kept."""
        if slot < self._workers:
            self._memory[slot] = state
            if state == EMPTY:
                self._memory[self._workers + slot] = False
                self._memory[2 * self._workers + slot] = False

    def open(self, slot: int) -> None:
        """Note that the worker in that slot takes connections."""
        if slot < self._workers:
            self._memory[self._workers + slot] = True

    def answers(self, slot: int, can: bool) -> None:
        """Note whether the worker in that slot has an endpoint that can be asked."""
        if slot < self._workers:
            self._memory[2 * self._workers + slot] = can

    def note_connections(self, slot: int, count: int) -> None:
        """Note how many connections the worker in that slot has."""
        if slot < self._workers:
            _COUNT.pack_into(self._counts, slot * _COUNT.size, count)

    def has_fewer_connections(self, count: int) -> bool:
        """True if a worker that takes connections has fewer than `count`."""
        taking = self._memory[self._workers : 2 * self._workers]
        return any(
            takes and other < count
            for takes, (other,) in zip(taking, _COUNT.iter_unpack(self._counts), strict=True)
        )

    def is_open(self) -> bool:
        """True if every worker takes connections."""
        return all(self._memory[self._workers : 2 * self._workers])

    def states(self) -> tuple[int, ...]:
        """The states of the workers that are there."""
        return tuple(state for state in self._memory[: self._workers] if state != EMPTY)

    def announce(self) -> bool:
        """True for the first caller of all processes, when no worker is loading any more."""
        if LOADING in self.states() or self.is_announced:
            return False
        self._memory[-1] = True
        return True

    @property
    def is_announced(self) -> bool:
        """True if at some time no worker was loading."""
        return bool(self._memory[-1])

    def stop(self) -> None:
        """Note that the server is to stop."""
        self._memory[-2] = True

    @property
    def is_stopping(self) -> bool:
        """True if the server is to stop."""
        return bool(self._memory[-2])

    def waiting_for(self, strict: bool) -> str:
        """The reason why the server is not ready; "" if it is.

        `strict` requires all endpoints of every worker, not just one.
        """
        if self.is_stopping:
            return STOPPING
        able = self._memory[2 * self._workers : 3 * self._workers]
        there = [can for can, state in zip(able, self._memory, strict=False) if state != EMPTY]
        ready = set(self.states()) == {READY} if strict else there and all(there)
        return "" if ready else "another worker process is not ready"
