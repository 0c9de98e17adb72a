"""The canned responses are such as the gateway sends, by the schemas of its OpenAPI document."""

from __future__ import annotations

from typing import Any

import pytest
from canned_gateway import Case, canned, cases, events_of

from nlq_gateway.edges.http.openapi import document
from tests.http.described import check


@pytest.mark.parametrize("case", [*cases()], ids=lambda case: case["question"])
def test_what_is_told_of_a_question_fits_its_schemas(case: Case) -> None:
    """Each event; that of the answer, or of the problem, is the response without a stream."""
    described = document()["components"]["schemas"]["StreamEvent"]["oneOf"]
    schemas = {one["properties"]["event"]["const"]: one["properties"]["data"] for one in described}
    for name, data in events_of(case):
        check(schemas[name]["contentSchema"], data)


@pytest.mark.parametrize(
    ("path", "response"),
    [
        ("/datasets", {**canned("datasets"), "feedback": "review"}),
        ("/datasets/{dataset}/functions", canned("functions")),
        ("/datasets/{dataset}/schema", canned("schema")),
    ],
)
def test_what_is_told_of_a_dataset_fits_its_schema(path: str, response: Any) -> None:
    answer = document()["paths"][path]["get"]["responses"]["200"]
    check(answer["content"]["application/json"]["schema"], response)
