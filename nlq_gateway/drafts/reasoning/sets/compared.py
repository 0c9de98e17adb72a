"""Sets narrowed by comparison with a named thing: rivers longer than the Rhine."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compilers.kopl.functions import ValueType
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field, words_of
from nlq_gateway.drafts.reasoning.nouns import ORDERED
from nlq_gateway.drafts.reasoning.sets.filters import has
from nlq_gateway.drafts.reasoning.sketch import Sketch, joined
from nlq_gateway.drafts.reasoning.vocabulary import TIMES
from nlq_gateway.question.reading.amounts import difference_asked
from nlq_gateway.question.reading.reading import Superlative

# Words from "before" to the name: "before the film Titanic".
_NEAR = 3


def beyond(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Those of a set that have more, or less, of something than a named thing has."""
    if first.is_single or not second.is_single or second.origin is None or first.used & second.used:
        return
    for attribute, cue in measures(field, first, second, range(second.origin)):
        yield compared(field, first, second, attribute, cue)


def measures(
    field: Field, first: Sketch, second: Sketch, words: range
) -> Iterator[tuple[SchemaItem, Superlative]]:
    """Yield the attributes by which both are compared, if words before the second compare: "longer than".

    "Released before" compares only times that the question names.
    """
    for cue, kinds in comparisons(field, words):
        for attribute in field.vocabulary.attributes:
            comparable = kinds & set(attribute.value_types)
            if kinds is TIMES and not field.said(field.evidence(attribute)):
                continue
            if comparable and has(field, first, attribute) and has(field, second, attribute):
                yield attribute, cue


def comparisons(field: Field, words: range) -> Iterator[tuple[Superlative, frozenset[ValueType]]]:
    """The words that compare, with the kinds of values that they do."""
    lowers = field.reading.lowers
    for cue in field.reading.comparatives:
        if cue.token in words and "than" in lowers[cue.token : words.stop]:
            yield cue, ORDERED
    for cue in field.reading.time_orders:
        if cue.token in words and words.stop - cue.token <= _NEAR:
            yield cue, TIMES


def behind(field: Field, first: Sketch, second: Sketch) -> Iterator[tuple[SchemaItem, SchemaItem]]:
    """The relations of both that the question speaks of to things without a name, with the number these hold.

    A floor has an area, and that has a value.
    """
    for relation in field.spoken_relations:
        if relation.leads_to_unnamed and has(field, first, relation) and has(field, second, relation):
            yield from ((relation, attribute) for attribute in field.naming.attributes(relation.iri))


def led_behind(field: Field, sketch: Sketch, relation: SchemaItem) -> Sketch:
    """The things without a name that a relation leads to."""
    found = field.evidence(relation)
    words = {0: ((relation.iri,), words_of(field, found))}
    explained = sketch.explaining(found)
    return sketch.then(
        "Relate", (relation.label, "forward"), words, explained=explained, cost=sketch.cost + w.HOP
    )


def compared(field: Field, first: Sketch, second: Sketch, attribute: SchemaItem, cue: Superlative) -> Sketch:
    """The members of the first whose value compares so with that of the second."""
    found = field.evidence(attribute)
    one, other = (_valued(field, sketch, attribute) for sketch in (first, second))
    more = cue.wants_more(attribute)
    both = joined(one, other, "FilterCompare", (">" if more else "<",))
    said = cue.token in found or field.said(found)
    return both._replace(
        surely=first.surely,
        possibly=first.possibly,
        mostly=first.mostly,
        explained=both.explaining({**found, cue.token: 1.0}),
        cost=both.cost + w.STEP + measure_cost(cue, found, said),
    )


def measure_cost(cue: Superlative, found: Mapping[int, float], said: bool) -> float:
    """The price of measuring by an attribute that the cue does not speak of or hint at."""
    off_hint = w.HINT * (1 - found.get(cue.token, 0.0)) if cue.degree.hints else 0.0
    return off_hint + (0.0 if said else w.UNSAID)


def differences(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """By how much two named things differ in an amount, if that is asked: what is said to be more, first."""
    if not difference_asked(field.reading) or not (first.is_single and second.is_single):
        return
    if first.origin is None or second.origin is None or first.origin > second.origin:
        return
    for attribute in field.vocabulary.attributes:
        amount = ValueType.QUANTITY in attribute.value_types
        if amount and has(field, first, attribute) and has(field, second, attribute):
            yield _difference(field, first, second, attribute)
    for relation, attribute in behind(field, first, second):
        one, other = (led_behind(field, sketch, relation) for sketch in (first, second))
        yield _difference(field, one, other, attribute)


def _difference(field: Field, first: Sketch, second: Sketch, attribute: SchemaItem) -> Sketch:
    found, cues = field.evidence(attribute), field.reading.comparatives
    one, other = (_valued(field, sketch, attribute) for sketch in (first, second))
    is_less = bool(cues) and not cues[0].wants_more(attribute)
    result = joined(*((other, one) if is_less else (one, other)), "Calculate", ("-",))
    said = any(cue.token in found for cue in cues) or field.said(found)
    words = {*difference_asked(field.reading), *(cue.token for cue in cues)}
    return result._replace(
        explained=result.explaining({**found, **dict.fromkeys(words, 1.0)}),
        cost=result.cost + w.STEP - 2 * w.FORM + (0.0 if said else w.UNSAID),
    )


def _valued(field: Field, sketch: Sketch, attribute: SchemaItem) -> Sketch:
    named = {0: ((attribute.iri,), words_of(field, field.evidence(attribute)))}
    return sketch.then("QueryAttr", (attribute.label,), named)
