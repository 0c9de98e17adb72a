"""What a program cannot say of a query."""

from __future__ import annotations

from compilers.errors import CompilerError


class CannotState(CompilerError):
    """A query asks for what KoPL and its extensions have no words for; the message is the reason."""

    code = "unsupported-program"
