"""The rules by which programs grow: each takes a program and yields it with one more condition.

BYOKG (Agarwal et al. 2024, section 3.3) grows programs bottom-up from the linked items over what the
graph can reach; here every rule also states which words of the question the new step accounts for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from compilers.kopl.functions import Kind
from compilers.kopl.program import Step
from nlq_gateway.reasoning import weights as w
from nlq_gateway.reasoning.field import Field, words_of
from nlq_gateway.reasoning.nouns import nouns
from nlq_gateway.reasoning.sets.conditions import conditions
from nlq_gateway.reasoning.sets.filters import by_qualifier, by_value
from nlq_gateway.reasoning.sets.joins import join
from nlq_gateway.reasoning.sets.kinds import typed
from nlq_gateway.reasoning.sets.others import comes_back, without_itself
from nlq_gateway.reasoning.sketch import Argument, Sketch
from nlq_gateway.types import Hit, Mention, SchemaItem

_UNSAID: Mapping[int, float] = {}


def begin(field: Field) -> Iterator[Sketch]:
    """Programs of one or two steps: an entity, a concept, everything with a value."""
    for number, mention in enumerate(field.mentions):
        for rank, hit in enumerate(mention.hits[: w.HOMONYMS]):
            if hit.kind == Kind.ENTITY:
                yield _entity(field, number, mention, hit, rank)
    for concept in field.vocabulary.concepts:
        found = field.evidence(concept)
        if concept.count and field.said(found):
            yield _concept(field, concept, found)
    yield from _owners(field)
    everything = Sketch((Step("FindAll"),))
    yield from by_value(field, everything)


def _owners(field: Field) -> Iterator[Sketch]:
    """The concepts that nothing names but an attribute of theirs that is asked for."""
    asked = frozenset[int]().union(*(part.words for part in field.request.asked))
    for noun in nouns(field, asked):
        owners = noun.item.domains[:1] if noun.is_attribute else ()
        for concept in field.vocabulary.concepts:
            if concept.count and concept.iri in dict(owners) and not field.said(field.evidence(concept)):
                yield replace(_concept(field, concept, _UNSAID), cost=w.STEP + w.QUIET)


def _entity(field: Field, number: int, mention: Mention, hit: Hit, rank: int) -> Sketch:
    entity = field.vocabulary.index.entity(hit.iri)
    concepts = field.vocabulary.upward(entity.concepts if entity else ())
    words = field.reading.covered(mention)
    sketch = Sketch(
        steps=(Step("Find", (hit.label,)),),
        arguments=(Argument(0, 0, (hit.iri,), mention.text),),
        surely=concepts,
        possibly=concepts,
        mostly=concepts,
        explained=dict.fromkeys(words, max(hit.score, 0.5)),
        used=frozenset({number}),
        reach=field.surroundings.around(hit.iri),
        cost=w.RANK * rank + (w.LOWERCASE if _is_plain(field, mention, hit) else 0.0),
        origin=min(words, default=0),
        home=frozenset(entity.concepts if entity else ()),
    )
    beside = {token for word in words for token in (word - 1, word + 1, word + 2)}
    told = {token: degree for token, degree in typed(field, sketch).items() if token in beside}
    return replace(sketch, explained=sketch.explaining(told))


def _is_plain(field: Field, mention: Mention, hit: Hit) -> bool:
    """Whether the words are rather no name: one word without the capital that the name has."""
    return (
        field.reading.cased
        and " " not in mention.text
        and mention.text.islower()
        and not hit.matched.islower()
    )


def _concept(field: Field, concept: SchemaItem, found: Mapping[int, float]) -> Sketch:
    above = field.vocabulary.upward((concept.iri,))
    below = frozenset(field.vocabulary.index.descendants(concept.iri))
    start = Sketch((Step("FindAll"),))
    return start.then(
        "FilterConcept",
        (concept.label,),
        {0: ((concept.iri,), words_of(field, found))},
        surely=above,
        possibly=above | below,
        mostly=above | below,
        explained=found,
        cost=w.STEP,
    )


def grow(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Every program with one more step that suits the set so far."""
    yield from _relate(field, sketch)
    yield from _filter_concept(field, sketch)
    yield from by_value(field, sketch)
    yield from by_qualifier(field, sketch)
    yield from join(field, sketch)
    yield from conditions(field, sketch)


def _relate(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    for relation in field.vocabulary.relations:
        spoken = [places for places in field.reading.clusters(relation) if field.said(places)]
        again = field.reading.again if relation is sketch.item else {}
        silent = not spoken and not again and relation.iri not in field.bridges
        if silent and sketch.reach is None:
            continue
        for direction, near, far in (("forward", "domains", "ranges"), ("backward", "ranges", "domains")):
            if silent and not _leads_to_said(field, relation, far):
                continue
            if _reaches(field, sketch, relation, direction, near):
                back = relation is sketch.item and sketch.direction != direction
                if back and not again and not sketch.is_narrowed:
                    continue
                unsaid = () if spoken or back else (_UNSAID,)
                said = [places for places in spoken if not back or _is_new(field, sketch, places)]
                for found in (*said, *((again,) if back and again else ()), *unsaid):
                    yield _related(field, sketch, relation, direction, far, found)


def _is_new(field: Field, sketch: Sketch, places: Mapping[int, float]) -> bool:
    """Whether words say more than what the program accounts for: only then a relation is gone back."""
    return sketch.gain(places, field.reading.weights) > w.SPOKEN


def _leads_to_said(field: Field, relation: SchemaItem, far: str) -> bool:
    """Whether a relation that nothing speaks for leads to things that the question names."""
    return not field.spoken_concepts.isdisjoint(field.vocabulary.main_ends(relation, far))


def _related(
    field: Field, sketch: Sketch, relation: SchemaItem, direction: str, far: str, found: Mapping[int, float]
) -> Sketch:
    """One hop along a relation that the words `found` speak of."""
    mostly = field.vocabulary.mostly(relation, far)
    new = without_itself(sketch).then(
        "Relate",
        (relation.label, direction),
        {0: ((relation.iri,), words_of(field, found))},
        surely=field.vocabulary.surely(relation, far),
        possibly=field.vocabulary.possibly(relation, far),
        mostly=mostly,
        explained=sketch.explaining(found),
        item=relation,
        direction=direction,
        returns=comes_back(sketch, relation, direction, mostly),
    )
    if new.returns:
        new = replace(new, explained=new.explaining(field.reading.again))
    told = typed(field, new)
    unsaid = w.UNSAID - w.BRIDGED * field.bridges.get(relation.iri, 0.0)
    # "cities" names what a capital is better than it names the relation to one.
    own = {token: degree for token, degree in found.items() if degree >= told.get(token, 0.0)}
    said = sketch.gain(own, field.reading.weights) > w.SPOKEN
    cost = sketch.cost + w.HOP + (0.0 if said else unsaid)
    place = _place(found)
    if _comes_late(sketch, place):
        cost += w.ORDER
    return replace(new, explained=told, cost=cost, place=sketch.place if place is None else place)


def _comes_late(sketch: Sketch, place: int | None) -> bool:
    """Whether an earlier step's word stands further from the name than this one's.

    In "directors of films written by X" what stands nearer to the name comes first.
    """
    if place is None or sketch.origin is None or sketch.place is None:
        return False
    return abs(place - sketch.origin) < abs(sketch.place - sketch.origin)


def _place(found: Mapping[int, float]) -> int | None:
    """The word that speaks most clearly."""
    return max(found, key=lambda token: found[token]) if found else None


def _reaches(field: Field, sketch: Sketch, relation: SchemaItem, direction: str, near: str) -> bool:
    if sketch.reach is not None:
        return (relation.iri, direction) in sketch.reach
    return field.vocabulary.suits(relation, near, sketch.mostly)


def _filter_concept(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    for concept in field.vocabulary.concepts:
        found = field.evidence(concept)
        if concept.iri in sketch.surely or not concept.count or not field.said(found):
            continue
        if sketch.possibly and concept.iri not in sketch.possibly:
            continue
        if sketch.gain(found, field.reading.weights) <= w.QUIET:
            continue
        above = field.vocabulary.upward((concept.iri,))
        below = frozenset(field.vocabulary.index.descendants(concept.iri))
        yield sketch.then(
            "FilterConcept",
            (concept.label,),
            {0: ((concept.iri,), words_of(field, found))},
            surely=sketch.surely | above,
            possibly=above | below,
            mostly=above | below,
            explained=sketch.explaining(found),
            cost=sketch.cost + w.STEP,
        )
