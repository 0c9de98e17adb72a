"""Compiled programs and the wire, on every real store: `make stores`, then `make test-stores`.

`-m virtuoso`, `-m fuseki` and `-m oxigraph_server` run one store each.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from benchmarks.stores import Server, graph_of, triples_of_files, triples_of_store
from compilers.answers import Answer
from compilers.compile import CompiledQuery, compile_program
from compilers.dialects import DIALECTS
from compilers.grounded import GroundedProgram
from compilers.kopl.notations import read_program
from compilers.layouts import Options
from compilers.layouts.vocabulary import PRED
from compilers.read_answers import read_answer
from connectors import (
    EmbeddedOxigraph,
    EndpointRefusedQuery,
    EndpointTimeout,
    EndpointUnreachable,
    HttpEndpoint,
    IncompleteResult,
    Limits,
    require_read_only,
)
from connectors.plain import require_plain_select
from connectors.protocol import takes_deadline
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.execution import Store, execute
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.index import Index
from nlq_gateway.settings import EndpointSettings, Settings
from tests.clock import promptly
from tests.compiler.rdf import (
    as_direct,
    bound,
    for_direct,
)
from tests.oracle.graph import Graph, graph_from_kopl_json
from tests.oracle.interpret import interpret
from tests.stores.facts import FACTS
from tests.stores.questions import Question

TINY = Path(__file__).parents[1] / "kopl" / "fixtures" / "tiny.json"

# As for the embedded store (tests/compiler/test_compiled_benchmark.py).
UNKNOWN_TYPE = {"kqapro-64", "kqapro-834", "kqapro-837", "kqapro-898"}
BENCHMARK = Options(plain_labels=True, hierarchy=PRED + "instance_of")

SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(CONCAT(STR(?a), STR(?f)) = 'x') }"
EVERYTHING = "SELECT ?s ?p ?o { ?s ?p ?o }"
UPDATE = "INSERT DATA { <urn:a> <urn:b> <urn:c> }"

ASKED = ("sample-01", "sample-03", "sample-11", "sample-17", "sample-23")


@pytest.fixture(params=["own", "sparql11"])
def dialect(server: Server, request: pytest.FixtureRequest) -> str:
    """The store's own dialect, and that of a store that nothing is known of."""
    if request.param == "own":
        return server.dialect
    if reason := FACTS[server.name].unknown:
        wrong = (AssertionError, EndpointRefusedQuery)
        request.applymarker(pytest.mark.xfail(reason=reason, raises=wrong, strict=True))
    return str(request.param)


def answer(endpoint: HttpEndpoint, query: CompiledQuery, options: Options) -> Answer:
    """The store's answers, by the gateway's own path."""
    require_plain_select(query.text)
    result = endpoint.query(query.text)
    return read_answer(query, result.columns, result.rows, languages=options.languages)


def test_gold_programs_of_the_sample(
    sample: HttpEndpoint, sample_questions: tuple[Question, ...], server: Server
) -> None:
    failing = {}
    for question in sample_questions:
        languages = tuple(dict.fromkeys((question.language, "en")))
        options = Options(DIALECTS[server.dialect], languages=languages)
        query = compile_program(question.grounded, "kqapro", options)
        found = set(answer(sample, query, options).strings)
        if found != question.answers:
            failing[question.id] = found
    assert len(sample_questions) == 40
    assert failing == {}


@pytest.mark.data
def test_benchmark_programs(mini: HttpEndpoint, mini_questions: tuple[Question, ...], dialect: str) -> None:
    assert _failing(mini, mini_questions, dialect, "grounded") == set()


@pytest.mark.data
def test_benchmark_programs_of_bare_names(
    mini: HttpEndpoint, mini_questions: tuple[Question, ...], server: Server
) -> None:
    bare = (replace(q, grounded=GroundedProgram(q.grounded.program)) for q in mini_questions)
    assert _failing(mini, tuple(bare), server.dialect, "bare") == UNKNOWN_TYPE


def _failing(endpoint: HttpEndpoint, questions: tuple[Question, ...], dialect: str, names: str) -> set[str]:
    """Ids of the questions with another answer than expected."""
    options = replace(BENCHMARK, dialect=DIALECTS[dialect])
    begun = time.perf_counter()
    failing = {question.id for question in questions if not _is_right(endpoint, question, options)}
    seconds = time.perf_counter() - begun
    print(f"{endpoint.dialect}, {dialect}, {names}: {959 - len(failing)} of 959 in {seconds:.1f} s")
    assert len(questions) == 959
    return failing


def _is_right(endpoint: HttpEndpoint, question: Question, options: Options) -> bool:
    query = compile_program(question.grounded, "kqapro", options)
    executed = execute(question.grounded, query, Store(endpoint.query, "kqapro", options), 30_000)
    found = set(read_answer(query, executed.result.columns, executed.result.rows).strings)
    if query.program.steps[-1].function.startswith("Select"):
        return bool(found) and found <= question.answers
    return found == question.answers


DIRECT_PROGRAMS = (
    "Find(Dusk)->Relate(directed by, forward)->What()",
    "Find(Alex Kim)->Relate(directed by, backward)->FilterConcept(film)->Count()",
    "FindAll()->FilterConcept(place)->What()",
    "FindAll()->FilterConcept(person)->FilterConcept(artist)->Count()",
    "FindAll()->FilterConcept(person)->FilterNum(height, 1.75 centimetre, >)->What()",
    "FindAll()->FilterStr(nickname, Kim)->What()",
    "FindAll()->FilterYear(date of birth, 1960, =)->Count()",
    "FindAll()->FilterDate(date of birth, 1960-01-01, <)->What()",
    "FindAll()->FilterConcept(place)->SelectAmong(population, largest)",
    "Find(Dawn)->Find(Noon)->SelectBetween(budget, greater)",
    "FindAll()->FilterConcept(film)->SelectAmong(publication date, smallest)",
    "Find(Riverton)->QueryAttr(elevation)",
    "Find(Riverton)->QueryAttr(elevation)->VerifyNum(-4 metre, >)",
    "Find(Dusk)->QueryAttr(publication date)->VerifyYear(1990, =)",
    "Find(Alex Kim)->Find(Berta Díaz)->QueryRelation()",
    "Find(Berta Díaz)->Find(Dusk)->Relate(directed by, forward)->Or()->What()",
    "Find(Noon)->Find(Alex Kim)->Relate(directed by, backward)->Or()->SelectAmong(budget, largest)",
)


@pytest.fixture(scope="session")
def tiny(server: Server) -> tuple[HttpEndpoint, Graph]:
    """The interpreter's small graph as plain RDF in the store."""
    graph = for_direct(graph_from_kopl_json(json.loads(TINY.read_text(encoding="utf-8"))))
    return server.holding(triples_of_store(as_direct(graph))), graph


def test_programs_over_plain_rdf(tiny: tuple[HttpEndpoint, Graph], dialect: str) -> None:
    endpoint, graph = tiny
    options = Options(DIALECTS[dialect])
    failing = {}
    for text in DIRECT_PROGRAMS:
        program = read_program(text)
        expected = set(interpret(program, graph).answers)
        assert expected - {"0"}, text
        query = compile_program(bound(program, graph), "direct", options)
        if (found := set(answer(endpoint, query, options).strings)) != expected:
            failing[text] = found
    assert failing == {}


def test_the_first_so_many_are_told_best_first(
    sample: HttpEndpoint, sample_index: Index, server: Server
) -> None:
    rivers = "FindAll()->FilterConcept(river)->SelectTop(length, {}, 3)->What()"
    options = Options(DIALECTS[server.dialect])
    for extreme, names in (
        ("largest", ("Nile", "Amazon", "Yangtze")),
        ("smallest", ("Jordan", "Thames", "Tiber")),
    ):
        program = Grounder(sample_index).ground(read_program(rivers.format(extreme)), near=False).grounded
        found = answer(sample, compile_program(program, "kqapro", options), options)
        assert tuple(found.strings) == names


def test_a_chain_too_long_for_one_query(tiny: tuple[HttpEndpoint, Graph], server: Server) -> None:
    """Most stores run out of time at 38 steps as one query; cut in the middle they take milliseconds."""
    endpoint, graph = tiny
    back_and_forth = "->Relate(directed by, backward)->Relate(directed by, forward)" * 18
    program = read_program(f"FindAll(){back_and_forth}->What()")
    options = Options(DIALECTS[server.dialect])
    grounded = bound(program, graph)
    query = compile_program(grounded, "direct", options)
    executed = execute(grounded, query, Store(endpoint.query, "direct", options), 30_000)
    found = read_answer(query, executed.result.columns, executed.result.rows)
    assert sorted(found.strings) == sorted(interpret(program, graph).answers)
    in_parts = [False] if FACTS[server.name].answers_long_chains else [True, False, False]
    assert [stage.rows is None for stage in executed.stages] == in_parts


def test_an_index_over_http_is_that_of_the_files(
    sample: HttpEndpoint, sample_index: Index, index_of: Callable[[Any], Index]
) -> None:
    """Examples apart, which are any few values."""

    def schema(index: Index) -> list[Any]:
        items = (replace(item, examples=()) for item in index.schema)
        return sorted(items, key=lambda item: (item.kind, item.iri))

    built = index_of(sample)
    assert schema(built) == schema(sample_index)
    assert built.manifest.counts == sample_index.manifest.counts


def test_questions_end_to_end(
    server: Server,
    sample: HttpEndpoint,
    sample_files: tuple[Path, ...],
    sample_questions: tuple[Question, ...],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("NLQ_CACHE", str(tmp_path))
    graph = graph_of(triples_of_files(sample_files))
    source = {"id": "store", "url": server.query, "default_graphs": [graph], "auth": server.settings}
    endpoint = EndpointSettings.model_validate({**source, "layout": "kqapro", "dialect": server.dialect})
    gateway = Pipeline(Settings(endpoints=(endpoint,)))
    try:
        begun = time.perf_counter()
        gateway.endpoint(None).prepare()
        prepared = time.perf_counter()
        asked = [question for question in sample_questions if question.id in ASKED]
        for question in asked:
            trace = gateway.ask(Ask(question.text))
            assert trace.answer is not None
            assert set(trace.answer.strings) == question.answers
            assert trace.warnings == ()
            assert any(step.count for step in trace.steps)
        seconds = time.perf_counter() - prepared
    finally:
        gateway.close()
    assert len(asked) == 5
    print(f"{sample.dialect}: prepared in {prepared - begun:.1f} s, {seconds / 5 * 1000:.0f} ms a question")


@pytest.mark.parametrize("text", ["SELECT ?s {", "SELECT * { ?s ?p ?o ", "SELECT ?s ?s ?s WHERE"])
def test_a_syntax_error(sample: HttpEndpoint, text: str) -> None:
    with pytest.raises(EndpointRefusedQuery) as refused:
        sample.query(text)
    assert refused.value.detail
    assert not refused.value.retryable


def test_an_update_changes_nothing(sample: HttpEndpoint, server: Server) -> None:
    with pytest.raises(EndpointRefusedQuery, match="INSERT is an update"):
        require_read_only(UPDATE)
    with pytest.raises(FACTS[server.name].update_error):
        sample.query(UPDATE)
    assert sample.query("ASK { <urn:a> <urn:b> <urn:c> }").boolean is False


def test_a_store_says_what_it_is(server: Server) -> None:
    endpoint = HttpEndpoint(server.query, auth=server.login)
    assert endpoint.detect_dialect() == server.dialect
    product = endpoint.product()
    assert product is not None
    assert (product.dialect, product.name) == (server.dialect, FACTS[server.name].product)
    assert re.match(r"\d+\.\d+", product.version)


def test_nobody_listens(server: Server, closed_port: int) -> None:
    url = urlsplit(server.query)._replace(netloc=f"127.0.0.1:{closed_port}").geturl()
    with pytest.raises(EndpointUnreachable) as unreachable:
        HttpEndpoint(url, dialect=server.dialect).query(EVERYTHING)
    assert unreachable.value.retryable


def test_a_slow_query_ends_at_the_deadline(sample: HttpEndpoint, server: Server) -> None:
    """By our clock, or by that of a store that was told of the deadline: either may be first."""
    says = "within the deadline"
    if takes_deadline(server.dialect):
        says += f"|{FACTS[server.name].says}"
    with promptly(), pytest.raises(EndpointTimeout, match=says):
        sample.query(SLOW, timeout_ms=1_000)


def test_a_slow_query_ends_at_the_limit_of_the_store(sample: HttpEndpoint, server: Server) -> None:
    with promptly(45), pytest.raises(EndpointTimeout, match=FACTS[server.name].says) as stopped:
        sample.query(SLOW, timeout_ms=60_000)
    assert FACTS[server.name].own_limit in stopped.value.detail


@pytest.mark.parametrize("accept", ["application/sparql-results+json", "text/csv"])
def test_a_part_of_an_answer_is_none(
    sample: HttpEndpoint, sample_files: tuple[Path, ...], server: Server, accept: str
) -> None:
    """Status 200, and rows of an answer that the store did not finish."""
    partial, graph = FACTS[server.name].partial, graph_of(triples_of_files(sample_files))
    limits = Limits(max_bytes=10**9)
    url = f"{sample.address}?{partial.parameter}"
    endpoint = HttpEndpoint(url, limits, server.login, default_graphs=[graph])
    with pytest.raises(partial.error, match=partial.says):
        endpoint.raw(partial.query, accept, timeout_ms=60_000)


def test_more_rows_than_are_wanted(sample: HttpEndpoint) -> None:
    result = sample.query(EVERYTHING, max_rows=100)
    assert (len(result.rows), result.truncated) == (100, True)


def test_more_rows_than_the_store_sends(sample: HttpEndpoint, server: Server) -> None:
    """Rows that a store holds back are an error where they were wanted."""
    cap = FACTS[server.name].row_cap
    if cap is None:
        result = sample.query(EVERYTHING, max_rows=20_000)
        assert (len(result.rows), result.truncated) == (14_208, False)
        return
    assert sample.query(f"{EVERYTHING} LIMIT {cap}").truncated is False
    assert sample.query(EVERYTHING, max_rows=cap).truncated is True
    with pytest.raises(IncompleteResult, match=f"at most {cap} rows"):
        sample.query(EVERYTHING, max_rows=20_000)


def test_the_embedded_store_counts_alike(sample: HttpEndpoint, sample_files: tuple[Path, ...]) -> None:
    """The triples loaded over HTTP are those of the files."""
    embedded = EmbeddedOxigraph.in_memory(sample_files)
    text = "SELECT ?p (COUNT(*) AS ?n) { ?s ?p ?o } GROUP BY ?p"

    def counts(store: HttpEndpoint | EmbeddedOxigraph) -> dict[str, int]:
        return {p.value: int(n.value) for p, n in store.query(text).rows if p is not None and n is not None}

    assert counts(sample) == counts(embedded)
    embedded.close()
