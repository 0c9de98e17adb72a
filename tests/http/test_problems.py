"""Responses to wrong requests, and the parts of every response."""

from __future__ import annotations

import io
import json
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from compilers.compile import compile_program
from compilers.kopl.notations import read_program
from connectors.errors import EndpointTimeout
from connectors.results import Result
from nlq_gateway.answering import Pipeline
from nlq_gateway.core import checkpoint
from nlq_gateway.core.errors import KNOWN_ERRORS, NotReady
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.http.app import content_policy
from nlq_gateway.edges.http.problems import KINDS
from nlq_gateway.edges.http.problems.kinds import public_code
from nlq_gateway.edges.http.problems.responses import from_error
from nlq_gateway.edges.trace_store import TraceStore

PROBLEM = "application/problem+json"
EXTENDED = "FindAll()->Exists()"
BAD_TYPE = [
    {"function": "Find", "inputs": ["Pulp Fiction"], "dependencies": []},
    {"function": "VerifyStr", "inputs": ["x"], "dependencies": [0]},
]


def pin(step: int = 1, argument: int = 0, iri: str = "a:b") -> dict[str, object]:
    return {"step": step, "argument": argument, "iri": iri}


PINNED = "Find(Pulp Fiction)->What()"

# The path, the body as JSON or bytes; the status, the code, and words of detail or hint.
REFUSALS = [
    ("/nlq", {"question": ""}, 400, "invalid-request", "empty"),
    ("/nlq", {"question": " \n\t"}, 400, "invalid-request", "empty"),
    ("/nlq", {}, 400, "invalid-request", "question"),
    ("/nlq", {"question": 7}, 400, "invalid-request", "question"),
    ("/nlq", {"question": "x" * 100_000}, 413, "too-large", "2000"),
    ("/nlq", {"question": "x" * 300_000}, 413, "too-large", ""),
    ("/nlq", {"question": "x", "dataset": "other"}, 404, "unknown-dataset", "sample"),
    ("/nlq", {"question": "x", "datset": "sample"}, 400, "invalid-request", "did you mean dataset?"),
    ("/nlq", {"qestion": "x"}, 400, "invalid-request", "qestion: unknown key; question: this key is missing"),
    ("/nlq", {"qestion": "x"}, 400, "invalid-request", "did you mean question?"),
    ("/nlq", {"question": "x", "strategy": "steps"}, 503, "model-unavailable", "auto"),
    ("/nlq", {"question": "x", "strategy": "other"}, 400, "invalid-request", "decompose"),
    ("/nlq", {"question": "x", "execute": "false"}, 400, "invalid-request", "execute"),
    ("/nlq", {"question": "x", "max_rows": 0}, 400, "invalid-request", "max_rows"),
    ("/nlq", {"question": "x", "timeout_ms": -1}, 400, "invalid-request", "timeout_ms"),
    ("/nlq", {"question": "x", "lang": "en\n"}, 400, "invalid-request", "lang"),
    ("/nlq", {"question": "x", "pins": [pin(step=0)]}, 400, "invalid-request", "pins[0].step"),
    ("/nlq", {"question": "x", "pins": [pin(iri="a:b> ?x")]}, 400, "invalid-request", "iri"),
    ("/run", {"program": [{"function": ""}]}, 400, "invalid-program", "function"),
    ("/nlq", {"question": "x", "pins": [pin(), pin(iri="a:c")]}, 400, "invalid-request", "more than once"),
    ("/run", {"program": PINNED, "pins": [pin(), pin(iri="a:c")]}, 400, "invalid-request", "more than once"),
    ("/nlq", b"", 400, "invalid-request", "line 1, column 1"),
    ("/nlq", b'{"question": ', 400, "invalid-request", "line 1, column 14"),
    ("/nlq", b'{"question": "a"}{', 400, "invalid-request", "line 1, column 18"),
    ("/nlq", b'["question"]', 400, "invalid-request", "object"),
    ("/nlq", b'{"question": NaN}', 400, "invalid-request", "NaN"),
    ("/nlq", b'{"question": "\\ud800"}', 400, "invalid-request", "surrogate"),
    ("/nlq", b'{"question": "\xff"}', 400, "invalid-request", "byte 14"),
    ("/nlq", b"[" * 200_000, 400, "invalid-request", "deep"),
    ("/nlq", b'{"max_rows": ' + b"9" * 5_000 + b"}", 400, "invalid-request", ""),
    ("/run", {"program": BAD_TYPE}, 400, "invalid-program", "step 2"),
    ("/run", {"program": "Fnd(x)"}, 400, "invalid-program", "Find"),
    ("/run", {"program": 7}, 400, "invalid-program", ""),
    ("/run", {"program": []}, 400, "invalid-program", ""),
    ("/run", {}, 400, "invalid-request", "program"),
    ("/run", {"program": "FindAll()", "pins": [pin(step=9)]}, 400, "invalid-request", "step 9"),
    ("/run", {"program": EXTENDED, "strict": True}, 400, "invalid-program", "Exists"),
    ("/run", {"program": EXTENDED, "strict": 1}, 400, "invalid-request", "strict"),
    ("/compile", {"program": EXTENDED, "strict": True}, 400, "invalid-program", "Exists"),
    ("/nlq", {"question": "x", "strict": True}, 400, "invalid-request", "strict"),
    ("/explain", {"sparql": "SELECT {"}, 400, "query-refused", "line 1"),
    ("/explain", {"sparql": "DESCRIBE <urn:a>"}, 422, "unsupported-program", "only SELECT and ASK"),
    ("/explain", {"sparql": "ASK { ?a <urn:none> ?b }"}, 422, "unsupported-program", "<urn:none>"),
    ("/explain", {"sparql": "("  * 20_001}, 400, "invalid-request", "sparql"),
    ("/compile", {"program": BAD_TYPE}, 400, "invalid-program", "step 2"),
    ("/compile", {"program": "What()", "dialect": "virtuso"}, 400, "invalid-request", "mean virtuoso?"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "status", "code", "words"), REFUSALS)
def test_a_wrong_request_is_a_problem_that_says_why(
    client: FlaskClient, path: str, body: object, status: int, code: str, words: str
) -> None:
    data = body if isinstance(body, bytes) else json.dumps(body).encode()
    response = client.post(path, data=data, content_type="application/json")
    document = response.get_json()
    assert (response.status_code, response.mimetype) == (status, PROBLEM), document
    assert (document["status"], document["type"]) == (status, f"/problems/{code}")
    assert words in f"{document['detail']} {document.get('hint', '')}"
    assert "Traceback" not in response.text
    assert document["title"]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("", "question"),
        ("question=a&question=b", "2 times"),
        ("q=a&question=b", "q: unknown"),
        ("question=a&max_rows=x", "max_rows"),
    ],
)
def test_a_wrong_query_string_is_refused(client: FlaskClient, query: str, words: str) -> None:
    response = client.get(f"/nlq?{query}")
    assert response.status_code == 400
    assert words in response.get_json()["detail"]


def test_a_body_in_chunks_is_not_cut_in_silence(client: FlaskClient) -> None:
    body = json.dumps({"question": "x"}).encode() + b" " * 300_000
    response = client.post(
        "/nlq",
        input_stream=io.BytesIO(body),
        content_type="application/json",
        environ_overrides={"wsgi.input_terminated": True},
    )
    assert response.status_code == 413


def test_every_breach_of_a_program_is_listed_with_the_program(client: FlaskClient) -> None:
    document = client.post("/run", json={"program": "Find()->Relate(x, up)->What()"}).get_json()
    assert {issue["step"] for issue in document["issues"]} == {1, 2}
    assert all(issue["code"] and issue["hint"] for issue in document["issues"])
    assert document["program"]["steps"][1]["inputs"] == ["x", "up"]


@pytest.mark.parametrize(
    ("method", "path", "data", "content_type", "status"),
    [
        ("POST", "/nlq", b"question=x", "application/x-www-form-urlencoded", 415),
        ("POST", "/nlq", b'{"question": "x"}', "text/plain", 415),
        ("POST", "/run", b"{}", None, 415),
        ("PUT", "/nlq", None, None, 405),
        ("GET", "/run", None, None, 405),
        ("DELETE", "/datasets", None, None, 405),
        ("GET", "/nothing", None, None, 404),
        ("GET", "/static/../app.py", None, None, 404),
        ("GET", "/static/%2e%2e/app.py", None, None, 404),
        ("GET", "/traces/nothing", None, None, 404),
        ("GET", "/problems/nothing", None, None, 404),
    ],
)
def test_routing_ends_in_problems_too(
    client: FlaskClient, method: str, path: str, data: bytes | None, content_type: str | None, status: int
) -> None:
    response = client.open(path, method=method, data=data, content_type=content_type)
    assert (response.status_code, response.mimetype) == (status, PROBLEM)
    assert ("Allow" in response.headers) == (status == 405)


@pytest.mark.parametrize("path", ["/nlq", "/run"])
@pytest.mark.parametrize("accept", ["application/json", "application/sparql-results+json"])
@pytest.mark.parametrize("dataset", ["away", "https://away.example/"])
def test_a_store_that_is_down_is_no_empty_answer(
    client: FlaskClient, path: str, accept: str, dataset: str
) -> None:
    body = {
        "dataset": dataset,
        **({"question": "x"} if path == "/nlq" else {"program": "FindAll()->Count()"}),
    }
    response = client.post(path, json=body, headers={"Accept": accept})
    document = response.get_json()
    assert (response.status_code, response.mimetype) == (502, PROBLEM)
    assert document["type"] == "/problems/endpoint-unreachable"
    assert document["retryable"] is True


def test_one_store_that_is_down_leaves_the_others_alone(client: FlaskClient) -> None:
    response = client.get("/readyz")
    assert response.status_code == 200
    assert "away is down" in response.get_json()["detail"]
    assert "sample" not in response.get_json()["detail"]
    assert client.post("/nlq", json={"question": "Who directed Pulp Fiction?"}).status_code == 200
    assert client.get("/healthz").status_code == 200


def test_the_strict_way_wants_every_store(
    gateway: Pipeline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = gateway.settings.server.model_copy(update={"ready": "all"})
    monkeypatch.setattr(gateway, "settings", gateway.settings.model_copy(update={"server": server}))
    store = TraceStore(tmp_path / "traces.sqlite")
    response = create_app(gateway, store).test_client().get("/readyz")
    assert response.status_code == 503
    assert response.headers["Retry-After"]
    assert "away is down" in response.get_json()["detail"]
    store.close()


def leaves(error: type[Exception]) -> Iterator[type[Exception]]:
    """An error and all below it that a request may meet: exploring and clients have their own."""
    if not error.__module__.startswith(("nlq_gateway.offline.exploration", "nlq_gateway.client.")):
        yield error
    for below in error.__subclasses__():
        yield from leaves(below)


@pytest.mark.parametrize("error", [leaf for known in KNOWN_ERRORS for leaf in leaves(known)])
def test_every_error_has_a_status(error: type[Exception]) -> None:
    assert public_code(error.__new__(error)) in KINDS


@pytest.mark.parametrize("code", KINDS)
def test_every_problem_is_explained(client: FlaskClient, code: str) -> None:
    page = client.get(f"/problems/{code}")
    assert (page.status_code, page.mimetype) == (200, "text/html")
    assert KINDS[code].title.replace("'", "&#39;") in page.text
    text = client.get(f"/problems/{code}", headers={"Accept": "text/plain"})
    assert text.text.startswith(f"{code} (HTTP {KINDS[code].status})")


def test_an_unexpected_fault_is_logged_and_not_shown(app: Flask, caplog: pytest.LogCaptureFixture) -> None:
    @app.get("/fault")
    def fault() -> str:
        raise ZeroDivisionError("secret detail")

    with caplog.at_level(logging.ERROR):
        response = app.test_client().get("/fault", headers={"X-Request-Id": "abc"})
    assert (response.status_code, response.mimetype) == (500, PROBLEM)
    assert "secret detail" not in response.text
    assert "abc" in response.get_json()["detail"]
    assert "request abc failed" in caplog.text
    assert "ZeroDivisionError: secret detail" in caplog.text


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (EndpointTimeout("too slow", endpoint="e", hint="ask for less"), 504, "endpoint-timeout"),
        (NotReady("wait", hint="a little"), 503, "overloaded"),
    ],
)
def test_an_error_keeps_its_hint_and_whether_a_retry_helps(
    app: Flask, error: Exception, status: int, code: str
) -> None:
    @app.get("/fault")
    def fault() -> str:
        raise error

    response = app.test_client().get("/fault")
    document = response.get_json()
    assert (response.status_code, document["type"]) == (status, f"/problems/{code}")
    assert (document["hint"], document["retryable"]) == (error.hint, True)  # type: ignore[attr-defined]
    assert ("Retry-After" in response.headers) == (status == 503)


def test_a_question_whose_processor_time_is_spent_is_told(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(checkpoint, "LEAST_MS", 0)
    response = client.post("/nlq", json={"question": "Who directed Heat?", "timeout_ms": 1})
    document = response.get_json()
    assert (response.status_code, document["type"]) == (504, "/problems/question-timeout")
    assert not document["retryable"]


def test_traces_that_cannot_be_kept_do_not_cost_the_answer(gateway: Pipeline, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    client = create_app(gateway, TraceStore(blocked / "traces.sqlite")).test_client()
    answered = client.post("/nlq", json={"question": "Who directed Pulp Fiction?"})
    assert (answered.status_code, answered.get_json()["answer"]["text"]) == (200, "Quentin Tarantino")
    assert "trace-not-kept" in [warning["code"] for warning in answered.get_json()["warnings"]]
    assert "Link" not in answered.headers
    for asked in (
        client.get(f"/traces/{answered.get_json()['id']}"),
        client.post("/traces/any/feedback", json={"correct": True}),
    ):
        assert (asked.status_code, asked.get_json()["type"]) == (503, "/problems/traces-unavailable")
        assert "Retry-After" in asked.headers


@pytest.mark.parametrize("path", ["/", "/nlq", "/datasets", "/static/page.css", "/nothing", "/healthz"])
@pytest.mark.parametrize("method", ["GET", "HEAD", "OPTIONS"])
def test_every_response_is_guarded(client: FlaskClient, path: str, method: str) -> None:
    response = client.open(path, method=method, buffered=True)
    assert "default-src 'self'" in response.headers["Content-Security-Policy"]
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert len(response.headers["X-Request-Id"]) == 16
    assert method != "HEAD" or not response.data


def test_pictures_come_from_the_origins_that_the_settings_name_alone() -> None:
    assert "img-src" not in content_policy(())
    policy = content_policy(("https://images.example.org", "http://intranet:8080"))
    assert policy.endswith("; img-src 'self' https://images.example.org http://intranet:8080")


def test_the_request_id_of_a_proxy_is_kept_where_it_is_one(client: FlaskClient) -> None:
    assert client.get("/healthz", headers={"X-Request-Id": "a-1"}).headers["X-Request-Id"] == "a-1"
    assert client.get("/healthz", headers={"X-Request-Id": "a b"}).headers["X-Request-Id"] != "a b"


def test_the_page_and_its_files_are_served(client: FlaskClient) -> None:
    page = client.get("/", buffered=True)
    assert page.mimetype == "text/html"
    assert 'src="static/js/page.js"' in page.text
    script = client.get("/static/js/page.js", buffered=True)
    assert script.mimetype in ("text/javascript", "application/javascript")


def test_a_failed_query_is_told_with_its_program(app: Flask, gateway: Pipeline) -> None:
    program = read_program("Find(Danube)->QueryAttr(length)")
    error = EndpointTimeout("no answer in time", endpoint="http://store.example/sparql")
    error.made = compile_program(*gateway.bind(program))
    with app.test_request_context("/nlq"):
        document = json.loads(from_error(error).get_data())
    assert document["status"] == 504
    assert [step["function"] for step in document["program"]["steps"]] == ["Find", "QueryAttr"]
    assert "world:Danube" in document["sparql"]["text"]


def test_a_program_that_the_store_does_not_answer_is_told_with_its_query(
    client: FlaskClient, gateway: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    def late(*_: object, **__: object) -> Result:
        raise EndpointTimeout("no answer in time", endpoint="http://store.example/sparql")

    monkeypatch.setattr(gateway.endpoint("sample"), "select", late)
    response = client.post("/run", json={"program": "Find(Danube)->QueryAttr(length)"})
    document = response.get_json(force=True)
    assert (response.status_code, document["type"]) == (504, "/problems/endpoint-timeout")
    assert [step["function"] for step in document["program"]["steps"]] == ["Find", "QueryAttr"]
    assert "world:Danube" in document["sparql"]["text"]
