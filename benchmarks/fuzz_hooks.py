"""Hooks for schemathesis: sending a query as the body of a request."""

from __future__ import annotations

from typing import Any

import schemathesis


@schemathesis.serializer("application/sparql-query")
def query(_: Any, value: Any) -> Any:
    """The text itself; other values are sent as their string."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
