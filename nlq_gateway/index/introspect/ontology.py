"""Declarations of an ontology or shapes in the graph: used where data lack, never against the data.

Sources: W3C, OWL 2 Mapping to RDF Graphs, 2012; RDF Schema 1.1, 2014; SHACL, 2017. `schema:domainIncludes`
and `schema:rangeIncludes` count as domains and ranges.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from compilers.layouts.vocabulary import OWL, RDF, RDFS, SCHEMA, SHACL, SKOS
from connectors.results import Row, Term
from nlq_gateway.index.introspect.pages import value, values_block
from nlq_gateway.index.introspect.reader import StoreReader

ONTOLOGY = "ontology"

_TYPE = RDF + "type"
_SCHEMAS = (SCHEMA, "https://schema.org/")
_DOMAINS = (RDFS + "domain", *(space + "domainIncludes" for space in _SCHEMAS))
_RANGES = (RDFS + "range", *(space + "rangeIncludes" for space in _SCHEMAS))
_INVERSES = (OWL + "inverseOf", *(space + "inverseOf" for space in _SCHEMAS))
_FUNCTIONAL, _SYMMETRIC = OWL + "FunctionalProperty", OWL + "SymmetricProperty"
_DEPRECATED = (OWL + "DeprecatedProperty", OWL + "DeprecatedClass")
_CLASSES = (OWL + "Class", RDFS + "Class")
# SKOS Reference, 2009, S8 and S25: a thesaurus seldom holds the declarations themselves.
_SKOS_INVERSES = {SKOS + "hasTopConcept": {SKOS + "topConceptOf"}, SKOS + "broader": {SKOS + "narrower"}}
_LINKS = (*_DOMAINS, *_RANGES, *_INVERSES, OWL + "equivalentClass", OWL + "deprecated")
# The restrictions that give the class of values, or of the members themselves.
_OF_VALUES = tuple(OWL + name for name in ("someValuesFrom", "allValuesFrom", "onClass"))
_ON_SHAPE = tuple(
    SHACL + name for name in ("class", "maxCount", "qualifiedMaxCount", "name", "description", "in")
)
_MEMBER = f"<{RDF}rest>*/<{RDF}first>"

_TYPES = (
    f"SELECT ?x ?t WHERE {{ {values_block('t', (*_CLASSES, _FUNCTIONAL, _SYMMETRIC, *_DEPRECATED))}"
    f" ?x <{_TYPE}> ?t FILTER(isIRI(?x)) }}"
)
_LINKED = (
    f"SELECT ?x ?r ?o WHERE {{ {values_block('r', _LINKS)} ?x ?r ?o FILTER(isIRI(?x) && !isBlank(?o)) }}"
)
_UNIONS = (
    f"SELECT ?x ?r ?o WHERE {{ {values_block('r', (*_DOMAINS, *_RANGES))} ?x ?r ?union ."
    f" ?union <{OWL}unionOf> ?list . ?list {_MEMBER} ?o FILTER(isIRI(?x) && isIRI(?o)) }}"
)
_RESTRICTIONS = (
    f"SELECT ?x ?r ?o ?c WHERE {{ {values_block('r', _OF_VALUES)} ?node ?r ?o ; <{OWL}onProperty> ?x ."
    f" ?c <{RDFS}subClassOf>|<{OWL}equivalentClass> ?node FILTER(isIRI(?x) && isIRI(?o) && isIRI(?c)) }}"
)
# A shape that is a class itself is about its own members.
_TARGET = (
    f"{{ ?shape <{SHACL}targetClass> ?c }} UNION {{ ?shape <{_TYPE}> <{RDFS}Class> BIND(?shape AS ?c) }}"
    f" UNION {{ ?shape <{_TYPE}> <{OWL}Class> BIND(?shape AS ?c) }}"
)
_PATH = (
    f"?shape <{SHACL}property> ?node . ?node <{SHACL}path> ?path"
    f" OPTIONAL {{ ?path <{SHACL}inversePath> ?backward }}"
)
_SHAPES = (
    f"SELECT ?path ?backward ?r ?o ?c WHERE {{ {_PATH} {_TARGET}"
    f" OPTIONAL {{ {values_block('r', _ON_SHAPE)} ?node ?r ?o }} }}"
)
_LISTS = f"SELECT ?path ?o WHERE {{ {_PATH} ?node <{SHACL}in> ?list . ?list {_MEMBER} ?o }}"

Links = Mapping[str, frozenset[str]]


@dataclass(frozen=True, slots=True)
class Ontology:
    """The declarations about classes and properties, by their IRIs.

    `names` and `notes` come from shapes, and so do `values`, the only ones that a property may have.
    `functional` properties have one value at most.
    """

    classes: frozenset[str] = frozenset()
    equivalents: Links = field(default_factory=dict)
    domains: Links = field(default_factory=dict)
    ranges: Links = field(default_factory=dict)
    inverses: Links = field(default_factory=dict)
    functional: frozenset[str] = frozenset()
    deprecated: frozenset[str] = frozenset()
    names: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)
    notes: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)
    values: Mapping[str, tuple[Term, ...]] = field(default_factory=dict)


NOTHING_DECLARED = Ontology()


def read_ontology(reader: StoreReader) -> Ontology:
    """Read the declarations by six small queries; those for vocabularies not in use are left out."""
    reader.begin(ONTOLOGY)
    uses = reader.plan.vocabularies
    asked = {
        "types": _TYPES,
        "links": _LINKED,
        **({"unions": _UNIONS, "restrictions": _RESTRICTIONS} if uses is None or "OWL" in uses else {}),
        **({"shapes": _SHAPES, "lists": _LISTS} if uses is None or "SHACL" in uses else {}),
    }
    found = {name: reader.listed(text, ONTOLOGY) for name, text in asked.items()}
    collected = _Collected()
    collected.take_types(found["types"])
    collected.take_links((*found["links"], *found.get("unions", ())))
    collected.take_restrictions(found.get("restrictions", ()))
    collected.take_shapes(found.get("shapes", ()))
    for path, member in found.get("lists", ()):
        if path is not None and path.kind == "iri" and member is not None:
            collected.values[path.value].append(member)
    return collected.frozen()


class _Collected:
    """Declarations as they are read, from which an ontology is made."""

    def __init__(self) -> None:
        self.typed: dict[str, set[str]] = defaultdict(set)
        self.links: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
        for iri, inverses in _SKOS_INVERSES.items():
            self.links[OWL + "inverseOf"][iri] |= inverses
        self.single: set[str] = set()
        self.deprecated: set[str] = set()
        self.texts: dict[str, dict[str, list[Term]]] = defaultdict(lambda: defaultdict(list))
        self.values: dict[str, list[Term]] = defaultdict(list)

    def take_types(self, rows: Iterable[Row]) -> None:
        for thing, declared in rows:
            self.typed[value(declared)].add(value(thing))

    def take_links(self, rows: Iterable[Row]) -> None:
        for thing, link, other in rows:
            if value(link) == OWL + "deprecated":
                self.deprecated.update([value(thing)] if value(other) in ("true", "1") else [])
            elif other is not None and other.kind == "iri":
                self.links[_plain(value(link))][value(thing)].add(other.value)

    def take_restrictions(self, rows: Iterable[Row]) -> None:
        """Take restrictions: the range of a property for the members of a class."""
        for thing, _, values, members in rows:
            self.links[RDFS + "range"][value(thing)].add(value(values))
            self.links[RDFS + "domain"][value(thing)].add(value(members))

    def take_shapes(self, rows: Iterable[Row]) -> None:
        for path, backward, constraint, value_of, members in rows:
            forward = path is not None and path.kind == "iri"
            iri = value(path) if forward else value(backward)
            if not iri:
                continue
            near, far = ("domain", "range") if forward else ("range", "domain")
            self.links[RDFS + near][iri].add(value(members))
            kind = value(constraint).removeprefix(SHACL)
            if kind == "class":
                self.links[RDFS + far][iri].add(value(value_of))
            elif kind in ("maxCount", "qualifiedMaxCount") and value(value_of) == "1" and forward:
                self.single.add(iri)
            elif kind in ("name", "description") and value_of is not None and forward:
                self.texts[kind][iri].append(value_of)

    def frozen(self) -> Ontology:
        inverses = _both_ways(self.links[OWL + "inverseOf"])
        for iri in self.typed[_SYMMETRIC]:
            inverses[iri] = inverses.get(iri, frozenset()) | {iri}
        return Ontology(
            frozenset(iri for declared in _CLASSES for iri in self.typed[declared]),
            _both_ways(self.links[OWL + "equivalentClass"]),
            _frozen(self.links[RDFS + "domain"]),
            _frozen(self.links[RDFS + "range"]),
            inverses,
            frozenset(self.typed[_FUNCTIONAL] | self.single),
            frozenset(self.deprecated.union(*(self.typed[one] for one in _DEPRECATED))),
            {iri: tuple(dict.fromkeys(terms)) for iri, terms in self.texts["name"].items()},
            {iri: tuple(dict.fromkeys(terms)) for iri, terms in self.texts["description"].items()},
            {iri: tuple(dict.fromkeys(terms)) for iri, terms in self.values.items()},
        )


def _plain(link: str) -> str:
    """The equivalent link of RDF Schema or OWL."""
    for plain, group in (
        (RDFS + "domain", _DOMAINS),
        (RDFS + "range", _RANGES),
        (OWL + "inverseOf", _INVERSES),
    ):
        if link in group:
            return plain
    return link


def _frozen(links: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    return {iri: frozenset(others) for iri, others in links.items()}


def _both_ways(links: Mapping[str, Iterable[str]]) -> dict[str, frozenset[str]]:
    both: dict[str, set[str]] = defaultdict(set)
    for iri, others in links.items():
        for other in others:
            both[iri].add(other)
            both[other].add(iri)
    return _frozen(both)
