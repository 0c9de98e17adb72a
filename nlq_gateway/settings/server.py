"""The keys of the gateway's own HTTP interface, its log and its spans."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from nlq_gateway.settings.section import Fault, Section, keys_by
from nlq_gateway.settings.values import (
    NEVER,
    ClientName,
    Duration,
    EndpointUrl,
    FeedbackMode,
    HeaderName,
    HostName,
    Network,
    Origin,
    Rate,
    Secret,
    StorePage,
    TraceStoreUrl,
    WebOrigin,
)

AccessType = Literal["none", "bearer", "header"]

_CLIENTS = frozenset({"clients"})
_KEYS = {
    "none": frozenset[str](),
    "bearer": _CLIENTS,
    "header": _CLIENTS | {"header"},
}


class ClientSettings(Section):
    """A client, and its credentials."""

    name: ClientName = Field(description="its name in logs")
    token: Secret = Field(description="its token or key, as ${NAME}")
    datasets: tuple[str, ...] | None = Field(
        default=None, min_length=1, description="ids of the endpoints that it may ask; default: all"
    )
    role: Literal["asker", "curator"] = Field(
        default="asker", description="curator: it may also approve feedback on these datasets"
    )

    @model_validator(mode="after")
    def _can_be_sent(self) -> Self:
        token = self.token.get_secret_value()
        if not token or token != token.strip():
            raise Fault("a token is not empty, and has no space at its ends", "token")
        return self


class AccessSettings(Section):
    """Credentials of clients. `type` decides which other keys are required."""

    model_config = ConfigDict(
        json_schema_extra=keys_by("type", {name: (keys, frozenset()) for name, keys in _KEYS.items()})
    )

    type: AccessType = Field(
        default="none",
        description="none: open to all clients; bearer: a token in Authorization; header: a key in `header`",
    )
    header: HeaderName | None = Field(default=None, description="the header's name, such as X-API-Key")
    clients: tuple[ClientSettings, ...] | None = Field(default=None, description="the clients")

    @model_validator(mode="after")
    def _keys_of_the_type(self) -> Self:
        given = {name for name in ("header", "clients") if getattr(self, name)}
        wanted = _KEYS[self.type]
        names = " and ".join(f"`{name}`" for name in sorted(wanted)) or "no other key"
        if given != wanted:
            raise ValueError(f"type {self.type!r} takes {names}")
        for (_, one), (position, other) in combinations(enumerate(self.clients or ()), 2):
            if one.name == other.name:
                raise Fault(f"several clients have the name {one.name!r}", "clients", position, "name")
            if one.token == other.token:
                raise Fault(
                    f"{one.name} and {other.name} have the same token: who of them asks could not be told",
                    "clients",
                    position,
                    "token",
                )
        return self


class TraceSettings(Section):
    """The number and age of stored traces; feedback is not affected."""

    max_count: int = Field(default=10_000, gt=0, description="number of newest traces kept (approximate)")
    max_bytes: int = Field(
        default=1_000_000_000, gt=0, description="total bytes of traces; clients have equal shares"
    )
    max_age: Duration = Field(default=NEVER, description="maximum age of a trace, such as 30d")


class LoadSettings(Section):
    """The number of concurrent requests of each worker process; more are answered 429 (too many requests)."""

    concurrency: int = Field(default=8, ge=1, le=256, description="maximum concurrent requests")
    queue: int = Field(default=8, ge=0, le=256, description="maximum waiting requests")
    wait_ms: int = Field(default=2_000, gt=0, description="milliseconds that a request may wait")
    receive_ms: int = Field(
        default=10_000, gt=0, description="milliseconds for receiving a request with its body"
    )


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


class LogSettings(Section):
    """The log on standard error."""

    format: Literal["text", "json"] = Field(
        default="text", description="text, or json: one JSON object a line, for collectors"
    )
    level: Literal["debug", "info", "warning", "error"] = Field(
        default="warning", description="minimum level of records; at info, one line per request"
    )
    questions: bool = Field(default=False, description="true: request lines contain the questions")


class TelemetrySettings(Section):
    """Spans of requests, their stages and their queries, sent by OTLP over HTTP."""

    endpoint: EndpointUrl | None = Field(
        default=None,
        description="the collector, such as http://collector:4318; default: the standard variables"
        " such as OTEL_EXPORTER_OTLP_ENDPOINT; without either there are no spans",
    )
    service: str = Field(default="nlq-gateway", min_length=1, description="the service's name in the spans")


class ServerSettings(Section):
    """The gateway's own HTTP interface."""

    auth: AccessSettings = Field(default=AccessSettings(), description="credentials of clients")
    cors: tuple[Origin, ...] = Field(
        default=(), description="origins whose pages may ask, such as https://example.org"
    )
    yasgui: StorePage = Field(
        default="https://yasgui.triply.cc/#query={query}&endpoint={endpoint}",
        description="address of YASGUI for the page's queries, or none; needs its origin in `cors`",
    )
    pictures: tuple[WebOrigin, ...] = Field(
        default=(),
        description="origins from which the page may load pictures, such as "
        "https://images.example.org; these hosts see their viewers' requests",
    )
    hosts: tuple[HostName, ...] = Field(
        default=(),
        description="names accepted in `Host`, besides loopback and the listening address; "
        "default: any with `auth`, else none",
    )
    feedback: FeedbackMode = Field(
        default="review",
        description="off; review: used once it is approved; trusted: that of curators is used at once",
    )
    rate: Rate = Field(
        default="none", description="requests allowed, such as `60/minute and client`, or none"
    )
    trusted_proxies: tuple[Network, ...] = Field(
        default=(), description="addresses or networks of proxies whose X-Forwarded-For is trusted"
    )
    ready: Literal["any", "all"] = Field(
        default="any", description="/readyz needs one available endpoint, or all of them"
    )
    limits: LoadSettings = Field(default=LoadSettings(), description="concurrency of requests")
    trace_store: TraceStoreUrl | None = Field(
        default=None,
        description="store of traces: sqlite:///FILE, or postgresql://USER:${PASSWORD}@HOST/DATABASE; "
        "default: a file in the user's data folder",
    )
    traces: TraceSettings = Field(default=TraceSettings(), description="retention of traces")
    stop: StopSettings = Field(default=StopSettings(), description="stopping of the server")
    log: LogSettings = Field(default=LogSettings(), description="the log")
    telemetry: TelemetrySettings = Field(default=TelemetrySettings(), description="spans for a collector")
    max_question: int = Field(default=2_000, gt=0, description="maximum characters of a question")

    @model_validator(mode="after")
    def _no_wildcard_with_credentials(self) -> Self:
        if self.auth.type != "none" and "*" in self.cors:
            raise Fault("where credentials are asked for, name the origins that may send them", "cors")
        return self
