"""Errors of a language model; none ends a question, because the default strategy then answers it.

ModelError            base: a GatewayError with the code `model-unavailable`
├── ModelMissing      it cannot be loaded, or the server does not have it
├── ModelUnreachable  the server cannot be reached, or the connection broke
├── ModelRefused      the server refused the request: credentials, a prompt too long, a wrong parameter
├── ModelBusy         the server asks to wait, or the circuit is open after failures
├── ModelTimeout      no answer before the deadline
├── ModelNonsense     an invalid answer: no choices, not the protocol, not the requested grammar
├── Cancelled         the caller has gone
└── BudgetSpent       the question has used its calls, tokens or seconds
"""

from __future__ import annotations

from nlq_gateway.core.errors import GatewayError


class ModelError(GatewayError):
    """Base of the tree; `request_id` is the server's own name for the request, "" where it gave none."""

    code = "model-unavailable"
    retryable = True

    def __init__(self, message: str, *, hint: str = "", request_id: str = "") -> None:
        """Keep the request's id along with the message."""
        super().__init__(message, hint=hint)
        self.request_id = request_id


class ModelMissing(ModelError):
    """The model cannot be loaded, or the server does not have it."""

    retryable = False


class ModelUnreachable(ModelError):
    """The connection to the server could not be made, or it broke."""


class ModelRefused(ModelError):
    """The server does not take the request."""

    retryable = False


class ModelBusy(ModelError):
    """The server asks to wait, or has failed so often that it is not asked for a while."""


class ModelTimeout(ModelError):
    """No answer came before the deadline."""


class ModelNonsense(ModelError):
    """The model or its server sent an invalid answer."""


class Cancelled(ModelError):
    """The caller cancelled the request."""


class BudgetSpent(ModelError):
    """The question has used its budget."""

    retryable = False
