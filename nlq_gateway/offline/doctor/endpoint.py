"""The checks of one endpoint, in their order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack

from connectors.base import Connector
from connectors.errors import DataError, EndpointError, EndpointUnauthorized, EndpointUnreachable
from nlq_gateway.endpoints.connection import connected
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.offline.doctor.checks import bounds, content, reach
from nlq_gateway.offline.doctor.finding import Finding, Found
from nlq_gateway.offline.doctor.patient import Check, Patient
from nlq_gateway.settings import EndpointSettings

Connected = tuple[Connector, str]
Connect = Callable[[EndpointSettings], Connected]

# The first one that cannot be made ends the examination: the others would all say the same.
CHECKS: dict[str, Check] = {
    "reachable": reach.reachable,
    "login": reach.login,
    "product": reach.product,
    "updates": reach.updates,
    "graphs": content.graphs,
    "rows": bounds.rows,
    "timeouts": bounds.timeouts,
    "layout": content.layout,
    "labels": content.labels,
    "full text": content.full_text,
    "index": content.index,
}
_ENDING = (EndpointUnreachable, EndpointUnauthorized)


def examine(endpoint: Endpoint, *, try_update: bool = False) -> Iterator[Finding]:
    """Yield the findings of the checks, in order.

    Args:
        endpoint: may be unprepared, and stays so.
        try_update: True to send an update that changes nothing, to see if it is refused.
    """
    started = time.perf_counter()
    with ExitStack() as opened:

        def connect(wanted: EndpointSettings) -> Connected:
            made = connected(wanted, endpoint.folder)
            opened.callback(made[0].close)
            return made

        for name, found in _examined(endpoint, connect, try_update):
            now = time.perf_counter()
            yield Finding(endpoint.settings.id, name, found, (now - started) * 1000)
            started = now


def _examined(endpoint: Endpoint, connect: Connect, try_update: bool) -> Iterator[tuple[str, Found]]:
    """Yield the findings, each with the name of its check."""
    try:
        connector, content = connect(endpoint.settings)
        patient = Patient(endpoint, connector, content, lambda wanted: connect(wanted)[0], try_update)
    except (EndpointError, DataError) as error:
        yield "reachable", _failed(error)
        return
    for name, check in CHECKS.items():
        try:
            for found in check(patient):
                yield name, found
        except EndpointError as error:
            yield name, _failed(error)
            if isinstance(error, _ENDING) or name == "reachable":
                return


def _failed(error: EndpointError | DataError) -> Found:
    detail = getattr(error, "detail", "")
    return Found("error", error.message, error.hint, (detail,) if detail else ())
