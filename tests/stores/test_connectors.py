"""The contract of every connector, over the store in the process and over those of `make stores`.

Fuseki in memory wants a user by basic authentication, Virtuoso one by digest.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.stores import graph_of, triples_of_files
from connectors import (
    BasicAuth,
    Connector,
    DigestAuth,
    EmbeddedOxigraph,
    EndpointCancelled,
    EndpointRefusedQuery,
    EndpointTimeout,
    EndpointUnauthorized,
    HttpEndpoint,
    asking,
)
from connectors.reading import read_result
from tests.clock import LONGEST_S, promptly
from tests.stores.conftest import STORES, running
from tests.stores.facts import FACTS

SLOW = "SELECT (COUNT(*) AS ?n) { ?a ?b ?c . ?d ?e ?f FILTER(CONCAT(STR(?a), STR(?f)) = 'x') }"
# Terms of every kind that all four stores send alike.
TERMS = "SELECT ?s ?p ?o { ?s ?p ?o FILTER(isIRI(?s) && LANG(?o) != '') }"
TYPED = ("application/sparql-results+json", "application/sparql-results+xml")


@pytest.fixture(scope="session", params=["embedded", *STORES])
def store(request: pytest.FixtureRequest, sample_files: tuple[Path, ...]) -> Iterator[Connector]:
    """The sample graph by one connector of each kind."""
    if request.param == "embedded":
        embedded = EmbeddedOxigraph.in_memory(sample_files)
        yield embedded
        embedded.close()
        return
    yield running(request.param).holding(triples_of_files(sample_files))


@pytest.fixture(scope="session")
def embedded(sample_files: tuple[Path, ...]) -> Iterator[EmbeddedOxigraph]:
    made = EmbeddedOxigraph.in_memory(sample_files)
    yield made
    made.close()


def test_rows_are_the_same_everywhere(store: Connector, embedded: EmbeddedOxigraph) -> None:
    expected, result = embedded.query(TERMS), store.query(TERMS)
    assert len(result.rows) == len(expected.rows) > 100
    assert (result.columns, set(result.rows)) == (expected.columns, set(expected.rows))
    assert (result.attempts, result.typed, result.truncated) == (1, True, False)


@pytest.mark.parametrize("accept", TYPED)
def test_formats_hold_the_same_rows(store: Connector, accept: str) -> None:
    raw = store.raw(TERMS, accept)
    assert raw.content_type.startswith(accept)
    assert set(read_result(raw.content_type, [raw.body], 10_000).rows) == set(store.query(TERMS).rows)


@pytest.mark.parametrize("accept", ["text/csv", "text/tab-separated-values"])
def test_tables_of_text_hold_as_many(store: Connector, accept: str) -> None:
    raw = store.raw(TERMS, accept)
    assert len(read_result(raw.content_type, [raw.body], 10_000).rows) == len(store.query(TERMS).rows)


@pytest.mark.parametrize(("text", "truth"), [("ASK { ?s ?p ?o }", True), ("ASK { ?s <urn:none> ?o }", False)])
@pytest.mark.parametrize("accept", [*TYPED, "text/csv", "text/tab-separated-values"])
def test_truth_values(store: Connector, text: str, truth: bool, accept: str) -> None:
    assert store.query(text).boolean is truth
    raw = store.raw(text, accept)
    assert read_result(raw.content_type, [raw.body], 10).boolean is truth


def test_a_long_query_is_sent_whole(store: Connector) -> None:
    """Longer than a URL may be; stores have limits of their own for what a query may hold."""
    found = store.query(f"SELECT (STRLEN('{'x' * 20_000}') AS ?n) {{}}")
    assert [term.value for term in found.column("n")] == ["20000"]


def test_rows_beyond_the_limit_are_not_read(store: Connector) -> None:
    result = store.query("SELECT ?s ?p ?o { ?s ?p ?o }", max_rows=100)
    assert (len(result.rows), result.truncated) == (100, True)


def test_a_wrong_query_is_refused_once(store: Connector) -> None:
    with pytest.raises(EndpointRefusedQuery) as caught:
        store.query("SELECT ?s {")
    assert caught.value.attempts == 1


def test_the_deadline_holds(store: Connector) -> None:
    with promptly(), pytest.raises(EndpointTimeout):
        store.query(SLOW, timeout_ms=500)


def test_whoever_leaves_is_not_worked_for(store: Connector) -> None:
    gone = threading.Event()
    threading.Timer(0.2, gone.set).start()
    with promptly(), asking("somebody", gone), pytest.raises(EndpointCancelled):
        store.query(SLOW, timeout_ms=30_000)


def test_every_store_says_what_it_is(store: Connector) -> None:
    product = store.product()
    assert product is not None
    assert product.dialect == store.dialect
    assert product.version


@pytest.mark.parametrize("name", STORES)
def test_a_wrong_password_is_refused(name: str) -> None:
    server = running(name)
    if server.auth == "none":
        pytest.skip(f"{name} lets everybody in")
    kind = {"basic": BasicAuth, "digest": DigestAuth}[server.auth]
    endpoint = HttpEndpoint(server.query, auth=kind(server.user, "wr0ng"), dialect=server.dialect)
    with pytest.raises(EndpointUnauthorized) as caught:
        endpoint.query("ASK {}")
    assert "wr0ng" not in f"{caught.value.__dict__}"
    endpoint.close()


MARKED = [
    ("SELECT (COUNT(*) AS ?n)", TYPED[0]),
    ("SELECT (COUNT(*) AS ?n)", "text/csv"),
    ("SELECT ?a", TYPED[1]),
    ("SELECT ?a", "text/tab-separated-values"),
    ("ASK", TYPED[0]),
    ("ASK", TYPED[1]),
    ("CONSTRUCT { ?a ?b ?f } WHERE", "text/turtle"),
    ("DESCRIBE ?a", "application/n-triples"),
]


@pytest.mark.stores
@pytest.mark.virtuoso
@pytest.mark.parametrize(("head", "accept"), MARKED)
def test_a_part_that_virtuoso_found_in_time_is_marked(
    sample_files: tuple[Path, ...], head: str, accept: str
) -> None:
    """On which it depends that the deadline may be handed to it (`connectors.protocol`).

    Our own deadline is no part of this: on a busy machine the part comes long after the store's half second.
    Over one graph: over all that the store holds it refuses to begin, as it estimates that to take too long.
    """
    server = running("virtuoso")
    triples = triples_of_files(sample_files[:3])
    server.holding(triples).close()
    slow = f"{server.query}?timeout=500"
    endpoint = HttpEndpoint(slow, auth=server.login, default_graphs=[graph_of(triples)])
    with pytest.raises(EndpointTimeout, match=FACTS["virtuoso"].says):
        endpoint.raw(f"{head} {{{SLOW.partition('{')[2]}", accept, timeout_ms=round(LONGEST_S * 1000))
    endpoint.close()
