"""Sets narrowed by a value of the question: of an attribute, or of a qualifier of the last facts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compilers.kopl.functions import EQUALITIES
from compilers.kopl.program import Step
from compilers.kopl.values import Quantity, String, Year
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Clue, Field, once_a_question, words_of
from nlq_gateway.drafts.reasoning.sets.kinds import typed
from nlq_gateway.drafts.reasoning.sets.values import SUFFIX, bounds, fits, is_dated, meant
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.language import lexicon
from nlq_gateway.question.reading.reading import Operator


def by_value(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Every condition on an attribute that the members may have."""
    for used, clue in field.unused(sketch):
        for attribute in _holding(field, clue):
            if not has(field, sketch, attribute):
                continue
            for tested in _tested(field, sketch, attribute, clue, used, "Filter"):
                yield tested
                yield from _either(field, sketch, tested, attribute, clue)


@once_a_question
def _holding(field: Field, clue: Clue) -> tuple[SchemaItem, ...]:
    """The attributes that can hold a value of the question."""
    return tuple(attribute for attribute in field.vocabulary.attributes if fits(clue, attribute))


def _either(
    field: Field, sketch: Sketch, tested: Sketch, attribute: SchemaItem, clue: Clue
) -> Iterator[Sketch]:
    """One value or another of the same attribute: "aged 32 or 33"."""
    end = max(field.reading.covered(clue.literal), default=0)
    lowers = field.reading.lowers
    joining = (at for at in (end + 1, end + 2) if not lexicon.OR.isdisjoint(lowers[at : at + 1]))
    after = next(joining, None)
    if after is None:
        return
    for number, other in enumerate(field.clues):
        used = field.clue_index(number)
        follows = after + 1 in field.reading.covered(other.literal)
        if follows and used not in sketch.used and fits(other, attribute):
            for second in _tested(field, sketch, attribute, other, used, "Filter"):
                yield _united(sketch, tested, second)


def has(field: Field, sketch: Sketch, attribute: SchemaItem) -> bool:
    """True if members of the set can have the attribute; a named entity really has it."""
    if sketch.reach is not None:
        return (attribute.iri, "forward") in sketch.reach
    return field.vocabulary.suits(attribute, "domains", sketch.mostly)


def by_qualifier(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Every condition on a qualifier of the facts that led here."""
    if sketch.item is None:
        return
    for used, clue in field.unused(sketch):
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
    if suffix == "Str" and operator.comparison not in EQUALITIES:
        return
    comparison = () if suffix == "Str" else (operator.sign(isinstance(value, Quantity)),)
    qualified = prefix == "QFilter"
    denied = operator.comparison == "!=" and (suffix == "Str" or item.truths is not None)
    stated = sketch.stated
    if denied and item.truths and str(clue.literal.value) in item.truths:
        value, denied = meant(String(item.truths[str(clue.literal.value) == item.truths[0]]), item), False
        comparison = () if suffix == "Str" else ("=",)
        stated |= operator.tokens
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
            stated=stated,
        )
    if denied:
        stated = sketch.stated | operator.tokens
        new = new.then("Except", (), dependencies=(whole.last, new.last), stated=stated)
    price = _price(field, sketch, item, clue, words, qualified)
    if price is None:
        return
    cost = sketch.cost + price
    if qualified:
        yield new._replace(cost=cost)
    else:
        end = field.vocabulary.end(item, "domains")
        surely, possibly = sketch.surely | end.surely, sketch.possibly or end.possibly
        mostly, told = sketch.mostly or end.mostly, typed(field, surely, new.explained)
        yield new._replace(cost=cost, surely=surely, possibly=possibly, mostly=mostly, explained=told)


def _price(
    field: Field,
    sketch: Sketch,
    item: SchemaItem,
    clue: Clue,
    words: Mapping[int, float],
    qualified: bool,
) -> float | None:
    """Return the cost of a condition, more if no word names its attribute; None if it compares a count."""
    found, operator = field.evidence(item), field.reading.operator(clue.literal)
    covered, value = field.reading.covered(clue.literal), meant(clue.literal.value, item)
    own = {token: degree for token, degree in found.items() if token not in words}
    said = sketch.gain(own, field.reading.weights) > w.QUIET or bool(clue.predicates)
    dated = is_dated(clue.literal.value, item)
    cost = w.STEP + (0.0 if said else w.QUIET if qualified or dated else w.UNSAID)
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
            return None
        cost += w.UNSAID
    if item.iri in field.vocabulary.keys and (not said or operator.comparison not in EQUALITIES):
        cost += w.KEY
    return cost


def _hints_elsewhere(field: Field, operator: Operator, found: Mapping[int, float]) -> bool:
    """True if the comparison speaks of other attributes: "older than 56" is about no budget."""
    comparing = [c for c in field.reading.comparatives if c.token in operator.tokens and c.degree.hints]
    return bool(comparing) and all(c.token not in found for c in comparing)


def _united(base: Sketch, first: Sketch, second: Sketch) -> Sketch:
    """The members of two conditions on the same set."""
    offset = len(first.steps) - len(base.steps)
    begin = len(base.steps)
    moved = tuple(
        Step(step.function, step.inputs, tuple(d + offset if d >= begin else d for d in step.dependencies))
        for step in second.steps[begin:]
    )
    arguments = tuple(a._replace(step=a.step + offset) for a in second.arguments if a.step >= begin)
    both = first._replace(
        steps=(*first.steps, *moved),
        functions=first.functions | second.functions,
        arguments=(*first.arguments, *arguments),
        explained=first.explaining(second.explained),
        used=first.used | second.used,
    )
    cost = first.cost + second.cost - base.cost - w.STEP
    return both.then("Or", (), dependencies=(first.last, both.last), cost=cost)
