"""A demonstration looked up in an index: the items of its names, and their places in its question."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from compilers.iris import iri_in
from compilers.kopl.functions import SCHEMA_KINDS, Kind, ValueType
from compilers.kopl.program import Program
from compilers.kopl.values import String, Value, type_of, value_or_none
from nlq_gateway.core.types import Demonstration, EntityItem, Links, Question, SchemaItem
from nlq_gateway.drafts.demonstrations.mask import Masked, MaskedSpan, mask
from nlq_gateway.index import Index

Place = tuple[int, int]
Link = Callable[[Question], Links]
UNKNOWN_CLASS = "thing"


@dataclass(frozen=True, slots=True)
class Hole:
    """A place for a name or value that differs between questions: an entity or a value.

    `places` are the arguments that it fills; `name` is its mask.
    """

    places: tuple[Place, ...]
    start: int
    end: int
    name: str
    broad: str = ""
    value: Value | None = None
    concepts: frozenset[str] = frozenset()

    @property
    def span(self) -> MaskedSpan:
        """The stretch of the question for the hole."""
        return MaskedSpan(self.start, self.end, self.name, self.broad)


@dataclass(frozen=True, slots=True)
class Lesson:
    """A demonstration over one graph.

    `items` are the schema items by place, `fixed` the entities that the question does not name, `holes` the
    names and values that it has, in order.
    """

    demonstration: Demonstration
    items: Mapping[Place, SchemaItem]
    fixed: Mapping[Place, tuple[str, ...]]
    holes: tuple[Hole, ...]
    masked: Masked

    @property
    def program(self) -> Program:
        """The program that answers the question."""
        return self.demonstration.program

    @property
    def shape(self) -> object:
        """The form shared by programs that differ in entities and values alone."""
        calls = tuple((step.function, step.dependencies) for step in self.program.steps)
        return calls, tuple(sorted((place, item.iri) for place, item in self.items.items()))


def class_of(index: Index, entity: EntityItem | None) -> tuple[str, str, frozenset[str]]:
    """An entity's class and the broadest one above it, by name, and the IRIs of all its classes."""
    concepts = entity.concepts if entity else ()
    items = [item for iri in concepts if (item := index.item(Kind.CONCEPT, iri)) is not None]
    if not items:
        return UNKNOWN_CLASS, UNKNOWN_CLASS, frozenset()
    own = max(items, key=lambda item: (item.count, item.iri))
    above = [item for iri in index.ancestors(own.iri) if (item := index.item(Kind.CONCEPT, iri)) is not None]
    broad = max((own, *above), key=lambda item: (item.count, item.iri))
    upward = frozenset(concepts).union(*(index.ancestors(iri) for iri in concepts))
    return own.label, broad.label, upward


def lesson_of(demonstration: Demonstration, index: Index, link: Link) -> Lesson | None:
    """The demonstration looked up; None if the graph lacks one of its classes or predicates."""
    resolved = _Resolved(demonstration, index, link)
    items = resolved.items()
    if items is None:
        return None
    holes, fixed = resolved.holes()
    masked = mask(demonstration.question, (hole.span for hole in holes))
    return Lesson(demonstration, items, fixed, holes, masked)


@dataclass(slots=True)
class _Resolved:
    demonstration: Demonstration
    index: Index
    link: Link
    _links: Links | None = None

    @property
    def links(self) -> Links:
        """The result of linking the question; used only if its text does not show the names."""
        if self._links is None:
            self._links = self.link(Question(self.demonstration.question))
        return self._links

    def _arguments(self) -> Iterator[tuple[Place, Kind, str]]:
        for number, step in enumerate(self.demonstration.program.steps):
            for argument, parameter in enumerate(step.signature.parameters):
                yield (number, argument), parameter.kind, step.inputs[argument]

    def items(self) -> dict[Place, SchemaItem] | None:
        found: dict[Place, SchemaItem] = {}
        for place, kind, name in self._arguments():
            if kind in SCHEMA_KINDS:
                item = self._item(place, kind, name)
                if item is None:
                    return None
                found[place] = item
        return found

    def _iris(self, place: Place, name: str) -> tuple[str, ...]:
        written = iri_in(name)
        return self.demonstration.choices.get(place) or ((written,) if written else ())

    def _item(self, place: Place, kind: Kind, name: str) -> SchemaItem | None:
        iris = self._iris(place, name)
        if iris:
            return self.index.item(kind, iris[0])
        return next(iter(self.index.named(kind, name)), None)

    def holes(self) -> tuple[tuple[Hole, ...], dict[Place, tuple[str, ...]]]:
        found: dict[tuple[int, int], Hole] = {}
        fixed: dict[Place, tuple[str, ...]] = {}
        for place, kind, name in self._arguments():
            hole = None
            if kind == Kind.ENTITY:
                entities = self._entities(place, name)
                hole = self._entity_hole(place, name, entities)
                if hole is None:
                    fixed[place] = tuple(entity.iri for entity in entities)
            elif kind == Kind.VALUE:
                hole = self._value_hole(place, name)
            if hole is None:
                continue
            known = found.get((hole.start, hole.end))
            if known is None and any(hole.start < end and start < hole.end for start, end in found):
                continue
            places = (*(known.places if known else ()), place)
            found[hole.start, hole.end] = replace(hole, places=places)
        return tuple(found[key] for key in sorted(found)), fixed

    def _entities(self, place: Place, name: str) -> list[EntityItem]:
        iris = self._iris(place, name)
        if iris:
            return list(self.index.entities(iris).values())
        return list(self.index.entities_named(name))

    def _entity_hole(self, place: Place, name: str, entities: list[EntityItem]) -> Hole | None:
        names = [name, *(text for entity in entities for text in (entity.label, *entity.aliases))]
        span = _find(self.demonstration.question, names) or self._mention({one.iri for one in entities})
        if span is None:
            return None
        label, broad, concepts = class_of(self.index, entities[0] if entities else None)
        return Hole((place,), *span, label, broad, None, concepts)

    def _mention(self, iris: set[str]) -> tuple[int, int] | None:
        for mention in self.links.mentions:
            if iris & {hit.iri for hit in mention.hits}:
                return mention.start, mention.end
        return None

    def _value_hole(self, place: Place, text: str) -> Hole | None:
        step = self.demonstration.program.steps[place[0]]
        wanted = step.signature.parameters[place[1]].value_type
        value = _value(text, wanted)
        span = _find(self.demonstration.question, [text])
        if span is None:
            span = self._stated(value, text)
        return Hole((place,), *span, str(type_of(value)), "", value) if span else None

    def _stated(self, value: Value, text: str) -> tuple[int, int] | None:
        """The stretch of the question with a value written differently than in the program."""
        for literal in self.links.literals:
            if literal.until is None and text in (str(literal.value), _number(literal.value)):
                return literal.start, literal.end
        for mention in self.links.texts:
            if any(hit.value == str(value) for hit in mention.hits):
                return mention.start, mention.end
        return None


def _value(text: str, wanted: ValueType | None) -> Value:
    kinds = (wanted,) if wanted else (ValueType.DATE, ValueType.QUANTITY)
    readings = (value_or_none(text, kind) for kind in kinds)
    return next((value for value in readings if value is not None), String(text))


def _number(value: Value) -> str:
    """A quantity's number without its unit."""
    return str(value).partition(" ")[0]


def _find(question: str, names: list[str]) -> tuple[int, int] | None:
    """The stretch of the question with one of the names as whole words, the longest first."""
    for name in sorted(set(names), key=lambda name: (-len(name), name)):
        match = re.search(rf"(?<!\w){re.escape(name)}(?!\w)", question, re.IGNORECASE)
        if name.strip() and match:
            return match.start(), match.end()
    return None
