"""A client that holds every response against `/openapi.json`."""

from __future__ import annotations

import copy
import re
from functools import lru_cache
from typing import Any

from flask.testing import FlaskClient
from jsonschema import Draft202012Validator
from werkzeug.exceptions import HTTPException
from werkzeug.test import TestResponse

from nlq_gateway.edges.http.openapi import document

# What werkzeug answers itself, for every route.
UNDESCRIBED = ("OPTIONS",)


class DescribedClient(FlaskClient):
    """A test client for which an undocumented status, media type or member of a response is a failure."""

    def open(self, *arguments: Any, **options: Any) -> TestResponse:
        response = super().open(*arguments, **options)
        if not response.history:
            hold(self.application.url_map.bind("localhost"), response)
        return response


def hold(routes: Any, response: TestResponse) -> None:
    """Fail where the response is none that the document has for its request."""
    method = response.request.method
    if method in UNDESCRIBED or response.request.path.startswith("/static/"):
        return
    try:
        rule, _ = routes.match(response.request.path, method, return_rule=True)
    except HTTPException:
        return
    path = re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", str(rule.rule))
    described = document()["paths"][path]["get" if method == "HEAD" else method.lower()]["responses"]
    assert str(response.status_code) in described, (method, path, response.status_code)
    answer = described[str(response.status_code)]
    if "content" not in answer or method == "HEAD":
        return
    assert response.mimetype in answer["content"], (method, path, response.mimetype)
    if response.is_json or response.mimetype.endswith("+json"):
        check(answer["content"][response.mimetype]["schema"], response.get_json(force=True))


def check(schema: dict[str, Any], data: Any) -> None:
    """Fail where data are not of a schema of the document, or have members that it does not list."""
    whole = {**schema, "components": closed()}
    errors = [
        f"{error.json_path}: {error.message[:500]}" for error in Draft202012Validator(whole).iter_errors(data)
    ]
    assert not errors, errors


@lru_cache(maxsize=1)
def closed() -> dict[str, Any]:
    """The document's components, without room for members that are not listed."""
    components: dict[str, Any] = copy.deepcopy(document()["components"])
    for schema in components["schemas"].values():
        if "properties" in schema:
            schema["additionalProperties"] = False
    return components
