"""The items of a program's names, as far as they are resolved."""

from __future__ import annotations

from collections.abc import Mapping

from compilers.iris import iri_in
from compilers.kopl.functions import SCHEMA_KINDS, Kind, function_named
from compilers.kopl.program import Program
from nlq_gateway.answering.grounding.grounder import Place
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import Index

Choices = Mapping[Place, tuple[str, ...]]


def iris_at(index: Index, program: Program, choices: Choices, place: Place) -> tuple[str, ...]:
    """The IRIs of the schema that an argument stands for: chosen, written, or by its name."""
    step = program.steps[place[0]]
    function = function_named(step.function)
    if place in choices:
        return choices[place]
    if function is None or place[1] >= min(len(step.inputs), len(function.parameters)):
        return ()
    name, kind = step.inputs[place[1]], function.parameters[place[1]].kind
    if written := iri_in(name):
        return (written,)
    # The column of a table is a number.
    return tuple(item.iri for item in index.named(kind, name)) if kind in SCHEMA_KINDS else ()


def items_at(index: Index, program: Program, choices: Choices, place: Place) -> tuple[SchemaItem, ...]:
    """The items of the schema that an argument stands for."""
    iris = iris_at(index, program, choices, place)
    function = function_named(program.steps[place[0]].function)
    kind = function.parameters[place[1]].kind if iris and function is not None else Kind.RELATION
    return index.items(kind, iris)


def up_to(program: Program, choices: Choices, step: int) -> tuple[Program, Choices]:
    """The program that ends at a step, with the choices in it."""
    position = {old: new for new, old in enumerate(sorted(program.ancestors(step)))}
    kept = {(position[at], argument): iris for (at, argument), iris in choices.items() if at in position}
    return program.prefix(step), kept
