"""The names under which requests may ask for this server (RFC 9110, 7.4: 421).

A page of another site can have its own name resolve to this machine, and its browser then takes the gateway
for that site (DNS rebinding). The name in `Host` gives it away; an address cannot be resolved to another one.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import request

from nlq_gateway.core.errors import Misdirected
from nlq_gateway.edges.http.access.proxies import address_in

LOOPBACK = "localhost"


class Hosts:
    """The names that are this server's."""

    def __init__(self, bound: str, names: Sequence[str]) -> None:
        """`bound` is where the server listens, `names` are further ones."""
        self._names = frozenset(map(_plain, (LOOPBACK, bound, *names)))
        bound_to = address_in(_plain(bound))
        self._anywhere = bound == "" or (bound_to is not None and bound_to.is_unspecified)

    def admit(self) -> None:
        """Raise Misdirected where the current request names another host; HTTP/1.0 may name none."""
        said = request.headers.get("Host", "")
        if said and not self.has(said):
            raise Misdirected(
                "this server is not known by the name in `Host`",
                hint="the operator lists names of the gateway under `server.hosts`",
            )

    def has(self, said: str) -> bool:
        """True if a `Host` header names this server."""
        name = _plain(said)
        address = address_in(name)
        return name in self._names or (address is not None and (self._anywhere or address.is_loopback))


def _plain(host: str) -> str:
    """A host without its port, the brackets of IPv6 and the dot of a full name."""
    host = host.strip().lower()
    if host.startswith("["):
        return host[1:].partition("]")[0]
    name, colon, _ = host.partition(":")
    return host if colon and ":" in host[len(name) + 1 :] else name.removesuffix(".")
