"""The datasets that a request's client may read: the one place that resolves a dataset for HTTP."""

from __future__ import annotations

from flask import g

from nlq_gateway.answering import Pipeline
from nlq_gateway.edges import clients
from nlq_gateway.endpoints.endpoint import Endpoint


def endpoint_for(pipeline: Pipeline, dataset: str | None) -> Endpoint:
    """Return the endpoint with this id or alias, if the client may read it; None means the first of those.

    Raises:
        UnknownDataset: there is no such endpoint, for a client that may read all.
        Forbidden: the client may not read it, existing or not.
    """
    return clients.endpoint_for(pipeline, _asking(), dataset)


def readable(pipeline: Pipeline) -> tuple[Endpoint, ...]:
    """The endpoints that the client may read, in the order of the settings."""
    return clients.readable(pipeline, _asking())


def may_read(dataset: str) -> bool:
    """True if the client may read the dataset with this id, existing or not."""
    return _asking().may_read(dataset)


def curator() -> str:
    """The client's name where it is a curator, else ""."""
    client: clients.Client = g.client
    return client.name if client.is_curator else ""


def _asking() -> clients.Client:
    # The gate lets nothing out of a route that has not asked here (gate.py).
    g.datasets_checked = True
    client: clients.Client = g.client
    return client
