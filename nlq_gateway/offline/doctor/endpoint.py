"""The checks of one endpoint, in their order."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass

from connectors.base import Connector
from connectors.errors import DataError, EndpointError, EndpointUnauthorized, EndpointUnreachable
from nlq_gateway.endpoints.connection import connected
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.offline.doctor.checks import bounds, content, reach, updates
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
    "updates": updates.updates,
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
    with ExitStack() as opened:

        def connect(wanted: EndpointSettings) -> Connected:
            made = connected(wanted, endpoint.folder)
            opened.callback(made[0].close)
            return made

        yield from _examined(endpoint, connect, try_update)


@dataclass(slots=True)
class _Clock:
    """Milliseconds since it was last read."""

    at: float

    def read(self) -> float:
        now = time.perf_counter()
        ms, self.at = (now - self.at) * 1000, now
        return ms


def _examined(endpoint: Endpoint, connect: Connect, try_update: bool) -> Iterator[Finding]:
    settings = endpoint.settings
    clock = _Clock(time.perf_counter())
    try:
        connector, content = connect(settings)
        patient = Patient(endpoint, connector, content, lambda wanted: connect(wanted)[0], try_update)
    except (EndpointError, DataError) as error:
        yield Finding(settings.id, "reachable", _failed(error), clock.read())
        return
    for name, check in CHECKS.items():
        try:
            for found in check(patient):
                yield Finding(settings.id, name, found, clock.read())
        except EndpointError as error:
            yield Finding(settings.id, name, _failed(error), clock.read())
            if isinstance(error, _ENDING) or name == "reachable":
                return


def _failed(error: EndpointError | DataError) -> Found:
    detail = getattr(error, "detail", "")
    return Found("error", error.message, error.hint, (detail,) if detail else ())
