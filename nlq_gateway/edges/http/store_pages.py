"""The address of a store's own query page.

Templates have `{query}` for the percent-encoded query. Those of Oxigraph 0.5 and Fuseki 6 were tried in a
browser; Virtuoso's parameter is from its documentation (SPARQL Web Services, `qtxt`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import quote, urlsplit, urlunsplit

from nlq_gateway.settings import EndpointSettings

_QUERY = "{query}"
# Fuseki's names for the query services of a dataset.
_SERVICES = ("sparql", "query")


def store_page(settings: EndpointSettings, dialect: str) -> str | None:
    """Return the template of the store's own query page: the configured one, else that of the product.

    None if there is none, or if the store's product is unknown.
    """
    if settings.ui == "none" or settings.url is None:
        return None
    known = _PAGES.get(dialect)
    return settings.ui or (known(settings.url) if known else None)


def _virtuoso(url: str) -> str:
    return _at(url, urlsplit(url).path, query=f"qtxt={_QUERY}")


def _fuseki(url: str) -> str:
    """The page of the whole server, opened at the dataset; the server may be below a path."""
    *above, last = urlsplit(url).path.strip("/").split("/")
    if last in _SERVICES and above:
        *above, last = above
    return _at(url, "/".join(("", *above, "")), fragment=f"/dataset/{last}/query?query={_QUERY}")


def _oxigraph(url: str) -> str:
    """The page at the server's root; without the endpoint it would take its own address for one."""
    above = urlsplit(url).path.rpartition("/")[0]
    return _at(url, above + "/", fragment=f"query={_QUERY}&endpoint={quote(_at(url), safe='')}")


def _at(url: str, path: str | None = None, query: str = "", fragment: str = "") -> str:
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc, parts.path if path is None else path, query, fragment))


_PAGES: Mapping[str, Callable[[str], str]] = {
    "virtuoso": _virtuoso,
    "fuseki": _fuseki,
    "oxigraph": _oxigraph,
}
