"""Demonstrations from SPARQL: a query as a program that names things as the graph's index does."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from compilers.from_sparql import Attribute, CannotState, Relation, Schema, program_of
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from nlq_gateway.index import Index
from nlq_gateway.types import Demonstration, SchemaItem

Choices = Mapping[tuple[int, int], tuple[str, ...]]


def demonstration_of_query(question: str, sparql: str, index: Index) -> Demonstration:
    """A question with the program that gives the rows of a SPARQL query.

    Args:
        question: what the query answers.
        sparql: a SELECT or an ASK; prefixes that it does not declare are the index's.
        index: of the graph that the query is for.

    Raises:
        CannotState: the query has no program, or names what the graph does not have.
    """
    program, choices = named(program_of(sparql, schema_of(index), index.manifest.prefixes), index)
    return Demonstration(question, program, choices=choices)


def schema_of(index: Index) -> Schema:
    """What the converter must know of a graph, as far as its index tells.

    How many subjects an object has is not in an index, so that several are provided for.
    """
    members = {item.iri: item.count for item in index.schema if item.kind == Kind.CONCEPT}
    attributes = {
        item.iri: Attribute(item.value_types, _is_single(item, index), _everywhere(item, index, members))
        for item in index.schema
        if item.kind == Kind.ATTRIBUTE
    }
    relations = {
        item.iri: Relation(_is_single(item, index), inverse_single=False)
        for item in index.schema
        if item.kind == Kind.RELATION
    }
    return Schema(attributes, relations)


def named(grounded: GroundedProgram, index: Index) -> tuple[Program, Choices]:
    """The program with the index's labels for IRIs, and the IRIs as choices.

    Raises CannotState for an IRI that the index does not have.
    """
    steps = [list(step.inputs) for step in grounded.program.steps]
    choices = {place: binding.iris for place, binding in grounded.bindings.items()}
    for (step, argument), iris in choices.items():
        kind = grounded.program.steps[step].signature.parameters[argument].kind
        steps[step][argument] = _label(kind, iris[0], index)
    return Program(
        tuple(
            replace(step, inputs=tuple(inputs))
            for step, inputs in zip(grounded.program.steps, steps, strict=True)
        )
    ), choices


def _label(kind: Kind, iri: str, index: Index) -> str:
    item = index.entity(iri) if kind == Kind.ENTITY else index.item(kind, iri)
    if item is None:
        raise CannotState(f"the graph has no {kind} <{iri}>")
    return item.label


def _is_single(item: SchemaItem, index: Index) -> bool:
    return item.functional and f"{item.kind} counts" not in index.manifest.sampled


def _everywhere(item: SchemaItem, index: Index, members: Mapping[str, int]) -> frozenset[str]:
    """The classes with as many facts of a single-valued attribute as members."""
    if not _is_single(item, index) or f"{item.kind} domains" in index.manifest.sampled:
        return frozenset()
    return frozenset(iri for iri, count in item.domains if count == members.get(iri))
