"""Schema items that replace a demonstration's own, where the question speaks of others.

The words of both questions for schema items are matched by their masks: items with the same signature, in the
order of their words. So "who wrote the films directed by X" serves for "who starred in the films written by
X".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program, Step
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.demonstrations.lesson import Lesson, Place
from nlq_gateway.drafts.demonstrations.lexicon import Tag, main, signature_of

Items = Mapping[Place, SchemaItem]
_ENDS = frozenset({"What", "Count", "Exists"})


@dataclass(frozen=True, slots=True)
class ProgramVariant:
    """A program with its schema items."""

    program: Program
    items: Items


def variants_of(lesson: Lesson, own: Sequence[Tag], asked: Sequence[Tag]) -> Iterator[ProgramVariant]:
    """A lesson's program as it is, adapted to the question's words, and each with one other fitting item."""
    matched = _matched(lesson, own, asked)
    for items in (lesson.items, matched) if matched != lesson.items else (matched,):
        variant = ProgramVariant(lesson.program, items)
        yield variant
        yield from _replaced(variant, asked)


def _matched(lesson: Lesson, own: Sequence[Tag], asked: Sequence[Tag]) -> Items:
    """The items with masks that the question has too; the lesson's own otherwise."""
    masks = {tag.item.iri: tag.mask for tag in own}
    said = {tag.mask: tag.item for tag in asked}
    found: dict[Place, SchemaItem] = {}
    for place, item in lesson.items.items():
        other = said.get(masks.get(item.iri, ""), item)
        found[place] = other if other.kind == item.kind else item
    return found


def _replaced(variant: ProgramVariant, asked: Sequence[Tag]) -> Iterator[ProgramVariant]:
    """Variants with an item of the question in place of one that the question lacks, at all its places."""
    said = {tag.item.iri: tag.item for tag in asked}
    used = {item.iri: item for item in variant.items.values()}
    for item in (item for iri, item in used.items() if iri not in said):
        places = [place for place, one in variant.items.items() if one.iri == item.iri]
        for other in (other for iri, other in said.items() if iri not in used):
            program = _with_all(variant, places, other)
            if program is not None:
                yield ProgramVariant(program, {**variant.items, **dict.fromkeys(places, other)})


def _with_all(variant: ProgramVariant, places: Sequence[Place], other: SchemaItem) -> Program | None:
    """The program with another item at all these places; None if it does not fit one of them."""
    if len(places) == 1:
        return _with(variant, places[0], other)
    alike = all(signature_of(variant.items[place]) == signature_of(other) for place in places)
    return variant.program if alike else None


def _with(variant: ProgramVariant, place: Place, other: SchemaItem) -> Program | None:
    """The program with another item at a place; None if it does not fit there.

    Items with the same signature fit. The last step may lead elsewhere: to another class, or to values.
    """
    item, program = variant.items[place], variant.program
    if signature_of(item) == signature_of(other):
        return program
    if place[0] < len(program) - 2 or main(item.domains) != main(other.domains):
        return None
    call = program.steps[place[0]]
    behind = program.steps[place[0] + 1 :]
    if item.kind == other.kind:
        plain = call.function == "QueryAttr" or (call.inputs[1:] == ("forward",) and _is_end(behind))
        return program if plain else None
    if (call.function, other.kind) == ("QueryAttr", Kind.RELATION) and not behind:
        related = Step("Relate", (call.inputs[0], "forward"), call.dependencies)
        return Program((*program.steps[:-1], related, Step("What", (), (place[0],))))
    names = [step.function for step in behind]
    if (call.inputs[1:], other.kind, names) == (("forward",), Kind.ATTRIBUTE, ["What"]):
        return Program((*program.steps[:-2], Step("QueryAttr", call.inputs[:1], call.dependencies)))
    return None


def _is_end(behind: Sequence[Step]) -> bool:
    return bool(behind) and all(step.function in _ENDS for step in behind)
