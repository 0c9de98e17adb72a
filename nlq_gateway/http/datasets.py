"""`/datasets`: what a client can ask, the default first, and how."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response, jsonify

from nlq_gateway.endpoints import Endpoint
from nlq_gateway.http.access import readable
from nlq_gateway.http.store_pages import store_page
from nlq_gateway.pipeline import Gateway


def routes(gateway: Gateway) -> Blueprint:
    """`GET /datasets`."""
    blueprint = Blueprint("datasets", __name__)

    @blueprint.get("/datasets")
    def datasets() -> Response:
        model = {"model": gateway.model.describe()} if gateway.model else {}
        return jsonify(
            {
                "datasets": [_entry(endpoint) for endpoint in readable(gateway)],
                "strategies": list(gateway.strategies),
                "feedback": gateway.settings.server.feedback,
                **model,
            }
        )

    return blueprint


def _entry(endpoint: Endpoint) -> dict[str, Any]:
    entry = endpoint.describe()
    page = store_page(endpoint.settings, entry["dialect"])
    return entry if page is None else {**entry, "store_ui": page}
