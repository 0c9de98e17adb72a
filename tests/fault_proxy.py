"""A proxy in front of a store that breaks what passes through it, as told."""

from __future__ import annotations

import http.client
import socket
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import nlq_gateway
from connectors import (
    EndpointError,
    EndpointFailed,
    EndpointOverloaded,
    EndpointStoppedQuery,
    EndpointTimeout,
    EndpointUnauthorized,
    EndpointUnreachable,
    IncompleteResult,
)
from tests.connectors.faulty_server import FaultyServer, StopServing, answer
from tests.oxigraph_store import Store

SAMPLE = Path(nlq_gateway.__file__).parent / "sample"
STALL_SECONDS = 25
Breaks = Callable[["FaultProxy", socket.socket, bytes], None]


@dataclass(frozen=True, slots=True)
class Toxic:
    """The change to the store's response, the error that it causes, and the problem that clients see."""

    does: Breaks
    error: type[EndpointError]
    status: int
    problem: str


class FaultProxy(FaultyServer):
    """Passes requests on to a store, and its answers back; `toxic` names what is done to them."""

    def __init__(self, store: str) -> None:
        parts = urlsplit(store)
        assert parts.hostname is not None
        self._host, self._store_port, self.path = parts.hostname, parts.port, parts.path
        self.toxic = ""
        self.stalled = 0
        super().__init__(self._pass_on)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}{self.path}"

    def poison(self, toxic: str) -> None:
        """From now on; "refuse" stops listening, anything else listens again, "" passes all on unharmed."""
        if toxic == "refuse":
            self.stop_listening()
        elif self.toxic == "refuse":
            self.listen()
        self.toxic = toxic

    def _pass_on(self, connection: socket.socket, request: bytes) -> None:
        if self.toxic:
            TOXICS[self.toxic].does(self, connection, self._fetched(request))
        else:
            connection.sendall(self._fetched(request))

    def _fetched(self, request: bytes) -> bytes:
        """The store's own response, with its length."""
        head, _, body = request.partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        method, target, _ = first.split(" ")
        headers = dict(line.split(": ", 1) for line in lines)
        store = http.client.HTTPConnection(self._host, self._store_port, timeout=30)
        try:
            store.request(method, target, body, headers)
            response = store.getresponse()
            content_type = response.headers["Content-Type"]
            status = f"{response.status} {response.reason}"
            return answer(response.read(), status=status, content_type=content_type)
        finally:
            store.close()


def _close(_proxy: FaultProxy, _connection: socket.socket, _response: bytes) -> None:
    raise StopServing


def _reset(_proxy: FaultProxy, connection: socket.socket, response: bytes) -> None:
    connection.sendall(response[:-9])
    time.sleep(0.02)
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    raise StopServing


def _stall(proxy: FaultProxy, connection: socket.socket, _response: bytes) -> None:
    """Until the other side hangs up, or for `STALL_SECONDS`; `stalled` counts those who wait."""
    end = time.monotonic() + STALL_SECONDS
    proxy.stalled += 1
    try:
        while time.monotonic() < end and not proxy.stopping.is_set():
            try:
                if not connection.recv(1):
                    break
            except TimeoutError:
                continue
    finally:
        proxy.stalled -= 1
    raise StopServing


def _truncate(_proxy: FaultProxy, connection: socket.socket, response: bytes) -> None:
    """A shorter body, whole by its length."""
    connection.sendall(answer(response.partition(b"\r\n\r\n")[2][:-9]))


def _drip(proxy: FaultProxy, connection: socket.socket, response: bytes) -> None:
    for position in range(len(response)):
        connection.sendall(response[position : position + 1])
        if proxy.stopping.wait(0.05):
            break
    raise StopServing


def _instead(body: bytes, status: str, content_type: str = "text/html", headers: str = "") -> Breaks:
    response = answer(body, status=status, content_type=content_type, headers=headers)

    def send(_proxy: FaultProxy, connection: socket.socket, _response: bytes) -> None:
        connection.sendall(response)

    return send


def _marked(state: str) -> Breaks:
    """The store's own answer with a state that says that it is a part."""

    def send(_proxy: FaultProxy, connection: socket.socket, response: bytes) -> None:
        connection.sendall(response.replace(b"\r\n", f"\r\nX-SQL-State: {state}\r\n".encode(), 1))

    return send


_JSON = "application/sparql-results+json"
_CUT = b'{"head":{"vars":["s","p","o"]},"results":{"bindings":[{"s":{"type":"uri","value":"urn:a"}}'
_ERROR = b'{"error": {"code": 500, "message": "out of memory"}}'
_ANOTHER = b'{"head":{"vars":["another"]},"results":{"bindings":[]}}'
_TRUTH = b'{"head":{},"boolean":true}'
_PAGE = b"<html><h1>Internal Server Error</h1></html>"
_ELSEWHERE = "Location: http://elsewhere.example/sparql\r\n"

TOXICS = {
    "refuse": Toxic(_close, EndpointUnreachable, 502, "endpoint-unreachable"),
    "reset": Toxic(_reset, EndpointUnreachable, 502, "endpoint-unreachable"),
    "stall": Toxic(_stall, EndpointTimeout, 504, "endpoint-timeout"),
    "truncate": Toxic(_truncate, IncompleteResult, 502, "incomplete-result"),
    "cut": Toxic(_instead(_CUT, "200 OK", _JSON), IncompleteResult, 502, "incomplete-result"),
    "error": Toxic(_instead(_ERROR, "200 OK", _JSON), IncompleteResult, 502, "incomplete-result"),
    "another": Toxic(_instead(_ANOTHER, "200 OK", _JSON), IncompleteResult, 502, "incomplete-result"),
    "truth": Toxic(_instead(_TRUTH, "200 OK", _JSON), IncompleteResult, 502, "incomplete-result"),
    "part": Toxic(_marked("01S07"), IncompleteResult, 502, "incomplete-result"),
    "late": Toxic(_marked("S1TAT"), EndpointStoppedQuery, 504, "endpoint-timeout"),
    "500": Toxic(_instead(_PAGE, "500 Internal Server Error"), EndpointFailed, 502, "endpoint-error"),
    "401": Toxic(_instead(b"", "401 Unauthorized"), EndpointUnauthorized, 502, "endpoint-unauthorized"),
    "429": Toxic(_instead(b"", "429 Too Many Requests"), EndpointOverloaded, 503, "overloaded"),
    "drip": Toxic(_drip, EndpointTimeout, 504, "endpoint-timeout"),
    "redirect": Toxic(
        _instead(b"", "307 Temporary Redirect", headers=_ELSEWHERE), EndpointError, 502, "endpoint-error"
    ),
}


@contextmanager
def before_sample(folder: Path) -> Iterator[FaultProxy]:
    """A proxy before an Oxigraph server with the sample graph, which is in that folder."""
    store = Store(folder, sorted(SAMPLE.glob("*.ttl")))
    store.start()
    proxy = FaultProxy(store.url)
    yield proxy
    proxy.close()
    store.stop()
