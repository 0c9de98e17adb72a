"""The start of a walk in the store: an entity, a class, or members with a certain value."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from compilers.kopl.functions import Kind
from nlq_gateway.offline.exploration.literals import literal_of
from nlq_gateway.offline.exploration.schema import Idea, IdeaPart, Move
from nlq_gateway.offline.exploration.sketch import LabelledIri, ProgramSketch
from nlq_gateway.offline.exploration.work import Site, Work, named

ATTEMPTS = 4
SAMPLED = 2


def _from_entities(work: Work, idea: Idea) -> Iterator[Site]:
    """Start at entities from which the walk leads on; without relations, at those with the attribute.

    Only its first relations are queried: if few paths through a large part of the graph lead to its end, a
    store has to try them all.
    """
    line = _walk(work, ProgramSketch().add("FindAll"), idea.moves[:SAMPLED])
    if not idea.moves:
        line = line.then("QueryAttr", work.attribute(_asking(idea)))
    rows = work.window(line, (0, line.end), _facts(work, idea))
    anchors = sorted({name for row in rows if (name := named(row[0])) is not None})
    chosen = work.rng.sample(anchors, min(len(anchors), ATTEMPTS))
    lines = [_led_from(work, anchor, idea.moves) for anchor in chosen]
    for number, (anchor, sketch) in enumerate(zip(chosen, lines, strict=True)):
        yield Site(sketch, idea, anchor, _others(lines, number))


def _led_from(work: Work, anchor: LabelledIri, moves: Sequence[Move]) -> ProgramSketch:
    """The walk from an entity; where it comes straight back to it, without that entity."""
    sketch = ProgramSketch().add("Find", anchor)
    for number, move in enumerate(moves):
        sketch = work.relate(sketch, move)
        if number == 1 and move == moves[0].inverse:
            sketch = sketch.join(ProgramSketch().add("Find", anchor), "Except")
    return sketch


def _from_concept(work: Work, idea: Idea) -> Iterator[Site]:
    yield Site(_walk(work, _members(work, idea.start.concept), idea.moves), idea)


def _from_value(work: Work, idea: Idea) -> Iterator[Site]:
    """Start at the members of a class that share a value."""
    members, attribute = _members(work, idea.start.concept), work.attribute(idea.start)
    valued = members.then("QueryAttr", attribute)
    rows = work.window(valued, (members.end, valued.end), _facts(work, idea))
    known = sorted({one for row in rows if row[1] is not None and (one := literal_of(row[1])) is not None})
    chosen = work.rng.sample(known, min(len(known), ATTEMPTS))
    calls = [literal.call("Filter", "=") for literal in chosen]
    lines = [
        _walk(work, members.then(function, attribute, *arguments), idea.moves)
        for function, arguments in calls
    ]
    for number, sketch in enumerate(lines):
        yield Site(sketch, idea, None, _others(lines, number))


def _members(work: Work, concept: str) -> ProgramSketch:
    everything, schema = ProgramSketch().add("FindAll"), work.schema
    if schema.is_class(concept):
        return everything.then("FilterConcept", schema.name(Kind.CONCEPT, concept))
    return everything.then("Relate", schema.name(Kind.RELATION, concept), "forward")


def _walk(work: Work, sketch: ProgramSketch, moves: Sequence[Move]) -> ProgramSketch:
    for move in moves:
        sketch = work.relate(sketch, move)
    return sketch


def _asking(idea: Idea) -> IdeaPart:
    return next(part for part in reversed(idea.parts) if part.attributes)


def _facts(work: Work, idea: Idea) -> int:
    """The number of facts at the start."""
    if idea.start.form == "value":
        return work.schema.item(Kind.ATTRIBUTE, idea.start.attributes[0]).count
    if not idea.moves:
        return work.schema.item(Kind.ATTRIBUTE, _asking(idea).attributes[0]).count
    return work.schema.facts(idea.moves[0])


def _others(lines: Sequence[ProgramSketch], number: int) -> tuple[ProgramSketch, ...]:
    return tuple(line for position, line in enumerate(lines) if position != number)


# By the start's form: the sets that the walk leads to, from a few places where it leads somewhere.
STARTS: dict[str, Callable[[Work, Idea], Iterator[Site]]] = {
    "entity": _from_entities,
    "concept": _from_concept,
    "value": _from_value,
}
