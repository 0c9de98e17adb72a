"""The keys of the configuration. Unknown keys are refused; every key has a description."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from pathlib import Path
from typing import Literal, Self

from pydantic import Field, ValidationError, ValidationInfo, field_validator, model_validator

from nlq_gateway.errors import ConfigurationError
from nlq_gateway.settings.explain import refusal
from nlq_gateway.settings.language_model import ModelSettings, PipelineSettings
from nlq_gateway.settings.section import Section
from nlq_gateway.settings.values import (
    SAMPLE,
    DataFile,
    DatasetId,
    Duration,
    EndpointUrl,
    IriList,
    SampleSize,
    Secret,
    TraceStoreUrl,
    data_id,
)

Dialect = Literal["auto", "virtuoso", "fuseki", "oxigraph", "sparql11"]
Layout = Literal[
    "auto", "direct", "kqapro", "wikidata", "reification", "rdf12", "rdf_star", "singleton", "graph_per_fact"
]
AuthType = Literal["none", "basic", "digest", "bearer", "header"]

_AUTH_KEYS: dict[str, frozenset[str]] = {
    "none": frozenset(),
    "basic": frozenset({"user", "password"}),
    "digest": frozenset({"user", "password"}),
    "bearer": frozenset({"token"}),
    "header": frozenset({"header", "value"}),
}
# Layouts by the dialects of stores that take their queries for syntax errors.
_UNREADABLE = {"rdf12": ("virtuoso",), "rdf_star": ("virtuoso",)}
_ENDPOINT_AUTH = ("none", "basic", "bearer", "header")


class AuthSettings(Section):
    """How to log in. `type` decides which of the other keys must be there."""

    type: AuthType = Field(default="none", description="none, basic, digest, bearer or header")
    user: str | None = Field(default=None, description="the user's name, for basic and digest")
    password: Secret | None = Field(
        default=None, description="the password, for basic and digest, as ${NAME}"
    )
    token: Secret | None = Field(default=None, description="the token, for bearer, as ${NAME}")
    header: str | None = Field(default=None, description="the header's name, for header")
    value: Secret | None = Field(default=None, description="the header's value, for header, as ${NAME}")

    @model_validator(mode="after")
    def _keys_of_the_type(self) -> Self:
        given = {name for name in self.model_fields_set - {"type"} if getattr(self, name) is not None}
        wanted = _AUTH_KEYS[self.type]
        if given != wanted:
            names = ", ".join(f"`{name}`" for name in sorted(wanted)) or "no other key"
            raise ValueError(f"type {self.type!r} takes {names}")
        return self


class LabelSettings(Section):
    """Which predicates name things."""

    predicates: IriList = Field(
        default=("rdfs:label", "skos:prefLabel", "schema:name", "foaf:name"),
        validate_default=True,
        description="the predicates of names, best first, as IRIs or with a well-known prefix",
    )
    languages: tuple[str, ...] = Field(default=("en",), description="language tags, best first")


class LimitSettings(Section):
    """Bounds on what the gateway asks of a store."""

    connect_ms: int = Field(default=3_000, gt=0, description="milliseconds to wait for a connection")
    query_ms: int = Field(default=30_000, gt=0, description="milliseconds to wait for a query's answer")
    max_rows: int = Field(
        default=10_000, gt=0, description="rows kept of one answer; more are cut, and it says so"
    )
    concurrency: int = Field(default=8, gt=0, description="queries that run at the same time")
    per_second: float = Field(default=20, gt=0, description="queries that are begun in a second")

    @model_validator(mode="after")
    def _supported(self) -> Self:
        self._require_defaults("concurrency", "per_second")
        return self


class IndexSettings(Section):
    """How the schema index of an endpoint is built and kept."""

    refresh: Duration = Field(
        default=timedelta(hours=24), description="how old an index may become: 30m, 24h, 7d or never"
    )
    sample: SampleSize = Field(
        default=None, description="facts looked at for each predicate of a large store, or auto", gt=0
    )
    examples: DataFile | None = Field(
        default=None,
        description="JSON Lines of questions with their program or SPARQL: its demonstrations",
    )
    include: IriList = Field(default=(), description="only classes and predicates that begin so")
    exclude: IriList = Field(default=(), description="no classes and predicates that begin so")


class EndpointSettings(Section):
    """One graph that questions can be asked of: a store's address, or data files."""

    id: DatasetId = Field(description="its name: /nlq?dataset=ID, /ID/sparql")
    aliases: tuple[str, ...] = Field(
        default=(), description="other names for it, such as an IRI that clients send"
    )
    url: EndpointUrl | None = Field(default=None, description="the address of its SPARQL endpoint")
    data: tuple[DataFile, ...] = Field(
        default=(), description=f"RDF files, which need no store, or {SAMPLE}, the built-in graph"
    )
    dialect: Dialect = Field(default="auto", description="what the store understands; auto asks it")
    layout: Layout = Field(default="auto", description="how the graph states facts; auto looks")
    best_rank: bool = Field(
        default=False, description="only statements of the best rank, in the layout wikidata"
    )
    auth: AuthSettings = Field(default=AuthSettings(), description="how to log in at the store")
    default_graphs: tuple[str, ...] = Field(default=(), description="default-graph-uri of every query")
    named_graphs: tuple[str, ...] = Field(default=(), description="named-graph-uri of every query")
    labels: LabelSettings = Field(default=LabelSettings(), description="which predicates name things")
    limits: LimitSettings = Field(default=LimitSettings(), description="bounds on what is asked of the store")
    index: IndexSettings = Field(default=IndexSettings(), description="how its schema index is built")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.url is None) == (not self.data):
            raise ValueError("give either `url` (a store) or `data` (files)")
        return self

    @model_validator(mode="after")
    def _supported(self) -> Self:
        if self.dialect in _UNREADABLE.get(self.layout, ()):
            raise ValueError(
                f"stores of dialect {self.dialect!r} cannot hold the layout {self.layout!r}: "
                "they have no triple terms"
            )
        if self.auth.type not in _ENDPOINT_AUTH:
            raise ValueError(
                f"this version has no auth {self.auth.type!r}; it has {', '.join(_ENDPOINT_AUTH)}"
            )
        return self


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
    max_question: int = Field(default=2_000, gt=0, description="characters that a question may have")

    @model_validator(mode="after")
    def _supported(self) -> Self:
        """Refuse what would leave a server open whose operator believes it closed."""
        if self.auth.type != "none":
            raise ValueError("this version checks no logins; put a proxy that does in front of it")
        if self.rate != "none":
            raise ValueError("this version limits no rates; put a proxy that does in front of it")
        if self.cors:
            raise ValueError("this version answers no other origins; put a proxy that does in front of it")
        return self


class Settings(Section):
    """The whole configuration; the first endpoint answers when a request names no dataset."""

    endpoints: tuple[EndpointSettings, ...] = Field(min_length=1, description="the graphs, the default first")
    model: ModelSettings = Field(default=ModelSettings(), description="the language model")
    pipeline: PipelineSettings = Field(
        default=PipelineSettings(), description="how questions become programs"
    )
    server: ServerSettings = Field(default=ServerSettings(), description="the gateway's own HTTP interface")

    @field_validator("pipeline")
    @classmethod
    def _strategy_has_its_model(cls, pipeline: PipelineSettings, info: ValidationInfo) -> PipelineSettings:
        model = info.data.get("model", ModelSettings())
        if model.backend == "none" and pipeline.strategy not in ("auto", "bottom-up"):
            raise ValueError(f"the strategy {pipeline.strategy!r} needs a `model`")
        return pipeline

    @field_validator("endpoints")
    @classmethod
    def _distinct_names(cls, endpoints: tuple[EndpointSettings, ...]) -> tuple[EndpointSettings, ...]:
        names = Counter(name for endpoint in endpoints for name in {endpoint.id, *endpoint.aliases})
        shared = [name for name, times in names.items() if times > 1]
        if shared:
            raise ValueError(f"several endpoints have the id or alias {shared[0]!r}")
        return endpoints

    def only(self, endpoint_id: str) -> Settings:
        """The same settings with one endpoint alone; KeyError for an id or alias that none has."""
        chosen = [e for e in self.endpoints if endpoint_id in (e.id, *e.aliases)]
        if not chosen:
            raise KeyError(endpoint_id)
        return self.model_copy(update={"endpoints": tuple(chosen)})

    def with_source(
        self,
        *,
        layout: str | None = None,
        dialect: str | None = None,
        examples: str | None = None,
        model: str | None = None,
    ) -> Settings:
        """The same settings with these values for every endpoint; None leaves them.

        `model` is the address of an OpenAI-compatible server, or the name or folder of a model to load.

        Raises:
            ConfigurationError: for a value that a file could not have either.
        """
        changes = {name: value for name, value in (("layout", layout), ("dialect", dialect)) if value}
        index = {"examples": examples} if examples else {}
        try:
            changed = tuple(
                EndpointSettings.model_validate(
                    {**dict(endpoint), **changes, "index": {**dict(endpoint.index), **index}}
                )
                for endpoint in self.endpoints
            )
        except ValidationError as error:
            raise refusal(error, EndpointSettings) from None
        try:
            language_model = self.model if model is None else _model_at(model)
        except ValidationError as error:
            raise refusal(error, ModelSettings) from None
        return self.model_copy(update={"endpoints": changed, "model": language_model})

    @classmethod
    def for_data(
        cls,
        files: Sequence[str | Path],
        layout: str = "auto",
        dialect: str = "auto",
        examples: str | Path | None = None,
    ) -> Settings:
        """The settings of a gateway over data files alone, with one endpoint named after the first.

        Raises:
            ConfigurationError: for a file that is not there, or an unknown layout or dialect.
        """
        if not files:
            raise ConfigurationError("no data files are given", hint="give RDF files or builtin:sample")
        endpoint = {
            "id": data_id(str(files[0])),
            "data": [str(file) for file in files],
            "layout": layout,
            "dialect": dialect,
            "index": {"examples": str(examples)} if examples else {},
        }
        try:
            return cls(endpoints=(EndpointSettings.model_validate(endpoint),))
        except ValidationError as error:
            raise refusal(error, EndpointSettings) from None


def _model_at(place: str) -> ModelSettings:
    if place.startswith(("http://", "https://")):
        return ModelSettings.model_validate({"backend": "openai", "url": place})
    return ModelSettings(backend="transformers", name=place)
