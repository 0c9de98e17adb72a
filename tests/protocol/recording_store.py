"""A SPARQL service over HTTP that keeps every request it gets, and has as many formats as it is told."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

from connectors import Dataset, EmbeddedOxigraph, EndpointError
from nlq_gateway.endpoints.endpoint import CHECK

Form = Mapping[str, Sequence[str]]


class RecordingStore(ThreadingHTTPServer):
    """Answers from an embedded store; `forms` are the requests, each as its fields.

    The gateway's own, by which it finds out from time to time whether the store is there, are not kept.
    Where `formats` are set, it knows no others, and answers in the first where Accept names none of them.
    """

    daemon_threads = True

    def __init__(self, store: EmbeddedOxigraph) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.store = store
        self.forms: list[Form] = []
        self.formats: tuple[str, ...] = ()
        self._thread = threading.Thread(target=self.serve_forever, args=(0.01,))
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}/sparql"

    def accepted(self, accept: str) -> str:
        if not self.formats:
            return accept
        return next((name for name in self.formats if name in accept), self.formats[0])

    def close(self) -> None:
        self.shutdown()
        self._thread.join()
        self.server_close()


class _Handler(BaseHTTPRequestHandler):
    server: RecordingStore

    def do_POST(self) -> None:
        form = parse_qs(self.rfile.read(int(self.headers["Content-Length"])).decode())
        if form["query"] != [CHECK]:
            self.server.forms.append(form)
        dataset = Dataset(form.get("default-graph-uri", ()), form.get("named-graph-uri", ()))
        try:
            accept = self.server.accepted(self.headers["Accept"])
            answer = self.server.store.raw(form["query"][0], accept, dataset=dataset)
            self._send(200, answer.content_type, answer.body)
        except EndpointError as error:
            self._send(400, "text/plain", f"{error.message}\n{error.detail}".encode())

    def _send(self, status: int, content_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass
