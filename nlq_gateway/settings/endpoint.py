"""The keys about one endpoint. Unknown keys are refused; every key has a description."""

from __future__ import annotations

from datetime import timedelta
from typing import Literal, Self

from pydantic import ConfigDict, Field, model_validator

from nlq_gateway.settings.auth import AuthSettings
from nlq_gateway.settings.iris import FunctionList, GraphIri, IriList, Language
from nlq_gateway.settings.section import Fault, Section
from nlq_gateway.settings.values import (
    NEVER,
    SAMPLE,
    DataFile,
    DatasetId,
    Duration,
    EndpointUrl,
    Folder,
    Host,
    ModelPlace,
    SampleSize,
    Secret,
    StorePage,
)

Dialect = Literal["auto", "virtuoso", "fuseki", "oxigraph", "sparql11"]
Layout = Literal[
    "auto", "direct", "kqapro", "wikidata", "reification", "rdf12", "rdf_star", "singleton", "graph_per_fact"
]

# Layouts by the dialects of stores that take their queries for syntax errors.
_UNREADABLE = {"rdf12": ("virtuoso",), "rdf_star": ("virtuoso",)}


class TlsSettings(Section):
    """Certificates for TLS connections to a store, beyond the system's."""

    model_config = ConfigDict(
        json_schema_extra={
            "if": {"anyOf": [{"required": ["key"]}, {"required": ["password"]}]},
            "then": {"required": ["certificate"]},
        }
    )

    ca: DataFile | None = Field(default=None, description="certificate of the signing authority (CA), PEM")
    certificate: DataFile | None = Field(
        default=None, description="the gateway's own certificate, PEM, if the store requires one"
    )
    key: DataFile | None = Field(default=None, description="the key of that certificate, PEM")
    password: Secret | None = Field(default=None, description="the key's password, as ${NAME}")

    @model_validator(mode="after")
    def _key_of_the_certificate(self) -> Self:
        if (self.key or self.password) and not self.certificate:
            raise Fault("a key belongs to a `certificate`: name that too", "key" if self.key else "password")
        return self


class LabelSettings(Section):
    """The predicates of names."""

    predicates: IriList = Field(
        default=("rdfs:label", "skos:prefLabel", "schema:name", "foaf:name", "dcterms:title"),
        validate_default=True,
        description="the predicates of names, best first, as IRIs or with a well-known prefix",
    )
    languages: tuple[Language, ...] = Field(default=("en",), description="language tags, best first")


class LimitSettings(Section):
    """Bounds on what the gateway asks of a store."""

    connect_ms: int = Field(default=3_000, gt=0, description="milliseconds to wait for a connection")
    query_ms: int = Field(default=30_000, gt=0, description="milliseconds to wait for a query's answer")
    max_rows: int = Field(
        default=10_000, gt=0, description="maximum rows of one answer; further rows are cut, with a notice"
    )
    max_bytes: int = Field(default=64_000_000, gt=0, description="maximum bytes of one answer")
    concurrency: int = Field(default=8, gt=0, description="maximum concurrent queries")
    per_second: float = Field(
        default=100, gt=0, description="maximum queries started per second; for data files only if given"
    )
    retries: int = Field(
        default=2, ge=0, le=10, description="maximum repetitions of a query if repeating is safe"
    )


class IndexSettings(Section):
    """Building and keeping the schema index of an endpoint."""

    refresh: Duration = Field(
        default=timedelta(hours=24), description="maximum age of an index: 30m, 24h, 7d or never"
    )
    sample: SampleSize = Field(
        default=None, description="facts sampled for each predicate of a large store, or auto", gt=0
    )
    examples: DataFile | None = Field(
        default=None,
        description="JSON Lines of questions with their program or SPARQL: its demonstrations",
    )
    include: IriList = Field(default=(), description="only classes and predicates with these prefixes")
    exclude: IriList = Field(default=(), description="no classes and predicates with these prefixes")
    budget: Duration = Field(default=timedelta(minutes=15), description="maximum time of a build")
    entities: int = Field(
        default=1_000_000, gt=0, description="entities whose names are kept, best linked first"
    )
    names: Literal["own", "store"] = Field(
        default="own", description="the index for entity look-ups: own, in the gateway; store, its full text"
    )
    embedding: ModelPlace | None = Field(
        default=None, description="sentence-transformers model: folder or hub name; default: the shipped one"
    )
    folder: Folder | None = Field(
        default=None, description="folder of the versions, may be shared by machines; default: the cache"
    )
    build: bool = Field(
        default=True, description="true: this gateway builds versions; false: it only opens them"
    )
    keep: int = Field(
        default=2,
        ge=2,
        le=100,
        description="number of versions to keep, the newest first",
    )

    @model_validator(mode="after")
    def _supported(self) -> Self:
        if self.budget == NEVER:
            raise Fault("write a time, such as 15m", "budget")
        return self


class EndpointSettings(Section):
    """One graph for questions: a store's address, or data files."""

    model_config = ConfigDict(
        json_schema_extra={
            "oneOf": [
                {"required": ["url"], "properties": {"url": {"type": "string"}}},
                {"required": ["data"], "properties": {"data": {"minItems": 1}}},
            ]
        }
    )

    id: DatasetId = Field(description="its name: /nlq?dataset=ID, /ID/sparql")
    aliases: tuple[str, ...] = Field(default=(), description="aliases, such as an IRI that clients send")
    url: EndpointUrl | None = Field(default=None, description="the address of its SPARQL endpoint")
    data: tuple[DataFile, ...] = Field(
        default=(), description=f"RDF files, which need no store, or {SAMPLE}, the built-in graph"
    )
    dialect: Dialect = Field(default="auto", description="the store's SPARQL dialect; auto detects it")
    layout: Layout = Field(default="auto", description="how the graph states facts; auto detects it")
    best_rank: bool = Field(
        default=False, description="only statements of the best rank, in the layout wikidata"
    )
    auth: AuthSettings = Field(default=AuthSettings(), description="login at the store")
    tls: TlsSettings = Field(default=TlsSettings(), description="secure connections to the store")
    services: tuple[Host, ...] = Field(
        default=(), description="hosts (any port), or host:port, that clients' queries may name in SERVICE"
    )
    functions: FunctionList = Field(
        default=(),
        description="IRIs of extension functions that clients' queries may use; one that ends in / "
        "or # allows its namespace, unless that is a vendor's",
    )
    default_graphs: tuple[GraphIri, ...] = Field(
        default=(), description="default-graph-uri of every query; only these and named_graphs are visible"
    )
    named_graphs: tuple[GraphIri, ...] = Field(default=(), description="named-graph-uri of every query")
    ui: StorePage | None = Field(
        default=None,
        description="address of the store's own query page, with `{query}` for the query, or none; default: "
        "the product's page",
    )
    labels: LabelSettings = Field(default=LabelSettings(), description="predicates of names")
    limits: LimitSettings = Field(default=LimitSettings(), description="limits on queries of the store")
    index: IndexSettings = Field(default=IndexSettings(), description="building of the schema index")

    @model_validator(mode="after")
    def _one_source(self) -> Self:
        if (self.url is None) == (not self.data):
            raise ValueError("give either `url` (a store) or `data` (files)")
        for name in ("services", "default_graphs", "named_graphs"):
            if self.data and getattr(self, name):
                raise Fault("this belongs to a store with a `url`: files are read whole, and alone", name)
        if self.data and self.ui not in (None, "none"):
            raise Fault("this is the page of a store with a `url`: data files have none", "ui")
        if self.data and self.index.names == "store":
            raise Fault("`store` needs a store with a `url`: leave it out for data files", "index", "names")
        return self

    @model_validator(mode="after")
    def _supported(self) -> Self:
        if self.dialect in _UNREADABLE.get(self.layout, ()):
            raise Fault(
                f"stores of dialect {self.dialect!r} cannot hold the layout {self.layout!r}: "
                "they have no triple terms",
                "layout",
            )
        if self.layout == "graph_per_fact" and self.default_graphs and not self.named_graphs:
            raise Fault(
                "the facts of the layout 'graph_per_fact' are in named graphs, and `default_graphs` alone "
                "shows none: list these under `named_graphs`, or leave both out and give the gateway a login "
                "that can read no other graph",
                "layout",
            )
        if self.tls != TlsSettings() and not str(self.url).lower().startswith("https://"):
            raise Fault("`tls` is for a `url` that begins with https://", "tls")
        return self

    def shared_by(self, workers: int) -> EndpointSettings:
        """The same endpoint with the share of its limits that one of `workers` processes has."""
        limits = self.limits
        share = {
            "concurrency": max(1, limits.concurrency // workers),
            "per_second": limits.per_second / workers,
        }
        # Not `model_copy`, which would mark a changed key as given by the file.
        shared = LimitSettings.model_construct(limits.model_fields_set, **{**dict(limits), **share})
        return self.model_copy(update={"limits": shared})
