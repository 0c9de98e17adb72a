"""`/datasets`: what a client can ask, the default first, and how."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from flask import Blueprint, Response, jsonify

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http.access import readable
from nlq_gateway.edges.http.store_pages import store_page
from nlq_gateway.endpoints.endpoint import Endpoint


def routes(pipeline: Pipeline) -> Blueprint:
    """`GET /datasets`."""
    blueprint = Blueprint("datasets", __name__)

    @blueprint.get("/datasets")
    def datasets() -> Response:
        server = pipeline.settings.server
        model = {"model": pipeline.model.describe()} if pipeline.model else {}
        yasgui = {"yasgui": server.yasgui} if asks_from(server.yasgui, server.cors) else {}
        return jsonify(
            {
                "datasets": [_entry(endpoint) for endpoint in readable(pipeline)],
                "strategies": list(pipeline.strategies),
                "feedback": server.feedback,
                **({"pictures": list(server.pictures)} if server.pictures else {}),
                **yasgui,
                **model,
            }
        )

    return blueprint


def asks_from(page: str, origins: Sequence[str]) -> bool:
    """True if a page of another host may call this gateway."""
    parts = urlsplit(page)
    return page != "none" and bool({"*", f"{parts.scheme}://{parts.netloc}"} & {*origins})


def _entry(endpoint: Endpoint) -> dict[str, Any]:
    entry = endpoint.describe()
    page = store_page(endpoint.settings, entry["dialect"])
    return entry if page is None else {**entry, "store_ui": page}
