"""Talk to SPARQL stores. Independent of KoPL.

`HttpEndpoint` is the `Connector` of a URL, `EmbeddedOxigraph` that of a store folder or files;
`require_read_only` checks a query before it is passed to one. Every failure is one of `connectors.errors`.
"""

from __future__ import annotations

from connectors.asking import asking
from connectors.auth import Auth, BasicAuth, BearerAuth, DigestAuth, HeaderAuth, NoAuth
from connectors.base import Connector, Limits, RawResponse
from connectors.dataset import Dataset
from connectors.errors import (
    DataError,
    EndpointCancelled,
    EndpointError,
    EndpointFailed,
    EndpointOverloaded,
    EndpointRefusedQuery,
    EndpointStoppedQuery,
    EndpointTimeout,
    EndpointTooComplex,
    EndpointUnauthorized,
    EndpointUnreachable,
    IncompleteResult,
)
from connectors.guard import parse_query, require_read_only
from connectors.http import HttpEndpoint
from connectors.oxigraph import EmbeddedOxigraph
from connectors.parsed_query import ParsedQuery
from connectors.products import Product
from connectors.rdf_files import load_files
from connectors.reading import read_json
from connectors.results import Result, Row, Term, as_json
from connectors.tls import Tls

__all__ = [
    "Auth",
    "BasicAuth",
    "BearerAuth",
    "Connector",
    "DataError",
    "Dataset",
    "DigestAuth",
    "EmbeddedOxigraph",
    "EndpointCancelled",
    "EndpointError",
    "EndpointFailed",
    "EndpointOverloaded",
    "EndpointRefusedQuery",
    "EndpointStoppedQuery",
    "EndpointTimeout",
    "EndpointTooComplex",
    "EndpointUnauthorized",
    "EndpointUnreachable",
    "HeaderAuth",
    "HttpEndpoint",
    "IncompleteResult",
    "Limits",
    "NoAuth",
    "ParsedQuery",
    "Product",
    "RawResponse",
    "Result",
    "Row",
    "Term",
    "Tls",
    "as_json",
    "asking",
    "load_files",
    "parse_query",
    "read_json",
    "require_read_only",
]
