"""The log: records of all parts, including gunicorn's, in one format to standard error.

A record is one line, with any content: text from outside is escaped, so that it cannot imitate another
record. Fields are those that `extra={"fields": {...}}` gives a record.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from nlq_gateway.settings.server import LogSettings

FIELDS = "fields"
_OURS = ("nlq_gateway", "connectors", "compilers", "gunicorn.error")
# Control characters, and those that terminals and editors treat as line ends or changes of direction.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class JsonLines(logging.Formatter):
    """Format records as one JSON object per line, in ASCII."""

    def format(self, record: logging.LogRecord) -> str:
        """The record with time, level, logger, process and its fields; a failure with its whole trace."""
        document: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "process": record.process,
            "message": record.getMessage(),
            **fields_of(record),
        }
        if record.exc_info:
            document["exception"] = self.formatException(record.exc_info)
        return json.dumps(document, default=str)


class TextLines(logging.Formatter):
    """`nlq: LEVEL message key=value`; what follows of a failure is indented."""

    def format(self, record: logging.LogRecord) -> str:
        """The record, with its fields behind the message."""
        told = [f"nlq: {record.levelname} {record.getMessage()}"]
        told += [f"{name}={value}" for name, value in fields_of(record).items()]
        lines = [printable(" ".join(told))]
        if record.exc_info:
            lines += [f"  {printable(line)}" for line in self.formatException(record.exc_info).splitlines()]
        return "\n".join(lines)


def write_logs(settings: LogSettings) -> None:
    """Write records of this process from now on by these settings, to standard error."""
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if settings.format == "json" else TextLines())
    # Libraries tell of whole addresses, keys in their queries included, where they are let.
    logging.basicConfig(
        level=max(logging.WARNING, logging.getLevelName(settings.level.upper())),
        handlers=[handler],
        force=True,
    )
    for name in _OURS:
        logging.getLogger(name).setLevel(settings.level.upper())


def fields_of(record: logging.LogRecord) -> Mapping[str, Any]:
    """Return the fields of a record besides its message."""
    fields: Mapping[str, Any] = getattr(record, FIELDS, {})
    return fields


def printable(text: str) -> str:
    """The text with everything escaped that could end a line or hide a part of it."""
    return _UNSAFE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)
