"""Messages over the socket: a call, and its result. A connection carries one call at a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from nlq_gateway.models import errors
from nlq_gateway.models.errors import ModelError

Method = Literal["prepare", "generate", "score", "count_tokens"]
_ERRORS: Mapping[str, type[ModelError]] = {
    name: one for name, one in vars(errors).items() if isinstance(one, type) and issubclass(one, ModelError)
}


@dataclass(frozen=True, slots=True)
class MethodCall:
    """A method of `Model` with its arguments by name; the answer is of use for so many `seconds`."""

    method: Method
    seconds: float
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Returned:
    """The result of the method."""

    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """The ModelError that the method raised, in parts: exceptions with named arguments cannot be sent."""

    kind: str
    message: str
    hint: str
    request_id: str

    @classmethod
    def of(cls, error: ModelError) -> Raised:
        """The parts of an error."""
        return cls(type(error).__name__, error.message, error.hint, error.request_id)

    def error(self) -> ModelError:
        """The error."""
        return _ERRORS.get(self.kind, ModelError)(self.message, hint=self.hint, request_id=self.request_id)
