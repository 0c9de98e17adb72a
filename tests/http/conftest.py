from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from werkzeug.serving import make_server

from connectors.errors import EndpointError
from nlq_gateway.answering import Pipeline
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import EndpointSettings, Settings
from tests.http.described import DescribedClient


@pytest.fixture(scope="session")
def gateway(closed_port: int) -> Iterator[Pipeline]:
    """The sample graph, ready, and a store that is down."""
    down = EndpointSettings(
        id="away", aliases=("https://away.example/",), url=f"http://127.0.0.1:{closed_port}/sparql"
    )
    sample = Settings.for_data(["builtin:sample"]).endpoints[0]
    gateway = Pipeline(Settings(endpoints=(sample, down)))
    gateway.endpoint("sample").prepare()
    with pytest.raises(EndpointError):
        gateway.endpoint("away").prepare()
    yield gateway
    gateway.close()


@pytest.fixture
def app(gateway: Pipeline, tmp_path: Path) -> Iterator[Flask]:
    store = TraceStore(tmp_path / "traces.sqlite")
    yield create_app(gateway, store)
    store.close()


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """One that holds each response against the document of the interface."""
    app.test_client_class = DescribedClient
    return app.test_client()


@pytest.fixture
def address(app: Flask) -> Iterator[str]:
    """The address at which the application answers real clients."""
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()
