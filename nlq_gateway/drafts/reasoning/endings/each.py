"""Tables for "each": "the capital of each country" has the countries beside their capitals."""

from __future__ import annotations

from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field, once_a_question
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.language import lexicon


def owner_of_each(field: Field, sketch: Sketch) -> int | None:
    """The step that finds the things that stand behind "each": the last one, or the one before it."""
    each = kinds_of_each(field)
    if not each:
        return None
    if not each.isdisjoint(sketch.surely):
        return sketch.last
    if sketch.item is None or sketch.steps[-1].function != "Relate":
        return None
    near = "domains" if sketch.direction == "forward" else "ranges"
    ends = field.vocabulary.main_ends(sketch.item, near)
    return None if each.isdisjoint(ends) else sketch.steps[-1].dependencies[0]


def beside(owner: int | None, done: Sketch) -> Sketch:
    """The things beside what an ending shows of them; the ending where it shows nothing else."""
    last = done.steps[-1]
    shown = (
        done.last
        if last.function == "QueryAttr"
        else last.dependencies[0]
        if last.function == "What"
        else None
    )
    if owner is None or shown is None or shown == owner:
        return done
    steps = done.steps if shown == done.last else done.steps[:-1]
    return done._replace(steps=steps).then("Table", (), dependencies=(owner, shown))


@once_a_question
def kinds_of_each(field: Field) -> frozenset[str]:
    """The classes of things with labels of their own that "each" stands before, and those below them."""
    lowers = field.reading.lowers
    parts = [part for part in field.request.groups if any(lowers[at] in lexicon.EACH for at in part.cue)]
    words = frozenset[int]().union(*(part.words for part in parts))
    said = (
        concept.iri
        for concept in field.vocabulary.concepts
        if any(field.evidence(concept).get(token, 0.0) >= w.PLAIN for token in words)
    )
    named = [iri for iri in said if not field.naming.attributes(iri)]
    return frozenset(named).union(*(field.vocabulary.index.descendants(iri) for iri in named))
