"""No route is answered past the gate: each asks for credentials and about its dataset, or is listed.

A route that is added fails here until somebody has decided what it asks.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pytest
from flask import Flask, Response, jsonify
from flask.testing import FlaskClient
from tokens import bearer
from werkzeug.routing import Rule

from nlq_gateway.edges.http.access.routes import ALL, DEMANDS, OPEN

Made = Callable[..., FlaskClient]

PUBLIC = {"/", "/static/<path:filename>", "/healthz", "/readyz", "/openapi.json", "/problems/<code>"}
PROGRAM = "FindAll()->Count()"
# How a route is asked about a dataset: the method, the address and the body. WITHOUT name none.
ASKED: dict[str, tuple[str, str, Any]] = {
    "/nlq": ("POST", "/nlq", {"question": "How many films are there?", "dataset": "{}"}),
    "/run": ("POST", "/run", {"program": PROGRAM, "dataset": "{}"}),
    "/compile": ("POST", "/compile", {"program": PROGRAM, "dataset": "{}"}),
    "/explain": (
        "POST",
        "/explain",
        {"sparql": "ASK { ?film a <http://films.example/Film> }", "dataset": "{}"},
    ),
    "/datasets/<dataset>/schema": ("GET", "/datasets/{}/schema", None),
    "/datasets/<dataset>/functions": ("GET", "/datasets/{}/functions", None),
    "/datasets/<dataset>/suggest": ("GET", "/datasets/{}/suggest?q=f", None),
    "/datasets/<dataset>/describe": ("GET", "/datasets/{}/describe?name=film", None),
    "/datasets/<dataset>/path": (
        "GET",
        "/datasets/{}/path?from=http://films.example/fargo&to=http://films.example/coen",
        None,
    ),
    "/text2sparql": ("GET", "/text2sparql?question=How+many+films+are+there%3F&dataset={}", None),
    "/<dataset>/sparql": ("GET", "/{}/sparql?query=ASK%7B%7D", None),
}
WITHOUT = {
    *("/sparql", "/datasets", "/metrics", "/traces/<trace_id>", "/traces/<trace_id>/feedback"),
    *("/feedback/<int:number>/approve", "/feedback/<int:number>/reject"),
    *("/v1/chat/completions", "/v1/models", "/v1/models/<path:name>"),
}


def rules(app: Flask) -> list[Rule]:
    return list(app.url_map.iter_rules())


def filled(rule: Rule) -> str:
    return (
        rule.rule.replace("<path:filename>", "page.css")
        .replace("<code>", "forbidden")
        .replace("<dataset>", "films")
        .replace("<path:name>", "films")
        .replace("<trace_id>", "some")
        .replace("<int:number>", "1")
    )


def ask(client: FlaskClient, asked: tuple[str, str, Any], dataset: str, headers: dict[str, str]) -> Any:
    method, path, body = asked
    sent = {**body, "dataset": dataset} if body else None
    return client.open(path.replace("{}", dataset), method=method, json=sent, headers=headers)


def test_what_is_open_is_what_the_contract_says() -> None:
    assert {rule for rule, demands in DEMANDS.items() if not demands.credentials} == PUBLIC
    assert all(demands.dataset or demands.everything for demands in DEMANDS.values() if demands is not OPEN)


def test_every_other_route_wants_credentials(closed: FlaskClient) -> None:
    for rule in rules(closed.application):
        for method in (rule.methods or set()) - {"OPTIONS"}:
            for headers in ({}, bearer("wrong"), {"Authorization": "Basic dGVhbS1hbGw6eA=="}):
                response = closed.open(filled(rule), method=method, headers=headers, buffered=True)
                assert (response.status_code == 401) == (rule.rule not in PUBLIC), (rule, method)


def test_every_route_is_asked_about_a_dataset_here(app_with: Callable[..., Flask]) -> None:
    told = {rule.rule for rule in rules(app_with())} - PUBLIC
    assert told <= set(ASKED) | WITHOUT, "say in ASKED how the new route is asked about a dataset"


@pytest.mark.parametrize("rule", ASKED)
@pytest.mark.parametrize("name", ["secret", "hidden"])
def test_names_of_datasets_cannot_be_tried_out(closed: FlaskClient, rule: str, name: str) -> None:
    """A dataset that is not for a client, under its id or alias, looks like one that there is not."""
    headers = bearer("t0ken-of-films")
    hidden, absent = (ask(closed, ASKED[rule], one, headers) for one in (name, "absent"))
    assert (hidden.status_code, absent.status_code) == (403, 403)
    assert hidden.text.replace(name, "absent") == absent.text


@pytest.mark.parametrize("rule", ASKED)
@pytest.mark.parametrize("name", ["secret", "hidden"])
def test_a_dataset_that_is_not_allowed_is_forbidden(closed: FlaskClient, rule: str, name: str) -> None:
    refused = ask(closed, ASKED[rule], name, bearer("t0ken-of-films"))
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/forbidden")
    assert "sparql" not in refused.get_json()
    assert ask(closed, ASKED[rule], "films", bearer("t0ken-of-films")).status_code == 200
    assert ask(closed, ASKED[rule], name, bearer("t0ken-of-all")).status_code == 200


@pytest.mark.parametrize("rule", ASKED)
def test_one_that_is_not_there_names_only_those_that_are_allowed(closed: FlaskClient, rule: str) -> None:
    refused = ask(closed, ASKED[rule], "nothing", bearer("t0ken-of-films"))
    assert (refused.status_code, refused.get_json()["type"]) == (403, "/problems/forbidden")
    assert "films" in refused.get_json()["hint"]
    assert "secret" not in refused.text
    unknown = ask(closed, ASKED[rule], "nothing", bearer("t0ken-of-all"))
    assert (unknown.status_code, unknown.get_json()["type"]) == (404, "/problems/unknown-dataset")


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", "/v1/models/{}", None),
        (
            "POST",
            "/v1/chat/completions",
            {"model": "{}", "messages": [{"role": "user", "content": "How many films are there?"}]},
        ),
    ],
)
def test_chats_are_about_datasets_that_are_allowed(
    closed: FlaskClient, method: str, path: str, body: Any
) -> None:
    def asked(dataset: str, token: str) -> Any:
        sent = {**body, "model": dataset} if body else None
        return closed.open(path.replace("{}", dataset), method=method, json=sent, headers=bearer(token))

    refused = asked("secret", "t0ken-of-films")
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (403, "forbidden")
    assert asked("secret", "t0ken-of-all").status_code == 200
    unknown = asked("nothing", "t0ken-of-films")
    assert unknown.status_code == 403
    assert unknown.text.replace("nothing", "secret") == refused.text
    assert asked("nothing", "t0ken-of-all").get_json()["error"]["code"] == "model_not_found"
    listed = closed.get("/v1/models", headers=bearer("t0ken-of-films")).get_json()["data"]
    assert [one["id"] for one in listed] == ["films"]


def test_without_a_dataset_it_is_the_first_that_is_allowed(closed: FlaskClient) -> None:
    body = {"question": "How many films are there?"}
    found = [
        closed.post("/nlq", json=body, headers=bearer(token)).get_json()["dataset"]
        for token in ("t0ken-of-all", "t0ken-of-films")
    ]
    assert found == ["secret", "films"]
    assert closed.get("/sparql?query=ASK%7B%7D", headers=bearer("t0ken-of-films")).status_code == 200


def test_only_datasets_that_are_allowed_are_listed(closed: FlaskClient) -> None:
    response = closed.get("/datasets", headers=bearer("t0ken-of-films"))
    assert [one["id"] for one in response.get_json()["datasets"]] == ["films"]
    assert "secret" not in response.text


def test_the_metrics_are_for_those_who_may_read_everything(closed: FlaskClient) -> None:
    assert closed.get("/metrics", headers=bearer("t0ken-of-films")).status_code == 403
    assert closed.get("/metrics", headers=bearer("t0ken-of-all")).status_code == 200


def test_readiness_names_datasets_to_those_who_may_read_them(closed: FlaskClient) -> None:
    assert closed.get("/readyz").get_json() == {"status": "ready", "endpoints": []}
    seen = closed.get("/readyz", headers=bearer("t0ken-of-films")).get_json()["endpoints"]
    assert [one["id"] for one in seen] == ["films"]


def test_a_trace_is_for_those_who_may_read_its_dataset(closed: FlaskClient) -> None:
    """And a trace that is not for a client looks like one that there is not: ids cannot be tried out."""
    body = {"question": "How many films are there?", "dataset": "secret"}
    trace = closed.post("/nlq", json=body, headers=bearer("t0ken-of-all")).get_json()["id"]
    assert closed.get(f"/traces/{trace}", headers=bearer("t0ken-of-all")).status_code == 200
    hidden = closed.get(f"/traces/{trace}", headers=bearer("t0ken-of-films"))
    absent = closed.get("/traces/absent", headers=bearer("t0ken-of-films"))
    assert (hidden.status_code, absent.status_code) == (404, 404)
    assert hidden.text.replace(trace, "absent") == absent.text
    judged = closed.post(
        f"/traces/{trace}/feedback", json={"correct": True}, headers=bearer("t0ken-of-films")
    )
    assert judged.status_code == 404
    own = closed.post("/nlq", json={**body, "dataset": "films"}, headers=bearer("t0ken-of-films")).get_json()
    assert closed.get(f"/traces/{own['id']}", headers=bearer("t0ken-of-films")).get_json() == own


def test_a_route_that_forgets_to_ask_is_not_answered(
    app_with: Callable[..., Flask], caplog: pytest.LogCaptureFixture
) -> None:
    app = app_with()

    @app.get("/forgetful")
    def forgetful() -> Response:
        return jsonify({"dataset": "secret"})

    with caplog.at_level(logging.ERROR):
        response = app.test_client().get("/forgetful")
    assert response.status_code == 500
    assert "secret" not in response.text
    assert "access/datasets.py" in caplog.text
    assert "/forgetful" not in DEMANDS
    assert ALL.credentials


def test_what_is_not_there_tells_nothing(closed: FlaskClient) -> None:
    assert closed.get("/nothing").status_code == 404
    assert closed.delete("/nlq").status_code == 405
    assert closed.options("/nlq").status_code == 200
