"""Growth along paths between concepts that no word of the question mentions.

In a graph made from a database the relations are foreign keys, which questions do not name. They name the
concepts at both ends, and mean the shortest path between these.
"""

from __future__ import annotations

from collections.abc import Iterator

from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field, words_of
from nlq_gateway.drafts.reasoning.sets.others import without_itself
from nlq_gateway.drafts.reasoning.sets.paths import Path, competing
from nlq_gateway.drafts.reasoning.sketch import Sketch


def main_concept(field: Field, sketch: Sketch) -> str | None:
    """The smallest concept that all members surely belong to; of things without one what leads to them."""
    return next((iri for iri in field.vocabulary.rarest_kinds if iri in sketch.surely), None)


def join(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Yield programs that lead to the concepts that the question mentions, by the shortest paths."""
    start = main_concept(field, sketch)
    if start is None or sketch.names_entity:
        return
    for concept in field.said_concepts:
        if concept.iri in sketch.surely:
            continue
        if sketch.gain(field.evidence(concept), field.reading.weights) <= w.SPOKEN:
            continue
        paths = field.joins.paths(start, concept.iri)
        for path in paths:
            if _leads(sketch, path):
                yield joined_along(field, without_itself(sketch), path, competing(paths))


def _leads(sketch: Sketch, path: Path) -> bool:
    """True if the members are known to be led on by the first relation, or not known; and not back."""
    if path[0].relation is sketch.item:
        return False
    return sketch.reach is None or (path[0].relation.iri, path[0].direction) in sketch.reach


def joined_along(
    field: Field, sketch: Sketch, path: Path, others: int = 1, begin: int | None = None
) -> Sketch:
    """The sketch led on along a way, from its last step or from the step `begin`."""
    new = sketch
    for number, hop in enumerate(path):
        inward = (begin,) if number == 0 and begin is not None else None
        found, end = field.evidence(hop.relation), field.vocabulary.end(hop.relation, hop.far)
        new = new.then(
            "Relate",
            (hop.relation.label, hop.direction),
            {0: ((hop.relation.iri,), words_of(field, found))},
            dependencies=inward,
            surely=end.surely,
            possibly=end.possibly,
            mostly=end.mostly,
            item=hop.relation,
            direction=hop.direction,
        )
    return new._replace(
        explained=new.explaining(_spoken(field, new, path)), cost=sketch.cost + price(path, others)
    )


def price(path: Path, others: int) -> float:
    """The cost of a way: a little for each hop, more where others are as short."""
    return w.JOIN * len(path) + w.COMPETING * min(others - 1, 2)


def _spoken(field: Field, sketch: Sketch, path: Path) -> dict[int, float]:
    """Return the words that mention a path's relations and final concepts firmly: position -> degree."""
    told: dict[int, float] = {}
    ends = (item for item in field.vocabulary.concepts if item.iri in sketch.surely)
    for item in (*(hop.relation for hop in path), *ends):
        for token, degree in field.evidence(item).items():
            if degree >= w.FIRM:
                told[token] = max(told.get(token, 0.0), degree)
    return told
