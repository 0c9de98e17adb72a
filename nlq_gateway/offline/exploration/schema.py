"""Ideas for programs in terms of the schema alone, and the next moves of a walk, from the index's schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from compilers.kopl.functions import TURNED, Kind, ValueType
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.offline.exploration.sketch import LabelledIri

# A smaller share of a set, and of an item's facts, is noise in the data, and no move.
LEAST = 0.02
# The probability that a member has an item of unknown classes, and an item of its own class.
_UNKNOWN = 0.1
_OWN = 0.1

Classes = Mapping[str, float]


@dataclass(frozen=True, slots=True, order=True)
class Move:
    """A relation in a direction."""

    relation: str
    direction: str

    @property
    def inverse(self) -> Move:
        """The way back."""
        return Move(self.relation, TURNED[self.direction])


@dataclass(frozen=True, slots=True)
class IdeaPart:
    """A form by name, and the items of the schema that it uses."""

    form: str
    attributes: tuple[str, ...] = ()
    move: Move | None = None
    concept: str = ""
    qualifier: str = ""


@dataclass(frozen=True, slots=True)
class Idea:
    """A program to look for, as a walk: its start, its relations, its narrowing, and its request.

    It begins at an `entity`, a `concept` (the start's own), or a `value` of the start's attribute.
    Grounding it takes a store.
    """

    start: IdeaPart
    moves: tuple[Move, ...]
    closing: IdeaPart
    narrowing: IdeaPart | None = None

    @property
    def parts(self) -> tuple[IdeaPart, ...]:
        """Start, narrowing and closing."""
        return tuple(part for part in (self.start, self.narrowing, self.closing) if part is not None)

    @property
    def all_moves(self) -> tuple[Move, ...]:
        """The relations of the walk and of its parts."""
        return (*self.moves, *(part.move for part in self.parts if part.move is not None))


@dataclass(frozen=True)
class SchemaItems:
    """The schema's items; the most used first."""

    items: tuple[SchemaItem, ...]

    @cached_property
    def _by_key(self) -> dict[tuple[Kind, str], SchemaItem]:
        return {(item.kind, item.iri): item for item in self.items}

    def of_kind(self, kind: Kind) -> tuple[SchemaItem, ...]:
        """The items of a kind that the graph uses."""
        return tuple(item for item in self.items if item.kind == kind and item.count and not item.stated_as)

    def item(self, kind: Kind, iri: str) -> SchemaItem:
        """The item; raises KeyError if there is none."""
        return self._by_key[kind, iri]

    def is_class(self, kind: str) -> bool:
        """True for a class, False for the targets of a relation."""
        return (Kind.CONCEPT, kind) in self._by_key

    def size(self, kind: str) -> int:
        """The number of members of a class, or of a relation's targets without one; at least 1."""
        found = (self._by_key.get((of, kind)) for of in (Kind.CONCEPT, Kind.RELATION))
        return next((max(item.count, 1) for item in found if item is not None), 1)

    def name(self, kind: Kind, iri: str) -> LabelledIri:
        """The item as an argument."""
        return LabelledIri(iri, self.item(kind, iri).label)

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """Every relation, in both directions."""
        relations = self.of_kind(Kind.RELATION)
        return tuple(Move(item.iri, way) for item in relations for way in ("forward", "backward"))

    def facts(self, move: Move) -> int:
        """The number of facts that a move may take."""
        return self.item(Kind.RELATION, move.relation).count

    def is_functional(self, move: Move) -> bool:
        """True if each subject has one object of the move's relation."""
        return self.item(Kind.RELATION, move.relation).functional

    def has_others(self, move: Move) -> bool:
        """True if a move straight back leads to other entities than the one it came from."""
        return move.direction == "backward" or not self.is_functional(move)

    def after(self, move: Move) -> Classes:
        """The classes that a move leads to, with the part of its facts that does."""
        item = self.item(Kind.RELATION, move.relation)
        ends = item.ranges if move.direction == "forward" else item.domains
        return {iri: min(1.0, count / max(item.count, 1)) for iri, count in ends}

    def moves_from(self, classes: Classes) -> list[tuple[Move, float]]:
        """The moves that lead on from members of classes, with how sure that is."""
        found = ((move, self._leaving(classes, move)) for move in self.moves)
        return [(move, sure) for move, sure in found if sure >= LEAST]

    def _leaving(self, classes: Classes, move: Move) -> float:
        item = self.item(Kind.RELATION, move.relation)
        return self._shared(classes, item.domains if move.direction == "forward" else item.ranges, item.count)

    def attributes_of(
        self, classes: Classes, types: Iterable[ValueType] | None = None
    ) -> list[tuple[SchemaItem, float]]:
        """The attributes of these types (of any) that members of classes have, with how sure that is."""
        wanted = frozenset(types or ValueType)
        found = (
            (item, self._shared(classes, item.domains, item.count))
            for item in self.of_kind(Kind.ATTRIBUTE)
            if not wanted.isdisjoint(item.value_types[:1])
        )
        return [(item, sure) for item, sure in found if sure >= LEAST]

    def parts_of(self, classes: Classes) -> list[tuple[SchemaItem, float]]:
        """Classes that some of the members belong to, but not all."""
        found = ((item, classes.get(item.iri, 0.0)) for item in self.of_kind(Kind.CONCEPT))
        return [(item, share) for item, share in found if 0.05 <= share <= 0.9]

    def _shared(self, classes: Classes, ends: Sequence[tuple[str, int]], total: int) -> float:
        """The probability that a member of these classes is at an end of an item's facts.

        An item whose facts mostly have such members counts as theirs, even if few members have it.
        """
        if not classes or not ends:
            return _UNKNOWN
        shared = ((classes[iri], count, self.size(iri)) for iri, count in ends if iri in classes)
        return max(
            (
                part * max(min(1.0, count / size), _OWN * count / max(total, 1))
                for part, count, size in shared
            ),
            default=0.0,
        )


def classes_of(concept: str) -> Classes:
    """The classes of a set that is a class."""
    return {concept: 1.0}
