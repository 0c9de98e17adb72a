"""A query as an HTTP request: SPARQL 1.1 Protocol, 2.1.2 (POST with URL-encoded parameters).

The one form that every store takes: some cut long GET requests, and one never answers a direct POST.

The deadline goes to stores that take one. Fuseki then fails. Virtuoso answers with the rows found so far,
marked by header fields (`failures.partial_failure`), which version 7.20.3229 sent with SELECT, COUNT, ASK,
CONSTRUCT and DESCRIBE, in JSON, XML, TSV, CSV, Turtle and N-Triples alike. Its deadline is a second after
ours, so that a part comes too late to be taken for the whole, even unmarked; only where the store's own limit
is shorter than our deadline does all depend on the mark.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version

from SPARQLWrapper import JSON, POST, SELECT, URLENCODED, SPARQLWrapper

from connectors.dataset import Dataset

RESULTS_JSON = "application/sparql-results+json"
# The user agent is the program, not the user.
USER_AGENT = f"nlq-gateway/{version('nlq-gateway')}"
_SPARE_MS = 1_000
# The value of the parameter `timeout` for a deadline in milliseconds.
_TIMEOUTS: Mapping[str, Callable[[int], int]] = {
    "fuseki": lambda milliseconds: max(1, math.ceil(milliseconds / 1000)),
    "virtuoso": lambda milliseconds: milliseconds + _SPARE_MS,
}


def takes_deadline(dialect: str) -> bool:
    """True if stores of a dialect take a deadline with the query."""
    return dialect in _TIMEOUTS


@dataclass(frozen=True, slots=True)
class ProtocolRequest:
    """The parts of an HTTP request: the path with its query, the header fields, the form."""

    target: str
    headers: Mapping[str, str]
    body: bytes | None = None
    method: str = "POST"


def build_request(
    url: str, text: str, accept: str, *, dataset: Dataset, dialect: str, timeout_ms: int
) -> ProtocolRequest:
    """The request for one query; `url` holds no user and password."""
    wrapper = SPARQLWrapper(url, returnFormat=JSON, agent=USER_AGENT)
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


def get_request(target: str) -> ProtocolRequest:
    """The request for a JSON document beside the query service."""
    return ProtocolRequest(target, {"Accept": "application/json", "User-Agent": USER_AGENT}, method="GET")


def _parameters(dataset: Dataset, dialect: str, timeout_ms: int) -> dict[str, Sequence[str]]:
    parameters = {"default-graph-uri": dataset.default_graphs, "named-graph-uri": dataset.named_graphs}
    if dialect in _TIMEOUTS:
        parameters["timeout"] = (str(_TIMEOUTS[dialect](timeout_ms)),)
    return parameters
