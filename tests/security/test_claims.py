"""Claims of `SECURITY.md` that no other test shows: seen from outside, at a server as users run it."""

from __future__ import annotations

import json
import os
import threading
import urllib.parse
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
import yaml

from tests.cli.serving import HTTP, running

SECRET = "s3cret-of-the-store"


@dataclass
class Stranger:
    """A server that notes who comes, and repeats what they sent."""

    url: str = ""
    asked: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Served:
    """A running gateway: its address, its cache folder, and the store of its endpoint `telling`."""

    address: str
    cache: Path
    stranger: Stranger
    log: list[str]


@pytest.fixture(scope="module")
def stranger() -> Iterator[Stranger]:
    found = Stranger()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            found.asked.append(self.path)
            body = f"400 Malformed: you sent {dict(self.headers)}".encode()
            self.send_response(400)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def do_POST(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.do_GET()

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    found.url = f"http://127.0.0.1:{server.server_address[1]}"
    yield found
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="module")
def served(stranger: Stranger, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("served")
    endpoints = [
        {"id": "sample", "data": ["builtin:sample"]},
        {
            "id": "telling",
            "url": f"{stranger.url}/sparql",
            "layout": "direct",
            "dialect": "sparql11",
            "auth": {"type": "bearer", "token": "${STORE_TOKEN}"},
        },
    ]
    (folder / "nlq.yaml").write_text(yaml.safe_dump({"endpoints": endpoints}))
    environment = {
        **os.environ,
        "NLQ_CACHE": str(folder / "cache"),
        "NLQ_DATA": str(folder / "cache"),
        "STORE_TOKEN": SECRET,
    }
    log: list[str] = []
    with running(environment, "serve", "--config", str(folder / "nlq.yaml"), "--workers", "1") as (
        server,
        address,
    ):
        reader = threading.Thread(target=log.extend, args=(server.stderr,), daemon=True)
        reader.start()
        yield Served(address, folder / "cache", stranger, log)


def body_of(address: str, path: str, body: object = None) -> str:
    """The response to a request with any status; a body is posted as JSON."""
    if body is None:
        return str(HTTP.request("GET", address + path).data, "utf-8")
    return str(HTTP.request("POST", address + path, json=body).data, "utf-8")


def test_a_secret_is_in_nothing_that_the_gateway_says(served: Served) -> None:
    """Not even where the store repeats what was sent to it."""
    ask = {"question": "Who directed Pulp Fiction?"}
    answers = [
        body_of(served.address, "/nlq", {**ask, "dataset": "telling"}),
        body_of(served.address, "/telling/sparql?query=ASK%7B%7D"),
        body_of(served.address, "/run", {"program": "FindAll()->Count()", "dataset": "telling"}),
        *(body_of(served.address, path) for path in ("/datasets", "/readyz", "/metrics", "/openapi.json")),
    ]
    trace = json.loads(body_of(served.address, "/nlq", ask))["id"]
    answers.append(body_of(served.address, f"/traces/{trace}"))
    assert any("you sent" in answer for answer in answers), "the store's own words are told"
    assert served.stranger.asked
    kept = [
        file.read_bytes()
        for file in served.cache.rglob("*")
        if file.is_file() and file.stat().st_size < 10**7
    ]
    assert not any(SECRET in text for text in (*answers, *served.log))
    assert not any(SECRET.encode() in content for content in kept)


def bait(url: str) -> Iterator[tuple[str, object]]:
    """Requests that name an address wherever one can be named: path, and body as JSON."""
    quoted = urllib.parse.quote(f"<{url}>")
    for query in (
        f"SELECT * FROM <{url}> {{ ?s ?p ?o }} LIMIT 1",
        f"SELECT * {{ SERVICE <{url}> {{ ?s ?p ?o }} }}",
        f"SELECT * {{ GRAPH <{url}> {{ ?s ?p ?o }} }}",
        f"LOAD <{url}>",
        f"DESCRIBE <{url}>",
    ):
        yield f"/sample/sparql?query={urllib.parse.quote(query)}", None
        yield "/explain", {"sparql": query}
    yield f"/sample/sparql?query=ASK%7B%7D&default-graph-uri={quoted}", None
    for program in (f"Find(<{url}>)->What()", f"FindAll()->FilterConcept(<{url}>)->Count()"):
        yield "/run", {"program": program}
        yield "/compile", {"program": program}
    question = f"Who directed {url}?"
    yield "/nlq", {"question": question, "pins": [{"step": 1, "argument": 0, "iri": url}]}
    yield "/nlq", {"question": "Who directed Fargo?", "dataset": url}


def test_no_request_names_an_address_that_is_then_asked(served: Served) -> None:
    before = len(served.stranger.asked)
    statuses = []
    for path, body in bait(f"{served.stranger.url}/bait"):
        response = HTTP.request("GET" if body is None else "POST", served.address + path, json=body)
        statuses.append(response.status)
    assert not [path for path in served.stranger.asked[before:] if "bait" in path]
    assert 200 in statuses
    assert max(statuses) < 500


def test_feedback_and_traces_need_an_id_that_nobody_guesses(served: Served) -> None:
    ids = {
        json.loads(body_of(served.address, "/nlq", {"question": f"How long is the Danube{'?' * n}"}))["id"]
        for n in range(1, 6)
    }
    assert len(ids) == 5
    assert all(len(one) >= 16 for one in ids)
    assert json.loads(body_of(served.address, "/traces/AAAAAAAAAAAAAAAA"))["status"] == 404
