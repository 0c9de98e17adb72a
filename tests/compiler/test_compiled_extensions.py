"""What a compiled program with extensions finds is what the interpreter finds, in every layout and dialect.

`NLQ_EXAMPLES` sets the number of examples for each layout.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from compilers.kopl.graph import Graph
from compilers.kopl.interpret import interpret
from compilers.kopl.program import Program
from tests.compiler.rdf import answer, asks_for_qualifiers, mixes_concepts_in
from tests.compiler.shapes import SHAPES, Shape
from tests.kopl.extension_strategies import cutting, extended_programs, only_shows, without_cuts
from tests.kopl.strategies import graphs

PROFILE = settings(
    max_examples=int(os.environ.get("NLQ_EXAMPLES", "40")),
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
DIALECT = st.sampled_from(sorted(DIALECTS))

# Why a program may be refused, in words of the message (docs/extensions.md).
REFUSALS = (
    "does not take values of type",
    "cannot be calculated",
    "days between aggregated dates cannot be counted",
    "do not compare by",
    "the first values are of no set",
    "the tables' columns are of different kinds",
)


@pytest.mark.parametrize("name", SHAPES)
@PROFILE
@given(data=st.data(), dialect=DIALECT)
def test_a_compiled_program_means_what_the_interpreter_says(
    name: str, data: st.DataObject, dialect: str
) -> None:
    shape = SHAPES[name]
    graph = shape.prepare(data.draw(graphs()))
    program = data.draw(extended_programs(graph))
    assume(shape.layout != "direct" or not asks_for_qualifiers(program))
    assume(not mixes_concepts_in(program, graph))
    shape = replace(shape, options=replace(shape.options, dialect=DIALECTS[dialect]))
    try:
        require_alike(shape, program, graph)
    except UnsupportedProgram as error:
        event("refused")
        if not any(reason in error.message for reason in REFUSALS):
            raise


def require_alike(shape: Shape, program: Program, graph: Graph) -> None:
    """The store gives the interpreter's rows; of a cut table so many, each among those of the whole one."""
    query = compile_program(shape.bind(program, graph), shape.layout, shape.options)
    assert all(query.spans)
    found = Counter(answer(shape.write(graph), query).strings)
    expected = interpret(program, graph)
    cuts = cutting(program, expected.steps)
    if not cuts:
        assert found == Counter(expected.answers), _report(query.text, program)
    elif all(only_shows(program, cut) for cut in cuts):
        whole = Counter(interpret(without_cuts(program), graph).answers)
        assert found.total() == len(expected.answers), _report(query.text, program)
        assert found <= whole, _report(query.text, program)


def _report(text: str, program: Program) -> str:
    """What a failure shows: the program with what feeds each step, and the query."""
    steps = (f"{i}: {s} <- {s.dependencies}" for i, s in enumerate(program.steps))
    return "\n".join((*steps, text))
