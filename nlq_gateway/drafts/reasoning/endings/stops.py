"""The sets of a program that columns can start from: those on its line, and branches from them.

Steps that come from the same step speak of the same member of it (docs/extensions.md, Ways): so columns
that stand side by side are branches of one tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from compilers.kopl.functions import Kind
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.sets.joins import joined_along, price
from nlq_gateway.drafts.reasoning.sets.paths import Path, competing
from nlq_gateway.drafts.reasoning.sketch import Sketch

_BEGIN = frozenset({"Find", "FindAll", "Relate", "Or"})


@dataclass(frozen=True, slots=True)
class Stop:
    """A set at a step: what its members mostly are, the concept they are named by, how far it is off.

    `kinds` has the concepts that all members are of, one of them at least; empty where that is not known.
    `surely` has those that (nearly) every member is of.
    """

    step: int
    concept: str
    concepts: frozenset[str]
    price: float = 0.0
    kinds: frozenset[str] = frozenset()
    surely: frozenset[str] = frozenset()

    def may_have(self, attribute: SchemaItem) -> bool:
        """True if some member of a set like this one has the attribute."""
        known = {iri for iri, _ in attribute.domains}
        return not known or not self.kinds or not self.kinds.isdisjoint(known)


@dataclass(frozen=True, slots=True)
class Canvas:
    """A program under construction with the sets that columns can hang on, the asked set first."""

    field: Field
    sketch: Sketch
    stops: tuple[Stop, ...]

    @classmethod
    def of(cls, field: Field, sketch: Sketch) -> Canvas:
        """The sets on a sketch's line."""
        return cls(field, sketch, tuple(_stops(field, sketch)))

    def reach(
        self, concepts: frozenset[str], attribute: SchemaItem | None = None
    ) -> Iterator[tuple[float, Canvas, Stop]]:
        """The sets of members of these concepts: those at hand with their price, else by the shortest way.

        With an attribute, those whose members may have it.
        """
        at_hand = [
            stop
            for stop in self.stops
            if not stop.concepts.isdisjoint(concepts) and (attribute is None or stop.may_have(attribute))
        ]
        for stop in at_hand:
            yield stop.price, self, stop
        if at_hand or not concepts:
            return
        for stop in self.stops:
            ways = [
                (path, competing(found))
                for c in concepts
                if (found := self.field.joins.paths(stop.concept, c))
                for path in found
            ]
            if ways:
                path, others = min(ways, key=lambda way: (len(way[0]), -self._said(way[0])))
                sketch = joined_along(self.field, self.sketch, path, others, begin=stop.step)
                begin = len(self.sketch.steps)
                new = tuple(
                    _stop(self.field, hop.relation, hop.far, begin + number, w.ON_LINE)
                    for number, hop in enumerate(path)
                )
                led = replace(self, sketch=sketch, stops=(*self.stops, *new))
                yield w.OFF_SET + price(path, others), led, new[-1]
                return

    def narrowed(self, stop: Stop, concept: SchemaItem) -> tuple[Canvas, Stop]:
        """A set with those of its members alone that are of a concept: a place lies in states, too."""
        if concept.iri in stop.surely:
            return self, stop
        canvas, step = self.once("FilterConcept", concept, stop)
        return canvas, _of(self.field, concept.iri, step, stop.price)

    def once(self, function: str, item: SchemaItem, stop: Stop) -> tuple[Canvas, int]:
        """The canvas with a step on a set, and which it is; added where it is not there."""
        for number, step in enumerate(self.sketch.steps):
            if (step.function, step.inputs, step.dependencies) == (function, (item.label,), (stop.step,)):
                return self, number
        canvas = self.add(function, (item.label,), (stop.step,), item)
        return canvas, canvas.sketch.last

    def _said(self, path: Path) -> float:
        """Return Σ weight × degree over the question's words that mention the path's relations."""
        weights = self.field.reading.weights
        return sum(
            weights[token] * degree
            for hop in path
            for token, degree in self.field.evidence(hop.relation).items()
        )

    def add(
        self, function: str, inputs: tuple[str, ...], inward: tuple[int, ...], item: SchemaItem | None = None
    ) -> Canvas:
        """The canvas with one more step, which is the last."""
        iris: Mapping[int, tuple[tuple[str, ...], str]] = {0: ((item.iri,), "")} if item else {}
        return replace(self, sketch=self.sketch.then(function, inputs, iris, dependencies=inward))


def _stop(field: Field, item: SchemaItem, side: str, step: int, price: float = 0.0) -> Stop:
    counts = item.ranges if side == "ranges" else item.domains
    return Stop(
        step,
        counts[0][0] if counts else "",
        field.vocabulary.mostly(item, side),
        price,
        surely=field.vocabulary.end(item, side).surely,
    )


def _of(field: Field, concept: str, step: int, price: float = 0.0) -> Stop:
    """A set that has members of one concept only."""
    above = field.vocabulary.upward((concept,))
    kinds = frozenset(field.vocabulary.index.descendants(concept)) | {concept}
    return Stop(step, concept, above | kinds, price, kinds, above)


def _stops(field: Field, sketch: Sketch) -> Iterator[Stop]:
    """The sets on the line, from the last one back; of each the step that narrows it last."""
    line = [sketch.last]
    while sketch.steps[line[-1]].dependencies:
        line.append(sketch.steps[line[-1]].dependencies[0])
    known = _members(field, sketch)
    end: int | None = None
    number = 0
    for step in line:
        end = step if end is None else end
        if sketch.steps[step].function in _BEGIN:
            found = known.get(end)
            alone = number > 0 and sketch.steps[step].function == "Find"
            if found is not None and found.concept and not alone:
                yield replace(found, price=w.ON_LINE * min(number, 1))
            if sketch.steps[step].function == "Or":
                return
            number += 1
            end = None


def _members(field: Field, sketch: Sketch) -> dict[int, Stop]:
    """Return the kinds of the members at each step: step -> Stop."""
    iris = {argument.step: argument.iris for argument in sketch.arguments if argument.argument == 0}
    found: dict[int, Stop] = {}
    for number, step in enumerate(sketch.steps):
        source = found.get(step.dependencies[0]) if step.dependencies else None
        own = _own(field, step.function, step.inputs, iris.get(number, ()), number)
        if own is not None and (source is None or step.function in ("Relate", "FilterConcept")):
            found[number] = own
        elif source is not None:
            found[number] = replace(source, step=number)
    return found


def _own(
    field: Field, function: str, inputs: tuple[str, ...], iris: tuple[str, ...], step: int
) -> Stop | None:
    """Return the kinds that a step's own arguments give to its members; None if they give none."""
    index = field.vocabulary.index
    if not iris:
        return None
    if function == "Find":
        entity = index.entity(iris[0])
        concepts = entity.concepts if entity else ()
        above = field.vocabulary.upward(concepts)
        return Stop(step, concepts[0], above, surely=above) if concepts else None
    if function == "FilterConcept":
        return _of(field, iris[0], step)
    if function == "Relate" and (relation := index.item(Kind.RELATION, iris[0])):
        return _stop(field, relation, "ranges" if inputs[1] == "forward" else "domains", step)
    if function.startswith("Filter") and (attribute := index.item(Kind.ATTRIBUTE, iris[0])):
        return _stop(field, attribute, "domains", step)
    return None
