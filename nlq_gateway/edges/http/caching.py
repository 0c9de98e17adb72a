"""What clients may keep, and how they ask whether it still holds (RFC 9110, section 13)."""

from __future__ import annotations

from flask import Response, request


def revalidated(response: Response, *, private: bool) -> Response:
    """The response to a GET with the hash of its content for an ETag; 304 where the client has just that.

    It may be kept, but not used unasked: who may read it, and whether it is still there, can change. What is
    `private` is kept by the client alone.
    """
    response.headers["Cache-Control"] = "private, no-cache" if private else "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
