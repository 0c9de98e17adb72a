"""Numbers as texts, and dates with a time of day, mean what the interpreter says of the same values.

`NLQ_EXAMPLES` sets the number of examples for each layout.
"""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from tests.compiler.moments import MOMENTS
from tests.compiler.rdf import asks_for_qualifiers, mixes_concepts_in
from tests.compiler.test_compiled_extensions import require_alike
from tests.compiler.test_compiled_meaning import require_equal
from tests.compiler.typed_texts import DATE_TEXTS, NUMBER_TEXTS
from tests.kopl.extension_strategies import REFUSALS, extended_programs
from tests.kopl.strategies import graphs, programs

PROFILE = settings(
    max_examples=int(os.environ.get("NLQ_EXAMPLES", "20")),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large],
)
DIALECT = st.sampled_from(sorted(DIALECTS))
VARIANTS = {**NUMBER_TEXTS, "dates": DATE_TEXTS, "moments": MOMENTS}


@pytest.mark.parametrize("name", VARIANTS)
@PROFILE
@given(data=st.data(), dialect=DIALECT)
def test_programs(name: str, data: st.DataObject, dialect: str) -> None:
    shape = VARIANTS[name]
    graph = shape.prepare(data.draw(graphs()))
    program = data.draw(programs(graph))
    assume(shape.layout != "direct" or not asks_for_qualifiers(program))
    assume(not mixes_concepts_in(program, graph))
    options = replace(shape.options, dialect=DIALECTS[dialect])
    require_equal(shape.write(graph), shape.bind(program, graph), graph, shape.layout, options)


@pytest.mark.parametrize("name", VARIANTS)
@PROFILE
@given(data=st.data(), dialect=DIALECT)
def test_programs_with_extensions(name: str, data: st.DataObject, dialect: str) -> None:
    shape = VARIANTS[name]
    graph = shape.prepare(data.draw(graphs()))
    program = data.draw(extended_programs(graph))
    assume(shape.layout != "direct" or not asks_for_qualifiers(program))
    assume(not mixes_concepts_in(program, graph))
    options = replace(shape.options, dialect=replace(DIALECTS[dialect], empty_sums=False))
    try:
        require_alike(replace(shape, options=options), program, graph, staged=True)
    except UnsupportedProgram as error:
        event("refused")
        if not any(reason in error.message for reason in REFUSALS):
            raise
