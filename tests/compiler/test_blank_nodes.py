"""Entities may be blank nodes, in every layout: what no step finds by its name needs no IRI."""

from __future__ import annotations

import os
from collections.abc import Collection
from dataclasses import replace
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from tests.compiler.rdf import answer, asks_for_qualifiers, mixes_concepts_in
from tests.compiler.shapes import SHAPES, Shape
from tests.compiler.test_compiled_layouts import FRIENDS
from tests.kopl.strategies import graphs, programs
from tests.oracle.graph import Graph
from tests.oracle.interpret import interpret

PROFILE = settings(max_examples=int(os.environ.get("NLQ_EXAMPLES", "20")), derandomize=True)
DIALECT = st.sampled_from(sorted(DIALECTS))


def blanked(store: ox.Store, iris: Collection[str]) -> ox.Store:
    """The same store with blank nodes for these IRIs."""
    nodes = {iri: ox.BlankNode(f"thing{number}") for number, iri in enumerate(sorted(iris))}

    def renamed(term: Any) -> Any:
        if isinstance(term, ox.Triple):
            return ox.Triple(renamed(term.subject), term.predicate, renamed(term.object))
        return nodes.get(term.value, term) if isinstance(term, ox.NamedNode) else term

    new = ox.Store()
    new.extend(ox.Quad(renamed(q.subject), q.predicate, renamed(q.object), q.graph_name) for q in store)
    return new


def unfound(program: Program, graph: Graph, shape: Shape) -> set[str]:
    """The IRIs of the entities that no step finds by name."""
    found = {step.inputs[0] for step in program.steps if step.function == "Find"}
    iri_of = shape.iris(graph)
    return {iri_of(key) for key, entity in graph.entities.items() if entity.name not in found}


@pytest.mark.parametrize("name", SHAPES)
@PROFILE
@given(data=st.data(), dialect=DIALECT)
def test_a_program_finds_in_blank_nodes_what_the_interpreter_says(
    name: str, data: st.DataObject, dialect: str
) -> None:
    shape = SHAPES[name]
    graph = shape.prepare(data.draw(graphs()))
    program = data.draw(programs(graph))
    assume(not mixes_concepts_in(program, graph))
    assume(shape.layout != "direct" or not asks_for_qualifiers(program))
    store = blanked(shape.write(graph), unfound(program, graph, shape))
    options = replace(shape.options, dialect=DIALECTS[dialect])
    query = compile_program(shape.bind(program, graph), shape.layout, options)
    assert sorted(answer(store, query).strings) == sorted(interpret(program, graph).answers), query.text


@pytest.mark.parametrize("name", SHAPES)
def test_what_has_no_label_is_told_by_its_owner(name: str) -> None:
    shape = SHAPES[name]
    graph = shape.prepare(FRIENDS)
    program = read_program("Find(Ada)->Relate(part of, forward)->What()")
    iri = shape.iris(graph)("Dee")
    named = shape.write(graph)
    for quad in list(named.quads_for_pattern(ox.NamedNode(iri), None, None)):
        if isinstance(quad.object, ox.Literal) and quad.object.value == "Dee":
            named.remove(quad)
    options = replace(shape.options, owners=True)
    query = compile_program(shape.bind(program, graph), shape.layout, options)
    relation = "P1006" if shape.layout == "wikidata" else "part of"
    assert answer(blanked(named, {iri}), query).strings == (f"{relation} of Ada",)
