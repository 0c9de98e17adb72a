"""The keys about how the server stops."""

from __future__ import annotations

from pydantic import Field

from nlq_gateway.settings.section import Section


class StopSettings(Section):
    """How the server stops when it is told to by SIGTERM."""

    announce: float = Field(
        default=0,
        ge=0,
        description="seconds for which /readyz says that it stops while all is still answered, so that a"
        " load balancer sends requests elsewhere",
    )
    finish: float = Field(
        default=25,
        gt=0,
        description="seconds after that to finish what was asked; what takes longer is answered with 503",
    )
