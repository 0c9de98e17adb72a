"""A language model behind the API: down, loading, ready; never a reason to fail."""

from __future__ import annotations

import re
import threading

import pytest
from flask.testing import FlaskClient
from model_servers import ANSWER, QUESTION, STEPS, asking, manners, serving, using
from protocol_server import ProtocolServer, Trouble, refusal

from benchmarks.scripted_model import ScriptedModel
from nlq_gateway.answering import Pipeline
from nlq_gateway.models import Model
from nlq_gateway.models.errors import ModelMissing
from nlq_gateway.models.opened import OpenedModel

SURE = {"question": "Who directed Pulp Fiction?"}
UNSURE = {"question": QUESTION}


def counted(client: FlaskClient, name: str) -> float:
    found = re.search(rf'^{name}_total{{dataset="sample"}} (\S+)$', client.get("/metrics").text, re.MULTILINE)
    return float(found[1]) if found else 0.0


@pytest.mark.parametrize("strategy", ["auto", "steps", "code", "decompose", "explore", "bottom-up"])
def test_a_model_that_is_down_is_a_warning(
    gateway: Pipeline, client: FlaskClient, closed_port: int, strategy: str
) -> None:
    with asking(gateway, f"http://127.0.0.1:{closed_port}/v1"):
        answer = client.post("/nlq", json={**UNSURE, "strategy": strategy})
    assert answer.status_code == 200
    assert answer.json["answer"]["text"] == ANSWER
    assert "model-unavailable" in {warning["code"] for warning in answer.json["warnings"]}


@pytest.mark.parametrize("strategy", ["steps", "code", "decompose", "explore"])
def test_a_strategy_that_needs_a_model_where_there_is_none(client: FlaskClient, strategy: str) -> None:
    answer = client.post("/nlq", json={**SURE, "strategy": strategy})
    assert answer.status_code == 503
    assert answer.json["type"] == "/problems/model-unavailable"
    assert not answer.json["retryable"]
    assert "Retry-After" not in answer.headers
    assert client.get("/datasets").json["strategies"] == ["auto", "bottom-up"]
    assert "model" not in client.get("/datasets").json


def test_alone_the_model_is_believed_and_its_outage_is_one(
    gateway: Pipeline, client: FlaskClient, closed_port: int
) -> None:
    alone = {**SURE, "strategy": "steps", "only": True}
    model = ScriptedModel.replaying(" Find(Pulp Fiction)\nStep 2: QueryAttr(duration)")
    with using(gateway, OpenedModel(lambda: model, "scripted")):
        assert client.post("/nlq", json=alone).json["answer"]["text"] == "154 minutes"
        assert client.post("/nlq", json={**alone, "only": "yes"}).status_code == 400
    with asking(gateway, f"http://127.0.0.1:{closed_port}/v1"):
        answer = client.post("/nlq", json=alone)
    assert answer.status_code == 503
    assert answer.json["type"] == "/problems/model-unavailable"
    assert "is asked for alone" in answer.json["detail"]
    assert answer.json["retryable"]
    assert "Retry-After" in answer.headers


def test_a_server_from_down_to_ready_and_back(gateway: Pipeline, client: FlaskClient) -> None:
    server = ProtocolServer(manners())
    with asking(gateway, server.url, budget={"seconds": 20}):
        loading = {"name": server.url, "status": "loading", "detail": "the model is being opened"}
        assert _model(client) == loading
        server.always = refusal(401, "no such key")
        assert client.post("/nlq", json=UNSURE).status_code == 200
        assert _model(client)["status"] == "down"
        assert "no such key" in _model(client)["detail"]
        server.always = None
        assert client.post("/nlq", json=UNSURE).json["model"]
        assert _model(client) == {"name": f"{server.manners.models[0]} at {server.url}", "status": "ready"}
        server.close()
        assert _model(client)["status"] == "ready"  # nothing has been asked since
        # Not as before: what has been said is remembered.
        assert client.post("/nlq", json={**UNSURE, "strategy": "code"}).status_code == 200
        assert _model(client)["status"] == "down"


def test_the_state_of_a_server_that_hangs_is_told_at_once(gateway: Pipeline, client: FlaskClient) -> None:
    with serving(gateway, ready=False) as server:
        server.always = Trouble(wait=60)
        assert client.post("/nlq", json=UNSURE).status_code == 200
        assert _model(client)["status"] == "loading"
        assert _model(client)["name"] == server.url


def test_a_model_that_takes_long_to_load(gateway: Pipeline, client: FlaskClient) -> None:
    loaded = threading.Event()

    def load() -> Model:
        assert loaded.wait(60)
        return ScriptedModel.replaying("nonsense")

    with using(gateway, model := OpenedModel(load, "large")):
        thread = threading.Thread(target=model.prepare)
        thread.start()
        try:
            answer = client.post("/nlq", json=UNSURE)
            assert (answer.status_code, answer.json["answer"]["text"]) == (200, ANSWER)
            assert "being opened" in answer.json["warnings"][0]["message"]
            assert _model(client) == {
                "name": "large",
                "status": "loading",
                "detail": "the model is being opened",
            }
        finally:
            loaded.set()
            thread.join()
        assert _model(client) == {"name": "scripted", "status": "ready"}


@pytest.mark.parametrize("error", [ModelMissing("there is no such folder"), RuntimeError("out of memory")])
def test_a_model_that_cannot_be_opened(gateway: Pipeline, client: FlaskClient, error: Exception) -> None:
    opened = []

    def load() -> Model:
        opened.append(1)
        raise error

    with using(gateway, OpenedModel(load, "damaged")):
        for _ in range(2):
            answer = client.post("/nlq", json=UNSURE)
            assert (answer.status_code, answer.json["answer"]["text"]) == (200, ANSWER)
            assert f"{error}" in answer.json["warnings"][0]["message"]
        assert _model(client)["status"] == "down"
    assert len(opened) == 1


def test_calls_and_fallbacks_are_counted(gateway: Pipeline, client: FlaskClient) -> None:
    with serving(gateway) as server:
        answer = client.post("/nlq", json={**UNSURE, "strategy": "steps"}).json
        assert "steps" in {attempt["source"] for attempt in answer["attempts"]}
        calls = counted(client, "nlq_model_calls")
        assert calls >= 1
        assert counted(client, "nlq_model_prompt_tokens") > 0
        assert counted(client, "nlq_fallbacks") == 0
        client.post("/nlq", json={**UNSURE, "strategy": "steps"})
        assert counted(client, "nlq_model_calls") == calls
        assert counted(client, "nlq_model_cached") == calls
        server.always = refusal(401, "no")
        assert client.post("/nlq", json={**UNSURE, "strategy": "code"}).status_code == 200
        assert counted(client, "nlq_fallbacks") == 1
        assert counted(client, "nlq_model_calls") == calls + 1
        client.post("/nlq", json=SURE)
        assert counted(client, "nlq_fallbacks") == 1


def test_an_answer_that_the_model_gave_before_it_was_given_up_on_is_no_fallback(
    gateway: Pipeline, client: FlaskClient
) -> None:
    model = ScriptedModel.replaying(STEPS)
    with using(gateway, OpenedModel(lambda: model, "scripted"), runs=3, budget={"calls": 1}):
        answer = client.post("/nlq", json={**UNSURE, "strategy": "steps"}).json
    assert answer["strategy"] == "steps"
    assert "model-unavailable" in {warning["code"] for warning in answer["warnings"]}
    assert counted(client, "nlq_fallbacks") == 0


def _model(client: FlaskClient) -> dict[str, str]:
    """The model as /datasets tells it."""
    answer = client.get("/datasets")
    assert answer.status_code == 200
    found: dict[str, str] = answer.json["model"]
    return found
