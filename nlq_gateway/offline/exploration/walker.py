"""Random walks over the schema, which follow likely connections and prefer new ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import TypeVar

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.offline.exploration.closings import CLOSINGS
from nlq_gateway.offline.exploration.forms import ProgramForm
from nlq_gateway.offline.exploration.narrowings import NARROWINGS
from nlq_gateway.offline.exploration.schema import Classes, Idea, IdeaPart, Move, SchemaItems, classes_of
from nlq_gateway.offline.exploration.tables import TABLES

FORMS: dict[str, ProgramForm] = {**CLOSINGS, **TABLES}
MOST_RELATIONS = 4
# Classes larger than this are only counted, because other requests about all members are slow. Walks continue
# only from smaller ones, because large ones lead to most of the graph.
LARGE = 50_000
SMALL = 1_000
_STARTS = {"entity": 5.0, "concept": 3.0, "value": 1.0}
# By the number of relations.
_LENGTHS = (2.0, 4.0, 5.0, 4.0, 1.5)
_NARROWED = 0.4
_MISSING = 4.0
# A relation with ten thousand times as many facts begins ten times as many walks.
_BY_FACTS = 0.25

Choice = TypeVar("Choice")


@dataclass(frozen=True, slots=True)
class Place:
    """The position of a walk: its start, its relations, and the classes of its end."""

    start: IdeaPart
    moves: tuple[Move, ...]
    classes: Classes


@dataclass(frozen=True, slots=True)
class Walker:
    """Walks at random; `seen` counts how often an item or a pair of moves was tried.

    `found` has the forms that the corpus has programs of.
    """

    schema: SchemaItems
    seen: Counter[object]
    found: set[str]

    def walk(self, rng: Random) -> Idea | None:
        """Return a walk; None if it led nowhere, or is too complex for questions or stores."""
        name = self._form(rng, FORMS)
        form = FORMS[name]
        place = self._begun(rng, form)
        if place is None or not self._is_bearable(place, name):
            return None
        narrowing = self._narrowing(rng, place) if form.narrowable else None
        held = (*place.start.attributes, *(narrowing.attributes if narrowing is not None else ()))
        closing = self._part(rng, name, form, place, held)
        if closing is None:
            return None
        idea = Idea(place.start, place.moves, closing, narrowing)
        return idea if _relations(idea) <= MOST_RELATIONS else None

    def _is_bearable(self, place: Place, closing: str) -> bool:
        if place.start.form != "concept" or (closing == "count" and not place.moves):
            return True
        size = self.schema.size(place.start.concept)
        return size <= (SMALL if place.moves else LARGE)

    def _begun(self, rng: Random, form: ProgramForm) -> Place | None:
        """Return the start of a walk of the form, with a random number of relations."""
        begun = rng.choices(list(form.lengths), [_STARTS[start] for start in form.lengths])[0]
        length = _length(rng, form.lengths[begun])
        start = IdeaPart(begun) if begun == "entity" else self._start(rng, begun)
        if start is None:
            return None
        classes = classes_of(start.concept) if start.concept else {}
        moves = self._moves(rng, length, classes if start.concept else None)
        if len(moves) < length:
            return None
        return Place(start, moves, self.schema.after(moves[-1]) if moves else classes)

    def _start(self, rng: Random, begun: str) -> IdeaPart | None:
        """A class, with an attribute where the walk begins at a value."""
        concept = self._chosen(rng, [(item.iri, 1.0) for item in self.schema.of_kind(Kind.CONCEPT)])
        if concept is None or begun == "concept":
            return IdeaPart(begun, concept=concept) if concept is not None else None
        attribute = self._chosen(rng, _by_iri(self.schema.attributes_of(classes_of(concept))))
        return IdeaPart(begun, (attribute,), concept=concept) if attribute is not None else None

    def _moves(self, rng: Random, length: int, classes: Classes | None) -> tuple[Move, ...]:
        """Return moves, each leading on from the last, up to the length; from any entity without classes.

        Only from an entity a walk may return at once, and only if that leads to other entities.
        """
        moves: tuple[Move, ...] = ()
        from_entity = classes is None
        while len(moves) < length:
            onward = self._anywhere() if classes is None else self.schema.moves_from(classes)
            back = from_entity and len(moves) == 1
            ways = [
                (move, sure)
                for move, sure in onward
                if not _returns(moves, move) or (back and self.schema.has_others(move))
            ]
            move = self._chosen(rng, ways, moves[-1:])
            if move is None:
                break
            moves, classes = (*moves, move), self.schema.after(move)
        return moves

    def _anywhere(self) -> list[tuple[Move, float]]:
        return [(move, self.schema.facts(move) ** _BY_FACTS) for move in self.schema.moves]

    def _narrowing(self, rng: Random, place: Place) -> IdeaPart | None:
        """Mostly none; none where the walk leads to one member only."""
        single = place.start.form == "entity" and all(
            move.direction == "forward" and self.schema.is_functional(move) for move in place.moves
        )
        if single or rng.random() > _NARROWED:
            return None
        name = self._form(rng, NARROWINGS)
        least, most = NARROWINGS[name].lengths.get(place.start.form, (1, 0))
        if not least <= len(place.moves) <= most:
            return None
        return self._part(rng, name, NARROWINGS[name], place, place.start.attributes)

    def _part(
        self, rng: Random, name: str, form: ProgramForm, place: Place, held: tuple[str, ...]
    ) -> IdeaPart | None:
        """The form with items that it can have here, other attributes than those held already."""
        move = self._onward(rng, place) if form.move else None
        classes = self.schema.after(move) if form.beyond and move is not None else place.classes
        attributes = self._attributes(rng, form, classes, held)
        concept = self._chosen(rng, _by_iri(self.schema.parts_of(place.classes))) if form.concept else ""
        qualifier = self._qualifier(rng, form, place.moves, attributes or ()) if form.qualifier else ""
        if attributes is None or concept is None or qualifier is None or (form.move and move is None):
            return None
        return IdeaPart(name, attributes, move, concept, qualifier)

    def _onward(self, rng: Random, place: Place) -> Move | None:
        onward = self.schema.moves_from(place.classes)
        return self._chosen(rng, [(move, sure) for move, sure in onward if not _returns(place.moves, move)])

    def _attributes(
        self, rng: Random, form: ProgramForm, classes: Classes, held: tuple[str, ...]
    ) -> tuple[str, ...] | None:
        found: list[SchemaItem] = []
        for types in form.attributes:
            taken = {*held, *(item.iri for item in found)}
            ways = [
                (item, sure)
                for item, sure in self.schema.attributes_of(classes, types)
                if item.iri not in taken
                and (item.qualifiers or not form.qualifier)
                and (not form.alike or not found or _is_alike(item, found[0]))
            ]
            iri = self._chosen(rng, _by_iri(ways))
            if iri is None:
                return None
            found.append(self.schema.item(Kind.ATTRIBUTE, iri))
        return tuple(item.iri for item in found)

    def _qualifier(
        self, rng: Random, form: ProgramForm, moves: Sequence[Move], attributes: Sequence[str]
    ) -> str | None:
        known: tuple[str, ...] = ()
        if form.qualifier == "relation":
            known = self.schema.item(Kind.RELATION, moves[-1].relation).qualifiers
        elif attributes:
            known = self.schema.item(Kind.ATTRIBUTE, attributes[0]).qualifiers
        return self._chosen(rng, [(qualifier, 1.0) for qualifier in known])

    def _form(self, rng: Random, forms: dict[str, ProgramForm]) -> str:
        """A form, by weight; those that nothing was found of yet rather than the others."""
        weights = [form.weight * (1.0 if name in self.found else _MISSING) for name, form in forms.items()]
        return rng.choices(list(forms), weights)[0]

    def _chosen(
        self, rng: Random, ways: Sequence[tuple[Choice, float]], before: Sequence[Move] = ()
    ) -> Choice | None:
        """Choose one of several moves, preferring sure and new ones."""
        if not ways:
            return None
        last = before[-1] if before else None
        weights = [sure / (1 + self.seen[way]) / (1 + self.seen[last, way]) for way, sure in ways]
        return rng.choices([way for way, _ in ways], weights)[0]


def _relations(idea: Idea) -> int:
    """The number of relations in the idea's programs."""
    forms = (NARROWINGS.get(part.form, FORMS.get(part.form)) for part in idea.parts)
    again = sum(form.doubles for form in forms if form is not None)
    return len(idea.all_moves) + again * len(idea.moves)


def _length(rng: Random, bounds: tuple[int, int]) -> int:
    lengths = range(bounds[0], bounds[1] + 1)
    return rng.choices(lengths, [_LENGTHS[length] for length in lengths])[0]


def _returns(moves: Sequence[Move], move: Move) -> bool:
    return bool(moves) and move == moves[-1].inverse


def _is_alike(one: SchemaItem, other: SchemaItem) -> bool:
    return (one.value_types[:1], one.units[:1]) == (other.value_types[:1], other.units[:1])


def _by_iri(items: Sequence[tuple[SchemaItem, float]]) -> list[tuple[str, float]]:
    return [(item.iri, sure) for item, sure in items]
