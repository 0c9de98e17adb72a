"""The route of the document."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from nlq_gateway.edges.http.caching import revalidated
from nlq_gateway.edges.http.openapi.document import document


def routes() -> Blueprint:
    """`GET /openapi.json`, for any `Accept`: tools request other types than the document's."""
    blueprint = Blueprint("openapi", __name__)

    @blueprint.get("/openapi.json")
    def openapi() -> Response:
        return revalidated(jsonify(document()), private=False)

    return blueprint
