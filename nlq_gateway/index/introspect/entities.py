"""The entities of a graph: their names, concepts and degrees.

A graph may have millions, so they are staged in a temporary file of SQLite, not in memory.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial

from connectors.results import Term
from nlq_gateway.core.types import EntityItem
from nlq_gateway.index.hierarchy import Hierarchy
from nlq_gateway.index.introspect.names import LabelRanking
from nlq_gateway.index.introspect.pages import TOO_MUCH, integer, value, values_block
from nlq_gateway.index.introspect.reader import TRIPLES, StoreReader
from nlq_gateway.index.text import distinct_names, names_from_iri

_TOLD_EVERY = 10_000
_ROWS_PER_ENTITY = 8
_PER_QUERY = 999
_WITHOUT_CONCEPT = "entities without a concept"

_CACHE_KIB = 64_000
_TABLES = f"""
PRAGMA cache_size = -{_CACHE_KIB};
CREATE TABLE label (iri TEXT NOT NULL, alias INTEGER, language INTEGER, predicate INTEGER, text TEXT);
CREATE TABLE concept (iri TEXT NOT NULL, concept TEXT NOT NULL);
CREATE TABLE bare (iri TEXT NOT NULL);
CREATE TABLE entity (iri TEXT PRIMARY KEY, degree INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX IF NOT EXISTS label_iri ON label (iri, alias, language, predicate, text);
CREATE INDEX IF NOT EXISTS concept_iri ON concept (iri);
"""
_CONCEPTS = "(SELECT json_group_array(concept) FROM concept WHERE concept.iri = thing.iri)"
_LABELS = (
    "(SELECT json_group_array(text) FROM"
    " (SELECT text FROM label WHERE label.iri = thing.iri ORDER BY alias, language, predicate, text))"
)


def _stage() -> sqlite3.Connection:
    """A database in an unnamed file that is deleted with the connection."""
    staged = sqlite3.connect("", isolation_level=None)
    staged.executescript(_TABLES)
    return staged


@dataclass(slots=True)
class EntityList:
    """Collects the entities of a graph: names, concepts and degrees by IRI.

    First all nodes are read, then `choose` selects the entities among them, then degrees are counted. `facts`
    is the pattern of a fact ?s ?p ?o, `outside` a filter on ?x that excludes other nodes than entities.
    """

    reader: StoreReader
    names: LabelRanking
    facts: str = TRIPLES.pattern
    outside: str = ""
    _staged: sqlite3.Connection = field(default_factory=_stage)

    def read_names(self) -> None:
        """Read labels and aliases of every IRI that has some."""
        self.reader.begin("entity labels")
        for predicate in self.names.predicates:
            self._listing(
                f"SELECT ?x ?label WHERE {{ ?x <{predicate}> ?label }}",
                "entity labels",
                "INSERT INTO label VALUES (?, ?, ?, ?, ?)",
                partial(self._label, predicate),
                self.outside,
            )

    def _label(self, predicate: str, subject: str, label: Term) -> tuple[object, ...] | None:
        name = self.names.name(predicate, label)
        return None if name is None else (subject, *name.rank, name.text)

    def read_concepts(self, type_predicate: str) -> None:
        """Read the concepts of every IRI that has some."""
        self.reader.begin("entity concepts")
        self._listing(
            f"SELECT ?x ?c WHERE {{ ?x <{type_predicate}> ?c }}",
            "entity concepts",
            "INSERT INTO concept VALUES (?, ?)",
            lambda subject, concept: (subject, concept.value) if concept.kind == "iri" else None,
            self.outside,
        )

    def read_without_concept(self, type_predicate: str, excluded: Collection[str]) -> None:
        """Read the IRIs that have facts other than those of the `excluded` predicates, but no concept."""
        self.reader.begin(_WITHOUT_CONCEPT)
        if self.reader.looks_at_samples:
            self.reader.sampled[_WITHOUT_CONCEPT] = "those with a name only: there are too many facts"
            return
        for end in ("?s", "?o"):
            # DISTINCT reads each node once. A second EXISTS for its facts takes Oxigraph quadratic time.
            every = f"{{ SELECT DISTINCT {end} WHERE {{ {self.facts} {_not_in(excluded)} }} }}"
            bare = f"FILTER NOT EXISTS {{ {end} <{type_predicate}> ?t }}"
            text = f"SELECT {end} (1 AS ?n) WHERE {{ {every} {bare} }}"
            self._listing(
                text, _WITHOUT_CONCEPT, "INSERT INTO bare VALUES (?)", lambda subject, _: (subject,)
            )

    def choose(self, is_entity: Callable[[str, Sequence[str]], bool], *, named: bool = True) -> None:
        """Choose the entities among all nodes that were read.

        Args:
            is_entity: called with an IRI and its concepts.
            named: a name is enough; otherwise a concept or a fact is needed.
        """
        sources = ("concept", "label", "bare") if named else ("concept", "bare")
        every = " UNION ".join(f"SELECT iri FROM {source}" for source in sources)
        self._staged.executescript(_INDEXES)
        things = self._staged.execute(f"SELECT iri, {_CONCEPTS} FROM ({every}) AS thing")
        chosen = ((iri,) for iri, concepts in things if is_entity(iri, json.loads(concepts)))
        self._insert("INSERT INTO entity (iri) VALUES (?)", chosen)

    def read_degrees(self, excluded: Collection[str]) -> None:
        """Read the number of facts of each entity, both ways, without those of the `excluded` predicates."""
        self.reader.begin("entity degrees")
        (total,) = self._staged.execute("SELECT COUNT(*) FROM entity").fetchone()
        unknown = done = 0
        for some in self._pieces():
            self.reader.progress("entity degrees", done, total)
            if self.reader.over_budget or not self._count_facts(some, excluded):
                unknown += len(some)
            done += len(some)
        if unknown:
            self.reader.sampled["entity degrees"] = (
                f"unknown for {unknown}: the store did not count them in time"
            )

    def _pieces(self) -> Iterator[list[str]]:
        """The entities by IRI, in pieces of as many as one query may name."""
        text = "SELECT iri FROM entity WHERE iri > ? ORDER BY iri LIMIT ?"
        last = ""
        while some := [iri for (iri,) in self._staged.execute(text, (last, _PER_QUERY))]:
            yield some
            last = some[-1]

    def _count_facts(self, iris: Sequence[str], excluded: Collection[str]) -> bool:
        for end in ("s", "o"):
            pattern = f"{values_block(end, iris)} {self.facts} {_not_in(excluded)}"
            text = f"SELECT ?{end} (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?{end}"
            try:
                counts = [(integer(number), value(subject)) for subject, number in self.reader.rows(text)]
            except TOO_MUCH:
                return False
            self._insert("UPDATE entity SET degree = degree + ? WHERE iri = ?", iter(counts))
        return True

    def _listing(
        self,
        text: str,
        what: str,
        insert: str,
        row: Callable[[str, Term], tuple[object, ...] | None],
        outside: str = "",
    ) -> None:
        """Stage a listing of subjects and values that pass a filter, up to the limits of time and size."""
        pairs = self._bounded(text, what, outside)
        self._insert(insert, (made for pair in pairs if (made := row(*pair)) is not None))

    def _bounded(self, text: str, what: str, outside: str) -> Iterator[tuple[str, Term]]:
        number = 0
        try:
            for number, (subject, other) in enumerate(self.reader.filtered(text, outside)):
                if number % _TOLD_EVERY == 0:
                    self.reader.progress(what, number, 0)
                    if self.reader.over_budget or number > self.reader.limits.entities * _ROWS_PER_ENTITY:
                        why = "the limit of time or size was reached"
                        break
                # With a filter Oxigraph would look up the text of every term.
                if subject is not None and other is not None and subject.kind == "iri":
                    yield subject.value, other
            else:
                return
        except TOO_MUCH as error:
            if self.reader.gives_up(error):
                raise
            why = error.message
        self.reader.sampled[what] = f"the first {number} rows: {why}"

    def _insert(self, text: str, rows: Iterator[tuple[object, ...]]) -> None:
        """Write rows in one transaction; those before a failure stay."""
        self._staged.execute("BEGIN")
        try:
            self._staged.executemany(text, rows)
        finally:
            self._staged.execute("COMMIT")

    def items(self, hierarchy: Hierarchy, is_concept: Callable[[str], bool] = lambda _: True) -> Entities:
        """The entities, highest degree first and then by IRI, at most the limit, with these concepts."""
        limit = self.reader.limits.entities
        (total,) = self._staged.execute("SELECT COUNT(*) FROM entity").fetchone()
        if total > limit:
            self.reader.sampled["entities"] = f"the {limit} with the most facts of {total}"
        return Entities(self._staged, min(total, limit), hierarchy, is_concept)


@dataclass(frozen=True, slots=True)
class Entities:
    """The entities of a graph in their order, made one by one on each iteration."""

    _staged: sqlite3.Connection
    _size: int
    _hierarchy: Hierarchy
    _is_concept: Callable[[str], bool]

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[EntityItem]:
        ranked = "SELECT iri, degree FROM entity ORDER BY degree DESC, iri LIMIT ?"
        text = f"SELECT iri, degree, {_LABELS}, {_CONCEPTS} FROM ({ranked}) AS thing"
        for iri, degree, labels, concepts in self._staged.execute(text, (self._size,)):
            texts = distinct_names(json.loads(labels)) or names_from_iri(iri)
            own = filter(self._is_concept, json.loads(concepts))
            yield EntityItem(iri, texts[0], texts[1:], self._hierarchy.most_specific(own), degree)


def _not_in(predicates: Collection[str]) -> str:
    """A filter on `?p`."""
    iris = ", ".join(f"<{one}>" for one in sorted(predicates))
    return f"FILTER(?p NOT IN ({iris}))" if iris else ""
