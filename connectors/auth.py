"""The gateway's credentials for a store. Secrets appear in no repr, no text and no error."""

from __future__ import annotations

import base64
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from connectors.errors import EndpointUnauthorized

if TYPE_CHECKING:
    from httpx2 import DigestAuth as Digest


class Auth(Protocol):
    """A way to sign requests. Safe to share between threads."""

    def headers(self, url: str, challenges: Sequence[str] = ()) -> dict[str, str]:
        """The header fields that a POST to the URL carries.

        `challenges` are the `WWW-Authenticate` fields of a 401 answer to such a request; if the header fields
        then differ from those sent, the request is worth sending once more.
        """


@dataclass(frozen=True, slots=True)
class NoAuth:
    """The store requires no credentials."""

    def headers(self, url: str, challenges: Sequence[str] = ()) -> dict[str, str]:  # noqa: ARG002
        """Return no fields."""
        return {}


@dataclass(frozen=True, slots=True)
class BasicAuth:
    """User and password (RFC 7617)."""

    user: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if ":" in self.user:
            raise ValueError("a user name for basic authentication holds no colon")

    def headers(self, url: str, challenges: Sequence[str] = ()) -> dict[str, str]:  # noqa: ARG002
        """The `Authorization` field, in UTF-8."""
        pair = base64.b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")
        return {"Authorization": f"Basic {pair}"}


@dataclass(frozen=True, slots=True)
class BearerAuth:
    """A token (RFC 6750)."""

    token: str = field(repr=False)

    def __post_init__(self) -> None:
        _require_field_value(self.token)

    def headers(self, url: str, challenges: Sequence[str] = ()) -> dict[str, str]:  # noqa: ARG002
        """The `Authorization` field."""
        return {"Authorization": f"Bearer {self.token}"}


@dataclass(frozen=True, slots=True)
class HeaderAuth:
    """A header field defined by the store, such as `X-API-Key`."""

    name: str
    value: str = field(repr=False)

    def __post_init__(self) -> None:
        _require_field_value(self.value)

    def headers(self, url: str, challenges: Sequence[str] = ()) -> dict[str, str]:  # noqa: ARG002
        """The field with its value."""
        return {self.name: self.value}


class DigestAuth:
    """User and password that are never sent themselves (RFC 7616): MD5, SHA-256 and SHA-512, qop auth.

    The challenge of the store's first 401 serves for later requests too, counted by nc, until the store sends
    another one. httpx does the work: only its arithmetic is used, no connection of its.
    """

    def __init__(self, user: str, password: str) -> None:
        """Raises ValueError for a user name that a header field cannot quote."""
        # The import takes a tenth of a second, which only digest authentication needs.
        from httpx2 import DigestAuth as Digest

        if not user or '"' in user or "\\" in user or not user.isprintable():
            raise ValueError(
                "a user name for digest authentication is not empty and holds no quote or backslash"
            )
        self.user = user
        self._digest: Digest = Digest(user.encode(), password.encode())
        self._lock = threading.Lock()

    def __repr__(self) -> str:
        return f"DigestAuth(user={self.user!r})"

    def headers(self, url: str, challenges: Sequence[str] = ()) -> dict[str, str]:
        """The `Authorization` field, once there was a challenge.

        Raises:
            EndpointUnauthorized: the challenge is malformed, or wants an unknown algorithm or qop.
        """
        from httpx2 import HTTPError, Request, Response

        with self._lock:
            steps = self._digest.auth_flow(Request("POST", url))
            request = next(steps)
            if challenges:
                answer = Response(401, headers=[("WWW-Authenticate", one) for one in challenges])
                try:
                    request = steps.send(answer)
                except StopIteration:
                    return {}
                except (HTTPError, NotImplementedError, ValueError) as error:
                    raise EndpointUnauthorized(
                        f"the store's digest challenge cannot be answered: {error}"[:300],
                        hint="use an algorithm of RFC 7616 with qop auth in the store, or another auth.type",
                    ) from error
        return {name: value for name, value in request.headers.items() if name == "authorization"}


def _require_field_value(text: str) -> None:
    """Raise ValueError for text that would end the header field, without repeating the secret."""
    if not text or not text.isascii() or not text.isprintable():
        raise ValueError("a secret for a header field is printable ASCII and not empty")
