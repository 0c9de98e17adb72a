"""Errors of Python clients.

GatewayError
├── GatewayProblem       the gateway answered with a problem document, or is no gateway
├── GatewayUnreachable   no connection, or no answer in time
└── MissingPackage       a package of an extra is not installed
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from nlq_gateway.core.errors import GatewayError


class GatewayProblem(GatewayError):
    """An error that a gateway reports over HTTP.

    `status` is the HTTP status, and `code` one of docs/errors.md. `retry_after_s` are the seconds that the
    server asks to wait, None where it names none. `document` is the problem document, with `issues`,
    `program` and `sparql` where there are some.
    """

    def __init__(
        self,
        message: str,
        *,
        code: str,
        status: int,
        retryable: bool = False,
        hint: str = "",
        retry_after_s: float | None = None,
        document: Mapping[str, Any] | None = None,
    ) -> None:
        """Take the parts along with the message."""
        super().__init__(message, hint=hint)
        self.code = code
        self.status = status
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.document = document or {}

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        return f"{self.code}: {self.message}{hint}"


class GatewayUnreachable(GatewayError):
    """The gateway cannot be reached, or does not answer in time."""

    code = "gateway-unreachable"
    retryable = True


class MissingPackage(GatewayError, ImportError):
    """A package of the extra `notebook` is not installed."""

    code = "missing-package"

    def __init__(self, package: str, purpose: str) -> None:
        """Name the package, and the feature that needs it."""
        message = f"{purpose} needs {package}, which is not installed"
        super().__init__(message, hint="pip install '.[notebook]' in the gateway's source folder")

    def __str__(self) -> str:
        return f"{self.message}: {self.hint}"
