"""Contradictions between data and declarations: the data count, and the index has a warning."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from nlq_gateway.index.hierarchy import Hierarchy
from nlq_gateway.index.introspect.ontology import Ontology
from nlq_gateway.index.introspect.reader import Counts
from nlq_gateway.index.introspect.usage import PredicateUsage

_SHOWN = 3


def contradictions(
    usages: Collection[PredicateUsage], ontology: Ontology, members: Mapping[str, int], hierarchy: Hierarchy
) -> list[str]:
    """One warning for each kind of contradiction, with its first predicates."""
    several = {
        iri
        for usage in usages
        for iri in ontology.functional & usage.count.keys()
        if usage.count[iri] > usage.subjects[iri]
    }
    domains = _outside((usage.domains for usage in usages), ontology.domains, members, hierarchy)
    ranges = _outside((usage.ranges for usage in usages), ontology.ranges, members, hierarchy)
    found = {
        "declared to have one value, but something has several": several,
        "used with no subject of the classes that are declared as their domains": set(domains),
        "used with no value of the classes that are declared as their ranges": set(ranges),
    }
    return [f"{_listed(iris)}: {what}" for what, iris in found.items() if iris]


def _outside(
    used: Iterable[Counts],
    declared: Mapping[str, frozenset[str]],
    members: Mapping[str, int],
    hierarchy: Hierarchy,
) -> Iterator[str]:
    """The predicates whose classes in use are neither declared for them, nor above or below those."""
    for counts in used:
        for iri, classes in counts.items():
            wanted = {one for one in declared.get(iri, ()) if one in members}
            near = wanted.union(*(hierarchy.ancestors(one) | hierarchy.descendants(one) for one in wanted))
            if wanted and classes and near.isdisjoint(classes):
                yield iri


def _listed(iris: Collection[str]) -> str:
    first = sorted(iris)[:_SHOWN]
    shown = ", ".join(f"<{iri}>" for iri in first)
    rest = len(iris) - len(first)
    return f"{shown} and {rest} more" if rest else shown
