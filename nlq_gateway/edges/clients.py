"""Clients: credentials, their owners, and the datasets that these may read."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256
from typing import Protocol

from nlq_gateway.answering import Pipeline
from nlq_gateway.core.errors import Forbidden, Unauthorized
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.settings import AccessSettings

_REALM = 'realm="nlq-gateway"'


@dataclass(frozen=True, slots=True)
class Client:
    """A client: its name, "" without credentials, and the ids it may read; None for all.

    A curator decides on feedback on these.
    """

    name: str = ""
    datasets: frozenset[str] | None = None
    is_curator: bool = False

    def may_read(self, dataset: str) -> bool:
        """True if the client may read the dataset with this id."""
        return self.datasets is None or dataset in self.datasets


EVERYBODY = Client()
NOBODY = Client(datasets=frozenset())


def readable(pipeline: Pipeline, client: Client) -> tuple[Endpoint, ...]:
    """The endpoints that the client may read, in the order of the settings."""
    return tuple(endpoint for endpoint in pipeline.endpoints.values() if client.may_read(endpoint.id))


def endpoint_for(pipeline: Pipeline, client: Client, dataset: str | None) -> Endpoint:
    """Return the endpoint with this id or alias, if the client may read it; None means the first of those.

    Raises:
        UnknownDataset: there is no such endpoint, for a client that may read all.
        Forbidden: the client may not read it, existing or not.
    """
    allowed = readable(pipeline, client)
    known = ", ".join(one.id for one in allowed)
    if dataset is None:
        if not allowed:
            raise Forbidden("these credentials allow no dataset", hint="ask the operator of the gateway")
        return allowed[0]
    found = next((one for one in allowed if dataset == one.id or dataset in one.settings.aliases), None)
    if found is not None:
        return found
    if client.datasets is None:
        return pipeline.endpoint(dataset)
    # The same whether there is such a dataset: names cannot be tried out.
    message = f"these credentials do not allow the dataset {dataset[:100]!r}"
    raise Forbidden(message, hint=f"they allow: {known or 'none'}")


class Headers(Protocol):
    """A request's headers, whatever their names' case; values are text of Latin-1 (RFC 9110, 5.5)."""

    def get(self, name: str, default: str, /) -> str:
        """The value, or the default."""


class Credentials:
    """The clients' credentials in the settings; `header` is what they are sent in."""

    def __init__(self, settings: AccessSettings) -> None:
        """Keep a digest of each token, and no token."""
        self._open = settings.type == "none"
        self.header = settings.header or "Authorization"
        self._bearer = settings.type == "bearer"
        self._known = tuple(
            (
                _digest(client.token.get_secret_value().encode()),
                Client(
                    client.name,
                    None if client.datasets is None else frozenset(client.datasets),
                    client.role == "curator",
                ),
            )
            for client in settings.clients or ()
        )

    def client(self, headers: Headers) -> Client:
        """Return the client of a request with these headers; raises Unauthorized."""
        if self._open:
            return EVERYBODY
        token = self._token(headers.get(self.header, ""))
        if not token:
            raise self._refusal(f"{self.header}: no credentials were sent", "")
        digest = _digest(token)
        # Compare all of them, so that the time reveals nothing about a match.
        found = [client for known, client in self._known if hmac.compare_digest(known, digest)]
        if not found:
            raise self._refusal(f"{self.header}: these credentials are not known", ', error="invalid_token"')
        return found[0]

    def _token(self, value: str) -> bytes:
        sent = value.strip().encode("latin-1", "replace")
        if not self._bearer:
            return sent
        scheme, _, token = sent.partition(b" ")
        return token.strip() if scheme.lower() == b"bearer" else b""

    def _refusal(self, message: str, error: str) -> Unauthorized:
        if self._bearer:
            hint, challenge = "send Authorization: Bearer TOKEN", f"Bearer {_REALM}{error}"
        else:
            hint, challenge = f"send {self.header}: KEY", f'ApiKey {_REALM}, header="{self.header}"'
        return Unauthorized(message, challenge=challenge, hint=hint)


def _digest(token: bytes) -> bytes:
    return sha256(token).digest()
