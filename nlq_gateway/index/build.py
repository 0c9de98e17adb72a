"""Builds an index from a store.

A version is a folder: `items.sqlite` with schema, entities, names and their text search, `schema.npy` and
`vectors-KIND.hnsw` with vectors, and `manifest.json`, which is written last.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import numpy as np

from compilers.kopl.functions import SCHEMA_KINDS, Kind
from connectors.base import Connector
from nlq_gateway.core.types import Progress
from nlq_gateway.index.embedding import Embedder
from nlq_gateway.index.introspect import direct, kqapro, wikidata
from nlq_gateway.index.introspect.reader import Introspection, StoreReader
from nlq_gateway.index.introspect.texts import read_texts
from nlq_gateway.index.introspect.typed_texts import with_typed_texts
from nlq_gateway.index.labels import LabelFinding, find_label_predicates
from nlq_gateway.index.manifest import ITEMS, SCHEMA_VECTORS, LabelPreferences, Layout, Manifest
from nlq_gateway.index.planning import PLAIN, make_plan
from nlq_gateway.index.prefixes import make_prefixes
from nlq_gateway.index.recipe import USUAL, BuildOptions, Recipe
from nlq_gateway.index.vectors import EXACT_ROWS, encode_pieces, save_graph, schema_texts
from nlq_gateway.index.whole import note_sizes
from nlq_gateway.index.writing import write_items

_INTROSPECT: dict[Layout, Callable[[StoreReader, LabelPreferences], Introspection]] = {
    "kqapro": kqapro.introspect,
    "wikidata": wikidata.introspect,
    **{layout: partial(direct.introspect, layout=layout) for layout in PLAIN},
}

SAMPLED_ENTITIES = 500


def build(
    connector: Connector,
    layout: Layout,
    folder: Path,
    options: BuildOptions = USUAL,
    *,
    progress: Progress | None = None,
    state: Mapping[str, str] | None = None,
) -> Manifest:
    """Read a store and write an index of it into an empty or new folder.

    Args:
        connector: the store.
        layout: the layout in which its graph states facts.
        folder: the folder for the files.
        options: the settings.
        progress: called with a stage, the items done and the total (0 where unknown).
        state: the store's earlier statement about its content.

    Raises:
        EndpointError: the errors of the store's connector.
    """
    started = time.monotonic()
    limits, labels, embedder = options.limits, options.labels, options.embedder
    recipe = Recipe.of(connector, layout, options)
    if limits.names_in_store:
        limits = replace(limits, entities=min(limits.entities, SAMPLED_ENTITIES))
    progress = progress or (lambda _stage, _done, _total: None)
    plan = make_plan(connector, layout, limits, labels)
    reader = StoreReader(connector, limits, progress, plan=plan, warnings=list(plan.warnings))
    naming = LabelFinding()
    if layout in PLAIN:
        reader.begin("label predicates")
        naming = find_label_predicates(connector, labels, lambda: reader.budget.left_s)
    labels = replace(labels, predicates=tuple(dict.fromkeys((*labels.predicates, *naming.predicates))))
    found = _INTROSPECT[layout](reader, labels)
    found = replace(found, schema=tuple(item for item in found.schema if limits.wants(item.iri)))
    languages = {tag.lower() for tag in (*found.languages, *labels.languages)}
    texts = read_texts(reader, found.schema, layout, languages)
    if layout in PLAIN:
        found = replace(found, schema=with_typed_texts(found.schema, texts))
    if limits.names_in_store:
        reader.sampled["names"] = f"looked up in the store; of the entities, {len(found.entities)} are kept"
    folder.mkdir(parents=True, exist_ok=True)
    tally = write_items(folder / ITEMS, found, texts, limits.vectors if embedder else 0, progress)
    counts = {f"{kind}s": number for kind, number in Counter(item.kind for item in found.schema).items()}
    counts["entities"] = tally.entities
    if texts.values:
        counts["text values"] = len(texts.values)
    if embedder is not None:
        counts["entity vectors"] = _write_vectors(folder, found, tally.labels, embedder, progress)
        if len(tally.labels) < tally.entities:
            reader.sampled["entity vectors"] = f"of the {len(tally.labels)} entities with the most facts"
    built_at = datetime.now(UTC)
    manifest = Manifest(
        endpoint=options.endpoint,
        address=connector.address,
        layout=layout,
        version=f"{built_at:%Y%m%dT%H%M%S.%fZ}-{tally.digest[:12]}",
        fingerprint=recipe.fingerprint,
        built_at=built_at.isoformat(timespec="milliseconds"),
        seconds=round(time.monotonic() - started, 3),
        counts=counts,
        sampled=reader.sampled,
        warnings=tuple(reader.warnings),
        prefixes=make_prefixes(options.prefixes, tally.schema_spaces, tally.entity_spaces),
        languages=found.languages,
        label_predicates=naming.predicates,
        naming=dict(naming.naming),
        labelled=naming.labelled,
        embedding=embedder.name if embedder is not None else "",
        recipe=dict(recipe.parts),
        state=dict(state or {}),
    )
    note_sizes(folder)
    manifest.write(folder)
    progress("done", 1, 1)
    return manifest


def _write_vectors(
    folder: Path,
    found: Introspection,
    labels: Sequence[str],
    embedder: Embedder,
    progress: Progress,
) -> int:
    """Write the vectors of schema and entities, and return the number of entities with one."""
    rows = schema_texts(found.schema)
    names = [text for _, text in rows]
    pieces = encode_pieces(embedder, names, lambda *done: progress("schema vectors", *done))
    vectors = np.concatenate([embedder.encode([]), *(part for _, part in pieces)])
    np.save(folder / SCHEMA_VECTORS, vectors)
    kinds = np.array([found.schema[at].kind for at, _ in rows], dtype=object)
    for kind in SCHEMA_KINDS:
        of_kind = np.flatnonzero(kinds == kind)
        if len(of_kind) > EXACT_ROWS:
            save_graph(folder, kind, [(of_kind, vectors[of_kind])], len(of_kind), embedder.dimensions)
    if labels:
        pieces = encode_pieces(embedder, labels, lambda *done: progress("entity vectors", *done))
        save_graph(folder, Kind.ENTITY, pieces, len(labels), embedder.dimensions)
    return len(labels)
