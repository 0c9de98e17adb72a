"""The keys about the gateway's own HTTP interface."""

from __future__ import annotations

from typing import Self

from pydantic import Field, model_validator

from nlq_gateway.settings.auth import AuthSettings
from nlq_gateway.settings.faults import Fault
from nlq_gateway.settings.logging import LogSettings
from nlq_gateway.settings.section import Section
from nlq_gateway.settings.stopping import StopSettings
from nlq_gateway.settings.telemetry import TelemetrySettings
from nlq_gateway.settings.values import TraceStoreUrl


class ServerSettings(Section):
    """The gateway's own HTTP interface."""

    auth: AuthSettings = Field(default=AuthSettings(), description="who may ask")
    cors: tuple[str, ...] = Field(
        default=(), description="origins whose pages may ask, such as https://example.org"
    )
    rate: str = Field(default="none", description="requests allowed, such as `60/minute and client`, or none")
    trace_store: TraceStoreUrl | None = Field(
        default=None,
        description="where traces are kept: sqlite:///FILE; the user's cache folder if it is not given",
    )
    stop: StopSettings = Field(default=StopSettings(), description="how the server stops")
    log: LogSettings = Field(default=LogSettings(), description="what the server writes into its log")
    telemetry: TelemetrySettings = Field(default=TelemetrySettings(), description="spans for a collector")
    max_question: int = Field(default=2_000, gt=0, description="characters that a question may have")

    @model_validator(mode="after")
    def _supported(self) -> Self:
        """Refuse what would leave a server open whose operator believes it closed."""
        if self.auth.type != "none":
            raise Fault("this version checks no logins; put a proxy that does in front of it", "auth")
        if self.rate != "none":
            raise Fault("this version limits no rates; put a proxy that does in front of it", "rate")
        if self.cors:
            raise Fault("this version answers no other origins; put a proxy that does in front of it", "cors")
        return self
