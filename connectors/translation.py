"""Answers in formats that the store lacks, and truth values from stores that send tables instead.

pyoxigraph reads and writes all formats; CSV alone cannot be read, since it has no types of terms.
"""

from __future__ import annotations

from collections.abc import Mapping

import pyoxigraph as ox

from connectors.base import RawResponse
from connectors.errors import IncompleteResult
from connectors.formats import GRAPH_FORMATS, RESULT_FORMATS
from connectors.protocol import RESULTS_JSON
from connectors.reading import read_json
from connectors.results import excerpt

# The formats to read if the store lacks the wanted one, best first.
_TABLES = (RESULTS_JSON, "application/sparql-results+xml")
_GRAPHS = ("application/n-triples", "text/turtle")
_FORMATS: Mapping[str, ox.QueryResultsFormat | ox.RdfFormat] = {
    **RESULT_FORMATS,
    **GRAPH_FORMATS,
    # Stores' names for Turtle, from before it had a media type.
    "application/x-turtle": ox.RdfFormat.TURTLE,
    "application/turtle": ox.RdfFormat.TURTLE,
}
_TRUTH = {True: b'{"head":{},"boolean":true}', False: b'{"head":{},"boolean":false}'}


def accept_for(media_type: str) -> str:
    """The Accept field that asks a store for this format, or else for one that can be translated."""
    others = _TABLES if media_type in RESULT_FORMATS else _GRAPHS
    return ", ".join([media_type, *(f"{other};q=0.5" for other in others if other != media_type)])


def translated(answer: RawResponse, media_type: str, endpoint: str) -> RawResponse:
    """The answer in this format; unchanged if it has it already.

    Raises:
        IncompleteResult: the store sent neither this format nor one that can be read, or it is malformed.
    """
    sent = answer.content_type.partition(";")[0].strip().lower()
    if sent == media_type:
        return answer
    source, target = _FORMATS.get(sent), _FORMATS[media_type]
    if source == target:
        return RawResponse(media_type, answer.body)
    if type(source) is not type(target) or source == ox.QueryResultsFormat.CSV:
        raise IncompleteResult(
            f"the store answered with {answer.content_type[:100]} instead of {media_type}",
            endpoint=endpoint,
            hint="ask for another format",
            detail=excerpt(answer.body),
        )
    try:
        return RawResponse(media_type, _rewritten(answer.body, source, target))
    except (SyntaxError, ValueError) as error:
        raise IncompleteResult(
            f"the store's answer is not the {sent} that it claims to be: {error}"[:300],
            endpoint=endpoint,
            detail=excerpt(answer.body),
        ) from error


def truth(answer: RawResponse, media_type: str, endpoint: str) -> RawResponse:
    """The answer to an ASK in this format.

    Virtuoso answers with a table of one column where others send a boolean.

    Raises:
        IncompleteResult: the body is cut, or is neither true nor false.
    """
    verdict = read_json(translated(answer, RESULTS_JSON, endpoint).body, 1, endpoint).boolean
    if verdict is None:
        raise IncompleteResult(
            "the store answered an ASK with a table", endpoint=endpoint, detail=excerpt(answer.body)
        )
    return translated(RawResponse(RESULTS_JSON, _TRUTH[verdict]), media_type, endpoint)


def _rewritten(
    body: bytes,
    source: ox.QueryResultsFormat | ox.RdfFormat | None,
    target: ox.QueryResultsFormat | ox.RdfFormat,
) -> bytes:
    written = None
    if isinstance(source, ox.QueryResultsFormat) and isinstance(target, ox.QueryResultsFormat):
        written = ox.parse_query_results(body, source).serialize(format=target)
    elif isinstance(source, ox.RdfFormat) and isinstance(target, ox.RdfFormat):
        written = ox.serialize((quad.triple for quad in ox.parse(body, source)), format=target)
    assert written is not None
    return written
