"""The keys about spans for a collector of OpenTelemetry."""

from __future__ import annotations

from pydantic import Field

from nlq_gateway.settings.section import Section
from nlq_gateway.settings.values import EndpointUrl


class TelemetrySettings(Section):
    """Spans of requests, their stages and their queries, sent by OTLP over HTTP."""

    endpoint: EndpointUrl | None = Field(
        default=None,
        description="the collector, such as http://collector:4318; default: the standard variables"
        " such as OTEL_EXPORTER_OTLP_ENDPOINT; without either there are no spans",
    )
    service: str = Field(default="nlq-gateway", min_length=1, description="the service's name in the spans")
