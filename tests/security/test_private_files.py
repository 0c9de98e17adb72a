"""Files of the gateway hold values of datasets: no other user of the machine reads them."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index.ensure import ensure
from tests.cli.serving import ask, running

PUBLIC = stat.S_IRWXG | stat.S_IRWXO
GRAPH = """
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
<http://t.example/one> a <http://t.example/Thing> ; rdfs:label "one" .
"""


def open_to_others(root: Path) -> dict[str, str]:
    return {
        str(file.relative_to(root)): oct(file.stat().st_mode)
        for file in (root, *root.rglob("*"))
        if file.stat().st_mode & PUBLIC
    }


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    return {**os.environ, "NLQ_CACHE": str(tmp_path / "cache"), "NLQ_DATA": str(tmp_path / "data")}


def nlq(environment: dict[str, str], *arguments: str) -> None:
    command = [sys.executable, "-m", "nlq_gateway", *arguments]
    done = subprocess.run(command, env=environment, umask=0o022, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_nothing_that_commands_keep_is_open_to_others(environment: dict[str, str], tmp_path: Path) -> None:
    data = tmp_path / "things.ttl"
    data.write_text(GRAPH, encoding="utf-8")
    source = ("--data", str(data))
    examples = tmp_path / "examples.jsonl"
    examples.write_text(json.dumps({"question": "Which things?", "program": "FindAll()->What()"}) + "\n")
    nlq(environment, "ask", *source, "--examples", str(examples), "How many things are there?")
    nlq(environment, "explore", *source, "--programs", "5", "--seconds", "5", "--workers", "1")
    with running(environment, "serve", *source, "--workers", "1") as (_, address):
        ask(address)
        kept = [open_to_others(tmp_path / name) for name in ("cache", "data")]
    assert kept == [{}, {}]
    assert list((tmp_path / "cache").rglob("items.sqlite"))
    assert (tmp_path / "data" / "traces.sqlite").is_file()


def test_a_folder_of_an_earlier_version_is_closed(tmp_path: Path) -> None:
    """Its files were readable by all; the folder that they are in no longer lets others in."""
    data, root = tmp_path / "things.ttl", tmp_path / "index"
    data.write_text(GRAPH, encoding="utf-8")
    root.mkdir()
    root.chmod(0o755)
    ensure(EmbeddedOxigraph.in_memory([data]), "direct", root)
    assert root.stat().st_mode & PUBLIC == 0
