"""A finding of a check."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Severity = Literal["ok", "note", "warning", "error"]
# From the least to the worst.
SEVERITIES: tuple[Severity, ...] = ("ok", "note", "warning", "error")


@dataclass(frozen=True, slots=True)
class Found:
    """A result of a check; `evidence` has the queries or observations, one per line."""

    severity: Severity
    message: str
    remedy: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """A result with its subject (an endpoint's id, or `model`), its check, and its time."""

    subject: str
    check: str
    found: Found
    ms: float

    def as_json(self) -> dict[str, Any]:
        """The finding in one flat object."""
        body = asdict(self.found)
        return {"subject": self.subject, "check": self.check, **body, "ms": round(self.ms, 1)}
