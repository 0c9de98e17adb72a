"""The file `items.sqlite` of an index, read by many threads and processes at once."""

from __future__ import annotations

import json
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

from compilers.kopl.functions import Kind, ValueType
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.errors import IndexDamaged

_MMAP_BYTES = 1 << 30
_SAME_NAME = 50
_PREFIXED = 5_000
_LOOKED_AT = 1_000
_MOST_BEGUN = 50_000
_OF_A_HALF = 4
_CHANGED = 4

_COLUMNS = "entity.id, entity.iri, entity.label, entity.aliases, entity.concepts, entity.degree"


@dataclass(frozen=True, slots=True)
class NameRow:
    """A name that matched: `item` is a schema position or an entity's number."""

    kind: Kind
    item: int
    text: str
    folded: str
    is_alias: bool


@dataclass(frozen=True, slots=True)
class EntityRow:
    """An entity as stored: `concepts` are schema positions."""

    number: int
    iri: str
    label: str
    aliases: tuple[str, ...]
    concepts: tuple[int, ...]
    degree: int


@dataclass(frozen=True, slots=True)
class TextRow:
    """A string, and the position of the schema item whose value it is."""

    item: int
    text: str
    folded: str


@dataclass(frozen=True, slots=True)
class PartitionRow:
    """A partition of the concept at a position by a relation or attribute, with the fields of `Partition`."""

    concept: int
    item: int
    target: int | None
    count: int
    values: tuple[str, ...]
    complete: bool


class Database:
    """Reads one file through a connection per thread and process; the file never changes."""

    def __init__(self, file: Path) -> None:
        """Nothing is opened before the first look-up."""
        self._file = file
        self.is_damaged = False
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []

    def close(self) -> None:
        """Close the connections of all threads."""
        while self._open:
            self._open.pop().close()
        self._local = threading.local()

    def _rows(self, text: str, *parameters: Any) -> list[tuple[Any, ...]]:
        try:
            return self._connection().execute(text, parameters).fetchall()
        except sqlite3.DatabaseError as error:
            self.is_damaged = True
            raise IndexDamaged(
                f"{self._file.name} of the index cannot be read: {error}.",
                place=self._file.parent,
                hint="Delete the folder and build the index again with `nlq index`.",
            ) from error

    def _connection(self) -> sqlite3.Connection:
        """This thread's connection; a forked process opens its own."""
        process, connection = getattr(self._local, "held", (0, None))
        if connection is None or process != os.getpid():
            address = f"file:{quote(str(self._file))}?mode=ro&immutable=1"
            connection = sqlite3.connect(address, uri=True, check_same_thread=False, isolation_level=None)
            connection.execute(f"PRAGMA mmap_size={_MMAP_BYTES}")
            self._local.held = (os.getpid(), connection)
            self._open.append(connection)
        return connection

    def schema(self) -> tuple[SchemaItem, ...]:
        """All schema items in order of position."""
        return tuple(
            _schema_item(json.loads(body))
            for (body,) in self._rows("SELECT body FROM schema ORDER BY position")
        )

    def partitions(self, concepts: Iterable[int]) -> Iterator[PartitionRow]:
        """The partitions of these concepts, and those of other concepts that lead to them."""
        text = """
            SELECT concept, item, target, count, examples, complete FROM partition
            WHERE {end} IN (SELECT value FROM json_each(?1)){rest} ORDER BY rowid
        """
        wanted = json.dumps(sorted(concepts))
        own = self._rows(text.format(end="concept", rest=""), wanted)
        others = " AND concept NOT IN (SELECT value FROM json_each(?1))"
        towards = self._rows(text.format(end="target", rest=others), wanted)
        for concept, item, target, count, examples, complete in (*own, *towards):
            values = tuple(json.loads(examples)) if examples else ()
            yield PartitionRow(concept, item, target, count, values, bool(complete))

    def members(self, concepts: Iterable[int]) -> dict[int, tuple[str, ...]]:
        """The labels of some members of these concepts, those with the most facts first."""
        text = "SELECT concept, labels FROM member WHERE concept IN (SELECT value FROM json_each(?))"
        return {
            at: tuple(json.loads(labels)) for at, labels in self._rows(text, json.dumps(sorted(concepts)))
        }

    def entities(self, iris: Iterable[str]) -> Iterator[EntityRow]:
        """The entities among these IRIs."""
        yield from self._entities("iri", list(iris))

    def entities_numbered(self, numbers: Iterable[int]) -> Iterator[EntityRow]:
        """The entities with these numbers."""
        yield from self._entities("id", list(numbers))

    def _entities(self, column: str, keys: Sequence[str] | Sequence[int]) -> Iterator[EntityRow]:
        text = f"SELECT {_COLUMNS} FROM json_each(?) AS wanted JOIN entity ON entity.{column} = wanted.value"
        for number, iri, label, aliases, concepts, degree in self._rows(text, json.dumps(keys)):
            others = tuple(json.loads(aliases)) if aliases else ()
            yield EntityRow(number, iri, label, others, tuple(json.loads(concepts)), degree)

    def named(self, kind: Kind, folded: Sequence[str]) -> Iterator[NameRow]:
        """The names of one kind with these folded forms, at most 50 of each, most facts first."""
        text = """
            SELECT name.kind, name.item, name.text, name.folded, name.alias
            FROM json_each(?1) AS wanted JOIN name ON name.id IN
              (SELECT id FROM name WHERE kind = ?2 AND folded = wanted.value ORDER BY id LIMIT ?3)
            ORDER BY name.id
        """
        yield from map(_name_row, self._rows(text, json.dumps(folded), kind.value, _SAME_NAME))

    def texts(self, folded: Sequence[str]) -> Iterator[TextRow]:
        """The strings with these folded forms, with the schema positions of their predicates."""
        text = """
            SELECT value.item, value.text, value.folded
            FROM json_each(?) AS wanted JOIN value ON value.folded = wanted.value ORDER BY value.id
        """
        yield from (TextRow(*row) for row in self._rows(text, json.dumps(folded)))

    def complete_texts(self) -> frozenset[int]:
        """The schema positions of the items whose strings are all kept."""
        return frozenset(item for (item,) in self._rows("SELECT item FROM complete"))

    def prefixed(self, kind: Kind, folded: str, limit: int) -> list[NameRow]:
        """Names of one kind with this beginning, most facts first among the first few thousand."""
        text = """
            SELECT kind, item, text, folded, alias FROM name WHERE id IN (
              SELECT id FROM (SELECT id FROM name WHERE kind = ?1 AND folded >= ?2 AND folded < ?3 LIMIT ?4)
              ORDER BY id LIMIT ?5
            ) ORDER BY id
        """
        return [
            _name_row(row)
            for row in self._rows(text, kind.value, folded, folded + "\U0010ffff", _PREFIXED, limit)
        ]

    def with_words_begun(self, kinds: Iterable[Kind], words: Sequence[str], limit: int) -> list[NameRow]:
        """Names with these words in a row, the last perhaps in part: schema first, then by most facts.

        [] if too many words begin like the last one to scan their names.
        """
        text = "SELECT SUM(rows) FROM name_words_count WHERE term >= ? AND term < ?"
        ((rows,),) = self._rows(text, words[-1], words[-1] + "\U0010ffff")
        if not rows or rows > _MOST_BEGUN:
            return []
        text = """
            SELECT name.kind, name.item, name.text, name.folded, name.alias
            FROM name_words JOIN name ON name.id = name_words.rowid
            WHERE name_words MATCH ?1 AND name.kind IN (SELECT value FROM json_each(?2))
            ORDER BY name_words.rowid LIMIT ?3
        """
        match = f"{_quoted(' '.join(words))} *"
        return [_name_row(row) for row in self._rows(text, match, json.dumps([*kinds]), limit)]

    def with_words(self, kinds: Iterable[Kind], words: Iterable[str], limit: int) -> list[NameRow]:
        """Names that share words, the rarer words up to a bound on their names; best first by BM25."""
        # Where even the rarest word is frequent, the names must have the two rarest.
        match = _either(self._few("name_words", words) or _all_of(list(self._rare("name_words", words))[:2]))
        text = """
            SELECT name.kind, name.item, name.text, name.folded, name.alias
            FROM (SELECT rowid, rank FROM name_words WHERE name_words MATCH ?1 LIMIT ?4) AS found
            JOIN name ON name.id = found.rowid
            WHERE name.kind IN (SELECT value FROM json_each(?2)) ORDER BY found.rank LIMIT ?3
        """
        wanted = json.dumps([*kinds])
        return [_name_row(row) for row in self._rows(text, match, wanted, limit, _LOOKED_AT)] if match else []

    def spelled_near(self, kinds: Iterable[Kind], folded: str, limit: int) -> dict[int, str]:
        """Folded names, by number, that may be misspellings of a folded text, those with most facts first."""
        match = self._spelling("name_trigrams", folded)
        text = """
            SELECT name.id, name.folded FROM name_trigrams JOIN name ON name.id = name_trigrams.rowid
            WHERE name_trigrams MATCH ?1 AND name.kind IN (SELECT value FROM json_each(?2)) LIMIT ?3
        """
        return dict(self._rows(text, match, json.dumps([*kinds]), limit)) if match else {}

    def texts_spelled_near(self, folded: str, limit: int) -> dict[int, str]:
        """Folded strings, by number, that may be misspellings of a folded text."""
        match = self._spelling("value_trigrams", folded)
        text = """
            SELECT value.id, value.folded FROM value_trigrams JOIN value ON value.id = value_trigrams.rowid
            WHERE value_trigrams MATCH ?1 LIMIT ?2
        """
        return dict(self._rows(text, match, limit)) if match else {}

    def names(self, numbers: Iterable[int]) -> dict[int, NameRow]:
        """The names with these numbers."""
        text = """
            SELECT name.kind, name.item, name.text, name.folded, name.alias, name.id
            FROM json_each(?) AS wanted JOIN name ON name.id = wanted.value
        """
        return {row[-1]: _name_row(row[:-1]) for row in self._rows(text, json.dumps(list(numbers)))}

    def texts_numbered(self, numbers: Iterable[int]) -> dict[int, TextRow]:
        """The strings with these numbers."""
        text = """
            SELECT value.item, value.text, value.folded, value.id
            FROM json_each(?) AS wanted JOIN value ON value.id = wanted.value
        """
        return {row[-1]: TextRow(*row[:-1]) for row in self._rows(text, json.dumps(list(numbers)))}

    def with_all_words(self, kind: Kind, words: Iterable[str], limit: int) -> list[NameRow]:
        """Names of one kind that have all these words, most facts first."""
        match = " AND ".join(map(_quoted, dict.fromkeys(words)))
        text = """
            SELECT name.kind, name.item, name.text, name.folded, name.alias
            FROM name_words JOIN name ON name.id = name_words.rowid
            WHERE name_words MATCH ?1 AND name.kind = ?2 ORDER BY name_words.rowid LIMIT ?3
        """
        return [_name_row(row) for row in self._rows(text, match, kind.value, limit)] if match else []

    def texts_with_all_words(self, words: Iterable[str], limit: int) -> list[TextRow]:
        """Strings that have all these words."""
        match = " AND ".join(map(_quoted, dict.fromkeys(words)))
        text = """
            SELECT value.item, value.text, value.folded
            FROM value_words JOIN value ON value.id = value_words.rowid
            WHERE value_words MATCH ?1 ORDER BY value_words.rowid LIMIT ?2
        """
        return [TextRow(*row) for row in self._rows(text, match, limit)] if match else []

    def words_in_use(self, words: Iterable[str]) -> frozenset[str]:
        """The folded words that occur in some name or string."""
        terms = list(words)
        return frozenset((*self._rare("name_words", terms), *self._rare("value_words", terms)))

    def _rare(self, table: str, terms: Iterable[str]) -> dict[str, int]:
        """The number of rows with each term, the rarest first; terms in no row are left out."""
        wanted = json.dumps(list(dict.fromkeys(terms)))
        text = f"""
            SELECT term, rows FROM {table}_count WHERE term IN (SELECT value FROM json_each(?)) ORDER BY 2, 1
        """
        return dict(self._rows(text, wanted))

    def _few(self, table: str, terms: Iterable[str]) -> list[str]:
        """The rarest terms, up to _LOOKED_AT rows in all."""
        chosen: list[str] = []
        reached = 0
        for term, rows in self._rare(table, terms).items():
            reached += rows
            if reached > _LOOKED_AT:
                break
            chosen.append(_quoted(term))
        return chosen

    def _spelling(self, table: str, folded: str) -> str:
        """A search for rows that share a rare trigram, or half of the text; "" for none.

        One wrong letter changes three trigrams, two swapped letters change four. The halves have as many
        between them, so that one half stays whole.
        """
        stretches = [folded[at : at + 3] for at in range(len(folded) - 2)]
        gap = min(_CHANGED - 1, max(0, len(stretches) - 2 * _CHANGED))
        half = (len(stretches) - gap + 1) // 2
        known = list(self._rare(table, stretches))
        halves = (set(stretches[:half]), set(stretches[half + gap :]))
        rarest = ([one for one in known if one in some][:_OF_A_HALF] for some in halves)
        return _either([*self._few(table, stretches), *(part for some in rarest for part in _all_of(some))])


def _either(matches: Iterable[str]) -> str:
    return " OR ".join(dict.fromkeys(matches))


def _all_of(terms: Sequence[str]) -> list[str]:
    return [f"({' AND '.join(map(_quoted, terms))})"] if terms else []


def _quoted(term: str) -> str:
    return '"' + term.replace('"', '""') + '"'


def _name_row(row: tuple[Any, ...]) -> NameRow:
    kind, item, text, folded, alias = row
    return NameRow(Kind(kind), item, text, folded, bool(alias))


_READ: dict[str, Callable[[Any], Any]] = {
    "kind": Kind,
    "value_types": lambda names: tuple(map(ValueType, names)),
    "domains": lambda pairs: tuple((iri, count) for iri, count in pairs),
    "ranges": lambda pairs: tuple((iri, count) for iri, count in pairs),
}


def _schema_item(body: dict[str, Any]) -> SchemaItem:
    values: dict[str, Any] = {
        name: _READ[name](value) if name in _READ else tuple(value) if isinstance(value, list) else value
        for name, value in body.items()
    }
    return SchemaItem(**values)
