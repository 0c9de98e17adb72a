"""The kinds of things that a program is about, beside those that the question names."""

from __future__ import annotations

from collections.abc import Mapping

from compilers.kopl.functions import Kind
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field, once_a_question
from nlq_gateway.drafts.reasoning.sketch import Sketch, together

_NONE = frozenset[str]()


def passed_over(field: Field, sketch: Sketch) -> float:
    """The price of the kinds that the question names and the program has nothing to do with.

    One that a clause says more of is what some step leads to, not only what a relation happens to have.
    """
    unmet = sum(not _is_met(field, sketch, token) for token in field.described)
    if not field.named_kinds:
        return w.PASSED_OVER * unmet
    named = [argument for argument in sketch.arguments if argument.iris]
    first = (argument for argument in named if not argument.argument)
    about = _NONE.union(*(_about(field, sketch.steps[one.step].function, one.iris[0]) for one in first))
    spoken = frozenset[int]().union(*(_spoken(field, argument.iris[0]) for argument in named))
    missing = [words for iris, words in field.named_kinds if iris.isdisjoint(about) and not words <= spoken]
    return w.PASSED_OVER * (len(missing) + unmet)


def _is_met(field: Field, sketch: Sketch, token: int) -> bool:
    """True if a kind is spoken of, and not gone on from as a whole, as if the clause said nothing."""
    if sketch.explained.get(token, 0.0) < w.SURE:
        return False
    steps = sketch.steps
    led = {step.dependencies[0] for step in steps if step.function == "Relate" and step.dependencies}
    whole = (
        n for n in led if n and steps[n - 1].function == "FindAll" and steps[n].function == "FilterConcept"
    )
    named = {(a.step, a.argument): a.iris[0] for a in sketch.arguments if a.iris}
    items = (field.vocabulary.index.item(Kind.CONCEPT, named.get((n, 0), "")) for n in whole)
    return not any(item and field.evidence(item).get(token, 0.0) > w.PLAIN for item in items)


@once_a_question
def _about(field: Field, function: str, iri: str) -> frozenset[str]:
    """The concepts of an entity, or at the ends of a relation or an attribute; a concept and those above."""
    vocabulary = field.vocabulary
    if function == "Find":
        entity = vocabulary.index.entity(iri)
        return vocabulary.upward(entity.concepts if entity else ())
    if function == "FilterConcept":
        return vocabulary.upward((iri,))
    kind = Kind.RELATION if "Relat" in function else Kind.ATTRIBUTE
    item = vocabulary.index.item(kind, iri)
    if item is None:
        return frozenset()
    return vocabulary.mostly(item, "domains") | vocabulary.mostly(item, "ranges")


@once_a_question
def _spoken(field: Field, iri: str) -> frozenset[int]:
    """The words that plainly speak of a relation or an attribute."""
    kinds = (Kind.RELATION, Kind.ATTRIBUTE, Kind.QUALIFIER)
    items = (item for kind in kinds if (item := field.vocabulary.index.item(kind, iri)) is not None)
    alone = (field.reading.alone(item).items() for item in items)
    return frozenset(token for degrees in alone for token, degree in degrees if degree >= w.FIRM)


def typed(field: Field, surely: frozenset[str], explained: Mapping[int, float]) -> Mapping[int, float]:
    """Return the explained words, with those for the classes that the members surely have."""
    for concept, firm in field.firmly_said.items():
        if concept in surely:
            explained = together(explained, firm)
    return explained
