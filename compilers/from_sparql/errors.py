"""The error for a query that no program states."""

from __future__ import annotations

from compilers.errors import CompilerError


class CannotState(CompilerError):
    """A query uses a construct that KoPL and its extensions cannot state; the message names it."""

    code = "unsupported-program"
