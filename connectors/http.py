"""A SPARQL 1.1 query service over HTTP."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar
from urllib.parse import urlsplit

from connectors.addresses import read_address
from connectors.auth import Auth, NoAuth
from connectors.base import Limits, RawResponse
from connectors.conversation import Conversation, StoreResponse
from connectors.dataset import Dataset, closed
from connectors.errors import EndpointError, IncompleteResult
from connectors.failures import cut_failure, row_cap
from connectors.observing import ADDRESS, STORE, watched
from connectors.patience import Patience
from connectors.products import Product, fuseki_version, product_of
from connectors.protocol import ProtocolRequest, build_request, get_request
from connectors.reading import ACCEPT, UNREADABLE, NoResult, columns_of, ends_itself, read_result, unreadable
from connectors.results import Result
from connectors.sparql_text import outer_limit, selected
from connectors.tls import Tls

Value = TypeVar("Value")

_KEPT_CONNECTIONS = 16
# The last character of a complete body, by media type.
_ENDINGS: Mapping[str, tuple[bytes, ...]] = {"json": (b"}", b"]"), "xml": (b">",)}
# Media types whose body is parsed before it is passed on.
_CHECKED = (
    *("application/sparql-results+json", "application/json"),
    *("application/sparql-results+xml", "application/xml"),
)
_OTHER_HINT = "check the proxies between here and the store: one may have sent the answer to another query"
_FORMAT_HINT = "ask for a JSON or XML format"
_PAGE_HINT = "page with LIMIT and OFFSET, or raise the limit in the store's configuration"

_log = logging.getLogger(__name__)


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
        tls: Tls | None = None,
    ) -> None:
        """A user and password in the URL are used as `BasicAuth` where `auth` is none.

        Raises:
            ValueError: the URL is not http or https, or names no host; a file of `tls` is no such file. The
                message repeats no secret.
        """
        self._at = read_address(url)
        given = auth or NoAuth()
        signs = self._at.auth if isinstance(given, NoAuth) else given
        self._limits = limits or Limits()
        self._dataset = closed(Dataset(tuple(default_graphs), tuple(named_graphs)), dialect)
        self._dialect = dialect
        context = (tls or Tls()).context()
        self._line = Conversation(self._at, signs, context, self._limits.connect_ms, _KEPT_CONNECTIONS)
        self._patience = Patience(self._at.shown, self._limits)

    def __repr__(self) -> str:
        return f"HttpEndpoint({self._at.shown!r}, dialect={self._dialect!r})"

    @property
    def address(self) -> str:
        """The URL without user, password and parameters."""
        return self._at.shown

    @property
    def dialect(self) -> str:
        """The dialect that was given."""
        return self._dialect

    @property
    def is_given_up(self) -> bool:
        """True while the store gets no queries, after outages."""
        return self._patience.is_given_up

    def query(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """Run a SELECT or ASK and return its rows, at most `max_rows` of them (`truncated` says so).

        The answer is read as it comes, and only up to the limit.

        Raises:
            EndpointError: one of its subclasses, for every incomplete answer.
        """
        rows = self._limits.max_rows if max_rows is None else max_rows

        def read(answer: StoreResponse) -> Result:
            cap = _effective_cap(answer.headers, text)
            if cap is not None and rows > cap:
                raise _capped(cap)
            result = _read(answer, rows)
            _require_asked(text, result.columns if result.boolean is None else None)
            return replace(result, truncated=result.truncated or cap is not None)

        result, attempts = self._asked(text, ACCEPT, timeout_ms, read)
        return replace(result, attempts=attempts)

    def raw(
        self, text: str, accept: str, *, timeout_ms: int | None = None, dataset: Dataset | None = None
    ) -> RawResponse:
        """Run any read query and return the serialised answer in (one of) the accepted formats.

        `dataset` takes the place of the endpoint's own, and the query sees no other graph.

        Raises:
            EndpointError: one of its subclasses, for every incomplete answer.
        """
        seen = None if dataset is None else closed(dataset, self._dialect)

        def keep(answer: StoreResponse) -> RawResponse:
            content_type = answer.content_type or "application/octet-stream"
            body = answer.body.read()
            if "html" in content_type.lower() and "html" not in accept.lower():
                raise _not_results(answer)
            _require_whole(answer, body)
            if "sparql-results" in accept:
                _require_results(answer, body, text)
            if (cap := _effective_cap(answer.headers, text)) is not None:
                raise _capped(cap)
            return RawResponse(content_type, body)

        response, attempts = self._asked(text, accept, timeout_ms, keep, seen)
        return replace(response, attempts=attempts)

    def product(self) -> Product | None:
        """The product that answers, or None if it does not name itself; one request, for Fuseki up to three.

        Raises:
            EndpointError: as `query`.
        """
        found, _ = self._asked("ASK {}", ACCEPT, None, lambda answer: product_of(answer.headers))
        if found is None or found.version or found.dialect != "fuseki":
            return found
        return replace(found, version=self._fuseki_version())

    def detect_dialect(self) -> str | None:
        """The dialect of the product that answers, or None if it does not name itself.

        Raises:
            EndpointError: as `query`.
        """
        found, _ = self._asked("ASK {}", ACCEPT, None, lambda answer: product_of(answer.headers))
        return None if found is None else found.dialect

    def close(self) -> None:
        """Close the connections that are not in use."""
        self._line.close()

    def _asked(
        self,
        text: str,
        accept: str,
        timeout_ms: int | None,
        use: Callable[[StoreResponse], Value],
        dataset: Dataset | None = None,
    ) -> tuple[Value, int]:
        """The result of `use` on the answer, and the number of times the query was sent."""
        milliseconds = self._limits.query_ms if timeout_ms is None else timeout_ms
        request = build_request(
            self._at.url,
            text,
            accept,
            dataset=dataset or self._dataset,
            dialect=self._dialect,
            timeout_ms=milliseconds,
        )
        return self._sent(request, milliseconds, use)

    def _sent(
        self, request: ProtocolRequest, milliseconds: int, use: Callable[[StoreResponse], Value]
    ) -> tuple[Value, int]:
        deadline = time.monotonic() + milliseconds / 1000

        def once() -> Value:
            with self._line.answered(request, deadline, self._limits.max_bytes) as answer:
                return use(answer)

        with watched(STORE, {ADDRESS: self._at.shown}):
            return self._patience.carry_out(once, deadline)

    def _fuseki_version(self) -> str:
        """The version from `/$/server`, "" if refused; the service is one or two names below its root."""
        *names, _ = urlsplit(self._at.url).path.rstrip("/").split("/")
        for root in dict.fromkeys(("/".join(names[:-1]), "/".join(names))):
            try:
                request = get_request(f"{root}/$/server")
                body, _ = self._sent(request, self._limits.connect_ms, lambda answer: answer.body.read())
            except EndpointError as error:
                _log.debug("%s does not tell its version: %s", self._at.shown, error.message)
                continue
            if version := fuseki_version(body):
                return version
        return ""


def _read(answer: StoreResponse, max_rows: int) -> Result:
    """The rows; the body is read up to the last wanted one."""
    body = answer.body
    if not (ends_itself(answer.content_type) or answer.shows_its_end):
        raise _endless(answer)
    try:
        result = read_result(answer.content_type, body, max_rows)
    except NoResult:
        raise _not_results(answer) from None
    except UNREADABLE as error:
        # The store's reason is at the end of the body.
        body.read()
        cut = cut_failure(body.ending)
        raise (cut.error(body.shown()) if cut else unreadable(error, body.shown())) from error
    if body.ended and (cut := cut_failure(body.ending)) is not None:
        raise cut.error(body.shown())
    return result


def _require_whole(answer: StoreResponse, body: bytes) -> None:
    """Raise IncompleteResult for a body that is or may be cut: no length hides a lost connection."""
    if (cut := cut_failure(body)) is not None:
        raise cut.error(answer.body.shown())
    content_type = answer.content_type.lower()
    endings = next((ends for name, ends in _ENDINGS.items() if name in content_type), None)
    if endings is None and not answer.shows_its_end:
        raise _endless(answer)
    if endings is not None and not body.rstrip().endswith(endings):
        raise IncompleteResult("the answer ended early", hint=_FORMAT_HINT, detail=answer.body.shown())


def _require_results(answer: StoreResponse, body: bytes, text: str) -> None:
    """Raise IncompleteResult for a body that is not the declared format, or answers another query."""
    media_type = answer.content_type.partition(";")[0].strip().lower()
    if media_type not in _CHECKED:
        return
    try:
        columns = columns_of(media_type, body)
    except UNREADABLE as error:
        raise unreadable(error, answer.body.shown()) from error
    _require_asked(text, columns)


def _require_asked(text: str, columns: tuple[str, ...] | None) -> None:
    """Raise IncompleteResult for an answer to another query, as proxies cause; `columns` None: an ASK.

    Virtuoso adds a column if a variable is projected twice.
    """
    wanted = selected(text)
    if wanted is None or (columns is not None and wanted <= frozenset(columns)):
        return
    came = "a truth value" if columns is None else f"the columns {', '.join(columns)}"
    what = f"the store answered with {came[:200]} instead of {', '.join(sorted(wanted))}"
    raise IncompleteResult(what[:500], hint=_OTHER_HINT)


def _endless(answer: StoreResponse) -> IncompleteResult:
    what = "the store sends no length of its answer"
    return IncompleteResult(what, hint=_FORMAT_HINT, detail=answer.body.shown())


def _not_results(answer: StoreResponse) -> IncompleteResult:
    content_type = (answer.content_type or "no content type")[:100]
    return IncompleteResult(
        f"the store answered with {content_type} instead of query results",
        hint="check the URL: it may be that of a page, a login or a proxy",
        detail=answer.body.shown(),
    )


def _capped(cap: int) -> IncompleteResult:
    what = f"the store sends at most {cap} rows and has cut the rest"
    return IncompleteResult(what, hint=_PAGE_HINT)


def _effective_cap(headers: Mapping[str, str], text: str) -> int | None:
    """The store's row limit if it cut the answer; None if the query's own LIMIT is no larger."""
    cap = row_cap(headers)
    if cap is None:
        return None
    limit = outer_limit(text)
    return None if limit is not None and limit <= cap else cap
