"""The gateway's own errors; those of stores and programs come from `connectors` and `compilers`.

GatewayError              base: a stable `code`, a message, a hint, `retryable`
├── InvalidRequest        the request cannot be understood (empty question, wrong field)
├── TooLarge              a question or body beyond the limit
├── QuestionTimeout       reading the question takes more processor time than it has
├── UnknownDataset        no endpoint has this id or alias
├── NotReady              the endpoint's index is still being built or failed to build
├── Unauthorized          the client has no credentials, or unknown ones
├── Misdirected           the request names a host that this server is not
├── Forbidden             the client's credentials do not allow this
├── RateLimited           the client has asked too often
├── Overloaded            too many requests wait to be answered in time
├── TracesUnavailable     the database of traces is down
├── ModelUnavailable      the requested strategy needs a model, which failed
│   └── NoModel           none is configured
├── ModelDamaged          the model file that comes with the package is not whole
└── ConfigurationError    a setting is wrong (file, line, key, correct value)

Every error that reaches a user has the attributes `code`, `message`, `hint` and `retryable`.
"""

from __future__ import annotations

from compilers.errors import CompilerError
from connectors.errors import DataError, EndpointError


class GatewayError(Exception):
    """Base of the tree."""

    code = "internal"
    retryable = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        """Keep the message and the hint apart, so that a caller can show both."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class InvalidRequest(GatewayError):
    """The request cannot be understood."""

    code = "invalid-request"


class TooLarge(GatewayError):
    """A question or body is beyond the limit."""

    code = "too-large"


class QuestionTimeout(GatewayError):
    """Reading the question takes more processor time than it has."""

    code = "question-timeout"


class UnknownDataset(GatewayError):
    """No endpoint has this id or alias."""

    code = "unknown-dataset"


class NotReady(GatewayError):
    """The endpoint cannot answer yet."""

    code = "overloaded"
    retryable = True


class Unauthorized(GatewayError):
    """No credentials, or none that are known; `challenge` is the `WWW-Authenticate` of the response."""

    code = "unauthorized"

    def __init__(self, message: str, *, challenge: str, hint: str = "") -> None:
        """Take the challenge along with the message."""
        super().__init__(message, hint=hint)
        self.challenge = challenge


class Misdirected(GatewayError):
    """The request names a host that this server is not known by."""

    code = "misdirected"


class Forbidden(GatewayError):
    """The credentials do not allow this."""

    code = "forbidden"


class RateLimited(GatewayError):
    """Too many requests; there is room for another in `retry_after_s`."""

    code = "rate-limited"
    retryable = True

    def __init__(self, message: str, *, retry_after_s: float, hint: str = "") -> None:
        """Take the time along with the message."""
        super().__init__(message, hint=hint)
        self.retry_after_s = retry_after_s


class Overloaded(RateLimited):
    """So many wait already that no answer would come in time."""

    code = "overloaded"


class TracesUnavailable(GatewayError):
    """Traces and feedback can neither be read nor written now."""

    code = "traces-unavailable"
    retryable = True


class ModelUnavailable(GatewayError):
    """The asked-for strategy needs a model, which failed."""

    code = "model-unavailable"
    retryable = True


class NoModel(ModelUnavailable):
    """The asked-for strategy needs a model, and none is configured."""

    retryable = False


class ModelDamaged(GatewayError):
    """The model file that comes with the package is not whole."""

    code = "model-damaged"


class ConfigurationError(GatewayError):
    """A setting is wrong; `file`, `line` (from 1) and `key` say where."""

    code = "invalid-configuration"

    def __init__(
        self, message: str, *, file: str = "", line: int | None = None, key: str = "", hint: str = ""
    ) -> None:
        """Take the place of the fault along with the message."""
        super().__init__(message, hint=hint)
        self.file = file
        self.line = line
        self.key = key


# All other exceptions are faults of the gateway.
KNOWN_ERRORS = (GatewayError, CompilerError, EndpointError, DataError)
