"""A model behind a server, as the gateway sees it."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from nlq_gateway.models.base import Capabilities, Deadline, ModelRequest, Prompt, Reply, Scores
from nlq_gateway.models.errors import ModelUnreachable
from nlq_gateway.models.server.estimate import estimated_tokens
from nlq_gateway.models.server.findings import Findings
from nlq_gateway.models.server.loop import Loop
from nlq_gateway.models.server.options import AS_IT_COMES, ServerOptions

if TYPE_CHECKING:
    from nlq_gateway.models.server.session import ServerSession


@dataclass(frozen=True, slots=True)
class _Line:
    """The open resources of one process."""

    loop: Loop
    session: ServerSession


class ServerModel:
    """A model on an OpenAI-compatible server; the first use sends the first request.

    Texts come from `/chat/completions` if the server has it, else from `/completions`, with the prompt
    unchanged (`ServerOptions.api` overrides this). Parameters that the server refuses by name are omitted
    from then on.
    """

    def __init__(
        self,
        url: str,
        name: str | None = None,
        key: str = "",
        *,
        options: ServerOptions = AS_IT_COMES,
        connect_seconds: float = 3.0,
    ) -> None:
        """`url` is that of the API, mostly ending in /v1; without a name, the first listed model is meant.

        Raises:
            ValueError: the URL is not http or https, names no host, or has a user or parameters; or the key
                or a header cannot be sent. The message repeats none of them.
        """
        for value in options.headers.values():
            _checked_key(value, "a header of the model")
        self._options = options
        self._url = _checked(url)
        self._name = name
        self._key = _checked_key(key)
        self._connect_seconds = connect_seconds
        self._lines: dict[int, _Line] = {}
        self._opening = threading.Lock()
        self._closed = False

    def __repr__(self) -> str:
        return f"ServerModel({self._url!r}, {self._name!r})"

    @property
    def name(self) -> str:
        """The model's name and the server's address; where no name was given, as `capabilities`."""
        return f"{self._name or self._known().model} at {self._url}"

    @property
    def capabilities(self) -> Capabilities:
        """The last detected features; asks a server that has not answered yet. Raises ModelError."""
        found = self._known()
        bound = found.grammar is not None, found.scoring is not None, found.schema is not None
        return Capabilities(*bound, tools=found.tools)

    def findings(self, deadline: Deadline | None = None) -> Findings:
        """All detected features of the server. Without a deadline the probe has no time limit."""
        line = self._line()
        deadline = deadline or Deadline()
        return line.loop.run(line.session.findings(deadline), deadline.gone)

    def prepare(self, deadline: Deadline) -> None:
        """Find out what the server can do, where that is not known, or after it was down."""
        deadline.check()
        self.findings(deadline)

    def generate(self, request: ModelRequest, deadline: Deadline) -> Reply:
        """The texts, read as a stream that is closed at once when the deadline is over or gone is set."""
        deadline.check()
        line = self._line()
        return line.loop.run(line.session.write(request, deadline), deadline.gone)

    def score(self, prompt: Prompt, continuations: Sequence[str], deadline: Deadline) -> Scores:
        """Return the log-probability of each continuation, in one request."""
        deadline.check()
        line = self._line()
        return line.loop.run(line.session.score(prompt, continuations, deadline), deadline.gone)

    def count_tokens(self, text: str) -> int:
        """An estimate, as servers have no common way to count; asks nothing."""
        return estimated_tokens(text)

    def close(self) -> None:
        """Break off what runs, and close the connections."""
        with self._opening:
            self._closed = True
            line = self._lines.pop(os.getpid(), None)
        if line is not None:
            line.loop.run(line.session.close(), threading.Event())
            line.loop.close()

    def _known(self) -> Findings:
        return self._line().session.known or self.findings()

    def _line(self) -> _Line:
        """The open resources of this process: neither threads nor connections survive a fork."""
        with self._opening:
            if self._closed:
                raise ModelUnreachable("the model is closed")
            process = os.getpid()
            if process not in self._lines:
                self._lines[process] = self._opened()
            return self._lines[process]

    def _opened(self) -> _Line:
        # Importing the client takes a third of a second.
        from nlq_gateway.models.server.session import ServerSession
        from nlq_gateway.models.server.wire import Wire

        wire = Wire(self._url, self._key, self._connect_seconds, self._options)
        return _Line(Loop(), ServerSession(wire, self._name))


def _checked(url: str) -> str:
    """The URL, if it is one without secrets in it: URLs are shown and logged."""
    try:
        parts = urlsplit(url)
        named = bool(parts.hostname) and parts.port != 0
    except ValueError:
        raise ValueError("the model's URL cannot be read") from None
    if parts.scheme not in ("http", "https") or not named:
        raise ValueError("the model's URL must begin with http:// or https:// and a host")
    if parts.username is not None or parts.query or parts.fragment:
        raise ValueError("the model's URL must have no user or parameters; put secrets into `key`")
    return url.rstrip("/")


def _checked_key(key: str, what: str = "the model's key") -> str:
    if not key.isascii() or not key.isprintable() or key != key.strip():
        raise ValueError(f"{what} has characters that cannot be sent, such as a space or a line break")
    return key
