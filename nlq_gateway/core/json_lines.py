"""Reads JSON Lines: one JSON value a line, `.gz` too, from files, pipes and standard input (`-`)."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass
from typing import IO, Any, cast

from nlq_gateway.core.errors import InvalidRequest


@dataclass(frozen=True, slots=True)
class JsonLine:
    """A line that is not blank: its number from 1, and its value or its error."""

    number: int
    value: Any = None
    error: InvalidRequest | None = None


def read_json_lines(file: str) -> Iterator[JsonLine]:
    """Yield each line as soon as it is read.

    Raises:
        InvalidRequest: when the file cannot be read; errors of single lines are in `JsonLine.error`.
    """
    try:
        with _opened(file) as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    yield _line(file, number, line)
    except (OSError, EOFError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise InvalidRequest(f"{file} cannot be read: {reason}") from None


def _opened(file: str) -> Any:
    if file == "-":
        return nullcontext(sys.stdin.buffer)
    return cast("IO[bytes]", gzip.open(file, "rb")) if file.endswith(".gz") else open(file, "rb")


def _line(file: str, number: int, line: bytes) -> JsonLine:
    try:
        return JsonLine(number, json.loads(line.decode("utf-8-sig")))
    except json.JSONDecodeError as error:
        reason = f"{error.msg} at column {error.colno}"
    except (ValueError, RecursionError) as error:
        reason = str(error)
    return JsonLine(number, error=InvalidRequest(f"{file}, line {number}: this is not JSON: {reason}"))
