from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from protocol_server import Manners, ProtocolServer

from nlq_gateway.models.server import ServerModel

Start = Callable[..., tuple[ProtocolServer, ServerModel]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts a server with such manners, and makes a model of it; both are closed with the test."""
    with ExitStack() as stack:

        def started(
            key: str = "", name: str | None = None, **manners: object
        ) -> tuple[ProtocolServer, ServerModel]:
            server = ProtocolServer(Manners(**manners))  # type: ignore[arg-type]
            stack.callback(server.close)
            model = ServerModel(server.url, name, key, connect_seconds=1.0)
            stack.callback(model.close)
            return server, model

        yield started
