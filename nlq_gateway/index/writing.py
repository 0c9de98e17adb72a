"""Writes the file `items.sqlite` of an index: schema, entities, names, values and their text search."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import EntityItem, Partition, Progress, SchemaItem
from nlq_gateway.index.introspect.reader import Introspection
from nlq_gateway.index.introspect.texts import ValueTexts
from nlq_gateway.index.prefixes import namespace
from nlq_gateway.index.text import fold, humanise

_TOLD_EVERY = 10_000
# The number of members whose labels are kept beside each class.
MEMBERS = 3

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
CREATE TABLE partition (
  concept INTEGER NOT NULL, item INTEGER NOT NULL, target INTEGER, count INTEGER NOT NULL,
  examples TEXT NOT NULL, complete INTEGER NOT NULL
);
CREATE TABLE member (concept INTEGER PRIMARY KEY, labels TEXT NOT NULL);
"""
_INDEXES = """
CREATE INDEX name_folded ON name (kind, folded);
CREATE INDEX value_folded ON value (folded);
CREATE INDEX partition_concept ON partition (concept);
CREATE INDEX partition_target ON partition (target);
"""
_NAME = "INSERT INTO name (kind, item, text, folded, alias) VALUES (?, ?, ?, ?, ?)"
# Full text of a table: its words and its trigrams, and the number of rows with each of them.
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


@dataclass(slots=True)
class ContentTally:
    """Statistics of a graph's items, taken while they are written, as they are iterated only once.

    `labels` are those of the first `most` entities; `digest` is the same for the same content.
    """

    most: int
    entities: int = 0
    labels: list[str] = field(default_factory=list)
    schema_spaces: Counter[str] = field(default_factory=Counter)
    entity_spaces: Counter[str] = field(default_factory=Counter)
    _digest: hashlib._Hash = field(default_factory=hashlib.sha256)

    @property
    def digest(self) -> str:
        """A hash of the content, independent of the time of reading."""
        return self._digest.hexdigest()

    def add_schema(self, items: tuple[SchemaItem, ...]) -> None:
        """Count the schema."""
        self.schema_spaces.update(namespace(iri) for iri in {item.iri for item in items})
        for item in items:
            self._digest.update(repr(item).encode())

    def add_partition(self, partition: Partition) -> None:
        """Count a partition."""
        self._digest.update(repr(partition).encode())

    def add(self, entity: EntityItem) -> None:
        """Count an entity."""
        self.entities += 1
        self.entity_spaces[namespace(entity.iri)] += 1
        self._digest.update(repr(entity).encode())
        if len(self.labels) < self.most:
            self.labels.append(entity.label)


def write_items(
    file: Path, found: Introspection, texts: ValueTexts, vectors: int, progress: Progress
) -> ContentTally:
    """Write the file, names of well-linked entities first; `vectors` bounds the labels that are kept."""
    tally = ContentTally(vectors)
    tally.add_schema(found.schema)
    with closing(sqlite3.connect(file, isolation_level=None)) as items:
        items.executescript("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA locking_mode=EXCLUSIVE;")
        items.executescript(_TABLES)
        items.execute("BEGIN")
        _write_schema(items, found.schema)
        items.executemany("INSERT INTO partition VALUES (?, ?, ?, ?, ?, ?)", _partition_rows(found, tally))
        _write_entities(items, found, tally, progress)
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
    return tally


def _write_schema(items: sqlite3.Connection, schema: tuple[SchemaItem, ...]) -> None:
    items.executemany(
        "INSERT INTO schema VALUES (?, ?)",
        ((at, json.dumps(asdict(item), ensure_ascii=False)) for at, item in enumerate(schema)),
    )
    items.executemany(_NAME, _schema_names(schema))


def _partition_rows(found: Introspection, tally: ContentTally) -> Iterator[tuple[Any, ...]]:
    """The partitions by schema positions, without those of classes or predicates that are no items."""
    positions = {(item.kind, item.iri): at for at, item in enumerate(found.schema)}
    for one in found.partitions:
        concept, item = _kind_at(positions, one.concept), positions.get((one.kind, one.iri))
        if concept is not None and item is not None:
            tally.add_partition(one)
            target = _kind_at(positions, one.target)
            examples = json.dumps(one.values, ensure_ascii=False) if one.values else ""
            yield concept, item, target, one.count, examples, int(one.complete)


def _kind_at(positions: Mapping[tuple[Kind, str], int], iri: str) -> int | None:
    """The position of a class, or of the relation that stands for things without one."""
    return positions.get((Kind.CONCEPT, iri), positions.get((Kind.RELATION, iri)))


def _schema_names(schema: tuple[SchemaItem, ...]) -> Iterator[tuple[str, int, str, str, int]]:
    for at, item in enumerate(schema):
        for number, text in enumerate((item.label, *item.aliases)):
            for folded in dict.fromkeys((fold(text), fold(humanise(text)))):
                yield item.kind.value, at, text, folded, int(number > 0)


def _write_entities(
    items: sqlite3.Connection, found: Introspection, tally: ContentTally, progress: Progress
) -> None:
    positions = {item.iri: at for at, item in enumerate(found.schema) if item.kind == Kind.CONCEPT}
    members: defaultdict[int, list[str]] = defaultdict(list)
    for at, entity in enumerate(found.entities):
        if at % _TOLD_EVERY == 0:
            progress("names", at, len(found.entities))
        tally.add(entity)
        concepts = [positions[one] for one in entity.concepts if one in positions]
        for concept in concepts:
            if len(members[concept]) < MEMBERS:
                members[concept].append(entity.label)
        items.execute(
            "INSERT INTO entity VALUES (?, ?, ?, ?, ?, ?)",
            (
                at,
                entity.iri,
                entity.label,
                json.dumps(entity.aliases, ensure_ascii=False) if entity.aliases else "",
                json.dumps(concepts),
                entity.degree,
            ),
        )
        items.executemany(
            _NAME,
            (
                (Kind.ENTITY.value, at, text, fold(text), int(number > 0))
                for number, text in enumerate((entity.label, *entity.aliases))
            ),
        )
    rows = ((concept, json.dumps(labels, ensure_ascii=False)) for concept, labels in members.items())
    items.executemany("INSERT INTO member VALUES (?, ?)", rows)
