"""Endings that ask which of a set has the most or the least of something, or stands at a place."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.endings.form import ignored_superlative, suits_measure, suits_names
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.sets.compared import behind, led_behind, measure_cost
from nlq_gateway.drafts.reasoning.sketch import Sketch, joined
from nlq_gateway.question.reading.reading import Superlative


def extreme(field: Field, sketch: Sketch, attribute: SchemaItem) -> Iterator[Sketch]:
    """End with the member that has the largest or smallest value of an attribute that is measured by."""
    if len(sketch.steps) == 1:
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
    for relation, attribute in behind(field, first, second):
        for cue in cues:
            choice = "largest" if cue.wants_more(attribute) else "smallest"
            led = led_behind(field, joined(first, second, "Or"), relation)
            ranked = led.then("SelectNth", (attribute.label, choice, "1"), {0: ((attribute.iri,), "")})
            back = ranked.then("Relate", (relation.label, "backward"), {0: ((relation.iri,), "")})
            words = back.explaining({cue.token: 1.0})
            yield back.then("What", (), explained=words, cost=led.cost + w.STEP - 2 * w.FORM)
