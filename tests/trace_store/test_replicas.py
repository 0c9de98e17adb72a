"""Several servers over one store: what one answered the other shows, and both learn from feedback."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from flask.testing import FlaskClient

from nlq_gateway.answering import Pipeline
from nlq_gateway.drafts.demonstrations import collection
from nlq_gateway.edges.http import create_app
from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.settings import Settings

HELMED = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"


@contextmanager
def replica(store: TraceStore) -> Iterator[FlaskClient]:
    """A server of its own over the sample graph."""
    gateway = Pipeline(Settings.for_data(["builtin:sample"]))
    gateway.endpoint(None).prepare()
    yield create_app(gateway, store).test_client()
    gateway.close()


@pytest.mark.usefixtures("cache")
def test_replicas_share_traces_and_feedback(
    opened: Callable[..., TraceStore], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(collection, "LOOK_SECONDS", 0.0)
    store = opened()
    with replica(opened()) as here, replica(opened()) as there:
        trace = here.post("/nlq", json={"question": "Who helmed Pulp Fiction?"}).get_json()
        assert there.get(f"/traces/{trace['id']}").get_json() == trace
        said = {"correct": False, "program": HELMED}
        told = there.post(f"/traces/{trace['id']}/feedback", json=said).get_json()
        store.decide(told["feedback"], "approved", "operator")
        for server in (here, there):
            after = server.post("/nlq", json={"question": "Who helmed Inception?"}).get_json()
            assert after["demonstrations"][0]["source"] == "confirmed"
            assert after["answer"]["text"] == "Christopher Nolan"
