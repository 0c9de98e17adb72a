"""Random programs on every real store, in every layout: their answers are the interpreter's.

`NLQ_EXAMPLES` sets how many programs of KQA Pro's functions each store is asked, in the kqapro layout.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from benchmarks.stores import Server
from compilers.answers import read_answer
from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.graph import Graph
from compilers.kopl.interpret import interpret
from compilers.kopl.program import Program
from compilers.layouts import Options
from compilers.probes import EXAMPLES, compile_counts, compile_examples, set_steps
from connectors import EndpointTooComplex, HttpEndpoint
from nlq_gateway.execution import Store, execute
from tests.compiler.rdf import asks_for_qualifiers, mixes_concepts_in
from tests.compiler.shapes import SHAPES, Shape
from tests.kopl.extension_strategies import cuts_ties, extended_programs
from tests.kopl.strategies import graphs, programs
from tests.stores.facts import FACTS
from tests.stores.loading import holding

KQAPRO_PROGRAMS = int(os.environ.get("NLQ_EXAMPLES", "500"))
QUERY_MS = 20_000


def profile(examples: int) -> settings:
    return settings(
        max_examples=examples,
        derandomize=True,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )


@dataclass
class Run:
    """Programs asked of one store, and how many it was too much for: as one query, and in parts."""

    server: Server
    shape: Shape
    asked: int = 0
    staged: int = 0
    refused: int = 0
    wrong: list[str] = field(default_factory=list)

    @property
    def options(self) -> Options:
        return replace(self.shape.options, dialect=DIALECTS[self.server.dialect])

    def ask(self, program: Program, graph: Graph) -> None:
        """Ask about the program's answer, and then about its steps."""
        grounded = self.shape.bind(program, graph)
        expected = interpret(program, graph)
        query = compile_program(grounded, self.shape.layout, self.options)
        endpoint = holding(self.server, self.shape.write(graph))
        self.asked += 1
        store = Store(endpoint.query, self.shape.layout, self.options)
        try:
            executed = execute(grounded, query, store, QUERY_MS)
        except EndpointTooComplex:
            self.refused += 1
            return
        self.staged += bool(executed.stages)
        result = executed.result
        found = read_answer(query, result.columns, result.rows)
        assert sorted(found.strings) == sorted(expected.answers), query.text

    def report(self, name: str) -> None:
        parts = f"{self.staged} in parts, {self.refused} refused"
        print(f"{self.server.name}, {name}: {self.asked} programs, {parts}")


@pytest.mark.parametrize("name", SHAPES)
def test_random_programs(server: Server, name: str) -> None:
    run, facts = Run(server, SHAPES[name]), FACTS[server.name]

    @profile(KQAPRO_PROGRAMS if name == "kqapro" else 60)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        graph = run.shape.prepare(data.draw(graphs()))
        program = data.draw(programs(graph))
        assume(not mixes_concepts_in(program, graph))
        assume(run.shape.layout != "direct" or not asks_for_qualifiers(program))
        run.ask(program, graph)

    check()
    run.report(name)


@pytest.mark.parametrize("name", ["kqapro", "direct"])
def test_random_extended_programs(server: Server, name: str) -> None:
    run, facts = Run(server, SHAPES[name]), FACTS[server.name]

    @profile(100)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        graph = run.shape.prepare(data.draw(graphs()))
        program = data.draw(extended_programs(graph))
        assume(not mixes_concepts_in(program, graph) and not cuts_ties(program))
        assume(run.shape.layout != "direct" or not asks_for_qualifiers(program))
        try:
            run.ask(program, graph)
        except UnsupportedProgram:
            assume(False)

    check()
    run.report(name)
