from __future__ import annotations

import base64
import gzip
import os
import re
import socket
import threading
import time
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs

import pytest
from faulty_server import FaultyServer, StopServing, answer

from connectors import (
    BasicAuth,
    BearerAuth,
    EndpointError,
    EndpointFailed,
    EndpointOverloaded,
    EndpointRefusedQuery,
    EndpointStoppedQuery,
    EndpointTimeout,
    EndpointUnauthorized,
    EndpointUnreachable,
    HeaderAuth,
    HttpEndpoint,
    IncompleteResult,
    Limits,
)
from connectors.dataset import NO_GRAPH

Serve = Callable[..., FaultyServer]
Connect = Callable[..., HttpEndpoint]

TRUE = b'{"head":{},"boolean":true}'
ROWS = (
    b'{"head":{"vars":["x"]},"results":{"bindings":['
    + b",".join(b'{"x":{"type":"literal","value":"%d"}}' % i for i in range(10))
    + b"]}}"
)
SELECT = "SELECT ?x { ?x ?p 'ä & = + %' }"


def form(request: bytes) -> dict[str, list[str]]:
    return parse_qs(request.partition(b"\r\n\r\n")[2].decode("ascii"), keep_blank_values=True)


def fields(request: bytes) -> dict[str, str]:
    lines = request.partition(b"\r\n\r\n")[0].decode("latin-1").split("\r\n")[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


def test_a_query_is_a_form_and_nothing_else(serve: Serve, connect: Connect) -> None:
    server = serve(answer(ROWS))
    result = connect(server.url).query(SELECT)
    assert [term.value for term in result.column("x")] == [str(i) for i in range(10)]
    (request,) = server.requests
    assert request.startswith(b"POST /sparql HTTP/1.1\r\n")
    assert form(request) == {"query": [SELECT]}
    assert fields(request)["accept"].startswith("application/sparql-results+json, ")
    assert re.fullmatch(r"nlq-gateway/\d+(\.\d+)+", fields(request)["user-agent"])
    assert fields(request)["content-type"] == "application/x-www-form-urlencoded"
    assert "authorization" not in fields(request)


def test_graphs_and_the_stores_own_timeout_are_sent(serve: Serve, connect: Connect) -> None:
    server = serve(answer(TRUE))
    endpoint = connect(
        server.url + "?tenant=1",
        default_graphs=("http://g.example/1", "http://g.example/2"),
        named_graphs=("http://g.example/3",),
        dialect="fuseki",
    )
    endpoint.query("ASK {}", timeout_ms=1_500)
    (request,) = server.requests
    assert request.startswith(b"POST /sparql?tenant=1 ")
    assert form(request) == {
        "query": ["ASK {}"],
        "default-graph-uri": ["http://g.example/1", "http://g.example/2"],
        "named-graph-uri": ["http://g.example/3"],
        "timeout": ["2"],
    }
    assert endpoint.dialect == "fuseki"


@pytest.mark.parametrize(
    ("dialect", "named"),
    [("virtuoso", [NO_GRAPH]), ("sparql11", [NO_GRAPH]), ("fuseki", None), ("oxigraph", None)],
)
def test_a_store_that_opens_graphs_is_told_of_none(
    serve: Serve, connect: Connect, dialect: str, named: list[str] | None
) -> None:
    server = serve(answer(TRUE))
    endpoint = connect(server.url, default_graphs=("http://g.example/1",), dialect=dialect)
    endpoint.query("ASK {}")
    endpoint.raw("ASK {}", "application/sparql-results+json")
    assert [form(request).get("named-graph-uri") for request in server.requests] == [named, named]


@pytest.mark.parametrize(
    ("dialect", "timeout"),
    [("fuseki", ["2"]), ("virtuoso", ["2500"]), ("oxigraph", []), ("sparql11", [])],
)
def test_the_deadline_goes_to_stores_that_take_one(
    serve: Serve, connect: Connect, dialect: str, timeout: list[str]
) -> None:
    """Virtuoso is given a second more, so that what it has found by then is never taken for the whole."""
    server = serve(answer(TRUE))
    connect(server.url, dialect=dialect).query("ASK {}", timeout_ms=1_500)
    assert form(server.requests[0]).get("timeout", []) == timeout


@pytest.mark.parametrize(
    "text",
    [
        "# step 1: Find(a)\n# step 2: Create, insert, LOAD\nSELECT * { ?s ?p ?o }",
        "PREFIX ex: <http://e.example/> ASK {}",
        "no query at all",
        "",
    ],
)
def test_any_text_goes_out_as_a_query(serve: Serve, connect: Connect, text: str) -> None:
    server = serve(answer(TRUE))
    connect(server.url).query(text)
    assert form(server.requests[0]) == {"query": [text]}


def test_raw_passes_accept_and_the_body_on(serve: Serve, connect: Connect) -> None:
    server = serve(answer(b"x\r\n1\r\n", content_type="text/csv; charset=utf-8"))
    response = connect(server.url).raw(SELECT, "text/csv, */*;q=0.1")
    assert (response.content_type, response.body) == ("text/csv; charset=utf-8", b"x\r\n1\r\n")
    assert fields(server.requests[0])["accept"] == "text/csv, */*;q=0.1"


def test_connections_are_kept(serve: Serve, connect: Connect) -> None:
    server = serve(answer(TRUE))
    endpoint = connect(server.url)
    for _ in range(5):
        endpoint.query("ASK {}")
    assert (len(server.requests), server.connections) == (5, 1)


def test_a_forked_process_opens_connections_of_its_own(serve: Serve, connect: Connect) -> None:
    server = serve(answer(TRUE))
    endpoint = connect(server.url)
    endpoint.query("ASK {}")
    child = os.fork()
    if child == 0:
        os._exit(0 if endpoint.query("ASK {}").boolean else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    endpoint.query("ASK {}")
    assert server.connections == 2


@pytest.mark.parametrize(
    ("auth", "name", "value"),
    [
        (BasicAuth("user", "s3cr3t"), "authorization", "Basic " + base64.b64encode(b"user:s3cr3t").decode()),
        (BearerAuth("s3cr3t"), "authorization", "Bearer s3cr3t"),
        (HeaderAuth("X-API-Key", "s3cr3t"), "x-api-key", "s3cr3t"),
    ],
)
def test_credentials_are_sent_and_never_shown(
    serve: Serve, connect: Connect, auth: Any, name: str, value: str
) -> None:
    echo = f"you sent {value}".encode()
    server = serve(answer(echo, status="401 Unauthorized", content_type="text/plain"))
    endpoint = connect(server.url, auth=auth)
    with pytest.raises(EndpointUnauthorized) as caught:
        endpoint.query("ASK {}")
    assert fields(server.requests[0])[name] == value
    shown = f"{caught.value!r} {caught.value} {caught.value.__dict__} {endpoint!r} {endpoint.address}"
    assert "s3cr3t" not in shown
    assert value.rpartition(" ")[2] not in shown


def test_user_and_password_in_the_url_are_used_and_never_shown(serve: Serve, connect: Connect) -> None:
    server = serve(answer(TRUE))
    url = server.url.replace("http://", "http://user:s3%2Fcr3t@") + "?key=s3%2Fcr3t#s3"
    endpoint = connect(url)
    assert endpoint.query("ASK {}").boolean is True
    assert (
        fields(server.requests[0])["authorization"] == "Basic " + base64.b64encode(b"user:s3/cr3t").decode()
    )
    assert endpoint.address == server.url
    assert "cr3t" not in repr(endpoint)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "store.example",
        "ftp://user:s3cr3t@store.example/",
        "http://",
        "http://user:s3cr3t@:80x/",
        "http://a b/",
        "http://[::1/",
        "http://user:s3cr3t@store.example:99999/",
        "http://store.example/\r\nX: s3cr3t",
        "file:///etc",
    ],
)
def test_a_url_that_cannot_be_used_is_refused_without_repeating_it(url: str) -> None:
    with pytest.raises(ValueError, match="endpoint's URL") as caught:
        HttpEndpoint(url)
    assert "s3cr3t" not in str(caught.value)


def test_refused(connect: Connect, closed_port: int) -> None:
    with pytest.raises(EndpointUnreachable) as caught:
        connect(f"http://user:s3cr3t@127.0.0.1:{closed_port}/sparql").query("ASK {}")
    assert caught.value.retryable
    assert caught.value.hint
    assert "s3cr3t" not in f"{caught.value.__dict__}"


def test_unknown_host(connect: Connect) -> None:
    with pytest.raises(EndpointUnreachable, match="host name"):
        connect("http://store.invalid/sparql").query("ASK {}")


def test_no_answer_to_the_handshake(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as listener:
        port = listener.getsockname()[1]
        fillers = [socket.socket() for _ in range(4)]
        for filler in fillers:
            filler.setblocking(False)
            filler.connect_ex(("127.0.0.1", port))
        with pytest.raises(EndpointUnreachable, match="connect_ms"):
            connect(f"http://127.0.0.1:{port}/", Limits(connect_ms=100)).query("ASK {}")
        for filler in fillers:
            filler.close()


def test_plain_text_instead_of_tls(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def greet() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")
                connection.recv(1)

        thread = threading.Thread(target=greet)
        thread.start()
        with pytest.raises(EndpointUnreachable, match="secure"):
            connect(f"https://127.0.0.1:{listener.getsockname()[1]}/").query("ASK {}")
        thread.join()


def test_no_answer_to_the_tls_handshake(connect: Connect) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        started = time.perf_counter()
        with pytest.raises(EndpointTimeout):
            connect(f"https://127.0.0.1:{listener.getsockname()[1]}/", Limits(connect_ms=100)).query("ASK {}")
        assert time.perf_counter() - started < 1


def hang(_connection: socket.socket, _request: bytes) -> None:
    time.sleep(3)


def send_then(*pieces: bytes, pause: float = 0, last: Callable[[socket.socket], None] | None = None) -> Any:
    def handler(connection: socket.socket, _request: bytes) -> None:
        for piece in pieces:
            connection.sendall(piece)
            time.sleep(pause)
        if last is not None:
            last(connection)
        raise StopServing

    return handler


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")


def wait(_connection: socket.socket) -> None:
    time.sleep(1.5)


def endless(connection: socket.socket, _request: bytes) -> None:
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    )
    while True:
        connection.sendall(b"10000\r\n" + b" " * 65_536 + b"\r\n")


CHUNKED = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
FAULTS: dict[str, tuple[Any, type[EndpointError]]] = {
    "closes before the headers": (send_then(), EndpointUnreachable),
    "resets before the headers": (send_then(last=reset), EndpointUnreachable),
    "hangs before the headers": (send_then(last=wait), EndpointTimeout),
    "hangs in the headers": (send_then(b"HTTP/1.1 200 OK\r\nContent-", last=wait), EndpointTimeout),
    "closes in the headers": (send_then(b"HTTP/1.1 200 OK\r\nContent-"), IncompleteResult),
    "drips the headers": (
        send_then(*(b"H: 1\r\n"[i % 6 :][:1] for i in range(20)), pause=0.1),
        EndpointFailed,
    ),
    "drips header lines": (
        send_then(b"HTTP/1.1 200 OK\r\n", *[b"X-Slow: 1\r\n"] * 20, pause=0.1),
        EndpointTimeout,
    ),
    "hangs in the body": (send_then(answer(ROWS)[:-20], last=wait), EndpointTimeout),
    "drips the body": (
        send_then(answer(b"", length=len(ROWS)), *(ROWS[i : i + 1] for i in range(30)), pause=0.1),
        EndpointTimeout,
    ),
    "drips chunks": (send_then(CHUNKED, *[b"1\r\n \r\n"] * 20, pause=0.1), EndpointTimeout),
    "closes in the body": (send_then(answer(ROWS)[:-20]), IncompleteResult),
    "resets in the body": (send_then(answer(ROWS)[:-20], pause=0.1, last=reset), EndpointUnreachable),
    "says too great a length": (send_then(answer(ROWS, length=len(ROWS) + 5)), IncompleteResult),
    "says too small a length": (send_then(answer(ROWS, length=len(ROWS) - 5)), IncompleteResult),
    "says no length and closes": (
        send_then(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n" + ROWS[:-30]),
        IncompleteResult,
    ),
    "closes between chunks": (send_then(CHUNKED + b"1A\r\n" + TRUE + b"\r\n"), EndpointUnreachable),
    "sends a broken chunk": (send_then(CHUNKED + b"zz\r\n" + TRUE), IncompleteResult),
    "speaks another protocol": (send_then(b"SSH-2.0-OpenSSH_9.9\r\n"), EndpointFailed),
    "sends headers without end": (send_then(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 100_000), EndpointFailed),
    "sends broken gzip": (send_then(answer(ROWS, headers="Content-Encoding: gzip\r\n")), IncompleteResult),
    "never ends": (endless, IncompleteResult),
    "sends a gzip bomb": (
        send_then(answer(gzip.compress(b" " * 50_000_000), headers="Content-Encoding: gzip\r\n")),
        IncompleteResult,
    ),
    "sends HTML": (send_then(answer(b"<html>Log in</html>", content_type="text/html")), IncompleteResult),
    "sends XML": (send_then(answer(b"<sparql/>", content_type="application/xml")), IncompleteResult),
    "sends nothing": (send_then(answer(b"")), IncompleteResult),
    "sends cut JSON": (send_then(answer(ROWS[:-30])), IncompleteResult),
    "is cancelled like Oxigraph": (
        send_then(answer(ROWS[:60] + b"The SPARQL operation has been cancelled")),
        EndpointStoppedQuery,
    ),
    "is cancelled like Fuseki": (
        send_then(answer(ROWS[:60] + b"\n##  Query cancelled due to timeout during execution   ##\n")),
        EndpointStoppedQuery,
    ),
    "is partial like Virtuoso": (
        send_then(answer(ROWS, headers="X-SQL-State: S1TAT\r\n")),
        EndpointStoppedQuery,
    ),
    "is partial by status": (send_then(answer(ROWS, status="206 Partial Content")), IncompleteResult),
}


@pytest.mark.parametrize("name", FAULTS)
def test_an_outage_is_never_a_result(serve: Serve, connect: Connect, name: str) -> None:
    handler, kind = FAULTS[name]
    server = serve(handler)
    started = time.perf_counter()
    with pytest.raises(EndpointError) as caught:
        connect(server.url).query(SELECT)
    assert type(caught.value) is kind
    assert time.perf_counter() - started < 1.9
    assert caught.value.endpoint == server.url
    assert caught.value.message
    assert caught.value.hint
    assert caught.value.retryable


@pytest.mark.parametrize("name", sorted(FAULTS.keys() - {"sends XML", "sends nothing"}))
def test_an_outage_is_never_a_raw_answer(serve: Serve, connect: Connect, name: str) -> None:
    server = serve(FAULTS[name][0])
    with pytest.raises(EndpointError):
        connect(server.url).raw(SELECT, "application/sparql-results+json")


@pytest.mark.parametrize(
    "response",
    [
        b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/csv\r\n\r\nx\r\n1\r\n",
        b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+xml\r\n\r\n<sparql><head/><resu",
        b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 6\r\n\r\n<html>",
        answer(b"a,b\r\nThe SPARQL operation has been cancelled", content_type="text/csv"),
    ],
)
def test_a_raw_answer_that_may_be_cut_is_refused(serve: Serve, connect: Connect, response: bytes) -> None:
    with pytest.raises(EndpointError):
        connect(serve(send_then(response)).url).raw(SELECT, "text/csv, application/sparql-results+xml")


def test_a_whole_answer_without_a_length_is_read(serve: Serve, connect: Connect) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: application/sparql-results+json\r\n\r\n"
    endpoint = connect(serve(send_then(head + ROWS)).url)
    assert len(endpoint.query(SELECT).rows) == 10
    assert endpoint.raw(SELECT, "*/*").body == ROWS


def test_gzip_is_read(serve: Serve, connect: Connect) -> None:
    server = serve(answer(gzip.compress(ROWS), headers="Content-Encoding: gzip\r\n"))
    assert len(connect(server.url).query(SELECT).rows) == 10


def test_the_next_query_gets_its_own_answer_after_a_fault(serve: Serve, connect: Connect) -> None:
    replies = [answer(ROWS, length=5), answer(ROWS, status="500 Oops"), answer(ROWS[:-9]), answer(TRUE)]

    def handler(connection: socket.socket, _request: bytes) -> None:
        connection.sendall(replies.pop(0))

    endpoint = connect(serve(handler).url)
    for _ in range(3):
        with pytest.raises(EndpointError):
            endpoint.query(SELECT)
    assert endpoint.query("ASK {}").boolean is True


def test_a_kept_connection_that_was_closed_is_replaced(serve: Serve, connect: Connect) -> None:
    """The server closes after each answer, and with the second request on a connection without any."""
    served: set[int] = set()

    def handler(connection: socket.socket, _request: bytes) -> None:
        if id(connection) in served:
            raise StopServing
        served.add(id(connection))
        connection.sendall(answer(TRUE))

    server = serve(handler)
    endpoint = connect(server.url)
    assert [endpoint.query("ASK {}").boolean for _ in range(3)] == [True] * 3
    assert len(server.requests) == 5


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        ("204 No Content", IncompleteResult),
        ("301 Moved", EndpointError),
        ("307 Temporary Redirect", EndpointError),
        ("400 Bad Request", EndpointRefusedQuery),
        ("401 Unauthorized", EndpointUnauthorized),
        ("403 Forbidden", EndpointUnauthorized),
        ("404 Not Found", EndpointError),
        ("406 Not Acceptable", EndpointRefusedQuery),
        ("413 Too Large", EndpointRefusedQuery),
        ("429 Too Many Requests", EndpointOverloaded),
        ("500 Internal Server Error", EndpointFailed),
        ("502 Bad Gateway", EndpointUnreachable),
        ("503 Service Unavailable", EndpointFailed),
        ("504 Gateway Timeout", EndpointTimeout),
        ("599 Odd", EndpointFailed),
        ("999 Odd", EndpointFailed),
    ],
)
def test_a_status_is_an_error_even_with_a_result_in_the_body(
    serve: Serve, connect: Connect, status: str, kind: type[EndpointError]
) -> None:
    server = serve(answer(b"" if status.startswith("204") else TRUE, status=status))
    with pytest.raises(EndpointError) as caught:
        connect(server.url).query("ASK {}")
    assert type(caught.value) is kind
    assert caught.value.endpoint == server.url


def test_redirects_are_not_followed(serve: Serve, connect: Connect) -> None:
    target = serve(answer(TRUE))
    server = serve(answer(b"", status="307 Temporary Redirect", headers=f"Location: {target.url}\r\n"))
    with pytest.raises(EndpointError, match="redirects"):
        connect(server.url, auth=BearerAuth("s3cr3t")).query("ASK {}")
    assert target.requests == []


def test_the_stores_words_are_kept(serve: Serve, connect: Connect) -> None:
    text = b"Virtuoso 37000 Error SP030: SPARQL compiler, line 3: syntax error" + b" at x" * 10_000
    server = serve(answer(text, status="400 Bad Request", content_type="text/plain"))
    with pytest.raises(EndpointRefusedQuery) as caught:
        connect(server.url).query("ASK {")
    assert "line 3: syntax error" in caught.value.detail
    assert len(caught.value.detail) <= 1_000
    assert not caught.value.retryable


CAPPED = answer(ROWS, headers="X-SPARQL-MaxRows: 10\r\n")


@pytest.mark.parametrize(
    ("text", "max_rows", "truncated"),
    [
        (SELECT, 10, True),
        (SELECT, 5, True),
        (SELECT + " LIMIT 10", 50, False),
        (SELECT + " LIMIT 10", 5, True),
    ],
)
def test_rows_that_the_store_cut_are_marked(
    serve: Serve, connect: Connect, text: str, max_rows: int, truncated: bool
) -> None:
    result = connect(serve(CAPPED).url).query(text, max_rows=max_rows)
    assert result.truncated is truncated
    assert len(result.rows) == min(10, max_rows)


@pytest.mark.parametrize("text", [SELECT, SELECT + " LIMIT 11", f"SELECT * {{ {{ {SELECT} LIMIT 10 }} }}"])
def test_rows_that_the_store_cut_are_an_error_where_more_were_wanted(
    serve: Serve, connect: Connect, text: str
) -> None:
    endpoint = connect(serve(CAPPED).url)
    with pytest.raises(IncompleteResult, match="10 rows"):
        endpoint.query(text, max_rows=11)
    with pytest.raises(IncompleteResult, match="10 rows"):
        endpoint.raw(text, "text/csv")


def test_a_closed_connector_says_so(serve: Serve, connect: Connect) -> None:
    endpoint = connect(serve(answer(TRUE)).url)
    endpoint.query("ASK {}")
    endpoint.close()
    with pytest.raises(EndpointUnreachable, match="closed"):
        endpoint.query("ASK {}")
