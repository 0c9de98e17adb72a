"""The facts found about every step, the number of queries for them, and the effect of a failure."""

from __future__ import annotations

import gzip
import json
from importlib import resources
from pathlib import Path
from statistics import mean
from typing import Any

import pyoxigraph as ox
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from compilers.compile import compile_program
from compilers.grounded import GroundedProgram
from compilers.kopl.functions import Type
from compilers.kopl.notations import NOTATIONS, read_program
from compilers.kopl.program import Program, Step
from compilers.layouts import Options
from compilers.probes import countable_steps, set_steps
from compilers.read_answers import read_answer
from connectors import EndpointError, EndpointRefusedQuery, EndpointTimeout, EndpointUnreachable
from connectors.results import Result
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.execution import QuerySender
from nlq_gateway.answering.probes import QUERIES, probe_steps
from nlq_gateway.answering.response import diagnosis_of
from nlq_gateway.trace import Recorder, StepTrace
from tests.compiler.rdf import as_kqapro, bound, for_kqapro, mixes_concepts_in, run
from tests.kopl.strategies import graphs, programs
from tests.oracle.interpret import interpret

MINI = Path(__file__).parents[3] / "shared" / "data" / "kqapro" / "mini"
SAMPLE = resources.files("nlq_gateway.sample") / "questions.jsonl"
TOO_DEAR = EndpointRefusedQuery("the estimated execution time exceeds the limit")
TOO_SLOW = EndpointTimeout("no answer within the deadline")
AWAY = EndpointUnreachable("nobody listens")


class Counted:
    """A store's select that keeps the queries; the first ones fail with `errors`, but for None."""

    def __init__(self, select: QuerySender, *errors: EndpointError | None) -> None:
        self.select = select
        self.errors = list(errors)
        self.texts: list[str] = []

    def __call__(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        self.texts.append(text)
        if self.errors and (error := self.errors.pop(0)):
            raise error
        return self.select(text, timeout_ms=timeout_ms, max_rows=max_rows)


class Embedded:
    """The select of a store in memory."""

    def __init__(self, store: ox.Store) -> None:
        self.store = store

    def __call__(self, text: str, *, timeout_ms: int | None = None, max_rows: int | None = None) -> Result:
        assert timeout_ms
        assert max_rows
        return run(self.store, text)


def _probed(
    grounded: GroundedProgram, select: QuerySender, options: Options, *, with_answer: bool = True
) -> tuple[tuple[StepTrace, ...], Recorder]:
    """The steps of a program in the kqapro layout, and what was warned of."""
    recorder, answer = Recorder(), None
    if with_answer:
        query = compile_program(grounded, "kqapro", options)
        select_answer = select.select if isinstance(select, Counted) else select
        result = select_answer(query.text, timeout_ms=10_000, max_rows=10_000)
        answer = read_answer(query, result.columns, result.rows)
    return probe_steps(grounded, select, "kqapro", options, recorder, answer=answer), recorder


def _questions() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLE.read_text("utf-8").splitlines()]


def test_few_queries_for_the_questions_of_the_sample(gateway: Pipeline) -> None:
    queries = []
    for question in _questions():
        program = NOTATIONS["json"].read(json.dumps(question["program"]))
        grounded, _, options = gateway.bind(program, "sample")
        select = Counted(gateway.endpoint("sample").select)
        steps, recorder = _probed(grounded, select, options)
        queries.append(len(select.texts))
        assert recorder.warnings == []
        assert all(steps[step].count is not None for step in countable_steps(grounded))
    assert len(queries) == 40
    assert mean(queries) <= 3
    assert max(queries) <= QUERIES


@pytest.mark.data
@pytest.mark.skipif(not MINI.is_dir(), reason="needs the benchmark data: kqapro/mini")
def test_few_queries_for_the_benchmark() -> None:
    store = ox.Store()
    with gzip.open(MINI / "kb.ttl.gz") as file:
        store.bulk_load(file.read(), ox.RdfFormat.TURTLE)
    with gzip.open(MINI / "programs.jsonl.gz", "rt", encoding="utf-8") as file:
        grounded = [GroundedProgram(read_program(json.loads(line))) for line in file]
    queries = []
    for program in grounded:
        select = Counted(Embedded(store))
        steps, recorder = _probed(program, select, Options(plain_labels=True))
        queries.append(len(select.texts))
        assert recorder.warnings == []
        assert all(steps[step].count is not None for step in countable_steps(program))
    assert len(queries) == 959
    assert mean(queries) <= 3


@settings(derandomize=True)
@given(st.data(), st.booleans())
def test_counts_are_those_of_the_interpreter(data: st.DataObject, with_answer: bool) -> None:
    graph = for_kqapro(data.draw(graphs()))
    program = data.draw(programs(graph))
    assume(not mixes_concepts_in(program, graph))
    grounded = bound(program, graph)
    steps, recorder = _probed(
        grounded, Embedded(as_kqapro(graph)), Options(plain_labels=True), with_answer=with_answer
    )
    expected = interpret(program, graph).steps
    assert recorder.warnings == []
    for step in set_steps(grounded):
        if step in countable_steps(grounded) or steps[step].count is not None:
            assert steps[step].count == expected[step].count
        assert len(steps[step].examples) == min(5, expected[step].count)
        assert set(steps[step].examples) <= {graph.name(node) for node in expected[step].entities}
    for found, wanted in zip(steps, expected, strict=True):
        if wanted.kind == Type.VALUES and found.count is not None:
            assert found.count == wanted.count
            assert set(found.examples) <= set(wanted.answers)


FILMS = (
    "FindAll()->FilterConcept(film)->Relate(directed by, forward)->Relate(country of citizenship, forward)"
    "->What()"
)
RIVERS = (
    "FindAll()->FilterConcept(river)->FilterNum(length, 2000 kilometre, >)->Relate(country, forward)->What()"
)


@pytest.mark.parametrize(
    ("chain", "errors", "queries", "counts", "missing"),
    [
        (FILMS, [], 2, [None, 72, 41, 15, None], None),
        (FILMS, [TOO_DEAR], 3, [None, None, None, 15, None], "1, 2, 3"),
        (FILMS, [None, TOO_SLOW], 3, [None, None, None, 15, None], "2, 3"),
        (FILMS, [TOO_DEAR, TOO_DEAR, TOO_SLOW], 3, [None] * 5, "1, 2, 3, 4"),
        (FILMS, [AWAY], 1, [None] * 5, "1, 2, 3, 4"),
        (FILMS, [None, AWAY], 2, [None] * 5, "2, 3, 4"),
        (RIVERS, [], 2, [None, 31, 15, 0, None], None),
        (RIVERS, [TOO_DEAR], 3, [None, None, None, 0, None], "1, 2, 3"),
        ("Find(Nile)->Relate(country, forward)->What()", [TOO_DEAR], 1, [1, None, None], "2"),
    ],
)
def test_a_failure_is_a_warning(
    gateway: Pipeline,
    chain: str,
    errors: list[EndpointError | None],
    queries: int,
    counts: list[int | None],
    missing: str | None,
) -> None:
    grounded, _, options = gateway.bind(NOTATIONS["chain"].read(chain), "sample")
    select = Counted(gateway.endpoint("sample").select, *errors)
    steps, recorder = _probed(grounded, select, options, with_answer=False)
    assert len(select.texts) == queries <= QUERIES
    assert [step.count for step in steps] == counts
    last = next((error for error in reversed(errors) if error), None)
    told = [f"not counted: step {missing}: {last.message}"] if last else []
    assert [(w.code, w.message) for w in recorder.warnings] == [("step-not-counted", text) for text in told]


def test_what_the_answer_shows_is_not_asked(gateway: Pipeline) -> None:
    grounded, _, options = gateway.bind(NOTATIONS["chain"].read("Find(Nile)->QueryAttr(length)"), "sample")
    select = Counted(gateway.endpoint("sample").select)
    steps, _ = _probed(grounded, select, options)
    assert select.texts == []
    assert [(step.count, step.examples) for step in steps] == [(1, ("Nile",)), (1, ("6650 kilometre",))]


def test_one_known_entity_is_named_by_the_store_when_its_label_is_not_known(gateway: Pipeline) -> None:
    iri = gateway.run(NOTATIONS["chain"].read("Find(Nile)->What()")).bindings[0].iri
    program = Program((Step("Find", (f"<{iri}>",)),))
    steps, _ = _probed(
        GroundedProgram(program), gateway.endpoint("sample").select, Options(), with_answer=False
    )
    assert [(step.count, step.examples) for step in steps] == [(1, ("Nile",))]


def test_a_diagnosis_says_what_was_not_counted(gateway: Pipeline) -> None:
    program = NOTATIONS["chain"].read(RIVERS)
    assert diagnosis_of(program, {1: 31, 2: 15, 3: 0}) == (
        "Step 4, Relate(country, forward), leaves nothing of the 15 before it."
    )
    assert diagnosis_of(program, {1: 31, 3: 0}) == (
        "Step 4, Relate(country, forward), leaves nothing. Not counted: step 3."
    )
    assert diagnosis_of(program, {1: 0, 2: 0, 3: 0}) == (
        "Step 2, FilterConcept(river), leaves nothing: the graph has no such thing."
    )
    values = NOTATIONS["chain"].read("FindAll()->FilterConcept(river)->QueryAttr(length)")
    assert diagnosis_of(values, {2: 0}) == (
        "Step 3, QueryAttr(length), finds no value for them. Not counted: step 2."
    )
    assert gateway.run(values).diagnosis is None
