"""Replies that are kept: the same prompt to the same model, drawn in the same way, is asked once.

Prompts and grammars have some 100 kB together, so only a digest of them is kept with a reply.
"""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable
from typing import TypeVar, cast

from cachetools import LRUCache

ENTRIES = 2_000

Kept = TypeVar("Kept")


class RememberedReplies:
    """The last replies of one model. Safe to share between threads; failures are not kept."""

    def __init__(self) -> None:
        self._kept: LRUCache[bytes, object] = LRUCache(ENTRIES)
        self._lock = threading.Lock()

    def get(self, key: object, make: Callable[[], Kept]) -> tuple[Kept, bool]:
        """Return the cached or newly made value of a key, and True if cached. Keys compare by `repr`."""
        digest = hashlib.sha256(repr(key).encode()).digest()
        with self._lock:
            if digest in self._kept:
                return cast(Kept, self._kept[digest]), True
        made = make()
        with self._lock:
            self._kept[digest] = made
        return made, False
