"""Results in the formats that stores send, and how much of them is read."""

from __future__ import annotations

import json
import socket
import tracemalloc
from collections.abc import Callable, Iterator

import pytest
from faulty_server import FaultyServer, answer
from hypothesis import given
from hypothesis import strategies as st

from connectors import EmbeddedOxigraph, EndpointError, HttpEndpoint, IncompleteResult, Limits, Result, Term
from connectors.reading import UNREADABLE, read_result

Serve = Callable[..., FaultyServer]
Connect = Callable[..., HttpEndpoint]

JSON, XML = "application/sparql-results+json", "application/sparql-results+xml"
TSV, CSV = "text/tab-separated-values; charset=utf-8", "text/csv; charset=utf-8"
XSD = "http://www.w3.org/2001/XMLSchema#"
HEAD = '<?xml version="1.0"?>\n<sparql xmlns="http://www.w3.org/2005/sparql-results#">'


def table(body: str, columns: str = "x") -> str:
    names = "".join(f'<variable name="{name}"/>' for name in columns)
    return f"{HEAD}<head>{names}</head><results>{body}</results></sparql>"


def bound(term: str) -> str:
    return f'<result><binding name="x">{term}</binding></result>'


def text(value: str, datatype: str | None = None, language: str | None = None) -> Term:
    return Term("literal", value, datatype, language)


def read(content_type: str, body: str | bytes, max_rows: int = 100, size: int = 7) -> Result:
    """The result of a body that comes in small pieces."""
    data = body.encode() if isinstance(body, str) else body
    return read_result(content_type, (data[i : i + size] for i in range(0, len(data), size)), max_rows)


TERMS = [
    (XML, table(bound("<uri>http://e.example/a b</uri>")), Term("iri", "http://e.example/a b")),
    (XML, table(bound("<bnode>nodeID://b1</bnode>")), Term("blank", "nodeID://b1")),
    (XML, table(bound('<literal xml:lang="en-US">a &amp; é\n </literal>')), text("a & é\n ", None, "en-US")),
    (XML, table(bound(f'<literal datatype="{XSD}integer">1</literal>')), text("1", XSD + "integer")),
    (XML, table(bound("<literal/>")), text("")),
    (XML, table("<result/>"), None),
    (TSV, '?x\n"a\\tb\\n\\"\\u00e9"@en\n', text('a\tb\n"é', None, "en")),
    (TSV, "?x\n'a\"b'\n", text('a"b')),
    (TSV, f'?x\r\n"1"^^<{XSD}byte>\r\n', text("1", XSD + "byte")),
    (TSV, "?x\n<http://e.example/a>\n", Term("iri", "http://e.example/a")),
    (TSV, "?x\n_:nodeID://b1\n", Term("blank", "nodeID://b1")),
    (TSV, "?x\n-1\n", text("-1", XSD + "integer")),
    (TSV, "?x\n.5\n", text(".5", XSD + "decimal")),
    (TSV, "?x\n1.0E6\n", text("1.0E6", XSD + "double")),
    (TSV, "?x\ntrue\n", text("true", XSD + "boolean")),
    (TSV, "?x\n\n", None),
    (CSV, "x\r\nhttp://e.example/a\r\n", Term("iri", "http://e.example/a")),
    (CSV, 'x\r\n"a ""b"",\nc"\r\n', text('a "b",\nc')),
    (CSV, "x\r\n_:b0\r\n", Term("blank", "b0")),
    (CSV, "x\r\n12:30\r\n", text("12:30")),
    (CSV, "x\r\n\r\n", None),
    # Virtuoso's TSV.
    (TSV, '"x"\n"http://e.example/a"\n', Term("iri", "http://e.example/a")),
    (TSV, '"x"\n"a\tb"\n', text("a\tb")),
]  # fmt: skip


@pytest.mark.parametrize(("content_type", "body", "term"), TERMS)
def test_terms(content_type: str, body: str, term: Term | None) -> None:
    result = read(content_type, body)
    assert (result.columns, result.rows, result.truncated) == (("x",), ((term,),), False)
    assert result.typed is (content_type == XML or body.startswith("?"))
    with_mark = read(content_type, b"\xef\xbb\xbf" + body.encode())
    assert with_mark.rows == result.rows


VERDICTS = [
    (XML, f"{HEAD}<head/><boolean> true </boolean></sparql>", True),
    (XML, table(bound("<literal>1</literal>")).replace('"x"', '"__ASK_RETVAL"'), True),
    (XML, table("").replace('"x"', '"__ASK_RETVAL"'), False),
    (CSV, "true", True),
    (TSV, "false", False),
    (TSV, "?_askResult\ntrue\n", True),
    (CSV, "_askResult\r\nfalse\r\n", False),
    (CSV, '"__ASK_RETVAL"\n1\n', True),
    (TSV, '"__ASK_RETVAL"\n', False),
]


@pytest.mark.parametrize(("content_type", "body", "verdict"), VERDICTS)
def test_truth_values(content_type: str, body: str, verdict: bool) -> None:
    assert read(content_type, body).boolean is verdict


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        *((XML, table(bound("<uri>http://e.example/a</uri>"))[:-cut]) for cut in range(1, 60)),
        (XML, "<sparql/>"),
        (XML, "<html><body>Log in</body></html>"),
        (XML, f"{HEAD}<head/><boolean>yes</boolean></sparql>"),
        (XML, table(bound("<uri>a</uri><uri>b</uri>"))),
        (XML, table(bound("a"))),
        (XML, table('<result><binding name="y"><uri>a</uri></binding></result>')),
        (XML, table(bound("<triple><uri>a</uri></triple>"))),
        (XML, '<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;">]>' + table(bound("<uri>&b;</uri>"))),
        (TSV, ""),
        (TSV, "?x\n<http://e.exa"),
        (TSV, '?x\n"a'),
        (TSV, "?x\t?y\n1\n"),
        (CSV, "\n"),
        (CSV, 'x\r\n"a'),
        (CSV, "x,y\r\n1\r\n"),
        (CSV, "x\r\n\xff".encode("latin-1")),
        ("text/html", "<html>"),
        ("text/plain", "rows"),
    ],
)
def test_what_is_no_result_is_refused(content_type: str, body: str | bytes) -> None:
    with pytest.raises(UNREADABLE):
        read(content_type, body)


def test_a_triple_term_in_xml() -> None:
    parts = "<subject><uri>s</uri></subject><predicate><uri>p</uri></predicate>"
    body = table(bound(f"<triple>{parts}<object><literal>o</literal></object></triple>"))
    (term,) = read(XML, body).column("x")
    assert term.parts == (Term("iri", "s"), Term("iri", "p"), text("o"))


def test_a_head_that_comes_last() -> None:
    rows = '[{"x":{"type":"uri","value":"a"}},{}]'
    body = '{"results":{"bindings":%s},"head":{"vars":["x"]}}' % rows  # noqa: UP031
    assert read(JSON, body) == Result(("x",), ((Term("iri", "a"),), (None,)))
    assert read(JSON, body, max_rows=1) == Result(("x",), ((Term("iri", "a"),),), truncated=True)


@pytest.mark.parametrize(
    ("content_type", "body"),
    [
        (JSON, json.dumps({"head": {"vars": ["x"]}, "results": {"bindings": [{}] * 5}})),
        (XML, table("<result/>" * 5)),
        (TSV, "?x\n" + "1\n" * 5),
        (CSV, "x\n" + "1\n" * 5),
    ],
)
@pytest.mark.parametrize(("most", "kept", "truncated"), [(0, 0, True), (4, 4, True), (5, 5, False)])
def test_rows_beyond_the_limit(content_type: str, body: str, most: int, kept: int, truncated: bool) -> None:
    result = read(content_type, body, most)
    assert (len(result.rows), result.truncated) == (kept, truncated)


LITERALS = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs", "Co", "Cn")), max_size=8)


@given(st.lists(LITERALS, min_size=1, max_size=5), st.integers(1, 50))
def test_formats_agree(words: list[str], size: int) -> None:
    """As Oxigraph writes them: what is the same query has the same rows."""
    store = EmbeddedOxigraph.in_memory([])
    values = " ".join(
        f"({json.dumps(word, ensure_ascii=False)} <http://e.example/{i}>)" for i, word in enumerate(words)
    )
    query = (
        f"SELECT ?w ?i (STRLANG(?w, 'en') AS ?l) (STRLEN(?w) AS ?n) ?no {{ VALUES (?w ?i) {{ {values} }} }}"
    )
    expected = store.query(query)
    for content_type in (JSON, XML, "text/tab-separated-values"):
        body = store.raw(query, content_type).body
        found = read(content_type, body, size=size)
        assert (found.columns, found.rows) == (expected.columns, expected.rows)
    table_of_text = read("text/csv", store.raw(query, "text/csv").body, size=size)
    assert [row[1] for row in table_of_text.rows] == [row[1] for row in expected.rows]
    store.close()


@pytest.mark.parametrize(("content_type", "body", "term"), TERMS)
def test_a_store_that_sends_another_format_is_read(
    serve: Serve, connect: Connect, content_type: str, body: str, term: Term | None
) -> None:
    result = connect(serve(answer(body.encode(), content_type=content_type)).url).query("SELECT ?x {}")
    assert result.rows == ((term,),)


@pytest.mark.parametrize("content_type", [CSV, TSV])
def test_a_table_without_a_length_may_be_cut(serve: Serve, connect: Connect, content_type: str) -> None:
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {content_type}\r\nConnection: close\r\n\r\nx\r\n1\r\n"

    def handler(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(head.encode())
        raise OSError

    with pytest.raises(IncompleteResult, match="no length"):
        connect(serve(handler).url).query("SELECT ?x {}")


def test_a_table_that_the_store_gave_up_on(serve: Serve, connect: Connect) -> None:
    body = b"x\r\n1\r\nThe SPARQL operation has been cancelled"
    with pytest.raises(EndpointError, match="its own time limit"):
        connect(serve(answer(body, content_type=CSV)).url).query("SELECT ?x {}")


class Flood:
    """Sends rows until the client hangs up, or `rows` of them; counts the bytes."""

    def __init__(self, rows: int) -> None:
        self._rows = rows
        self.sent = 0

    def __call__(self, connection: socket.socket, _request: bytes) -> None:
        connection.settimeout(10)
        connection.sendall(f"HTTP/1.1 200 OK\r\nContent-Type: {JSON}\r\nConnection: close\r\n\r\n".encode())
        for piece in self._pieces():
            connection.sendall(piece)
            self.sent += len(piece)
        raise OSError

    def _pieces(self) -> Iterator[bytes]:
        yield b'{"head":{"vars":["x"]},"results":{"bindings":[{}'
        row = b',{"x":{"type":"literal","value":"' + b"x" * 960 + b'"}}'
        for _ in range(self._rows // 100):
            yield row * 100
        yield b"]}}"


def test_reading_stops_at_the_row_limit(serve: Serve) -> None:
    """The connection is closed, so that the store sends no more than fits in its way."""
    flood = Flood(200_000)
    server = serve(flood)
    endpoint = HttpEndpoint(server.url, Limits(max_bytes=10**9))
    result = endpoint.query("SELECT ?x {}", max_rows=1_000)
    endpoint.close()
    assert (len(result.rows), result.truncated) == (1_000, True)
    server.close()
    assert flood.sent < 50_000_000


def test_memory_does_not_grow_with_the_body() -> None:
    """200 MB of rows in a document whose head comes last, so that none may be the end of reading."""
    tracemalloc.start()
    try:
        peaks = []
        for megabytes in (2, 200):
            row = b'{"x":{"type":"literal","value":"' + b"x" * 99_960 + b'"}},'
            pieces = [b'{"results":{"bindings":[', *[row] * (10 * megabytes), b'{}]},"head":{"vars":["x"]}}']
            tracemalloc.reset_peak()
            result = read_result(JSON, iter(pieces), 5)
            peaks.append(tracemalloc.get_traced_memory()[1])
            assert (len(result.rows), result.truncated) == (5, True)
    finally:
        tracemalloc.stop()
    assert peaks[1] < 2 * peaks[0]
