"""The fit of an ending to the question's form: "who" asks for people, "when" for a time."""

from __future__ import annotations

from collections.abc import Mapping

from compilers.kopl.functions import ValueType
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.drafts.reasoning.vocabulary import TIMES
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.amounts import SomeOf
from nlq_gateway.question.reading.measures import is_age, measure_asked


def suits_names(field: Field, sketch: Sketch) -> float:
    """Return the fit of the members of a set, shown by name."""
    reading = field.reading
    fit = 0.0
    if reading.asks(lexicon.PERSON_WORDS):
        fit += _are(sketch, field.vocabulary.person_like)
    if reading.opens_with(lexicon.PLACE_WORDS):
        fit += _are(sketch, field.vocabulary.place_like)
    if reading.opens_with(lexicon.TIME_WORDS) or reading.is_verification:
        fit -= w.FORM
    if reading.count_cue or measure_asked(reading.lowers) is not None:
        fit -= w.FORM
    return fit + suits_head(field, sketch) - ignored_superlative(field)


def suits_values(field: Field, item: SchemaItem, found: Mapping[int, float]) -> float:
    """Return the fit of values of an attribute or qualifier that the words `found` mention."""
    reading, types = field.reading, frozenset(item.value_types)
    fit = 0.0
    if reading.opens_with(lexicon.TIME_WORDS):
        fit += w.FORM if types & TIMES else -w.FORM
    if reading.asks(lexicon.PERSON_WORDS):
        fit -= w.MISFIT
    if reading.opens_with(lexicon.PLACE_WORDS):
        fit += w.FORM if (item.kind, item.iri) in field.vocabulary.place_items else -w.MISFIT
    if reading.count_cue:
        fit += w.FORM / 2 if ValueType.QUANTITY in types else -w.FORM
    else:
        fit += _suits_how(field, types, found)
    if reading.is_verification:
        fit -= w.MISFIT
    return fit + _suits_head_value(field, found) - ignored_superlative(field)


def _suits_how(field: Field, types: frozenset[ValueType], found: Mapping[int, float]) -> float:
    """An age is a time, or is called one; no other measure is a time alone."""
    lowers = field.reading.lowers
    measure = measure_asked(lowers)
    if measure is not None and is_age(lowers[measure]):
        return w.HEAD if types & TIMES or found.get(measure, 0.0) >= w.PLAIN else -w.FORM
    if measure is not None and types and types <= TIMES:
        return -w.FORM
    return w.HEAD if "how" in lowers and ValueType.QUANTITY in types else 0.0


def suits_head(field: Field, sketch: Sketch) -> float:
    """Return the bonus if the noun after "which" names the members, else the penalty; 0 without a noun."""
    if not field.reading.head:
        return 0.0
    named = (field.evidence(item) for item in field.vocabulary.concepts if item.iri in sketch.surely)
    related = (field.evidence(sketch.item),) if sketch.item and _may_be(sketch, field.head_kinds) else ()
    best = max((_on_head(field, found) for found in (*named, *related)), default=0.0)
    enough = w.PLAIN if field.head_concept else w.FIRM
    return w.HEAD * best if best >= enough else _elsewhere(field)


def _may_be(sketch: Sketch, kinds: frozenset[str]) -> bool:
    """True if members may be of the kinds: films that a relation is also called by are no directors."""
    return not kinds or not sketch.possibly or not sketch.possibly.isdisjoint(kinds)


def _suits_head_value(field: Field, found: Mapping[int, float]) -> float:
    if _on_head(field, found) >= w.FIRM:
        return w.HEAD_VALUE
    return _elsewhere(field) if field.reading.head and not field.reading.count_cue else 0.0


def _on_head(field: Field, found: Mapping[int, float]) -> float:
    head = field.head_concept or field.reading.head
    return max((degree for token, degree in found.items() if token in head), default=0.0)


def _elsewhere(field: Field) -> float:
    return -w.ELSEWHERE if field.head_concept else 0.0


def _are(sketch: Sketch, kinds: frozenset[str]) -> float:
    """Return the bonus if members are surely or perhaps of these kinds, else the penalty; 0 if unknown."""
    if not kinds or not sketch.possibly:
        return 0.0
    if sketch.surely & kinds:
        return w.FORM
    return w.SPOKEN if sketch.possibly & kinds else -w.FORM


def ignored_superlative(field: Field) -> float:
    """The price of an ending that leaves a superlative of the question aside."""
    return w.SUPERLATIVE if field.reading.superlatives else 0.0


def suits_measure(attribute: SchemaItem, sketch: Sketch) -> float:
    """A little for attributes that mostly belong to what the set holds."""
    shared = max((count for iri, count in attribute.domains if iri in sketch.surely), default=0)
    return w.MOSTLY * min(1.0, shared / max(attribute.count, 1))


def few(wanted: SomeOf, table: Sketch) -> Sketch:
    """So many rows of a table, whichever."""
    explained = table.explaining({wanted.token: 1.0})
    cut = table.then("LimitTable", (str(wanted.number),))
    return cut._replace(explained=explained, stated=table.stated | {wanted.token})
