"""A gateway that serves the page and canned responses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property, partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from nlq_gateway.edges.http.app import content_policy

HERE = Path(__file__).parent
FIXTURES = HERE / "fixtures"
STATIC = HERE.parents[1] / "nlq_gateway" / "edges" / "http" / "static"
POLICY = content_policy(())
MEDIA_TYPES = {
    ".html": "text/html",
    ".css": "text/css",
    ".js": "text/javascript",
    ".json": "application/json",
    ".svg": "image/svg+xml",
}
NO_CASES = {"datasets", "functions", "schema"}

Case = dict[str, Any]
Event = tuple[str, dict[str, Any]]


@dataclass
class CannedGateway:
    """The gateway's address, the requests that it got, and its behaviour, which tests may change."""

    url: str = ""
    asked: list[Case] = field(default_factory=list)
    ran: list[Case] = field(default_factory=list)
    queried: list[tuple[str, str]] = field(default_factory=list)
    judged: list[tuple[str, Case]] = field(default_factory=list)
    left: list[str] = field(default_factory=list)
    feedback: str = "review"
    policy: str = POLICY
    # Called with an event's name before it is sent; returning False breaks the stream off there.
    before_event: Callable[[str], object] = str
    # The header with which a key must come, its value, and the challenge to those who have none.
    key: tuple[str, str, str] | None = None


def canned(name: str) -> Case:
    """The fixture file of that name, parsed."""
    case: Case = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return case


def cases() -> Iterator[Case]:
    """The fixtures that hold a question with its status and body."""
    return (canned(path.stem) for path in sorted(FIXTURES.glob("*.json")) if path.stem not in NO_CASES)


def events_of(case: Case) -> list[Event]:
    """The events before a case's response, and the response, as a stream of the gateway has them."""
    body = case["body"]
    if case["status"] != 200:
        return [("error", body), ("done", {"total_ms": 1.0})]
    mentions = [
        {
            "text": one["mention"],
            "start": max(0, case["question"].find(one["mention"])),
            "end": max(0, case["question"].find(one["mention"])) + len(one["mention"]),
            "alternatives": [{key: one[key] for key in ("kind", "iri", "label", "score")}],
        }
        for one in body["bindings"]
    ]
    return [
        ("links", {"question": case["question"], "mentions": mentions, "literals": []}),
        ("program", {"attempt": 1, "source": "bottom-up", "program": body["program"]}),
        ("grounding", {"attempt": 1, "bindings": body["bindings"]}),
        ("sparql", {"attempt": 1, **body["sparql"]}),
        *(("step", step) for step in body["steps"]),
        ("answer", body),
        ("done", {"id": body["id"], "total_ms": 1.0}),
    ]


class Handler(BaseHTTPRequestHandler):
    """Routes of the gateway that the page uses."""

    def __init__(self, current: Callable[[], CannedGateway], *args: Any) -> None:
        self._current = current
        super().__init__(*args)

    @cached_property
    def gateway(self) -> CannedGateway:
        """The one at hand when the request comes: browsers open connections ahead."""
        return self._current()

    def do_GET(self) -> None:
        """Static files, datasets, schemas and traces."""
        address = urlsplit(self.path)
        path = unquote(address.path)
        if path == "/" or path.startswith("/static/"):
            self._static("index.html" if path == "/" else path.removeprefix("/static/"))
        elif not self._may_read():
            self._refuse()
        elif path == "/datasets":
            self._json(200, {**canned("datasets"), "feedback": self.gateway.feedback})
        elif path.startswith("/datasets/") and path.endswith("/functions"):
            self._json(200, canned("functions"))
        elif path.startswith("/datasets/") and path.endswith("/schema"):
            self._json(200, _schema(parse_qs(address.query)))
        else:
            self._case(lambda case: case["body"].get("id") == path.removeprefix("/traces/"))

    def do_POST(self) -> None:
        """The canned response to a question, a program, a query or an opinion."""
        path = unquote(urlsplit(self.path).path)
        text = self.rfile.read(int(self.headers["Content-Length"])).decode()
        if not self._may_read():
            self._refuse()
        elif path.endswith("/sparql"):
            self.gateway.queried.append((path, text))
            self._query(text)
        elif path.endswith("/feedback"):
            opinion = json.loads(text)
            self.gateway.judged.append((path.split("/")[2], opinion))
            learnt = opinion["correct"] or "program" in opinion
            self._json(200, {"trace": path.split("/")[2], "dataset": "sample", "demonstration": learnt})
        elif path == "/compile":
            self._check(json.loads(text))
        elif path == "/run":
            self.gateway.ran.append(json.loads(text))
            self._run(self.gateway.ran[-1])
        else:
            self.gateway.asked.append(json.loads(text))
            self._case(lambda case: case["question"] == self.gateway.asked[-1]["question"])

    def log_message(self, *args: Any) -> None:
        """Log nothing: the tests' output stays readable."""

    def _may_read(self) -> bool:
        key = self.gateway.key
        return key is None or self.headers[key[0]] == key[1]

    def _refuse(self) -> None:
        assert self.gateway.key is not None
        problem = {"status": 401, "title": "Credentials are needed", "retryable": False}
        body = json.dumps(problem).encode()
        self._send(401, "application/problem+json", body, {"WWW-Authenticate": self.gateway.key[2]})

    def _check(self, body: Case) -> None:
        """A program that counts values is wrong, one without a bracket cannot be read."""
        text = str(body["program"])
        if "(" not in text:
            self._json(
                400, {"status": 400, "title": "No program", "detail": "`Step 1:` expected", "position": 2}
            )
        elif "QueryAttr" in text and "Count" in text:
            issue = {
                "step": 3,
                "message": "Count wants entities, QueryAttr gives values",
                "hint": "use CountValues",
            }
            self._json(400, {"status": 400, "title": "Wrong", "issues": [issue]})
        else:
            self._json(200, {})

    def _run(self, body: Case) -> None:
        """The number's response, for a program that can be read; without a question, as it was run."""
        if "(" not in str(body["program"]):
            self._json(400, canned("invalid")["body"] | {"program": None})
            return
        case = canned("number")
        case["body"] |= {"id": "t-run", "question": ""}
        case["body"]["program"] |= {"text": body["program"]}
        self._respond(case)

    def _query(self, text: str) -> None:
        if "SELECT" not in text:
            self._json(
                400, {"status": 400, "title": "The query is refused", "detail": text, "retryable": False}
            )
            return
        rows = [{"film": {"type": "uri", "value": f"https://kg.example.org/id/F{n}"},
                 "length": {"type": "literal", "value": str(n), "datatype": "http://www.w3.org/2001/XMLSchema#integer"}}
                for n in (100, 9)]  # fmt: skip
        self._json(200, {"head": {"vars": ["film", "length"]}, "results": {"bindings": rows}})

    def _case(self, matches: Callable[[Case], bool]) -> None:
        missing: Case = {
            "status": 404,
            "body": {"title": "No such fixture", "status": 404, "retryable": False},
        }
        self._respond(next(filter(matches, cases()), missing))

    def _respond(self, case: Case) -> None:
        if "text/event-stream" in self.headers["Accept"]:
            self._stream(events_of(case))
        else:
            self._json(case["status"], case["body"])

    def _stream(self, events: list[Event]) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream; charset=utf-8")
        self.end_headers()
        try:
            for number, (name, data) in enumerate(events, 1):
                if self.gateway.before_event(name) is False:
                    break
                self.wfile.write(f": \n\nid: {number}\nevent: {name}\ndata: {json.dumps(data)}\n\n".encode())
                self.wfile.flush()
        except OSError:
            self.gateway.left.append(name)
        self.close_connection = True

    def _json(self, status: int, body: Case) -> None:
        media_type = "application/json" if status == 200 else "application/problem+json"
        self._send(status, media_type, json.dumps(body).encode())

    def _static(self, name: str) -> None:
        path = STATIC / name
        found = path.is_file() and path.resolve().is_relative_to(STATIC)
        content = path.read_bytes() if found else b""
        kept = {"Cache-Control": "max-age=3600"} if found and name != "index.html" else None
        self._send(200 if found else 404, MEDIA_TYPES.get(path.suffix, "text/plain"), content, kept)

    def _send(
        self, status: int, media_type: str, content: bytes, headers: dict[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(content)))
        self.send_header("Content-Security-Policy", self.gateway.policy)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)


def _schema(query: dict[str, list[str]]) -> Case:
    """The schema's items that have the words in their label, of the kind that is asked for."""
    found = canned("schema")
    words, kind = query.get("q", [""])[0], query.get("kind", [""])[0]
    found["items"] = [one for one in found["items"] if words in one["label"] and kind in ("", one["kind"])]
    return found


@contextmanager
def listening() -> Iterator[Callable[[], CannedGateway]]:
    """A free port, for as long as the context lasts: each call puts a new gateway there."""
    gateways: list[CannedGateway] = []
    handler = partial(Handler, lambda: gateways[-1])
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:

        def put() -> CannedGateway:
            gateways.append(CannedGateway(f"http://127.0.0.1:{server.server_port}"))
            return gateways[-1]

        thread = Thread(target=server.serve_forever, args=(0.02,))
        thread.start()
        yield put
        server.shutdown()
        thread.join()


@contextmanager
def serving() -> Iterator[CannedGateway]:
    """A canned gateway on a free port, for as long as the context lasts."""
    with listening() as put:
        yield put()
