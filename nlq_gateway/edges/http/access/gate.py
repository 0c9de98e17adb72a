"""Before every request: credentials, rate, a turn. No route is answered past it."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from flask import Flask, Response, current_app, g, request

from nlq_gateway.core.errors import Forbidden, GatewayError, Overloaded, RateLimited, Unauthorized
from nlq_gateway.edges.clients import NOBODY, Credentials
from nlq_gateway.edges.http.access.cors import Cors
from nlq_gateway.edges.http.access.hosts import Hosts
from nlq_gateway.edges.http.access.proxies import BehindProxies
from nlq_gateway.edges.http.access.rates import Rates, address_of, limits_of
from nlq_gateway.edges.http.access.routes import ALL, DEMANDS, OPEN, Demands
from nlq_gateway.edges.http.access.turns import Release, Turns
from nlq_gateway.edges.http.leaving import ASKER
from nlq_gateway.settings import ServerSettings

# The application's extension that is called once a request has arrived with its body (server/threads.py).
ARRIVED = "nlq.arrived"
# The one that has its turns.
TURNS = "nlq.turns"
COUNTS = "rates.sqlite"

_log = logging.getLogger(__name__)


def guard(app: Flask, settings: ServerSettings, bound: str, shared: Path | None = None) -> None:
    """Let nothing through to the routes of `app` but what the settings allow.

    Args:
        app: has its routes; what it does before requests comes before the gate.
        settings: credentials, rates and concurrency.
        bound: the address that the server listens at.
        shared: a folder of the server's processes, which count rates together; None for one process.
    """
    limits, rates = settings.limits, limits_of(settings.rate)
    turns = app.extensions[TURNS] = Turns(limits.concurrency, limits.queue, limits.wait_ms / 1000)
    counted = Rates(rates, shared / COUNTS if shared else None) if rates else None
    gate = RequestGate(Credentials(settings.auth), counted, turns)
    cors = Cors(settings.cors, gate.credentials.header)
    # Credentials keep pages of other sites out by themselves: browsers do not have them.
    if settings.hosts or settings.auth.type == "none":
        app.before_request(Hosts(bound, settings.hosts).admit)
    app.before_request(cors.preflight)
    app.before_request(gate.admit)
    app.after_request(cors.finish)
    app.after_request(gate.leave)
    app.teardown_request(gate.end)
    app.wsgi_app = BehindProxies(app.wsgi_app, settings.trusted_proxies)  # type: ignore[method-assign]


class RequestGate:
    """Admits requests to the routes, and checks that each route has resolved its dataset."""

    def __init__(self, credentials: Credentials, rates: Rates | None, turns: Turns) -> None:
        self.credentials = credentials
        self._rates = rates
        self._turns = turns

    def admit(self) -> None:
        """Note who asks, once it may; raises GatewayError."""
        demands = demands_of_route()
        try:
            self._admit(demands)
        except GatewayError as error:
            _tell(error)
            raise

    def leave(self, response: Response) -> Response:
        """Add the headers of rates; a streamed response gives its turn back at its end."""
        response = _checked(response)
        if "standing" in g:
            response.headers.update(g.standing.headers())
        if "release" in g and response.is_streamed:
            release = g.pop("release")
            response.response = _until_end(response.response, release)
            # A generator that is closed before its first step runs no `finally`.
            response.call_on_close(release)
        return response

    def end(self, _: BaseException | None) -> None:
        """Give the turn back, where the response does not do so itself."""
        if "release" in g:
            g.pop("release")()

    def _admit(self, demands: Demands) -> None:
        g.client = NOBODY
        if request.method == "OPTIONS":
            return _arrived()
        try:
            g.client = self.credentials.client(request.headers)
        except Unauthorized:
            if demands.credentials:
                self._count()
                raise
        if demands.everything and g.client.datasets is not None:
            raise Forbidden("this is for clients that may read all datasets")
        request.environ[ASKER] = _who()
        if demands.counted:
            self._count()
        if demands is not OPEN:
            request.get_data()
        _arrived()
        if demands.queued:
            g.release = self._turns.take()
        return None

    def _count(self) -> None:
        """Count the request for its client, or for the address of one without credentials."""
        if self._rates:
            standing = self._rates.take(_who())
            if standing:
                g.standing = standing


def _who() -> str:
    """The client by its name, or by the address of one without credentials."""
    return g.client.name or address_of(request.remote_addr)


def demands_of_route() -> Demands:
    """The requirements of the current request's route; none for an unknown address."""
    rule = request.url_rule
    return OPEN if rule is None else DEMANDS.get(rule.rule, ALL)


def _arrived() -> None:
    if arrived := current_app.extensions.get(ARRIVED):
        arrived()


def _tell(error: GatewayError) -> None:
    if isinstance(error, Overloaded | RateLimited | Unauthorized | Forbidden):
        who = g.client.name or request.remote_addr
        _log.info("%s %s of %s: %s", request.method, request.url_rule, who, error.message)


def _checked(response: Response) -> Response:
    """The response, unless a route that tells of a dataset has not asked whether it may."""
    unasked = demands_of_route().dataset and not g.get("datasets_checked")
    if not unasked or response.status_code >= 400 or request.method == "OPTIONS":
        return response
    raise AssertionError(f"{request.url_rule} asks no access/datasets.py, and is not in access/routes.py")


def _until_end(parts: Iterable[Any], release: Release) -> Iterator[Any]:
    try:
        yield from parts
    finally:
        if callable(close := getattr(parts, "close", None)):
            close()
        release()
