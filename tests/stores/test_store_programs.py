"""Random programs on every real store, in every layout: their answers are the interpreter's.

`NLQ_EXAMPLES` sets how many programs of KQA Pro's functions each store is asked, in the kqapro layout, and
`NLQ_SEED` which ones.
"""

from __future__ import annotations

import os
from collections import Counter
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from itertools import filterfalse

import pytest
from hypothesis import HealthCheck, Phase, assume, given, reject, seed, settings
from hypothesis import strategies as st

from benchmarks.stores import Server
from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from compilers.kopl.functions import Type
from compilers.kopl.program import Program
from compilers.kopl.tables import columns_of
from compilers.kopl.values import Date
from compilers.layouts import Options
from compilers.probes import EXAMPLES, compile_counts, compile_examples, set_steps
from compilers.read_answers import read_answer
from connectors import EndpointRefusedQuery, EndpointTimeout, EndpointTooComplex, HttpEndpoint
from nlq_gateway.answering.closures import follow
from nlq_gateway.answering.execution import Store, execute
from tests.compiler.moments import MOMENTS
from tests.compiler.rdf import asks_for_qualifiers, mixes_concepts_in
from tests.compiler.shapes import SHAPES, Shape
from tests.compiler.typed_texts import DATE_TEXTS, NUMBER_TEXTS
from tests.kopl.extension_strategies import REFUSALS, agreed, extended_programs, without_cuts
from tests.kopl.strategies import graphs, programs
from tests.oracle.graph import AttributeFact, Graph
from tests.oracle.interpret import interpret
from tests.stores.facts import FACTS, NEVER, Shares
from tests.stores.loading import holding

KQAPRO_PROGRAMS = int(os.environ.get("NLQ_EXAMPLES", "200"))
SEED = int(os.environ.get("NLQ_SEED", "2"))
QUERY_MS = 20_000
COMBINING = ("AndTable", "OrTable", "ExceptTable")
TABLES = ("Table", "SortTable", "LimitTable", "DistinctTable", "DropColumn", "CountTable", *COMBINING)
PROBED = ("kqapro", "direct")


def profile(examples: int) -> settings:
    return settings(
        max_examples=examples,
        database=None,
        suppress_health_check=list(HealthCheck),
        phases=[Phase.explicit, Phase.generate],
    )


@dataclass
class Run:
    """Programs asked of one store, and how many it gave up on: as one query, and in parts, too.

    So of those whose steps were probed.
    """

    server: Server
    shape: Shape
    asked: int = 0
    staged: int = 0
    refused: int = 0
    probed: int = 0
    unprobed: int = 0

    @property
    def options(self) -> Options:
        return replace(self.shape.options, dialect=DIALECTS[self.server.dialect])

    def prepare(self, graph: Graph) -> Graph:
        """The graph without what the shape cannot state, and without values that are one to the store."""
        if FACTS[self.server.name].year_is_its_first_day and self.shape.layout == "direct":
            graph = replace(graph, attributes=frozenset(filterfalse(_is_first_day, graph.attributes)))
        return self.shape.prepare(graph)

    def ask(self, program: Program, graph: Graph) -> HttpEndpoint:
        """Ask as the gateway does; a store that gives up is counted, a wrong answer is a failure."""
        grounded = self.shape.bind(program, graph)
        endpoint = holding(self.server, self.shape.write(graph))
        store = Store(endpoint.query, self.shape.layout, self.options)
        self.asked += 1
        try:
            followed = follow(grounded, store, QUERY_MS)
            query = compile_program(followed.grounded, self.shape.layout, self.options)
            executed = execute(followed.grounded, query, store, QUERY_MS)
        except (EndpointTooComplex, EndpointTimeout):
            self.refused += 1
            return endpoint
        except EndpointRefusedQuery as error:
            error.add_note(f"{error.detail}\n{program}")
            raise
        self.staged += len(executed.stages) > 1
        found = read_answer(query, executed.result.columns, executed.result.rows)
        expected = agreed(program, interpret(program, graph).answers)
        assert agreed(program, found.strings) == expected, query.text
        return endpoint

    def probe(self, endpoint: HttpEndpoint, program: Program, graph: Graph) -> None:
        """Ask how many members each step has, and for some of them."""
        grounded = self.shape.bind(program, graph)
        steps = set_steps(grounded)
        results = interpret(program, graph).steps
        self.probed += 1
        try:
            counts = endpoint.query(compile_counts(grounded, steps, self.shape.layout, self.options).text)
            examples = endpoint.query(compile_examples(grounded, steps, self.shape.layout, self.options).text)
        except EndpointTooComplex:
            self.unprobed += 1
            return
        counted = {int(row[0].value) - 1: int(row[1].value) for row in counts.rows if row[0] and row[1]}
        assert counted == {step: results[step].count for step in steps}
        members = {(row[0].value, row[1].value) for row in examples.rows if row[0] and row[1]}
        shown = Counter(int(step) - 1 for step, _ in members)
        assert shown == Counter({step: min(counted[step], EXAMPLES + 1) for step in steps})

    def require(self, name: str, shares: Shares) -> None:
        """No more programs than is known are too much for the store."""
        told = (
            f"{self.asked} programs, {self.staged} asked in parts, {self.refused} refused; "
            f"the steps of {self.probed} probed, {self.unprobed} refused"
        )
        print(f"{self.server.name}, {name}: {told}")
        assert self.asked > 0
        assert self.staged <= shares.staged * self.asked, told
        assert self.refused <= shares.refused * self.asked, told
        # A probe is a query about every step, and is not asked in parts here.
        assert self.unprobed <= shares.staged * self.probed, told


def _expects(server: Server, name: str) -> AbstractContextManager[object]:
    """A store's response to a shape that it cannot hold."""
    cannot = FACTS[server.name].cannot.get(name)
    return nullcontext() if cannot is None else pytest.raises(cannot.error, match=cannot.says)


@pytest.mark.parametrize("name", SHAPES)
def test_random_programs(server: Server, name: str) -> None:
    run = Run(server, SHAPES[name])

    @profile(KQAPRO_PROGRAMS if name == "kqapro" else 60)
    @seed(SEED)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        graph = run.prepare(data.draw(graphs()))
        program = data.draw(programs(graph))
        assume(not mixes_concepts_in(program, graph))
        assume(run.shape.layout != "direct" or not asks_for_qualifiers(program))
        endpoint = run.ask(program, graph)
        if name in PROBED and run.asked <= 100:
            run.probe(endpoint, program, graph)

    with _expects(server, name):
        check()
        run.require(name, FACTS[server.name].shares.get(name, NEVER))


@pytest.mark.parametrize("name", ["kqapro", "direct"])
def test_random_extended_programs(server: Server, name: str) -> None:
    run = Run(server, SHAPES[name])

    @profile(100)
    @seed(SEED)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        graph = run.prepare(data.draw(graphs()))
        program = without_cuts(data.draw(extended_programs(graph)))
        assume(not mixes_concepts_in(program, graph))
        assume(run.shape.layout != "direct" or not asks_for_qualifiers(program))
        assume(not _compares_cells(program, ("AndTable", "ExceptTable")))
        assume(FACTS[server.name].combines_tables or not _combines_much(program))
        assume(FACTS[server.name].counts_inline_rows or not _counts_named(program))
        try:
            run.ask(program, graph)
        except UnsupportedProgram as error:
            if not any(reason in error.message for reason in REFUSALS):
                raise
            reject()

    check()
    run.require(f"{name}, extended", FACTS[server.name].shares.get(f"{name}, extended", NEVER))


@pytest.mark.parametrize(
    "shape",
    [NUMBER_TEXTS["direct"], DATE_TEXTS, MOMENTS],
    ids=["texts that are numbers", "texts that are dates", "moments"],
)
@pytest.mark.parametrize("extended", [False, True])
def test_random_programs_over_variants(server: Server, extended: bool, shape: Shape) -> None:
    run = Run(server, shape)

    @profile(80)
    @seed(SEED)
    @given(st.data())
    def check(data: st.DataObject) -> None:
        graph = run.prepare(data.draw(graphs()))
        made = without_cuts(data.draw(extended_programs(graph))) if extended else data.draw(programs(graph))
        assume(not mixes_concepts_in(made, graph) and not asks_for_qualifiers(made))
        assume(not any(step.function in COMBINING for step in made.steps))
        assume(FACTS[server.name].counts_inline_rows or not _counts_named(made))
        try:
            run.ask(made, graph)
        except UnsupportedProgram as error:
            if not any(reason in error.message for reason in REFUSALS):
                raise
            reject()

    check()
    shares = FACTS[server.name].shares.get("direct, extended" if extended else "direct", NEVER)
    run.require("variants of plain RDF", shares)


def _is_first_day(fact: AttributeFact) -> bool:
    return isinstance(fact.value, Date) and (fact.value.month, fact.value.day) == (1, 1)


def _combines_much(program: Program) -> bool:
    """True if tables are combined more than once, or if they have calculated numbers."""
    combining = [step for step in program.steps if step.function in COMBINING]
    return len(combining) > 1 or _compares_cells(program, COMBINING)


def _counts_named(program: Program) -> bool:
    """True if the counted rows hold only things that the program names."""
    functions = {step.function for step in program.steps}
    return "CountTable" in functions and functions <= {"Find", "And", "Or", "Except", *TABLES}


def _compares_cells(program: Program, functions: tuple[str, ...]) -> bool:
    """True if tables with empty cells are compared: stores do not agree on what these equal."""
    columns = {
        program.steps[column.step].signature.output
        for index, step in enumerate(program.steps)
        if step.function in functions
        for column in columns_of(program, index)
    }
    return Type.NUMBER in columns or Type.VALUES in columns
