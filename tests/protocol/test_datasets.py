"""`default-graph-uri` and `named-graph-uri`, and the graphs that an endpoint is set to."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

import pytest
import urllib3
from protocol_graphs import GRAPH
from recording_store import RecordingStore

from connectors.dataset import NO_GRAPH, Dataset, closed, is_iri, without_dataset_clauses

FIRST, SECOND, THIRD = (GRAPH.format(number) for number in (1, 2, 3))
QUERY = "application/sparql-query"
FORM = "application/x-www-form-urlencoded"
TYPE = "a <http://xmlns.com/foaf/0.1/Document>"
EVERYWHERE = f"SELECT ?d {{ {{ ?d {TYPE} }} UNION {{ GRAPH ?g {{ ?d {TYPE} }} }} }}"
DEFAULT = f"SELECT ?d {{ ?d {TYPE} }}"
NAMED = f"SELECT ?d {{ GRAPH ?g {{ ?d {TYPE} }} }}"


def asked(
    http: urllib3.PoolManager, address: str, text: str, default: Sequence[str] = (), named: Sequence[str] = ()
) -> tuple[int, object]:
    """The status and the documents found, or the problem."""
    graphs = [("default-graph-uri", graph) for graph in default]
    graphs += [("named-graph-uri", graph) for graph in named]
    response = http.request("GET", f"{address}?{urlencode([('query', text), *graphs])}")
    if response.status != 200:
        return response.status, response.json()
    return 200, {row["d"]["value"] for row in response.json()["results"]["bindings"]}


@pytest.mark.parametrize("dataset", ["library", "store"])
@pytest.mark.parametrize(
    ("text", "default", "named", "found"),
    [
        (DEFAULT, [FIRST], [], {FIRST}),
        (DEFAULT, [FIRST, SECOND], [], {FIRST, SECOND}),
        (NAMED, [FIRST], [], set()),
        (DEFAULT, [], [FIRST], set()),
        (NAMED, [], [FIRST], {FIRST}),
        (NAMED, [THIRD], [FIRST, SECOND], {FIRST, SECOND}),
        (EVERYWHERE, [THIRD], [FIRST], {FIRST, THIRD}),
        (EVERYWHERE, [GRAPH.format("-of-none")], [], set()),
        # The protocol's dataset takes the place of the query's.
        (f"SELECT ?d FROM <{THIRD}> {{ ?d {TYPE} }}", [FIRST], [], {FIRST}),
        (f"SELECT ?d FROM NAMED <{THIRD}> {{ GRAPH ?g {{ ?d {TYPE} }} }}", [], [FIRST], {FIRST}),
        # Without one, the query's own.
        (f"SELECT ?d FROM <{THIRD}> {{ ?d {TYPE} }}", [], [], {THIRD}),
        (f"SELECT ?d FROM <{THIRD}> FROM <{FIRST}> {{ ?d {TYPE} }}", [], [], {THIRD, FIRST}),
        (f"SELECT ?d FROM NAMED <{THIRD}> {{ GRAPH ?g {{ ?d {TYPE} }} }}", [], [], {THIRD}),
        (f"SELECT ?d FROM <{THIRD}> {{ GRAPH ?g {{ ?d {TYPE} }} }}", [], [], set()),
        (f"PREFIX : <{THIRD[:-9]}> SELECT ?d from :data3.rdf {{ ?d {TYPE} }}", [], [], {THIRD}),
        (f"BASE <{FIRST}> SELECT ?d FROM <data2.rdf> {{ ?d {TYPE} }}", [], [], {SECOND}),
        # An empty parameter is what forms send for none.
        (f"SELECT ?d FROM <{THIRD}> {{ ?d {TYPE} }}", [""], [""], {THIRD}),
    ],
)
def test_a_query_sees_the_graphs_it_is_given(
    gateway: str,
    http: urllib3.PoolManager,
    dataset: str,
    text: str,
    default: list[str],
    named: list[str],
    found: set[str],
) -> None:
    assert asked(http, f"{gateway}/{dataset}/sparql", text, default, named) == (200, found)


@pytest.mark.parametrize(
    ("method", "address", "body", "content_type"),
    [
        ("GET", {"query": DEFAULT, "default-graph-uri": FIRST}, b"", None),
        ("POST", {"default-graph-uri": FIRST}, DEFAULT.encode(), QUERY),
        ("POST", {}, urlencode({"query": DEFAULT, "default-graph-uri": FIRST}).encode(), FORM),
        ("POST", {"default-graph-uri": FIRST}, urlencode({"query": DEFAULT}).encode(), FORM),
    ],
)
def test_each_form_of_request_carries_graphs(
    gateway: str,
    http: urllib3.PoolManager,
    store: RecordingStore,
    method: str,
    address: dict[str, str],
    body: bytes,
    content_type: str | None,
) -> None:
    url = f"{gateway}/store/sparql?{urlencode(address)}"
    response = http.request(method, url, body=body, headers={"Content-Type": content_type or ""})
    assert response.status == 200, response.data
    (form,) = store.forms
    assert form["default-graph-uri"] == [FIRST]
    assert form["named-graph-uri"] == [NO_GRAPH]


@pytest.mark.parametrize(
    ("text", "default", "named", "found"),
    [
        (EVERYWHERE, [], [], {FIRST, SECOND}),
        (DEFAULT, [], [], {FIRST}),
        (NAMED, [], [], {SECOND}),
        (DEFAULT, [SECOND], [], {SECOND}),
        (EVERYWHERE, [SECOND], [], {SECOND}),
        (EVERYWHERE, [], [FIRST], {FIRST}),
        (f"SELECT ?d FROM <{SECOND}> {{ ?d {TYPE} }}", [], [], {SECOND}),
        (f"SELECT ?d FROM <{THIRD}> {{ ?d {TYPE} }}", [FIRST], [], {FIRST}),
    ],
)
def test_a_request_narrows_the_configured_graphs(
    gateway: str,
    http: urllib3.PoolManager,
    text: str,
    default: list[str],
    named: list[str],
    found: set[str],
) -> None:
    assert asked(http, f"{gateway}/walled/sparql", text, default, named) == (200, found)


@pytest.mark.parametrize(
    ("text", "default", "named"),
    [
        (DEFAULT, [THIRD], []),
        (DEFAULT, [FIRST, THIRD], []),
        (NAMED, [], [THIRD]),
        (f"SELECT ?d FROM <{THIRD}> {{ ?d {TYPE} }}", [], []),
        (f"SELECT ?d FROM <{FIRST}> FROM NAMED <{THIRD}> {{ ?d {TYPE} }}", [], []),
        (f"PREFIX : <{THIRD}> SELECT ?d FROM : {{ ?d {TYPE} }}", [], []),
        (f"PREFIX : <{FIRST}> PREFIX : <{THIRD}> SELECT ?d FROM : {{ ?d {TYPE} }}", [], []),
        (f"BASE <{FIRST}> SELECT ?d FROM <data3.rdf> {{ ?d {TYPE} }}", [], []),
        (f"SELECT ?d FROM <data1.rdf> {{ ?d {TYPE} }}", [], []),
        (f"SELECT ?d \\u0046ROM <{THIRD}> {{ ?d {TYPE} }}", [], []),
    ],
)
def test_no_request_leaves_the_configured_graphs(
    gateway: str,
    http: urllib3.PoolManager,
    store: RecordingStore,
    text: str,
    default: list[str],
    named: list[str],
) -> None:
    status, problem = asked(http, f"{gateway}/walled/sparql", text, default, named)
    assert status == 400
    assert isinstance(problem, dict)
    assert problem["type"] == "/problems/query-refused"
    assert "not one of this endpoint's" in problem["detail"]
    assert not store.forms


@pytest.mark.parametrize(
    "held",
    [
        f"GRAPH <{THIRD}> {{ ?d {TYPE} }}",
        f"{{ ?d {TYPE} }} UNION {{ GRAPH <{THIRD}> {{ ?d {TYPE} }} }}",
        f"VALUES ?g {{ <{SECOND}> <{THIRD}> }} GRAPH ?g {{ ?d {TYPE} }}",
        f"GRAPH ?g {{ ?d {TYPE} }} FILTER(?g IN (<{THIRD}>))",
        f"?d {TYPE} FILTER NOT EXISTS {{ GRAPH ?g {{ ?d {TYPE} }} FILTER(?g = <{THIRD}>) }}",
        f"BIND(<{THIRD}> AS ?g) GRAPH ?g {{ ?d {TYPE} }}",
        f"GRAPH ?g {{ ?d {TYPE} }} FILTER(STR(?g) = '{THIRD}')",
        "GRAPH <data3.rdf> { ?d ?p ?o }",
    ],
)
def test_a_store_that_misreads_graphs_out_of_sight_is_asked_for_none(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, held: str
) -> None:
    text = f"SELECT ?d {{ {held} }}"
    status, problem = asked(http, f"{gateway}/walled/sparql", text)
    assert (status, "not among the query's named graphs" in str(problem), store.forms) == (400, True, [])
    assert asked(http, f"{gateway}/library/sparql", text, [FIRST], [SECOND])[0] == 200


@pytest.mark.parametrize(
    ("graph", "said"), [("<data1.rdf>", "FROM <data1.rdf> is relative"), ("data:data1.rdf", "prefix data:")]
)
def test_from_needs_a_whole_iri(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, graph: str, said: str
) -> None:
    status, problem = asked(http, f"{gateway}/store/sparql", f"SELECT * FROM {graph} {{ ?s ?p ?o }}")
    assert (status, said in str(problem), store.forms) == (400, True, [])


@pytest.mark.parametrize(("graphs", "is_replaced"), [([], False), ([THIRD], True)])
def test_from_is_sent_as_the_dataset_too_and_left_out_where_the_request_has_another(
    gateway: str, http: urllib3.PoolManager, store: RecordingStore, graphs: list[str], is_replaced: bool
) -> None:
    text = f"SELECT ?d # from\nFROM <{FIRST}> # FROM\nFROM NAMED <{SECOND}>\n{{ ?d {TYPE}, ?from }}"
    assert asked(http, f"{gateway}/store/sparql", text, graphs, graphs)[0] == 200
    (form,) = store.forms
    assert form["query"] == [without_dataset_clauses(text) if is_replaced else text]
    sent = (form["default-graph-uri"], form["named-graph-uri"])
    assert sent == ((graphs, graphs) if is_replaced else ([FIRST], [SECOND]))


@pytest.mark.parametrize(
    ("text", "without"),
    [
        ("SELECT * FROM <a:b> {}", "SELECT *            {}"),
        (
            "ASK from NAMED a:b FROM\n<a:b>{ ?s a:from ?from }",
            "ASK                    \n     { ?s a:from ?from }",
        ),
        ("ASK FROM#x\nNAMED#y\n<a:b>#z\n{}", "ASK     #x\n     #y\n     #z\n{}"),
        ("ASK { ?s ?p 'FROM <a:b>', <a:from> }", "ASK { ?s ?p 'FROM <a:b>', <a:from> }"),
    ],
)
def test_dataset_clauses_become_blanks(text: str, without: str) -> None:
    assert without_dataset_clauses(text) == without


@pytest.mark.parametrize(
    ("dataset", "dialect", "named"),
    [
        (Dataset(("a:b",)), "virtuoso", (NO_GRAPH,)),
        (Dataset(("a:b",)), "sparql11", (NO_GRAPH,)),
        (Dataset(("a:b",)), "fuseki", ()),
        (Dataset(("a:b",), ("a:c",)), "virtuoso", ("a:c",)),
        (Dataset((), ("a:c",)), "virtuoso", ("a:c",)),
        (Dataset(), "virtuoso", ()),
    ],
)
def test_virtuoso_is_told_of_a_graph_where_none_is_named(
    dataset: Dataset, dialect: str, named: tuple[str, ...]
) -> None:
    assert tuple(closed(dataset, dialect).named_graphs) == named


@pytest.mark.parametrize(
    ("text", "absolute"),
    [
        ("http://a.example/é", True),
        ("urn:a:b", True),
        ("a", False),
        ("", False),
        ("http://a.example/ b", False),
        ("http://a.example/>", False),
        ("http://a.example/\x7f", False),
        ("http://a.example/\u00a0", False),
        ("//a.example/", False),
    ],
)
def test_an_absolute_iri_is_told_apart(text: str, absolute: bool) -> None:
    assert is_iri(text) is absolute
