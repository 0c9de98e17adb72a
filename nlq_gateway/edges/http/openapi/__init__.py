"""`/openapi.json`: the interface for programs (OpenAPI 3.1).

operations.py   one row for each operation
documents/      the shapes of responses
document.py     both, with the models that requests are read with, as one document
examples.json   requests with the sample graph's answers
"""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from nlq_gateway.edges.http.negotiation import revalidated
from nlq_gateway.edges.http.openapi.document import document

__all__ = ["document", "routes"]


def routes() -> Blueprint:
    """`GET /openapi.json`, for any `Accept`: tools request other types than the document's."""
    blueprint = Blueprint("openapi", __name__)

    @blueprint.get("/openapi.json")
    def openapi() -> Response:
        return revalidated(jsonify(document()), private=False)

    return blueprint
