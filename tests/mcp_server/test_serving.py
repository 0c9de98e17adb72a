"""`nlq mcp` as a process: what is on its streams, how it begins and ends, and whom it refuses."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import anyio
import pytest
import urllib3
from mcp import Client, StdioServerParameters
from mcp.server.mcpserver import MCPServer
from serving_mcp import HELLO, SECONDS

from nlq_gateway.edges.cli import main
from nlq_gateway.edges.mcp.serving import security
from nlq_gateway.edges.mcp.working import in_thread

HTTP = urllib3.PoolManager(retries=False, timeout=SECONDS)
QUESTION = "Who directed Pulp Fiction?"
CALL = {
    "jsonrpc": "2.0",
    "id": 2,
    "method": "tools/call",
    "params": {"name": "ask", "arguments": {"question": QUESTION, "dataset": "away"}},
}
Run = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture
def nlq(environment: dict[str, str]) -> Run:
    def run(*arguments: str, said: str = "", code: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, *(["-c", code] if code else ["-m", "nlq_gateway"]), *arguments]
        return subprocess.run(
            command, input=said, capture_output=True, text=True, timeout=SECONDS, env=environment, check=False
        )

    return run


def test_standard_output_has_nothing_but_the_protocol(nlq: Run, config: str) -> None:
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    lines = "".join(json.dumps(one) + "\n" for one in (HELLO, ready, CALL))
    done = nlq("mcp", "--config", config, said=lines + "no JSON\n")
    assert done.returncode == 0
    assert all(json.loads(line)["jsonrpc"] == "2.0" for line in done.stdout.splitlines())
    assert '"id":1' in done.stdout
    assert "Traceback" not in done.stderr, done.stderr


def test_it_ends_when_its_client_goes(nlq: Run, config: str) -> None:
    done = nlq("mcp", "--config", config)
    assert (done.returncode, done.stdout) == (0, "")


def test_it_can_be_interrupted_while_it_waits_for_its_client(
    environment: dict[str, str], config: str
) -> None:
    command = [sys.executable, "-m", "nlq_gateway", "mcp", "--config", config]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        print(json.dumps(HELLO), file=server.stdin, flush=True)
        server.stdout.readline()
        server.send_signal(signal.SIGINT)
        assert server.wait(SECONDS) == 130


def test_a_question_waits_for_a_graph_that_is_being_prepared(
    environment: dict[str, str], tmp_path: Path
) -> None:
    fresh = {**environment, "NLQ_CACHE": str(tmp_path / "fresh"), "NLQ_DATA": str(tmp_path / "data")}
    arguments = ["-m", "nlq_gateway", "mcp", "--data", "builtin:sample"]

    async def work() -> None:
        server = StdioServerParameters(command=sys.executable, args=arguments, env=fresh)
        async with Client(server) as client:
            result = await client.call_tool("ask", {"question": QUESTION})
            assert result.structured_content is not None
            assert result.structured_content["text"] == "Quentin Tarantino"

    anyio.run(work)


def test_work_ends_when_the_client_cancels() -> None:
    ended = threading.Event()
    server: MCPServer[None] = MCPServer("slow", log_level="WARNING")

    @server.tool()
    async def slow() -> str:
        """Work until nobody waits."""

        def work(gone: threading.Event) -> str:
            assert gone.wait(SECONDS)
            ended.set()
            return ""

        return await in_thread(work)

    async def cancel() -> None:
        async with Client(server, mode="legacy") as client:
            with anyio.move_on_after(0.5):
                await client.call_tool("slow")
            assert await anyio.to_thread.run_sync(ended.wait, SECONDS / 4)

    anyio.run(cancel)


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost:3000"}, 200),
    ],
)
def test_names_that_are_not_its_own_are_refused(http: str, headers: dict[str, str], status: int) -> None:
    accept = {"Accept": "application/json, text/event-stream"}
    response = HTTP.request("POST", http, json=HELLO, headers={**accept, **headers}, preload_content=False)
    assert response.status == status
    response.close()


@pytest.mark.parametrize(
    ("host", "names", "known", "unknown"),
    [
        ("127.0.0.1", [], "localhost:8090", "0.0.0.0:8090"),
        ("0.0.0.0", ["kg.example"], "kg.example", "other.example"),
        ("::", ["kg.example"], "kg.example:443", "[::]:8090"),
        ("192.0.2.7", [], "192.0.2.7:8090", "192.0.2.8:8090"),
        ("2001:db8::7", [], "[2001:db8::7]:8090", "2001:db8::7"),
    ],
)
def test_the_names_are_those_of_where_it_listens(
    host: str, names: list[str], known: str, unknown: str
) -> None:
    hosts = security(host, names).allowed_hosts

    def is_known(name: str) -> bool:
        return name in hosts or name.rpartition(":")[0] + ":*" in hosts

    assert is_known(known)
    assert not is_known(unknown)


def test_a_port_in_use_is_said(nlq: Run, http: str) -> None:
    port = http.removesuffix("/mcp").rpartition(":")[2]
    done = nlq("mcp", "--data", "builtin:sample", "--http", "--port", port)
    assert done.returncode == 2
    assert f"cannot listen at 127.0.0.1, port {port}" in done.stderr
    assert "Traceback" not in done.stderr, done.stderr


@pytest.mark.parametrize("flag", [["--port", "9"], ["--host", "::1"], ["--allow-host", "x"]])
def test_flags_of_the_other_transport_are_refused(
    flag: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as left:
        main(["mcp", "--data", "builtin:sample", *flag])
    assert left.value.code == 2
    assert "--http" in capsys.readouterr().err


def test_without_the_sdk_the_command_to_install_it_is_named(nlq: Run) -> None:
    code = (
        "import sys; sys.modules['mcp'] = None\n"
        "from nlq_gateway.edges.cli import main\n"
        "sys.exit(main(['mcp', '--data', 'builtin:sample']))"
    )
    done = nlq(code=code)
    assert done.returncode == 2
    assert "pip install '.[mcp]'" in done.stderr
    assert "Traceback" not in done.stderr, done.stderr
