"""A small graph in memory, for the reference interpreter.

The model is KQA Pro's (Cao et al. 2022, section 3.1): entities belong to concepts, concepts lie below
concepts, and two sorts of facts, attributes and relations, carry qualifiers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeVar

from compilers.kopl.functions import ValueType
from compilers.kopl.values import Quantity, String, Value, Year, by_commonness, parse_value, type_of

Qualifiers = frozenset[tuple[str, Value]]
_K = TypeVar("_K")
_V = TypeVar("_V")


@dataclass(frozen=True, slots=True)
class Concept:
    """A class of entities; `parents` are ids of concepts."""

    name: str
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Entity:
    """A thing with a name; `concepts` are the ids of those it belongs to directly."""

    name: str
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AttributeFact:
    """`entity` (an id) has `value` for `attribute`."""

    entity: str
    attribute: str
    value: Value
    qualifiers: Qualifiers = frozenset()


@dataclass(frozen=True, slots=True)
class RelationFact:
    """`source` leads to `target` (ids) by `relation`; stored once, in this direction."""

    source: str
    relation: str
    target: str
    qualifiers: Qualifiers = frozenset()


Fact = AttributeFact | RelationFact


@dataclass(frozen=True)
class Graph:
    """Entities and concepts by id, and the facts. Facts may lead to concepts as well as to entities.

    No slots, because the indexes below are cached in the instance's `__dict__`.
    """

    entities: Mapping[str, Entity]
    concepts: Mapping[str, Concept]
    attributes: frozenset[AttributeFact]
    relations: frozenset[RelationFact]

    def name(self, node: str) -> str:
        """The name of an entity or a concept."""
        return (self.entities.get(node) or self.concepts[node]).name

    @cached_property
    def nodes_by_name(self) -> Mapping[str, frozenset[str]]:
        """Ids of all entities and concepts of one name."""
        names = [(item.name, key) for table in (self.entities, self.concepts) for key, item in table.items()]
        return _grouped(names)

    @cached_property
    def members(self) -> Mapping[str, frozenset[str]]:
        """Ids of the entities that belong to a concept of this name or to one below it."""
        return _grouped(
            (self.concepts[concept].name, key)
            for key, entity in self.entities.items()
            for concept in self.with_ancestors(entity.concepts)
        )

    @cached_property
    def by_attribute(self) -> Mapping[str, frozenset[AttributeFact]]:
        """The facts of one attribute."""
        return _grouped((fact.attribute, fact) for fact in self.attributes)

    @cached_property
    def by_relation(self) -> Mapping[str, frozenset[RelationFact]]:
        """The facts of one relation."""
        return _grouped((fact.relation, fact) for fact in self.relations)

    @cached_property
    def attribute_types(self) -> Mapping[str, tuple[ValueType, ...]]:
        """The types of each attribute's values, the commonest first."""
        stated = {(fact.entity, fact.attribute, fact.value) for fact in self.attributes}
        return _types((attribute, value) for _, attribute, value in stated)

    @cached_property
    def qualifier_types(self) -> Mapping[str, tuple[ValueType, ...]]:
        """The types of each qualifier's values, the commonest first."""
        facts: tuple[Fact, ...] = (*self.attributes, *self.relations)
        return _types(pair for fact in facts for pair in fact.qualifiers)

    def with_ancestors(self, concepts: Iterable[str]) -> frozenset[str]:
        """The concepts and all above them; a circle of parents is no obstacle."""
        found: set[str] = set()
        waiting = list(concepts)
        while waiting:
            concept = waiting.pop()
            if concept not in found:
                found.add(concept)
                waiting.extend(self.concepts[concept].parents)
        return frozenset(found)


def graph_from_kopl_json(data: Mapping[str, Any]) -> Graph:
    """The graph of a parsed `kb.json` of KoPL or of KQA Pro.

    Concepts may name their parents under `subclassOf` or `instanceOf`, relations their label under
    `relation` or `predicate`. A fact listed at both of its ends becomes one fact.
    """
    items = data["entities"]
    return Graph(
        {key: Entity(item["name"], tuple(item.get("instanceOf", ()))) for key, item in items.items()},
        {
            key: Concept(item["name"], tuple(item.get("subclassOf", item.get("instanceOf", ()))))
            for key, item in data["concepts"].items()
        },
        frozenset(_attribute(key, f) for key, item in items.items() for f in item.get("attributes", ())),
        frozenset(_relation(key, f) for key, item in items.items() for f in item.get("relations", ())),
    )


def _attribute(entity: str, item: Mapping[str, Any]) -> AttributeFact:
    return AttributeFact(entity, item["key"], _value(item["value"]), _qualifiers(item))


def _relation(entity: str, item: Mapping[str, Any]) -> RelationFact:
    label = item["relation"] if "relation" in item else item["predicate"]
    ends = {"forward": (entity, item["object"]), "backward": (item["object"], entity)}
    source, target = ends[item["direction"]]
    return RelationFact(source, label, target, _qualifiers(item))


def _qualifiers(item: Mapping[str, Any]) -> Qualifiers:
    qualifiers = item.get("qualifiers", {})
    return frozenset((key, _value(value)) for key, values in qualifiers.items() for value in values)


def _value(item: Mapping[str, Any]) -> Value:
    kind, value = ValueType(item["type"]), item["value"]
    if kind == ValueType.QUANTITY:
        return Quantity(float(value), item.get("unit", "1"))
    if kind == ValueType.YEAR:
        return Year(int(value))
    return String(str(value)) if kind == ValueType.STRING else parse_value(str(value), kind)


def _types(pairs: Iterable[tuple[str, Value]]) -> Mapping[str, tuple[ValueType, ...]]:
    counts: defaultdict[str, Counter[ValueType]] = defaultdict(Counter)
    for key, value in pairs:
        counts[key][type_of(value)] += 1
    return {key: by_commonness(types) for key, types in counts.items()}


def _grouped(pairs: Iterable[tuple[_K, _V]]) -> Mapping[_K, frozenset[_V]]:
    groups: defaultdict[_K, set[_V]] = defaultdict(set)
    for key, value in pairs:
        groups[key].add(value)
    return {key: frozenset(values) for key, values in groups.items()}
