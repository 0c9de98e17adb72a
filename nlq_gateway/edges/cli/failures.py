"""Every error as a message, an object for JSON Lines, and an exit code."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from compilers.errors import InvalidProgram
from connectors.errors import DataError, EndpointError
from nlq_gateway.core.errors import (
    KNOWN_ERRORS,
    ConfigurationError,
    InvalidRequest,
    ModelDamaged,
    TooLarge,
    UnknownDataset,
)
from nlq_gateway.index.errors import IndexProblem

_USAGE = (ConfigurationError, InvalidRequest, TooLarge, UnknownDataset, DataError, ModelDamaged)
_FAULT = "this is a fault of the program; NLQ_DEBUG=1 shows where it is"


def exit_code(error: Exception) -> int:
    """2 for what the caller has to put right, 1 for what failed."""
    return 2 if isinstance(error, _USAGE) else 1


def error_object(error: Exception) -> dict[str, Any]:
    """`{code, message, hint}`, as in the JSON Lines of `nlq run` and `nlq compile`."""
    if not isinstance(error, KNOWN_ERRORS):
        return {"code": "internal", "message": f"{type(error).__name__}: {error}", "hint": _FAULT}
    return {"code": error.code, "message": _message(error), "hint": error.hint}


def explain(error: Exception) -> str:
    """`nlq: what failed`, with what to do about it on the lines after that."""
    described = error_object(error)
    lines = [f"nlq: {described['message']}"]
    if isinstance(error, InvalidProgram):
        lines += [f"  step {i.step + 1}: {i.message} ({i.code}); {i.hint}" for i in error.issues[1:]]
    if isinstance(error, EndpointError) and error.detail:
        lines.append(f"  the store says: {error.detail}")
    if described["hint"]:
        lines.append(f"  hint: {described['hint']}")
    return "\n".join(lines)


def _message(error: Exception) -> str:
    """The message, with the file and line, or the endpoint, where it does not name them itself."""
    message = str(getattr(error, "message", error))
    if isinstance(error, DataError):
        place = error.file + (f", line {error.line}" if error.line else "")
        return f"{place}: {message}" if error.file not in message else message
    if isinstance(error, IndexProblem) and error.place:
        return f"{error.place}: {message}"
    if isinstance(error, EndpointError) and error.endpoint and error.endpoint not in message:
        return f"{error.endpoint}: {message}"
    return message


def write_report(file: str, text: str) -> None:
    """Write a report; tried before a command's work is done, which would be lost after it."""
    try:
        Path(file).write_text(text, encoding="utf-8")
    except OSError as error:
        raise ConfigurationError(f"the report {file} cannot be written: {error.strerror}") from None
