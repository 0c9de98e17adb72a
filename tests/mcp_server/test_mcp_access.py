"""`nlq mcp --http` where `server.auth` is set: who is let in, and what each client may read."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import anyio
import httpx2
import pytest
import urllib3
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from serving_mcp import HELLO, SECONDS, serving
from test_tools import content, said

from tests.slow_store import GRAPH

ACCEPT = {"Accept": "application/json, text/event-stream"}
HTTP = urllib3.PoolManager(retries=False, timeout=SECONDS)
QUESTION = {"question": "Who directed Fargo?", "dataset": "films"}
CONFIG = """
endpoints:
- {id: sample, data: ['builtin:sample']}
- {id: films, data: [films.ttl]}
server:
  trace_store: sqlite:///traces.sqlite
  auth:
    type: bearer
    clients:
    - {name: whole, token: '${WHOLE}'}
    - {name: part, token: '${PART}', datasets: [sample]}
"""
TOKENS = {"WHOLE": "s3cret-of-whole", "PART": "s3cret-of-part"}


@pytest.fixture(scope="module")
def closed(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server that wants tokens. Nothing that it writes has one in it."""
    folder: Path = tmp_path_factory.mktemp("closed")
    (folder / "films.ttl").write_text(GRAPH, encoding="utf-8")
    (folder / "nlq.yaml").write_text(CONFIG, encoding="utf-8")
    with serving({**environment, **TOKENS}, str(folder / "nlq.yaml")) as (address, written):
        yield address
        assert "s3cret" not in written()


def talk(address: str, name: str, work: Callable[[Client], Awaitable[None]]) -> None:
    async def main() -> None:
        headers = {"Authorization": f"Bearer {TOKENS[name]}"}
        async with (
            httpx2.AsyncClient(headers=headers, timeout=SECONDS) as http,
            Client(streamable_http_client(address, http_client=http)) as client,
        ):
            await work(client)

    anyio.run(main)


def begin(address: str, headers: dict[str, str]) -> urllib3.BaseHTTPResponse:
    return HTTP.request("POST", address, json=HELLO, headers={**ACCEPT, **headers}, preload_content=False)


@pytest.mark.parametrize("method", ["POST", "GET", "DELETE", "OPTIONS"])
@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic czNjcmV0"},
        {"X-API-Key": "s3cret-of-whole"},
    ],
    ids=["none", "wrong", "basic", "elsewhere"],
)
def test_nobody_is_let_in_without_a_token(closed: str, method: str, headers: dict[str, str]) -> None:
    response = HTTP.request(method, closed, headers={**ACCEPT, **headers})
    assert response.status == 401
    assert response.headers["WWW-Authenticate"].startswith("Bearer ")
    assert response.json()["hint"] == "send Authorization: Bearer TOKEN"


def test_a_client_of_all_datasets_reads_all(closed: str) -> None:
    async def work(client: Client) -> None:
        schema = content(await client.call_tool("schema", {}))
        assert [one["id"] for one in schema["datasets"]] == ["sample", "films"]
        assert content(await client.call_tool("ask", QUESTION))["text"] == "Joel Coen"

    talk(closed, "WHOLE", work)


def test_a_client_of_one_dataset_reads_no_other(closed: str) -> None:
    traces: list[str] = []

    async def ask(client: Client) -> None:
        traces.append(content(await client.call_tool("ask", QUESTION))["trace"])

    async def work(client: Client) -> None:
        schema = content(await client.call_tool("schema", {}))
        assert [one["id"] for one in schema["datasets"]] == ["sample"]
        calls = (
            ("ask", QUESTION),
            ("explain", QUESTION),
            ("resolve", {"name": "Fargo", "dataset": "films"}),
            ("schema", {"dataset": "films"}),
            ("run", {"program": "Find(Fargo)->What()", "dataset": "films"}),
            ("compile", {"program": "Find(Fargo)->What()", "dataset": "films"}),
        )
        for tool, arguments in calls:
            result = await client.call_tool(tool, arguments)
            assert result.is_error, tool
            assert "do not allow the dataset 'films'" in said(result)
            assert "they allow: sample" in said(result)
        hidden = await client.call_tool("explain", {"trace": traces[0]})
        absent = await client.call_tool("explain", {"trace": "absent"})
        assert said(hidden).replace(traces[0], "absent") == said(absent)

    talk(closed, "WHOLE", ask)
    talk(closed, "PART", work)


def test_nobody_goes_on_with_the_session_of_somebody_else(closed: str) -> None:
    begun = begin(closed, {"Authorization": f"Bearer {TOKENS['WHOLE']}"})
    session = {"Mcp-Session-Id": begun.headers["Mcp-Session-Id"]}
    begun.close()
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    statuses = []
    for name in ("PART", "WHOLE"):
        headers = {**ACCEPT, **session, "Authorization": f"Bearer {TOKENS[name]}"}
        response = HTTP.request("POST", closed, json=listed, headers=headers, preload_content=False)
        statuses.append(response.status)
        response.close()
    assert statuses == [404, 200]
