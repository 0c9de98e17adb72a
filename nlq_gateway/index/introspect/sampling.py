"""Predicates and classes of a store that is too large to list all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator

from compilers.layouts.vocabulary import OWL, RDF, RDFS
from nlq_gateway.index.introspect.pages import TOO_MUCH, Pages, integer, value, values_block
from nlq_gateway.index.introspect.plan import Void

TYPE = RDF + "type"
_FIRST = 10_000
_MEMBERS = 200
_CLASSES = 200
_PROPERTIES = (RDF + "Property", OWL + "ObjectProperty", OWL + "DatatypeProperty")
_DECLARED = f"{values_block('t', _PROPERTIES)} ?p <{TYPE}> ?t FILTER(isIRI(?p))"


def sampled_predicates(pages: Pages, classes: Iterable[str], stated: Void) -> tuple[str, ...]:
    """The predicates that VoID states, an ontology declares, or some entities of each class have."""
    found = Counter(stated.properties)
    for pattern in _places(classes):
        if pages.over_budget:
            break
        try:
            rows = pages.some(f"SELECT DISTINCT ?p WHERE {{ {pattern} }} LIMIT {_FIRST}", _FIRST)
        except TOO_MUCH:
            continue
        found.update(value(row[0]) for row in rows if row[0] is not None)
    return tuple(iri for iri, _ in sorted(found.items(), key=lambda pair: (-pair[1], pair[0])))


def _places(classes: Iterable[str]) -> Iterator[str]:
    """Patterns that bind some of the ?p, none of them slower in a larger store."""
    yield _DECLARED
    yield f"{{ SELECT ?p WHERE {{ ?s ?p ?o }} LIMIT {_FIRST} }}"
    for iri in list(classes)[:_CLASSES]:
        some = f"{{ SELECT ?s WHERE {{ ?s <{TYPE}> <{iri}> }} LIMIT {_MEMBERS} }}"
        yield f"{some} ?s ?p ?o"
        yield f"{some} ?o ?p ?s"


def sampled_classes(pages: Pages) -> set[str]:
    """The classes that an ontology declares or the first members are in."""
    declared = f"{values_block('t', (OWL + 'Class', RDFS + 'Class'))} ?c <{TYPE}> ?t"
    first = f"{{ SELECT ?c WHERE {{ ?s <{TYPE}> ?c }} LIMIT {_FIRST} }}"
    subjects = f"{{ SELECT DISTINCT ?s WHERE {{ ?s ?p ?o }} LIMIT {_FIRST} }} ?s <{TYPE}> ?c"
    found: set[str] = set()
    for pattern in (declared, first, subjects):
        try:
            text = f"SELECT DISTINCT ?c WHERE {{ {pattern} FILTER(isIRI(?c)) }} LIMIT {_FIRST}"
            found.update(value(row[0]) for row in pages.some(text, _FIRST) if row[0] is not None)
        except TOO_MUCH:
            continue
    return found


def members_of(pages: Pages, classes: Iterable[str], most: int) -> Counter[str]:
    """The number of members of each class, counted up to `most`."""
    counts: Counter[str] = Counter()
    for iri in sorted(classes):
        some = f"{{ SELECT ?s WHERE {{ ?s <{TYPE}> <{iri}> }} LIMIT {most} }}"
        try:
            rows = pages.some(f"SELECT (COUNT(*) AS ?n) WHERE {{ {some} }}", 1)
        except TOO_MUCH:
            rows = ()
        counts[iri] = integer(rows[0][0]) if rows else 0
    return counts
