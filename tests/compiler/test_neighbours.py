"""The query for the facts around things: in every layout and dialect, with a bound for each thing."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from compilers.dialects import DIALECTS
from compilers.errors import UnsafeQuery
from compilers.neighbours import compile_neighbours
from connectors import EmbeddedOxigraph
from connectors.plain import require_plain_select
from tests import chains
from tests.compiler.shapes import SHAPES


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("name", SHAPES)
def test_facts_lead_both_ways_within_the_bound_of_each_thing(name: str, dialect: str) -> None:
    shape = SHAPES[name]
    graph = shape.prepare(chains.graph())
    iri_of, options = shape.iris(graph), replace(shape.options, dialect=DIALECTS[dialect])
    things = [iri_of(one) for one in chains.THINGS]
    store = EmbeddedOxigraph(lambda: shape.write(graph), address="memory")
    known = {iri_of(one): one for one in chains.THINGS}
    for most in (1, 50):
        text = compile_neighbours(things, shape.layout, options, most)
        require_plain_select(text)
        found = set()
        for step, relation, other in store.query(text).rows:
            assert step is not None
            assert relation is not None
            assert other is not None
            if other.value in known:
                found.add((int(step.value), relation.value, known[other.value]))
        counts = Counter(step for step, _, _ in found)
        assert max(counts.values()) == 1 if most == 1 else max(counts.values()) > 2
    ends = {(chains.THINGS[step - 1], other) for step, _, other in found if step > 0}
    assert ends == {(fact.source, fact.target) for fact in graph.relations}
    assert {(other, chains.THINGS[-step - 1]) for step, _, other in found if step < 0} == ends


def test_an_iri_cannot_leave_its_place() -> None:
    with pytest.raises(UnsafeQuery):
        compile_neighbours(["http://a/> . ?s ?p ?o } #"], "direct", SHAPES["direct"].options, 1)
