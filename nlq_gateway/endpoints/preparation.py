"""Everything that is opened for an endpoint before it can be asked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from compilers.dialects import DIALECTS
from compilers.kopl.functions import Kind, ValueType
from compilers.layouts import Options
from compilers.layouts.vocabulary import RDFS
from connectors.base import Connector
from nlq_gateway.core.errors import ConfigurationError
from nlq_gateway.core.types import Draft, Progress
from nlq_gateway.drafts.demonstrations import Collection, Confirmed, Read, corpus_file, read_demonstrations
from nlq_gateway.endpoints.index_source import IndexSource
from nlq_gateway.index import Index, Layout, Manifest, told_naming
from nlq_gateway.index.naming import NamingAttributes
from nlq_gateway.index.traits import Traits, find_traits
from nlq_gateway.judging import Judge, Tuned, read_tuned
from nlq_gateway.language.detection import ENGLISH
from nlq_gateway.language.wording import Wording
from nlq_gateway.language.wording.asked import language_asked, question_in
from nlq_gateway.question.linking import Linker
from nlq_gateway.settings import EndpointSettings

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything that is there once an endpoint is ready."""

    source: IndexSource
    index: Index
    traits: Traits
    options: Options
    demonstrations: Collection
    judge: Judge

    @property
    def connector(self) -> Connector:
        """The store."""
        return self.source.connector

    @property
    def layout(self) -> Layout:
        """The layout of the graph."""
        return self.source.layout


def prepared(
    source: IndexSource, folder: Path, confirmed: Confirmed | None, progress: Progress | None = None
) -> Prepared:
    """Combine a version of the index with the store.

    Args:
        source: the store, and the index's inputs.
        folder: the version's.
        confirmed: confirmed pairs of questions and programs, used as demonstrations as they arrive.
        progress: called with the number of demonstrations looked up.

    Raises:
        EndpointError: the store is down.
        GatewayError: the index cannot be used.
    """
    settings = source.settings
    given = _given(settings)
    traits = find_traits(source.connector, source.layout)
    index = source.open(folder, traits)
    if index.manifest.naming:
        _log.warning("%s: %s", settings.id, told_naming(index.manifest.naming))
    collection = _collection(settings.id, given, index, source.cache / "demonstrations", progress)
    if confirmed is not None:
        collection.listen(confirmed)
    judge = Judge.of(index, _tuned(settings.id), _worded(index))
    return Prepared(source, index, traits, _options(source, index, traits), collection, judge)


def _options(source: IndexSource, index: Index, traits: Traits) -> Options:
    settings, connector, manifest = source.settings, source.connector, index.manifest
    dialect = settings.dialect if settings.dialect != "auto" else connector.dialect
    declared = {**manifest.prefixes, **getattr(connector, "prefixes", {})}
    languages, stated = settings.labels.languages, "predicates" in settings.labels.model_fields_set
    shown = {} if stated else _shown(index)
    return Options(
        dialect=DIALECTS[dialect],
        languages=languages,
        plain_labels=not manifest.languages,
        label_predicates=(*_usual(manifest, shown), *sorted(set(manifest.naming.values()))),
        naming=_naming(index, shown),
        prefixes=tuple((prefix, namespace) for prefix, namespace in declared.items() if prefix),
        hierarchy=traits.hierarchy,
        plain_triples=traits.plain_triples,
        fact_class=traits.fact_class,
        number_texts=_typed_texts(index, ValueType.QUANTITY),
        date_texts=_typed_texts(index, ValueType.DATE),
        moments=frozenset(item.iri for item in index.schema if item.states_moments),
        membership=traits.membership,
        best_rank=settings.best_rank,
        unit_language=languages[0] if languages else "en",
        limit=settings.limits.max_rows,
    )


def _typed_texts(index: Index, value_type: ValueType) -> frozenset[str]:
    return frozenset(i.iri for i in index.schema if i.typed_texts and i.value_types[0] == value_type)


def _shown(index: Index) -> Mapping[str, str]:
    """The attribute by which the members of each class without labels are shown: its name, or its key."""
    names = NamingAttributes(index)
    found = dict(index.manifest.naming)
    for item in index.schema:
        own = names.attributes(item.iri) if item.kind == Kind.CONCEPT and item.iri not in found else ()
        if len(own) == 1 and dict(own[0].domains).get(item.iri, 0) >= item.count:
            found[item.iri] = own[0].iri
    return found


def _usual(manifest: Manifest, shown: Mapping[str, str]) -> tuple[str, ...]:
    """The label predicates of things that have no attribute of their class for a name."""
    usual = tuple(iri for iri in manifest.label_predicates if iri not in manifest.naming.values())
    return usual or ((RDFS + "label",) if shown else ())


def _naming(index: Index, shown: Mapping[str, str]) -> Mapping[str, str]:
    """The label predicate of the members of a class, and of the subjects and `^` objects of a predicate.

    Of predicates only those are there of which all subjects or objects are of one class. Classes whose
    members may have one of several label predicates are left out.
    """
    if not shown:
        return {}
    usual = _usual(index.manifest, shown)
    concepts = [item.iri for item in index.schema if item.kind == Kind.CONCEPT]
    of_class = {**(dict.fromkeys(concepts, usual[0]) if len(usual) == 1 else {}), **shown}
    found = dict(of_class)
    for item in index.schema:
        for mark, ends in (("", item.domains), ("^", item.ranges)):
            if item.kind != Kind.CONCEPT and len(ends) == 1 and ends[0][0] in of_class:
                found[f"{mark}{item.iri}"] = of_class[ends[0][0]]
    return found


def _given(settings: EndpointSettings) -> tuple[Read, ...]:
    """The examples file and the exploration's corpus."""
    corpus = corpus_file(settings.id)
    files = [settings.index.examples, str(corpus) if corpus.is_file() else None]
    return tuple(read_demonstrations(file) for file in files if file)


def _collection(
    endpoint: str, given: tuple[Read, ...], index: Index, folder: Path, progress: Progress | None
) -> Collection:
    found = Collection(endpoint, given, index, Linker(index).link, folder, progress)
    for warning in found.warnings:
        _log.warning("%s", warning)
    if found.unknown:
        _log.warning("%s: %d demonstrations name items that this graph lacks", endpoint, found.unknown)
    return found


def _tuned(endpoint: str) -> Tuned | None:
    """The tuned weights of the judge; a file that does not match is ignored, with a warning."""
    try:
        return read_tuned(endpoint)
    except ConfigurationError as error:
        _log.warning("%s; %s", error.message, error.hint)
        return None


def _worded(index: Index) -> Callable[[Draft], str]:
    """Says what drafts over an index ask in the language in which its graph is asked; "" for no words."""
    wording, tag = Wording(index), language_asked(index.manifest.languages)
    if tag != ENGLISH:
        return lambda draft: question_in(tag, draft.program)
    return lambda draft: next(iter(wording.questions(draft.program, draft.choices, most=1)), "")
