"""Graphs that differ from a given one in their facts alone: same things, classes, names and relations.

Facts of a predicate, between things of the same classes, exchange their ends; numbers and dates move; some
facts go. What a graph says twice stays consistent: a relation and its inverse, a symmetric one, a foreign key
and the relation that was made of it.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cached_property
from random import Random

import pyoxigraph as ox

from compilers.layouts.vocabulary import RDF
from nlq_gateway.core.types import SchemaItem

Subject = ox.NamedNode | ox.BlankNode | ox.Triple
Object = Subject | ox.Literal
Fact = tuple[Subject, ox.NamedNode, Object]
# A subject and an object, of the predicate that is not written as the inverse of another one.
Slot = tuple[Object, Object]
# The predicates that state a fact, and whether from its object to its subject.
Forms = set[tuple[ox.NamedNode, bool]]

_TYPE = ox.NamedNode(RDF + "type")
# Such a share of a predicate's facts say the same as those of another, or name their subjects as labels do.
_MOST, _NAMES, _FEWEST = 0.9, 0.5, 3
_DATE = re.compile(r"(\d{4})-(\d\d)-(\d\d)(.*)", re.DOTALL)
_NUMBER = re.compile(r"([+-]?\d+)(?:\.(\d+))?")
_CODE = re.compile(r"(?=.*[A-Za-z])\S*\d\S*")
_YEAR = re.compile(r"1\d{3}|20\d\d")
_LEAST, _LARGEST, _DAYS, _YEARS = 0.3, 3.0, 6_000, 16


@dataclass(frozen=True, slots=True)
class Way:
    """A way to shake a graph: exchange ends of facts, move numbers and dates, keep a share of the facts."""

    exchanges: bool
    moves: bool
    share: float = 1.0


WAYS = (Way(True, False), Way(True, True), Way(False, True, 0.6), Way(True, True, 0.75))


@dataclass(frozen=True)
class Graph:
    """The facts of a graph; those of `kept` predicates, of types and of the schema are not shaken.

    `declared` are pairs of relations with the same facts the other way round; a symmetric one is its own.
    """

    facts: Sequence[Fact]
    kept: frozenset[ox.NamedNode]
    declared: frozenset[tuple[ox.NamedNode, ox.NamedNode]]

    @classmethod
    def of(cls, store: ox.Store, kept: Collection[str], schema: Iterable[SchemaItem]) -> Graph:
        """The graph in a store, with the items of its index."""
        facts = [(one.subject, one.predicate, one.object) for one in store]
        pairs = ((ox.NamedNode(item.iri), ox.NamedNode(other)) for item in schema for other in item.inverse)
        return cls(facts, frozenset(map(ox.NamedNode, kept)), frozenset(pairs))

    def shaken(self, way: Way, random: Random) -> ox.Store:
        """The graph with its facts changed in one way."""
        found = ox.Store()
        schema = {p for _, p, _ in self.facts} | {o for _, p, o in self.facts if p == _TYPE}
        slots: defaultdict[tuple[ox.NamedNode, Slot], Forms] = defaultdict(set)
        for s, p, o in self.facts:
            if p in self.still or s in schema:
                found.add(ox.Quad(s, p, o))
            elif p not in self.copies:
                first = self.inverses.get(p, p)
                turned = first != p or (p in self.symmetric and str(o) < str(s))
                slots[first, (o, s) if turned else (s, o)].add((p, turned))
        for group in self._groups(slots).values():
            for (one, other), forms in _exchanged(group, way, random):
                for p, turned in forms:
                    found.add(ox.Quad(other, p, one) if turned else ox.Quad(one, p, other))
        self._copy(found)
        return found

    def _groups(
        self, slots: Mapping[tuple[ox.NamedNode, Slot], Forms]
    ) -> Mapping[object, list[tuple[Slot, Forms]]]:
        """The facts whose ends may be exchanged with one another."""
        groups: defaultdict[object, list[tuple[Slot, Forms]]] = defaultdict(list)
        for (p, (s, o)), forms in slots.items():
            groups[p, self._kind(s), self._kind(o)].append(((s, o), forms))
        return groups

    def _kind(self, one: Object) -> object:
        return (one.datatype, one.language) if isinstance(one, ox.Literal) else self.types.get(one)

    def _copy(self, store: ox.Store) -> None:
        """State the foreign keys of the relations as they are now."""
        for copied, (relation, key) in self.copies.items():
            for fact in store.quads_for_pattern(None, relation, None):
                if not isinstance(fact.object, ox.Literal):
                    for own in store.quads_for_pattern(fact.object, key, None):
                        store.add(ox.Quad(fact.subject, copied, own.object))

    @cached_property
    def types(self) -> Mapping[Object, frozenset[Object]]:
        """The classes of each thing."""
        found: defaultdict[Object, set[Object]] = defaultdict(set)
        for s, p, o in self.facts:
            if p == _TYPE:
                found[s].add(o)
        return {s: frozenset(classes) for s, classes in found.items()}

    @cached_property
    def still(self) -> frozenset[ox.NamedNode]:
        """The predicates whose facts stay: those kept, their inverses, keys, and texts that are names."""
        keys = {key for _, key in self.copies.values()}
        found = {_TYPE, *self.kept, *keys, *self._names()}
        pairs = self.inverses.items()
        return frozenset(found | {p for p, q in pairs if q in found} | {q for p, q in pairs if p in found})

    def _names(self) -> Iterator[ox.NamedNode]:
        """The predicates of texts that mostly name their subjects, and of codes."""
        names = {(s, o.value) for s, p, o in self.facts if p in self.kept and isinstance(o, ox.Literal)}
        said: defaultdict[ox.NamedNode, list[tuple[Object, str]]] = defaultdict(list)
        for s, p, o in self.facts:
            if isinstance(o, ox.Literal):
                said[p].append((s, o.value))
        for p, own in said.items():
            differ = len({text for _, text in own}) == len(own)
            naming = sum(one in names or (differ and bool(_CODE.fullmatch(one[1]))) for one in own)
            if naming >= _NAMES * len(own):
                yield p

    @cached_property
    def inverses(self) -> Mapping[ox.NamedNode, ox.NamedNode]:
        """Predicates that state the facts of another one from the other end, with that one."""
        return {p: q for p, q in sorted(self._turned, key=str) if q.value < p.value}

    @cached_property
    def symmetric(self) -> frozenset[ox.NamedNode]:
        """Predicates that state each fact from both ends, or may."""
        return frozenset(p for p, q in self._turned if p == q)

    @cached_property
    def _turned(self) -> frozenset[tuple[ox.NamedNode, ox.NamedNode]]:
        """Pairs with the same facts the other way round: declared so, or with nine in ten alike."""
        slots: defaultdict[ox.NamedNode, set[Slot]] = defaultdict(set)
        for s, p, o in self.facts:
            if not isinstance(o, ox.Literal):
                slots[p].add((s, o))
        turned = {p: {(o, s) for s, o in own} for p, own in slots.items()}
        alike = {
            (p, q)
            for p, own in turned.items()
            for q, others in slots.items()
            if len(own & others) >= _MOST * max(len(own), len(others))
        }
        return frozenset({*alike, *self.declared, *((q, p) for p, q in self.declared)})

    @cached_property
    def copies(self) -> Mapping[ox.NamedNode, tuple[ox.NamedNode, ox.NamedNode]]:
        """Attributes whose values are a key of what a relation leads to, with the relation and the key."""
        sizes = Counter(p for _, p, _ in self.facts)
        found: dict[ox.NamedNode, tuple[ox.NamedNode, ox.NamedNode]] = {}
        for (copied, relation, key), count in self._copied().most_common():
            if copied != key and count >= max(_FEWEST, _MOST * sizes[copied]) and key not in found:
                found.setdefault(copied, (relation, key))
        return found

    def _copied(self) -> Counter[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode]]:
        """How many facts of an attribute have the value of another one of what a relation leads to."""
        said: defaultdict[Object, defaultdict[Object, set[ox.NamedNode]]]
        said = defaultdict(lambda: defaultdict(set))
        leads: defaultdict[Object, list[tuple[ox.NamedNode, Object]]] = defaultdict(list)
        for s, p, o in self.facts:
            if isinstance(o, ox.Literal):
                said[s][o].add(p)
            elif p != _TYPE:
                leads[s].append((p, o))
        found = Counter[tuple[ox.NamedNode, ox.NamedNode, ox.NamedNode]]()
        for s, values in said.items():
            for value, attributes in values.items():
                ways = {(p, key) for p, o in leads[s] for key in said.get(o, {}).get(value, ())}
                found.update((copied, *way) for copied in attributes for way in ways)
        return found


def _exchanged(group: Sequence[tuple[Slot, Forms]], way: Way, random: Random) -> Iterator[tuple[Slot, Forms]]:
    subjects, objects = ([slot[end] for slot, _ in group] for end in (0, 1))
    if way.exchanges:
        subjects, objects = _drawn(subjects, random), _drawn(objects, random)
    for (_, forms), s, o in zip(group, subjects, objects, strict=True):
        if random.random() < way.share:
            yield (s, _moved(o, random) if way.moves else o), forms


def _drawn(ends: Sequence[Object], random: Random) -> Sequence[Object]:
    """The ends in another order; some more often and others less, unless each is there once."""
    once = len({*ends}) == len(ends)
    return random.sample(ends, len(ends)) if once else random.choices(ends, k=len(ends))


def _moved(value: Object, random: Random) -> Object:
    """A number or date moved; anything else as it is."""
    if not isinstance(value, ox.Literal) or value.language:
        return value
    text = value.value
    if found := _DATE.fullmatch(text):
        try:
            day = date(*map(int, found.groups()[:3])) + timedelta(days=random.randint(-_DAYS, _DAYS))
        except (ValueError, OverflowError):
            return value
        text = f"{day.isoformat()}{found[4]}"
    elif _YEAR.fullmatch(text):
        text = str(int(text) + random.randint(-_YEARS, _YEARS))
    elif found := _NUMBER.fullmatch(text):
        text = f"{float(text) * random.uniform(_LEAST, _LARGEST):.{len(found[2] or '')}f}"
    return ox.Literal(text, datatype=value.datatype)
