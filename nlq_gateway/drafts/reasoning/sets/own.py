"""Sets narrowed by comparison with what members lead to, or have: who earns more than their manager."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field, words_of
from nlq_gateway.drafts.reasoning.nouns import nouns
from nlq_gateway.drafts.reasoning.sets.compared import comparisons, measure_cost, measures
from nlq_gateway.drafts.reasoning.sets.conditions import ways
from nlq_gateway.drafts.reasoning.sets.filters import has
from nlq_gateway.drafts.reasoning.sets.joins import joined_along
from nlq_gateway.drafts.reasoning.sets.paths import Hop
from nlq_gateway.drafts.reasoning.sketch import Sketch, together
from nlq_gateway.question.reading.own import own_noun
from nlq_gateway.question.reading.reading import Superlative
from nlq_gateway.question.reading.voice import has_objects


def beyond_own(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Those of a set that have more, or less, of something than their own so-and-so."""
    words = own_noun(field.reading)
    if not words or sketch.is_single or words & sketch.stated:
        return
    before = range(min(words))
    for led, noun in _led(field, sketch, words):
        for attribute, cue in measures(field, sketch, led, before):
            yield _compared(
                field, sketch, led, (attribute, attribute), cue, together(noun, field.evidence(attribute))
            )
    for cue, kinds in comparisons(field, before):
        for attribute, other in _own_values(field, sketch, words):
            if kinds & set(attribute.value_types) & set(other.value_types):
                said = together(field.evidence(attribute), field.evidence(other))
                yield _compared(field, sketch, sketch, (attribute, other), cue, said)


def _led(field: Field, sketch: Sketch, words: frozenset[int]) -> Iterator[tuple[Sketch, Mapping[int, float]]]:
    """What members lead to by a noun: a class, also of their own kind, or a relation that is called so."""
    for noun, path, others in ways(field, sketch, words):
        yield joined_along(field, sketch, path, others), noun.words
    classes = {noun.item.iri: noun.words for noun in nouns(field, words)}
    for relation in field.vocabulary.relations:
        evidence = field.evidence(relation)
        called = {at: degree for at, degree in evidence.items() if at in words and degree >= w.FIRM}
        of_class = classes.get(relation.ranges[0][0]) if relation.ranges else None
        forward = True if of_class else has_objects(field.reading, relation) if called else None
        side = "domains" if forward else "ranges"
        if forward is not None and field.vocabulary.suits(relation, side, sketch.mostly):
            hop = Hop(relation, "forward" if forward else "backward", "")
            yield joined_along(field, sketch, (hop,)), together(called, of_class or {})


def _own_values(
    field: Field, sketch: Sketch, words: frozenset[int]
) -> Iterator[tuple[SchemaItem, SchemaItem]]:
    """Pairs of attributes of the members: one said before the comparison, and one behind it."""
    owned = [one for one in field.vocabulary.attributes if has(field, sketch, one)]
    said = [one for one in owned if _is_said(field, one, frozenset(range(min(words))), w.FIRM)]
    for other in owned:
        if _is_said(field, other, words, w.SURE):
            yield from ((one, other) for one in said if one is not other)


def _is_said(field: Field, attribute: SchemaItem, words: frozenset[int], degree: float) -> bool:
    return any(field.evidence(attribute).get(at, 0.0) >= degree for at in words)


def _compared(
    field: Field,
    sketch: Sketch,
    led: Sketch,
    attributes: tuple[SchemaItem, SchemaItem],
    cue: Superlative,
    said: Mapping[int, float],
) -> Sketch:
    """The members whose value compares so with that of what they lead to."""
    one, other = attributes
    evidence = field.evidence(one)
    said_itself = cue.token in evidence or field.said(evidence)
    first = led.then("QueryAttr", (one.label,), _named(field, one), dependencies=(sketch.last,))
    second = first.then("QueryAttr", (other.label,), _named(field, other), dependencies=(led.last,))
    sign = ">" if cue.wants_more(one) else "<"
    both = second.then("FilterCompare", (sign,), dependencies=(first.last, second.last))
    words = own_noun(field.reading)
    stated = frozenset({cue.token, min(words) - 1})
    return both._replace(
        surely=sketch.surely,
        possibly=sketch.possibly,
        mostly=sketch.mostly,
        explained=together(led.explaining(said), dict.fromkeys(stated, 1.0)),
        stated=sketch.stated | stated | words,
        cost=led.cost + w.STEP - w.FORM + measure_cost(cue, evidence, said_itself),
    )


def _named(field: Field, attribute: SchemaItem) -> dict[int, tuple[tuple[str, ...], str]]:
    return {0: ((attribute.iri,), words_of(field, field.evidence(attribute)))}
