"""The session of one process with one server; belongs to one event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from nlq_gateway.models.base import Deadline, ModelRequest, Prompt, Reply, Scores
from nlq_gateway.models.errors import ModelMissing, ModelUnreachable
from nlq_gateway.models.server.asking import score, write
from nlq_gateway.models.server.circuit import ServerCircuit
from nlq_gateway.models.server.failures import ServerFailed
from nlq_gateway.models.server.findings import Findings
from nlq_gateway.models.server.probe import probe
from nlq_gateway.models.server.wire import Wire, until


class ServerSession:
    """The connections, the detected features, and the failures. Every method raises ModelError.

    What was found out is asked again once the server was down, as another model may run when it is back;
    until then it is still `known`.
    """

    def __init__(self, wire: Wire, name: str | None) -> None:
        self._wire = wire
        self._name = name
        self._circuit = ServerCircuit()
        self._probe: asyncio.Task[Findings] | None = None
        self.known: Findings | None = None

    async def findings(self, deadline: Deadline) -> Findings:
        """The server's features; detected once, for all concurrent callers.

        Returning known features is not an attempt, which would count as a success of a failing server.
        """
        if self._probe is not None and self._probe.done() and not _failed(self._probe):
            self._circuit.check()
            return self._probe.result()
        with self._attempt():
            return await self._found(deadline)

    async def write(self, request: ModelRequest, deadline: Deadline) -> Reply:
        """See Model.generate."""
        with self._attempt():
            findings = await self._found(deadline)
            return await write(self._wire, findings, request, deadline)

    async def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """See Model.score."""
        with self._attempt():
            findings = await self._found(deadline)
            return await score(self._wire, findings, prompt, continuations, deadline)

    async def close(self) -> None:
        """Close the connections."""
        await self._wire.close()

    @contextmanager
    def _attempt(self) -> Iterator[None]:
        try:
            with self._circuit.attempt():
                yield
        except ServerFailed:
            raise
        except (ModelUnreachable, ModelMissing):
            self._probe = None
            raise

    async def _found(self, deadline: Deadline) -> Findings:
        """Wait for the shared probe; a caller that stops waiting does not cancel it for the others."""
        if self._probe is None or _failed(self._probe):
            self._probe = asyncio.create_task(probe(self._wire, self._name))
            self._probe.add_done_callback(_seen)
        async with until(deadline):
            self.known = await asyncio.shield(self._probe)
            return self.known


def _failed(task: asyncio.Task[Findings]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def _seen(task: asyncio.Task[Findings]) -> None:
    """Retrieve the exception of a task without a waiting caller."""
    if not task.cancelled():
        task.exception()
