"""Secure connections to a server whose certificates the test makes."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
import trustme
from faulty_server import answer, read_request

from connectors import EndpointUnreachable, HttpEndpoint, Tls

TRUE = b'{"head":{},"boolean":true}'


@pytest.fixture(scope="module")
def authority() -> trustme.CA:
    return trustme.CA()


class SecureServer:
    """Answers true to every request of every connection that can be made."""

    def __init__(self, context: ssl.SSLContext) -> None:
        self._context = context
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"https://127.0.0.1:{self._listener.getsockname()[1]}/sparql"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            try:
                plain, _ = self._listener.accept()
            except OSError:
                return
            plain.settimeout(2)
            try:
                # Without the handshake at once, so that what fails of it can be told to the client's end.
                with self._context.wrap_socket(plain, server_side=True, do_handshake_on_connect=False) as one:
                    self._answer(one)
            except OSError:
                continue

    def _answer(self, connection: ssl.SSLSocket) -> None:
        try:
            connection.do_handshake()
        except ssl.SSLError:
            # Whoever closes with something unread resets the connection, and the alert may be lost.
            plain = socket.socket(fileno=connection.detach())
            with plain:
                plain.shutdown(socket.SHUT_WR)
                while plain.recv(4096):
                    pass
            return
        while read_request(connection, bytearray()) is not None:
            connection.sendall(answer(TRUE))

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self._thread.join(10)


Start = Callable[..., SecureServer]


@pytest.fixture
def start(authority: trustme.CA) -> Iterator[Start]:
    """Start a server with a certificate of the authority, for a host; it may want a client's certificate."""
    servers: list[SecureServer] = []

    def make(
        host: str = "127.0.0.1", clients: bool = False, not_after: datetime | None = None
    ) -> SecureServer:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        authority.issue_cert(host, not_after=not_after).configure_cert(context)
        if clients:
            authority.configure_trust(context)
            context.verify_mode = ssl.CERT_REQUIRED
        servers.append(SecureServer(context))
        return servers[-1]

    yield make
    for server in servers:
        server.close()


@pytest.fixture
def files(authority: trustme.CA, tmp_path: Path) -> dict[str, Path]:
    """The authority's certificate and another's; the gateway's own, with its key, open and encrypted."""
    from cryptography.hazmat.primitives import serialization

    own = authority.issue_cert("gateway.example")
    key = serialization.load_pem_private_key(own.private_key_pem.bytes(), None)
    locked = key.private_bytes(
        serialization.Encoding.PEM,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"s3cr3t"),
    )
    contents = {
        "ca": authority.cert_pem.bytes(),
        "other": trustme.CA().cert_pem.bytes(),
        "certificate": own.cert_chain_pems[0].bytes(),
        "key": own.private_key_pem.bytes(),
        "locked": locked,
        "both": own.private_key_and_cert_chain_pem.bytes(),
        "no pem": b"nothing",
    }
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    return {name: tmp_path / name for name in (*contents, "missing")}


def ask(url: str, tls: Tls | None = None) -> bool | None:
    endpoint = HttpEndpoint(url, tls=tls)
    try:
        return endpoint.query("ASK {}").boolean
    finally:
        endpoint.close()


def test_an_authority_of_ones_own(start: Start, files: dict[str, Path]) -> None:
    assert ask(start().url, Tls(ca=files["ca"])) is True


@pytest.mark.parametrize(
    "own",
    [
        lambda f: Tls(f["ca"], f["certificate"], f["key"]),
        lambda f: Tls(f["ca"], f["certificate"], f["locked"], "s3cr3t"),
        lambda f: Tls(f["ca"], f["both"]),
    ],
)
def test_a_client_certificate(start: Start, files: dict[str, Path], own: Callable[..., Tls]) -> None:
    assert ask(start(clients=True).url, own(files)) is True


@pytest.mark.parametrize(
    ("server", "ca", "hint"),
    [
        ({}, None, "`tls.ca`"),
        ({}, "other", "`tls.ca`"),
        ({"host": "other.example"}, "ca", "`url`"),
        ({"not_after": datetime(2020, 1, 1)}, "ca", "out of date"),
        ({"clients": True}, "ca", "`tls.certificate`"),
    ],
)
def test_what_is_not_to_be_trusted_is_not(
    start: Start, files: dict[str, Path], server: dict[str, object], ca: str | None, hint: str
) -> None:
    with pytest.raises(EndpointUnreachable) as caught:
        ask(start(**server).url, Tls(ca=files[ca] if ca else None))
    assert hint in caught.value.hint
    assert caught.value.attempts == 1


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({"ca": "missing"}, "tls.ca"),
        ({"ca": "no pem"}, "tls.ca"),
        ({"certificate": "missing"}, "tls.certificate"),
        ({"certificate": "no pem", "key": "key"}, "tls.certificate"),
        ({"certificate": "certificate", "key": "missing"}, "tls.key"),
        ({"certificate": "certificate"}, "tls."),
        ({"certificate": "certificate", "key": "locked"}, "tls.password"),
    ],
)
def test_files_that_cannot_be_used_are_named(
    files: dict[str, Path], given: dict[str, str], named: str
) -> None:
    tls = Tls(**{name: files[file] for name, file in given.items()}, password="wr0ng")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=named.replace(".", r"\.")) as caught:
        HttpEndpoint("https://store.example/sparql", tls=tls)
    assert "wr0ng" not in f"{caught.value} {tls!r}"
