"""A real `nlq serve` on a real socket, over files and over a store that keeps what it is sent."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
import urllib3
from protocol_graphs import GRAPH
from recording_store import RecordingStore

from connectors import EmbeddedOxigraph
from tests.cli.serving import SECONDS, running

FIXTURES = Path(__file__).parent / "fixtures"
LIBRARY, EXAMPLES = FIXTURES / "library.trig", FIXTURES / "examples.jsonl"
GEOSPARQL = "http://www.opengis.net/def/function/geosparql/"


@pytest.fixture(scope="session")
def recorder() -> Iterator[RecordingStore]:
    store = RecordingStore(EmbeddedOxigraph.in_memory([LIBRARY]))
    yield store
    store.close()


@pytest.fixture
def store(recorder: RecordingStore) -> Iterator[RecordingStore]:
    """The store without what was sent to it before."""
    recorder.forms.clear()
    recorder.formats = ()
    yield recorder
    recorder.formats = ()


@pytest.fixture(scope="session")
def gateway(recorder: RecordingStore, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The gateway's address. Its datasets are the sample graph, `library`, `store`, `walled`,
    `federated`, `extended` and `small`."""
    # With examples given, none are made meanwhile, for which the gateway asks the store by itself.
    at_store = {"url": recorder.url, "layout": "direct", "index": {"examples": str(EXAMPLES)}}
    endpoints = [
        {"id": "sample", "data": ["builtin:sample"]},
        {"id": "library", "data": [str(LIBRARY)]},
        {"id": "store", "dialect": "sparql11", **at_store},
        {
            **{"id": "walled", "dialect": "virtuoso", **at_store},
            **{"default_graphs": [GRAPH.format(1)], "named_graphs": [GRAPH.format(2)]},
        },
        {
            **{"id": "federated", "dialect": "oxigraph", "services": ["127.0.0.1:9", "Good.example"]},
            **at_store,
        },
        {
            **{"id": "extended", "dialect": "oxigraph", "functions": [GEOSPARQL, "<bif:contains>"]},
            **at_store,
        },
        {"id": "small", "dialect": "oxigraph", "limits": {"max_bytes": 5_000, "max_rows": 5}, **at_store},
    ]
    config = tmp_path_factory.mktemp("serve") / "nlq.yaml"
    config.write_text(json.dumps({"endpoints": endpoints}), encoding="utf-8")
    environment = {**os.environ, "NLQ_CONFIG": ""}
    with running(environment, "serve", "--config", str(config), "--workers", "1") as (server, address):
        yield address
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=SECONDS)
    assert "Traceback" not in errors, errors


@pytest.fixture(scope="session")
def http() -> urllib3.PoolManager:
    """Follows no redirects; asks again where the server has closed a kept connection meanwhile."""
    retries = urllib3.Retry(
        connect=0, read=1, redirect=0, status=0, allowed_methods=None, raise_on_redirect=False
    )
    return urllib3.PoolManager(retries=retries, timeout=SECONDS)
