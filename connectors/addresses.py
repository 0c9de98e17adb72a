"""The URL of a query service, and the part of it that messages may show."""

from __future__ import annotations

from dataclasses import dataclass, field
from urllib.parse import unquote, urlsplit, urlunsplit

from connectors.auth import Auth, BasicAuth, NoAuth


@dataclass(frozen=True, slots=True)
class Address:
    """A URL without user and password, the same without parameters for messages, and the credentials."""

    url: str = field(repr=False)
    shown: str
    auth: Auth

    @property
    def scheme(self) -> str:
        """`http` or `https`."""
        return urlsplit(self.url).scheme

    @property
    def host(self) -> str:
        """The host's name or number."""
        return urlsplit(self.url).hostname or ""

    @property
    def port(self) -> int | None:
        """The port, None for the scheme's own."""
        return urlsplit(self.url).port

    def at(self, target: str) -> str:
        """The URL of another path, with its query, of the same server."""
        parts = urlsplit(self.url)
        return f"{parts.scheme}://{parts.netloc}{target}"


def read_address(url: str) -> Address:
    """The address in a URL.

    Raises:
        ValueError: the URL is not http or https, or names no host. The message repeats no secret.
    """
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError("the endpoint's URL cannot be read") from None
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError("the endpoint's URL begins with http:// or https:// and a host")
    if any(character.isspace() or not character.isprintable() for character in url):
        raise ValueError("the endpoint's URL holds a space or a control character")
    location = f"[{host}]" if ":" in host else host
    location = location if port is None else f"{location}:{port}"
    plain = urlunsplit((parts.scheme, location, parts.path or "/", parts.query, ""))
    shown = urlunsplit((parts.scheme, location, parts.path or "/", "", ""))
    if parts.username is None:
        return Address(plain, shown, NoAuth())
    return Address(plain, shown, BasicAuth(unquote(parts.username), unquote(parts.password or "")))
