"""The version in use of an endpoint's index, by its settings and its store."""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from connectors.base import Connector
from nlq_gateway.core.types import Progress
from nlq_gateway.index import (
    BuildLimits,
    BuildOptions,
    Embedder,
    Index,
    LabelPreferences,
    Layout,
    LayoutFinding,
    Plan,
    Recipe,
    Versions,
    detect_layout,
    embedder_at,
    ensure,
    make_plan,
)
from nlq_gateway.index.names import NamePredicates, StoreNames, TextIndex
from nlq_gateway.index.traits import Traits
from nlq_gateway.language.tables import listed
from nlq_gateway.settings import EndpointSettings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexSource:
    """The folder of an endpoint's index versions, and their inputs.

    `cache` is the endpoint's folder in the cache, `content` is a key of its data if the gateway knows it,
    "" for a store's. `finding` is the evidence for the layout, None if it is configured.
    """

    settings: EndpointSettings
    cache: Path
    connector: Connector
    content: str
    embedder: Embedder
    layout: Layout
    finding: LayoutFinding | None

    @classmethod
    def of(cls, settings: EndpointSettings, cache: Path, connector: Connector, content: str) -> IndexSource:
        """The source over a store, which is asked for its layout; warnings about that are logged.

        Raises:
            EndpointError: the store is down or refuses to be read.
            GatewayError: the embedding model cannot be opened.
        """
        embedder = embedder_at(settings.index.embedding)
        finding = None if settings.layout != "auto" else detect_layout(connector, _graphs(settings))
        layout = settings.layout if settings.layout != "auto" else finding.layout if finding else "direct"
        for warning in finding.warnings if finding is not None else ():
            _log.warning("%s: %s", settings.id, warning)
        return cls(settings, cache, connector, content, embedder, layout, finding)

    @property
    def versions(self) -> Versions:
        """The versions, in the configured folder or the cache."""
        wanted = self.settings.index.folder
        return Versions(Path(wanted) / self.settings.id if wanted else self.cache / "index")

    @property
    def recipe(self) -> Recipe:
        """The recipe that a version must match."""
        return Recipe.of(self.connector, self.layout, self.options)

    @property
    def options(self) -> BuildOptions:
        """The settings of a build."""
        return BuildOptions(
            self.labels, self.limits, self.embedder, endpoint=self.settings.id, data=self.content
        )

    @property
    def labels(self) -> LabelPreferences:
        """The predicates of names; where the settings name none, attributes called a name may be others."""
        wanted = self.settings.labels
        words = () if "predicates" in wanted.model_fields_set else listed("naming_words")
        return LabelPreferences(wanted.predicates, languages=wanted.languages, naming_words=words)

    @property
    def limits(self) -> BuildLimits:
        """The bounds on a build."""
        wanted = self.settings.index
        limits = BuildLimits(
            seconds=wanted.budget.total_seconds(),
            entities=wanted.entities,
            include=wanted.include,
            exclude=wanted.exclude,
            graphs=_graphs(self.settings),
            names_in_store=wanted.names == "store",
        )
        if wanted.sample is None:
            return limits
        return replace(limits, sample_facts=wanted.sample, sample_total=sys.maxsize)

    def plan(self) -> Plan:
        """Plan the build without running it. Raises EndpointError."""
        return make_plan(self.connector, self.layout, self.limits, self.labels)

    def folder(self, progress: Progress | None = None, *, any_age: bool = False, fresh: bool = False) -> Path:
        """Return the folder of the version in use, building it if none matches.

        Args:
            progress: called with the stages of a build.
            any_age: True to accept an old version, too.
            fresh: True to ignore existing versions.

        Raises:
            IndexProblem: there is none, and this gateway builds none; or another build takes too long.
            EndpointError: the store is down or refuses to be read.
        """
        wanted = self.settings.index
        oldest = None if any_age or self.content else wanted.refresh.total_seconds() or None
        return ensure(
            self.connector,
            self.layout,
            self.versions.root,
            self.options,
            progress=progress,
            max_age_s=0.0 if fresh else oldest,
            keep=wanted.keep,
            may_build=wanted.build,
        )

    def open(self, folder: Path, traits: Traits) -> Index:
        """The version in a folder, with entities looked up in the store where the settings say so.

        Raises:
            IndexProblem: the version cannot be used.
            EndpointError: the store does not answer what is asked of its full text.
        """
        index = Index.open(folder, self.embedder)
        if self.settings.index.names == "own":
            return index
        labels = replace(self.labels, predicates=index.manifest.label_predicates or self.labels.predicates)
        naming = NamePredicates.of(self.layout, labels, traits.membership)
        schema = (item.iri for item in index.schema)
        names = StoreNames.of(self.connector, naming, index.manifest.languages, index.names, schema)
        if names.text_index.advice or names.full_text is None:
            _log.warning("%s: names: store: %s", self.settings.id, _told(names.text_index))
        return index.looked_up_by(names)


def _graphs(settings: EndpointSettings) -> tuple[str, ...] | None:
    """The named graphs that queries see; None where no graphs are configured, so that they see all."""
    return settings.named_graphs if settings.default_graphs or settings.named_graphs else None


def _told(found: TextIndex) -> str:
    """Describe the store's full text for the log, with advice."""
    lacks = "" if found.full_text else "no full text, so only names as they are written are found: "
    return f"{lacks}{found.evidence}" + (f"; {found.advice}" if found.advice else "")
