"""Replies that are kept: the same prompt to the same model, drawn in the same way, is asked once."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable
from typing import TypeVar, cast

from cachetools import LRUCache

ENTRIES = 2_000

Kept = TypeVar("Kept")


class Remembered:
    """The last replies of one model. Safe to share between threads; failures are not kept."""

    def __init__(self, entries: int = ENTRIES) -> None:
        """Keep so many."""
        self._kept: LRUCache[Hashable, object] = LRUCache(entries)
        self._lock = threading.Lock()

    def get(self, key: Hashable, make: Callable[[], Kept]) -> tuple[Kept, bool]:
        """What is kept under a key, or is made; and whether it was kept."""
        with self._lock:
            if key in self._kept:
                return cast(Kept, self._kept[key]), True
        made = make()
        with self._lock:
            self._kept[key] = made
        return made, False
