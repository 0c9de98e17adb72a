"""One endpoint: its connector, its schema index, and its compiler options."""

from __future__ import annotations

import copy
import logging
import threading
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import resources
from pathlib import Path
from typing import Any, Literal

from compilers.kopl.functions import SCHEMA_KINDS, Kind
from compilers.layouts import Options
from connectors.base import Connector
from connectors.errors import DataError, EndpointError, EndpointFailed, EndpointTimeout, EndpointUnauthorized
from connectors.plain import require_plain_select
from connectors.results import Result
from nlq_gateway.core.errors import ConfigurationError, GatewayError, NotReady
from nlq_gateway.core.types import Progress
from nlq_gateway.drafts.demonstrations import Collection, Confirmed, made_file, read_demonstrations, read_made
from nlq_gateway.endpoints.connection import connected
from nlq_gateway.endpoints.index_source import IndexSource
from nlq_gateway.endpoints.preparation import Prepared, prepared
from nlq_gateway.index import Index, IndexDamaged, Layout
from nlq_gateway.index.introspect.pages import WRITABLE
from nlq_gateway.index.names.queries import linked_query, stated_query
from nlq_gateway.index.text import name_from_iri
from nlq_gateway.judging import Judge
from nlq_gateway.settings import SAMPLE, EndpointSettings, cache_folder

Status = Literal["ready", "loading", "down"]
EXAMPLES = 8
LINKED_MS = 1_000
CHECK = "ASK {}"
CHECK_MS = 10_000
# Answers of a store that cannot be used, besides outages.
_DOWN = (EndpointUnauthorized, EndpointFailed)

_log = logging.getLogger(__name__)


class Endpoint:
    """An endpoint that is prepared once, perhaps in the background, and then only read."""

    def __init__(self, settings: EndpointSettings) -> None:
        """Keep the settings; nothing is opened before `prepare`."""
        self.settings = settings
        self.id = settings.id
        self._prepared: Prepared | None = None
        self._confirmed: Confirmed | None = None
        self._failure: GatewayError | EndpointError | DataError | None = None
        self._outage: EndpointError | None = None
        self._lock = threading.Lock()

    @property
    def status(self) -> Status:
        """`loading` before a preparation has ended; `down` after a failed one, or while the store is."""
        if self._prepared is not None:
            return "down" if self._outage is not None else "ready"
        return "down" if self._failure is not None else "loading"

    @property
    def detail(self) -> str:
        """The reason for clients why the endpoint is not ready; it names no files of the configuration."""
        if self._prepared is not None:
            return self._outage.message if self._outage is not None else ""
        if isinstance(self._failure, ConfigurationError):
            return "its configuration is wrong: the gateway's log has more"
        return self._failure.message if self._failure is not None else "the schema index is being opened"

    @property
    def is_open(self) -> bool:
        """True if it has been prepared: questions are tried even if the store is down."""
        return self._prepared is not None

    @property
    def prepared(self) -> Prepared:
        """The result of `prepare`; raises its error, or NotReady before it has ended."""
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
    def judge(self) -> Judge:
        """The judge, which ranks the programs of all sources."""
        return self.prepared.judge

    def learn_from(self, confirmed: Confirmed) -> None:
        """Take confirmed pairs of questions and programs for demonstrations, from now on."""
        self._confirmed = confirmed
        if self._prepared is not None:
            self._prepared.demonstrations.listen(confirmed)

    @property
    def layout(self) -> Layout:
        """The layout's name."""
        return self.prepared.layout

    def snapshot(self) -> Endpoint:
        """A snapshot of this endpoint: its connector and index stay the same, and open, while it is used.

        An index that was replaced is closed when nothing refers to it any more.
        """
        return copy.copy(self)

    def prepare(self, progress: Progress | None = None, *, any_age: bool = False) -> None:
        """Connect, and open the index, building it if there is none; does nothing when ready.

        Args:
            progress: called with the stages.
            any_age: True to accept an index that is too old for now.

        Raises:
            EndpointError: the store is down or refuses to be read.
            DataError: a data file is missing or is not RDF.
            GatewayError: the index or the embedding model cannot be used.
        """
        with self._lock:
            if self._prepared is not None:
                return
            try:
                self._prepared = self._opened(self.source(progress), progress, any_age=any_age)
                self._failure = None
            except (GatewayError, EndpointError, DataError) as error:
                self._failure = error
                raise
            except Exception:
                # Clients get this error at once instead of waiting; the caller sees the cause.
                self._failure = GatewayError("the endpoint failed to open", hint="see the gateway's log")
                raise

    def check(self) -> None:
        """Ask the store of a prepared endpoint whether it answers, for `status` and `detail` to tell."""
        if self._prepared is None:
            return
        try:
            self._prepared.connector.query(CHECK, timeout_ms=CHECK_MS)
        except EndpointError as error:
            # A busy store, or one that is slow with our own queries, is no outage.
            self._outage = error if error.outage or isinstance(error, _DOWN) else None
        else:
            self._outage = None

    def refresh(self) -> bool:
        """Take the version of the index that is in use now, built first where it is too old.

        Questions that are being answered keep the one that they began with.

        Returns:
            Whether it is another version than before.

        Raises:
            EndpointError: the store is down or refuses to be read.
            GatewayError: the index cannot be used.
        """
        with self._lock:
            ready = self._prepared
            if ready is None:
                return False
            if self._is_damaged(ready):
                self._prepared = self._opened(ready.source, None, any_age=True)
                return True
            folder = ready.source.folder()
            if folder == ready.index.folder:
                return False
            self._prepared = self._opened(ready.source, None, any_age=False)
            return True

    def _opened(self, source: IndexSource, progress: Progress | None, *, any_age: bool) -> Prepared:
        """Prepare the version in use; damaged versions are set aside, until one is good."""
        while True:
            folder = source.folder(progress, any_age=any_age)
            try:
                return prepared(source, folder, self._confirmed, progress)
            except IndexDamaged as error:
                _set_aside(source, folder, error)
            any_age = True

    def _is_damaged(self, ready: Prepared) -> bool:
        """True if the version in use is damaged; it is set aside then."""
        try:
            ready.index.require_whole()
        except IndexDamaged as error:
            _set_aside(ready.source, ready.index.folder, error)
            return True
        return False

    def source(self, progress: Progress | None = None) -> IndexSource:
        """The index's versions and their inputs; asks the store for its product.

        Raises:
            EndpointError: the store is down or refuses to be read.
            DataError: a data file is missing or is not RDF.
        """
        connector, content = connected(self.settings, self.folder, progress)
        return IndexSource.of(self.settings, self.folder, connector, content)

    @property
    def folder(self) -> Path:
        """The endpoint's folder in the cache."""
        return cache_folder() / "endpoints" / self.id

    def options_for(self, languages: Sequence[str]) -> Options:
        """The compiler's options with these languages before the configured ones."""
        options = self.prepared.options
        return replace(options, languages=tuple(dict.fromkeys((*languages, *options.languages))))

    def select(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        """Send a compiled query, once it has passed the last check on what the compiler wrote."""
        require_plain_select(text)
        return self.connector.query(text, timeout_ms=timeout_ms, max_rows=max_rows)

    def linked(self, things: Sequence[str], others: Sequence[str]) -> frozenset[str]:
        """Return those of the things that have a fact with one of the others.

        This only affects the order of readings: if the store times out, the result is empty.
        """
        if not all(map(WRITABLE.fullmatch, (*things, *others))):
            return frozenset()
        try:
            rows = self.select(linked_query(things, others), timeout_ms=LINKED_MS).column("x")
        except EndpointTimeout as error:
            _log.warning("%s: the facts between named things were not looked up: %s", self.id, error.message)
            return frozenset()
        return frozenset(term.value for term in rows)

    def has(self, iri: str) -> bool:
        """False if the graph has nothing with this IRI; the store is asked only where the index lacks it.

        This only affects warnings: if the store does not tell, the result is True.
        """
        if self.index.entity(iri) or any(self.index.item(kind, iri) for kind in SCHEMA_KINDS):
            return True
        try:
            return bool(self.select(stated_query(iri), timeout_ms=LINKED_MS).rows)
        except EndpointError as error:
            _log.warning(
                "%s: whether <%s> is in the graph was not looked up: %s", self.id, iri, error.message
            )
            return True

    def name_of(self, iri: str) -> str:
        """Names an IRI by the schema: relations as answers, entities without a label."""
        for kind in (Kind.RELATION, Kind.ATTRIBUTE, Kind.CONCEPT):
            item = self.index.item(kind, iri)
            if item is not None:
                return item.label
        return name_from_iri(iri)

    @property
    def examples(self) -> tuple[str, ...]:
        """A few questions that can be asked: given ones, else those that were made for this index."""
        given = example_questions(self.settings)
        return given or read_made(made_file(self.folder, self.index.manifest.version))

    def describe(self) -> dict[str, Any]:
        """The endpoint's entry in `GET /datasets`."""
        entry: dict[str, Any] = {
            "id": self.id,
            "aliases": list(self.settings.aliases),
            "status": self.status,
            "layout": self.settings.layout,
            "dialect": self.settings.dialect,
        }
        if self.detail:
            entry["detail"] = self.detail
        if self._prepared is None:
            return entry
        manifest = self._prepared.index.manifest
        return {
            **entry,
            "layout": self._prepared.layout,
            "dialect": self._prepared.options.dialect.name,
            "examples": list(self.examples),
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


def _set_aside(source: IndexSource, folder: Path, damage: IndexDamaged) -> None:
    """Have a damaged version be taken no more; raises the damage where that is not possible."""
    _log.error("%s: %s: %s It is set aside.", source.settings.id, folder, damage.message)
    try:
        source.versions.set_aside(folder, source.recipe)
    except OSError:
        raise damage from None


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
