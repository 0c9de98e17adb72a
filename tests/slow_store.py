"""A small SPARQL store in this process, which can be made slow, and can be switched off and on again."""

from __future__ import annotations

import threading
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pyoxigraph as ox

SECONDS = 60
GRAPH = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix : <http://films.example/> .
:Film a rdfs:Class ; rdfs:label "film"@en .
:fargo a :Film ; rdfs:label "Fargo"@en ; :director :coen .
:director rdfs:label "director"@en .
:coen rdfs:label "Joel Coen"@en .
"""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 100

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes is none."""


class SlowStore:
    """Queries in which SLOW occurs wait until `answers` is set; each of them releases `asked` once.

    `headers` are those of the last query.
    """

    def __init__(self) -> None:
        self.store = ox.Store()
        self.store.load(GRAPH.encode(), format=ox.RdfFormat.TURTLE)
        self.asked = threading.Semaphore(0)
        self.answers = threading.Event()
        self.up = True
        self.headers: dict[str, str] = {}
        store = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                store.answer(self, parse_qs(urlsplit(self.path).query))

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0))).decode()
                form = "form" in self.headers.get("Content-Type", "")
                store.answer(self, parse_qs(body) if form else {"query": [body]})

            def log_message(self, *_: object) -> None:
                pass

        self._server = _Server(("127.0.0.1", 0), Handler)
        # As an endpoint's id: what is kept of one store is then of no other.
        self.name = f"slow{self._server.server_port}"
        self.address = f"http://127.0.0.1:{self._server.server_port}/sparql"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def answer(self, request: BaseHTTPRequestHandler, asked: dict[str, list[str]]) -> None:
        """Answer a query as a store does, or hang up where it is down."""
        if not self.up:
            request.close_connection = True
            return
        self.headers = dict(request.headers)
        text = asked["query"][0]
        if "SLOW" in text:
            self.asked.release()
            self.answers.wait(SECONDS)
        found = self.store.query(text)
        assert not isinstance(found, ox.QueryTriples)
        body = found.serialize(format=ox.QueryResultsFormat.JSON)
        assert body is not None
        request.send_response(200)
        request.send_header("Content-Type", "application/sparql-results+json")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        with suppress(OSError):
            request.wfile.write(body)

    def close(self) -> None:
        """End it."""
        self.answers.set()
        self._server.shutdown()
        self._server.server_close()
