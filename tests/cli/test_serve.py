"""`nlq demo` and `nlq serve`: real servers on free ports."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import urllib3
from model_servers import QUESTION as UNSURE
from model_servers import manners
from protocol_server import ProtocolServer, Trouble
from serving import HTTP, SECONDS, ask, children, get, running
from urllib3.exceptions import HTTPError

from tests.clock import PROMPT_S, until
from tests.oxigraph_store import Store
from tests.warm import WarmServer

Written = Callable[[str, object], str]
PAUSE_S = 0.03


def test_the_demo_opens_and_answers(environment: dict[str, str]) -> None:
    with running(environment, "demo") as (server, address):
        until(lambda: get(f"{address}/readyz")[0] == 200)
        status, document = ask(address)
        assert (status, document["answer"]["text"]) == (200, "Quentin Tarantino")
        assert get(f"{address}/traces/{document['id']}") == (200, document)
        assert HTTP.request("GET", address).headers["Content-Type"].startswith("text/html")
    assert server.returncode == 0


def test_traces_are_shared_by_the_workers_and_a_lost_worker_is_replaced(environment: dict[str, str]) -> None:
    with running(environment, "serve", "--data", "builtin:sample", "--workers", "2") as (server, address):
        traces = [ask(address)[1]["id"] for _ in range(6)]
        assert [get(f"{address}/traces/{trace}")[0] for trace in traces] == [200] * 6
        lost = children(server)[0]
        os.kill(int(lost), signal.SIGKILL)
        until(lambda: is_whole(server, address, lost))
        assert ask(address)[0] == 200


def test_a_worker_with_fewer_connections_takes_the_next_ones(environment: dict[str, str]) -> None:
    with running(environment, "serve", "--data", "builtin:sample", "--workers", "2") as (server, address):
        first, second = children(server)
        before = sockets(first), sockets(second)
        os.kill(int(first), signal.SIGSTOP)
        with ExitStack() as kept:
            connected(address, 60, kept)
            os.kill(int(first), signal.SIGCONT)
            # On a busy machine the one that was stopped is not awake at once.
            for _ in range(60):
                connected(address, 1, kept)
                time.sleep(PAUSE_S)
            assert sockets(first) - before[0] + sockets(second) - before[1] == 120
            assert sockets(first) - before[0] >= 42


def connected(address: str, number: int, kept: ExitStack) -> None:
    """Make connections that have had an answer, and stay open."""
    found = [HTTPConnection(urlsplit(address).netloc, timeout=SECONDS) for _ in range(number)]
    for one in found:
        kept.callback(one.close)
        one.request("GET", "/livez")
        assert one.getresponse().read()


def sockets(worker: str) -> int:
    """How many sockets a process has open."""
    files = Path(f"/proc/{worker}/fd")
    return sum(os.readlink(files / name).startswith("socket:") for name in os.listdir(files))


def test_every_worker_tells_the_metrics_of_all(environment: dict[str, str], tmp_path: Path) -> None:
    kept = {**environment, "TMPDIR": str(tmp_path)}
    with running(kept, "serve", "--data", "builtin:sample", "--workers", "2") as (server, address):
        counted = ["nlq_question_seconds_count", "nlq_stage_seconds_count", "nlq_problems_total"]
        for _ in range(6):
            assert ask(address)[0] == 200
        ask(address, question="")
        assert [sums(address, counted) for _ in range(6)] == [[6, 6, 1]] * 6
        lost = children(server)[0]
        os.kill(int(lost), signal.SIGKILL)
        until(lambda: is_whole(server, address, lost))
        assert ask(address)[0] == 200
        assert sums(address, counted)[0] == 7
        assert len(list(tmp_path.glob("nlq-metrics-*"))) == 1
    assert list(tmp_path.glob("nlq-metrics-*")) == []


def sums(address: str, names: list[str]) -> list[float]:
    """The values of these metrics: of a dataset, of the stage `link`, of an error; from any one worker."""
    with urllib3.PoolManager(retries=False, timeout=SECONDS) as http:
        text = http.request("GET", f"{address}/metrics").data.decode()
    labels = ('dataset="sample"', 'stage="link"', 'route="/nlq"')
    lines = [line for line in text.split("\n") if any(label in line for label in labels)]
    return [sum(float(line.split()[-1]) for line in lines if line.startswith(name + "{")) for name in names]


def is_whole(server: WarmServer, address: str, lost: str) -> bool:
    """True if another worker is in the place of the lost one, and ready.

    A request that the killed worker had accepted breaks off.
    """
    workers = children(server)
    try:
        return len(workers) == 2 and lost not in workers and get(f"{address}/readyz")[0] == 200
    except HTTPError:
        return False


def test_a_store_that_is_down_does_not_keep_the_others_from_starting(
    environment: dict[str, str], written: Written
) -> None:
    config = "endpoints:\n- {id: sample, data: ['builtin:sample']}\n- {id: away, url: 'http://127.0.0.1:1/sparql'}\n"
    file = written("nlq.yaml", config)
    with running(environment, "serve", "--config", file, "--workers", "1") as (_, address):
        until(lambda: get(f"{address}/readyz")[0] == 200)
        status, ready = get(f"{address}/readyz")
        assert (status, ready["status"]) == (200, "ready")
        assert "away is down" in ready["detail"]
        assert ask(address)[0] == 200
        status, problem = ask(address, dataset="away")
        assert (status, problem["type"]) == (502, "/problems/endpoint-unreachable")
        states = {d["id"]: d["status"] for d in get(f"{address}/datasets")[1]["datasets"]}
        assert states == {"sample": "ready", "away": "down"}


def test_a_file_that_is_mended_is_loaded(environment: dict[str, str], written: Written) -> None:
    """Both are told, each once."""
    file = written("late.ttl", "")
    with running(environment, "serve", "--data", file, "--workers", "1") as (server, address):
        assert server.stderr.readline() == "nlq: late is down: the file holds no statement\n"
        Path(file).write_text("<http://a.example/> <http://b.example/> 1 .", encoding="utf-8")
        until(lambda: get(f"{address}/readyz")[0] == 200)
        assert server.stderr.readline() == "nlq: late is ready\n"


def test_what_names_a_graphs_things_is_told_once(environment: dict[str, str], written: Written) -> None:
    """Each of the processes finds it."""
    pumps = "".join(f':n{n} a :Pump ; :nodeName "pump number {n}" .\n' for n in range(9))
    file = written("plant.ttl", f"@prefix : <http://plant.example/> .\n{pumps}")
    with running(environment, "serve", "--data", file, "--workers", "2") as (server, address):
        until(lambda: get(f"{address}/readyz")[0] == 200)
        server.send_signal(signal.SIGTERM)
        _, errors = server.communicate(timeout=SECONDS)
    assert errors.count("things without labels are named by") == 1, errors


def test_a_store_that_comes_back_joins(environment: dict[str, str], written: Written, tmp_path: Path) -> None:
    store = Store(tmp_path / "store", [])
    file = written("nlq.yaml", f"endpoints: [{{id: late, url: '{store.url}'}}]")
    with running(environment, "serve", "--config", file, "--workers", "1") as (_, address):
        assert get(f"{address}/readyz")[0] == 503
        store.start()
        try:
            until(lambda: get(f"{address}/readyz")[0] == 200)
        finally:
            store.stop()


@pytest.mark.parametrize("sent", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_the_server_quietly(environment: dict[str, str], sent: signal.Signals) -> None:
    with running(environment, "demo") as (server, _):
        server.send_signal(sent)
        _, errors = server.communicate(timeout=SECONDS)
    assert "Traceback" not in errors


def test_an_interrupted_command_ends_in_130(environment: dict[str, str]) -> None:
    command = [sys.executable, "-m", "nlq_gateway", "run", "--data", "builtin:sample", "--jsonl", "-"]
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write(json.dumps({"program": "FindAll()->Count()"}) + "\n")
    process.stdin.flush()
    assert json.loads(process.stdout.readline())["answers"]
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=SECONDS)
    assert (process.returncode, errors) == (130, "")


def test_a_language_model_that_is_away_keeps_nothing_from_starting(environment: dict[str, str]) -> None:
    away = ("--data", "builtin:sample", "--model", "http://127.0.0.1:1/v1", "--workers", "2")
    with running(environment, "serve", *away) as (_, address):
        until(lambda: get(f"{address}/readyz")[0] == 200)
        status, ready = get(f"{address}/readyz")
        assert (status, ready["model"]["name"]) == (200, "http://127.0.0.1:1/v1")
        assert ready["model"]["status"] in ("loading", "down")
        status, document = ask(address, strategy="steps")
        assert (status, document["answer"]["text"]) == (200, "Quentin Tarantino")
        assert [warning["code"] for warning in document["warnings"]] == ["model-unavailable"]


def test_a_language_model_that_comes_is_found(environment: dict[str, str]) -> None:
    server = ProtocolServer(manners())
    server.close()
    source = ("--data", "builtin:sample", "--model", server.url, "--workers", "1")
    with running(environment, "serve", *source) as (_, address):
        assert get(f"{address}/datasets")[1]["model"]["status"] in ("loading", "down")
        again = ProtocolServer(server.manners, server.port)
        try:
            until(lambda: get(f"{address}/readyz")[1]["model"]["status"] == "ready")
            document = ask(address, question=UNSURE, strategy="steps")[1]
            assert "steps" in {attempt["source"] for attempt in document["attempts"]}
        finally:
            again.close()


def test_a_client_that_hangs_up_ends_the_work_of_the_model(environment: dict[str, str]) -> None:
    server = ProtocolServer(manners())
    source = ("--data", "builtin:sample", "--model", server.url, "--workers", "1")
    try:
        with running(environment, "serve", *source) as (_, address):
            assert ask(address, question=UNSURE, strategy="code")[0] == 200
            server.always = Trouble(wait=SECONDS)
            asked = len(server.requests)
            impatient = HTTPConnection(urlsplit(address).netloc)
            body = json.dumps({"question": UNSURE, "strategy": "steps"})
            impatient.request("POST", "/nlq", body, {"Content-Type": "application/json"})
            until(lambda: len(server.requests) > asked)
            impatient.close()
            assert server.left.wait(PROMPT_S)
    finally:
        server.close()


def model_process(server: WarmServer) -> str:
    """The child process that has the model; "" while there is none."""
    for child in children(server):
        if b"nlq_gateway.models.shared" in Path(f"/proc/{child}/cmdline").read_bytes():
            return child
    return ""


def test_workers_share_a_process_for_the_model(environment: dict[str, str], tmp_path: Path) -> None:
    # A folder without a model: its process says so, which is no reason not to answer.
    source = ("--data", "builtin:sample", "--model", str(tmp_path), "--workers", "2")
    with running(environment, "serve", *source) as (server, address):
        first = model_process(server)
        assert first
        assert len(children(server)) == 3
        until(lambda: get(f"{address}/datasets")[1]["model"]["status"] == "down")
        until(lambda: get(f"{address}/readyz")[0] == 200)
        status, document = ask(address, strategy="steps")
        assert (status, document["answer"]["text"]) == (200, "Quentin Tarantino")
        assert [warning["code"] for warning in document["warnings"]] == ["model-unavailable"]
        os.kill(int(first), signal.SIGKILL)
        until(lambda: model_process(server) not in ("", first))
        second = model_process(server)
    assert server.returncode == 0
    assert not Path(f"/proc/{second}").exists()


def test_a_reload_brings_another_model_or_none(environment: dict[str, str], tmp_path: Path) -> None:
    config = tmp_path / "nlq.yaml"
    sample = "endpoints: [{id: sample, data: ['builtin:sample']}]\n"

    def reload(model: str) -> None:
        config.write_text(f"{sample}model: {model}\n", encoding="utf-8")
        server.send_signal(signal.SIGHUP)
        assert server.stdout.readline() == f"nlq: reloaded, open {address}\n"

    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
    config.write_text(f"{sample}model: {{backend: transformers, name: {folders[0]}}}\n", encoding="utf-8")
    with running(environment, "serve", "--config", str(config), "--workers", "1") as (server, address):
        first = model_process(server)
        reload(f"{{backend: transformers, name: {folders[1]}}}")
        until(lambda: len(children(server)) == 2 and model_process(server) not in ("", first))
        assert get(f"{address}/datasets")[1]["model"]["name"] == str(folders[1])
        reload("{backend: none}")
        until(lambda: len(children(server)) == 1)
        assert ask(address)[0] == 200
