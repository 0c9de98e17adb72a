"""The subject of a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from connectors.base import Connector
from nlq_gateway.endpoints.endpoint import Endpoint
from nlq_gateway.endpoints.index_source import IndexSource
from nlq_gateway.index.traits import Traits, find_traits
from nlq_gateway.offline.doctor.finding import Found
from nlq_gateway.settings import EndpointSettings


@dataclass(frozen=True)
class Patient:
    """An endpoint, a connector by its settings, and a function to connect by other ones.

    `content` is a key of its data if the gateway knows it, as `nlq_gateway.endpoints.connection` returns it.
    `try_update` is True if an update that changes nothing may be sent.
    """

    endpoint: Endpoint
    connector: Connector
    content: str
    connect: Callable[[EndpointSettings], Connector]
    try_update: bool = False

    @property
    def settings(self) -> EndpointSettings:
        """The endpoint's."""
        return self.endpoint.settings

    @property
    def is_remote(self) -> bool:
        """True for a server, False for data files."""
        return self.settings.url is not None

    @cached_property
    def source(self) -> IndexSource:
        """The inputs of the index; raises EndpointError."""
        return IndexSource.of(self.settings, self.endpoint.folder, self.connector, self.content)

    @cached_property
    def traits(self) -> Traits:
        """The graph's traits that its layout leaves open; raises EndpointError."""
        return find_traits(self.connector, self.source.layout)


Check = Callable[[Patient], Iterator[Found]]
