"""Credentials, and who they belong to."""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from hashlib import sha256

from werkzeug.datastructures import Headers

from nlq_gateway.errors import Unauthorized
from nlq_gateway.settings import AccessSettings

_REALM = 'realm="nlq-gateway"'


@dataclass(frozen=True, slots=True)
class Client:
    """Who asks: its name, "" where credentials are not asked for, and the ids it may read; None for all."""

    name: str = ""
    datasets: frozenset[str] | None = None

    def may_read(self, dataset: str) -> bool:
        """Whether the dataset with this id is one of them."""
        return self.datasets is None or dataset in self.datasets


EVERYBODY = Client()
NOBODY = Client(datasets=frozenset())


class Credentials:
    """Those that the settings name."""

    def __init__(self, settings: AccessSettings) -> None:
        """Keep a digest of each token, and no token."""
        self._open = settings.type == "none"
        self._header = settings.header or "Authorization"
        self._bearer = settings.type == "bearer"
        self._known = tuple(
            (
                _digest(client.token.get_secret_value().encode()),
                Client(client.name, None if client.datasets is None else frozenset(client.datasets)),
            )
            for client in settings.clients or ()
        )

    @property
    def header(self) -> str:
        """The header that they are sent in."""
        return self._header

    def client(self, headers: Headers) -> Client:
        """Who sent a request with these headers; raises Unauthorized."""
        if self._open:
            return EVERYBODY
        token = self._token(headers.get(self._header, ""))
        if not token:
            raise self._refusal(f"{self._header}: no credentials were sent", "")
        digest = _digest(token)
        # All of them, so that the time tells nothing of which it is, or almost is.
        found = [client for known, client in self._known if hmac.compare_digest(known, digest)]
        if not found:
            raise self._refusal(f"{self._header}: these credentials are not known", ', error="invalid_token"')
        return found[0]

    def _token(self, value: str) -> bytes:
        # WSGI has the bytes of a header as Latin-1.
        sent = value.strip().encode("latin-1", "replace")
        if not self._bearer:
            return sent
        scheme, _, token = sent.partition(b" ")
        return token.strip() if scheme.lower() == b"bearer" else b""

    def _refusal(self, message: str, error: str) -> Unauthorized:
        if self._bearer:
            hint, challenge = "send Authorization: Bearer TOKEN", f"Bearer {_REALM}{error}"
        else:
            hint, challenge = f"send {self._header}: KEY", f'ApiKey {_REALM}, header="{self._header}"'
        return Unauthorized(message, challenge=challenge, hint=hint)


def _digest(token: bytes) -> bytes:
    return sha256(token).digest()
