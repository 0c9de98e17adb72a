"""`/openapi.json`: it is valid, has every route, and its examples are what the sample graph answers."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from flask import Flask
from flask.testing import FlaskClient
from jsonschema import Draft202012Validator

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.http.openapi import document
from nlq_gateway.edges.http.openapi.document import examples
from nlq_gateway.edges.http.openapi.documents import EVENTS
from nlq_gateway.edges.http.openapi.operations import ANY, OPERATIONS
from nlq_gateway.edges.http.problems import KINDS
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import Settings
from tests.http.described import check
from tests.http.test_events import PROGRAM, read

EXAMPLES = Path(str(resources.files("nlq_gateway.edges.http.openapi"))) / "examples.json"
JSON = "application/json"
# The codes of those who say wrongly who they are.
CREDENTIALS = ("unauthorized", "forbidden")
# What differs from one asking to the next, or from one machine to another.
VOLATILE = {"id", "trace", "index_version", "ms", "timings_ms", "seconds", "score", "parts", "similarity"}


def routes(app: Flask) -> Iterator[tuple[str, str]]:
    """The path and the method of every route, but for files."""
    for rule in app.url_map.iter_rules():
        if rule.endpoint != "static":
            path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule)
            yield from ((path, method.lower()) for method in (rule.methods or set()) - {"HEAD", "OPTIONS"})


def test_every_route_is_described_and_nothing_else(app: Flask) -> None:
    assert sorted(routes(app)) == sorted((one.path, one.method) for one in OPERATIONS)


def test_operations_have_names_of_their_own() -> None:
    assert len({one.id for one in OPERATIONS}) == len(OPERATIONS)


def test_every_code_can_be_met() -> None:
    """Those of a problem, and of the document."""
    described = {code for one in OPERATIONS for code in (*ANY, *one.problems)}
    assert described == set(KINDS)


def test_the_codes_of_a_status_are_in_the_order_of_the_operation() -> None:
    """And not in that of a set, which each process has another of: the ETag is the same in all workers."""
    for one in OPERATIONS:
        codes = dict.fromkeys(
            code for code in (*ANY, *one.problems) if not (one.open and code in CREDENTIALS)
        )
        responses = document()["paths"][one.path][one.method]["responses"]
        for status in {KINDS[code].status for code in codes}:
            told = re.findall(r"`([a-z-]+)`:", responses[str(status)]["description"])
            assert told == [code for code in codes if KINDS[code].status == status]


def test_the_document_is_served(client: FlaskClient) -> None:
    response = client.get("/openapi.json")
    assert (response.mimetype, response.get_json()) == (JSON, document())


def test_the_document_is_openapi() -> None:
    """By the meta-schema of OpenAPI 3.1, which schemathesis has."""
    schemathesis.openapi.from_dict(document()).validate()


def test_all_that_is_referred_to_is_there() -> None:
    text = json.dumps(document())
    components = document()["components"]
    for kind, name in set(re.findall(r'"\$ref": "#/components/(\w+)/([\w-]+)"', text)):
        assert name in components[kind]
    for name in components["schemas"]:
        Draft202012Validator.check_schema(components["schemas"][name])


def test_each_operation_says_what_it_is() -> None:
    for path, methods in document()["paths"].items():
        for operation in methods.values():
            assert operation["summary"], path
            assert {"200", "400", "406", "500"} <= set(operation["responses"]), path


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[dict[str, Any]]:
    """The sample graph's present answers to the examples."""
    gateway, store = Pipeline(Settings.for_data(["builtin:sample"])), TraceStore(tmp_path / "traces.sqlite")
    gateway.endpoint("sample").prepare()
    yield asked_of(create_app(gateway, store).test_client())
    store.close()
    gateway.close()


def asked_of(client: FlaskClient) -> dict[str, Any]:
    asked: dict[str, Any] = {}
    places = {"dataset": "sample"}
    for operation in OPERATIONS:
        if not operation.example:
            continue
        path = operation.path.format_map(places)
        body = examples()[operation.example].get("request")
        query = {"q": "directed by", "limit": "1"} if operation.id == "searchSchema" else None
        response = client.open(path, method=operation.method, json=body, query_string=query)
        assert response.status_code == 200, response.text
        asked[operation.example] = response.get_json()
        places["trace_id"] = asked["ask"]["id"]
    return asked


def settled(data: Any) -> Any:
    if isinstance(data, dict):
        return {name: settled(part) for name, part in data.items() if name not in VOLATILE}
    return [settled(part) for part in data] if isinstance(data, list) else data


def test_examples_are_what_the_sample_graph_answers(
    answers: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    if request.config.getoption("--update-goldens"):
        kept = {name: {**one, "response": answers[name]} for name, one in examples().items()}
        EXAMPLES.write_text(json.dumps(kept, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        examples.cache_clear()
        document.cache_clear()
    assert set(answers) == set(examples())
    for name, answer in answers.items():
        assert settled(examples()[name]["response"]) == settled(answer), name


def test_every_example_is_of_its_schema() -> None:
    shown = 0
    for methods in document()["paths"].values():
        for operation in methods.values():
            contents = [operation.get("requestBody", {}), *operation["responses"].values()]
            for content in (one for holder in contents for one in holder.get("content", {}).values()):
                for example in content.get("examples", {}).values():
                    check(content["schema"], example["value"])
                    shown += 1
    assert shown >= len(examples())


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/nlq", {"question": "Which films were published after 1990 and before 1995?"}),
        ("/nlq", {"question": "Who is the grand vizier of Zorkmidia?"}),
        ("/run", {"program": PROGRAM}),
    ],
)
def test_events_are_of_their_schemas(client: FlaskClient, path: str, body: dict[str, Any]) -> None:
    described = document()["components"]["schemas"]["StreamEvent"]["oneOf"]
    events = [one["properties"] for one in described]
    schemas = {one["event"]["const"]: one["data"]["contentSchema"] for one in events}
    assert set(schemas) == set(EVENTS)
    told = read(client.post(path, json=body, headers={"Accept": "text/event-stream"}).text)
    for _, name, data in told:
        check(schemas[name], data)
