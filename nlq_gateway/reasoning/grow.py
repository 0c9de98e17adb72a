"""The rules by which programs grow: each takes a program and yields it with one more condition.

BYOKG (Agarwal et al. 2024, section 3.3) grows programs bottom-up from the linked items over what the
graph can reach; here every rule also states which words of the question the new step accounts for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.program import Step
from compilers.kopl.units import conversion_factor
from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Value, Year
from nlq_gateway.reasoning import weights as w
from nlq_gateway.reasoning.alternatives import either_condition, united
from nlq_gateway.reasoning.conditions import conditions, except_
from nlq_gateway.reasoning.field import Clue, Field, words_of
from nlq_gateway.reasoning.joins import join
from nlq_gateway.reasoning.nouns import nouns
from nlq_gateway.reasoning.others import comes_back, without_itself
from nlq_gateway.reasoning.reachable import is_narrow
from nlq_gateway.reasoning.reading import Operator
from nlq_gateway.reasoning.sketch import Argument, Sketch, joined
from nlq_gateway.reasoning.vocabulary import TIMES
from nlq_gateway.types import Hit, LiteralMention, Mention, SchemaItem

_UNSAID: Mapping[int, float] = {}


def begin(field: Field) -> Iterator[Sketch]:
    """Programs of one or two steps: an entity, a concept, everything with a value."""
    for number, mention in enumerate(field.mentions):
        for rank, hit in enumerate(mention.hits[: w.HOMONYMS]):
            if hit.kind == Kind.ENTITY:
                yield _entity(field, number, mention, hit, rank)
    for concept in field.vocabulary.concepts:
        found = field.evidence(concept)
        if field.said(found):
            yield _concept(field, concept, found)
    yield from _owners(field)
    everything = Sketch((Step("FindAll"),))
    yield from _filter_attribute(field, everything)


def _owners(field: Field) -> Iterator[Sketch]:
    """The concepts that nothing names but an attribute of theirs that is asked for."""
    asked = frozenset[int]().union(*(part.words for part in field.request.asked))
    for noun in nouns(field, asked):
        owners = noun.item.domains[:1] if noun.is_attribute else ()
        for concept in field.vocabulary.concepts:
            if concept.iri in dict(owners) and not field.said(field.evidence(concept)):
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
    told = {token: degree for token, degree in _typed(field, sketch).items() if token in beside}
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
    yield from _filter_attribute(field, sketch)
    yield from _filter_qualifier(field, sketch)
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
    typed = _typed(field, new)
    unsaid = w.UNSAID - w.BRIDGED * field.bridges.get(relation.iri, 0.0)
    # "cities" names what a capital is better than it names the relation to one.
    own = {token: degree for token, degree in found.items() if degree >= typed.get(token, 0.0)}
    said = sketch.gain(own, field.reading.weights) > w.SPOKEN
    cost = sketch.cost + w.HOP + (0.0 if said else unsaid)
    place = _place(found)
    if _comes_late(sketch, place):
        cost += w.ORDER
    return replace(new, explained=typed, cost=cost, place=sketch.place if place is None else place)


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


def _typed(field: Field, sketch: Sketch) -> Mapping[int, float]:
    """What is explained when the words for what the members surely are count too."""
    explained: Mapping[int, float] = sketch.explained
    for concept in field.vocabulary.concepts:
        if concept.iri in sketch.surely:
            firm = {t: d for t, d in field.evidence(concept).items() if d >= w.FIRM}
            explained = replace(sketch, explained=explained).explaining(firm)
    return explained


def _filter_concept(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    for concept in field.vocabulary.concepts:
        found = field.evidence(concept)
        if concept.iri in sketch.surely or not field.said(found):
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


def _filter_attribute(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    spent = field.spent(sketch)
    for number, clue in enumerate(field.clues):
        used = field.clue_index(number)
        if used in sketch.used or not spent.isdisjoint(field.reading.covered(clue.literal)):
            continue
        for attribute in field.vocabulary.attributes:
            if not has(field, sketch, attribute) or not fits(clue, attribute):
                continue
            for tested in _tested(field, sketch, attribute, clue, used, "Filter"):
                yield tested
                yield from _either(field, sketch, tested, attribute, clue)


_OR = (("or",), ("oder",))


def _either(
    field: Field, sketch: Sketch, tested: Sketch, attribute: SchemaItem, clue: Clue
) -> Iterator[Sketch]:
    """One value or another of the same attribute: "aged 32 or 33"."""
    end = max(field.reading.covered(clue.literal), default=0)
    joining = (at for at in (end + 1, end + 2) if field.reading.lowers[at : at + 1] in _OR)
    after = next(joining, None)
    if after is None:
        return
    for number, other in enumerate(field.clues):
        used = field.clue_index(number)
        follows = after + 1 in field.reading.covered(other.literal)
        if follows and used not in sketch.used and fits(other, attribute):
            for second in _tested(field, sketch, attribute, other, used, "Filter"):
                yield united(sketch, tested, second)


def has(field: Field, sketch: Sketch, attribute: SchemaItem) -> bool:
    """Whether members of the set can have the attribute; a named entity really has it."""
    if sketch.reach is not None:
        return (attribute.iri, "forward") in sketch.reach
    return field.vocabulary.suits(attribute, "domains", sketch.mostly)


def _filter_qualifier(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    if sketch.item is None:
        return
    for number, clue in enumerate(field.clues):
        used = field.clue_index(number)
        if used in sketch.used:
            continue
        for qualifier in field.vocabulary.qualifiers(sketch.item):
            if fits(clue, qualifier):
                yield from _tested(field, sketch, qualifier, clue, used, "QFilter")


def _tested(
    field: Field, sketch: Sketch, item: SchemaItem, clue: Clue, used: int, prefix: str
) -> Iterator[Sketch]:
    found = field.evidence(item)
    operator = field.reading.operator(clue.literal)
    covered = field.reading.covered(clue.literal)
    words = dict.fromkeys(covered | operator.tokens, 1.0)
    value = meant(clue.literal.value, item)
    suffix = SUFFIX[type(value)]
    if suffix == "Str" and operator.comparison not in ("=", "!="):
        return
    comparison = () if suffix == "Str" else (operator.sign(isinstance(value, Quantity)),)
    qualified = prefix == "QFilter"
    denied = suffix == "Str" and operator.comparison == "!="
    if denied and qualified:
        return
    named = {0: ((item.iri,), words_of(field, found))}
    whole = new = sketch.then("FilterHasAttr", (item.label,), named) if denied else sketch
    for bound in bounds(clue.literal, item) or ((str(value), *comparison),):
        new = new.then(
            prefix + suffix,
            (item.label, *bound),
            {**named, 1: ((), clue.literal.text)},
            explained=sketch.explaining({**found, **words}),
            used=sketch.used | {used},
            item=sketch.item if qualified else item,
            direction=sketch.direction,
        )
    if denied:
        stated = sketch.stated | operator.tokens
        new = new.then("Except", (), dependencies=(whole.last, new.last), stated=stated)
    own = {token: degree for token, degree in found.items() if token not in words}
    said = sketch.gain(own, field.reading.weights) > w.QUIET or bool(clue.predicates)
    dated = _is_dated(clue.literal.value, item)
    cost = sketch.cost + w.STEP + (0.0 if said else w.QUIET if qualified or dated else w.UNSAID)
    if type(value) is not type(clue.literal.value) and not said and not dated:
        cost += w.UNSAID
    if sketch.is_single and not qualified:
        cost += w.NARROW
    if isinstance(clue.literal.value, Year) and not isinstance(value, Year) and not dated:
        cost += w.UNSAID / 2
    if _hints_elsewhere(field, operator, found):
        cost += w.UNSAID / 2
    if field.counts(covered, found):
        if not said:
            return
        cost += w.UNSAID
    if item.iri in field.vocabulary.keys and (not said or operator.comparison in ("<", ">")):
        cost += w.KEY
    if qualified:
        yield replace(new, cost=cost)
    else:
        surely = sketch.surely | field.vocabulary.surely(item, "domains")
        possibly = sketch.possibly or field.vocabulary.possibly(item, "domains")
        mostly = sketch.mostly or field.vocabulary.mostly(item, "domains")
        narrowed = replace(new, cost=cost, surely=surely, possibly=possibly, mostly=mostly)
        yield replace(narrowed, explained=_typed(field, narrowed))


def bounds(literal: LiteralMention, item: SchemaItem) -> tuple[tuple[str, str], ...]:
    """A range as two conditions, value and sign; none for a single value.

    Programs know no "at least": whole years begin after the one before. Of other values the bounds are out.
    """
    if literal.until is None:
        return ()
    first, last = meant(literal.value, item), meant(literal.until, item)
    if isinstance(first, Year) and isinstance(last, Year):
        first, last = Year(first.year - 1), Year(last.year + 1)
    return ((str(first), ">"), (str(last), "<"))


def _hints_elsewhere(field: Field, operator: Operator, found: Mapping[int, float]) -> bool:
    """Whether the comparison speaks of other attributes: "older than 56" is about no budget."""
    comparing = [c for c in field.reading.comparatives if c.token in operator.tokens and c.degree.hints]
    return bool(comparing) and all(c.token not in found for c in comparing)


def _is_dated(value: Value, item: SchemaItem) -> bool:
    """Whether a year says the attribute itself: "before 1980" speaks of what is called a year."""
    return isinstance(value, Year) and "year" in item.label.lower().split()


SUFFIX: dict[type, str] = {String: "Str", Quantity: "Num", Year: "Year", Date: "Date"}


def fits(clue: Clue, item: SchemaItem) -> bool:
    """Whether the item can hold the value: its predicate is known, or its types and units allow it."""
    if clue.predicates:
        return item.iri in clue.predicates
    match clue.literal.value:
        case String():
            return ValueType.STRING in item.value_types
        case Quantity() as quantity:
            measured = ValueType.QUANTITY in item.value_types and _same_measure(quantity.unit, item.units)
            return measured or (quantity.unit == NO_UNIT and _holds_numerals(item))
        case Year() | Date():
            number = isinstance(clue.literal.value, Year) and item.units in ((), (NO_UNIT,))
            timed = bool(TIMES & set(item.value_types)) or _holds_numerals(item)
            return timed or (number and ValueType.QUANTITY in item.value_types)
    return False


def _holds_numerals(item: SchemaItem) -> bool:
    """Whether numbers are kept as texts, as some databases do."""
    only = set(item.value_types) == {ValueType.STRING} and bool(item.examples)
    return only and all(example.isascii() and example.isdigit() for example in item.examples)


def _same_measure(unit: str, units: tuple[str, ...]) -> bool:
    if unit == NO_UNIT:
        return True
    return not units or any(conversion_factor(unit, other) is not None for other in units)


def meant(value: Value, item: SchemaItem) -> Value:
    """The value as the item's type takes it: a bare number of four digits may be no year."""
    if isinstance(value, Year | Quantity) and _holds_numerals(item):
        return String(str(value))
    if isinstance(value, Year) and not TIMES & set(item.value_types):
        return Quantity(float(value.year))
    if isinstance(value, Quantity) and value.unit == NO_UNIT and item.units and NO_UNIT not in item.units:
        # "over 8000 metres" names its unit; "elevation over 8000" means the unit that the graph uses.
        return Quantity(value.number, item.units[0])
    return value


def combine(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """And, Or, or Except, of two programs about different words that may share members."""
    yield from except_(field, first, second)
    yield from except_(field, second, first)
    yield from either_condition(field, first, second)
    if not apart(field, first, second):
        return
    first, second = without_itself(first), without_itself(second)
    if first.possibly and second.possibly and not first.possibly & second.possibly:
        return
    either = "or" in field.reading.lowers or "oder" in field.reading.lowers
    for function in ("And", "Or") if either else ("And",):
        if function == "And" and (first.only_names or second.only_names):
            continue
        if function == "Or" and not (is_narrow(first) and is_narrow(second)):
            continue
        both = joined(first, second, function)
        is_and = function == "And"
        surely = first.surely | second.surely if is_and else first.surely & second.surely
        possibly = _overlap(first.possibly, second.possibly) if is_and else first.possibly | second.possibly
        mostly = _overlap(first.mostly, second.mostly) if is_and else first.mostly | second.mostly
        cost = both.cost + w.STEP - (0.0 if is_and else w.EITHER)
        if not (first.names_entity and second.names_entity):
            cost += w.LOOSE
        yield replace(both, surely=surely, possibly=possibly, mostly=mostly, cost=cost)


def apart(field: Field, first: Sketch, second: Sketch) -> bool:
    """Whether two programs start from named entities that are mentioned in different words."""
    if not first.selects or not second.selects or first.used & second.used:
        return False
    return not field.words(first) & field.words(second)


def _overlap(first: frozenset[str], second: frozenset[str]) -> frozenset[str]:
    return first & second if first and second else first or second
