"""The meaning of a failed request: one table from the client's exceptions and statuses to our errors."""

from __future__ import annotations

import json
import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from email.utils import parsedate_to_datetime

import openai
import pydantic

from nlq_gateway.models.errors import (
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelNonsense,
    ModelRefused,
    ModelUnreachable,
)
from nlq_gateway.models.server.reading import NOT_A_SERVER


class ServerFailed(ModelUnreachable):
    """The server can be reached, but fails."""


@dataclass(frozen=True, slots=True)
class ServerFailure:
    """A kind of error, what happened in words, what to do, and whether the request may be sent again."""

    kind: type[ModelError]
    what: str
    hint: str = ""
    again: bool = False


_RUNNING = "check that the model server is running and can be reached from here"
_KEY = "check model.key"
_LOG = "look into the model server's log"

_DOWN = ServerFailure(ModelUnreachable, "the connection to the model server failed", _RUNNING, again=True)
_FAILED = ServerFailure(ServerFailed, "the model server failed", _LOG, again=True)
_WAIT = ServerFailure(ModelBusy, "the model server asks to wait", "retry later", again=True)
_REFUSED = ServerFailure(ModelRefused, "the model server does not take the request")
_NO_KEY = ServerFailure(ModelRefused, "the model server does not accept the key", _KEY)
_NONSENSE = ServerFailure(ModelNonsense, "the answer is not that of a model server", NOT_A_SERVER)
_BROKEN = ServerFailure(ServerFailed, "the model server broke off", _LOG)

# A status that is listed decides, else the nearest base class that is.
FAILURES: Mapping[type[BaseException] | int, ServerFailure] = {
    408: _WAIT,
    503: _WAIT,
    529: _WAIT,
    openai.APITimeoutError: ServerFailure(ModelUnreachable, "the model server is silent", _RUNNING),
    openai.APIConnectionError: _DOWN,
    openai.BadRequestError: _REFUSED,
    openai.AuthenticationError: _NO_KEY,
    openai.PermissionDeniedError: ServerFailure(
        ModelRefused, "the model server forbids this", "check what the key is allowed"
    ),
    openai.NotFoundError: ServerFailure(
        ModelMissing, "the model server does not have this", "check model.name and model.url"
    ),
    openai.ConflictError: _WAIT,
    openai.UnprocessableEntityError: _REFUSED,
    openai.RateLimitError: _WAIT,
    openai.InternalServerError: _FAILED,
    openai.APIStatusError: _REFUSED,
    openai.APIResponseValidationError: _NONSENSE,
    # Bare, it is an error that the server reports in the middle of a stream.
    openai.APIError: _BROKEN,
    openai.LengthFinishReasonError: _NONSENSE,
    openai.ContentFilterFinishReasonError: _NONSENSE,
    # The remaining errors concern the client's setup.
    openai.OpenAIError: ServerFailure(
        ModelRefused, "the request cannot be made", "check the model's settings"
    ),
    json.JSONDecodeError: _NONSENSE,
    UnicodeDecodeError: _NONSENSE,
    UnicodeEncodeError: ServerFailure(ModelRefused, "the prompt is no text", "it has lone surrogates"),
    # JSON of another shape.
    pydantic.ValidationError: _NONSENSE,
}
# The exceptions of a request or its stream.
RAISED = (openai.OpenAIError, json.JSONDecodeError, UnicodeError, pydantic.ValidationError)

_DETAIL_LETTERS = 300


def failure_of(error: Exception) -> ServerFailure:
    """Return the meaning of an exception of the client, which is one of RAISED."""
    status = error.status_code if isinstance(error, openai.APIStatusError) else 0
    return FAILURES.get(status) or next(FAILURES[base] for base in type(error).__mro__ if base in FAILURES)


def model_error(error: Exception, address: str, secrets: Sequence[str], request_id: str = "") -> ModelError:
    """The error to raise, which says what the server said, but none of the secrets."""
    failure = failure_of(error)
    seconds = wanted_pause(error)
    hint = f"retry after {seconds:.0f} s" if seconds else failure.hint
    request_id = getattr(error, "request_id", None) or request_id
    message = f"{failure.what}: {address} ({_detail(error, secrets)})"
    return failure.kind(message, hint=hint, request_id=request_id)


def _detail(error: Exception, secrets: Sequence[str]) -> str:
    """The server's message, or the connection's error, in one line."""
    said = " ".join((f"{error.__cause__ or ''}" or told(error)).split())
    for secret in secrets:
        said = said.replace(secret, "***")
    return said[:_DETAIL_LETTERS]


def told(error: Exception) -> str:
    """The client's words, and what the server sent, which they do not always repeat."""
    body = error.body if isinstance(error, openai.APIError) else None
    repeated = not body or (isinstance(body, Mapping) and body.get("message"))
    return f"{error}" if repeated else f"{error}: {body}"


def wanted_pause(error: Exception) -> float:
    """The seconds that a server asks to wait (Retry-After: RFC 9110, 10.2.3); 0 where it does not."""
    if not isinstance(error, openai.APIStatusError):
        return 0.0
    when = error.response.headers.get("retry-after", "")
    try:
        seconds = float(when)
    except ValueError:
        seconds = _until(when)
    return seconds if 0 < seconds < math.inf else 0.0


def _until(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp() - time.time()
    except ValueError:
        return 0.0
