"""`/`: the page. Its other files are served by Flask from `/static`."""

from __future__ import annotations

from flask import Blueprint, Response, current_app


def routes() -> Blueprint:
    """`GET /`."""
    blueprint = Blueprint("page", __name__)

    @blueprint.get("/")
    def page() -> Response:
        return current_app.send_static_file("index.html")

    return blueprint
