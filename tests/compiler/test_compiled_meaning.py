"""Compiled programs find in a store what the interpreter finds in the same graph."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pyoxigraph as ox
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import ValueType
from compilers.kopl.program import Program
from compilers.kopl.values import Quantity
from compilers.layouts import Options
from compilers.probes import EXAMPLES, compile_counts, compile_examples, set_steps
from tests.compiler.rdf import (
    answer,
    as_direct,
    as_kqapro,
    asks_for_qualifiers,
    bound,
    for_direct,
    for_kqapro,
    iri,
    mixes_concepts_in,
    run,
    without_conversions,
)
from tests.kopl.strategies import graphs, programs
from tests.oracle.graph import Graph
from tests.oracle.interpret import interpret

PROFILE = settings(derandomize=True)
DIALECT = st.sampled_from(sorted(DIALECTS))


def require_equal(
    store: ox.Store,
    grounded: GroundedProgram,
    graph: Graph,
    layout: str,
    options: Options,
    iri_of: Callable[[str], str] = iri,
) -> None:
    """The store answers as the interpreter does, counts each step alike, and has members of its sets."""
    expected = interpret(grounded.program, graph)
    query = compile_program(grounded, layout, options)
    assert sorted(answer(store, query).strings) == sorted(expected.answers), query.text
    assert all(query.spans)
    counts, members = _members(store, grounded, layout, options)
    for index, result in enumerate(expected.steps):
        assert sum(line.lstrip().startswith(f"# step {index + 1}: ") for line in query.text.splitlines()) == 1
        if index in set_steps(grounded):
            assert counts[index] == result.count
            assert len(members[index]) == min(result.count, EXAMPLES + 1)
            assert members[index] <= {iri_of(node) for node in result.entities}


def _members(
    store: ox.Store, grounded: GroundedProgram, layout: str, options: Options
) -> tuple[dict[int, int], dict[int, set[str]]]:
    """The number of entities of each set step, and some of them, by the probes."""
    steps = set_steps(grounded)
    counted = run(store, compile_counts(grounded, steps, layout, options).text).rows
    counts = {int(step.value) - 1: int(count.value) for step, count in counted if step and count}
    members: dict[int, set[str]] = {step: set() for step in steps}
    for step, entity, _ in run(store, compile_examples(grounded, steps, layout, options).text).rows:
        assert step is not None
        assert entity is not None
        members[int(step.value) - 1].add(entity.value)
    return counts, members


def _needs_bindings(program: Program, graph: Graph) -> bool:
    """True if bare names are not enough.

    Texts in angle brackets are IRIs, Select* takes quantities, and a value's text may be of any type.
    """
    return any(
        step.inputs[:1] == ("<http://example.org/a>",)
        or (step.function == "QueryAttrQualifier" and _is_mixed(graph.attribute_types, step.inputs[0]))
        or (step.function == "QueryAttrUnderCondition" and _is_mixed(graph.qualifier_types, step.inputs[1]))
        or (
            step.function.startswith("Select")
            and not any(isinstance(fact.value, Quantity) for fact in graph.by_attribute[step.inputs[0]])
        )
        for step in program.steps
    )


def _is_mixed(types: Mapping[str, tuple[ValueType, ...]], key: str) -> bool:
    """True if the values are of several types, years and dates being one."""
    times = {ValueType.YEAR, ValueType.DATE}
    found = {*types.get(key, ())}
    return len(found) > 1 and not found <= times


@PROFILE
@given(st.data(), DIALECT)
def test_kqapro_with_bindings(data: st.DataObject, dialect: str) -> None:
    graph = for_kqapro(data.draw(graphs()))
    program = data.draw(programs(graph))
    options = Options(dialect=DIALECTS[dialect], plain_labels=True)
    assume(not mixes_concepts_in(program, graph))
    require_equal(as_kqapro(graph), bound(program, graph), graph, "kqapro", options)


@PROFILE
@given(st.data(), DIALECT)
def test_kqapro_with_bare_names(data: st.DataObject, dialect: str) -> None:
    graph = without_conversions(for_kqapro(data.draw(graphs())))
    program = data.draw(programs(graph))
    assume(not _needs_bindings(program, graph))
    assume(not mixes_concepts_in(program, graph))
    options = Options(dialect=DIALECTS[dialect], plain_labels=True)
    require_equal(as_kqapro(graph), GroundedProgram(program), graph, "kqapro", options)


@PROFILE
@given(st.data(), DIALECT)
def test_direct(data: st.DataObject, dialect: str) -> None:
    graph = for_direct(data.draw(graphs()))
    program = data.draw(programs(graph))
    options = Options(dialect=DIALECTS[dialect])
    if asks_for_qualifiers(program):
        with pytest.raises(UnsupportedProgram):
            compile_program(bound(program, graph), "direct", options)
    else:
        assume(not mixes_concepts_in(program, graph))
        require_equal(as_direct(graph), bound(program, graph), graph, "direct", options)
