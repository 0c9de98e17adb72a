"""Endings of yes and no: of what kind a thing is, whether it is related to another, or has more than that."""

from __future__ import annotations

from collections.abc import Iterator

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field, words_of
from nlq_gateway.drafts.reasoning.sets.compared import behind, compared, comparisons, led_behind, measures
from nlq_gateway.drafts.reasoning.sets.filters import has
from nlq_gateway.drafts.reasoning.sketch import Sketch, joined
from nlq_gateway.question.reading.voice import leads


def verify(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Whether a named thing is of a kind that other words of the question name: "is X an actor"."""
    if not field.reading.is_verification or len(sketch.steps) > 1 or not sketch.is_single:
        return
    own = field.words(sketch.used)
    for concept in field.vocabulary.concepts:
        found = {token: degree for token, degree in field.evidence(concept).items() if token not in own}
        if concept.count and field.said(found):
            words = {0: ((concept.iri,), words_of(field, found))}
            of_kind = sketch.then("FilterConcept", (concept.label,), words)
            if field.denials:
                of_kind = of_kind.then("Except", (), dependencies=(0, of_kind.last))
            told = of_kind._replace(explained=sketch.explaining(found))
            yield _verdict(field, told, w.STEP)


def verify_pair(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether the second, a named thing, is one of the first, or whether the first has more than it."""
    if field.reading.is_verification and second.is_single:
        yield from _is_related(field, first, second)
        yield from _is_one_of(field, first, second)
        yield from _has_more(field, first, second)


def _is_related(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether a relation leads from the first to the second, where the question says that of both.

    Of several relations those count that most ends have at all: "is part of" where nothing "has part".
    """
    if len(first.steps) > 1 or len(second.steps) > 1:
        return
    start, end = field.words(first.used), field.words(second.used)
    told = [(one, leads(field.reading, one, start, end)) for one in _said(field, start | end)]
    known = [-1 if way is None else _ends_known(first, second, one, way) for one, way in told]
    for (relation, way), ends in zip(told, known, strict=True):
        if not way or ends < max(known):
            continue
        found = {t: d for t, d in field.evidence(relation).items() if t not in start | end}
        words = {0: ((relation.iri,), words_of(field, found))}
        led = first.then("Relate", (relation.label, "forward"), words, explained=first.explaining(found))
        yield _among(field, led, second, w.HOP + w.STEP)


def _ends_known(first: Sketch, second: Sketch, relation: SchemaItem, way: bool) -> int:
    """How many of the two ends have such facts at all; the first is the subject if `way` says so."""
    subject, thing = (first, second) if way else (second, first)
    ends = ((subject, "forward"), (thing, "backward"))
    return sum(end.reach is None or (relation.iri, direction) in end.reach for end, direction in ends)


def _is_one_of(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether what the first leads to has the second among it: "did X direct Y".

    Where the question compares the two, or says which way a relation leads, it asks nothing else.
    """
    if not first.hops or not first.names_entity or (first.possibly and not first.possibly & second.home):
        return
    start, end = field.words(first.used), field.words(second.used)
    if start and end and any(comparisons(field, range(*sorted((min(start), min(end)))))):
        return
    if not any(leads(field.reading, one, start, end) is not None for one in _said(field, start | end)):
        yield _among(field, first, second, w.STEP)


def _said(field: Field, names: frozenset[int]) -> Iterator[SchemaItem]:
    """The relations that words besides the names firmly speak of."""
    for relation in field.spoken_relations:
        if field.said({t: d for t, d in field.evidence(relation).items() if t not in names}):
            yield relation


def _among(field: Field, first: Sketch, second: Sketch, price: float) -> Sketch:
    """Whether the second is among the first; where the question denies it, whether it is not."""
    both = joined(second, first, "Except") if field.denials else joined(first, second, "And")
    return _verdict(field, both, price)


def _verdict(field: Field, sketch: Sketch, price: float) -> Sketch:
    stated = sketch.stated.union(field.denials)
    explained = sketch.explaining(dict.fromkeys(field.denials, 1.0))
    cost = sketch.cost + price - 2 * w.FORM
    return sketch.then("Exists", (), cost=cost, stated=stated, explained=explained, empty=False)


def _has_more(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Whether the first has more or less of an attribute than the second: "is X longer than Y"."""
    if not first.is_single or first.origin is None or second.origin is None or first.origin > second.origin:
        return
    words = range(first.origin, second.origin)
    for attribute, cue in measures(field, first, second, words):
        yield _has(field, first, compared(field, first, second, attribute, cue))
    for relation, attribute in behind(field, first):
        if has(field, second, relation):
            one, other = (led_behind(field, sketch, relation) for sketch in (first, second))
            for cue, _ in comparisons(field, words):
                yield _has(field, one, compared(field, one, other, attribute, cue))


def _has(field: Field, first: Sketch, more: Sketch) -> Sketch:
    """Whether the first is among those that have more; where the question denies it, whether it is not."""
    denied = more.then("Except", (), dependencies=(first.last, more.last)) if field.denials else more
    return _verdict(field, denied, 0.0)
