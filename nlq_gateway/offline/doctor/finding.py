"""What a check finds."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

Severity = Literal["ok", "note", "warning", "error"]
# From the least to the worst.
SEVERITIES: tuple[Severity, ...] = ("ok", "note", "warning", "error")


@dataclass(frozen=True, slots=True)
class Found:
    """One thing that a check found; `evidence` has what was asked or seen, a line each."""

    severity: Severity
    message: str
    remedy: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """What was found, about which subject (an endpoint's id, or `model`), by which check, after how long."""

    subject: str
    check: str
    found: Found
    ms: float

    def as_json(self) -> dict[str, Any]:
        """The finding in one flat object."""
        body = asdict(self.found)
        return {"subject": self.subject, "check": self.check, **body, "ms": round(self.ms, 1)}
