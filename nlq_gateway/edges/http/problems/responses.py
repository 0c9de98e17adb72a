"""Errors as responses, and the pages that explain them."""

from __future__ import annotations

import math
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, g, json, request
from markupsafe import escape
from werkzeug.exceptions import HTTPException

from nlq_gateway.core.errors import Unauthorized
from nlq_gateway.edges.http.negotiation import negotiate
from nlq_gateway.edges.http.problems.documents import code_of, document, document_of
from nlq_gateway.edges.http.problems.kinds import KINDS
from nlq_gateway.trace import Json

MEDIA_TYPE = "application/problem+json"
RETRY_SECONDS = 5

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{0}</title>
<link rel="stylesheet" href="../static/page.css">
<main><h1>{1}</h1><p><code>{0}</code>, HTTP {2}</p><p>{3}</p><p>{4}</p></main>
</html>
"""

# Errors of routing and body parsing; 400 and all other 4xx are invalid requests.
_OF_STATUS = {401: "unauthorized", 403: "forbidden", 404: "not-found", 413: "too-large", 429: "rate-limited"}


def problem(code: str, detail: str, **members: Any) -> Response:
    """A problem document as a response."""
    return _response(document(code, detail, **members))


def from_error(error: Exception) -> Response:
    """Any error as a problem, with the results made before it."""
    response = _response(document_of(error, g.get("request_id", "-"), g.get("made", {})))
    if (seconds := getattr(error, "retry_after_s", None)) is not None:
        response.headers["Retry-After"] = str(math.ceil(seconds))
    if isinstance(error, Unauthorized):
        response.headers["WWW-Authenticate"] = error.challenge
    return response


def from_http(error: HTTPException) -> Response | HTTPException:
    """Convert errors of routing, body parsing and negotiation; headers such as `Allow` stay."""
    status = error.code or 500
    if status < 400:
        return error
    code = _OF_STATUS.get(status, "invalid-request" if status < 500 else "internal")
    response = problem(code, _detail(error, status), status=status)
    kept = [(name, value) for name, value in error.get_headers() if name.lower() != "content-type"]
    response.headers.extend(kept)
    return response


def register(app: Flask, counted: Callable[[str, str], None]) -> None:
    """Handle every error of `app`, and serve the pages; `counted` is called with code and route of each."""

    def count(response: Response) -> Response:
        if "problem" in g:
            counted(g.problem, request.url_rule.rule if request.url_rule else "")
        return response

    app.after_request(count)
    app.register_error_handler(HTTPException, from_http)
    app.register_error_handler(Exception, from_error)
    app.add_url_rule("/problems/<code>", view_func=explanation)


def explanation(code: str) -> Response:
    """The page that a problem's `type` leads to, as HTML or text."""
    kind = KINDS.get(code)
    if kind is None:
        return problem("not-found", f"there is no problem {code!r}")
    text = f"{code} (HTTP {kind.status}): {kind.title}\n\n{kind.explanation}\n\n{kind.remedy}\n"
    if negotiate(("text/html", "text/plain")) == "text/plain":
        return Response(text, content_type="text/plain; charset=utf-8")
    body = _PAGE.format(*map(escape, (code, kind.title, kind.status, kind.explanation, kind.remedy)))
    return Response(body, content_type="text/html; charset=utf-8")


def _response(document: Json) -> Response:
    g.problem = code_of(document)
    response = Response(json.dumps(document), status=document["status"], content_type=MEDIA_TYPE)
    if document["retryable"] and document["status"] in (429, 503):
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def _detail(error: HTTPException, status: int) -> str:
    """The message of the code that raised the error, else a sentence of ours instead of the library's."""
    if error.description and error.description != type(error).description:
        return error.description
    ours = {
        404: f"there is nothing at {request.path}",
        405: f"{request.method} is not a method of {request.path}",
        413: "the body is larger than this address takes",
    }
    return ours.get(status, HTTPStatus(status).phrase)
