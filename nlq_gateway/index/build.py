"""Builds an index from a store, and keeps versions of it.

A version is a folder: `items.sqlite` with schema, entities, names and their text search, `schema.npy` and
`vectors-KIND.hnsw` with vectors, and `manifest.json`, which is written last.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Container, Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, replace
from datetime import UTC, datetime
from functools import partial
from itertools import count
from pathlib import Path

import numpy as np

from compilers.kopl.functions import SCHEMA_KINDS, Kind
from compilers.layouts.vocabulary import WELL_KNOWN_PREFIXES
from connectors.base import Connector
from nlq_gateway.index.embedding import Embedder
from nlq_gateway.index.introspect import direct, kqapro, wikidata
from nlq_gateway.index.introspect.reader import Introspection, Progress, Reader
from nlq_gateway.index.introspect.texts import Texts, read_texts
from nlq_gateway.index.manifest import (
    ITEMS,
    SCHEMA_VECTORS,
    BuildLimits,
    LabelSettings,
    Layout,
    Manifest,
)
from nlq_gateway.index.text import fold, humanise
from nlq_gateway.index.vectors import EXACT_ROWS, encode_all, save_graph, schema_texts

_INTROSPECT: dict[Layout, Callable[[Reader, LabelSettings], Introspection]] = {
    "direct": direct.introspect,
    "kqapro": kqapro.introspect,
    "wikidata": wikidata.introspect,
    **{
        layout: partial(direct.introspect, layout=layout)
        for layout in ("reification", "rdf12", "rdf_star", "singleton", "graph_per_fact")
    },
}

_KNOWN = {space: prefix for prefix, space in WELL_KNOWN_PREFIXES.items()}
_PREFIX_LENGTH = 12

_TABLES = """
CREATE TABLE schema (position INTEGER PRIMARY KEY, body TEXT NOT NULL);
CREATE TABLE entity (
  id INTEGER PRIMARY KEY, iri TEXT NOT NULL UNIQUE, label TEXT NOT NULL,
  aliases TEXT NOT NULL, concepts TEXT NOT NULL, degree INTEGER NOT NULL
);
CREATE TABLE name (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, item INTEGER NOT NULL,
  text TEXT NOT NULL, folded TEXT NOT NULL, alias INTEGER NOT NULL
);
CREATE TABLE value (
  id INTEGER PRIMARY KEY, item INTEGER NOT NULL, text TEXT NOT NULL, folded TEXT NOT NULL
);
CREATE TABLE complete (item INTEGER PRIMARY KEY);
"""
_INDEXES = """
CREATE INDEX name_folded ON name (kind, folded);
CREATE INDEX value_folded ON value (folded);
"""
# Full text of a table: its words and its stretches of three letters, and how many rows have each of them.
_FULL_TEXT = """
CREATE VIRTUAL TABLE {table}_{terms} USING fts5(folded, content='{table}', content_rowid='id', {options});
INSERT INTO {table}_{terms} ({table}_{terms}) VALUES ('rebuild');
INSERT INTO {table}_{terms} ({table}_{terms}) VALUES ('optimize');
CREATE TABLE {table}_{terms}_count (term TEXT PRIMARY KEY, rows INTEGER NOT NULL) WITHOUT ROWID;
CREATE VIRTUAL TABLE temp.terms USING fts5vocab('main', '{table}_{terms}', 'row');
INSERT INTO {table}_{terms}_count SELECT term, doc FROM temp.terms;
DROP TABLE temp.terms;
"""
_OPTIONS = {
    "words": "tokenize='unicode61 remove_diacritics 0'",
    "trigrams": "tokenize='trigram', detail='none'",
}


def build(
    connector: Connector,
    layout: Layout,
    folder: Path,
    *,
    labels: LabelSettings | None = None,
    embedder: Embedder | None = None,
    progress: Progress | None = None,
    limits: BuildLimits | None = None,
    endpoint: str = "",
    prefixes: Mapping[str, str] | None = None,
    fingerprint: str = "",
) -> Manifest:
    """Read a store and write an index of it into an empty or new folder.

    Args:
        connector: the store.
        layout: how its graph states facts.
        folder: where the files go.
        labels: which predicates and languages name things.
        embedder: the model for vectors; None builds an index without them.
        progress: called with a stage, what is done and the total (0 where unknown).
        limits: bounds on time and size.
        endpoint: the endpoint's id, for the manifest.
        prefixes: those that the graph's authors use; others are made for namespaces without one.
        fingerprint: what stands for the endpoint and the settings, for `ensure`.

    Raises:
        EndpointError: whatever the store's connector raises.
    """
    started = time.monotonic()
    limits = limits or BuildLimits()
    progress = progress or (lambda _stage, _done, _total: None)
    reader = Reader(connector, limits, progress)
    found = _INTROSPECT[layout](reader, labels or LabelSettings())
    found = replace(found, schema=tuple(item for item in found.schema if limits.wants(item.iri)))
    languages = {tag.lower() for tag in (*found.languages, *(labels or LabelSettings()).languages)}
    texts = read_texts(reader, found.schema, layout, languages)
    folder.mkdir(parents=True, exist_ok=True)
    _write_items(folder / ITEMS, found, texts, progress)
    counts = {f"{kind}s": number for kind, number in Counter(item.kind for item in found.schema).items()}
    counts["entities"] = len(found.entities)
    if texts.values:
        counts["text values"] = len(texts.values)
    if embedder is not None:
        counts["entity vectors"] = _write_vectors(folder, found, embedder, limits, progress, reader.sampled)
    built_at = datetime.now(UTC)
    manifest = Manifest(
        endpoint=endpoint,
        address=connector.address,
        layout=layout,
        version=f"{built_at:%Y%m%dT%H%M%S.%fZ}-{_content_hash(found)[:12]}",
        fingerprint=fingerprint,
        built_at=built_at.isoformat(timespec="milliseconds"),
        seconds=round(time.monotonic() - started, 3),
        counts=counts,
        sampled=reader.sampled,
        prefixes=make_prefixes(
            prefixes or {}, {item.iri for item in found.schema}, (entity.iri for entity in found.entities)
        ),
        languages=found.languages,
        embedding=embedder.name if embedder is not None else "",
    )
    manifest.write(folder)
    progress("done", 1, 1)
    return manifest


def _write_items(file: Path, found: Introspection, texts: Texts, progress: Progress) -> None:
    """Write schema, entities, names, values and text search; names of well-linked entities come first."""
    positions = {item.iri: at for at, item in enumerate(found.schema) if item.kind == Kind.CONCEPT}
    with closing(sqlite3.connect(file, isolation_level=None)) as items:
        items.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;")
        items.executescript(_TABLES)
        items.execute("BEGIN")
        items.executemany(
            "INSERT INTO schema VALUES (?, ?)",
            ((at, json.dumps(asdict(item), ensure_ascii=False)) for at, item in enumerate(found.schema)),
        )
        items.executemany(
            "INSERT INTO entity VALUES (?, ?, ?, ?, ?, ?)",
            (
                (
                    at,
                    entity.iri,
                    entity.label,
                    json.dumps(entity.aliases, ensure_ascii=False) if entity.aliases else "",
                    json.dumps([positions[one] for one in entity.concepts if one in positions]),
                    entity.degree,
                )
                for at, entity in enumerate(found.entities)
            ),
        )
        items.executemany(
            "INSERT INTO name (kind, item, text, folded, alias) VALUES (?, ?, ?, ?, ?)",
            _names(found, progress),
        )
        items.executemany(
            "INSERT INTO value (item, text, folded) VALUES (?, ?, ?)",
            ((at, text, fold(text)) for at, text in texts.values),
        )
        items.executemany("INSERT INTO complete VALUES (?)", ((at,) for at in sorted(texts.complete)))
        items.execute("COMMIT")
        progress("text search", 0, 0)
        items.executescript(_INDEXES)
        for table in ("name", "value"):
            for terms, options in _OPTIONS.items():
                items.executescript(_FULL_TEXT.format(table=table, terms=terms, options=options))


def _names(found: Introspection, progress: Progress) -> Iterator[tuple[str, int, str, str, int]]:
    """Rows of the table `name`: kind, item, text, folded text, whether it is an alias."""
    for at, item in enumerate(found.schema):
        for number, text in enumerate((item.label, *item.aliases)):
            for folded in dict.fromkeys((fold(text), fold(humanise(text)))):
                yield item.kind.value, at, text, folded, int(number > 0)
    for at, entity in enumerate(found.entities):
        if at % 10_000 == 0:
            progress("names", at, len(found.entities))
        for number, text in enumerate((entity.label, *entity.aliases)):
            yield Kind.ENTITY.value, at, text, fold(text), int(number > 0)


def _write_vectors(
    folder: Path,
    found: Introspection,
    embedder: Embedder,
    limits: BuildLimits,
    progress: Progress,
    sampled: dict[str, str],
) -> int:
    """Write the vectors of schema and entities, and return how many entities have one."""
    rows = schema_texts(found.schema)
    vectors = encode_all(
        embedder, [text for _, text in rows], lambda *done: progress("schema vectors", *done)
    )
    np.save(folder / SCHEMA_VECTORS, vectors)
    kinds = np.array([found.schema[at].kind for at, _ in rows], dtype=object)
    for kind in SCHEMA_KINDS:
        of_kind = np.flatnonzero(kinds == kind)
        if len(of_kind) > EXACT_ROWS:
            save_graph(folder, kind, vectors[of_kind], of_kind)
    chosen = [entity.label for entity in found.entities[: limits.vectors]]
    if len(chosen) < len(found.entities):
        sampled["entity vectors"] = f"of the {len(chosen)} entities with the most facts"
    if chosen:
        vectors = encode_all(embedder, chosen, lambda *done: progress("entity vectors", *done))
        save_graph(folder, Kind.ENTITY, vectors, np.arange(len(chosen), dtype=np.int64))
    return len(chosen)


def _content_hash(found: Introspection) -> str:
    """The same for the same content, whenever it was read."""
    digest = hashlib.sha256()
    for item in (*found.schema, *found.entities):
        digest.update(repr(item).encode())
    return digest.hexdigest()


def make_prefixes(declared: Mapping[str, str], *groups: Iterable[str]) -> dict[str, str]:
    """Prefixes for the namespaces of some IRIs: declared, well-known, else the namespace's last word.

    A namespace counts when at least 1% of a group's IRIs lie in it.
    """
    prefixes = dict(declared)
    for group in groups:
        spaces = Counter(map(_namespace, group))
        least = max(2, spaces.total() // 100)
        for space in sorted(spaces, key=lambda one: (-spaces[one], one)):
            wanted = space and (spaces[space] >= least or space in _KNOWN)
            if wanted and space not in prefixes.values():
                prefixes[_free_prefix(space, prefixes)] = space
    return prefixes


def _free_prefix(space: str, taken: Container[str]) -> str:
    """The well-known prefix of a namespace, else its last word, numbered where that is taken."""
    if space in _KNOWN:
        return _KNOWN[space]
    words = [word for word in fold(space).split() if word.isalpha() and word.isascii()]
    base = words[-1][:_PREFIX_LENGTH] if words else "ns"
    names = (base if number == 1 else f"{base}{number}" for number in count(1))
    return next(name for name in names if name not in taken and name not in WELL_KNOWN_PREFIXES)


def _namespace(iri: str) -> str:
    """The IRI up to the last fragment mark, slash or colon."""
    return iri[: max(iri.rfind(mark) for mark in "#/:") + 1]
