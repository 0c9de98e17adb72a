"""Query results read from the wire as they come: JSON, XML, TSV and CSV, as the store chooses.

A reader takes the pieces of a body and stops at the row limit; it holds rows and one piece, not the
body. Only JSON and XML tell IRIs, blank nodes and literals apart; in TSV most stores do, in CSV
none: there an absolute IRI is read as one, and all else as a plain string (`Result.typed` is false).
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from itertools import chain

import pyoxigraph as ox

from connectors.errors import IncompleteResult
from connectors.formats import RESULT_FORMATS
from connectors.reading.json_rows import read_json_rows
from connectors.reading.separated import read_csv, read_tsv
from connectors.reading.xml_rows import read_xml_rows
from connectors.results import Result, excerpt

# The Accept field: formats that keep terms apart come first. Stores that have JSON send it.
ACCEPT = ", ".join(
    (
        "application/sparql-results+json",
        "application/sparql-results+xml;q=0.9",
        "text/tab-separated-values;q=0.5",
        "text/csv;q=0.1",
    )
)

Reader = Callable[[Iterable[bytes], int], Result]
_SEPARATED: Mapping[str, Reader] = {"tab-separated-values": read_tsv, "csv": read_csv}
# The errors for a cut or wrong body: rows are any JSON until they are read as terms.
UNREADABLE = (ValueError, KeyError, TypeError, RecursionError)
_BLANKS = b"\xef\xbb\xbf \t\r\n"


class NoResult(ValueError):
    """The body is in none of the formats."""


def read_result(content_type: str, pieces: Iterable[bytes], max_rows: int) -> Result:
    """The result in a body: at most `max_rows` rows, `truncated` when there were more.

    Where the rows end at the limit, the rest of the body is left unread.

    Raises:
        NoResult: it is in none of the formats.
        UNREADABLE: it is cut, nests too deep, or is wrong in its format.
    """
    iterator = iter(pieces)
    first = _first(iterator)
    return _reader(content_type.lower(), first)(chain((first,), iterator), max_rows)


def read_json(body: bytes, max_rows: int, endpoint: str) -> Result:
    """The result in a SPARQL JSON document: at most `max_rows` rows, `truncated` when there were more.

    Raises:
        IncompleteResult: the body is cut, is not JSON, or is not a SPARQL result.
    """
    try:
        return read_json_rows((body,), max_rows)
    except UNREADABLE as error:
        raise unreadable(error, excerpt(body), endpoint) from error


def unreadable(error: Exception, detail: str, endpoint: str = "") -> IncompleteResult:
    """The error to raise for one of `UNREADABLE`; `detail` is of the body."""
    return IncompleteResult(
        f"the store's answer is cut, or is no SPARQL result: {error}",
        endpoint=endpoint,
        hint="the store may have stopped in the middle of its answer: retry, or ask for fewer rows",
        detail=detail,
    )


def columns_of(content_type: str, body: bytes) -> tuple[str, ...] | None:
    """The columns of a whole body in JSON or XML, which is read to its end; None for a truth value.

    Raises:
        NoResult, UNREADABLE: as `read_result`.
    """
    # Stores send what the faster parser refuses. Its error is no context of the next one: it would keep the
    # solutions, which only the thread that made them may let go.
    with suppress(SyntaxError, ValueError):
        return _columns(ox.parse_query_results(body, RESULT_FORMATS[content_type]))
    result = read_result(content_type, (body,), sys.maxsize)
    return None if result.boolean is not None else result.columns


def _columns(results: ox.QuerySolutions | ox.QueryBoolean) -> tuple[str, ...] | None:
    if isinstance(results, ox.QueryBoolean):
        return None
    deque(results, maxlen=0)
    return tuple(variable.value for variable in results.variables)


def ends_itself(content_type: str) -> bool:
    """True if a body of this type shows its end; others may be cut without a trace."""
    return not any(name in content_type.lower() for name in _SEPARATED)


def _first(pieces: Iterator[bytes]) -> bytes:
    """The pieces up to the first that holds more than blanks."""
    first = b""
    for piece in pieces:
        first += piece
        if first.lstrip(_BLANKS):
            break
    return first


def _reader(content_type: str, first: bytes) -> Reader:
    """The reader by the beginning of the body, since types are often wrong; of TSV and CSV by the type."""
    begins = first.lstrip(_BLANKS)[:1]
    if begins == b"{":
        return read_json_rows
    found = next((reader for name, reader in _SEPARATED.items() if name in content_type), None)
    if found is not None:
        return found
    if begins == b"<" and "html" not in content_type:
        return read_xml_rows
    raise NoResult
