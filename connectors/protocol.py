"""A query as an HTTP request: SPARQL 1.1 Protocol, 2.1.2 (POST with URL-encoded parameters).

The one form that every store takes: some cut long GET requests, and one never answers a direct POST.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from SPARQLWrapper import JSON, POST, SELECT, URLENCODED, SPARQLWrapper

RESULTS_JSON = "application/sparql-results+json"
# Parameter that tells a store when to give up, in whole seconds. Virtuoso has one too, but answers with what
# it has found so far, as if that were all.
_TIMEOUT_PARAMETERS: Mapping[str, str] = {"fuseki": "timeout"}


@dataclass(frozen=True, slots=True)
class ProtocolRequest:
    """What goes over the wire: the path with its query, the header fields, the form."""

    target: str
    headers: Mapping[str, str]
    body: bytes


@dataclass(frozen=True, slots=True)
class Dataset:
    """The graphs that a query sees; the store's own choice where there are none (Protocol, 2.1.4)."""

    default_graphs: Sequence[str] = ()
    named_graphs: Sequence[str] = ()


def build_request(
    url: str, text: str, accept: str, *, dataset: Dataset, dialect: str, timeout_ms: int
) -> ProtocolRequest:
    """The request for one query; `url` holds no user and password."""
    wrapper = SPARQLWrapper(url, returnFormat=JSON, agent="nlq-gateway")
    wrapper.setMethod(POST)
    wrapper.setRequestMethod(URLENCODED)
    wrapper.setOnlyConneg(True)
    # Set as they are: `setQuery` guesses the type by searching the text, and takes the word "create" in a
    # comment for an update.
    wrapper.queryString, wrapper.queryType = text, SELECT
    for name, values in _parameters(dataset, dialect, timeout_ms).items():
        for value in values:
            wrapper.addParameter(name, value)
    wrapper.addCustomHttpHeader("Accept", accept)
    request = wrapper._createRequest()
    assert isinstance(request.data, bytes)
    return ProtocolRequest(request.selector, dict(request.header_items()), request.data)


def _parameters(dataset: Dataset, dialect: str, timeout_ms: int) -> dict[str, Sequence[str]]:
    parameters = {"default-graph-uri": dataset.default_graphs, "named-graph-uri": dataset.named_graphs}
    if dialect in _TIMEOUT_PARAMETERS:
        parameters[_TIMEOUT_PARAMETERS[dialect]] = (str(max(1, math.ceil(timeout_ms / 1000))),)
    return parameters
