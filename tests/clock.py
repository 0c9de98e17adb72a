"""Time in tests: waiting for what is to come, and bounds that hold on a busy machine, too."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

# Longer than a machine stands still, and far shorter than the minute that what is not waited for would take.
PROMPT_S = 15.0
LONGEST_S = 120.0


def until(condition: Callable[[], object], seconds: float = LONGEST_S) -> None:
    """Wait for the condition; it is an error that it does not come.

    Raises:
        TimeoutError: it has not come in so many seconds.
    """
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise TimeoutError(f"it has not come in {seconds:g} s")
        time.sleep(0.05)


@contextmanager
def promptly(seconds: float = PROMPT_S, least: float = 0.0) -> Iterator[None]:
    """The block takes at most so many seconds by the clock, and at least so many."""
    begun = time.monotonic()
    yield
    assert least <= time.monotonic() - begun < seconds


@contextmanager
def little_work(seconds: float = 1.0) -> Iterator[None]:
    """Assert that the block takes this thread fewer seconds of processor time.

    The time of other threads is left out: servers of other tests may be ending in them.
    """
    begun = time.thread_time()
    yield
    assert time.thread_time() - begun < seconds
