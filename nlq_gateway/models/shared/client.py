"""A model that runs in another process of this machine, as a worker sees it."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, answer_challenge, deliver_challenge
from typing import Any, cast

from nlq_gateway.models.base import Capabilities, Deadline, ModelRequest, Prompt, Reply, Scores
from nlq_gateway.models.errors import ModelError, ModelUnreachable
from nlq_gateway.models.shared.messages import Method, MethodCall, Raised, Returned

# The interval at which a waiting call checks its deadline, in seconds.
_LOOK = 0.05
# Seconds: a running process accepts a connection and a text at once.
_AT_ONCE_SECONDS = 10.0


class SharedModel:
    """The model behind a socket. Safe to share between threads; made after a fork, not before."""

    def __init__(self, address: str, key: bytes) -> None:
        """Connect to no process yet: the first call does."""
        self._address = address
        self._key = key
        self._idle: list[Connection] = []
        self._lock = threading.Lock()
        self._known: tuple[str, Capabilities] | None = None

    @property
    def name(self) -> str:
        """The model's own."""
        return self._description(Deadline.after(_AT_ONCE_SECONDS))[0]

    @property
    def capabilities(self) -> Capabilities:
        """The model's own."""
        return self._description(Deadline.after(_AT_ONCE_SECONDS))[1]

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        """Delegate to the model's process; ModelUnreachable while it is down."""
        return cast(Reply, self._called("generate", deadline, request=request))

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """Delegate to the model's process; ModelUnreachable while it is down."""
        found = self._called("score", deadline, prompt=prompt, continuations=tuple(continuations))
        return cast(Scores, found)

    def count_tokens(self, text: str) -> int:
        """Delegate to the model's process; ModelUnreachable while it is down."""
        return cast(int, self._called("count_tokens", Deadline.after(_AT_ONCE_SECONDS), text=text))

    def prepare(self, deadline: Deadline) -> None:
        """Wait until the model is open; asks again each time, since its process may be another one."""
        self._known = self._called("prepare", deadline)

    def close(self) -> None:
        """Close the connections that are not in use; the process stays."""
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _description(self, deadline: Deadline) -> tuple[str, Capabilities]:
        if self._known is None:
            self.prepare(deadline)
        assert self._known is not None
        return self._known

    def _called(self, method: Method, deadline: Deadline, **arguments: Any) -> Any:
        """Return the result of the method, over a kept connection, or a new one if that has ended."""
        deadline.check()
        call = MethodCall(method, deadline.left, arguments)
        with self._lock:
            kept = self._idle.pop() if self._idle else None
        if kept is not None:
            try:
                return self._said(kept, call, deadline)
            except (EOFError, OSError):
                # The process has been restarted.
                self.close()
        try:
            return self._said(self._connected(deadline), call, deadline)
        except (EOFError, OSError, AuthenticationError) as error:
            raise ModelUnreachable(
                f"the model's process is not there: {type(error).__name__}", hint="it is started again"
            ) from error

    def _said(self, connection: Connection, call: MethodCall, deadline: Deadline) -> Any:
        """Return the answer to a call; if the caller stops waiting, the connection is closed."""
        try:
            connection.send(call)
            while not connection.poll(_LOOK):
                deadline.check()
            answer: Returned | Raised = connection.recv()
        except (EOFError, OSError, ModelError):
            connection.close()
            raise
        with self._lock:
            self._idle.append(connection)
        if isinstance(answer, Raised):
            raise answer.error()
        return answer.value

    def _connected(self, deadline: Deadline) -> Connection:
        connection = Client(self._address, family="AF_UNIX")
        # The system accepts connections even if the process hangs.
        if not connection.poll(min(_AT_ONCE_SECONDS, deadline.left)):
            connection.close()
            raise ModelUnreachable("the model's process does not answer", hint="it may be stopped")
        answer_challenge(connection, self._key)
        deliver_challenge(connection, self._key)
        return connection
