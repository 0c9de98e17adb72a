"""An HTTP server that breaks as told."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable

Handler = Callable[[socket.socket, bytes], None]


class FaultyServer:
    """Reads requests and lets a handler answer on the bare socket. `requests` holds what came."""

    def __init__(self, handler: Handler) -> None:
        self._handler = handler
        self.requests: list[bytes] = []
        self.connections = 0
        self.stopping = threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/sparql"

    def _accept(self) -> None:
        while not self.stopping.is_set():
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self.connections += 1
            thread = threading.Thread(target=self._serve, args=(connection,))
            self._threads.append(thread)
            thread.start()

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(0.2)
            try:
                while not self.stopping.is_set():
                    try:
                        request = read_request(connection)
                    except TimeoutError:
                        continue
                    if request is None:
                        return
                    self.requests.append(request)
                    self._handler(connection, request)
            except (OSError, StopServing):
                return

    def close(self) -> None:
        self.stopping.set()
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        for thread in self._threads:
            thread.join(10)


class StopServing(Exception):
    """A handler's way to close its connection."""


def read_request(connection: socket.socket) -> bytes | None:
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = connection.recv(65536)
        if not chunk:
            return None
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    length = next(
        int(line.partition(b":")[2])
        for line in head.split(b"\r\n")
        if line.lower().startswith(b"content-length")
    )
    while len(body) < length:
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def answer(
    body: bytes,
    *,
    status: str = "200 OK",
    content_type: str = "application/sparql-results+json",
    headers: str = "",
    length: int | None = None,
) -> bytes:
    """The bytes of a response; `length` may lie."""
    size = len(body) if length is None else length
    return (
        f"HTTP/1.1 {status}\r\nContent-Type: {content_type}\r\nContent-Length: {size}\r\n{headers}\r\n"
    ).encode() + body
