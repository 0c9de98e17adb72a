"""The errors for queries that no program states."""

from __future__ import annotations

from compilers.errors import CompilerError


class CannotState(CompilerError):
    """A query uses a construct that KoPL and its extensions cannot state; the message names it."""

    code = "unsupported-program"


class NotSparql(CannotState):
    """A text is no SPARQL 1.1 query; the message has the place."""

    code = "query-refused"

    def __init__(self, fault: str) -> None:
        """`fault` is what the parser says."""
        super().__init__(f"not SPARQL 1.1: {fault}", hint="correct the syntax")
