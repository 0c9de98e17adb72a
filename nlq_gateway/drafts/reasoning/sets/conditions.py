"""Conditions on a set that its own facts do not state: none of something, or not in another set."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from compilers.kopl.functions import TURNED
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field, words_of
from nlq_gateway.drafts.reasoning.nouns import Noun, nouns
from nlq_gateway.drafts.reasoning.sets.joins import joined_along, main_concept, price
from nlq_gateway.drafts.reasoning.sets.others import without_itself
from nlq_gateway.drafts.reasoning.sets.paths import Hop, Path
from nlq_gateway.drafts.reasoning.sketch import Sketch, joined
from nlq_gateway.language import lexicon
from nlq_gateway.language.detection import ENGLISH


def ways(field: Field, sketch: Sketch, words: frozenset[int]) -> Iterator[tuple[Noun, Path, int]]:
    """The related things that some words speak of, and the ways there."""
    start = main_concept(field, sketch)
    if start is None:
        return
    found = [noun for noun in nouns(field, words) if not noun.is_attribute]
    clear = [noun for noun in found if noun.gain > found[0].gain - w.QUIET]
    for noun in clear[:2]:
        if noun.item.iri not in sketch.surely:
            paths = field.joins.paths(start, noun.item.iri)
            yield from ((noun, path, len(paths)) for path in paths[:2])


def _narrowed(
    field: Field,
    base: Sketch,
    step: Sketch,
    explained: Mapping[int, float],
    cue: frozenset[int],
    cost: float,
) -> Sketch:
    """The members of `base` that a last step kept, with what it accounts for."""
    return step._replace(
        surely=base.surely,
        possibly=base.possibly,
        mostly=base.mostly,
        explained={**base.explaining(explained), **dict.fromkeys(cue, 1.0)},
        stated=base.stated | cue,
        used=base.used | field.clues_in(cue),
        cost=cost + w.STEP,
    )


def lacking(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """Those that go with no such thing at all."""
    lowers = field.reading.lowers
    for at in field.reading.denials if not sketch.is_single else ():
        if at in sketch.stated:
            continue
        words = frozenset(range(at + 1, min(at + 6, len(lowers))))
        for noun, path, competing in ways(field, sketch, words):
            if not noun.words.keys() & sketch.explained.keys():
                yield _without(field, without_itself(sketch), noun, path, competing, at)
        for noun in nouns(field, words):
            if is_own(field, sketch, noun) and not noun.words.keys() & sketch.explained.keys():
                yield _without_value(field, without_itself(sketch), noun, at)


def is_own(field: Field, sketch: Sketch, noun: Noun) -> bool:
    """True if the members themselves may have the attribute."""
    return noun.is_attribute and not field.vocabulary.mostly(noun.item, "domains").isdisjoint(sketch.surely)


def _without_value(field: Field, base: Sketch, noun: Noun, at: int) -> Sketch:
    """Those that do not have an attribute at all."""
    has = base.then("FilterHasAttr", (noun.item.label,), {0: ((noun.item.iri,), words_of(field, noun.words))})
    step = has.then("Except", (), dependencies=(base.last, has.last))
    return _narrowed(field, base, step, noun.words, frozenset({at}), base.cost)


def _without(field: Field, base: Sketch, noun: Noun, path: Path, competing: int, at: int) -> Sketch:
    cost = base.cost + price(path, competing)
    if len(path) == 1:
        hop = path[0]
        has = base.then(
            "FilterHasRelation", (hop.relation.label, hop.direction), {0: ((hop.relation.iri,), "")}
        )
        step = has.then("Except", (), dependencies=(base.last, has.last))
    else:
        step = joined(base, _back(field, noun, path), "Except")
    return _narrowed(field, base, step, noun.words, frozenset({at}), cost)


def _back(field: Field, noun: Noun, path: Path) -> Sketch:
    """Everything of the noun's kind, led back along a way."""
    start = Sketch().with_class(noun.item, words_of(field, noun.words))
    back = tuple(Hop(hop.relation, TURNED[hop.direction], "") for hop in reversed(path))
    return joined_along(field, start, back)


def except_(field: Field, first: Sketch, second: Sketch) -> Iterator[Sketch]:
    """The first set without the second, where the question denies what the second says."""
    for at in field.reading.denials:
        if at in first.stated | second.stated or first.is_single or second.is_single:
            continue
        if not _is_denied(field, first, second, at):
            continue
        if not first.surely & second.surely:
            continue
        one, other = without_itself(first), without_itself(second)
        both = joined(one, other, "Except")
        yield _narrowed(field, one, both, both.explained, frozenset({at}), both.cost)


def _is_denied(field: Field, first: Sketch, second: Sketch, at: int) -> bool:
    """True if the second set is told by words behind the denial, of which the first takes none.

    In other languages than English the denied verb may stand right before it: "leben nicht im Wald".
    """
    weights = field.reading.weights
    told = {t for t, d in second.explained.items() if d >= w.FIRM and weights[t] > 0}
    mine = {t for t, d in first.explained.items() if d >= w.FIRM and weights[t] > 0}
    new = told - mine - ({at - 1} if field.reading.language != ENGLISH else set())
    both_named = first.names_entity and second.names_entity
    if not both_named and not _relations(first).isdisjoint(_relations(second)):
        return False
    if (
        new
        and (second.names_entity or lexicon.is_exception(field.reading.lowers[at]))
        and _leaves_out(field, at, min(new), told | mine)
    ):
        return False
    return bool(new) and min(new) > at and field.spent(first.used).isdisjoint(field.spent(second.used))


def _leaves_out(field: Field, at: int, first: int, told: set[int]) -> bool:
    """True if what is excepted begins with a word that the program does not speak of."""
    return any(field.reading.weights[token] > 0 and token not in told for token in range(at + 1, first))


def _relations(sketch: Sketch) -> frozenset[str]:
    """The relations that a program follows: what is denied is not said of the same set."""
    return frozenset(step.inputs[0] for step in sketch.steps if step.function == "Relate")
