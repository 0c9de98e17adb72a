"""Talk to SPARQL stores. Independent of KoPL.

`open_endpoint` makes a `Connector` for a URL, a store folder or files; `require_read_only` checks a query
before it is passed to one. Every failure is one of `connectors.errors`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

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
    "open_endpoint",
    "parse_query",
    "read_json",
    "require_read_only",
]


def open_endpoint(
    *,
    url: str | None = None,
    folder: Path | None = None,
    files: Sequence[Path] = (),
    limits: Limits | None = None,
    auth: Auth | None = None,
    default_graphs: Sequence[str] = (),
    named_graphs: Sequence[str] = (),
    dialect: str = "sparql11",
    tls: Tls | None = None,
) -> Connector:
    """A connector to exactly one of a query service, a store folder (read-only) or files (in memory).

    `auth`, the graphs, `dialect` and `tls` are for a URL. A service that is down raises nothing here.

    Raises:
        ValueError: not exactly one source, or a URL that cannot be used.
        DataError: the folder or a file cannot be used.
    """
    if (url is not None) + (folder is not None) + bool(files) != 1:
        raise ValueError("name exactly one of url, folder and files")
    if url is not None:
        return HttpEndpoint(url, limits, auth, default_graphs, named_graphs, dialect, tls)
    if folder is not None:
        return EmbeddedOxigraph.open(folder, limits=limits)
    return EmbeddedOxigraph.in_memory(files, limits=limits)
