"""What a compiled program finds is what the interpreter finds, in every layout and dialect.

`NLQ_EXAMPLES` sets the number of examples for each layout.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from tests.compiler.rdf import asks_for_qualifiers, bound, mixes_concepts_in
from tests.compiler.shapes import SHAPES
from tests.compiler.test_compiled_meaning import require_equal
from tests.kopl.strategies import graphs, programs

PROFILE = settings(
    max_examples=int(os.environ.get("NLQ_EXAMPLES", "60")),
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
DIALECT = st.sampled_from(sorted(DIALECTS))


@pytest.mark.parametrize("name", SHAPES)
@PROFILE
@given(data=st.data(), dialect=DIALECT)
def test_a_compiled_program_means_what_the_interpreter_says(
    name: str, data: st.DataObject, dialect: str
) -> None:
    shape = SHAPES[name]
    graph = shape.prepare(data.draw(graphs()))
    program = data.draw(programs(graph))
    grounded = bound(program, graph)
    options = replace(shape.options, dialect=DIALECTS[dialect])
    if shape.layout == "direct" and asks_for_qualifiers(program):
        with pytest.raises(UnsupportedProgram):
            compile_program(grounded, shape.layout, options)
    else:
        assume(not mixes_concepts_in(program, graph))
        require_equal(shape.write(graph), grounded, graph, shape.layout, options)
