"""All errors about an index of an endpoint.

IndexProblem                    base: message, hint, and `retryable`
├── IndexMissing                nothing was built yet, or it was removed
├── IndexDamaged                the folder is not a complete index of this format
└── IndexBusy                   another process is building it and did not finish in time (retry helps)

The errors of a store pass through a build unchanged.
"""

from __future__ import annotations

from pathlib import Path

from nlq_gateway.core.errors import GatewayError


class IndexProblem(GatewayError):
    """Base of the tree; `place` is the folder of the index, for operators alone."""

    code = "index-problem"

    def __init__(self, message: str, *, place: Path | None = None, hint: str = "") -> None:
        """Keep the place apart from the message, which clients read."""
        super().__init__(message, hint=hint)
        self.place = place


class IndexMissing(IndexProblem):
    """The folder has no index."""

    code = "index-missing"


class IndexDamaged(IndexProblem):
    """A folder holds something else than a complete index of this format."""

    code = "index-damaged"


class IndexBusy(IndexProblem):
    """Another process holds the lock of the index for longer than the caller waits."""

    code = "index-busy"
    retryable = True
