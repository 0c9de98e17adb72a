"""The address of a client behind proxies: X-Forwarded-For is believed of those alone that are trusted."""

from __future__ import annotations

from typing import Any

import pytest

from nlq_gateway.edges.http.access.proxies import BehindProxies

TRUSTED = ["10.0.0.0/8", "2001:db8::/32"]


def client(peer: str, forwarded: str, trusted: list[str] = TRUSTED) -> str:
    seen: list[str] = []

    def application(environ: dict[str, Any], _: object) -> list[bytes]:
        seen.append(environ["REMOTE_ADDR"])
        return []

    environ = {"REMOTE_ADDR": peer, **({"HTTP_X_FORWARDED_FOR": forwarded} if forwarded else {})}
    BehindProxies(application, trusted)(environ, None)
    return seen[0]


@pytest.mark.parametrize(
    ("peer", "forwarded", "found"),
    [
        ("192.0.2.1", "", "192.0.2.1"),
        ("192.0.2.1", "198.51.100.7", "192.0.2.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "1.2.3.4, 198.51.100.7", "198.51.100.7"),
        ("10.0.0.1", "1.2.3.4, 198.51.100.7, 10.0.0.2", "198.51.100.7"),
        ("10.0.0.1", "10.9.9.9, 10.0.0.2", "10.9.9.9"),
        ("10.0.0.1", "nonsense", "10.0.0.1"),
        ("10.0.0.1", "1.2.3.4, <script>", "10.0.0.1"),
        ("10.0.0.1", ",,", "10.0.0.1"),
        ("::ffff:10.0.0.1", "198.51.100.7", "198.51.100.7"),
        ("2001:db8::1", "2001:db9::7", "2001:db9::7"),
        ("", "198.51.100.7", ""),
    ],
)
def test_the_address_is_what_the_last_trusted_proxy_saw(peer: str, forwarded: str, found: str) -> None:
    assert client(peer, forwarded) == found


def test_nobody_is_trusted_who_is_not_named() -> None:
    assert client("10.0.0.1", "198.51.100.7", []) == "10.0.0.1"
    assert client("127.0.0.1", "198.51.100.7", []) == "127.0.0.1"
