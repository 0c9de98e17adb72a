"""Faults that a validator finds below the value it was given."""

from __future__ import annotations

Path = tuple[str | int, ...]


class Fault(ValueError):
    """A wrong value below the one that a validator looks at; `path` leads to it from there."""

    def __init__(self, message: str, *path: str | int) -> None:
        """`message` says what would be right."""
        super().__init__(message)
        self.path: Path = path
