from __future__ import annotations

import contextlib
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest

from connectors import (
    DataError,
    EmbeddedOxigraph,
    EndpointError,
    EndpointRefusedQuery,
    EndpointTimeout,
    EndpointUnreachable,
    IncompleteResult,
    Limits,
    Term,
    as_json,
    load_files,
)
from connectors.workers import DeadlinePassed, TooManyAbandoned, WorkerPool
from tests.clock import until

EX = "PREFIX ex: <http://films.example/> PREFIX rdfs: <http://www.w3.org/2000/01/rdf-schema#> "
XSD = "http://www.w3.org/2001/XMLSchema#"


def test_rows_hold_terms_in_the_order_of_the_columns(films: EmbeddedOxigraph) -> None:
    result = films.query(
        EX + "SELECT ?f ?l ?y ?m { ?f ex:director ex:mann ; rdfs:label ?l OPTIONAL { ?f ex:year ?y }"
        " OPTIONAL { ?f ex:minutes ?m FILTER(?m < 160) } } ORDER BY ?f STR(?l) LANG(?l)"
    )
    heat, year = Term("iri", "http://films.example/heat"), Term("literal", "1995", XSD + "gYear")
    assert result.columns == ("f", "l", "y", "m")
    assert result.rows == (
        (
            Term("iri", "http://films.example/ali"),
            Term("literal", "Ali", None, "en"),
            None,
            Term("literal", "157", XSD + "integer"),
        ),
        (heat, Term("literal", "Heat"), year, None),
        (heat, Term("literal", "Heat", None, "en"), year, None),
    )
    assert result.boolean is None
    assert not result.truncated


def test_ask_blank_nodes_and_triple_terms(films: EmbeddedOxigraph) -> None:
    assert films.query(EX + "ASK { ex:heat a ex:Film }").boolean is True
    assert films.query(EX + "ASK { ex:heat a ex:Person }").boolean is False
    result = films.query(EX + "SELECT ?b (<<( ex:a ex:b ?b )>> AS ?t) { ex:mann ex:spouse ?b }")
    ((blank, triple),) = result.rows
    assert blank is not None
    assert blank.kind == "blank"
    assert triple is not None
    assert triple.parts == (
        Term("iri", "http://films.example/a"),
        Term("iri", "http://films.example/b"),
        blank,
    )


def test_rows_beyond_the_limit_are_dropped_and_marked(films: EmbeddedOxigraph) -> None:
    text = "SELECT ?i { VALUES ?i { 1 2 3 } }"
    assert [films.query(text, max_rows=n).truncated for n in (0, 2, 3, 4)] == [True, True, False, False]
    assert [len(films.query(text, max_rows=n).rows) for n in (0, 2, 3, 4)] == [0, 2, 3, 3]


def test_named_graphs_belong_to_the_default_graph_unless_switched_off(
    data: Path, films: EmbeddedOxigraph
) -> None:
    text = EX + "SELECT ?x { ex:heat ex:rating ?x }"
    assert len(films.query(text).rows) == 1
    apart = EmbeddedOxigraph.in_memory([data / "graphs.trig"], union_default_graph=False)
    assert apart.query(text).rows == ()
    assert len(apart.query(EX + "SELECT ?x { GRAPH ?g { ex:heat ex:rating ?x } }").rows) == 1


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("SELECT * {\n  ?s ?p }", "2:"),
        ("", "1:1"),
        ("SELECT * { ?s <http://[> ?o }", "1:"),
        ("INSERT DATA { <http://a.example/> <http://a.example/> 1 }", "1:"),
        ("SELECT * { ?s unknown:p ?o }", "1:"),
        ("SELECT (<http://f.example/>(1) AS ?x) {}", "http://f.example/"),
        ("CONSTRUCT WHERE { ?s ?p ?o }", "graph format"),
        ("SELECT * { SERVICE <http://127.0.0.1:1/> {} }", "SERVICE"),
        ("SELECT * { \\u0053ERVICE SILENT <http://127.0.0.1:1/> {} }", "SERVICE"),
    ],
)
def test_a_wrong_query_is_refused_with_the_stores_words(
    films: EmbeddedOxigraph, text: str, said: str
) -> None:
    with pytest.raises(EndpointRefusedQuery) as caught:
        films.query(text)
    assert said in caught.value.message + caught.value.hint
    assert caught.value.endpoint == films.address


@pytest.mark.parametrize(
    "text",
    [
        "SELECT * {" + "{" * 9_000 + "}" * 9_000 + "}",
        "SELECT * { FILTER(" + "(" * 9_000 + "1" + ")" * 9_000 + ") }",
        "SELECT * { FILTER(" + "!" * 19_000 + "true) }",
        "SELECT * {{}" + "UNION{}" * 6_000 + "}",
        "SELECT * {" + "{" * 200_000 + "}" * 200_000 + "}",
        "SELECT * { ?s ?p 'unclosed" + " " * 20_000 + "}",
    ],
)
def test_a_deep_query_does_not_end_the_process(films: EmbeddedOxigraph, text: str) -> None:
    with contextlib.suppress(EndpointRefusedQuery):
        films.query(text)
    assert films.query("ASK {}").boolean is True


@pytest.mark.parametrize(
    ("accept", "content_type", "start"),
    [
        ("", "application/sparql-results+json", b'{"head"'),
        ("*/*", "application/sparql-results+json", b'{"head"'),
        ("application/json", "application/json", b'{"head"'),
        ("application/sparql-results+xml, */*;q=0.1", "application/sparql-results+xml", b"<?xml"),
        ("text/csv", "text/csv", b"x\r\n1\r\n"),
        ("text/*", "text/csv", b"x\r\n"),
        ("text/tab-separated-values", "text/tab-separated-values", b"?x\n"),
        ("text/csv;q=0.2, Application/XML;q=0.7, text/html", "application/xml", b"<?xml"),
        ("application/sparql-results+json;q=0, */*;q=0.1", "application/json", b'{"head"'),
    ],
)
def test_rows_are_serialised_as_the_client_likes(
    films: EmbeddedOxigraph, accept: str, content_type: str, start: bytes
) -> None:
    response = films.raw("SELECT ?x { VALUES ?x { 1 } }", accept)
    assert response.content_type == content_type
    assert response.body.startswith(start)


def test_our_json_is_the_stores_json(films: EmbeddedOxigraph) -> None:
    text = "SELECT * { ?s ?p ?o FILTER(!isBlank(?s) && !isBlank(?o)) } ORDER BY ?s ?p STR(?o) LANG(?o)"
    assert as_json(films.query(text)) == json.loads(films.raw(text, "application/sparql-results+json").body)


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("", "text/turtle"),
        ("application/n-triples", "application/n-triples"),
        ("application/rdf+xml", "application/rdf+xml"),
        ("application/ld+json", "application/ld+json"),
    ],
)
@pytest.mark.parametrize("form", ["CONSTRUCT WHERE { ?s ?p ?o }", "DESCRIBE <http://films.example/heat>"])
def test_graphs_are_serialised_as_the_client_likes(
    films: EmbeddedOxigraph, form: str, accept: str, content_type: str
) -> None:
    response = films.raw(form, accept)
    assert response.content_type == content_type
    assert b"http://films.example/heat" in response.body


@pytest.mark.parametrize(
    ("text", "accept"),
    [("ASK {}", "text/html"), ("ASK {}", "text/turtle"), ("CONSTRUCT WHERE { ?s ?p ?o }", "text/csv;q=x")],
)
def test_a_format_that_is_not_there_is_refused(films: EmbeddedOxigraph, text: str, accept: str) -> None:
    with pytest.raises(EndpointRefusedQuery) as caught:
        films.raw(text, accept)
    assert "application/" in caught.value.hint


def test_an_answer_larger_than_the_limit_is_no_answer(data: Path) -> None:
    endpoint = EmbeddedOxigraph.in_memory([data / "films.ttl"], limits=Limits(max_bytes=100))
    with pytest.raises(IncompleteResult):
        endpoint.raw("SELECT * { ?s ?p ?o }", "text/csv")


def test_the_deadline_holds_while_the_store_computes_and_while_it_streams(
    large: EmbeddedOxigraph, slow: str
) -> None:
    stream = "SELECT * { ?a ?b ?c . ?d ?e ?f }"
    for run in (
        lambda: large.query(slow, timeout_ms=100),
        lambda: large.query(stream, timeout_ms=100, max_rows=10**9),
        lambda: large.raw(stream, "text/csv", timeout_ms=100),
    ):
        started = time.perf_counter()
        with pytest.raises(EndpointTimeout) as caught:
            run()
        assert time.perf_counter() - started < 2
        assert caught.value.retryable
        assert caught.value.endpoint == large.address


def test_abandoned_queries_are_bounded_and_others_go_on_before_that(
    large: EmbeddedOxigraph, slow: str
) -> None:
    for _ in range(3):
        with pytest.raises(EndpointTimeout, match="deadline"):
            large.query(slow, timeout_ms=50)
    assert large.query("ASK {}").boolean is True
    # On a busy machine the first ones may end before the last one is abandoned.
    assert any(_is_refused_after_one_more(large, slow) for _ in range(20))


def _is_refused_after_one_more(store: EmbeddedOxigraph, slow: str) -> bool:
    """True if a plain query is refused at once when another has been abandoned."""
    with pytest.raises(EndpointTimeout):
        store.query(slow, timeout_ms=50)
    started = time.perf_counter()
    try:
        store.query("ASK {}", timeout_ms=20_000)
    except EndpointTimeout as error:
        return "abandoned" in error.message and time.perf_counter() - started < 1
    return False


def test_many_threads_share_a_connector(films: EmbeddedOxigraph) -> None:
    found: list[int] = []

    def work() -> None:
        for number in range(50):
            (row,) = films.query(f"SELECT ?x {{ BIND({number} AS ?x) }}").rows
            assert row[0] is not None
            found.append(int(row[0].value))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(list(range(50)) * 8)


def exit_code(child_work: Callable[[], bool]) -> int:
    """Run in a forked child with a deadline of a minute; 0 when it returned true."""
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if child_work() else 1)
        except BaseException:
            os._exit(2)
    end = time.monotonic() + 60
    while time.monotonic() < end:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return os.waitstatus_to_exitcode(status)
        time.sleep(0.01)
    os.kill(child, 9)
    os.waitpid(child, 0)
    return -9


@pytest.mark.parametrize("where", ["memory", "folder"])
def test_a_connector_survives_a_fork(tmp_path: Path, data: Path, where: str) -> None:
    if where == "memory":
        endpoint = EmbeddedOxigraph.in_memory([data / "films.ttl"])
    else:
        load_files(tmp_path / "store", [data / "films.ttl"])
        endpoint = EmbeddedOxigraph.open(tmp_path / "store")
    text = EX + "ASK { ex:heat a ex:Film }"
    assert endpoint.query(text).boolean is True
    assert exit_code(lambda: endpoint.query(text, timeout_ms=30_000).boolean is True) == 0
    assert endpoint.query(text).boolean is True


def test_a_folder_is_shared_by_readers(tmp_path: Path, data: Path) -> None:
    folder = tmp_path / "store"
    load_files(folder, [data / "films.ttl"])
    readers = [EmbeddedOxigraph.open(folder) for _ in range(2)]
    assert [len(reader.query("SELECT ?s { ?s a ?c }").rows) for reader in readers] == [2, 2]


def test_a_folder_without_a_store_is_an_error(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(DataError):
            EmbeddedOxigraph.open(folder)
    assert list(tmp_path.iterdir()) == []


def test_a_closed_connector_says_so(data: Path) -> None:
    endpoint = EmbeddedOxigraph.in_memory([data / "films.ttl"])
    assert endpoint.query("ASK {}").boolean is True
    endpoint.close()
    with pytest.raises(EndpointUnreachable, match="closed"):
        endpoint.query("ASK {}")


def test_address_and_dialect(films: EmbeddedOxigraph) -> None:
    assert films.dialect == "oxigraph"
    assert "films.ttl" in films.address


def test_a_store_that_fails_is_a_failure_and_no_answer() -> None:
    store = ox.Store()

    class Failing:
        def query(self, text: str, **_options: object) -> object:
            raise OSError(f"disk error at {len(text)}")

    endpoint = EmbeddedOxigraph(lambda: store, address="memory")
    endpoint._stores[os.getpid()] = Failing()  # type: ignore[assignment]
    with pytest.raises(EndpointError, match="disk error") as caught:
        endpoint.query("ASK {}")
    assert caught.value.retryable


def test_pool_takes_new_work_after_abandoned_work_ends() -> None:
    pool = WorkerPool(size=1, abandoned_limit=1)
    release = threading.Event()
    with pytest.raises(DeadlinePassed):
        # Time enough to begin on a busy machine: what has not begun is not abandoned.
        pool.run(lambda: release.wait(10), 1)
    assert pool.abandoned == 1
    with pytest.raises(TooManyAbandoned):
        pool.run(lambda: 1, 1)
    release.set()
    until(lambda: not pool.abandoned)
    assert pool.run(lambda: 1, 1) == 1
    pool.close()


def test_pool_skips_work_that_nobody_waits_for_any_more() -> None:
    pool = WorkerPool(size=1, abandoned_limit=2)
    begun, release = threading.Event(), threading.Event()
    ran: list[int] = []

    def wait() -> None:
        begun.set()
        release.wait(10)

    blocker = threading.Thread(target=lambda: pool.run(wait, 10))
    blocker.start()
    assert begun.wait(10)
    with pytest.raises(DeadlinePassed):
        pool.run(lambda: ran.append(1), 0.05)
    assert pool.abandoned == 0
    release.set()
    blocker.join()
    pool.run(lambda: ran.append(2), 1)
    assert ran == [2]
    pool.close()


def test_pool_passes_every_exception_on() -> None:
    pool = WorkerPool(size=1)

    def fail() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        pool.run(fail, 1)
    assert pool.run(lambda: 2, 1) == 2
    pool.close()
