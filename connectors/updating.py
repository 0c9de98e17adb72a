"""Tests if a store takes updates. No other part of the gateway sends one, and this changes nothing."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlencode, urlsplit

from connectors.addresses import read_address
from connectors.auth import Auth, NoAuth
from connectors.conversation import Conversation
from connectors.protocol import USER_AGENT, ProtocolRequest
from connectors.tls import Tls

# No update in any reading, so that every store that reads it calls it malformed.
MALFORMED = "this is no update"
# Deletes a triple that no graph has.
_THING = "<urn:nlq-gateway:doctor>"
NO_CHANGE = f'DELETE DATA {{ GRAPH {_THING} {{ {_THING} {_THING} "nothing" }} }}'
_MALFORMED_STATUS = 400
_FORM = {"Content-Type": "application/x-www-form-urlencoded", "User-Agent": USER_AGENT}
# The last name of the addresses that stores have for updates, beside those of queries.
_UPDATE = "update"
_QUERIES = frozenset({"query", "sparql", ""})


@dataclass(frozen=True, slots=True)
class UpdateReply:
    """The reply of one address: its path, the form's field, status and beginning of the body."""

    path: str
    field: str
    status: int
    told: str

    @property
    def is_done(self) -> bool:
        """True if the store reports the update as done."""
        return 200 <= self.status < 300

    @property
    def is_read(self) -> bool:
        """True if an update address has read the text, which it does not if updates are refused."""
        return self.status == _MALFORMED_STATUS and self.path.rpartition("/")[2] == _UPDATE


def try_update(
    url: str, text: str, *, auth: Auth, tls: Tls, connect_ms: int, wait_ms: int
) -> Iterator[UpdateReply]:
    """Send an update to the address of queries, by both names that stores have for it, and to one beside it.

    Raises:
        EndpointError: the store cannot be reached, or the login cannot be used.
        ValueError: as `HttpEndpoint`.
    """
    at = read_address(url)
    signs = at.auth if isinstance(auth, NoAuth) else auth
    line = Conversation(at, signs, tls.context(), connect_ms, 1)
    own = urlsplit(at.url).path
    try:
        for path, field in ((own, "update"), (own, "query"), (_beside(own), "update")):
            if path:
                request = ProtocolRequest(path, _FORM, urlencode({field: text}).encode())
                yield UpdateReply(path, field, *line.status(request, time.monotonic() + wait_ms / 1000))
    finally:
        line.close()


def _beside(path: str) -> str:
    """The update address that belongs to a query address, "" if none is known."""
    folder, _, name = path.rpartition("/")
    return f"{folder}/{_UPDATE}" if name in _QUERIES else ""
