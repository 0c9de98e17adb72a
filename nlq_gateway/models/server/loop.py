"""An event loop in a thread of its own, for requests that can be given up at any moment."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future, wait
from typing import Any, TypeVar

from nlq_gateway.models.errors import Cancelled, ModelUnreachable

T = TypeVar("T")
_CLOSED = "the connection to the model was closed"
# The interval of checks for a cancelled caller, in seconds.
_TICK_SECONDS = 0.05


class Loop:
    """Runs coroutines for threads that wait for them. The thread ends with `close`, or with the process."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._closed = False
        self._thread = threading.Thread(target=self._loop.run_forever, name="model-server", daemon=True)
        self._thread.start()

    def run(self, work: Coroutine[Any, Any, T], gone: threading.Event) -> T:
        """Return the result of the work, or raise its error; setting `gone` cancels it and its connections.

        Raises:
            Cancelled: `gone` was set before the work was done.
            ModelUnreachable: the loop was closed meanwhile.
        """
        future = self._begun(work)
        try:
            while not wait([future], _TICK_SECONDS).done:
                if gone.is_set():
                    raise Cancelled("the caller cancelled the request")
            return future.result()
        except CancelledError:
            raise ModelUnreachable(_CLOSED) from None
        finally:
            future.cancel()

    def close(self) -> None:
        """Cancel what runs, and end the thread."""
        with self._lock:
            self._closed = True
            last = asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop)
        last.result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def _begun(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        with self._lock:
            if not self._closed:
                return asyncio.run_coroutine_threadsafe(work, self._loop)
        work.close()
        raise ModelUnreachable(_CLOSED)


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()
