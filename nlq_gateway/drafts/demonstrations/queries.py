"""Demonstrations from SPARQL: a query as a program with the names of the graph's index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from compilers.from_sparql import Attribute, CannotState, Relation, Schema, program_of
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Kind
from compilers.kopl.program import Program
from compilers.layouts.vocabulary import PRED, RDF, RDFS
from compilers.layouts.wikibase import INSTANCE_OF, SUBCLASS_OF, property_of
from nlq_gateway.core.types import Demonstration, EntityItem, SchemaItem
from nlq_gateway.index import Index, LabelPreferences

Choices = Mapping[tuple[int, int], tuple[str, ...]]

_CLASSES = (RDF + "type", RDFS + "subClassOf")
# The predicates to classes and superclasses in layouts that do not use RDF Schema's.
_CLASSES_OF = {
    "wikidata": (INSTANCE_OF.direct.value, SUBCLASS_OF.direct.value),
    "kqapro": (PRED + "instance_of", RDFS + "subClassOf"),
}
_LABELS = frozenset((*LabelPreferences().predicates, PRED + "name"))


def demonstration_of_query(question: str, sparql: str, index: Index) -> Demonstration:
    """A question with the program that gives the rows of a SPARQL query.

    Args:
        question: the question that the query answers.
        sparql: a SELECT or an ASK over plain triples; prefixes that it does not declare are the index's.
        index: of the graph that the query is for.

    Raises:
        CannotState: the query has no program, or names a class or predicate that the graph lacks.
    """
    program, choices = named(program_of(sparql, schema_of(index), index.manifest.prefixes), index)
    return Demonstration(question, program, choices=choices)


def schema_of(index: Index) -> Schema:
    """The schema of a graph for the converter, as far as its index has it.

    An index does not count the subjects of an object, so several are assumed. For a Wikibase the predicates
    are those that lead straight to values.
    """
    members = {item.iri: item.count for item in index.schema if item.kind == Kind.CONCEPT}
    attributes = {
        _predicate(item): Attribute(
            item.value_types, _is_single(item, index), _everywhere(item, index, members)
        )
        for item in index.schema
        if item.kind == Kind.ATTRIBUTE
    }
    relations = {
        _predicate(item): Relation(_is_single(item, index), inverse_single=False)
        for item in index.schema
        if item.kind == Kind.RELATION
    }
    membership, hierarchy = _CLASSES_OF.get(index.manifest.layout, _CLASSES)
    labels = (_LABELS | {*index.manifest.label_predicates}) - attributes.keys()
    return Schema(attributes, relations, membership, hierarchy, index.descendants, labels)


def named(grounded: GroundedProgram, index: Index) -> tuple[Program, Choices]:
    """The program with the index's labels for IRIs, and the index's IRIs as choices.

    Raises CannotState for an IRI that the index does not have.
    """
    inputs = [list(step.inputs) for step in grounded.program.steps]
    choices: dict[tuple[int, int], tuple[str, ...]] = {}
    for (step, argument), binding in grounded.bindings.items():
        kind = grounded.program.steps[step].signature.parameters[argument].kind
        item = _item(kind, binding.iris[0], index)
        inputs[step][argument] = item.label
        choices[step, argument] = (item.iri,)
    steps = zip(grounded.program.steps, inputs, strict=True)
    return Program(tuple(replace(step, inputs=tuple(given)) for step, given in steps)), choices


def _item(kind: Kind, iri: str, index: Index) -> SchemaItem | EntityItem:
    if kind == Kind.ENTITY:
        found: SchemaItem | EntityItem | None = index.entity(iri)
    else:
        own = property_of(iri)
        found = index.item(kind, iri) or (index.item(kind, own.entity.value) if own else None)
    if found is None:
        raise CannotState(f"the graph has no {kind} <{iri}>")
    return found


def _predicate(item: SchemaItem) -> str:
    """The predicate of a relation or attribute in plain triples."""
    own = property_of(item.iri)
    return own.direct.value if own else item.iri


def _is_single(item: SchemaItem, index: Index) -> bool:
    return item.functional and f"{item.kind} counts" not in index.manifest.sampled


def _everywhere(item: SchemaItem, index: Index, members: Mapping[str, int]) -> frozenset[str]:
    """The classes with as many facts of a single-valued attribute as members."""
    if not _is_single(item, index) or f"{item.kind} domains" in index.manifest.sampled:
        return frozenset()
    return frozenset(iri for iri, count in item.domains if count == members.get(iri))
