"""The finding of a checker about a program: a plain value that errors and checkers share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning"]


@dataclass(frozen=True, slots=True)
class Issue:
    """One breach of one rule. `step` and `argument` are indices from 0; None stands for the whole step."""

    severity: Severity
    code: str
    step: int
    argument: int | None
    message: str
    hint: str
