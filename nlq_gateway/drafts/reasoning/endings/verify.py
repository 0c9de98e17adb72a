"""Endings of yes and no: of what kind a thing is, whether it is related to another, or has more than that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field, words_of
from nlq_gateway.drafts.reasoning.sets.compared import behind, compared, comparisons, led_behind, measures
from nlq_gateway.drafts.reasoning.sketch import Sketch, joined
from nlq_gateway.question.reading.voice import leads


def verify(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """End with the verdict that a named thing is of a kind that the question names: "is X an actor"."""
    if not field.reading.is_verification or len(sketch.steps) > 1 or not sketch.is_single:
        return
    kinds = _kinds_asked(field, field.words(sketch.used))
    listed = (["and"], ["or"])
    pairs = [(a, b) for a, b in permutations(kinds, 2) if field.between(kinds[a], kinds[b]) in listed]
    if pairs:
        yield from (_of_kinds(field, sketch, pair) for pair in pairs)
    else:
        yield from (_of_kinds(field, sketch, (concept,)) for concept in kinds)


def _kinds_asked(field: Field, own: frozenset[int]) -> dict[SchemaItem, frozenset[int]]:
    """The concepts that words besides a name firmly speak of, with these words."""
    found = {
        concept: frozenset(t for t, d in field.evidence(concept).items() if d >= w.FIRM) - own
        for concept in field.said_concepts
        if concept.count
    }
    weights = field.reading.weights
    return {concept: words for concept, words in found.items() if any(weights[token] > 0 for token in words)}


def _of_kinds(field: Field, sketch: Sketch, kinds: Sequence[SchemaItem]) -> Sketch:
    """Return the verdict that a named thing is of a kind, or of both or either of two; negated if denied."""
    own, ends, told = field.words(sketch.used), list[int](), sketch
    either = len(kinds) > 1 and bool(field.reading.ors)
    for concept in kinds:
        found = {token: degree for token, degree in field.evidence(concept).items() if token not in own}
        words = {0: ((concept.iri,), words_of(field, found))}
        inward = (0,) if either else (told.last,)
        explained = told.explaining(found)
        told = told.then("FilterConcept", (concept.label,), words, inward, explained=explained)
        ends.append(told.last)
    if either:
        told = told.then("Or", (), dependencies=(ends[0], ends[1]))
    if field.reading.denials:
        told = told.then("Except", (), dependencies=(0, told.last))
    return _verdict(field, told, w.STEP)


def verify_count(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """End with the verdict that there are so many of the set: "does X have more than two pets?"."""
    wanted_numbers = field.counted if field.reading.is_verification and not sketch.is_single else ()
    for wanted in wanted_numbers:
        noun = min(wanted.noun, default=-1)
        if field.class_named(sketch, noun) is not None:
            words = dict.fromkeys((*wanted.cue, noun), 1.0)
            counted = sketch.then("Count", (), explained=sketch.explaining(words))
            yield counted.then(
                "VerifyNum",
                (str(wanted.number), wanted.operator),
                stated=counted.stated | wanted.cue,
                cost=counted.cost + w.STEP - 2 * w.FORM,
                empty=False,
            )


def verify_pair(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """End with the verdict that the second, a named thing, is among the first, or has less than it."""
    if field.reading.is_verification and second.is_single:
        yield from _is_related(field, first, second)
        yield from _is_one_of(field, first, second)
        yield from _has_more(field, first, second)


def _is_related(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """End with the verdict that a relation leads from the first to the second, as the question says.

    Of several relations, those that most ends have at all count: "is part of" if nothing "has part".
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
    """Return how many of both ends have facts of the relation; the first is the subject if `way` is true."""
    subject, thing = (first, second) if way else (second, first)
    ends = ((subject, "forward"), (thing, "backward"))
    return sum(end.reach is None or (relation.iri, direction) in end.reach for end, direction in ends)


def _is_one_of(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """End with the verdict that the first leads to the second: "did X direct Y".

    A question that compares the two, or states the direction of a relation, has other endings.
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
    """Return the verdict that the second is among the first; negated if the question denies it."""
    both = joined(second, first, "Except") if field.reading.denials else joined(first, second, "And")
    return _verdict(field, both, price)


def _verdict(field: Field, sketch: Sketch, price: float) -> Sketch:
    stated = sketch.stated.union(field.reading.denials)
    explained = sketch.explaining(dict.fromkeys(field.reading.denials, 1.0))
    cost = sketch.cost + price - 2 * w.FORM
    return sketch.then("Exists", (), cost=cost, stated=stated, explained=explained, empty=False)


def _has_more(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """End with the verdict that the first has more or less of an attribute: "is X longer than Y"."""
    if not first.is_single or first.origin is None or second.origin is None or first.origin > second.origin:
        return
    words = range(first.origin, second.origin)
    for attribute, cue in measures(field, first, second, words):
        yield _has(field, first, compared(field, first, second, attribute, cue))
    for relation, attribute in behind(field, first, second):
        one, other = (led_behind(field, sketch, relation) for sketch in (first, second))
        for cue, _ in comparisons(field, words):
            yield _has(field, one, compared(field, one, other, attribute, cue))


def _has(field: Field, first: Sketch, more: Sketch) -> Sketch:
    """Return the verdict that the first is among those with more; negated if the question denies it."""
    denied = more.then("Except", (), dependencies=(first.last, more.last)) if field.reading.denials else more
    return _verdict(field, denied, 0.0)
