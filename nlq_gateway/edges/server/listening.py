"""The socket that the server listens at."""

from __future__ import annotations

import errno
import socket

from nlq_gateway.core.errors import ConfigurationError

BACKLOG = 1024


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens there; raises ConfigurationError where that is not possible."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, kind, protocol, _, address = found[0]
        listener = socket.socket(family, kind, protocol)
    except (OSError, UnicodeError, OverflowError) as error:
        raise ConfigurationError(f"cannot listen at {host}: {error}", hint="choose --host") from None
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(BACKLOG)
    except (OSError, OverflowError) as error:
        listener.close()
        raise ConfigurationError(_why(error, host, port), hint="choose another with --port") from None
    return listener


def _why(error: Exception, host: str, port: int) -> str:
    if isinstance(error, OSError) and error.errno == errno.EADDRINUSE:
        return f"port {port} is in use by another program"
    if isinstance(error, OSError) and error.errno == errno.EACCES:
        return f"port {port} may not be used by this user"
    return f"cannot listen at {host}, port {port}: {error}"
