"""Endings of yes and no about two things: whether one is related to the other, or has more of something."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from compilers.kopl.functions import ValueType
from nlq_gateway.reasoning import weights as w
from nlq_gateway.reasoning.field import Field, words_of
from nlq_gateway.reasoning.question.reading import Superlative
from nlq_gateway.reasoning.sets.filters import has
from nlq_gateway.reasoning.sketch import Sketch, joined
from nlq_gateway.types import SchemaItem

_ORDERED = frozenset({ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE})


def verify_pair(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether the second, a named thing, is one of the first, or whether the first has more than it."""
    if field.reading.is_verification and second.is_single:
        yield from _is_one_of(first, second)
        yield from _has_more(field, first, second)


def _is_one_of(first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether what the first leads to has the second among it: "did X direct Y"."""
    if first.hops and first.names_entity and (not first.possibly or first.possibly & second.home):
        both = joined(first, second, "And")
        yield replace(both.then("Exists", ()), cost=both.cost + w.STEP - 2 * w.FORM)


def _has_more(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether the first has more or less of an attribute than the second: "is X longer than Y"."""
    if not first.is_single or first.origin is None or second.origin is None or first.origin > second.origin:
        return
    between = range(first.origin, second.origin)
    if "than" not in field.reading.lowers[first.origin : second.origin]:
        return
    for cue in field.reading.comparatives:
        for attribute in field.vocabulary.attributes if cue.token in between else ():
            ordered = _ORDERED & set(attribute.value_types)
            if ordered and has(field, first, attribute) and has(field, second, attribute):
                yield _compared(field, first, second, attribute, cue)


def _compared(field: Field, first: Sketch, second: Sketch, attribute: SchemaItem, cue: Superlative) -> Sketch:
    found = field.evidence(attribute)
    one, other = (_valued(field, sketch, attribute) for sketch in (first, second))
    more = cue.degree.more_of(ValueType.QUANTITY in attribute.value_types)
    both = joined(one, other, "FilterCompare", (">" if more else "<",))
    hint = w.HINT * (1 - found.get(cue.token, 0.0)) if cue.degree.hints else 0.0
    said = cue.token in found or field.said(found)
    cost = both.cost + w.STEP + hint + (0.0 if said else w.UNSAID) - 2 * w.FORM
    told = both.explaining({**found, cue.token: 1.0})
    return replace(both.then("Exists", ()), explained=told, cost=cost)


def _valued(field: Field, sketch: Sketch, attribute: SchemaItem) -> Sketch:
    named = {0: ((attribute.iri,), words_of(field, field.evidence(attribute)))}
    return sketch.then("QueryAttr", (attribute.label,), named)
