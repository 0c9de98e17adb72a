"""Cache headers, and revalidation (RFC 9110, section 13)."""

from __future__ import annotations

from flask import Response, request


def revalidated(response: Response, *, private: bool) -> Response:
    """Add the hash of the content as ETag to the response to a GET; 304 if the client has that content.

    It may be cached, but must be revalidated: access and existence can change. A `private` one may only be
    cached by the client.
    """
    response.headers["Cache-Control"] = "private, no-cache" if private else "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
