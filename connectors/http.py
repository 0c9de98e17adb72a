"""A SPARQL 1.1 query service over HTTP."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from http.client import RemoteDisconnected
from urllib.parse import unquote, urlsplit, urlunsplit

from urllib3 import BaseHTTPResponse, HTTPConnectionPool, Timeout
from urllib3.exceptions import HTTPError, ProtocolError

from connectors.auth import Auth, BasicAuth, NoAuth
from connectors.base import Limits, RawResponse
from connectors.errors import EndpointError, EndpointUnreachable, IncompleteResult
from connectors.failures import (
    Failure,
    cut_failure,
    exception_failure,
    partial_failure,
    row_cap,
    status_failure,
)
from connectors.products import dialect_of
from connectors.protocol import RESULTS_JSON, Dataset, ProtocolRequest, build_request
from connectors.results import Result, excerpt, read_json
from connectors.sparql_text import outer_limit
from connectors.transport import connection_pool

_CHUNK_BYTES = 65_536
_ERROR_BYTES = 16_384
_KEPT_CONNECTIONS = 16
# What a complete body of a media type ends with.
_ENDINGS: Mapping[str, tuple[bytes, ...]] = {"json": (b"}", b"]"), "xml": (b">",)}
_PAGE_HINT = "page with LIMIT and OFFSET, or raise the limit in the store's configuration"


class HttpEndpoint:
    """A connector to a query service. Connections are kept open and belong to the process that made them."""

    def __init__(
        self,
        url: str,
        limits: Limits | None = None,
        auth: Auth | None = None,
        default_graphs: Sequence[str] = (),
        named_graphs: Sequence[str] = (),
        dialect: str = "sparql11",
    ) -> None:
        """A user and password in the URL are used as `BasicAuth` where `auth` is none.

        Raises:
            ValueError: the URL is not http or https, or names no host. The message repeats no secret.
        """
        self._url, self._address, url_auth = _split_secrets(url)
        given = auth or NoAuth()
        self._auth = url_auth if isinstance(given, NoAuth) else given
        self._limits = limits or Limits()
        self._dataset = Dataset(tuple(default_graphs), tuple(named_graphs))
        self._dialect = dialect
        self._pools: dict[int, HTTPConnectionPool] = {}
        self._closed = False

    def __repr__(self) -> str:
        return f"HttpEndpoint({self._address!r}, dialect={self._dialect!r})"

    @property
    def address(self) -> str:
        """The URL without user, password and parameters."""
        return self._address

    @property
    def dialect(self) -> str:
        """As given."""
        return self._dialect

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """Run a SELECT or ASK and return its rows, at most `max_rows` of them (`truncated` says so).

        Raises:
            EndpointError: one of its subclasses, for whatever is not a complete answer.
        """
        started = time.perf_counter()
        rows = self._limits.max_rows if max_rows is None else max_rows
        headers, body = self._answer(text, RESULTS_JSON, timeout_ms)
        self._require_results(headers, body)
        result = read_json(body, rows, self._address)
        cap = _effective_cap(headers, text)
        if cap is not None and rows > cap:
            raise self._capped(cap)
        elapsed_ms = (time.perf_counter() - started) * 1000
        return replace(result, truncated=result.truncated or cap is not None, elapsed_ms=elapsed_ms)

    def raw(self, text: str, accept: str, *, timeout_ms: int | None = None) -> RawResponse:
        """Run any read query and return the serialised answer in (one of) the accepted formats.

        Raises:
            EndpointError: one of its subclasses, for whatever is not a complete answer.
        """
        headers, body = self._answer(text, accept, timeout_ms)
        content_type = headers.get("Content-Type", "application/octet-stream")
        if "html" in content_type.lower() and "html" not in accept.lower():
            raise self._not_results(headers, body)
        self._require_whole(headers, content_type.lower(), body)
        if (cap := _effective_cap(headers, text)) is not None:
            raise self._capped(cap)
        return RawResponse(content_type, body)

    def detect_dialect(self) -> str | None:
        """The dialect of the product that answers here, or None where it does not say what it is.

        Raises:
            EndpointError: as `query`.
        """
        headers, _ = self._answer("ASK {}", RESULTS_JSON, None)
        return dialect_of(headers)

    def close(self) -> None:
        """Close the connections that are not in use."""
        self._closed = True
        for pool in self._pools.values():
            pool.close()

    def _answer(self, text: str, accept: str, timeout_ms: int | None) -> tuple[Mapping[str, str], bytes]:
        """Header fields and body of an answer with status 200 that is not marked as partial."""
        milliseconds = self._limits.query_ms if timeout_ms is None else timeout_ms
        deadline = time.monotonic() + milliseconds / 1000
        request = build_request(
            self._url, text, accept, dataset=self._dataset, dialect=self._dialect, timeout_ms=milliseconds
        )
        try:
            response = self._send(request, deadline)
            status, headers = response.status, response.headers
            body = self._read_body(response, self._limits.max_bytes if status == 200 else _ERROR_BYTES)
        except (HTTPError, OSError, ValueError) as error:
            raise self._error(exception_failure(error), f"{error}") from error
        if status != 200:
            raise self._error(status_failure(status, headers, body.decode("utf-8", "replace")), excerpt(body))
        if (failure := partial_failure(headers) or cut_failure(body)) is not None:
            raise self._error(failure, excerpt(body))
        return headers, body

    def _send(self, request: ProtocolRequest, deadline: float) -> BaseHTTPResponse:
        """The response with its body unread.

        A kept connection may have been closed by the store meanwhile; one that ends before the first byte of
        an answer is tried once more.
        """
        try:
            return self._send_once(request, deadline)
        except ProtocolError as error:
            if not any(isinstance(cause, RemoteDisconnected | ConnectionResetError) for cause in error.args):
                raise
            return self._send_once(request, deadline)

    def _send_once(self, request: ProtocolRequest, deadline: float) -> BaseHTTPResponse:
        remaining = max(deadline - time.monotonic(), 0.001)
        connect = min(self._limits.connect_ms / 1000, remaining)
        return self._pool().urlopen(
            "POST",
            request.target,
            body=request.body,
            headers={**request.headers, **self._auth.headers()},
            timeout=Timeout(connect=connect, read=remaining, total=remaining),
            retries=False,
            redirect=False,
            preload_content=False,
        )

    def _read_body(self, response: BaseHTTPResponse, max_bytes: int) -> bytes:
        """The body; of one with an error status only the beginning. Closes what is not read to its end."""
        body = bytearray()
        try:
            for chunk in response.stream(_CHUNK_BYTES):
                body += chunk
                if len(body) > max_bytes:
                    break
            else:
                response.release_conn()
                return bytes(body)
        finally:
            response.close()
        if response.status == 200:
            raise IncompleteResult(
                f"the answer is larger than {max_bytes} bytes",
                endpoint=self._address,
                hint="ask for less, with LIMIT, or raise limits.max_bytes",
            )
        return bytes(body[:max_bytes])

    def _pool(self) -> HTTPConnectionPool:
        if self._closed:
            raise EndpointUnreachable("the connector is closed", endpoint=self._address)
        process = os.getpid()
        if process not in self._pools:
            parts = urlsplit(self._url)
            new = connection_pool(parts.scheme, parts.hostname or "", parts.port, _KEPT_CONNECTIONS)
            self._pools.setdefault(process, new)
        return self._pools[process]

    def _require_results(self, headers: Mapping[str, str], body: bytes) -> None:
        if not body.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
            raise self._not_results(headers, body)

    def _require_whole(self, headers: Mapping[str, str], content_type: str, body: bytes) -> None:
        """Refuse a body that is cut, or may be: without a length, a lost connection looks like an end."""
        endings = next((ends for name, ends in _ENDINGS.items() if name in content_type), None)
        if endings is None and ("Content-Length" in headers or "Transfer-Encoding" in headers):
            return
        if endings is None or not body.rstrip().endswith(endings):
            what = "the answer ended early" if endings else "the store does not say how long its answer is"
            raise self._error(Failure(IncompleteResult, what, "ask for a JSON or XML format"), excerpt(body))

    def _not_results(self, headers: Mapping[str, str], body: bytes) -> EndpointError:
        content_type = headers.get("Content-Type", "no content type")[:100]
        failure = Failure(
            IncompleteResult,
            f"the store answered with {content_type} instead of query results",
            "check the URL: it may be that of a page, a login or a proxy",
        )
        return self._error(failure, excerpt(body))

    def _capped(self, cap: int) -> EndpointError:
        failure = Failure(
            IncompleteResult, f"the store sends at most {cap} rows and has cut the rest", _PAGE_HINT
        )
        return failure.error(self._address)

    def _error(self, failure: Failure, detail: str) -> EndpointError:
        for value in self._auth.headers().values():
            for secret in (value, value.rpartition(" ")[2]):
                detail = detail.replace(secret, "***")
        return failure.error(self._address, detail[:1000])


def _effective_cap(headers: Mapping[str, str], text: str) -> int | None:
    """The store's row limit where it cut the answer; None where the query itself asked for no more."""
    cap = row_cap(headers)
    if cap is None:
        return None
    limit = outer_limit(text)
    return None if limit is not None and limit <= cap else cap


def _split_secrets(url: str) -> tuple[str, str, Auth]:
    """The URL without user and password, the same without parameters for messages, and the credentials."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ValueError("the endpoint's URL cannot be read") from None
    if parts.scheme not in ("http", "https") or not host:
        raise ValueError("the endpoint's URL begins with http:// or https:// and a host")
    if any(character.isspace() or not character.isprintable() for character in url):
        raise ValueError("the endpoint's URL holds a space or a control character")
    location = f"[{host}]" if ":" in host else host
    location = location if port is None else f"{location}:{port}"
    plain = urlunsplit((parts.scheme, location, parts.path or "/", parts.query, ""))
    address = urlunsplit((parts.scheme, location, parts.path or "/", "", ""))
    if parts.username is None:
        return plain, address, NoAuth()
    return plain, address, BasicAuth(unquote(parts.username), unquote(parts.password or ""))
