"""One request to a query service and its answer, read as it comes, over connections that are kept open."""

from __future__ import annotations

import os
import ssl
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace

from urllib3 import BaseHTTPResponse, HTTPConnectionPool, Timeout
from urllib3.exceptions import HTTPError

from connectors.addresses import Address
from connectors.auth import Auth
from connectors.errors import EndpointError, EndpointTimeout, EndpointUnreachable, IncompleteResult
from connectors.failures import exception_failure, partial_failure, status_failure
from connectors.observing import carried
from connectors.protocol import ProtocolRequest
from connectors.results import excerpt
from connectors.transport import connection_pool

_CHUNK_BYTES = 65_536
_ERROR_BYTES = 16_384
_SHOWN_BYTES = 500
# A store that is silent for so long counts as down; a shorter silence means that the deadline was short.
_PATIENCE_SECONDS = 5.0


class ResponseBody:
    """The pieces of an answer's body. Raises EndpointError where it breaks off or is too large."""

    def __init__(self, response: BaseHTTPResponse, max_bytes: int) -> None:
        self._pieces = response.stream(_CHUNK_BYTES)
        self._max_bytes = max_bytes
        self._bytes = 0
        self.beginning = b""
        self.ending = b""
        self.ended = False

    def __iter__(self) -> Iterator[bytes]:
        return self

    def __next__(self) -> bytes:
        try:
            piece = next(self._pieces)
        except StopIteration:
            self.ended = True
            raise
        except (HTTPError, OSError, ValueError) as error:
            # A part of the answer may have been used.
            failure = replace(exception_failure(error), resend=False)
            raise failure.error(f"{error}") from error
        self._bytes += len(piece)
        if self._bytes > self._max_bytes:
            raise IncompleteResult(
                f"the answer is larger than {self._max_bytes} bytes",
                hint="ask for less, with LIMIT, or raise limits.max_bytes",
            )
        if len(self.beginning) < _SHOWN_BYTES:
            self.beginning += piece[:_SHOWN_BYTES]
        self.ending = (self.ending + piece)[-_SHOWN_BYTES:]
        return piece

    def read(self) -> bytes:
        """The rest of the body."""
        return b"".join(self)

    def shown(self) -> str:
        """The part of the body that was read, for messages."""
        whole = self._bytes <= _SHOWN_BYTES
        return excerpt(self.beginning if whole else self.beginning + self.ending)


@dataclass(frozen=True, slots=True)
class StoreResponse:
    """An answer with status 200 that is not marked as partial."""

    headers: Mapping[str, str]
    body: ResponseBody

    @property
    def content_type(self) -> str:
        """The media type in the store's header, "" if there is none."""
        return self.headers.get("Content-Type", "")

    @property
    def shows_its_end(self) -> bool:
        """True if the header fields tell the end of the body from a lost connection."""
        return "Content-Length" in self.headers or "Transfer-Encoding" in self.headers


class Conversation:
    """Sends requests to one server. Connections belong to the process that made them."""

    def __init__(
        self, address: Address, auth: Auth, context: ssl.SSLContext, connect_ms: int, kept: int
    ) -> None:
        """At most `kept` connections stay open when they are not in use."""
        self._address = address
        self._auth = auth
        self._context = context
        self._connect_s = connect_ms / 1000
        self._kept = kept
        self._pools: dict[int, HTTPConnectionPool] = {}
        self._closed = False

    @contextmanager
    def answered(self, request: ProtocolRequest, deadline: float, max_bytes: int) -> Iterator[StoreResponse]:
        """Yield an answer for use in the block; a connection whose answer is not read to its end is closed.

        Raises:
            EndpointError: one of its subclasses, for every incomplete answer, within the block too.
        """
        sent: dict[str, str] = {}
        try:
            response = self._signed(request, deadline, sent)
            body = ResponseBody(response, max_bytes)
            try:
                _require_whole(response)
                yield StoreResponse(response.headers, body)
                if body.ended:
                    response.release_conn()
            finally:
                response.close()
        except EndpointError as error:
            error.endpoint = error.endpoint or self._address.shown
            error.detail = _without(sent, error.detail)[:1000]
            raise

    def status(self, request: ProtocolRequest, deadline: float) -> tuple[int, str]:
        """The status of an answer of any kind, and the beginning of its body.

        Raises:
            EndpointError: there is no answer, or the login cannot be used.
        """
        response = self._signed(request, deadline, {})
        try:
            return response.status, excerpt(_beginning(response))
        finally:
            response.close()

    def close(self) -> None:
        """Close the connections that are not in use."""
        self._closed = True
        for pool in self._pools.values():
            pool.close()

    def _signed(self, request: ProtocolRequest, deadline: float, sent: dict[str, str]) -> BaseHTTPResponse:
        """The response, its body unread, after a challenge if there was one; `sent` takes the signature."""
        url = self._address.at(request.target)
        sent.update(self._auth.headers(url))
        response = self._send(request, sent, deadline)
        if response.status != 401:
            return response
        try:
            again = self._auth.headers(url, response.headers.getlist("WWW-Authenticate"))
        except EndpointError:
            response.close()
            raise
        if again == sent:
            return response
        response.close()
        sent.update(again)
        return self._send(request, sent, deadline)

    def _send(
        self, request: ProtocolRequest, signature: Mapping[str, str], deadline: float
    ) -> BaseHTTPResponse:
        began = time.monotonic()
        remaining = max(deadline - began, 0.001)
        try:
            return self._pool().urlopen(
                request.method,
                request.target,
                body=request.body,
                headers={**request.headers, **carried(), **signature},
                timeout=Timeout(connect=min(self._connect_s, remaining), read=remaining, total=remaining),
                retries=False,
                redirect=False,
                preload_content=False,
            )
        except (HTTPError, OSError, ValueError) as error:
            unanswered = exception_failure(error).error(f"{error}")
            if isinstance(unanswered, EndpointTimeout) and time.monotonic() - began >= _PATIENCE_SECONDS:
                unanswered.outage = True
            raise unanswered from error

    def _pool(self) -> HTTPConnectionPool:
        if self._closed:
            raise EndpointUnreachable("the connector is closed")
        process = os.getpid()
        if process not in self._pools:
            at = self._address
            new = connection_pool(at.scheme, at.host, at.port, self._kept, self._context)
            self._pools.setdefault(process, new)
        return self._pools[process]


def _require_whole(response: BaseHTTPResponse) -> None:
    """Raise an EndpointError for an answer with another status than 200, or marked as partial."""
    status, headers = response.status, response.headers
    if status != 200:
        beginning = _beginning(response)
        failure = status_failure(status, headers, beginning.decode("utf-8", "replace"))
        raise failure.error(excerpt(beginning))
    if (partial := partial_failure(headers)) is not None:
        raise partial.error(headers.get("X-SQL-Message", ""))


def _beginning(response: BaseHTTPResponse) -> bytes:
    """The beginning of an error's body, up to a failure while reading it."""
    beginning = b""
    try:
        for piece in response.stream(_CHUNK_BYTES):
            beginning += piece
            if len(beginning) > _ERROR_BYTES:
                return beginning[:_ERROR_BYTES]
        response.release_conn()
    except (HTTPError, OSError, ValueError):
        return beginning
    return beginning


def _without(signature: Mapping[str, str], text: str) -> str:
    """The text with asterisks in place of secrets that a store repeats."""
    for value in signature.values():
        for secret in (value, value.rpartition(" ")[2]):
            text = text.replace(secret, "***")
    return text
