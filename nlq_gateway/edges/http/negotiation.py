"""The media type that a client wants, and whether it has the content (RFC 9110, sections 12.5.1 and 13)."""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, request
from werkzeug.datastructures import MIMEAccept
from werkzeug.exceptions import NotAcceptable


def negotiate(offers: Sequence[str]) -> str:
    """The offer that `Accept` likes best, the first one where it likes several or is not sent.

    Parameters other than `q` do not count: `application/json; charset=utf-8` wants JSON.

    Raises:
        NotAcceptable: when none of the offers is wanted.
    """
    wanted = request.accept_mimetypes
    if not wanted:
        return offers[0]
    plain = MIMEAccept([(value.partition(";")[0].strip(), quality) for value, quality in wanted])
    # werkzeug lets `*/*` bring back what `q=0` excludes.
    refused = {value for value, quality in plain if quality == 0}
    found = plain.best_match([offer for offer in offers if offer not in refused])
    if found is None:
        raise NotAcceptable(f"this address offers {', '.join(offers)}")
    return found


def revalidated(response: Response, *, private: bool) -> Response:
    """Add the hash of the content as ETag to the response to a GET; 304 if the client has that content.

    It may be cached, but must be revalidated: access and existence can change. A `private` one may only be
    cached by the client.
    """
    response.headers["Cache-Control"] = "private, no-cache" if private else "no-cache"
    response.add_etag()
    response.make_conditional(request)
    return response
