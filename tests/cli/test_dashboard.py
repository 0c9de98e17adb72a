"""The dashboard of deploy/ shows what the server tells."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import urllib3
from model_servers import QUESTION as UNSURE
from model_servers import manners
from prometheus_client.parser import text_string_to_metric_families
from protocol_server import ProtocolServer
from serving import HTTP, SECONDS, ask, running
from slow_store import SlowStore

from tests.clock import until

ROOT = Path(__file__).parents[2]
DASHBOARD = ROOT / "deploy" / "grafana-dashboard.json"
Written = Callable[[str, object], str]


def test_every_metric_of_the_dashboard_is_told_by_a_server_that_has_been_used(
    environment: dict[str, str], written: Written
) -> None:
    panels = json.loads(DASHBOARD.read_text(encoding="utf-8"))["panels"]
    shown = {
        (name, frozenset(re.findall(r"\{\{(\w+)\}\}", target["legendFormat"])))
        for panel in panels
        for target in panel["targets"]
        for name in re.findall(r"\bnlq_\w+", target["expr"])
    }
    assert len(shown) >= 12
    store, model = SlowStore(), ProtocolServer(manners())
    films = {"id": "films", "url": store.address, "dialect": "sparql11", "limits": {"retries": 0}}
    endpoints = [{"id": "sample", "data": ["builtin:sample"]}, films]
    settings = {"endpoints": endpoints, "model": {"backend": "openai", "url": model.url}}
    config = written("nlq.yaml", json.dumps(settings))
    try:
        with running(environment, "serve", "--config", config, "--workers", "1") as (_, address):
            ask(address, question=UNSURE, strategy="code")
            model.close()
            _, document = ask(address, question=UNSURE, strategy="steps")
            assert "model-unavailable" in {one["code"] for one in document["warnings"]}, document
            ask(address, question="")
            store.up = False
            HTTP.request("GET", f"{address}/films/sparql", fields={"query": "ASK {}"})
            until(lambda: all(map(partial(is_told, told=samples(address)), shown)))
    finally:
        store.close()


def samples(address: str) -> set[tuple[str, frozenset[str]]]:
    """The names of all samples, with those of their labels."""
    with urllib3.PoolManager(retries=False, timeout=SECONDS) as http:
        text = http.request("GET", f"{address}/metrics").data.decode()
    families = text_string_to_metric_families(text)
    return {(one.name, frozenset(one.labels)) for family in families for one in family.samples}


def is_told(shown: tuple[str, frozenset[str]], told: set[tuple[str, frozenset[str]]]) -> bool:
    name, labels = shown
    return any(name == other and labels <= others for other, others in told)


def test_the_file_is_what_its_script_writes() -> None:
    command = [sys.executable, "scripts/grafana_dashboard.py"]
    written = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert json.loads(written) == json.loads(DASHBOARD.read_text(encoding="utf-8"))
