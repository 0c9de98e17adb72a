"""Tables from the exceptions, statuses, texts and header fields of failed requests to our errors."""

from __future__ import annotations

import http.client
import re
import ssl
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime

from urllib3 import exceptions as urllib3

from connectors.errors import (
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
from connectors.refusals import REFUSALS


@dataclass(frozen=True, slots=True)
class Failure:
    """A kind of error: its message, hint, and the pause in seconds that the store asks for.

    `resend`: a read may be sent again if this happens before any of the answer's body was used.
    """

    kind: type[EndpointError]
    what: str
    hint: str = ""
    retry_after_s: float | None = None
    resend: bool = False

    def error(self, detail: str = "") -> EndpointError:
        """The error to raise."""
        error = self.kind(self.what, hint=self.hint, detail=detail)
        error.retry_after_s = self.retry_after_s
        error.resend = self.resend
        return error


_CHECK_URL = "check the URL: it is that of the SPARQL query service, often ending in /sparql or /query"
_CHECK_STORE = "check that the store is running and can be reached from here"
_RETRY = "retry; if it happens again, look into the store's log"
_LESS = "ask for less, or raise limits.query_ms"
_IN_PARTS = "ask for it in parts, or raise the limit in the store's configuration"
_SIMPLER = "split the query, or raise the limit in the store's configuration"

_REFUSED = Failure(EndpointUnreachable, "no connection to the store", _CHECK_STORE, resend=True)
_BROKEN = Failure(
    EndpointUnreachable, "the connection broke before the answer was complete", _RETRY, resend=True
)
_CUT = Failure(IncompleteResult, "the answer ended early", _RETRY)
_LATE = Failure(EndpointTimeout, "no complete answer within the deadline", _LESS)
_NOT_HTTP = Failure(EndpointFailed, "the answer is no proper HTTP", _CHECK_URL)
_NOT_SECURE = "no secure connection to the store"
_TLS = Failure(
    EndpointUnreachable,
    _NOT_SECURE,
    "check the scheme of `url`, and `tls.ca`, `tls.certificate` and `tls.key`",
)
# By OpenSSL's message.
_TLS_HINTS: tuple[tuple[re.Pattern[str], str], ...] = (
    (
        re.compile(
            r"certificate.required|handshake.failure|bad.certificate|alert unknown ca|alert.unknown", re.I
        ),
        "the store wants another client certificate: see `tls.certificate` and `tls.key`",
    ),
    (
        re.compile(r"hostname mismatch|IP address mismatch|not valid for", re.I),
        "the certificate is for another host: see `url`",
    ),
    (
        re.compile(r"expired|not yet valid", re.I),
        "the store's certificate is out of date; `tls.ca` does not change that",
    ),
    (
        re.compile(r"self.signed|unable to get|unknown ca|CERTIFICATE_VERIFY_FAILED", re.I),
        "name the authority that signed the store's certificate in `tls.ca`",
    ),
)
_BAD_REQUEST = Failure(EndpointError, "the request cannot be made", "check the URL and the settings")
_CANCELLED = Failure(EndpointStoppedQuery, "the store stopped the query at its own time limit", _LESS)

# The nearest listed base class decides. A ProtocolError is looked up by its cause.
EXCEPTIONS: Mapping[type[BaseException], Failure] = {
    urllib3.NameResolutionError: Failure(
        EndpointUnreachable, "the store's host name is not known", _CHECK_URL
    ),
    urllib3.NewConnectionError: _REFUSED,
    urllib3.ConnectTimeoutError: Failure(
        EndpointUnreachable, "no connection to the store within limits.connect_ms", _CHECK_STORE
    ),
    urllib3.ReadTimeoutError: _LATE,
    urllib3.TimeoutError: _LATE,
    urllib3.SSLError: _TLS,
    urllib3.ProxyError: _REFUSED,
    urllib3.IncompleteRead: _CUT,
    urllib3.InvalidChunkLength: _CUT,
    urllib3.DecodeError: _CUT,
    urllib3.ProtocolError: _BROKEN,
    urllib3.ResponseNotChunked: _NOT_HTTP,
    urllib3.BodyNotHttplibCompatible: _NOT_HTTP,
    urllib3.HeaderParsingError: _NOT_HTTP,
    urllib3.ResponseError: _NOT_HTTP,
    urllib3.InvalidHeader: _NOT_HTTP,
    urllib3.PoolError: Failure(EndpointUnreachable, "no free connection to the store", _RETRY),
    urllib3.MaxRetryError: _REFUSED,
    urllib3.ClosedPoolError: Failure(EndpointUnreachable, "the connector is closed"),
    urllib3.HostChangedError: _BAD_REQUEST,
    urllib3.RequestError: _BROKEN,
    urllib3.LocationValueError: _BAD_REQUEST,
    urllib3.TimeoutStateError: _BAD_REQUEST,
    urllib3.UnrewindableBodyError: _BAD_REQUEST,
    urllib3.HTTPError: Failure(EndpointFailed, "the request failed", _RETRY),
    http.client.RemoteDisconnected: _BROKEN,
    http.client.IncompleteRead: _CUT,
    http.client.HTTPException: _NOT_HTTP,
    ssl.SSLError: _TLS,
    TimeoutError: _LATE,
    OSError: _BROKEN,
    ValueError: _BAD_REQUEST,
}

_UNKNOWN_PATH = Failure(EndpointError, "there is no query service at this URL", _CHECK_URL)
_CREDENTIALS = Failure(
    EndpointUnauthorized, "the store does not accept the credentials", "check the endpoint's auth settings"
)
_TOO_LONG = Failure(EndpointRefusedQuery, "the query is too long for the store", "split it into several")
_REDIRECT = Failure(EndpointError, "the store redirects, which is not followed", "configure the new URL")

STATUSES: Mapping[int, Failure] = {
    400: Failure(EndpointRefusedQuery, "the store calls the query malformed", "correct the query"),
    401: _CREDENTIALS,
    403: Failure(
        EndpointUnauthorized, "the store forbids this", "check what the endpoint's user is allowed to read"
    ),
    404: _UNKNOWN_PATH,
    405: _UNKNOWN_PATH,
    406: Failure(EndpointRefusedQuery, "the store cannot answer in the wanted format", "ask for another one"),
    407: Failure(
        EndpointUnauthorized, "a proxy wants credentials", "let the gateway reach the store directly"
    ),
    408: _LATE,
    410: _UNKNOWN_PATH,
    413: _TOO_LONG,
    414: _TOO_LONG,
    415: _UNKNOWN_PATH,
    429: Failure(
        EndpointOverloaded, "the store gets too many requests", "lower the endpoint's limits, retry later"
    ),
    500: Failure(EndpointFailed, "the store failed", _RETRY),
    502: Failure(EndpointUnreachable, "a proxy cannot reach the store", _CHECK_STORE, resend=True),
    503: Failure(EndpointFailed, "the store is not available", "retry later"),
    504: Failure(EndpointTimeout, "a proxy waited too long for the store", _LESS),
}
# For the first digit of a status that is not listed. Only 200 is an answer: 206 is a part of one.
STATUS_CLASSES: Mapping[int, Failure] = {
    1: _NOT_HTTP,
    2: Failure(IncompleteResult, "the store sends no answer, or a part of one", _LESS),
    3: _REDIRECT,
    4: Failure(EndpointError, "the store does not accept the request", _CHECK_URL),
    5: Failure(EndpointFailed, "the store failed", _RETRY),
}

_REFUSALS = tuple((pattern, Failure(EndpointTooComplex, reason, _IN_PARTS)) for pattern, reason in REFUSALS)
# The first line of stores' answers with status 500 or 503, which they use for every error.
ERROR_TEXTS: tuple[tuple[re.Pattern[str], Failure], ...] = (
    (
        re.compile(r"\bS1T00\b|transaction timed out|query timed out|operation has been cancelled", re.I),
        _CANCELLED,
    ),
    (
        re.compile(r"\bSR186\b|\bSQ160\b|\bRDF99\b|no (?:select )?permission", re.I),
        Failure(EndpointUnauthorized, "the store's user may not do this", "check its rights in the store"),
    ),
    *_REFUSALS,
    (
        re.compile(r"\bSR353\b", re.I),
        Failure(EndpointRefusedQuery, "the query asks for more sorted rows than the store gives", _SIMPLER),
    ),
    (
        re.compile(
            r"\bVirtuoso (?:37000|22\w{3}|42\w{3}) Error\b|\bSR185\b|function \S+ is not supported", re.I
        ),
        Failure(EndpointRefusedQuery, "the store cannot evaluate the query", "correct the query"),
    ),
)
# Virtuoso also calls a query malformed (400) where its own compiler fails.
_TOLD = {400: _REFUSALS, 500: ERROR_TEXTS, 503: ERROR_TEXTS}

# Errors after which Retry-After may ask for another attempt.
_BUSY = (EndpointFailed, EndpointOverloaded)

# SQLSTATE of success; the field is absent as a rule.
_COMPLETE_STATES = ("", "00000")

# The last line of an answer with status 200 that a store could not finish. Fuseki 6 adds a second line.
_CANCELLED_TAIL = re.compile(
    rb"(?:The SPARQL operation has been cancelled|##\s+Query cancelled[^#]*##\s*(?:##[^#]*##\s*)?)\Z", re.I
)
_TAIL_BYTES = 400


def exception_failure(error: BaseException) -> Failure:
    """The failure of a transport's exception."""
    cause = next((a for a in error.args if isinstance(a, BaseException)), None)
    if isinstance(error, urllib3.ProtocolError) and cause is not None:
        return exception_failure(cause)
    if isinstance(error, urllib3.SSLError | ssl.SSLError):
        told = next((hint for pattern, hint in _TLS_HINTS if pattern.search(str(error))), _TLS.hint)
        return replace(_TLS, hint=told)
    return next(EXCEPTIONS[base] for base in type(error).__mro__ if base in EXCEPTIONS)


def status_failure(status: int, headers: Mapping[str, str], text: str) -> Failure:
    """The failure of a status other than 200; `text` is the beginning of the body."""
    failure = STATUSES.get(status) or STATUS_CLASSES.get(status // 100, _NOT_HTTP)
    first_line = text.lstrip().partition("\n")[0][:500]
    told = _TOLD.get(status, ())
    failure = next((found for pattern, found in told if pattern.search(first_line)), failure)
    scheme = headers.get("WWW-Authenticate", "").partition(" ")[0].lower()
    if status == 401 and scheme in ("basic", "digest", "bearer"):
        return replace(failure, hint=f"the store wants {scheme} authentication: see the endpoint's `auth`")
    if "Retry-After" in headers and failure.kind.retryable:
        when = headers["Retry-After"][:40]
        seconds = _seconds(when)
        asks = seconds is not None and status in (429, 503) and failure.kind in _BUSY
        hint = f"retry after {when} (s, or date)"
        return replace(failure, hint=hint, retry_after_s=seconds, resend=failure.resend or asks)
    return failure


def _seconds(when: str) -> float | None:
    """A Retry-After (RFC 9110, 10.2.3) as seconds from now; None for a text that is no number and no date."""
    if when.strip().isdecimal():
        return float(when)
    try:
        return max(0.0, parsedate_to_datetime(when).timestamp() - time.time())
    except ValueError:
        return None


def partial_failure(headers: Mapping[str, str]) -> Failure | None:
    """The failure if the header fields mark an answer with status 200 as partial; else None."""
    state = headers.get("X-SQL-State", "").strip().upper()
    if state in _COMPLETE_STATES:
        return None
    if state == "S1TAT":
        return Failure(EndpointStoppedQuery, "the store ran out of time and sent a part of the rows", _LESS)
    return Failure(IncompleteResult, f"the store marks its answer as a part (state {state:.10})", _RETRY)


def row_cap(headers: Mapping[str, str]) -> int | None:
    """The store's row limit, if the store says that the answer reached it; 0 if unreadable."""
    value = headers.get("X-SPARQL-MaxRows")
    if value is None:
        return None
    return int(value) if value.strip().isdecimal() else 0


def cut_failure(body: bytes) -> Failure | None:
    """The failure if the end of a body says that the store gave up; else None."""
    return _CANCELLED if _CANCELLED_TAIL.search(body[-_TAIL_BYTES:]) else None
