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
        self.port = 0
        self._threads: list[threading.Thread] = []
        self.listen()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/sparql"

    def listen(self) -> None:
        """Take connections, on the port that was chosen the first time."""
        self._listener = socket.create_server(("127.0.0.1", self.port))
        self.port = self._listener.getsockname()[1]
        self._start(self._accept, self._listener)

    def stop_listening(self) -> None:
        """Refuse further connections."""
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _accept(self, listener: socket.socket) -> None:
        while not self.stopping.is_set():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            self.connections += 1
            self._start(self._serve, connection)

    def _start(self, work: Callable[[socket.socket], None], given: socket.socket) -> None:
        self._threads = [thread for thread in self._threads if thread.is_alive()]
        thread = threading.Thread(target=work, args=(given,))
        thread.start()
        self._threads.append(thread)

    def _serve(self, connection: socket.socket) -> None:
        with connection:
            connection.settimeout(0.2)
            begun = bytearray()
            try:
                while not self.stopping.is_set():
                    try:
                        request = read_request(connection, begun)
                    except TimeoutError:
                        continue
                    if request is None:
                        return
                    self.requests.append(request)
                    self._handler(connection, request)
            except (OSError, StopServing):
                return

    def close(self) -> None:
        """Stop listening, and wait for what is being answered; does nothing the second time."""
        if self.stopping.is_set():
            return
        self.stopping.set()
        if self._listener.fileno() >= 0:
            self.stop_listening()
        for thread in self._threads:
            thread.join(10)


class StopServing(Exception):
    """A handler's way to close its connection."""


def read_request(connection: socket.socket, begun: bytearray) -> bytes | None:
    """The next request, or None at the end of the connection.

    `begun` keeps what came of a request whose rest is late: a busy client sends head and body far apart.
    """
    while (missing := _missing(begun)) > 0:
        chunk = connection.recv(missing)
        if not chunk:
            return None
        begun += chunk
    request = bytes(begun)
    begun.clear()
    return request


def _missing(begun: bytearray) -> int:
    """How many bytes of a request to wait for; 65,536 at most while its head is not whole."""
    head, end, body = begun.partition(b"\r\n\r\n")
    if not end:
        return 65536
    lengths = (
        line.partition(b":")[2] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")
    )
    return int(next(lengths, b"0")) - len(body)


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
