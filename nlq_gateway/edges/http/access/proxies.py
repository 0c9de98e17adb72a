"""The address of a client behind trusted proxies.

Each proxy appends the address of its client to X-Forwarded-For. Read from the end, the first address that is
no trusted proxy's is the client's; a client can forge the addresses before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Any

Environ = dict[str, Any]
Wsgi = Callable[[Environ, Any], Iterable[bytes]]
_FORWARDED = "HTTP_X_FORWARDED_FOR"


class BehindProxies:
    """Puts a client's own address into REMOTE_ADDR, around a WSGI application."""

    def __init__(self, application: Wsgi, trusted: Sequence[str]) -> None:
        """`trusted` are networks of proxies."""
        self._application = application
        self._trusted = tuple(map(ip_network, trusted))

    def __call__(self, environ: Environ, start_response: Any) -> Iterable[bytes]:
        """Answer a request."""
        environ["REMOTE_ADDR"] = self._client(environ.get("REMOTE_ADDR", ""), environ.get(_FORWARDED, ""))
        return self._application(environ, start_response)

    def _client(self, peer: str, forwarded: str) -> str:
        found = peer
        for address in reversed(forwarded.split(",")):
            if not self._is_trusted(found):
                break
            try:
                found = str(ip_address(address.strip()))
            except ValueError:
                break
        return found

    def _is_trusted(self, text: str) -> bool:
        address = address_in(text)
        return address is not None and any(address in network for network in self._trusted)


def address_in(text: str) -> IPv4Address | IPv6Address | None:
    """The address that a text is, that of IPv4 where it is mapped into IPv6; None for another text."""
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return (address.ipv4_mapped or address) if isinstance(address, IPv6Address) else address
