"""Clients against a real server, sync and async, and against addresses that are no gateway."""

from __future__ import annotations

import asyncio
import inspect
import os
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway import Gateway, GatewayError
from nlq_gateway.client import (
    AsyncGatewayClient,
    GatewayClient,
    GatewayProblem,
    GatewayUnreachable,
    calls,
)
from nlq_gateway.core.errors import UnknownDataset
from tests.cli.serving import running

WORLD = "http://world.example/"
KEY = "s3cret-of-a-test"
QUESTION = "Who directed Pulp Fiction?"
PROGRAM = "Find(Pulp Fiction)->Relate(directed by, forward)->What()"
CLOSED = (
    "endpoints: [{id: sample, data: ['builtin:sample']}]\n"
    "server: {auth: {type: TYPE, clients: [{name: team, token: '${CLIENT_KEY}'}]}, rate: 100/hour}\n"
)


@pytest.fixture(scope="module")
def address(gateway: Gateway, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server over the sample graph, which asks for a bearer token; the index is there already."""
    assert gateway.datasets == ("sample",)
    file = tmp_path_factory.mktemp("served") / "nlq.yaml"
    file.write_text(CLOSED.replace("TYPE", "bearer"), encoding="utf-8")
    environment = {**os.environ, "CLIENT_KEY": KEY}
    with running(environment, "serve", "--config", str(file), "--workers", "1") as (_, served):
        yield served


@pytest.fixture
def client(address: str) -> Iterator[GatewayClient]:
    with GatewayClient(address, key=KEY) as client:
        yield client


class Foreign(BaseHTTPRequestHandler):
    """A server in front of a gateway that is down, by path, or one that is no gateway."""

    def do_POST(self) -> None:
        status = int(self.path.split("/")[1])
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(status)
        self.send_header("Retry-After", "7")
        self.end_headers()
        self.wfile.write(b"<h1>not a gateway</h1>")

    def log_message(self, *_: object) -> None:
        """Write nothing."""


@pytest.fixture
def foreign() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Foreign)
    thread = Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_answers_are_those_of_a_gateway_in_this_process(client: GatewayClient, gateway: Gateway) -> None:
    assert client.ask(QUESTION) == gateway.ask(QUESTION)
    assert client.ask(QUESTION, language="de", max_rows=5, timeout_ms=20_000, guess=True).text
    for program in (PROGRAM, read_program(PROGRAM)):
        assert client.run(program) == gateway.run(program)
        assert client.compile(program, dialect="virtuoso") == gateway.compile(program, dialect="virtuoso")


def test_pins_are_sent(client: GatewayClient, gateway: Gateway) -> None:
    other = gateway.run("Find(The Shining)->What()").values[0].value
    assert str(client.run(PROGRAM, pins={(1, 0): other})) == "Stanley Kubrick"


def test_examples_are_those_of_a_gateway_in_this_process(
    address: str, client: GatewayClient, gateway: Gateway
) -> None:
    async def listed() -> tuple[str, ...]:
        async with AsyncGatewayClient(address, key=KEY) as remote:
            return await remote.examples("sample")

    assert QUESTION in client.examples()
    assert client.examples() == gateway.examples() == asyncio.run(listed())
    with pytest.raises(GatewayError) as unknown:
        client.examples("elsewhere")
    assert unknown.value.code == "unknown-dataset"
    assert "sample" in unknown.value.hint


def test_a_query_is_explained_by_a_program_that_runs(client: GatewayClient, gateway: Gateway) -> None:
    asked = gateway.ask(QUESTION)
    explained = client.explain(asked.sparql, dataset="sample")
    assert explained.document["source_map"]
    for runs in (client, gateway):
        assert runs.run(explained.program, pins=explained.pins).values == asked.values
    with pytest.raises(GatewayProblem, match="unsupported-program"):
        client.explain("SELECT * { ?s ?p ?o }")
    assert gateway.compile(PROGRAM).pins == ()


def test_what_a_graph_has(client: GatewayClient) -> None:
    [listed] = client.datasets()
    assert (listed["id"], listed["status"]) == ("sample", "ready")
    [item] = client.schema("directed", kind="relation", limit=1)["items"]
    assert (item["label"], item["range"][0]["label"]) == ("directed by", "artist")
    assert len(client.schema(limit=3)["items"]) == 3
    assert {"text": "Pulp Fiction", "kind": "entity", "iri": f"{WORLD}Pulp_Fiction"} in client.suggest(
        "who directed pulp"
    )
    assert len(client.suggest("w", limit=2, dataset="sample")) == 2


def test_what_a_thing_has(client: GatewayClient) -> None:
    described = client.describe("Seine", language="de", facts=2)
    assert described == client.describe(iri=described["iri"], language="de", facts=2, dataset="sample")
    group = described["groups"][0]
    answer = client.run(group["program"], pins=group["pins"])
    assert [one.value for one in answer.values] == [one["value"] for one in group["values"]]
    with pytest.raises(GatewayProblem, match="not-found"):
        client.describe("Zorkmidia")


def test_how_two_things_are_connected(client: GatewayClient) -> None:
    found = client.path("Seine", "Palme d'Or", dataset="sample")
    assert found["complete"]
    assert [thing["label"] for thing in found["paths"][0]["things"]][1:3] == ["France", "La Dolce Vita"]


def test_feedback(client: GatewayClient) -> None:
    answer = client.ask(QUESTION)
    right = client.feedback(answer, True)
    wrong = client.feedback(answer.trace["id"], False, program=read_program(PROGRAM), comment="too short")
    assert (right["state"], right["trace"]) == ("pending", answer.trace["id"])
    assert wrong["feedback"] > right["feedback"]
    with pytest.raises(GatewayProblem, match="not-found"):
        client.feedback("no/such", True)


def test_every_call_is_there_for_asynchronous_programs(address: str, client: GatewayClient) -> None:
    """Each is declared once for both clients."""

    async def asked() -> list[object]:
        async with AsyncGatewayClient(address, key=KEY) as remote:
            return await asyncio.gather(
                remote.datasets(),
                remote.schema("film"),
                remote.describe("Seine"),
                remote.path("Seine", "France"),
            )

    here = [
        client.datasets(),
        client.schema("film"),
        client.describe("Seine"),
        client.path("Seine", "France"),
    ]
    assert asyncio.run(asked()) == here


def test_calls_tell_their_arguments() -> None:
    """As an editor or a notebook shows them."""
    remote = GatewayClient()
    assert str(inspect.signature(remote.examples)) == "(dataset: 'str | None' = None)"
    assert inspect.getdoc(remote.path) == inspect.getdoc(GatewayClient.path)
    assert remote.path.__name__ == "path"


def test_many_questions_at_once(address: str) -> None:
    async def ask() -> list[str]:
        async with AsyncGatewayClient(address, key=KEY) as client:
            compiled, ran, *asked = await asyncio.gather(
                client.compile(PROGRAM), client.run(PROGRAM), *(client.ask(QUESTION) for _ in range(3))
            )
        return [compiled.program, *map(str, (ran, *asked))]

    assert asyncio.run(ask())[1:] == ["Quentin Tarantino"] * 4


def test_problems_are_told_as_the_server_tells_them(client: GatewayClient) -> None:
    with pytest.raises(GatewayProblem) as refused:
        client.run("Count()")
    problem = refused.value
    assert (problem.code, problem.status, problem.retryable) == ("invalid-program", 400, False)
    assert problem.document["issues"]
    assert str(problem).startswith("invalid-program: ")
    with pytest.raises(GatewayProblem, match="unknown-dataset") as unknown:
        client.ask(QUESTION, dataset="elsewhere")
    assert "sample" in unknown.value.hint
    with pytest.raises(GatewayProblem, match="datset"):
        client.ask(QUESTION, datset="sample")  # type: ignore[call-arg]


def test_credentials(address: str) -> None:
    for key in ("", "wrong"):
        with GatewayClient(address, key=key) as stranger, pytest.raises(GatewayProblem) as refused:
            stranger.ask(QUESTION)
        assert (refused.value.code, refused.value.retryable) == ("unauthorized", False)
    assert repr(GatewayClient(address, key=KEY)) == f"GatewayClient({address})"


def test_a_client_that_may_read_no_dataset() -> None:
    with pytest.raises(UnknownDataset, match="there is no dataset") as unknown:
        calls.first_dataset().read({"datasets": []})
    assert "none that this client may read" in unknown.value.hint


def test_a_key_in_a_header_of_its_own(tmp_path: Path, gateway: Gateway) -> None:
    assert gateway.datasets == ("sample",)
    file = tmp_path / "nlq.yaml"
    file.write_text(CLOSED.replace("TYPE", "header, header: X-API-Key"), encoding="utf-8")
    environment = {**os.environ, "CLIENT_KEY": KEY}
    with (
        running(environment, "serve", "--config", str(file), "--workers", "1") as (_, served),
        GatewayClient(f"{served}/", key=KEY, header="X-API-Key") as client,
    ):
        assert str(client.ask(QUESTION)) == "Quentin Tarantino"


def test_a_gateway_that_is_not_there(closed_port: int) -> None:
    with (
        GatewayClient(f"http://127.0.0.1:{closed_port}") as client,
        pytest.raises(GatewayUnreachable) as down,
    ):
        client.ask(QUESTION)
    assert down.value.retryable
    assert str(closed_port) in str(down.value)

    async def ask() -> None:
        async with AsyncGatewayClient(f"http://127.0.0.1:{closed_port}") as client:
            await client.ask(QUESTION)

    with pytest.raises(GatewayUnreachable):
        asyncio.run(ask())


@pytest.mark.parametrize(("status", "retryable"), [(200, False), (404, False), (502, True), (503, True)])
def test_what_is_no_gateway(foreign: str, status: int, retryable: bool) -> None:
    with GatewayClient(f"{foreign}/{status}") as client, pytest.raises(GatewayError) as refused:
        client.ask(QUESTION)
    problem = refused.value
    assert isinstance(problem, GatewayProblem)
    assert (problem.code, problem.status, problem.retryable) == ("unexpected-response", status, retryable)
    assert problem.retry_after_s == 7
    assert f"/{status}/nlq" in problem.message
