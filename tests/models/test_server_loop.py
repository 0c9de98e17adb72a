"""The event loop that threads wait for."""

from __future__ import annotations

import asyncio
import threading

import pytest

from nlq_gateway.models.errors import Cancelled, ModelUnreachable
from nlq_gateway.models.server.loop import Loop
from tests.clock import PROMPT_S, promptly


async def value(seconds: float = 0.0) -> int:
    await asyncio.sleep(seconds)
    return 7


def test_what_the_work_gives_or_raises() -> None:
    loop = Loop()

    async def wrong() -> None:
        raise KeyError("x")

    assert loop.run(value(), threading.Event()) == 7
    with pytest.raises(KeyError):
        loop.run(wrong(), threading.Event())
    loop.close()


def test_work_is_cancelled_when_nobody_waits() -> None:
    loop, gone, cleaned = Loop(), threading.Event(), threading.Event()

    async def work() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            cleaned.set()

    threading.Timer(0.1, gone.set).start()
    with promptly(), pytest.raises(Cancelled):
        loop.run(work(), gone)
    assert cleaned.wait(PROMPT_S)
    loop.close()


def test_closing_ends_what_runs_and_what_comes_later() -> None:
    loop = Loop()
    closing = threading.Timer(0.1, loop.close)
    closing.start()
    with pytest.raises(ModelUnreachable):
        loop.run(value(60), threading.Event())
    with pytest.raises(ModelUnreachable):
        loop.run(value(), threading.Event())
    closing.join()
    assert "model-server" not in {thread.name for thread in threading.enumerate()}
