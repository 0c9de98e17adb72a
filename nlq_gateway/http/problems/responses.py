"""Every error as a problem document (RFC 9457), by one table from code to status and explanation."""

from __future__ import annotations

import logging
import math
from dataclasses import asdict, dataclass
from http import HTTPStatus
from typing import Any

from flask import Flask, Response, g, json, request
from markupsafe import escape
from werkzeug.exceptions import HTTPException

from compilers.compile import CompiledQuery
from compilers.errors import CompilerError, InvalidProgram, ProgramSyntaxError
from connectors.errors import DataError, EndpointError
from nlq_gateway.errors import GatewayError, Overloaded, Unauthorized
from nlq_gateway.http.leaving import has_given_up
from nlq_gateway.http.metrics import Metrics
from nlq_gateway.http.negotiation import negotiate
from nlq_gateway.http.remedies import REMEDIES
from nlq_gateway.index.errors import IndexProblem
from nlq_gateway.trace import Json, program_json, sparql_json

MEDIA_TYPE = "application/problem+json"
KNOWN_ERRORS = (GatewayError, CompilerError, EndpointError, DataError, IndexProblem)
RETRY_SECONDS = 5

_PAGE = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{0}</title>
<link rel="stylesheet" href="../static/page.css">
<main><h1>{1}</h1><p><code>{0}</code>, HTTP {2}</p><p>{3}</p><p>{4}</p></main>
</html>
"""

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Kind:
    """What a code means: the HTTP status, a title, and the text of its page."""

    status: int
    title: str
    explanation: str


KINDS: dict[str, Kind] = {
    "invalid-request": Kind(
        400,
        "The request cannot be understood",
        "A field is missing, unknown or of the wrong type, the body is not JSON, or the method or media "
        "type is not one that this address takes. `detail` names the place.",
    ),
    "invalid-program": Kind(
        400,
        "The program does not check",
        "The program cannot be read, or breaks a rule of the function table. `issues` lists every breach "
        "with its step, counted from 1, and what would be right.",
    ),
    "query-refused": Kind(
        400,
        "The query is refused",
        "The gateway passes on reads only: SELECT, ASK, CONSTRUCT or DESCRIBE, of the endpoint's own graphs, "
        "without SERVICE to hosts that the endpoint does not list and without functions of one vendor; or "
        "the store itself calls the query malformed or too dear.",
    ),
    "unauthorized": Kind(401, "Who is asking?", "This gateway wants credentials, and none were sent."),
    "forbidden": Kind(403, "Not allowed", "The credentials sent do not allow this."),
    "not-found": Kind(404, "There is nothing here", "No page, file or trace has this address."),
    "unknown-dataset": Kind(
        404, "No such dataset", "No endpoint has this id or alias. `GET /datasets` lists those there are."
    ),
    "too-large": Kind(
        413, "The request is too large", "The body or the question is beyond the limit; `detail` names it."
    ),
    "unsupported-program": Kind(
        422,
        "The graph cannot state this",
        "The program is right, but asks for what this graph's layout has no way to say, such as qualifiers "
        "of facts in a graph of plain triples.",
    ),
    "unanswerable": Kind(
        422,
        "No query fits the question",
        "Nothing in the graph is named as the question names it, or the reading that comes closest is too "
        "unsure. Only addresses that have nothing but a query to give say so by an error: `/nlq` answers "
        "with the status `unanswerable`.",
    ),
    "rate-limited": Kind(429, "Too many requests", "Wait as long as `Retry-After` says."),
    "internal": Kind(
        500,
        "Something broke in the gateway",
        "This is a fault of the gateway. Its log has the details under the id in `X-Request-Id`.",
    ),
    "endpoint-unreachable": Kind(
        502, "The store cannot be reached", "No connection to the store could be made, or it broke."
    ),
    "endpoint-error": Kind(
        502,
        "The store failed",
        "The store reported a failure of its own, gave up on a query "
        "that is right, in one piece and in parts, or its data cannot be used.",
    ),
    "endpoint-unauthorized": Kind(
        502,
        "The store refused the gateway",
        "The store wants other credentials than the gateway has: see `auth` in the configuration.",
    ),
    "incomplete-result": Kind(
        502,
        "The store's answer was cut",
        "The answer ended early or is not what was asked for. It is never shown as if it were complete.",
    ),
    "overloaded": Kind(
        503,
        "Not ready, or too busy",
        "The endpoint is still being prepared; or, with status 429, more is asked at once than could be "
        "answered in time. Wait as long as `Retry-After` says.",
    ),
    "cancelled": Kind(
        503, "Nobody waits any more", "The client closed its connection, and the work for it was ended."
    ),
    "model-unavailable": Kind(
        503,
        "No language model",
        "The strategy asked for cannot do without a language model. The strategy `auto` can.",
    ),
    "traces-unavailable": Kind(
        503,
        "Traces cannot be reached",
        "The database of traces and feedback is down, so that it is not known whether there is such a trace. "
        "Questions are answered meanwhile, and their traces are not kept.",
    ),
    "endpoint-timeout": Kind(
        504, "The store was too slow", "The store did not answer within the deadline (`timeout_ms`)."
    ),
}

# Codes that do not concern a client, and what it is told instead.
_PUBLIC = {
    "compiler-error": "internal",
    "invalid-configuration": "internal",
    "invalid-data": "endpoint-error",
    "invalid-graph": "invalid-request",
    "invalid-value": "invalid-program",
    "index-problem": "endpoint-error",
    "index-missing": "overloaded",
    "index-damaged": "endpoint-error",
    "index-busy": "overloaded",
    "model-damaged": "endpoint-error",
    "too-complex": "endpoint-error",
}

# What routing and body parsing raise; 400 and all others of the 4xx are requests not understood.
_OF_STATUS = {401: "unauthorized", 403: "forbidden", 404: "not-found", 413: "too-large", 429: "rate-limited"}


def public_code(error: Exception) -> str:
    """The code that a client sees for one of `KNOWN_ERRORS`."""
    code = str(getattr(error, "code", "internal"))
    return _PUBLIC.get(code, code)


def document(code: str, detail: str, **members: Any) -> Json:
    """A problem document; members that are None or empty are left out."""
    kind = KINDS[code]
    fixed = {"type": f"/problems/{code}", "title": kind.title, "detail": detail, "retryable": False}
    whole = {**fixed, "status": kind.status, **members}
    return {name: value for name, value in whole.items() if value not in (None, "", [], ())}


def document_of(error: Exception, request_id: str, made: Json) -> Json:
    """The problem document of an error, with what was `made` before it.

    One that is none of `KNOWN_ERRORS` is a fault of ours: logged in full, told in one sentence.
    """
    code = public_code(error) if isinstance(error, KNOWN_ERRORS) else "internal"
    if code == "cancelled" and has_given_up():
        return document("overloaded", "the server is stopping, before this was answered", retryable=True)
    if code == "internal":
        _log.error("request %s failed", request_id, exc_info=error)
        return document(code, f"the gateway's log has more under {request_id}")
    return document(
        code,
        str(getattr(error, "message", error)),
        hint=getattr(error, "hint", None),
        retryable=bool(getattr(error, "retryable", False)),
        **(made | _members(error)),
    )


def problem(code: str, detail: str, **members: Any) -> Response:
    """A problem document as a response."""
    return _response(document(code, detail, **members))


def code_of(document: Json) -> str:
    """The code of a problem document."""
    return str(document["type"]).rpartition("/")[2]


def _response(document: Json) -> Response:
    g.problem = code_of(document)
    response = Response(json.dumps(document), status=document["status"], content_type=MEDIA_TYPE)
    if document["status"] in (429, 503):
        response.headers["Retry-After"] = str(RETRY_SECONDS)
    return response


def from_error(error: Exception) -> Response:
    """Any error as a problem, with what was made before the failure."""
    response = _response(document_of(error, g.get("request_id", "-"), g.get("made", {})))
    if (seconds := getattr(error, "retry_after_s", None)) is not None:
        response.headers["Retry-After"] = str(math.ceil(seconds))
    if isinstance(error, Unauthorized):
        response.headers["WWW-Authenticate"] = error.challenge
    return response


def from_http(error: HTTPException) -> Response | HTTPException:
    """What routing, body parsing and negotiation raise; headers such as `Allow` stay."""
    status = error.code or 500
    if status < 400:
        return error
    code = _OF_STATUS.get(status, "invalid-request" if status < 500 else "internal")
    response = problem(code, _detail(error, status), status=status)
    kept = [(name, value) for name, value in error.get_headers() if name.lower() != "content-type"]
    response.headers.extend(kept)
    return response


def _detail(error: HTTPException, status: int) -> str:
    """What the code that raised the error says, else a sentence of ours instead of the library's."""
    if error.description and error.description != type(error).description:
        return error.description
    ours = {
        404: f"there is nothing at {request.path}",
        405: f"{request.method} is not a method of {request.path}",
        413: "the body is larger than this address takes",
    }
    return ours.get(status, HTTPStatus(status).phrase)


def register(app: Flask, metrics: Metrics) -> None:
    """Handle every error of `app`, count it, and serve the pages that explain them."""

    def count(response: Response) -> Response:
        if "problem" in g:
            metrics.problem(g.problem, request.url_rule.rule if request.url_rule else "")
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
    text = f"{code} (HTTP {kind.status}): {kind.title}\n\n{kind.explanation}\n\n{REMEDIES[code]}\n"
    if negotiate(("text/html", "text/plain")) == "text/plain":
        return Response(text, content_type="text/plain; charset=utf-8")
    body = _PAGE.format(*map(escape, (code, kind.title, kind.status, kind.explanation, REMEDIES[code])))
    return Response(body, content_type="text/html; charset=utf-8")


def _members(error: Exception) -> dict[str, Any]:
    """The members of a problem that only some errors have."""
    if isinstance(error, Overloaded):
        # Of this client, who can come again, and not of a server that is not there for anybody.
        return {"status": 429}
    if isinstance(error, InvalidProgram):
        return {"issues": [_issue(asdict(issue)) for issue in error.issues]}
    if isinstance(error, ProgramSyntaxError):
        return {"position": error.position}
    if isinstance(error, EndpointError):
        told: dict[str, Any] = {"endpoint": error.endpoint, "store_says": error.detail}
        if isinstance(error.made, CompiledQuery):
            told |= {"program": program_json(error.made.program), "sparql": sparql_json(error.made)}
        return told
    return {}


def _issue(issue: dict[str, Any]) -> dict[str, Any]:
    """An issue with its step and argument counted from 1 and 0, as everywhere in the interface."""
    return {**issue, "step": issue["step"] + 1}
