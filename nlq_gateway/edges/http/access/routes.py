"""The requirements of each route: all of them, unless it is listed here.

A new route requires credentials, is counted, waits for its turn, and has to ask `datasets.py` if its client
may read the dataset. `tests/access/test_access_routes.py` checks all routes.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Demands:
    """The requirements of a route.

    Attributes:
        credentials: the request needs credentials, if the settings have any.
        counted: the request counts in the rates.
        queued: the request waits for its turn.
        dataset: the route resolves its dataset by `datasets.py`.
        everything: the client may read all datasets.
    """

    credentials: bool = True
    counted: bool = True
    queued: bool = True
    dataset: bool = True
    everything: bool = False


ALL = Demands()
OPEN = Demands(credentials=False, counted=False, queued=False, dataset=False)
_LIGHT = Demands(queued=False)

DEMANDS: dict[str, Demands] = {
    "/": OPEN,
    "/static/<path:filename>": OPEN,
    "/healthz": OPEN,
    "/readyz": OPEN,
    "/openapi.json": OPEN,
    "/problems/<code>": OPEN,
    "/datasets": _LIGHT,
    "/datasets/<dataset>/schema": _LIGHT,
    "/datasets/<dataset>/functions": _LIGHT,
    # Each letter of a question asks for them: they must not use up the rate that the question counts in.
    "/datasets/<dataset>/suggest": Demands(counted=False, queued=False),
    "/v1/models": _LIGHT,
    "/v1/models/<path:name>": _LIGHT,
    "/traces/<trace_id>": _LIGHT,
    "/traces/<trace_id>/feedback": _LIGHT,
    "/feedback/<int:number>/approve": _LIGHT,
    "/feedback/<int:number>/reject": _LIGHT,
    # Its figures have the names of all datasets.
    "/metrics": Demands(counted=False, queued=False, dataset=False, everything=True),
}
