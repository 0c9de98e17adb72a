"""Stops accepting connections, without resetting accepted ones.

Connections that the system has accepted, and no worker has taken yet, are reset when the socket is closed.
So first no new ones are accepted, and the workers take the waiting ones; then the socket is closed. Clients
that were not accepted are refused when they retry, which their system does after a second.
"""

from __future__ import annotations

import ctypes
import signal
import socket
import struct
from contextlib import suppress

# The signals that end a process of the server.
ENDING = (signal.SIGTERM, signal.SIGINT, signal.SIGQUIT)

# Seconds until handshakes that began before are over.
SETTLE_SECONDS = 0.3

# Linux's name for the option, which Python has none for (socket(7)).
_SO_ATTACH_FILTER = 26
# Drops segments with the flag SYN, in the 14th byte of TCP's header, and keeps all others (classic BPF).
_NO_SYN = ((0x30, 0, 0, 13), (0x45, 0, 1, 0x02), (0x06, 0, 0, 0), (0x06, 0, 0, 0xFFFF))


def let_nobody_in(listener: socket.socket) -> None:
    """Have the system make no new connections for a listening socket; where it cannot, does nothing."""
    program = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *one) for one in _NO_SYN))
    with suppress(OSError):
        listener.setsockopt(
            socket.SOL_SOCKET,
            _SO_ATTACH_FILTER,
            struct.pack("HL", len(_NO_SYN), ctypes.addressof(program)),
        )
