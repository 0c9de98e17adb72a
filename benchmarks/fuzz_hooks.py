"""What schemathesis has to be told: how a query is sent as the body of a request."""

from __future__ import annotations

from typing import Any

import schemathesis


@schemathesis.serializer("application/sparql-query")
def query(_: Any, value: Any) -> Any:
    """The text itself; what is no text is sent as it is written."""
    return value if isinstance(value, bytes) else str(value).encode("utf-8", "replace")
