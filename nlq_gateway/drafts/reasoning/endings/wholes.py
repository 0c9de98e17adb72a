"""Endings about all of a set: whether all of it are in a part of it, and what share of it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.reasoning import weights as w
from nlq_gateway.drafts.reasoning.field import Field
from nlq_gateway.drafts.reasoning.sketch import Sketch
from nlq_gateway.question.reading.wholes import WholeClass, every_one, share_of

_COMPARING = frozenset(("FilterNum", "FilterYear", "FilterDate"))
_NARROWING = _COMPARING | {"FilterStr", "FilterHasAttr", "FilterHasRelation", "FilterConcept", "And"}


class WholeAndPart(NamedTuple):
    """A program with a set, and one of which that is a part: their steps."""

    sketch: Sketch
    part: int
    whole: int


def of_whole(field: Field, sketch: Sketch) -> Iterator[Sketch]:
    """End with what is asked of all of a set, where the program's set is a part of it."""
    for wanted, end in ((every_one(field.reading), _holds_for_all), (share_of(field.reading), _share)):
        if wanted is None or sketch.is_single:
            continue
        kind = field.class_named(sketch, wanted.noun)
        if kind is not None:
            told = {**dict.fromkeys(wanted.cue, 1.0), **field.evidence(kind)}
            parts = (one for one in _parts(field, sketch, kind) if _says_more(one.sketch, told))
            yield from (_ended(part, end, wanted, told) for part in parts)


def _says_more(sketch: Sketch, told: Mapping[int, float]) -> bool:
    """True if a set is told by any word beside those for the class."""
    own = {word for word, degree in told.items() if degree >= w.FIRM}
    return any(degree >= w.NOTICED for word, degree in sketch.explained.items() if word not in own)


def _ended(
    part: WholeAndPart, end: Callable[[WholeAndPart], Sketch], wanted: WholeClass, told: Mapping[int, float]
) -> Sketch:
    found = end(part)
    return found._replace(
        stated=found.stated | wanted.cue,
        explained=found.explaining(told),
        cost=part.sketch.cost + w.STEP - 2 * w.FORM,
    )


def _parts(field: Field, sketch: Sketch, kind: SchemaItem) -> Iterator[WholeAndPart]:
    """The set beside what it is a part of: all that its last condition is on, or else the class."""
    last = sketch.steps[-1]
    if last.function == "FilterConcept" and last.inputs == (kind.label,):
        if _is_led_to(sketch):
            yield _beside_class(sketch, kind)
    elif last.function in _NARROWING:
        of_kind = (source for source in last.dependencies if _is_of(sketch, source, kind))
        yield from (
            WholeAndPart(sketch, sketch.last, one) for one in of_kind if _is_said_first(field, sketch, one)
        )
    elif last.function == "Relate":
        yield _beside_class(sketch, kind)


def _is_led_to(sketch: Sketch) -> bool:
    """True if a relation leads to the members whose class the last steps say."""
    return (
        next(step.function for step in reversed(sketch.steps) if step.function != "FilterConcept") == "Relate"
    )


def _is_of(sketch: Sketch, at: int, kind: SchemaItem) -> bool:
    """True if a step finds members of the class, as it or one that it narrows says."""
    step = sketch.steps[at]
    if step.function == "FilterConcept" and step.inputs == (kind.label,):
        return True
    return step.function in _NARROWING and any(_is_of(sketch, source, kind) for source in step.dependencies)


def _is_said_first(field: Field, sketch: Sketch, whole: int) -> bool:
    """True if the question tells the whole before the condition on it: "do all rivers in Asia flow north"."""
    inside = sketch.program.ancestors(whole)
    words: dict[bool, set[int]] = {True: set(), False: set()}
    for one in sketch.arguments:
        words[one.step in inside] |= field.reading.words_of(one.mention)
    return max(words[True], default=0) < max(words[False], default=len(field.reading.lowers))


def _beside_class(sketch: Sketch, kind: SchemaItem) -> WholeAndPart:
    everything = sketch.with_class(kind)
    return WholeAndPart(everything, sketch.last, everything.last)


def _holds_for_all(of: WholeAndPart) -> Sketch:
    """None of the whole are outside the part; of a comparison, none whose value is known."""
    sketch, part, whole = of
    last = sketch.steps[part]
    if last.function in _COMPARING:
        iris = next(one.iris for one in sketch.arguments if (one.step, one.argument) == (part, 0))
        sketch = sketch.then("FilterHasAttr", last.inputs[:1], {0: (iris, "")}, dependencies=(whole,))
        whole = sketch.last
    others = sketch.then("Except", (), dependencies=(whole, part)).then("Count", ())
    return others.then("VerifyNum", ("0", "="), empty=False)


def _share(of: WholeAndPart) -> Sketch:
    """The number in the part by that of the whole, in per cent."""
    one = of.sketch.then("Count", (), dependencies=(of.part,))
    other = one.then("Count", (), dependencies=(of.whole,))
    ratio = other.then("Calculate", ("/",), dependencies=(one.last, other.last))
    hundred = ratio.then("Number", ("100 %",), dependencies=())
    return hundred.then("Calculate", ("*",), dependencies=(ratio.last, hundred.last))
