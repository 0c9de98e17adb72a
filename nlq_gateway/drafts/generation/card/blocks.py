"""The blocks of an index, each made on first use."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import Partition, SchemaItem
from nlq_gateway.drafts.generation.card.block import (
    MOST_TARGETS,
    CardBlock,
    CardLine,
    attribute_line,
    head_of,
    relation_line,
    shortened,
)
from nlq_gateway.index import Index

# The commonest qualifiers of a relation or attribute.
MOST_QUALIFIERS = 4
_KEPT = 2_000
# For a class with more below it no common partitions are looked for.
_MOST_BELOW = 200
# The least share of a class's members that must be in the classes that it replaces.
_MOSTLY = 0.5
_LEADING = (Kind.RELATION, Kind.ATTRIBUTE)


@dataclass(frozen=True)
class Blocks:
    """The blocks of one graph. Safe to share between threads: cached blocks are never changed."""

    index: Index
    _kept: dict[str, CardBlock] = field(default_factory=dict)

    def of(self, concepts: Iterable[str]) -> tuple[CardBlock, ...]:
        """The blocks of these concepts, in their order; IRIs that are no concepts of the schema are left out.

        The IRI of a relation stands for the things without a class that it leads to.
        """
        wanted = [iri for iri in dict.fromkeys(concepts) if iri in self.positions]
        missing = [iri for iri in wanted if iri not in self._kept]
        made = {block.iri: block for block in self._made(missing)} if missing else {}
        found = tuple(made.get(iri) or self._kept[iri] for iri in wanted)
        if len(self._kept) + len(made) > _KEPT:
            self._kept.clear()
        self._kept.update(made)
        return found

    @cached_property
    def positions(self) -> dict[str, int]:
        """The schema position of each concept, then of each relation that leads to things without a class."""
        places = tuple(enumerate(self.index.schema))
        concepts = {item.iri: at for at, item in places if item.kind == Kind.CONCEPT}
        return concepts | {
            item.iri: at for at, item in places if item.leads_to_unnamed and item.iri not in concepts
        }

    @cached_property
    def concepts(self) -> tuple[SchemaItem, ...]:
        """All concepts, those with the most members first."""
        items = (self.index.schema[at] for at in self.positions.values())
        return tuple(item for item in items if item.kind == Kind.CONCEPT)

    def _made(self, concepts: Sequence[str]) -> Iterator[CardBlock]:
        own, towards = _by_class(self.index.partitions(concepts))
        members = self.index.members(concepts)
        for iri in concepts:
            if not own[iri] and not towards[iri]:
                own[iri], towards[iri] = self._shared(iri)
            above = [self._label(parent) for parent in self._kind(iri).parents if parent in self.positions]
            lines = (*self._attributes(own[iri]), *self._relations(own[iri], "forward"))
            lines += tuple(self._relations(towards[iri], "backward"))
            # Classes with facts of their own show their nature by these; others by more names of members.
            names = members.get(iri, ())[: 2 if lines else 3]
            yield CardBlock(
                iri, self._label(iri), head_of(self._kind(iri), self._label(iri), above, names), lines
            )

    def _shared(self, iri: str) -> tuple[list[Partition], list[Partition]]:
        """The partitions of a class, and those that lead to it, shared by all classes below with any.

        Hierarchies are often deep, and only their lowest classes have members: without this a card would
        repeat the same lines for each of these, and have none for `sensor`.
        """
        below = self.index.descendants(iri)
        rows = self.index.partitions(below) if len(below) <= _MOST_BELOW else ()
        own, towards = ({at: some for at, some in found.items() if at in below} for found in _by_class(rows))
        classes = own.keys() | towards.keys()
        if len(classes) < 2:
            return [], []
        return (
            _common(own, classes, lambda one: replace(one, concept=iri)),
            _common(towards, classes, lambda one: replace(one, target=iri)),
        )

    @cached_property
    def without_class(self) -> tuple[CardBlock, ...]:
        """The block of things without a class; () if there are none."""
        items = [item for item in self.index.schema if item.kind in _LEADING and not item.domains]
        lines = tuple(sorted(map(self._classless_line, items), key=lambda line: line.group))
        return (CardBlock("", "", "Things without a class", lines),) if lines else ()

    def _classless_line(self, item: SchemaItem) -> CardLine:
        place, qualifiers = self.index.positions[item.kind, item.iri], self._qualifiers(item)
        if item.kind == Kind.ATTRIBUTE:
            partition = Partition("", item.kind, item.iri, item.count, "", item.examples)
            text = attribute_line(item, partition, item.iri in self._naming, qualifiers)
            return CardLine("attributes", place, item.count, text)
        ends = self._telling([pair for pair in item.ranges if pair[0] in self.positions], item.count)
        targets = [(self._label(iri), count) for iri, count in ends] or [("thing", item.count)]
        text = relation_line(item, targets, qualifiers)
        return CardLine("forward", place, item.count, text, tuple(iri for iri, _ in ends))

    def qualifiers_at(self, position: int) -> tuple[int, ...]:
        """The schema positions of the qualifiers on the facts of the item at a position."""
        iris, positions = self.index.schema[position].qualifiers, self.index.positions
        places = (positions.get((Kind.QUALIFIER, iri)) for iri in iris)
        return tuple(at for at in places if at is not None)[:MOST_QUALIFIERS]

    @cached_property
    def _naming(self) -> frozenset[str]:
        return frozenset(self.index.manifest.label_predicates)

    def _attributes(self, partitions: Iterable[Partition]) -> Iterator[CardLine]:
        own = (partition for partition in partitions if partition.kind == Kind.ATTRIBUTE)
        for one in sorted(own, key=lambda partition: -partition.count):
            item = self.index.schema[self.index.positions[one.kind, one.iri]]
            text = attribute_line(item, one, one.iri in self._naming, self._qualifiers(item))
            yield CardLine("attributes", self.index.positions[one.kind, one.iri], one.count, text)

    def _relations(self, partitions: Iterable[Partition], direction: str) -> Iterator[CardLine]:
        """Relations with the classes at their other end; for a symmetric one only the forward direction."""
        by_item: defaultdict[str, list[tuple[str, int]]] = defaultdict(list)
        for one in partitions:
            if one.kind == Kind.RELATION:
                by_item[one.iri].append((one.target if direction == "forward" else one.concept, one.count))
        for iri, ends in sorted(by_item.items(), key=lambda pair: -max(count for _, count in pair[1])):
            item = self.index.schema[self.index.positions[Kind.RELATION, iri]]
            if direction == "backward" and iri in item.inverse:
                continue
            shown = self._telling(ends, item.count)
            targets = [(self._label(end) if end else "thing", count) for end, count in shown]
            text = relation_line(item, targets, self._qualifiers(item))
            facts, place = max(count for _, count in ends), self.index.positions[Kind.RELATION, iri]
            yield CardLine(direction, place, facts, text, tuple(end for end, _ in shown if end))

    def _telling(self, ends: Sequence[tuple[str, int]], facts: int) -> list[tuple[str, int]]:
        """The most specific classes: none beside one above it, the narrowest of those with all facts.

        `facts` is the number of facts of the relation. If the ends have no more in total, each thing is in
        one class, so that a class has the facts of those below it, and many ends give way to the class above.
        """
        if len(ends) < 2:
            return list(ends)
        is_apart = sum(count for _, count in ends) <= facts
        ends = list(self._closed(ends)) if is_apart else ends
        size, most = self._sizes, max((count for _, count in ends), default=1)
        ordered = sorted(ends, key=lambda end: (-round(end[1] / most, 1), size.get(end[0], 0)))
        chosen: list[tuple[str, int]] = []
        for end, count in ordered:
            related = {*self.index.ancestors(end), *self.index.descendants(end)}
            if related.isdisjoint(iri for iri, _ in chosen):
                chosen.append((end, count))
        together = self._together(chosen) if is_apart and len(chosen) > MOST_TARGETS else []
        return together or chosen[:MOST_TARGETS]

    def _closed(self, ends: Sequence[tuple[str, int]]) -> Iterator[tuple[str, int]]:
        """The ends, with the facts of those below them if members are stated in the lowest classes alone."""
        for iri, count in ends:
            under = set(self.index.descendants(iri))
            below = sum(number for end, number in ends if end in under)
            yield iri, count + below if below > count else count

    def _together(self, ends: Sequence[tuple[str, int]]) -> list[tuple[str, int]]:
        """The narrowest class above all ends, with their facts; [] if most of its members are others."""
        size = self._sizes
        above = set.intersection(*(set(self.index.ancestors(iri)) for iri, _ in ends)) & size.keys()
        narrowest = min(above, key=lambda iri: (size[iri], iri), default="")
        is_meant = sum(size.get(iri, 0) for iri, _ in ends) >= _MOSTLY * size.get(narrowest, 0)
        return [(narrowest, sum(count for _, count in ends))] if narrowest and is_meant else []

    @cached_property
    def _sizes(self) -> dict[str, int]:
        """The number of members of each concept."""
        return {item.iri: item.count for item in self.concepts}

    def _kind(self, iri: str) -> SchemaItem:
        return self.index.schema[self.positions[iri]]

    def _label(self, kind: str) -> str:
        return shortened(self._kind(kind).kind_name)

    def _qualifiers(self, item: SchemaItem) -> list[str]:
        places = self.qualifiers_at(self.index.positions[item.kind, item.iri])
        return [self.index.schema[at].label for at in places]


def _by_class(
    partitions: Iterable[Partition],
) -> tuple[defaultdict[str, list[Partition]], defaultdict[str, list[Partition]]]:
    """The partitions by their class, and by the class that they lead to."""
    own: defaultdict[str, list[Partition]] = defaultdict(list)
    towards: defaultdict[str, list[Partition]] = defaultdict(list)
    for one in partitions:
        own[one.concept].append(one)
        towards[one.target].append(one)
    return own, towards


def _common(
    found: Mapping[str, Sequence[Partition]],
    classes: Iterable[str],
    lifted: Callable[[Partition], Partition],
) -> list[Partition]:
    """The partitions shared by every class, with the sums of their facts."""
    each = [{(one.kind, one.iri) for one in found.get(concept, ())} for concept in classes]
    common = set.intersection(*each)
    merged: dict[tuple[str, ...], Partition] = {}
    for one in (lifted(one) for of_class in found.values() for one in of_class):
        if (one.kind, one.iri) in common:
            place = (one.kind, one.iri, one.concept, one.target)
            first = merged.get(place)
            count = one.count + (first.count if first is not None else 0)
            merged[place] = replace(first or one, count=count, complete=False)
    return list(merged.values())
