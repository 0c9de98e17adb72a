"""HTTP connections that keep an overall deadline.

A socket's own timeout starts again with every byte, so that a store that sends one byte a second is never
too late. Here a timeout that is set on a connection is the time for all that is read until it is set again;
urllib3 sets it once per request, before it reads the status line.
"""

from __future__ import annotations

import io
import socket
import time
from typing import TYPE_CHECKING, Any

from urllib3 import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.connection import HTTPConnection, HTTPSConnection

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


class DeadlineSocket:
    """A connected socket whose timeout is for all reading together."""

    def __init__(self, connected: socket.socket) -> None:
        self._socket = connected
        self._deadline: float | None = None

    def settimeout(self, seconds: float | None) -> None:
        """Reading ends `seconds` from now."""
        self._deadline = None if seconds is None else time.monotonic() + seconds
        self._socket.settimeout(seconds)

    def shrink_timeout(self) -> None:
        """Leave the socket only the time that is left.

        Raises:
            TimeoutError: none is.
        """
        if self._deadline is None:
            return
        remaining = self._deadline - time.monotonic()
        if remaining <= 0:
            raise TimeoutError("the time for the whole answer is over")
        self._socket.settimeout(remaining)

    def makefile(self, mode: str = "rb", buffering: int | None = None) -> io.BufferedReader:
        """The reading side as a file; http.client asks for no other mode."""
        del mode, buffering
        return io.BufferedReader(_DeadlineReader(self, self._socket.makefile("rb", buffering=0)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._socket, name)


class _DeadlineReader(io.RawIOBase):
    """The raw file under `DeadlineSocket.makefile`."""

    def __init__(self, owner: DeadlineSocket, raw: io.RawIOBase) -> None:
        self._owner = owner
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer) -> int | None:
        self._owner.shrink_timeout()
        return self._raw.readinto(buffer)

    def fileno(self) -> int:
        return self._raw.fileno()

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class _PlainConnection(HTTPConnection):
    def connect(self) -> None:
        super().connect()
        self.sock = DeadlineSocket(self.sock)


class _TlsConnection(HTTPSConnection):
    def connect(self) -> None:
        super().connect()
        self.sock = DeadlineSocket(self.sock)


class _PlainPool(HTTPConnectionPool):
    ConnectionCls = _PlainConnection


class _TlsPool(HTTPSConnectionPool):
    ConnectionCls = _TlsConnection


def connection_pool(scheme: str, host: str, port: int | None, size: int) -> HTTPConnectionPool:
    """Up to `size` connections kept open to one host; more are made at need and closed after use."""
    pool_class = _TlsPool if scheme == "https" else _PlainPool
    return pool_class(host, port, maxsize=size, block=False, retries=False)
