"""Every exception of the client is one of our errors."""

from __future__ import annotations

import json

import openai
import pydantic
import pytest
from openai import _exceptions

from nlq_gateway.models.errors import (
    ModelBusy,
    ModelError,
    ModelMissing,
    ModelNonsense,
    ModelRefused,
    ModelUnreachable,
)
from nlq_gateway.models.server.failures import FAILURES, RAISED, ServerFailed, failure_of, model_error

KINDS: dict[str, type[ModelError]] = {
    "APIConnectionError": ModelUnreachable,
    "APIError": ServerFailed,
    "APIResponseValidationError": ModelNonsense,
    "APIStatusError": ModelRefused,
    "APITimeoutError": ModelUnreachable,
    "AuthenticationError": ModelRefused,
    "BadRequestError": ModelRefused,
    "ConflictError": ModelBusy,
    "ContentFilterFinishReasonError": ModelNonsense,
    "InternalServerError": ServerFailed,
    "LengthFinishReasonError": ModelNonsense,
    "NotFoundError": ModelMissing,
    "OAuthError": ModelRefused,
    "OpenAIError": ModelRefused,
    "PermissionDeniedError": ModelRefused,
    "RateLimitError": ModelBusy,
    "SubjectTokenProviderError": ModelRefused,
    "UnprocessableEntityError": ModelRefused,
    "WebSocketConnectionClosedError": ModelRefused,
    "WebSocketQueueFullError": ModelRefused,
}


CLIENT = {
    name: kind
    for name, kind in vars(_exceptions).items()
    if isinstance(kind, type) and issubclass(kind, openai.OpenAIError)
}


def test_every_exception_of_the_client_is_thought_of() -> None:
    assert CLIENT.keys() == KINDS.keys()


@pytest.mark.parametrize("name", KINDS)
def test_what_an_exception_means(name: str) -> None:
    error = CLIENT[name].__new__(CLIENT[name])
    error.status_code = 0
    found = failure_of(error)
    assert found.kind is KINDS[name]
    assert found.what


def test_every_row_is_of_use() -> None:
    assert all(isinstance(row, int) or issubclass(row, RAISED) for row in FAILURES)
    assert all(row.again <= issubclass(row.kind, ModelUnreachable | ModelBusy) for row in FAILURES.values())


def test_what_is_no_json_or_of_another_shape_is_nonsense() -> None:
    class Shape(pydantic.BaseModel):
        number: int

    for wrong in (lambda: json.loads("{"), lambda: b"\xff".decode(), lambda: Shape.model_validate("x")):
        with pytest.raises(RAISED) as found:
            wrong()
        assert type(model_error(found.value, "http://host", "")) is ModelNonsense


def test_the_message_is_one_line_of_some_length() -> None:
    error = openai.OpenAIError("many\n  words " * 500)
    message = model_error(error, "http://host", "").message
    assert "\n" not in message
    assert len(message) < 400
