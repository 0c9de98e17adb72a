"""A gateway that serves the page and canned responses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import unquote, urlsplit

HERE = Path(__file__).parent
FIXTURES = HERE / "fixtures"
STATIC = HERE.parents[1] / "nlq_gateway" / "http" / "static"
POLICY = "default-src 'self'"
MEDIA_TYPES = {".html": "text/html", ".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


Case = dict[str, Any]


@dataclass(frozen=True, slots=True)
class CannedGateway:
    """Where it listens; `asked` collects the bodies that `/nlq` was sent."""

    url: str
    asked: list[dict[str, Any]]


def canned(name: str) -> Case:
    """The fixture file of that name, parsed."""
    case: Case = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return case


def cases() -> Iterator[Case]:
    """The fixtures that hold a question with its status and body."""
    return (canned(path.stem) for path in sorted(FIXTURES.glob("*.json")) if path.stem != "datasets")


class Handler(BaseHTTPRequestHandler):
    """Routes of the gateway that the page uses."""

    def __init__(self, asked: list[dict[str, Any]], *args: Any) -> None:
        self.asked = asked
        super().__init__(*args)

    def do_GET(self) -> None:
        """Static files, datasets and traces."""
        path = unquote(urlsplit(self.path).path)
        if path == "/datasets":
            self._json(200, canned("datasets"))
        elif path.startswith("/traces/"):
            self._case(lambda case: case["body"].get("id") == path.removeprefix("/traces/"))
        else:
            self._static("index.html" if path == "/" else path.removeprefix("/static/"))

    def do_POST(self) -> None:
        """The canned response to the question."""
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.asked.append(body)
        self._case(lambda case: case["question"] == body["question"])

    def log_message(self, *args: Any) -> None:
        """Nothing: the tests' output stays readable."""

    def _case(self, matches: Callable[[Case], bool]) -> None:
        missing: Case = {
            "status": 404,
            "body": {"title": "No such fixture", "status": 404, "retryable": False},
        }
        case = next(filter(matches, cases()), missing)
        self._json(case["status"], case["body"])

    def _json(self, status: int, body: Case) -> None:
        media_type = "application/json" if status == 200 else "application/problem+json"
        self._send(status, media_type, json.dumps(body).encode())

    def _static(self, name: str) -> None:
        path = STATIC / name
        found = path.is_file() and path.resolve().is_relative_to(STATIC)
        content = path.read_bytes() if found else b""
        self._send(200 if found else 404, MEDIA_TYPES.get(path.suffix, "text/plain"), content)

    def _send(self, status: int, media_type: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", POLICY)
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serving() -> Iterator[CannedGateway]:
    """A canned gateway on a free port, for as long as the context lasts."""
    asked: list[dict[str, Any]] = []
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, asked)) as server:
        thread = Thread(target=server.serve_forever)
        thread.start()
        yield CannedGateway(f"http://127.0.0.1:{server.server_port}", asked)
        server.shutdown()
        thread.join()
