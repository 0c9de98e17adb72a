"""`nlq config`: the configuration in effect, its errors, and all keys."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Callable
from dataclasses import replace

from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.edges.cli.failures import error_object, explain
from nlq_gateway.edges.http.monitoring.telemetry import is_wanted
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings.effective import as_yaml, effective
from nlq_gateway.settings.key_tables import key_tables
from nlq_gateway.settings.load import LoadResult, examine
from nlq_gateway.settings.schema import published

WRONG = 2


def show(options: argparse.Namespace) -> int:
    """Print the configuration with all defaults; secrets are shown as references."""
    reading = examine(_file(options))
    if reading.settings is None:
        return _told(reading)
    whole, written = effective(reading, options.endpoint)
    if options.json:
        print(json.dumps(whole, indent=2, ensure_ascii=False))
    else:
        print(as_yaml(whole, written), end="")
    return 0


def check(options: argparse.Namespace) -> int:
    """Say that the file is right, or all that is wrong with it."""
    reading = _usable(examine(_file(options)))
    if options.json:
        faults = [{**error_object(f), "line": f.line, "key": f.key} for f in reading.faults]
        print(json.dumps({"file": _file(options), "errors": faults}, indent=2, ensure_ascii=False))
        return WRONG if faults else 0
    if reading.settings is None:
        return _told(reading)
    endpoints = ", ".join(endpoint.id for endpoint in reading.settings.endpoints)
    print(f"{_file(options)} is right; its endpoints are {endpoints}")
    return 0


def schema(_: argparse.Namespace) -> int:
    """Print the JSON Schema."""
    print(published(), end="")
    return 0


def reference(_: argparse.Namespace) -> int:
    """Print every key with its default and meaning."""
    print(key_tables(), end="")
    return 0


def _usable(reading: LoadResult) -> LoadResult:
    """The reading, with what keeps the server from starting besides: drivers that are not installed."""
    if reading.settings is None:
        return reading
    server, faults = reading.settings.server, list[ConfigurationError]()
    uses: tuple[Callable[[], object], ...] = (
        lambda: server.trace_store and TraceStore.of(server),
        lambda: is_wanted(server.telemetry),
    )
    for needed in uses:
        try:
            needed()
        except ConfigurationError as error:
            faults.append(error)
    return replace(reading, settings=None, faults=tuple(faults)) if faults else reading


def _file(options: argparse.Namespace) -> str:
    file: str | None = options.config or os.environ.get("NLQ_CONFIG")
    if not file:
        raise ConfigurationError("no configuration is given", hint="give --config FILE, or set $NLQ_CONFIG")
    return file


def _told(reading: LoadResult) -> int:
    for fault in reading.faults:
        print(explain(fault), file=sys.stderr)
    return WRONG
