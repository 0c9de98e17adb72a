"""Which datasets a client may read: the one place that resolves a dataset for HTTP."""

from __future__ import annotations

from flask import g

from nlq_gateway.endpoints import Endpoint
from nlq_gateway.errors import Forbidden, UnknownDataset
from nlq_gateway.http.access.clients import Client
from nlq_gateway.pipeline import Gateway


def endpoint_for(gateway: Gateway, dataset: str | None) -> Endpoint:
    """The endpoint with this id or alias, if the client of the current request may read it.

    None stands for the first one that it may read.

    Raises:
        UnknownDataset: there is no such endpoint.
        Forbidden: there is, and the client may not read it.
    """
    allowed = readable(gateway)
    if dataset is None:
        if not allowed:
            raise Forbidden("these credentials allow no dataset", hint="ask the operator of the gateway")
        return allowed[0]
    try:
        endpoint = gateway.endpoint(dataset)
    except UnknownDataset as error:
        known = ", ".join(one.id for one in allowed)
        raise UnknownDataset(error.message, hint=f"known datasets: {known}") from None
    if endpoint not in allowed:
        hint = "GET /datasets lists those that may be asked"
        raise Forbidden(f"these credentials do not allow the dataset {dataset[:100]!r}", hint=hint)
    return endpoint


def readable(gateway: Gateway) -> tuple[Endpoint, ...]:
    """The endpoints that the client of the current request may read, in the order of the settings."""
    return tuple(endpoint for endpoint in gateway.endpoints.values() if may_read(endpoint.id))


def may_read(dataset: str) -> bool:
    """Whether the client of the current request may read the dataset with this id, be it there or not."""
    g.datasets_checked = True
    client: Client = g.client
    return client.may_read(dataset)
