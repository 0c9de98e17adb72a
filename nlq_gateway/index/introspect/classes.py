"""The classes of a graph in plain RDF: stated, declared, and the hierarchy of both."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace

from compilers.kopl.functions import Kind
from compilers.layouts.vocabulary import OWL, RDF, RDFS, SHACL, VOID
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index.hierarchy import Hierarchy
from nlq_gateway.index.introspect.ontology import Ontology
from nlq_gateway.index.introspect.pages import TOO_MUCH, integer, value, values_block
from nlq_gateway.index.introspect.reader import StoreReader
from nlq_gateway.index.introspect.sampling import TYPE, members_of, sampled_classes
from nlq_gateway.index.introspect.usage import PredicateUsage

_SUBCLASS = RDFS + "subClassOf"
_SERVICE = "http://www.w3.org/ns/sparql-service-description#"
_VOCABULARIES = (RDF, RDFS, OWL, SHACL, VOID, _SERVICE)
_STAGE = "concepts"
_COUNTS = "members below"
# Up to this size a store counts the distinct members of several classes; beyond, their sum is near enough.
_MOST_COUNTED = 1_000_000


def is_vocabulary(iri: str) -> bool:
    """True if an IRI belongs to a vocabulary that describes graphs, not to their content."""
    return iri.startswith(_VOCABULARIES)


def read_classes(reader: StoreReader, ontology: Ontology, fact_class: str) -> tuple[Counter[str], Hierarchy]:
    """Members of each class as stated, declared classes without members included, and the hierarchy."""
    reader.begin(_STAGE)
    members = _members(reader, ontology)
    classes = set(ontology.classes)
    parents: dict[str, list[str]] = defaultdict(list)
    text = f"SELECT ?c ?parent WHERE {{ ?c <{_SUBCLASS}> ?parent FILTER(isIRI(?c) && isIRI(?parent)) }}"
    for concept, parent in reader.listed(text, "concepts above others"):
        parents[value(concept)].append(value(parent))
        classes.update((value(concept), value(parent)))
    every = {*members, *classes} - {fact_class}
    found = Counter({iri: members[iri] for iri in every if not is_vocabulary(iri)})
    reader.classes = tuple(iri for iri, _ in found.most_common())
    return found, Hierarchy({child: sorted(above) for child, above in parents.items()})


def _members(reader: StoreReader, ontology: Ontology) -> Counter[str]:
    """Members of each class: counted, else as VoID states them, else of the classes in a sample."""
    if reader.plan.classes is not None:
        return Counter(reader.plan.classes)
    text = f"SELECT ?c (COUNT(*) AS ?n) WHERE {{ ?s <{TYPE}> ?c }} GROUP BY ?c"
    try:
        rows = list(reader.rows(text, within_s=reader.budget.left_s / 2))
        return Counter({one.value: integer(count) for one, count in rows if one and one.kind == "iri"})
    except TOO_MUCH as error:
        stated = Counter(reader.plan.void.classes)
        found = sampled_classes(reader) | ontology.classes
        if not found and not stated and reader.gives_up(error):
            raise
        most = reader.limits.sample_facts
        how = f"as VoID states, and those in a sample, counted up to {most} members"
        reader.sampled[_STAGE] = f"{how if stated else how.partition(', and ')[2]}: {error.message}"
        return stated + members_of(reader, found - stated.keys(), most)


def add_classes_in_use(
    reader: StoreReader, members: Counter[str], usages: Iterable[PredicateUsage], others: Collection[str]
) -> None:
    """Add the classes of subjects and objects that a sample of the members did not show.

    `others` are kinds of things that are no classes.
    """
    if _STAGE not in reader.sampled:
        return
    ends = (counts for usage in usages for counts in (usage.domains, usage.ranges))
    shown = {iri for counts in ends for classes in counts.values() for iri in classes}
    missing = {iri for iri in shown if iri not in {*members, *others} and not is_vocabulary(iri)}
    members.update(members_of(reader, missing, reader.limits.sample_facts))


def count_members(reader: StoreReader, members: Counter[str], hierarchy: Hierarchy) -> Counter[str]:
    """The members of each class and of those below it, distinct as far as the store counts them.

    Otherwise a class counts its stated members, else the sum of those below it.
    """
    reader.begin(_STAGE)
    used = [iri for iri in members if members[iri]]
    ending = {iri: [one for one in used if one == iri or iri in hierarchy.ancestors(one)] for iri in members}
    counts = Counter({iri: members[iri] or sum(members[one] for one in ending[iri]) for iri in members})
    for iri, found in ending.items():
        size = sum(members[one] for one in found)
        if len(found) < 2 or size > _MOST_COUNTED or _STAGE in reader.sampled:
            continue
        pattern = f"{values_block('c', found)} ?s <{TYPE}> ?c"
        try:
            rows = reader.some(f"SELECT (COUNT(DISTINCT ?s) AS ?n) WHERE {{ {pattern} }}", 1)
        except TOO_MUCH as error:
            reader.sampled[_COUNTS] = f"those of classes below others, one by one: {error.message}"
            break
        counts[iri] = integer(rows[0][0]) if rows else counts[iri]
    return counts


def concepts_of(counts: Counter[str], hierarchy: Hierarchy) -> Iterator[SchemaItem]:
    """The schema items of classes with their numbers of members."""
    for iri, count in counts.items():
        parents = tuple(one for one in hierarchy.direct_parents(iri) if not is_vocabulary(one))
        yield SchemaItem(Kind.CONCEPT, iri, "", count=count, parents=parents)


def merge_equivalents(
    items: Collection[SchemaItem], members: Counter[str], ontology: Ontology
) -> Iterator[SchemaItem]:
    """The items, a class with the names of equivalent classes that have no members.

    Those are then no items of their own: a question that names them means the class that has members.
    """
    concepts = {item.iri: item for item in items if item.kind == Kind.CONCEPT}
    unused: dict[str, set[str]] = {
        iri: {one for one in ontology.equivalents.get(iri, ()) if one in concepts and not members[one]}
        for iri in concepts
        if members[iri]
    }
    merged = {one for others in unused.values() for one in others}
    for item in items:
        if item.kind == Kind.CONCEPT and item.iri in merged:
            continue
        same = [concepts[one] for one in sorted(unused.get(item.iri, ()))] if item.iri in concepts else []
        names = (name for one in same for name in (one.label, *one.aliases) if name != item.label)
        yield replace(item, aliases=tuple(dict.fromkeys((*item.aliases, *names)))) if same else item
