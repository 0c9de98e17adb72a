"""Queries that precede a query: relations of any depth where a store follows no paths, and shares."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import nullcontext
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, reject, settings
from hypothesis import strategies as st

from compilers import closures
from compilers.compile import compile_program
from compilers.dialects import DIALECTS
from compilers.errors import UnsupportedProgram
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program
from compilers.read_answers import read_answer
from connectors.errors import EndpointTimeout, EndpointTooComplex
from connectors.results import Result, Term
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering import closures as following
from nlq_gateway.answering.closures import follow
from nlq_gateway.answering.execution import Store, execute
from tests.compiler.rdf import asks_for_qualifiers, mixes_concepts_in, run
from tests.compiler.shapes import SHAPES, Shape
from tests.hierarchy import HIERARCHY, PAIRED, PROGRAMS
from tests.kopl.extension_strategies import REFUSALS, agreed, extended_programs, without_cuts
from tests.kopl.strategies import graphs
from tests.oracle.graph import Entity, Graph, RelationFact
from tests.oracle.interpret import interpret
from tests.pipeline.trace_document import misfits

WITH_PATHS = ("direct", "kqapro", "wikidata", "reification", "rdf12", "rdf_star")
ALL_PARTS = "Find(fleet)->RelateTransitive(part of, backward)->What()"
CHAIN = Graph(
    {str(number): Entity(str(number)) for number in range(120)},
    {},
    frozenset(),
    frozenset(RelationFact(str(n + 1), "part of", str(n)) for n in range(119)),
)


PROFILE = settings(
    max_examples=int(os.environ.get("NLQ_EXAMPLES", "15")),
    derandomize=True,
    suppress_health_check=list(HealthCheck),
)


def prepared(text: str, name: str, graph: Graph = HIERARCHY) -> tuple[GroundedProgram, Store]:
    """A program bound to a graph, and the graph in a store of Virtuoso's dialect."""
    return written(read_program(text), SHAPES[name], SHAPES[name].prepare(graph))


def written(program: Program, shape: Shape, graph: Graph) -> tuple[GroundedProgram, Store]:
    held = shape.write(graph)

    def select(text: str, **_: int | None) -> Result:
        return run(held, text)

    options = replace(shape.options, dialect=DIALECTS["virtuoso"])
    return shape.bind(program, graph), Store(select, shape.layout, options)


@pytest.mark.parametrize("name", WITH_PATHS)
@pytest.mark.parametrize("text", [*PROGRAMS, *PAIRED])
def test_what_it_leads_to_is_what_the_interpreter_finds(text: str, name: str) -> None:
    grounded, store = prepared(text, name)
    expected = interpret(read_program(text), HIERARCHY).answers
    assert sorted(answers(grounded, store)) == sorted(expected)


def answers(grounded: GroundedProgram, store: Store) -> Sequence[str]:
    followed = follow(grounded, store, 20_000)
    query = compile_program(followed.grounded, store.layout, store.options)
    result = execute(followed.grounded, query, store, followed.left_ms).result
    return read_answer(query, result.columns, result.rows).strings


@pytest.mark.parametrize("name", ["kqapro", "direct"])
@PROFILE
@given(data=st.data())
def test_random_programs_find_what_a_path_does(name: str, data: st.DataObject) -> None:
    shape = SHAPES[name]
    graph = shape.prepare(data.draw(graphs()))
    program = without_cuts(data.draw(extended_programs(graph)))
    assume(any(step.function == "RelateTransitive" for step in program.steps))
    assume(not mixes_concepts_in(program, graph))
    assume(shape.layout != "direct" or not asks_for_qualifiers(program))
    grounded, store = written(program, shape, graph)
    by_path = replace(store.options, dialect=replace(store.options.dialect, paths=True))
    try:
        expected = answers(grounded, replace(store, options=by_path))
    except UnsupportedProgram as error:
        if not any(reason in error.message for reason in REFUSALS):
            raise
        reject()
    assert agreed(program, answers(grounded, store)) == agreed(program, expected)


def test_each_step_is_a_query_and_a_stage() -> None:
    grounded, store = prepared(ALL_PARTS, "direct")
    followed = follow(grounded, store, 20_000)
    assert [stage.rows for stage in followed.stages] == [1, 1, 2, 1, 1, 1, 0]
    assert {stage.outcome for stage in followed.stages} == {"answered"}
    assert followed.grounded.program == grounded.program
    assert 0 < followed.left_ms <= 20_000


def test_a_store_that_follows_paths_is_not_asked() -> None:
    grounded, store = prepared(ALL_PARTS, "direct")
    store = replace(store, options=replace(store.options, dialect=DIALECTS["oxigraph"]))
    followed = follow(grounded, store, 20_000)
    assert (followed.grounded, followed.left_ms, followed.stages) == (grounded, 20_000, ())


def test_a_program_that_was_not_followed_is_refused_as_one_query() -> None:
    grounded, store = prepared(ALL_PARTS, "direct")
    with pytest.raises(UnsupportedProgram, match="no relations of any depth") as refused:
        compile_program(grounded, store.layout, store.options)
    assert "run the program" in refused.value.hint


def test_facts_that_are_no_triples_are_not_followed() -> None:
    with pytest.raises(UnsupportedProgram, match="the layout singleton has no relations of any depth"):
        follow(*prepared(ALL_PARTS, "singleton"), 20_000)


@pytest.mark.parametrize(("most", "fits"), [(10, False), (11, True)])
def test_more_than_may_be_known_is_an_error(monkeypatch: pytest.MonkeyPatch, most: int, fits: bool) -> None:
    for module in (following, closures):
        monkeypatch.setattr(module, "MAX_MEMBERS", most)
    outcome = nullcontext() if fits else pytest.raises(EndpointTooComplex, match=f"more than {most} things")
    with outcome:
        follow(*prepared("FindAll()->RelateTransitive(part of, forward)->What()", "direct"), 20_000)


def test_too_deep_is_an_error() -> None:
    text = "Find(0)->RelateTransitive(part of, backward)->Count()"
    with pytest.raises(EndpointTooComplex, match=f"step 2: .* further than {following.ROUNDS} steps"):
        follow(*prepared(text, "direct", CHAIN), 20_000)


@pytest.mark.parametrize(
    ("result", "says"),
    [
        (Result(("end",), ((Term("blank", "b0"),),)), "without an IRI"),
        (Result(("end",), ((Term("iri", "urn:a"),),), truncated=True), "more things than are fetched"),
    ],
)
def test_what_cannot_be_followed_in_full_is_an_error(result: Result, says: str) -> None:
    grounded, store = prepared(ALL_PARTS, "direct")
    with pytest.raises(EndpointTooComplex, match=says):
        follow(grounded, replace(store, select=lambda *_, **__: result), 20_000)


def test_a_failure_is_not_an_end() -> None:
    """The entities found until then are no answer."""
    grounded, store = prepared(ALL_PARTS, "direct")
    asked = []

    def failing(text: str, **_: int | None) -> Result:
        asked.append(text)
        if len(asked) > 2:
            raise EndpointTimeout("the store stopped the query at its own time limit")
        return store.select(text)

    with pytest.raises(EndpointTimeout, match="at its own time limit"):
        follow(grounded, replace(store, select=failing), 20_000)


def test_no_query_is_sent_without_time() -> None:
    grounded, store = prepared(ALL_PARTS, "direct")
    with pytest.raises(EndpointTimeout, match="no time is left"):
        follow(grounded, store, following.LEAST_MS - 1)


def test_the_trace_tells_each_query(gateway: Pipeline, monkeypatch: pytest.MonkeyPatch) -> None:
    """Asked as Virtuoso is, the sample graph has the answer and the counts that it has by a path."""
    program = read_program("Find(North Sea)->RelateTransitive(flows into, backward)->Count()")
    whole = gateway.run(program, "sample")
    endpoint = gateway.endpoint("sample")
    options = replace(endpoint.prepared.options, dialect=DIALECTS["virtuoso"])
    monkeypatch.setattr(endpoint, "_prepared", replace(endpoint.prepared, options=options))
    trace = gateway.run(program, "sample")
    document = trace.as_json()
    assert misfits(document) == []
    assert [warning["code"] for warning in document["warnings"]] == ["relation-followed"]
    *asked, last = document["stages"]
    assert len(asked) == 3
    assert last["sparql"] == document["sparql"]["text"]
    assert trace.answer is not None
    assert whole.answer is not None
    assert trace.answer.strings == whole.answer.strings > ("1",)
    assert [step.count for step in trace.steps] == [step.count for step in whole.steps]
    assert (whole.stages, whole.warnings) == ((), ())


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("FindAll()->FilterConcept(river)->Table()->SortTable(1, ascending)->LimitTable(34 %)", "LIMIT "),
        ("FindAll()->FilterConcept(river)->SelectShare(length, largest, 34)->What()", "LIMIT "),
        ("FindAll()->FilterConcept(river)->Table()->SortTable(1, ascending)->SkipTable(34 %)", "OFFSET "),
    ],
)
def test_a_share_is_counted_first(gateway: Pipeline, text: str, cut: str) -> None:
    trace = gateway.run(read_program(text), "sample")
    document = trace.as_json()
    assert misfits(document) == []
    assert document["warnings"] == []
    count, last = document["stages"]
    assert "COUNT" in count["sparql"]
    assert count["rows"] == 1
    assert cut in last["sparql"] == document["sparql"]["text"]
    assert trace.program == read_program(text)
    assert trace.answer is not None
    whole = gateway.run(read_program(text.replace("34", "100")), "sample").answer
    assert whole is not None
    if cut == "LIMIT ":
        assert len(trace.answer.strings) == -(-len(whole.strings) * 34 // 100)


@pytest.mark.parametrize("text", [PROGRAMS[11], PAIRED[1]])
def test_a_store_that_gives_up_on_the_first_step_is_asked_for_the_set(text: str) -> None:
    grounded, store = prepared(text, "kqapro")
    asked: list[str] = []

    def select(text: str, **_: int | None) -> Result:
        asked.append(text)
        if len(asked) == 1:
            raise EndpointTooComplex("the store expects the query to take too long")
        return store.select(text)

    found = answers(grounded, replace(store, select=select))
    assert sorted(found) == sorted(interpret(read_program(text), HIERARCHY).answers)
    assert "?end" not in asked[1]
