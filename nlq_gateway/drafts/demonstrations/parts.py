"""The parts of programs, as sets of features, so that partly equal programs support one another."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.demonstrations.lesson import Place
from nlq_gateway.drafts.demonstrations.lexicon import Tag, signature_of

Naming = Callable[[SchemaItem], str]


def parts_of(
    program: Program, items: Mapping[Place, SchemaItem], masks: Mapping[Place, str], tags: tuple[Tag, ...]
) -> frozenset[str]:
    """The parts of a program under three namings of its schema items.

    Parts are each call with its distance to either end, each pair of calls where one feeds the other, and the
    length. The namings are the items' IRIs, the masks of the question's words for them, and the signatures
    that they share with interchangeable items.

    Args:
        program: the program.
        items: its schema items.
        masks: the masks of the arguments that the question names.
        tags: the question's words that speak of schema items.
    """
    said = {tag.item.iri: tag.mask for tag in tags}
    namings: dict[str, Naming] = {
        "": lambda item: item.iri,
        "~": lambda item: said.get(item.iri, f"?{item.iri}"),
        "≈": signature_of,
    }
    depths, heights = _distances(program)
    found = [f"{sign}{len(program)} steps" for sign in namings]
    for sign, naming in namings.items():
        calls = [_call(program, number, items, masks, naming) for number in range(len(program))]
        for number, (call, step) in enumerate(zip(calls, program.steps, strict=True)):
            found += [f"{sign}{depths[number]} {call}", f"{sign}-{heights[number]} {call}"]
            found += [f"{sign}{calls[other]} → {call}" for other in step.dependencies]
    return frozenset(found)


def _call(
    program: Program,
    number: int,
    items: Mapping[Place, SchemaItem],
    masks: Mapping[Place, str],
    naming: Naming,
) -> str:
    step = program.steps[number]
    arguments = []
    for argument, parameter in enumerate(step.signature.parameters):
        place = (number, argument)
        if place in items:
            arguments.append(naming(items[place]))
        elif parameter.kind in (Kind.ENTITY, Kind.VALUE):
            arguments.append(masks.get(place, step.inputs[argument]))
        else:
            arguments.append(step.inputs[argument])
    return f"{step.function}({', '.join(arguments)})"


def _distances(program: Program) -> tuple[list[int], list[int]]:
    """The number of steps before and behind each step."""
    depths = [0] * len(program)
    heights = [0] * len(program)
    for number, step in enumerate(program.steps):
        depths[number] = max((depths[other] + 1 for other in step.dependencies), default=0)
    for number in reversed(range(len(program))):
        for other in program.steps[number].dependencies:
            heights[other] = max(heights[other], heights[number] + 1)
    return depths, heights
