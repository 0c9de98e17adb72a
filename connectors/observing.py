"""Watchers of a process: notified of pieces of work as they begin and end.

By default there are none, at next to no cost. They are set once for a process, as logging is (`watch`),
because work passes through many layers that are independent of the watchers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Protocol

# The name of the work of asking a store; its attribute `ADDRESS` is the store's address.
STORE = "store query"
ADDRESS = "server.address"


class Watcher(Protocol):
    """A watcher of work. Safe to share between threads."""

    def work(self, name: str, attributes: Mapping[str, str]) -> AbstractContextManager[None]:
        """A context around a piece of work; errors of the work pass through."""

    def headers(self) -> Mapping[str, str]:
        """The headers to send along with a request to another server for the current work."""


_watchers: tuple[Watcher, ...] = ()


def watch(*watchers: Watcher) -> None:
    """Replace the watchers of this process by these."""
    global _watchers
    _watchers = watchers


def watched(name: str, attributes: Mapping[str, str] | None = None) -> AbstractContextManager[None]:
    """A context around a piece of work, reported to the watchers."""
    return _by_all(name, attributes or {}) if _watchers else nullcontext()


def carried() -> dict[str, str]:
    """Headers that tell other servers the work that a request belongs to; mostly none."""
    return {name: value for one in _watchers for name, value in one.headers().items()}


@contextmanager
def _by_all(name: str, attributes: Mapping[str, str]) -> Iterator[None]:
    with ExitStack() as stack:
        for one in _watchers:
            stack.enter_context(one.work(name, attributes))
        yield
