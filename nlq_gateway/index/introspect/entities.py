"""The entities of a graph: their names, concepts and degrees."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

from connectors.errors import EndpointTimeout
from connectors.results import Term
from nlq_gateway.index.hierarchy import Hierarchy
from nlq_gateway.index.introspect.names import Name, Names
from nlq_gateway.index.introspect.reader import TRIPLES, Reader, integer, value, values_block
from nlq_gateway.index.text import name_from_iri
from nlq_gateway.types import EntityItem

_TOLD_EVERY = 10_000
_ROWS_PER_ENTITY = 8
_PER_QUERY = 999
_WITHOUT_CONCEPT = "entities without a concept"


@dataclass(slots=True)
class EntityList:
    """Collects the entities of a graph: names, concepts and degrees by IRI.

    `facts` is the pattern of a fact ?s ?p ?o, `outside` a filter on ?x that keeps out what is no entity.
    """

    reader: Reader
    names: Names
    facts: str = TRIPLES.pattern
    outside: str = ""
    labels: dict[str, list[Name]] = field(default_factory=lambda: defaultdict(list))
    concepts: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    degrees: Counter[str] = field(default_factory=Counter)

    def read_names(self) -> None:
        """Labels and aliases of every IRI that has some."""
        for predicate in self.names.predicates:
            self._listing(
                f"SELECT ?x ?label WHERE {{ ?x <{predicate}> ?label FILTER(isIRI(?x)) {self.outside} }}",
                "entity labels",
                partial(self._add_name, predicate),
            )

    def _add_name(self, predicate: str, subject: str, label: Term) -> None:
        if name := self.names.name(predicate, label):
            self.labels[subject].append(name)

    def read_concepts(self, type_predicate: str) -> None:
        """The concepts of every IRI that has some."""
        self._listing(
            f"SELECT ?x ?c WHERE {{ ?x <{type_predicate}> ?c"
            f" FILTER(isIRI(?x) && isIRI(?c)) {self.outside} }}",
            "entity concepts",
            self._add_concept,
        )

    def _add_concept(self, subject: str, concept: Term) -> None:
        self.concepts[subject].append(concept.value)

    def without_concept(self, type_predicate: str, excluded: Collection[str]) -> set[str]:
        """The IRIs that have facts, but no concept."""
        found: set[str] = set()
        for end in ("?s", "?o"):
            pattern = f"{self.facts} {_not_in(excluded)} FILTER NOT EXISTS {{ {end} <{type_predicate}> ?t }}"
            text = f"SELECT {end} ?p WHERE {{ {pattern} FILTER(isIRI({end})) }}"
            try:
                self._listing(text, _WITHOUT_CONCEPT, lambda subject, _: found.add(subject))
            except EndpointTimeout:
                self.reader.sampled[_WITHOUT_CONCEPT] = "not all: the store did not list them in time"
        return found

    def read_degrees(self, iris: Collection[str], excluded: Collection[str]) -> None:
        """The number of facts of each IRI, both ways, without those of the `excluded` predicates."""
        ordered = sorted(iris)
        unknown = 0
        for start in range(0, len(ordered), _PER_QUERY):
            self.reader.progress("entity degrees", start, len(ordered))
            some = ordered[start : start + _PER_QUERY]
            if self.reader.over_budget or not self._count_facts(some, excluded):
                unknown += len(some)
        if unknown:
            self.reader.sampled["entity degrees"] = (
                f"unknown for {unknown}: the store did not count them in time"
            )

    def _count_facts(self, iris: Sequence[str], excluded: Collection[str]) -> bool:
        for end in ("s", "o"):
            pattern = f"{values_block(end, iris)} {self.facts} {_not_in(excluded)}"
            text = f"SELECT ?{end} (COUNT(*) AS ?n) WHERE {{ {pattern} }} GROUP BY ?{end}"
            try:
                for subject, number in self.reader.rows(text):
                    self.degrees[value(subject)] += integer(number)
            except EndpointTimeout:
                return False
        return True

    def _listing(self, text: str, what: str, add: Callable[[str, Term], None]) -> None:
        """Read a listing of subjects and values, up to the limits of time and size."""
        most = self.reader.limits.entities * _ROWS_PER_ENTITY
        for number, (subject, other) in enumerate(self.reader.rows(text)):
            if number % _TOLD_EVERY == 0:
                self.reader.progress(what, number, 0)
                if self.reader.over_budget or number > most:
                    self.reader.sampled[what] = (
                        f"the first {number} rows: the limit of time or size was reached"
                    )
                    return
            if subject is not None and other is not None:
                add(subject.value, other)

    def items(self, iris: Iterable[str], hierarchy: Hierarchy) -> tuple[EntityItem, ...]:
        """The entities among `iris`, highest degree first and then by IRI, at most the limit."""
        ranked = sorted(iris, key=lambda one: (-self.degrees[one], one))
        limit = self.reader.limits.entities
        if len(ranked) > limit:
            self.reader.sampled["entities"] = f"the {limit} with the most facts of {len(ranked)}"
        return tuple(self._item(one, hierarchy) for one in ranked[:limit])

    def _item(self, iri: str, hierarchy: Hierarchy) -> EntityItem:
        found = self.labels.get(iri, ())
        texts = list(dict.fromkeys(name.text for name in sorted(found))) or [name_from_iri(iri)]
        concepts = hierarchy.most_specific(self.concepts.get(iri, ()))
        return EntityItem(iri, texts[0], tuple(texts[1:]), concepts, self.degrees[iri])


def _not_in(predicates: Collection[str]) -> str:
    """A filter on `?p`."""
    iris = ", ".join(f"<{one}>" for one in sorted(predicates))
    return f"FILTER(?p NOT IN ({iris}))" if iris else ""
