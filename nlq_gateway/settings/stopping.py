"""The keys about how the server stops."""

from __future__ import annotations

from pydantic import Field

from nlq_gateway.settings.section import Section


class StopSettings(Section):
    """Stopping after SIGTERM."""

    announce: float = Field(
        default=0,
        ge=0,
        description="seconds of 503 at /readyz while all other requests are answered, so that a"
        " load balancer sends requests elsewhere",
    )
    finish: float = Field(
        default=25,
        gt=0,
        description="seconds after that to finish requests; unfinished ones are answered with 503",
    )
