"""Random sets with a description in English."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random

from compilers.kopl.functions import ValueType
from training.kqapro.clauses import English, agreed, heads
from training.kqapro.labels import suffix
from training.kqapro.pools import Pools
from training.kqapro.trees import Call, Condition, Edge, Set

_OPERATORS = ("=", "=", "<", ">", ">", "<", "!=")
_DISAMBIGUATIONS = (
    "{name} (the one {clause})",
    "{name} (the one {clause})",
    "{name} ({clause})",
    "{name}, {clause},",
    "{name} {clause}",
)
_DEEPEST = 2


@dataclass(frozen=True, slots=True)
class Described:
    """A set, its noun where it has one, and the clauses about it."""

    set: Set
    name: str = ""
    concept: str = ""
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Describer:
    """Draws sets from the pools, and says them."""

    pools: Pools
    random: Random

    @property
    def english(self) -> English:
        """Ways of saying things, drawn from the same source."""
        return English(self.random)

    def named(self, relation: str = "", end: str = "", name: str = "", depth: int = 0) -> Described:
        """A named entity, at an end of a relation if one is given; sometimes with a clause."""
        found = name or self.pools.subject(relation, end, self.random)
        plain = Described(Set(found), found)
        if self.random.random() < 0.6 or depth >= _DEEPEST:
            return plain
        return self.with_clause(plain, depth + 1)

    def kind(self, concept: str, clauses: int, depth: int = 0) -> Described:
        """The members of a concept with this number of clauses."""
        found = Described(Set(concepts=(concept,)), concept=concept)
        for _ in range(clauses):
            found = self.with_clause(found, depth)
        return found

    def with_clause(self, found: Described, depth: int = 0) -> Described:
        """The same with one more clause: an edge, or a condition."""
        make = self._edge if self.random.random() < 0.55 else self._condition
        part, clause = make(found, depth)
        return replace(found, set=found.set.meet(part), clauses=(*found.clauses, clause))

    def condition(
        self, kind: ValueType, attribute: str = "", operator: str = "", concept: str = ""
    ) -> tuple[Set, str]:
        """A set of one condition on an attribute with values of this type, and its clause."""
        found = attribute or self.pools.attribute(kind, self.random, concept)
        value = self.pools.value(found, kind, self.random)
        chosen = operator or self.random.choice(_OPERATORS)
        rest = () if kind == ValueType.STRING else (chosen,)
        call = Call("Filter" + suffix(kind), (found, value, *rest))
        clause = self.english.condition(call)
        timeless = kind in (ValueType.STRING, ValueType.QUANTITY)
        qualifiers = self.qualifiers(found) if timeless else ()
        said = "".join(self.english.qualifier(qualifier) for qualifier in qualifiers)
        return Set(conditions=(Condition(call, qualifiers),)), clause + said

    def qualifiers(self, label: str, share: float = 0.12) -> tuple[Call, ...]:
        """A qualifier filter for a share of the facts, of a known qualifier of this label, else of time."""
        if self.random.random() > share:
            return ()
        known = self.pools.qualifiers.get(label)
        year = self.pools.value("", ValueType.YEAR, self.random)
        qualifier, value = self.random.choice(known) if known else ("point in time", year)
        kind = self.pools.labels.type_of(qualifier, value)
        if kind == ValueType.STRING:
            return (Call("QFilterStr", (qualifier, value)),)
        operator = "=" if self.random.random() < 0.75 else self.random.choice(_OPERATORS)
        made = self.pools.value(qualifier, kind, self.random) if self.random.random() < 0.7 else value
        kind = self.pools.labels.type_of(qualifier, made)
        return (Call("QFilter" + suffix(kind), (qualifier, made, operator)),)

    def text(self, found: Described, is_many: bool = False, article: bool = True) -> str:
        """The description as a noun phrase: `the films whose duration is 98 minutes`."""
        clause = " and ".join(agreed(clause, is_many) for clause in found.clauses)
        if found.name:
            way = self.random.choice(_DISAMBIGUATIONS) if clause else "{name}"
            return way.format(name=found.name, clause=clause)
        noun = heads(found.concept, is_many, self.random)
        if len(found.clauses) == 1 and self.random.random() < 0.15:
            clause = f"({clause})"
        return f"{'the ' if article else ''}{noun} {clause}".rstrip()

    def _edge(self, found: Described, depth: int) -> tuple[Set, str]:
        relation, end, name = self._relation(found)
        direction, other_end = ("backward", "object") if end == "subject" else ("forward", "subject")
        if depth < _DEEPEST and self.random.random() < 0.3:
            other = self.kind(self.pools.head(relation, other_end, self.random), 1, depth + 1)
        else:
            other = self.named(relation, other_end, name, depth + 1)
        edge = Edge(relation, direction, other.set, self.qualifiers(relation))
        said = self.english.edge(edge, self.text(other))
        return Set(edges=(edge,)), said + "".join(self.english.qualifier(call) for call in edge.qualifiers)

    def _relation(self, found: Described) -> tuple[str, str, str]:
        """A relation, at which end of it the set is, and a name at the other end where one is known."""
        known = self.pools.about.get(found.name)
        if known and self.random.random() < 0.9:
            return self.random.choice(known)
        fitting = [
            place for place in self.pools.labels_of.get(found.concept, ()) if place[0] in self.pools.facts
        ]
        if fitting and self.random.random() < 0.85:
            return *self.random.choice(fitting), ""
        return self.random.choice(list(self.pools.facts)), self.random.choice(("subject", "object")), ""

    def _condition(self, found: Described, _: int) -> tuple[Set, str]:
        kinds = (ValueType.STRING, ValueType.QUANTITY, ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE)
        return self.condition(self.random.choice(kinds), concept=found.concept)
