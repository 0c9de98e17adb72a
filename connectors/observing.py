"""Who watches what a process does: told of pieces of work as they begin and end.

By default nobody does, and then it costs next to nothing. It is set once for a process, as logging is
(`watch`): work passes through many layers that know nothing of those who watch it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from typing import Protocol

# The name of the work of asking a store; its attribute `ADDRESS` is where that is.
STORE = "store query"
ADDRESS = "server.address"


class Watcher(Protocol):
    """Somebody who watches. Safe to share between threads."""

    def work(self, name: str, attributes: Mapping[str, str]) -> AbstractContextManager[None]:
        """Around a piece of work; what it raises goes through."""

    def headers(self) -> Mapping[str, str]:
        """What is to be sent along with a request to another server for the work at hand."""


_watchers: tuple[Watcher, ...] = ()


def watch(*watchers: Watcher) -> None:
    """Let these, and no others, watch this process from now on."""
    global _watchers
    _watchers = watchers


def watched(name: str, attributes: Mapping[str, str] | None = None) -> AbstractContextManager[None]:
    """Around a piece of work that somebody may watch."""
    return _by_all(name, attributes or {}) if _watchers else nullcontext()


def carried() -> dict[str, str]:
    """Headers for requests to other servers, by which these can tell what they are for; mostly none."""
    return {name: value for one in _watchers for name, value in one.headers().items()}


@contextmanager
def _by_all(name: str, attributes: Mapping[str, str]) -> Iterator[None]:
    with ExitStack() as stack:
        for one in _watchers:
            stack.enter_context(one.work(name, attributes))
        yield
