"""Errors as problem documents (RFC 9457), before they are a response or an event."""

from __future__ import annotations

import logging
from dataclasses import asdict
from typing import Any

from compilers.compile import CompiledQuery
from compilers.errors import InvalidProgram, ProgramSyntaxError
from connectors.errors import EndpointError
from nlq_gateway.core.errors import KNOWN_ERRORS, Overloaded
from nlq_gateway.edges.http.leaving import has_given_up
from nlq_gateway.edges.http.problems.kinds import KINDS, public_code
from nlq_gateway.trace import Json, program_json, sparql_json

_log = logging.getLogger(__name__)


def document(code: str, detail: str, **members: Any) -> Json:
    """A problem document; members that are None or empty are left out."""
    kind = KINDS[code]
    fixed = {"type": f"/problems/{code}", "title": kind.title, "detail": detail, "retryable": False}
    whole = {**fixed, "status": kind.status, **members}
    return {name: value for name, value in whole.items() if value not in (None, "", [], ())}


def document_of(error: Exception, request_id: str, made: Json) -> Json:
    """The problem document of an error, with the results `made` before it.

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


def code_of(document: Json) -> str:
    """The code of a problem document."""
    return str(document["type"]).rpartition("/")[2]


def _members(error: Exception) -> dict[str, Any]:
    """The members of a problem that only some errors have."""
    if isinstance(error, Overloaded):
        # 429: this client can retry; 503 would mean an outage for all clients.
        return {"status": 429}
    if isinstance(error, InvalidProgram):
        # Steps are counted from 1, as everywhere in the interface.
        return {"issues": [{**asdict(issue), "step": issue.step + 1} for issue in error.issues]}
    if isinstance(error, ProgramSyntaxError):
        return {"position": error.position}
    if isinstance(error, EndpointError):
        told: dict[str, Any] = {"endpoint": error.endpoint, "store_says": error.detail}
        if isinstance(error.made, CompiledQuery):
            told |= {"program": program_json(error.made.program), "sparql": sparql_json(error.made)}
        return told
    return {}
