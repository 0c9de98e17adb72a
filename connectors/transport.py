"""HTTP connections that keep an overall deadline, and end when the client disconnects.

A socket's own timeout starts again with every byte, so that a store that sends one byte a second is never
too late. Here a timeout that is set on a connection is the time for all that is read until it is set again;
urllib3 sets it once per request, before it reads the status line.
"""

from __future__ import annotations

import io
import socket
import ssl
import threading
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.exceptions import ConnectTimeoutError

from connectors.asking import LOOK_SECONDS, asker
from connectors.errors import EndpointCancelled

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

# Host name look-ups have no timeout of their own: they may take this much longer than the connection.
_NAME_SECONDS = 1.0


class DeadlineSocket:
    """A connected socket whose timeout covers all reads together."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._deadline: float | None = None

    def settimeout(self, seconds: float | None) -> None:
        """Reading ends `seconds` from now."""
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._socket.settimeout(seconds)

    def read_into(self, buffer: WriteableBuffer) -> int:
        """Receive bytes as `recv_into` does, checking at intervals that the client is still connected.

        Raises:
            TimeoutError: the time is over.
            EndpointCancelled: the client has disconnected.
        """
        while True:
            asker().check()
            self._socket.settimeout(self._slice())
            try:
                return self._socket.recv_into(buffer)
            except TimeoutError:
                continue

    def _slice(self) -> float | None:
        """Seconds to wait at a time; raises TimeoutError if none is left."""
        pause = LOOK_SECONDS if asker().gone is not None else None
        if self._deadline is None:
            return pause
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise TimeoutError("the time for the whole answer is over")
        return left if pause is None else min(left, pause)

    def makefile(self, mode: str = "rb", buffering: int | None = None) -> io.BufferedReader:
        """The reading side as a file; http.client asks for no other mode."""
        del mode, buffering
        return io.BufferedReader(_DeadlineReader(self, self._socket.makefile("rb", buffering=0)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


class _DeadlineReader(io.RawIOBase):
    """The raw file under `DeadlineSocket.makefile`.

    The socket's own file is kept open beside it, since the socket closes with its last file; nothing is read
    from it, since it can be read no more after one timeout.
    """

    def __init__(self, owner: DeadlineSocket, raw: io.RawIOBase) -> None:
        self._owner = owner
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        return self._owner.read_into(buffer)

    def fileno(self) -> int:
        return self._raw.fileno()

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


def _connect(connection: HTTPConnection, connect: Callable[[], None]) -> None:
    """Connect in a separate thread, so that a disconnected client or a passed deadline ends the wait."""
    ended, failure = threading.Event(), list[BaseException]()
    left = threading.Event()

    def beside() -> None:
        try:
            connect()
        except BaseException as error:
            failure.append(error)
        ended.set()
        if left.is_set():
            connection.close()

    threading.Thread(target=beside, name="store-connect", daemon=True).start()
    seconds = connection.timeout if isinstance(connection.timeout, int | float) else float("inf")
    try:
        in_time = asker().wait(ended, seconds + _NAME_SECONDS)
    except EndpointCancelled:
        _leave(connection, ended, left)
        raise
    if not in_time:
        _leave(connection, ended, left)
        raise ConnectTimeoutError(connection, f"no connection within {seconds} s")
    if failure:
        raise failure[0]
    connection.sock = DeadlineSocket(connection.sock)


def _leave(connection: HTTPConnection, ended: threading.Event, left: threading.Event) -> None:
    """Close the connection in the later of the two threads."""
    left.set()
    if ended.is_set():
        connection.close()


class _PlainConnection(HTTPConnection):
    def connect(self) -> None:
        _connect(self, super().connect)


class _TlsConnection(HTTPSConnection):
    def connect(self) -> None:
        _connect(self, super().connect)


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


def connection_pool(
    scheme: str, host: str, port: int | None, size: int, context: ssl.SSLContext
) -> HTTPConnectionPool:
    """Up to `size` connections kept open to one host; more are made at need and closed after use."""
    if scheme == "https":
        return _TlsPool(host, port, maxsize=size, block=False, retries=False, ssl_context=context)
    return _PlainPool(host, port, maxsize=size, block=False, retries=False)
