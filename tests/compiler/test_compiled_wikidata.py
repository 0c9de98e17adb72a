"""Compiled programs find in a graph of Wikidata's shape what the interpreter finds."""

from __future__ import annotations

import os
from dataclasses import replace

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from compilers.dialects import DIALECTS
from compilers.grounded import Binding, GroundedProgram
from compilers.layouts import Options
from tests.compiler.rdf import mixes_concepts_in, without_conversions
from tests.compiler.rdf_wikidata import as_wikidata, bound, iri_of
from tests.compiler.test_compiled_meaning import _needs_bindings, require_equal
from tests.kopl.strategies import graphs, programs

PROFILE = settings(
    max_examples=int(os.environ.get("NLQ_EXAMPLES", "30")),
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
OPTIONS = st.builds(
    Options,
    dialect=st.sampled_from([DIALECTS[name] for name in sorted(DIALECTS)]),
    best_rank=st.booleans(),
    languages=st.sampled_from([("en",), ("fr", "en")]),
)


PLACES = ("entity", "prop/direct", "prop", "prop/qualifier/value")
OTHER = "https://wiki.example/"


@PROFILE
@given(st.data(), OPTIONS, st.sampled_from(PLACES))
def test_with_bindings(data: st.DataObject, options: Options, place: str) -> None:
    graph = data.draw(graphs())
    program = data.draw(programs(graph))
    assume(not mixes_concepts_in(program, graph))
    require_equal(
        as_wikidata(graph), bound(program, graph, place=place), graph, "wikidata", options, iri_of(graph)
    )


@PROFILE
@given(st.data(), OPTIONS)
def test_with_values_of_unknown_types(data: st.DataObject, options: Options) -> None:
    graph = without_conversions(data.draw(graphs()))
    program = data.draw(programs(graph))
    assume(not _needs_bindings(program, graph))
    assume(not mixes_concepts_in(program, graph))
    require_equal(
        as_wikidata(graph), _without_types(bound(program, graph)), graph, "wikidata", options, iri_of(graph)
    )


@PROFILE
@given(st.data(), OPTIONS)
def test_another_wikibase(data: st.DataObject, options: Options) -> None:
    graph = data.draw(graphs())
    program = data.draw(programs(graph))
    assume(not mixes_concepts_in(program, graph))
    store = as_wikidata(graph, OTHER, ("P1", "P2"))
    own = replace(options, membership=f"{OTHER}entity/P1", hierarchy=f"{OTHER}prop/direct/P2")
    require_equal(store, bound(program, graph, OTHER), graph, "wikidata", own, iri_of(graph, OTHER))


def _without_types(grounded: GroundedProgram) -> GroundedProgram:
    """As if the program named every IRI itself."""

    def bare(binding: Binding) -> Binding:
        return replace(binding, label="", value_types=(), units=())

    return replace(grounded, bindings={key: bare(binding) for key, binding in grounded.bindings.items()})
