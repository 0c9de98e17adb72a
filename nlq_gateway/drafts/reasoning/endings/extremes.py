"""Endings that ask which of a set has the most or the least of something, or stands at a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.form import ignored_superlative, suits_measure, suits_names
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.nouns import ORDERED
from nlq_gateway.drafts.reasoning.sets.compared import behind, led_behind, measure_cost
from nlq_gateway.drafts.reasoning.sets.filters import has
from nlq_gateway.drafts.reasoning.sketch import Sketch, joined
from nlq_gateway.question.reading.reading import Superlative


def extreme(field: Field, sketch: Sketch, attribute: SchemaItem) -> Iterator[Sketch]:
    """End with the member that has the largest or smallest value."""
    if not ORDERED & set(attribute.value_types) or len(sketch.steps) == 1:
        return
    if not field.reading.superlatives:
        return
    found = field.evidence(attribute)
    form = suits_names(field, sketch) + ignored_superlative(field) + suits_measure(attribute, sketch)
    for superlative in field.reading.superlatives:
        said = superlative.token in found or sketch.gain(found, field.reading.weights) > w.SAID
        word = field.reading.tokens[superlative.token].text
        choice = "largest" if superlative.wants_more(attribute) else "smallest"
        place = field.reading.place_before(superlative.token)
        words = {superlative.token: 1.0, **({superlative.token - 1: 1.0} if place else {})}
        new = sketch.then(
            "SelectNth" if place else "SelectAmong",
            (attribute.label, choice, str(place)) if place else (attribute.label, choice),
            {0: ((attribute.iri,), word)},
            explained=sketch.explaining({**found, **words}),
        )
        new = new.then("What", ()) if place else new
        price = w.STEP + measure_cost(superlative, found, said) - w.SUPERLATIVE
        yield new._replace(cost=sketch.cost + price - form)


def better_behind(
    field: Field, first: Sketch, second: Sketch, cues: Iterable[Superlative]
) -> Iterator[Sketch]:
    """End with the one of two named things that leads to the larger or smaller value of unnamed entities."""
    for relation, attribute in behind(field, first):
        for cue in cues if has(field, second, relation) else ():
            choice = "largest" if cue.wants_more(attribute) else "smallest"
            either = joined(first, second, "Or")
            found = _best_behind(field, either, relation, attribute, choice)
            words = found.explaining({cue.token: 1.0})
            yield found._replace(explained=words, cost=found.cost - 2 * w.FORM)


def _best_behind(
    field: Field, sketch: Sketch, relation: SchemaItem, attribute: SchemaItem, choice: str
) -> Sketch:
    """The members that lead to the largest or smallest values."""
    led = led_behind(field, sketch, relation)
    ranked = led.then("SelectNth", (attribute.label, choice, "1"), {0: ((attribute.iri,), "")})
    back = ranked.then("Relate", (relation.label, "backward"), {0: ((relation.iri,), "")})
    return back.then("What", (), cost=led.cost + w.STEP)
