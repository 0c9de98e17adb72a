"""Pages of other origins (Fetch Standard, "CORS protocol"): those of the settings may ask and read answers.

Credentials are sent in a header that the page sets itself, never by the browser:
`Access-Control-Allow-Credentials` is not sent, so that no cookie or login of a proxy is lent to another one.
"""

from __future__ import annotations

from collections.abc import Sequence

from flask import Response, request
from flask.globals import request_ctx

EXPOSED = ("ETag", "Link", "RateLimit", "RateLimit-Policy", "Retry-After", "WWW-Authenticate", "X-Request-Id")
ACCEPTED = ("Accept", "Content-Type", "If-None-Match", "Last-Event-ID", "X-Request-Id")
KEPT_SECONDS = 600


class Cors:
    """The origins that may ask."""

    def __init__(self, origins: Sequence[str], header: str) -> None:
        """`header` is what credentials are sent in."""
        self._origins = frozenset(origins)
        self._accepted = ", ".join((*ACCEPTED, header))

    def preflight(self) -> Response | None:
        """The answer to the current request where a browser asks before it sends another one."""
        if request.method != "OPTIONS" or "Access-Control-Request-Method" not in request.headers:
            return None
        if not self._origins:
            return None
        response = Response(status=204)
        if self._allowed():
            adapter = request_ctx.url_adapter
            methods = sorted(adapter.allowed_methods()) if adapter else []
            response.headers["Access-Control-Allow-Methods"] = ", ".join(methods)
            response.headers["Access-Control-Allow-Headers"] = self._accepted
            response.headers["Access-Control-Max-Age"] = str(KEPT_SECONDS)
        response.vary.update(("Access-Control-Request-Method", "Access-Control-Request-Headers"))
        return response

    def finish(self, response: Response) -> Response:
        """Let the page that asked read the response, if its origin is one of those."""
        if not self._origins:
            return response
        if "*" in self._origins:
            response.headers["Access-Control-Allow-Origin"] = "*"
        else:
            response.vary.add("Origin")
            if self._allowed():
                response.headers["Access-Control-Allow-Origin"] = request.headers["Origin"]
        if "Access-Control-Allow-Origin" in response.headers:
            response.headers["Access-Control-Expose-Headers"] = ", ".join(EXPOSED)
        return response

    def _allowed(self) -> bool:
        return "*" in self._origins or request.headers.get("Origin", "") in self._origins
