from __future__ import annotations

import pytest
from urllib3 import HTTPHeaderDict

from connectors.products import dialect_of


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
