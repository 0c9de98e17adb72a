"""Who the gateway says it is to a store. Secrets appear in no repr, no text and no error."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Protocol


class Auth(Protocol):
    """A way to sign requests."""

    def headers(self) -> dict[str, str]:
        """The header fields that every request carries."""


@dataclass(frozen=True, slots=True)
class NoAuth:
    """The store lets everybody in."""

    def headers(self) -> dict[str, str]:
        """No fields."""
        return {}


@dataclass(frozen=True, slots=True)
class BasicAuth:
    """User and password (RFC 7617)."""

    user: str
    password: str = field(repr=False)

    def __post_init__(self) -> None:
        if ":" in self.user:
            raise ValueError("a user name for basic authentication holds no colon")

    def headers(self) -> dict[str, str]:
        """The `Authorization` field, in UTF-8."""
        pair = base64.b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")
        return {"Authorization": f"Basic {pair}"}


@dataclass(frozen=True, slots=True)
class BearerAuth:
    """A token (RFC 6750)."""

    token: str = field(repr=False)

    def __post_init__(self) -> None:
        _require_field_value(self.token)

    def headers(self) -> dict[str, str]:
        """The `Authorization` field."""
        return {"Authorization": f"Bearer {self.token}"}


@dataclass(frozen=True, slots=True)
class HeaderAuth:
    """A field of the store's own, such as `X-API-Key`."""

    name: str
    value: str = field(repr=False)

    def __post_init__(self) -> None:
        _require_field_value(self.value)

    def headers(self) -> dict[str, str]:
        """That field."""
        return {self.name: self.value}


def _require_field_value(text: str) -> None:
    """Refuse what would end the header field, without repeating the secret."""
    if not text or not text.isascii() or not text.isprintable():
        raise ValueError("a secret for a header field is printable ASCII and not empty")
