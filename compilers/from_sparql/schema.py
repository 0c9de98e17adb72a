"""Facts about a graph's predicates that a query does not state and its program depends on."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from compilers.kopl.functions import ValueType
from compilers.layouts.vocabulary import RDF, RDFS


@dataclass(frozen=True, slots=True)
class Attribute:
    """A predicate with literal objects.

    `single`: no entity has two values of it. `everywhere`: the classes all of whose members have one. Empty
    `value_types`: not known.
    """

    value_types: tuple[ValueType, ...] = ()
    single: bool = True
    everywhere: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Relation:
    """A predicate between entities.

    `single`: no subject has two objects. `inverse_single`: no object has two subjects.
    """

    single: bool = True
    inverse_single: bool = True


@dataclass(frozen=True, slots=True)
class Schema:
    """The predicates of one graph by IRI. One that the graph lacks is in neither mapping: it has no facts.

    `membership` leads from an entity to its classes, `hierarchy` from a class to those above it, and `below`
    gives the classes below one. `labels` lead to the names of entities.
    """

    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    relations: Mapping[str, Relation] = field(default_factory=dict)
    membership: str = RDF + "type"
    hierarchy: str = RDFS + "subClassOf"
    below: Callable[[str], tuple[str, ...]] = lambda _concept: ()
    labels: frozenset[str] = frozenset()

    def attribute(self, iri: str) -> Attribute:
        """The known facts about an attribute; defaults for an unknown one."""
        return self.attributes.get(iri, Attribute())

    def is_single(self, predicate: str, direction: str) -> bool:
        """True if a relation leads an entity to at most one other, in a direction."""
        relation = self.relations.get(predicate, Relation())
        return relation.single if direction == "forward" else relation.inverse_single
