"""All errors between the gateway and a store.

EndpointError                 base: endpoint, message, hint, and `retryable`
├── EndpointUnreachable       no connection, or it broke before an answer (retry helps)
├── EndpointTimeout           no answer within the deadline (retry may help)
│   └── EndpointStoppedQuery  the store gave up at a limit of its own, and said so
├── EndpointUnauthorized      401 or 403 from the store
├── EndpointRefusedQuery      the store calls the query wrong or forbidden (a retry never helps)
│   └── EndpointTooComplex    the query is right, but the store gives up on it: ask in parts
├── EndpointFailed            the store broke while answering (5xx that is none of the above)
├── EndpointOverloaded        the store, or the queue before it, takes no more queries (retry helps, later)
├── EndpointCancelled         the client has disconnected
└── IncompleteResult          an answer arrived cut, in a wrong format, or to another query
DataError                     a file that should be loaded is missing or not RDF (file, line)
"""

from __future__ import annotations


class EndpointError(Exception):
    """Base of the tree; an error of a store is never turned into an empty answer."""

    code = "endpoint-error"
    retryable = False
    # True if the store, or the way to it, is down; None if the error is no evidence.
    outage: bool | None = False

    def __init__(self, message: str, *, endpoint: str = "", hint: str = "", detail: str = "") -> None:
        """`detail` is the store's own words, cut to a readable length by the caller.

        `made` starts as None; callers store there results from before the failure. `retry_after_s` is the
        pause that the store asks for, in seconds, or None. `attempts` counts the sends of the query, and
        `resend` is true if sending it once more is safe: no part of an answer has been used.
        """
        super().__init__(message)
        self.message = message
        self.endpoint = endpoint
        self.hint = hint
        self.detail = detail
        self.made: object = None
        self.retry_after_s: float | None = None
        self.attempts = 1
        self.resend = False


class EndpointUnreachable(EndpointError):
    """No connection could be made, or it broke before the answer was complete."""

    code = "endpoint-unreachable"
    retryable = True
    outage = True


class EndpointTimeout(EndpointError):
    """The store did not answer within the deadline."""

    code = "endpoint-timeout"
    retryable = True
    outage: bool | None = None


class EndpointStoppedQuery(EndpointTimeout):
    """The store stopped the query at a time limit, and said so."""


class EndpointUnauthorized(EndpointError):
    """The store refused the credentials, or wants some."""

    code = "endpoint-unauthorized"


class EndpointRefusedQuery(EndpointError):
    """The store calls the query malformed, forbidden or too dear."""

    code = "query-refused"


class EndpointTooComplex(EndpointRefusedQuery):
    """The store gives up on a query that is right; asked in parts it may answer (`connectors.refusals`)."""

    code = "too-complex"


class EndpointFailed(EndpointError):
    """The store reported an internal failure."""

    retryable = True
    outage = True


class EndpointOverloaded(EndpointError):
    """The store takes no more queries now (429), or so many wait for it that no more are let wait."""

    code = "overloaded"
    retryable = True
    outage = None


class EndpointCancelled(EndpointError):
    """The client has disconnected; the store may be well."""

    code = "cancelled"
    outage = None


class IncompleteResult(EndpointError):
    """The body ended early, is not in the declared format, or is marked as partial."""

    code = "incomplete-result"
    retryable = True


class DataError(Exception):
    """A data file could not be loaded."""

    code = "invalid-data"
    retryable = False

    def __init__(self, message: str, *, file: str, line: int | None = None, hint: str = "") -> None:
        """`line` counts from 1 and is None where the parser does not say."""
        super().__init__(message)
        self.message = message
        self.file = file
        self.line = line
        self.hint = hint
