"""The rules by which programs grow: each takes a program and yields it with one more condition.

BYOKG (Agarwal et al. 2024, section 3.3) grows programs bottom-up from the linked items over what the
graph can reach; here every rule also states which words of the question the new step accounts for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.program import Step
from nlq_gateway.core.types import Hit, Mention, SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field, once_a_question, words_of
from nlq_gateway.drafts.reasoning.nouns import nouns
from nlq_gateway.drafts.reasoning.sets.conditions import lacking
from nlq_gateway.drafts.reasoning.sets.filters import by_qualifier, by_value
from nlq_gateway.drafts.reasoning.sets.joins import join
from nlq_gateway.drafts.reasoning.sets.kinds import typed
from nlq_gateway.drafts.reasoning.sets.others import comes_back, is_of_whole, passed_through
from nlq_gateway.drafts.reasoning.sketch import Argument, Sketch, together

_UNSAID: Mapping[int, float] = {}


def begin(field: Field) -> Iterator[Sketch]:
    """Programs of one or two steps: an entity, a concept, everything with a value."""
    for number, mention in enumerate(field.mentions):
        for rank, hit in enumerate(mention.hits[: w.HOMONYMS]):
            if hit.kind == Kind.ENTITY:
                yield _entity(field, number, mention, hit, rank)
    for concept in field.said_concepts:
        if concept.count:
            yield _concept(field, concept, field.evidence(concept))
    yield from _owners(field)
    everything = Sketch().then("FindAll", (), dependencies=())
    yield from by_value(field, everything)


def _owners(field: Field) -> Iterator[Sketch]:
    """The concepts that nothing names but an attribute of theirs that is asked for."""
    asked = frozenset[int]().union(*(part.words for part in field.request.asked))
    for noun in nouns(field, asked):
        owners = noun.item.domains[:1] if noun.is_attribute else ()
        for concept in field.vocabulary.concepts:
            if concept.count and concept.iri in dict(owners) and not field.said(field.evidence(concept)):
                yield _concept(field, concept, _UNSAID)._replace(cost=w.STEP + w.QUIET)


def _entity(field: Field, number: int, mention: Mention, hit: Hit, rank: int) -> Sketch:
    entity = field.vocabulary.index.entity(hit.iri)
    concepts = field.vocabulary.upward(entity.concepts if entity else ())
    words = field.reading.covered(mention)
    sketch = Sketch(
        steps=(Step("Find", (hit.label,)),),
        functions=frozenset({"Find"}),
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
    typing = typed(field, concepts, sketch.explained)
    told = {token: degree for token, degree in typing.items() if token in beside}
    return sketch._replace(explained=sketch.explaining(told))


def _is_plain(field: Field, mention: Mention, hit: Hit) -> bool:
    """True if the words are rather no name: one word without the capital that the name has."""
    return (
        field.reading.cased
        and " " not in mention.text
        and mention.text.islower()
        and not hit.matched.islower()
    )


def _concept(field: Field, concept: SchemaItem, found: Mapping[int, float]) -> Sketch:
    return _of_concept(field, Sketch().then("FindAll", (), dependencies=()), concept, found)


def _of_concept(field: Field, sketch: Sketch, concept: SchemaItem, found: Mapping[int, float]) -> Sketch:
    """The members of a set that are of a concept, of which the words `found` speak."""
    above = field.vocabulary.upward((concept.iri,))
    below = frozenset(field.vocabulary.index.descendants(concept.iri))
    return sketch.then(
        "FilterConcept",
        (concept.label,),
        {0: ((concept.iri,), words_of(field, found))},
        surely=sketch.surely | above,
        possibly=above | below,
        mostly=above | below,
        explained=sketch.explaining(found),
        cost=sketch.cost + w.STEP,
    )


def grow(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Every program with one more step that suits the set so far."""
    yield from _relate(field, sketch)
    yield from _filter_concept(field, sketch)
    yield from by_value(field, sketch)
    yield from by_qualifier(field, sketch)
    yield from join(field, sketch)
    yield from lacking(field, sketch)


@dataclass(frozen=True, slots=True)
class _DirectedRelation:
    """A relation in one direction, with each place where the question speaks of it.

    `near` and `far` are the sides of its facts. `silent` says that nothing speaks for the relation, `leads`
    that it leads to things that the question names.
    """

    relation: SchemaItem
    direction: str
    near: str
    far: str
    spoken: tuple[Mapping[int, float], ...]
    silent: bool
    leads: bool


@once_a_question
def _ways(field: Field) -> tuple[_DirectedRelation, ...]:
    """All ways that may be gone for this question."""
    found = (
        _way(field, relation, *way)
        for relation in field.vocabulary.relations
        for way in (("forward", "domains", "ranges"), ("backward", "ranges", "domains"))
    )
    return tuple(way for way in found if way.leads or not way.silent or field.reading.again)


def _way(field: Field, relation: SchemaItem, direction: str, near: str, far: str) -> _DirectedRelation:
    spoken = tuple(places for places in field.reading.clusters(relation) if field.said(places))
    silent = not spoken and relation.iri not in field.bridges
    leads = not field.spoken_concepts.isdisjoint(field.vocabulary.main_ends(relation, far))
    return _DirectedRelation(relation, direction, near, far, spoken, silent, leads)


def _relate(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    for way in _ways(field):
        is_last = way.relation is sketch.item
        again = field.reading.again if is_last else {}
        if way.silent and not again and (sketch.reach is None or not way.leads):
            continue
        back = is_last and sketch.direction != way.direction
        is_told = _is_told(field, sketch, way)
        reaches = _reaches(field, sketch, way)
        if is_told is False or not (reaches or is_told) or (back and not again and not sketch.is_narrowed):
            continue
        unsaid = () if way.spoken or back else (_UNSAID,)
        said = [places for places in way.spoken if not back or _is_new(field, sketch, places)]
        for found in (*said, *((again,) if back and again else ()), *unsaid):
            yield _related(field, sketch, way, found)._replace(empty=not reaches, told=bool(is_told))


def _is_told(field: Field, sketch: Sketch, way: _DirectedRelation) -> bool | None:
    """True if the question says that the relation leads this way from its only name; None if it is open."""
    if len(sketch.steps) > 1:
        return None
    told = field.leads(way.relation, field.words(sketch.used), sketch.mostly)
    return None if told is None else told == (way.direction == "forward")


def _is_new(field: Field, sketch: Sketch, places: Mapping[int, float]) -> bool:
    """True if words say more than what the program accounts for: only then a relation is gone back."""
    return sketch.gain(places, field.reading.weights) > w.SPOKEN


def _related(field: Field, sketch: Sketch, way: _DirectedRelation, found: Mapping[int, float]) -> Sketch:
    """One hop along a relation that the words `found` speak of."""
    relation, direction = way.relation, way.direction
    end = field.vocabulary.end(relation, way.far)
    returns = comes_back(sketch, relation, direction, end.mostly)
    again = field.reading.again if returns else {}
    told = typed(field, end.surely, together(sketch.explaining(found), again))
    unsaid = w.UNSAID - w.BRIDGED * field.bridges.get(relation.iri, 0.0)
    # "cities" names the class of a capital more exactly than the relation to one.
    own = {token: degree for token, degree in found.items() if degree >= told.get(token, 0.0)}
    said = sketch.gain(own, field.reading.weights) > w.SPOKEN
    cost = sketch.cost + w.HOP + (0.0 if said else unsaid)
    place = _place(found)
    if _comes_late(sketch, place):
        cost += w.ORDER
    return passed_through(field, sketch).then(
        "Relate",
        (relation.label, direction),
        {0: ((relation.iri,), words_of(field, found))},
        surely=end.surely,
        possibly=end.possibly,
        mostly=end.mostly,
        explained=told,
        item=relation,
        direction=direction,
        returns=returns,
        whole=returns and is_of_whole(sketch, relation, direction),
        cost=cost,
        place=sketch.place if place is None else place,
    )


def _comes_late(sketch: Sketch, place: int | None) -> bool:
    """True if an earlier step's word stands further from the name than this one's.

    In "directors of films written by X" what stands nearer to the name comes first.
    """
    if place is None or sketch.origin is None or sketch.place is None:
        return False
    return abs(place - sketch.origin) < abs(sketch.place - sketch.origin)


def _place(found: Mapping[int, float]) -> int | None:
    """The word that speaks most clearly."""
    return max(found, key=lambda token: found[token]) if found else None


def _reaches(field: Field, sketch: Sketch, way: _DirectedRelation) -> bool:
    if sketch.reach is not None:
        return (way.relation.iri, way.direction) in sketch.reach
    return field.vocabulary.suits(way.relation, way.near, sketch.mostly)


def _filter_concept(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    for concept in field.said_concepts:
        found = field.evidence(concept)
        if concept.iri in sketch.surely or not concept.count:
            continue
        if sketch.possibly and concept.iri not in sketch.possibly:
            continue
        if sketch.gain(found, field.reading.weights) > w.QUIET:
            yield _of_concept(field, sketch, concept, found)
