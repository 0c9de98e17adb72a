from __future__ import annotations

import http.client
import inspect

import pytest
from urllib3 import exceptions as urllib3

from connectors import (
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
from connectors.failures import (
    ERROR_TEXTS,
    EXCEPTIONS,
    STATUS_CLASSES,
    STATUSES,
    Failure,
    cut_failure,
    exception_failure,
    partial_failure,
    row_cap,
    status_failure,
)

URLLIB3_ERRORS = [
    kind
    for _, kind in inspect.getmembers(urllib3, inspect.isclass)
    if issubclass(kind, Exception) and not issubclass(kind, Warning) and kind.__module__ == urllib3.__name__
]
CATCH_ALL = {urllib3.HTTPError, http.client.HTTPException, OSError, ValueError}
ALL_FAILURES = [
    *EXCEPTIONS.values(),
    *STATUSES.values(),
    *STATUS_CLASSES.values(),
    *(failure for _, failure in ERROR_TEXTS),
]


@pytest.mark.parametrize("kind", URLLIB3_ERRORS)
def test_every_exception_of_the_http_library_has_a_meaning_of_its_own(kind: type[Exception]) -> None:
    listed = next(base for base in kind.__mro__ if base in EXCEPTIONS)
    assert kind is urllib3.HTTPError or kind is urllib3.ProxySchemeUnsupported or listed not in CATCH_ALL


@pytest.mark.parametrize("failure", ALL_FAILURES)
def test_every_failure_says_what_and_mostly_what_to_do(failure: Failure) -> None:
    error = failure.error("words")
    assert isinstance(error, EndpointError)
    assert error.detail == "words"
    assert error.message
    assert error.hint or error.message == "the connector is closed"


@pytest.mark.parametrize(
    ("cause", "kind"),
    [
        (http.client.IncompleteRead(b""), IncompleteResult),
        (http.client.RemoteDisconnected("closed"), EndpointUnreachable),
        (ConnectionResetError(), EndpointUnreachable),
        (http.client.BadStatusLine("SSH-2.0"), EndpointFailed),
        (http.client.LineTooLong("header line"), EndpointFailed),
        (TimeoutError(), EndpointTimeout),
        ("no cause", EndpointUnreachable),
    ],
)
def test_a_protocol_error_is_looked_up_by_its_cause(cause: object, kind: type[EndpointError]) -> None:
    assert exception_failure(urllib3.ProtocolError("broken", cause)).kind is kind


def test_every_status_but_200_is_an_error() -> None:
    for status in (100, *range(201, 600), 999, 0):
        failure = status_failure(status, {}, "")
        assert issubclass(failure.kind, EndpointError), status
        assert failure.kind.retryable is (status in (408, 429) or status // 100 not in (3, 4)), status


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (206, IncompleteResult),
        (301, EndpointError),
        (400, EndpointRefusedQuery),
        (401, EndpointUnauthorized),
        (403, EndpointUnauthorized),
        (404, EndpointError),
        (406, EndpointRefusedQuery),
        (413, EndpointRefusedQuery),
        (429, EndpointOverloaded),
        (500, EndpointFailed),
        (502, EndpointUnreachable),
        (503, EndpointFailed),
        (504, EndpointTimeout),
    ],
)
def test_statuses(status: int, kind: type[EndpointError]) -> None:
    assert status_failure(status, {}, "").kind is kind


@pytest.mark.parametrize(
    ("status", "text", "kind"),
    [
        (
            500,
            "Virtuoso S1T00 Error SR171: Transaction timed out\n\nSPARQL query:\n...",
            EndpointStoppedQuery,
        ),
        (500, "Virtuoso 42000 Error SR186:SECURITY: No permission to execute ...", EndpointUnauthorized),
        (500, "Virtuoso 42000 Error SQ160: No Select permission on ...", EndpointUnauthorized),
        (
            500,
            "Virtuoso 42000 Error The estimated execution time 0 (sec) exceeds the limit",
            EndpointTooComplex,
        ),
        (500, "Virtuoso 42000 Error SQ200: The memory pool size 1 reached the limit", EndpointTooComplex),
        (500, "Virtuoso 42000 Error SQ200: Stack Overflow in cost model", EndpointTooComplex),
        (500, "Virtuoso 22007 Error DT001: Function year needs a datetime, not an arg", EndpointTooComplex),
        (
            500,
            "Virtuoso 22023 Error SR586: Incomplete RDF box as argument 0 for year().",
            EndpointTooComplex,
        ),
        (
            500,
            "Virtuoso 22023 Error SR066: Unsupported case in CONVERT (incomplete RDF box -> DOUBLE)",
            EndpointTooComplex,
        ),
        (500, "Virtuoso 37000 Error SQ156: Internal Optimized compiler error : Bad dfe", EndpointTooComplex),
        (
            400,
            "Virtuoso 37000 Error SP031: SPARQL compiler: Internal error: no SPART",
            EndpointTooComplex,
        ),
        (400, "Virtuoso 37000 Error SP031: SPARQL compiler: HAVING is not supported", EndpointRefusedQuery),
        (400, "S1T00", EndpointRefusedQuery),
        (500, "Virtuoso 22003 Error SR087: Non numeric argument(s) to operation '*'.", EndpointTooComplex),
        (500, "Virtuoso 22023 Error SR066: Unsupported case in CONVERT", EndpointRefusedQuery),
        (500, "Virtuoso 22007 Error DT006: Cannot convert x to datetime", EndpointRefusedQuery),
        (
            500,
            "Virtuoso 22023 Error SR353: Sorted TOP clause specifies more then 1 rows",
            EndpointRefusedQuery,
        ),
        (500, "Virtuoso 42001 Error SR185: Undefined procedure DB.DBA.f.", EndpointRefusedQuery),
        (500, "Virtuoso 08C01 Error CL...: Cluster could not connect", EndpointFailed),
        (500, "The SPARQL operation has been cancelled", EndpointStoppedQuery),
        (500, "The custom function <http://f.example/> is not supported", EndpointRefusedQuery),
        (503, "Query timed out", EndpointStoppedQuery),
        (503, "<html>upstream connect error</html>", EndpointFailed),
        # A store repeats the query after the first line, or in a complaint about its syntax.
        (500, "Something broke\nSPARQL query:\nSELECT ('Query timed out' AS ?x) {}", EndpointFailed),
        (400, "Virtuoso 37000 Error SP030: syntax error at 'Query timed out'", EndpointRefusedQuery),
    ],
)
def test_texts_of_stores(status: int, text: str, kind: type[EndpointError]) -> None:
    assert status_failure(status, {}, text).kind is kind


def test_hints_from_header_fields() -> None:
    assert "120" in status_failure(503, {"Retry-After": "120"}, "").hint
    assert "digest" in status_failure(401, {"WWW-Authenticate": 'Digest realm="x"'}, "").hint


@pytest.mark.parametrize(
    ("body", "cut"),
    [
        (b'{"results":{"bindings":[The SPARQL operation has been cancelled', True),
        (b"a,b\r\nThe SPARQL operation has been cancelled", True),
        (b'{"results"\n##  Query cancelled due to timeout during execution   ##\n', True),
        (
            b"a,b\r\n1,2\r\n\n##  Query cancelled due to timeout during execution   ##\n"
            b"##  ****          Incomplete results           ****   ##\n",
            True,
        ),
        (b"a,b\r\n##  ****  Incomplete results  ****  ##\r\n", False),
        (b"a\r\nThe SPARQL operation has been cancelled\r\n", False),
        (b'{"x":"##  Query cancelled ##"}', False),
        (b"", False),
    ],
)
def test_the_end_of_a_body_may_say_that_the_store_gave_up(body: bytes, cut: bool) -> None:
    assert (cut_failure(body) is not None) is cut


def test_header_fields_that_mark_a_part() -> None:
    assert partial_failure({}) is None
    assert partial_failure({"X-SQL-State": "00000"}) is None
    for state in ("S1T00", "01004", "unheard of"):
        part = partial_failure({"X-SQL-State": state})
        assert part is not None
        assert part.kind is IncompleteResult
    marked = partial_failure({"X-SQL-State": "S1TAT"})
    assert marked is not None
    assert marked.kind is EndpointStoppedQuery
    assert [row_cap(h) for h in ({}, {"X-SPARQL-MaxRows": "10"}, {"X-SPARQL-MaxRows": "ten"})] == [
        None,
        10,
        0,
    ]


@pytest.mark.parametrize(
    ("told", "seconds"),
    [("120", 120), ("Wed, 21 Oct 2015 07:28:00 GMT", 0), ("soon", None), ("-1", None)],
)
def test_how_long_a_store_asks_to_wait(told: str, seconds: float | None) -> None:
    error = status_failure(429, {"Retry-After": told}, "").error()
    assert error.retry_after_s == seconds
    assert status_failure(429, {}, "").error().retry_after_s is None
