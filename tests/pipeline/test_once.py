"""A property made once for an object: threads wait for it, those with another object do not."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest

from nlq_gateway.answering.once import made_once


@dataclass(frozen=True)
class Slow:
    """Its value is made as soon as it may be; `made` counts how often."""

    may: threading.Event
    begun: threading.Event = field(default_factory=threading.Event)
    made: list[int] = field(default_factory=list)

    @made_once
    def value(self) -> int:
        """The answer."""
        self.begun.set()
        assert self.may.wait(20)
        self.made.append(1)
        return 42


def test_another_object_does_not_wait() -> None:
    slow, quick = Slow(threading.Event()), Slow(threading.Event())
    quick.may.set()
    with ThreadPoolExecutor(1) as pool:
        first = pool.submit(lambda: slow.value)
        assert slow.begun.wait(20)
        assert quick.value == 42
        slow.may.set()
        assert first.result(20) == 42


def test_it_is_made_once_for_all_threads() -> None:
    slow = Slow(threading.Event())
    with ThreadPoolExecutor(4) as pool:
        found = [pool.submit(lambda: slow.value) for _ in range(4)]
        assert slow.begun.wait(20)
        slow.may.set()
        assert [one.result(20) for one in found] == [42] * 4
    assert slow.made == [1]
    assert slow == Slow(slow.may, slow.begun, [1])


def test_what_fails_is_tried_again() -> None:
    class Failing:
        tries = 0

        @made_once
        def value(self) -> int:
            self.tries += 1
            if self.tries == 1:
                raise OSError("not yet")
            return self.tries

    failing = Failing()
    with pytest.raises(OSError, match="not yet"):
        _ = failing.value
    assert failing.value == 2
    assert Slow.value.__doc__ == "The answer."
