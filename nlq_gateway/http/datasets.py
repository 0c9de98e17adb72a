"""`/datasets`: what a client can ask, the default first, and how."""

from __future__ import annotations

from flask import Blueprint, Response, jsonify

from nlq_gateway.http.access import readable
from nlq_gateway.pipeline import Gateway


def routes(gateway: Gateway) -> Blueprint:
    """`GET /datasets`."""
    blueprint = Blueprint("datasets", __name__)

    @blueprint.get("/datasets")
    def datasets() -> Response:
        model = {"model": gateway.model.describe()} if gateway.model else {}
        return jsonify(
            {
                "datasets": [endpoint.describe() for endpoint in readable(gateway)],
                "strategies": list(gateway.strategies),
                **model,
            }
        )

    return blueprint
