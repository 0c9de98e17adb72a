from __future__ import annotations

import socket
from collections.abc import Callable

import pyoxigraph as ox
import pytest
from faulty_server import FaultyServer, answer
from urllib3 import HTTPHeaderDict

from connectors import EmbeddedOxigraph, HttpEndpoint
from connectors.products import Product, dialect_of, product_of


@pytest.mark.parametrize(
    ("fields", "dialect"),
    [
        ({"server": "Oxigraph/0.5.13"}, "oxigraph"),
        ({"Server": "Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu"}, "virtuoso"),
        ({"fuseki-request-id": "2"}, "fuseki"),
        ({"Server": "Apache Jena Fuseki (4.10.0)"}, "fuseki"),
        ({"Server": "nginx"}, None),
        ({}, None),
    ],
)
def test_products_are_told_by_their_header_fields(fields: dict[str, str], dialect: str | None) -> None:
    assert dialect_of(HTTPHeaderDict(fields)) == dialect


@pytest.mark.parametrize(
    ("fields", "product"),
    [
        ({"server": "Oxigraph/0.5.13"}, Product("Oxigraph", "0.5.13", "oxigraph")),
        (
            {"Server": "Virtuoso/07.20.3229 (Linux) x86_64-pc-linux-gnu"},
            Product("Virtuoso", "07.20.3229", "virtuoso"),
        ),
        ({"fuseki-request-id": "2"}, Product("Apache Jena Fuseki", "", "fuseki")),
        ({"Server": "Apache Jena Fuseki (4.10.0)"}, Product("Apache Jena Fuseki", "4.10.0", "fuseki")),
        ({"Server": "nginx/1.25"}, None),
    ],
)
def test_versions_are_told_too(fields: dict[str, str], product: Product | None) -> None:
    assert product_of(HTTPHeaderDict(fields)) == product


@pytest.mark.parametrize(
    ("path", "told", "version"),
    [
        ("/sparql", {"/$/server": b'{"version": "6.2.0"}'}, "6.2.0"),
        ("/ds/query", {"/$/server": b'{"version": "6.2.0"}'}, "6.2.0"),
        ("/store/ds/query", {"/store/$/server": b'{"version": "6.2.0"}'}, "6.2.0"),
        ("/ds/query", {"/$/server": b"[]"}, ""),
        ("/ds/query", {}, ""),
    ],
)
def test_fuseki_is_asked_for_its_version(
    serve: Callable[..., FaultyServer], path: str, told: dict[str, bytes], version: str
) -> None:
    """The place where it tells every client; its answers to queries do not."""

    def handler(connection: socket.socket, request: bytes) -> None:
        target = request.split(b" ")[1].decode()
        if target == path:
            connection.sendall(answer(b'{"head":{},"boolean":true}', headers="Fuseki-Request-Id: 1\r\n"))
        elif target in told:
            connection.sendall(answer(told[target], content_type="application/json"))
        else:
            connection.sendall(answer(b"", status="404 Not Found"))

    endpoint = HttpEndpoint(serve(handler).url.replace("/sparql", path))
    assert endpoint.product() == Product("Apache Jena Fuseki", version, "fuseki")
    endpoint.close()


def test_the_embedded_store_is_the_library() -> None:
    store = EmbeddedOxigraph.in_memory([])
    assert store.product() == Product("Oxigraph", ox.__version__, "oxigraph")
    store.close()
