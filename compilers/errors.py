"""All errors between a program and its query.

CompilerError
├── ProgramSyntaxError      a notation could not be read (position in the text)
├── InvalidProgram          the checker found errors (all its issues)
├── UnsupportedProgram      a valid program that this layout cannot state
└── UnsafeQuery             the printed query failed the allow-list
"""

from __future__ import annotations

from compilers.issues import Issue


class CompilerError(Exception):
    """Base of the tree. `code` is stable, `hint` names the remedy."""

    code = "compiler-error"
    retryable = False

    def __init__(self, message: str, *, hint: str = "") -> None:
        """Keep the message and the hint apart, so that a caller can show both."""
        super().__init__(message)
        self.message = message
        self.hint = hint


class ProgramSyntaxError(CompilerError):
    """A text is not a program in the notation it was read as."""

    code = "invalid-program"

    def __init__(self, message: str, *, position: int = 0, hint: str = "") -> None:
        """`position` is the character offset in the text that was read."""
        super().__init__(message, hint=hint)
        self.position = position


class InvalidProgram(CompilerError):
    """A program breaks the rules of the function table; `issues` lists every breach."""

    code = "invalid-program"

    def __init__(self, issues: tuple[Issue, ...]) -> None:
        """Take the checker's issues; the first error becomes the message."""
        first = next((issue for issue in issues if issue.severity == "error"), issues[0])
        super().__init__(f"step {first.step + 1}: {first.message}", hint=first.hint)
        self.issues = issues


class UnsupportedProgram(CompilerError):
    """A valid program uses a construct that the graph's layout cannot state."""

    code = "unsupported-program"

    def __init__(self, message: str, *, step: int, hint: str = "") -> None:
        """`step` is the index of the step, from 0."""
        super().__init__(f"step {step + 1}: {message}", hint=hint)
        self.step = step


class UnsafeQuery(CompilerError):
    """A query is not a plain read: refused before it reaches a store."""

    code = "query-refused"
