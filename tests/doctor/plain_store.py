"""A SPARQL store over real sockets, with the manners that a test gives it."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from werkzeug.serving import make_server
from werkzeug.wrappers import Request, Response

from connectors import EmbeddedOxigraph

JSON = "application/sparql-results+json"


@dataclass(frozen=True)
class Manners:
    """The behaviour of the store.

    `cap`: it silently sends no more rows. `login`: user and password that it wants. `update`: the status with
    which it answers what is sent to /update. `updates` are the texts that were sent there.
    """

    cap: int | None = None
    login: tuple[str, str] | None = None
    update: int = 404
    updates: list[str] = field(default_factory=list)


@contextmanager
def serving(graph: EmbeddedOxigraph, manners: Manners) -> Iterator[str]:
    """The URL of a store that holds the graph."""

    @Request.application
    def store(request: Request) -> Response:
        given = request.authorization
        if manners.login and (not given or (given.username, given.password) != manners.login):
            return Response("who are you?", 401, {"WWW-Authenticate": 'Basic realm="store"'})
        if request.path == "/update":
            manners.updates.append(request.form["update"])
            return Response("", manners.update)
        text = request.values.get("query", "")
        if not text.lstrip().startswith(("SELECT", "ASK")):
            return Response("no query", 400)
        answer = json.loads(graph.raw(text, JSON).body)
        if manners.cap is not None and "results" in answer:
            del answer["results"]["bindings"][manners.cap :]
        return Response(json.dumps(answer), content_type=JSON)

    server = make_server("127.0.0.1", 0, store, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,))
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/sparql"
    finally:
        server.shutdown()
        thread.join(10)
        server.server_close()
