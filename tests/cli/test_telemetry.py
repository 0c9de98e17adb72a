"""Spans are sent to a collector where one is configured: a request, its stages, its queries, in one trace."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest
from model_servers import QUESTION as UNSURE
from model_servers import manners
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from protocol_server import ProtocolServer
from serving import HTTP, SECONDS, ask, get, running
from slow_store import SlowStore

from tests.clock import promptly, until

Written = Callable[[str, object], str]
TRACE, PARENT = "0af7651916cd43dd8448eb211c80319c", "b7ad6b7169203331"


@dataclass(frozen=True)
class Span:
    trace: str
    id: str
    parent: str
    name: str
    attributes: dict[str, str]


class Collector:
    """Takes spans as the OpenTelemetry protocol has them over HTTP."""

    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.services: set[str] = set()
        collector = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if self.path == "/v1/traces":
                    collector.take(ExportTraceServiceRequest.FromString(body))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self._server.server_port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def take(self, sent: Any) -> None:
        for resource in sent.resource_spans:
            named = {one.key: one.value.string_value for one in resource.resource.attributes}
            self.services.add(named["service.name"])
            for scope in resource.scope_spans:
                for span in scope.spans:
                    told = {one.key: one.value.string_value for one in span.attributes}
                    ids = (span.trace_id.hex(), span.span_id.hex(), span.parent_span_id.hex())
                    self.spans.append(Span(*ids, span.name, told))

    def named(self, name: str) -> list[Span]:
        return [span for span in self.spans if span.name == name]

    def close(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture
def collector() -> Iterator[Collector]:
    made = Collector()
    yield made
    made.close()


def test_a_question_is_a_trace_that_goes_on_at_the_store_and_the_model(
    environment: dict[str, str], written: Written, collector: Collector
) -> None:
    store, model = SlowStore(), ProtocolServer(manners())
    films = {"id": "films", "url": store.address, "dialect": "sparql11"}
    settings = {
        "endpoints": [{"id": "sample", "data": ["builtin:sample"]}, films],
        "model": {"backend": "openai", "url": model.url},
        "server": {"telemetry": {"endpoint": collector.address, "service": "answers"}},
    }
    config = written("nlq.yaml", json.dumps(settings))
    try:
        with running(environment, "serve", "--config", config, "--workers", "1") as (_, address):
            until(lambda: get(f"{address}/readyz")[0] == 200)
            sent = {"traceparent": f"00-{TRACE}-{PARENT}-01", "Content-Type": "application/json"}
            body = json.dumps({"question": UNSURE, "strategy": "code"})
            document = HTTP.request("POST", f"{address}/nlq", body=body, headers=sent).json()
            assert any(one.headers.get("traceparent", "")[3:35] == TRACE for one in model.requests)
            query = {"query": "ASK {}"}
            HTTP.request("GET", f"{address}/films/sparql", fields=query, headers=sent)
            assert store.headers["traceparent"].startswith(f"00-{TRACE}-")
        # What was left was sent at the end.
        [request] = collector.named("POST /nlq")
        assert (request.trace, request.parent) == (TRACE, PARENT)
        assert request.attributes["nlq.trace"] == document["id"]
        assert request.attributes["http.route"] == "/nlq"
        stages = {span.name for span in collector.spans if span.parent == request.id}
        assert {"link", "generate", "judge", "ground", "compile", "execute", "write"} <= stages
        execute = {span.id for span in collector.named("execute")}
        assert any(span.parent in execute for span in collector.named("store query"))
        assert any(
            span.attributes["server.address"] == store.address for span in collector.named("store query")
        )
        assert {span.trace for span in collector.spans} == {TRACE}
        assert collector.services == {"answers"}
        assert "Pulp" not in str(collector.spans)
    finally:
        store.close()
        model.close()


def test_the_standard_variable_will_do_and_a_collector_that_is_away_costs_nothing(
    environment: dict[str, str], collector: Collector
) -> None:
    told = {**environment, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.address, "OTEL_SERVICE_NAME": "named"}
    with running(told, "demo") as (_, address):
        assert ask(address)[0] == 200
    assert collector.services == {"named"}
    away = {**environment, "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:1"}
    with running(away, "demo") as (server, address):
        assert ask(address)[0] == 200
        with promptly(30):
            server.send_signal(signal.SIGTERM)
            assert server.wait(SECONDS) == 0


def test_a_collector_without_what_sends_to_it_is_refused(
    environment: dict[str, str], written: Written
) -> None:
    config = written(
        "nlq.yaml",
        "endpoints: [{id: s, data: ['builtin:sample']}]\nserver: {telemetry: {endpoint: 'http://c:4318'}}\n",
    )
    code = (
        "import sys, importlib.util as u; found = u.find_spec;"
        "u.find_spec = lambda name, *a: None if name.startswith('opentelemetry') else found(name, *a);"
        "from nlq_gateway.edges.cli import main;"
        f"sys.exit(main(['serve', '--port', '0', '--config', {config!r}]))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 2
    assert "pip install '.[telemetry]'" in done.stderr


def test_nothing_of_it_is_imported_where_none_is_configured() -> None:
    code = (
        "import sys, nlq_gateway.edges.server.serve, nlq_gateway.trace.recorder as r\n"
        "with r.Recorder().stage('link'): pass\n"
        "sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
