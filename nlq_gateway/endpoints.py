"""One endpoint: its connector, its schema index, and how programs are compiled for it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from compilers.dialects import DIALECTS
from compilers.kopl.functions import Kind
from compilers.layouts import Options
from connectors.auth import Auth, BasicAuth, BearerAuth, HeaderAuth, NoAuth
from connectors.base import Connector, Limits
from connectors.errors import DataError, EndpointError
from connectors.http import HttpEndpoint
from connectors.plain import require_plain_select
from connectors.results import Result
from nlq_gateway.data_store import content_key, files_of, open_data
from nlq_gateway.demonstrations import Collection, Confirmed, Read, corpus_file, read_demonstrations
from nlq_gateway.errors import ConfigurationError, GatewayError, NotReady
from nlq_gateway.index import BuildLimits, Index, LabelSettings, Layout, MiniLM, detect_layout, ensure
from nlq_gateway.index.text import name_from_iri
from nlq_gateway.index.traits import Traits, find_traits
from nlq_gateway.linking import Linker
from nlq_gateway.ranking import Ranking, Tuned, read_tuned
from nlq_gateway.settings import SAMPLE, AuthSettings, EndpointSettings, cache_folder
from nlq_gateway.types import Draft
from nlq_gateway.wording import Wording

Status = Literal["ready", "loading", "down"]
Progress = Callable[[str, int, int], None]
EXAMPLES = 8
UNKNOWN_PRODUCT = "sparql11"

_log = logging.getLogger(__name__)

# Those in which labels have one predicate of the layout's own.
_OWN_LABELS = ("kqapro", "wikidata")


@lru_cache(maxsize=1)
def embedding_model() -> MiniLM:
    """The embedding model, loaded once per process; raises ModelDamaged."""
    return MiniLM()


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything that is there once an endpoint is ready."""

    connector: Connector
    index: Index
    layout: Layout
    traits: Traits
    options: Options
    demonstrations: Collection
    ranking: Ranking


class Endpoint:
    """An endpoint that is prepared once, perhaps in the background, and then only read."""

    def __init__(self, settings: EndpointSettings) -> None:
        """Keep the settings; nothing is opened before `prepare`."""
        self.settings = settings
        self.id = settings.id
        self._prepared: Prepared | None = None
        self._confirmed: Confirmed | None = None
        self._failure: GatewayError | EndpointError | DataError | None = None
        self._lock = threading.Lock()

    @property
    def status(self) -> Status:
        """`ready`, `down` after a failed preparation, `loading` before one has ended."""
        if self._prepared is not None:
            return "ready"
        return "down" if self._failure is not None else "loading"

    @property
    def detail(self) -> str:
        """Why the endpoint is not ready."""
        if self._prepared is not None:
            return ""
        return self._failure.message if self._failure is not None else "the schema index is being opened"

    @property
    def prepared(self) -> Prepared:
        """What `prepare` opened; raises the failure that it met, or NotReady before it has ended."""
        if self._prepared is not None:
            return self._prepared
        if self._failure is not None:
            raise self._failure
        raise NotReady(f"{self.id} is not ready yet: {self.detail}", hint="ask again in a few seconds")

    @property
    def connector(self) -> Connector:
        """The store."""
        return self.prepared.connector

    @property
    def index(self) -> Index:
        """The schema index."""
        return self.prepared.index

    @property
    def demonstrations(self) -> Collection:
        """The demonstrations."""
        return self.prepared.demonstrations

    @property
    def ranking(self) -> Ranking:
        """What orders drafts."""
        return self.prepared.ranking

    def learn_from(self, confirmed: Confirmed) -> None:
        """Take confirmed pairs of questions and programs for demonstrations, from now on."""
        self._confirmed = confirmed
        if self._prepared is not None:
            self._prepared.demonstrations.listen(confirmed)

    @property
    def layout(self) -> Layout:
        """The layout's name."""
        return self.prepared.layout

    def prepare(self, progress: Progress | None = None) -> None:
        """Connect, and open the index, built first where there is none; does nothing when ready.

        Raises:
            EndpointError: the store is down or refuses to be read.
            DataError: a data file is missing or is not RDF.
            GatewayError: the index or the embedding model cannot be used.
        """
        with self._lock:
            if self._prepared is not None:
                return
            try:
                self._prepared = self._open(progress)
                if self._confirmed is not None:
                    self._prepared.demonstrations.listen(self._confirmed)
                self._failure = None
            except (GatewayError, EndpointError, DataError) as error:
                self._failure = error
                raise

    def _open(self, progress: Progress | None) -> Prepared:
        given = self._given()
        connector, content = self._connect(progress)
        embedder = embedding_model()
        labels = replace(
            LabelSettings(),
            predicates=self.settings.labels.predicates,
            languages=self.settings.labels.languages,
        )
        layout = self.settings.layout if self.settings.layout != "auto" else detect_layout(connector)
        folder = ensure(
            connector,
            layout,
            self.folder / "index",
            labels=labels,
            embedder=embedder,
            progress=progress,
            limits=self._build_limits(),
            endpoint=self.id,
            data=content,
            max_age_s=None if content else self._max_age_s(),
        )
        index = Index.open(folder, embedder)
        traits = find_traits(connector, layout)
        options = self._options(connector, index, layout, traits)
        collection, ranking = self._collection(given, index), Ranking.of(index, self._tuned(), _worded(index))
        return Prepared(connector, index, layout, traits, options, collection, ranking)

    def _tuned(self) -> Tuned | None:
        """What the ranking was adapted to; a file that does not fit is passed over, with a warning."""
        try:
            return read_tuned(self.id)
        except ConfigurationError as error:
            _log.warning("%s; %s", error.message, error.hint)
            return None

    def _given(self) -> tuple[Read, ...]:
        """The examples file and the exploration's corpus."""
        corpus = corpus_file(self.id)
        files = [self.settings.index.examples, str(corpus) if corpus.is_file() else None]
        return tuple(read_demonstrations(file) for file in files if file)

    def _collection(self, given: tuple[Read, ...], index: Index) -> Collection:
        folder = self.folder / "demonstrations"
        found = Collection(self.id, given, index, Linker(index).link, folder)
        for warning in found.warnings:
            _log.warning("%s", warning)
        if found.unknown:
            _log.warning("%s: %d demonstrations name what this graph does not have", self.id, found.unknown)
        return found

    @property
    def folder(self) -> Path:
        """Where what is made for the endpoint is kept."""
        return cache_folder() / "endpoints" / self.id

    def _build_limits(self) -> BuildLimits:
        wanted = self.settings.index
        limits = BuildLimits(include=wanted.include, exclude=wanted.exclude)
        return limits if wanted.sample is None else replace(limits, sample_facts=wanted.sample)

    def _max_age_s(self) -> float | None:
        refresh = self.settings.index.refresh
        return refresh.total_seconds() if refresh is not None else None

    def _connect(self, progress: Progress | None) -> tuple[Connector, str]:
        """The connector, and what stands for the content where the gateway knows it."""
        limits = Limits(
            connect_ms=self.settings.limits.connect_ms,
            query_ms=self.settings.limits.query_ms,
            max_rows=self.settings.limits.max_rows,
        )
        if self.settings.data:
            files = files_of(self.settings.data)
            return open_data(files, self.folder / "data", limits, progress), content_key(files)
        if self.settings.dialect != "auto":
            return self._http(limits, self.settings.dialect), ""
        connector = self._http(limits, UNKNOWN_PRODUCT)
        found = connector.detect_dialect()
        return (connector if found is None else self._http(limits, found)), ""

    def _http(self, limits: Limits, dialect: str) -> HttpEndpoint:
        assert self.settings.url is not None
        return HttpEndpoint(
            self.settings.url,
            limits=limits,
            auth=_auth(self.settings.auth),
            default_graphs=self.settings.default_graphs,
            named_graphs=self.settings.named_graphs,
            dialect=dialect,
        )

    def _options(self, connector: Connector, index: Index, layout: Layout, traits: Traits) -> Options:
        manifest = index.manifest
        dialect = self.settings.dialect if self.settings.dialect != "auto" else connector.dialect
        declared = {**manifest.prefixes, **getattr(connector, "prefixes", {})}
        return Options(
            dialect=DIALECTS[dialect],
            languages=self.settings.labels.languages,
            plain_labels=not manifest.languages,
            label_predicates=() if layout in _OWN_LABELS else self._label_predicates(connector),
            prefixes=tuple((prefix, namespace) for prefix, namespace in declared.items() if prefix),
            hierarchy=traits.hierarchy,
            plain_triples=traits.plain_triples,
            fact_class=traits.fact_class,
            membership=traits.membership,
            best_rank=self.settings.best_rank,
            unit_language=self.settings.labels.languages[0] if self.settings.labels.languages else "en",
            limit=self.settings.limits.max_rows,
        )

    def _label_predicates(self, connector: Connector) -> tuple[str, ...]:
        """Those of the configured label predicates that the graph uses."""
        wanted = self.settings.labels.predicates
        values = " ".join(f"<{iri}>" for iri in wanted)
        text = f"SELECT ?label {{ VALUES ?label {{ {values} }} FILTER EXISTS {{ ?entity ?label ?text }} }}"
        used = {term.value for term in connector.query(text).column("label")}
        return tuple(iri for iri in wanted if iri in used)

    def options_for(self, languages: Sequence[str]) -> Options:
        """The compiler's options with these languages before the configured ones."""
        options = self.prepared.options
        return replace(options, languages=tuple(dict.fromkeys((*languages, *options.languages))))

    def select(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """Send a compiled query, once it has passed the last check on what the compiler wrote."""
        require_plain_select(text)
        return self.connector.query(text, timeout_ms=timeout_ms, max_rows=max_rows)

    def name_of(self, iri: str) -> str:
        """Names an IRI by the schema: relations as answers, entities without a label."""
        for kind in (Kind.RELATION, Kind.ATTRIBUTE, Kind.CONCEPT):
            item = self.index.item(kind, iri)
            if item is not None:
                return item.label
        return name_from_iri(iri)

    def describe(self) -> dict[str, Any]:
        """The endpoint's entry in `GET /datasets`."""
        entry: dict[str, Any] = {
            "id": self.id,
            "aliases": list(self.settings.aliases),
            "status": self.status,
            "layout": self.settings.layout,
            "dialect": self.settings.dialect,
        }
        if self._prepared is None:
            return {**entry, "detail": self.detail}
        manifest = self._prepared.index.manifest
        return {
            **entry,
            "layout": self._prepared.layout,
            "dialect": self._prepared.options.dialect.name,
            "examples": list(example_questions(self.settings)),
            "languages": list(manifest.languages),
            "counts": dict(manifest.counts),
            "demonstrations": len(self._prepared.demonstrations),
            "index_version": manifest.version,
        }

    def close(self) -> None:
        """Give back files and connections."""
        if self._prepared is not None:
            self._prepared.index.close()
            self._prepared.connector.close()


@lru_cache(maxsize=64)
def example_questions(settings: EndpointSettings) -> tuple[str, ...]:
    """A few questions from the endpoint's examples file, or from the built-in graph's own."""
    file = settings.index.examples
    if file is None and SAMPLE in settings.data:
        file = str(resources.files("nlq_gateway.sample") / "questions.jsonl")
    if file is None:
        return ()
    read = read_demonstrations(file)
    questions = [*(one.question for one in read.demonstrations), *(one.question for one in read.queries)]
    return tuple(questions[:: max(1, len(questions) // EXAMPLES)][:EXAMPLES])


def _worded(index: Index) -> Callable[[Draft], str]:
    """Says in English what drafts over an index ask, "" where the grammar has no form."""
    wording = Wording(index)
    return lambda draft: next(iter(wording.questions(draft.program, draft.choices, most=1)), "")


def _auth(settings: AuthSettings) -> Auth:
    def secret(value: Any) -> str:
        return value.get_secret_value() if value is not None else ""

    match settings.type:
        case "basic":
            return BasicAuth(settings.user or "", secret(settings.password))
        case "bearer":
            return BearerAuth(secret(settings.token))
        case "header":
            return HeaderAuth(settings.header or "", secret(settings.value))
        case _:
            return NoAuth()
