"""A tool's work in a thread of its own, which ends when the client cancels, and its failures as errors."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from anyio import move_on_after, to_thread
from mcp.server.mcpserver.exceptions import ToolError

from compilers.errors import InvalidProgram
from connectors.asking import asking
from connectors.errors import EndpointError
from nlq_gateway.core.errors import KNOWN_ERRORS, NotReady
from nlq_gateway.endpoints.endpoint import Endpoint

# Clients wait a minute for a tool by default, and should hear why there is no answer.
PREPARE_SECONDS = 45.0

Found = TypeVar("Found")


async def in_thread(work: Callable[[threading.Event], Found]) -> Found:
    """Return the result of `work`; its argument is an event that is set when the client has left.

    Stores are queried in its name: a running query ends with it.
    """
    gone = threading.Event()

    def asked() -> Found:
        with asking(gone=gone):
            return work(gone)

    try:
        return await to_thread.run_sync(asked, abandon_on_cancel=True)
    finally:
        gone.set()


async def made_ready(endpoint: Endpoint) -> Endpoint:
    """Return a snapshot of the endpoint once it is ready; waits for one that is being prepared.

    Raises:
        NotReady: that takes longer than clients wait.
        EndpointError: the store is down, or GatewayError and DataError if it cannot be used.
    """
    if endpoint.status != "ready":
        with move_on_after(PREPARE_SECONDS) as waiting:
            await to_thread.run_sync(lambda: endpoint.prepare(any_age=True), abandon_on_cancel=True)
        if waiting.cancelled_caught:
            hint = "ask again in a minute; large graphs take a while to be read for the first time"
            raise NotReady(f"{endpoint.id} is still being prepared", hint=hint)
    return endpoint.snapshot()


@contextmanager
def told() -> Iterator[None]:
    """Around a tool: a known error is one that the model reads, with what to do about it."""
    try:
        yield
    except KNOWN_ERRORS as error:
        raise ToolError(described(error)) from error


def described(error: Exception) -> str:
    """Describe an error: message, the store's message, hint, and whether a retry helps."""
    lines = [str(getattr(error, "message", error))]
    if isinstance(error, InvalidProgram):
        lines += [f"step {one.step + 1}: {one.message}; {one.hint}" for one in error.issues[1:]]
    if isinstance(error, EndpointError) and error.detail:
        lines.append(f"The store says: {error.detail}")
    if hint := getattr(error, "hint", ""):
        lines.append(f"Hint: {hint}")
    lines.append(
        "Asking again may help."
        if getattr(error, "retryable", False)
        else "Asking again as it is will not help."
    )
    return "\n".join(lines)
