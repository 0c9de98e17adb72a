"""Every problem under `/v1` as OpenAI's error object, from which its clients make their exceptions.

https://platform.openai.com/docs/guides/error-codes. Status and headers stay: `Retry-After` says when a retry
helps, and `x-should-retry`, which OpenAI's own clients obey, whether one does.
"""

from __future__ import annotations

import re
from typing import Any

from flask import Response, json, request

from nlq_gateway.edges.http.problems import MEDIA_TYPE

PREFIX = "/v1/"

_TYPES = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
# OpenAI's names of these codes; all others keep the gateway's.
_CODES = {
    "unauthorized": "invalid_api_key",
    "unknown-dataset": "model_not_found",
    "rate-limited": "rate_limit_exceeded",
}
_PARAMETER = re.compile(r"([a-z_]+(?:\[\d+\]|\.[a-z_]+)*): ")


def translated(response: Response) -> Response:
    """Return a problem of an address under `/v1` as an error; other responses unchanged."""
    if response.mimetype == MEDIA_TYPE and request.path.startswith(PREFIX):
        document = json.loads(response.get_data())
        response.set_data(json.dumps({"error": error_of(document)}))
        response.content_type = "application/json"
        response.headers["x-should-retry"] = "true" if document["retryable"] else "false"
    return response


def error_of(document: dict[str, Any]) -> dict[str, Any]:
    """The error object of a problem document."""
    code = document["type"].rpartition("/")[2]
    detail, hint = document["detail"], document.get("hint", "")
    named = _PARAMETER.match(detail) if code == "invalid-request" else None
    parameter = "model" if code == "unknown-dataset" else named[1] if named else None
    return {
        "message": f"{detail} ({hint})" if hint else detail,
        "type": _type(document["status"]),
        "param": parameter,
        "code": _CODES.get(code, code),
    }


def _type(status: int) -> str:
    return _TYPES.get(status, "invalid_request_error" if status < 500 else "server_error")
