"""A SPARQL endpoint that answers, or refuses, as told."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple
from urllib.parse import parse_qs


class Response(NamedTuple):
    """A status, header fields and a body."""

    status: int
    body: bytes = b"busy"
    headers: Mapping[str, str] = {}


class BusyServer(ThreadingHTTPServer):
    """Answers each query as `respond` says; `requests` counts them."""

    daemon_threads = True

    def __init__(self, respond: Callable[[str], Response]) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.respond = respond
        self.requests = 0
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/sparql"

    def close(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: BusyServer

    def do_POST(self) -> None:
        form = self.rfile.read(int(self.headers["Content-Length"])).decode()
        self.server.requests += 1
        status, body, headers = self.server.respond(parse_qs(form)["query"][0])
        self.send_response(status)
        known = {"Content-Type": "application/sparql-results+json", "Content-Length": str(len(body))}
        for name, value in {**known, **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass
