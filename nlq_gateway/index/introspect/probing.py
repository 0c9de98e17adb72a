"""The few cheap queries for a plan: the size of a store, and its statements about itself."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from compilers.layouts.vocabulary import OWL, RDF, RDFS, SHACL, SKOS
from connectors.base import Connector
from connectors.results import Row
from nlq_gateway.index.introspect.pages import NOT_TOLD, WRITABLE, integer, value, values_block
from nlq_gateway.index.introspect.plan import NOTHING_STATED, PlanProbe, Void
from nlq_gateway.index.introspect.reader import TRIPLES
from nlq_gateway.index.introspect.void import contradiction, doubts, read_void

PROBE_S = 5.0
MOST_GRAPHS = 20

_MOST_ROWS = 50_000
_LEAST_CAP = 500
_LOOKED_AT = 3
_PREDICATES, _CLASSES = "triples of each predicate", "members of each class"
_SIGNS: Mapping[str, tuple[str, ...]] = {
    "RDFS": (RDFS + "Class", RDF + "Property"),
    "OWL": tuple(OWL + name for name in ("Ontology", "Class", "ObjectProperty", "DatatypeProperty")),
    "SHACL": (SHACL + "NodeShape", SHACL + "PropertyShape"),
    "SKOS": (SKOS + "ConceptScheme", SKOS + "Concept"),
}


@dataclass(slots=True)
class Prober:
    """Asks with a short deadline, and keeps the results; `failed` has the store's messages instead."""

    connector: Connector
    deadline_s: float = PROBE_S
    probes: list[PlanProbe] = field(default_factory=list)
    failed: dict[str, str] = field(default_factory=dict)

    def ask(self, what: str, text: str) -> tuple[Row, ...] | None:
        """All rows of a query, or None if the store does not give them at once; raises for an outage."""
        started = time.perf_counter()
        rows: tuple[Row, ...] | None = None
        try:
            result = self.connector.query(text, timeout_ms=int(self.deadline_s * 1_000), max_rows=_MOST_ROWS)
            # A store may silently cap its answers; caps are round numbers.
            count = len(result.rows)
            is_whole = not result.truncated and (count < _LEAST_CAP or count % 100 != 0)
            rows = result.rows if is_whole else None
            answer = f"{count:,} rows" if is_whole else f"cut after {count:,} rows"
        except NOT_TOLD as error:
            answer = self.failed[what] = error.message
        self.probes.append(PlanProbe(what, text, answer, round((time.perf_counter() - started) * 1_000, 1)))
        return rows

    @property
    def scan_s(self) -> float:
        """The least time of a scan of all triples in seconds: it may have been cut; 0 if it was not sent."""
        return next((probe.ms / 1_000 for probe in self.probes if probe.what == _PREDICATES), 0.0)

    @property
    def scan_failure(self) -> str:
        """The reason why the store did not scan all triples at once, "" if it did."""
        told = self.failed.get(_PREDICATES)
        return f"the store did not count its triples within {self.deadline_s:g} s ({told})" if told else ""

    @property
    def look_s(self) -> float:
        """The time of a look-up query."""
        others = [probe.ms / 1_000 for probe in self.probes if probe.what not in (_PREDICATES, _CLASSES)]
        return statistics.median(others) if others else 0.0


def count_predicates(prober: Prober) -> dict[str, int] | None:
    """The number of triples of each predicate."""
    pattern = TRIPLES.pattern
    return _counts(prober, _PREDICATES, f"SELECT ?p (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?p")


def count_classes(prober: Prober, membership: str) -> dict[str, int] | None:
    """The number of members of each class."""
    pattern = f"?s <{membership}> ?c"
    return _counts(prober, _CLASSES, f"SELECT ?c (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?c")


def _counts(prober: Prober, what: str, text: str) -> dict[str, int] | None:
    rows = prober.ask(what, text)
    if rows is None:
        return None
    iris = (row for row in rows if row[0] and row[0].kind == "iri" and WRITABLE.fullmatch(row[0].value))
    return {value(row[0]): integer(row[1]) for row in iris}


def find_graphs(prober: Prober, known: Sequence[str] | None) -> tuple[str, ...]:
    """The named graphs that are known, else at most 20; () if the store does not list them at once."""
    if known is not None:
        return tuple(known)
    text = f"SELECT DISTINCT ?g WHERE {{ GRAPH ?g {{ ?s ?p ?o }} }} LIMIT {MOST_GRAPHS}"
    return tuple(value(row[0]) for row in prober.ask("named graphs", text) or ())


def find_vocabularies(prober: Prober, classes: Iterable[str] | None) -> tuple[str, ...] | None:
    """The vocabularies whose classes are in use; None if the store does not list them."""
    if classes is None:
        every = [iri for signs in _SIGNS.values() for iri in signs]
        exists = f"{values_block('t', every)} FILTER EXISTS {{ ?x <{RDF}type> ?t }}"
        rows = prober.ask("vocabularies", f"SELECT ?t WHERE {{ {exists} }}")
        if rows is None:
            return None
        classes = {value(row[0]) for row in rows}
    return tuple(name for name, signs in _SIGNS.items() if not set(signs).isdisjoint(classes))


def count_labels(
    prober: Prober, predicates: Sequence[str], counted: Mapping[str, int] | None
) -> tuple[int | None, tuple[str, ...]]:
    """The number of labels, None if unknown, and the predicates in use."""
    if counted is not None:
        used = tuple(iri for iri in predicates if counted.get(iri))
        return sum(counted[iri] for iri in used), used
    exists = f"{values_block('p', predicates)} FILTER EXISTS {{ ?x ?p ?label }}"
    rows = prober.ask("label predicates", f"SELECT ?p WHERE {{ {exists} }}") or ()
    found = {value(row[0]) for row in rows}
    return None, tuple(iri for iri in predicates if iri in found)


def checked_void(
    prober: Prober, counted: Mapping[str, int] | None, graphs: Sequence[str] | None
) -> tuple[Void, tuple[str, ...]]:
    """The store's VoID statistics, and warnings; statistics that contradict a count are dropped."""
    stated = read_void(prober.ask, graphs)
    if not stated:
        return NOTHING_STATED, ()
    if counted is None:
        wrong = tuple(doubts(stated, prober.ask))
    else:
        largest = sorted(stated.properties, key=lambda iri: (-stated.properties[iri], iri))[:_LOOKED_AT]
        compared = [(f"triples with <{iri}>", stated.properties[iri], counted.get(iri, 0)) for iri in largest]
        if stated.triples is not None:
            compared.append(("triples", stated.triples, sum(counted.values())))
        wrong = tuple(warning for one in compared for warning in contradiction(*one))
    return (NOTHING_STATED, wrong) if wrong else (stated, ())
