"""The keys about the gateway's own HTTP interface."""

from __future__ import annotations

from itertools import combinations
from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from nlq_gateway.settings.faults import Fault
from nlq_gateway.settings.logging import LogSettings
from nlq_gateway.settings.section import Section, keys_by
from nlq_gateway.settings.stopping import StopSettings
from nlq_gateway.settings.telemetry import TelemetrySettings
from nlq_gateway.settings.values import (
    NEVER,
    ClientName,
    Duration,
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
    """One who may ask, and how it is known."""

    name: ClientName = Field(description="its name in logs")
    token: Secret = Field(description="the token or key that it sends, as ${NAME}")
    datasets: tuple[str, ...] | None = Field(
        default=None, min_length=1, description="ids of the endpoints that it may ask; all if not given"
    )
    role: Literal["asker", "curator"] = Field(
        default="asker", description="curator: it approves feedback on these datasets, too"
    )

    @model_validator(mode="after")
    def _can_be_sent(self) -> Self:
        token = self.token.get_secret_value()
        if not token or token != token.strip():
            raise Fault("a token is not empty, and has no space at its ends", "token")
        return self


class AccessSettings(Section):
    """Who may ask. `type` decides which of the other keys must be there."""

    model_config = ConfigDict(
        json_schema_extra=keys_by("type", "none", {name: (keys, frozenset()) for name, keys in _KEYS.items()})
    )

    type: AccessType = Field(
        default="none",
        description="none: everybody; bearer: a token in Authorization; header: a key in `header`",
    )
    header: HeaderName | None = Field(default=None, description="the header's name, such as X-API-Key")
    clients: tuple[ClientSettings, ...] | None = Field(default=None, description="those who may ask")

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
    """How many traces are kept, and for how long; what people said of answers stays."""

    max_count: int = Field(default=10_000, gt=0, description="about so many of the newest traces are kept")
    max_bytes: int = Field(
        default=1_000_000_000, gt=0, description="so large they are together; clients have equal shares"
    )
    max_age: Duration = Field(default=NEVER, description="and none that is older, such as 30d")


class LoadSettings(Section):
    """How many requests each worker process works on; more are told to come again (429)."""

    concurrency: int = Field(default=8, ge=1, le=256, description="requests that are worked on at a time")
    queue: int = Field(default=8, ge=0, le=256, description="requests that wait for their turn")
    wait_ms: int = Field(default=2_000, gt=0, description="for how long one waits, in milliseconds")
    receive_ms: int = Field(
        default=10_000, gt=0, description="milliseconds for a request, its body included, to arrive"
    )


class ServerSettings(Section):
    """The gateway's own HTTP interface."""

    auth: AccessSettings = Field(default=AccessSettings(), description="who may ask")
    cors: tuple[Origin, ...] = Field(
        default=(), description="origins whose pages may ask, such as https://example.org"
    )
    yasgui: StorePage = Field(
        default="https://yasgui.triply.cc/#query={query}&endpoint={endpoint}",
        description="where the page opens queries in YASGUI, or none; shown where `cors` has its origin",
    )
    pictures: tuple[WebOrigin, ...] = Field(
        default=(),
        description="origins that the page may load the pictures of answers from, such as "
        "https://images.example.org; they see who looks at which",
    )
    hosts: tuple[HostName, ...] = Field(
        default=(),
        description="names that requests may have in `Host`, beside loopback and the address listened at; "
        "any, where `auth` asks for credentials and none is listed",
    )
    feedback: FeedbackMode = Field(
        default="review",
        description="off; review: kept, and teaches once it is approved; trusted: that of curators at once",
    )
    rate: Rate = Field(
        default="none", description="requests allowed, such as `60/minute and client`, or none"
    )
    trusted_proxies: tuple[Network, ...] = Field(
        default=(), description="addresses or networks of proxies whose X-Forwarded-For is believed"
    )
    ready: Literal["any", "all"] = Field(
        default="any", description="whether /readyz wants one endpoint that can be asked, or all of them"
    )
    limits: LoadSettings = Field(default=LoadSettings(), description="how much is done at a time")
    trace_store: TraceStoreUrl | None = Field(
        default=None,
        description="where traces are kept: sqlite:///FILE, or postgresql://USER:${PASSWORD}@HOST/DATABASE; "
        "the user's data folder if it is not given",
    )
    traces: TraceSettings = Field(default=TraceSettings(), description="how many traces are kept")
    stop: StopSettings = Field(default=StopSettings(), description="how the server stops")
    log: LogSettings = Field(default=LogSettings(), description="what the server writes into its log")
    telemetry: TelemetrySettings = Field(default=TelemetrySettings(), description="spans for a collector")
    max_question: int = Field(default=2_000, gt=0, description="characters that a question may have")

    @model_validator(mode="after")
    def _no_wildcard_with_credentials(self) -> Self:
        if self.auth.type != "none" and "*" in self.cors:
            raise Fault("where credentials are asked for, name the origins that may send them", "cors")
        return self
