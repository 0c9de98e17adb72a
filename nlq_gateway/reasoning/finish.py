"""The last steps: what is asked of a set, and how well that suits the question's form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from compilers.kopl.functions import ValueType
from compilers.kopl.values import String, Value
from nlq_gateway.reasoning import lexicon
from nlq_gateway.reasoning.field import FIRM, Clue, Field, words_of
from nlq_gateway.reasoning.grow import STEP_COST, SUFFIX, UNSAID_COST, apart, fits, meant
from nlq_gateway.reasoning.sketch import Argument, Sketch, joined
from nlq_gateway.reasoning.vocabulary import TIMES
from nlq_gateway.types import SchemaItem

_ORDERED = frozenset({ValueType.QUANTITY, ValueType.YEAR, ValueType.DATE})
_SAID = 0.25
_FORM = 0.8
_ELSEWHERE = 1.2
_AGAIN = 0.6


def finish(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Every way to ask something of one set."""
    yield from _names(field, sketch)
    yield from _count(field, sketch)
    for attribute in field.vocabulary.attributes:
        if _has(field, sketch, attribute):
            yield from _values(field, sketch, attribute)
            yield from _extreme(field, sketch, attribute)


def finish_pair(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Every way to ask something of two sets about different words."""
    if not apart(field, first, second):
        return
    yield from _relations(field, first, second)
    yield from _relation_qualifiers(field, first, second)
    yield from _better(field, first, second)


def _has(field: Field, sketch: Sketch, attribute: SchemaItem) -> bool:
    if sketch.reach is not None:
        return (attribute.iri, "forward") in sketch.reach
    return field.vocabulary.suits(attribute, "domains", sketch.mostly)


def _names(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    if len(sketch.steps) == 1 or sketch.is_single:
        return
    yield replace(sketch.then("What", ()), cost=sketch.cost - _suits_names(field, sketch))


def _suits_names(field: Field, sketch: Sketch) -> float:
    reading = field.reading
    fit = 0.0
    if reading.asks(lexicon.PERSON_WORDS):
        fit += _matches(sketch, field.vocabulary.person_like)
    if reading.opens_with(lexicon.PLACE_WORDS):
        fit += _matches(sketch, field.vocabulary.place_like)
    if reading.opens_with(lexicon.TIME_WORDS) or reading.is_verification:
        fit -= _FORM
    if reading.count_cue:
        fit -= _FORM
    return fit + _head(field, sketch) - _ignored_superlatives(field)


def _matches(sketch: Sketch, kinds: frozenset[str]) -> float:
    if not kinds or not sketch.possibly:
        return 0.0
    if sketch.surely & kinds:
        return _FORM
    return 0.3 if sketch.possibly & kinds else -_FORM


def _head(field: Field, sketch: Sketch) -> float:
    """Whether the members are what the noun after `which` names."""
    head = field.reading.head
    if not head:
        return 0.0
    named = max(
        (
            degree
            for concept in field.vocabulary.concepts
            if concept.iri in sketch.surely
            for token, degree in field.evidence(concept).items()
            if token in head
        ),
        default=0.0,
    )
    related = (
        max((d for t, d in field.evidence(sketch.item).items() if t in head), default=0.0)
        if sketch.item
        else 0.0
    )
    best = max(named, related)
    return 0.5 * best if best >= FIRM else -(_ELSEWHERE if field.head_is_concept else 0.0)


def _ignored_superlatives(field: Field) -> float:
    return 0.5 if field.reading.superlatives else 0.0


def _count(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    cue = field.reading.count_cue
    if not cue or sketch.is_single:
        return
    new = sketch.then("Count", (), explained=sketch.explaining(dict.fromkeys(cue, 1.0)))
    yield replace(new, cost=sketch.cost - _FORM - _head(field, sketch))


def _values(field: Field, sketch: Sketch, attribute: SchemaItem) -> Iterator[Sketch]:
    found = field.evidence(attribute)
    asked = _suits_values(field, attribute, found)
    name = {0: ((attribute.iri,), words_of(field, found))}
    unsaid = 0.0 if sketch.gain(found, field.reading.weights) > _SAID else UNSAID_COST
    base = sketch.then("QueryAttr", (attribute.label,), name, explained=sketch.explaining(found))
    if field.said(found) or asked > 0:
        again = _AGAIN if any(attribute.label in step.inputs for step in sketch.steps) else 0.0
        yield replace(base, cost=sketch.cost + STEP_COST + unsaid + again - asked)
    for number, clue in enumerate(field.clues):
        used = field.clue_index(number)
        if used not in sketch.used:
            yield from _with_clue(field, sketch, base, attribute, clue, used, unsaid)


def _with_clue(
    field: Field, sketch: Sketch, base: Sketch, attribute: SchemaItem, clue: Clue, used: int, unsaid: float
) -> Iterator[Sketch]:
    """A value asked for under a condition, tested against the clue, or asked about as a fact."""
    operator = field.reading.operator(clue.literal)
    words = dict.fromkeys(field.reading.covered(clue.literal) | operator.tokens, 1.0)
    told = base.explaining(words)
    name = {0: ((attribute.iri,), words_of(field, field.evidence(attribute)))}
    asked = _suits_values(field, attribute, field.evidence(attribute))
    cost = sketch.cost + 2 * STEP_COST + unsaid
    marked = sketch.used | {used}
    if field.reading.is_verification and fits(clue, attribute):
        value = meant(clue.literal.value, attribute)
        yield from _verified(base, value, operator.comparison, told, marked, cost)
    for qualifier in field.vocabulary.qualifiers(attribute):
        evidence = field.evidence(qualifier)
        if fits(clue, qualifier) and operator.comparison == "=":
            unnamed = 0.0 if field.said(evidence) else 0.1
            value = meant(clue.literal.value, qualifier)
            yield sketch.then(
                "QueryAttrUnderCondition",
                (attribute.label, qualifier.label, str(value)),
                {**name, 1: ((qualifier.iri,), words_of(field, evidence)), 2: ((), clue.literal.text)},
                explained=base.explaining({**words, **_only_new(evidence, words)}),
                used=marked,
                cost=cost + unnamed - asked,
            )
        if fits(clue, attribute) and (form := _suits_values(field, qualifier, evidence)) > 0:
            value = meant(clue.literal.value, attribute)
            yield sketch.then(
                "QueryAttrQualifier",
                (attribute.label, str(value), qualifier.label),
                {**name, 1: ((), clue.literal.text), 2: ((qualifier.iri,), words_of(field, evidence))},
                explained=base.explaining({**words, **_only_new(evidence, words)}),
                used=marked,
                cost=cost - form,
            )


def _verified(
    base: Sketch, value: Value, comparison: str, told: Mapping[int, float], used: frozenset[int], cost: float
) -> Iterator[Sketch]:
    suffix = SUFFIX[type(value)]
    if isinstance(value, String) and comparison != "=":
        return
    inputs = (str(value),) if suffix == "Str" else (str(value), comparison)
    yield base.then(f"Verify{suffix}", inputs, explained=told, used=used, cost=cost - 1.5 * _FORM)


def _only_new(evidence: Mapping[int, float], words: Mapping[int, float]) -> dict[int, float]:
    return {token: degree for token, degree in evidence.items() if token not in words}


def _suits_values(field: Field, item: SchemaItem, found: Mapping[int, float]) -> float:
    """How well a value of the item suits the question's form."""
    reading = field.reading
    types = set(item.value_types)
    fit = 0.0
    if reading.opens_with(lexicon.TIME_WORDS):
        fit += _FORM if types & TIMES else -_FORM
    if reading.asks(lexicon.PERSON_WORDS):
        fit -= 0.4
    if reading.opens_with(lexicon.PLACE_WORDS):
        fit += _FORM if (item.kind, item.iri) in field.vocabulary.place_items else -0.4
    if reading.count_cue:
        fit += 0.5 * _FORM if ValueType.QUANTITY in types else -_FORM
    if "how" in reading.lowers and not reading.count_cue:
        fit += 0.5 if ValueType.QUANTITY in types else 0.0
    if reading.is_verification:
        fit -= 0.4
    if any(found.get(token, 0.0) >= FIRM for token in reading.head):
        fit += 0.4
    elif reading.head and not reading.count_cue:
        fit -= _ELSEWHERE if field.head_is_concept else 0.0
    return fit - _ignored_superlatives(field)


def _extreme(field: Field, sketch: Sketch, attribute: SchemaItem) -> Iterator[Sketch]:
    if not _ORDERED & set(attribute.value_types) or len(sketch.steps) == 1:
        return
    found = field.evidence(attribute)
    for superlative in field.reading.superlatives:
        choice = "largest" if superlative.degree.more else "smallest"
        told = sketch.explaining({**found, superlative.token: 1.0})
        said = superlative.token in found or sketch.gain(found, field.reading.weights) > _SAID
        new = sketch.then(
            "SelectAmong",
            (attribute.label, choice),
            {0: ((attribute.iri,), field.reading.tokens[superlative.token].text)},
            explained=told,
        )
        hinted = 0.3 * (1 - found.get(superlative.token, 0.0)) if superlative.degree.hints else 0.0
        form = _suits_names(field, sketch) + _ignored_superlatives(field)
        common = _commonness(attribute, sketch)
        yield replace(
            new, cost=sketch.cost + STEP_COST + (0 if said else UNSAID_COST) + hinted - 0.5 - form - common
        )


def _commonness(attribute: SchemaItem, sketch: Sketch) -> float:
    """A little for attributes that mostly belong to what the set holds."""
    total = max(attribute.count, 1)
    shared = max((count for iri, count in attribute.domains if iri in sketch.surely), default=0)
    return 0.2 * min(1.0, shared / total)


def _better(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """Which of two named things has more or less of something."""
    reading = field.reading
    cues = (*reading.superlatives, *reading.comparatives)
    if not cues or max(len(first.steps), len(second.steps)) > 2 or "or" not in reading.lowers:
        return
    for attribute in field.vocabulary.attributes:
        if not _ORDERED & set(attribute.value_types) or not (
            _has(field, first, attribute) and _has(field, second, attribute)
        ):
            continue
        found = field.evidence(attribute)
        for cue in cues:
            said = cue.token in found or field.said(found)
            new = joined(
                first, second, "SelectBetween", (attribute.label, "greater" if cue.degree.more else "less")
            )
            named = replace(
                new,
                arguments=(*new.arguments, _argument(field, new.last, attribute)),
                explained=new.explaining({**found, cue.token: 1.0}),
            )
            hinted = 0.3 * (1 - found.get(cue.token, 0.0)) if cue.degree.hints else 0.0
            yield replace(
                named, cost=new.cost + STEP_COST + hinted + (0 if said else UNSAID_COST) - 2 * _FORM
            )


def _argument(field: Field, step: int, item: SchemaItem, argument: int = 0) -> Argument:
    return Argument(step, argument, (item.iri,), words_of(field, field.evidence(item)))


def _relations(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    cue = {i: 1.0 for i, word in enumerate(field.reading.lowers) if word in lexicon.RELATION_WORDS}
    if not cue or len(first.steps) > 2 or len(second.steps) > 2:
        return
    new = joined(first, second, "QueryRelation")
    yield replace(new, explained=new.explaining(cue), cost=new.cost + STEP_COST - 2 * _FORM)


def _relation_qualifiers(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """What is said about the fact that relates two sets."""
    for relation in field.vocabulary.relations:
        if not relation.qualifiers or not _links(field, first, relation, second):
            continue
        found = field.evidence(relation)
        for qualifier in field.vocabulary.qualifiers(relation):
            evidence = field.evidence(qualifier)
            form = _suits_values(field, qualifier, evidence)
            if not field.said(evidence) and form <= 0:
                continue
            new = joined(first, second, "QueryRelationQualifier", (relation.label, qualifier.label))
            named = replace(
                new,
                arguments=(
                    *new.arguments,
                    _argument(field, new.last, relation),
                    _argument(field, new.last, qualifier, 1),
                ),
            )
            told = named.explaining({**found, **_only_new(evidence, found)})
            unsaid = 0.0 if field.said(found) else 0.5 * UNSAID_COST
            yield replace(named, explained=told, cost=new.cost + STEP_COST + unsaid - form - 0.2)


def _links(field: Field, first: Sketch, relation: SchemaItem, second: Sketch) -> bool:
    forward = (relation.iri, "forward")
    backward = (relation.iri, "backward")
    if first.reach is not None and forward not in first.reach:
        return False
    if second.reach is not None and backward not in second.reach:
        return False
    vocabulary = field.vocabulary
    heads = vocabulary.suits(relation, "domains", first.mostly)
    return heads and vocabulary.suits(relation, "ranges", second.mostly)
