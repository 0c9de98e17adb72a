"""`nlq config`: what it prints, and what it never prints."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from nlq_gateway.edges.cli import main

Nlq = Callable[..., "subprocess.CompletedProcess[str]"]
Run = Callable[..., "Done"]
Written = Callable[[str, object], str]
SECRET = "s3cr3t-sentinel"
CONFIG = """\
endpoints:
  - id: products
    aliases: [shop]
    url: https://kg.example.org/sparql
    auth: {type: basic, user: me, password: "${KG_PASSWORD}"}
  - id: sample
    data: ['builtin:sample']
model:
  backend: openai
  url: http://gpu:8000/v1
  key: ${file:key}
server:
  auth: {type: bearer, clients: [{name: team, token: "${KG_PASSWORD}", datasets: [sample]}]}
  trace_store: postgresql://nlq:${KG_PASSWORD}@db.example/nlq
"""


@dataclass(frozen=True)
class Done:
    """The output of a command, and its exit code."""

    returncode: int
    stdout: str
    stderr: str


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[..., Done]:
    """Carries out a command in this process."""
    monkeypatch.setenv("KG_PASSWORD", SECRET)
    monkeypatch.delenv("NLQ_CONFIG", raising=False)

    def carried_out(*arguments: str) -> Done:
        code = main(arguments)
        return Done(code, *capsys.readouterr())

    return carried_out


@pytest.fixture
def config(written: Written) -> str:
    written("key", f"{SECRET}\n")
    return written("nlq.yaml", CONFIG)


def test_the_configuration_is_shown_with_defaults_and_without_secrets(
    run: Run, config: str, written: Written
) -> None:
    shown = run("config", "show", "--config", config)
    assert (shown.returncode, shown.stderr) == (0, "")
    assert SECRET not in shown.stdout
    assert "    password: ${KG_PASSWORD}\n" in shown.stdout
    assert f"  key: ${{file:{Path(config).parent}/key}}\n" in shown.stdout
    assert "    max_rows: 10000  # default\n" in shown.stdout
    again = run("config", "show", "--config", written("again.yaml", shown.stdout))
    assert again.stdout.replace("  # default", "") == shown.stdout.replace("  # default", "")
    as_json = run("config", "show", "--json", "--config", config)
    assert json.loads(as_json.stdout) == yaml.safe_load(shown.stdout)


def test_one_endpoint_is_shown(run: Run, config: str) -> None:
    shown = run("config", "show", "--config", config, "--endpoint", "shop")
    assert [endpoint["id"] for endpoint in yaml.safe_load(shown.stdout)["endpoints"]] == ["products"]
    unknown = run("config", "show", "--config", config, "--endpoint", "none")
    assert unknown.returncode == 2
    assert "it has products, sample" in unknown.stderr


def test_a_file_that_is_right_is_said_to_be(run: Run, config: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NLQ_CONFIG", config)
    done = run("config", "check")
    assert (done.returncode, done.stdout) == (0, f"{config} is right; its endpoints are products, sample\n")


@pytest.mark.parametrize("command", ["check", "show"])
def test_all_that_is_wrong_is_told(run: Run, written: Written, command: str) -> None:
    text = CONFIG.replace("aliases", "alias").replace("openai", "${KG_PASSWORD}").replace("${file:key}", "k")
    file = written("wrong.yaml", text)
    done = run("config", command, "--config", file)
    assert (done.returncode, done.stdout) == (2, "")
    assert [line for line in done.stderr.splitlines() if line.startswith("nlq: ")] == [
        f"nlq: {file}, line 3, endpoints[0].alias: unknown key",
        f"nlq: {file}, line 9, model.backend: '${{KG_PASSWORD}}' is not a value of it",
        f"nlq: {file}, line 11, model.key: a secret is not written in the file: write ${{NAME}} and set NAME "
        "in the environment, or ${file:PATH} and keep it in that file",
    ]
    assert SECRET not in done.stderr
    told = run("config", "check", "--json", "--config", file)
    errors = json.loads(told.stdout)["errors"]
    assert told.returncode == 2
    assert [(error["line"], error["key"]) for error in errors] == [
        (3, "endpoints[0].alias"),
        (9, "model.backend"),
        (11, "model.key"),
    ]


def test_a_layout_that_the_graphs_hide_is_told(run: Run, written: Written) -> None:
    text = (
        "endpoints:\n"
        "  - {id: kg, url: 'http://127.0.0.1:9/sparql', layout: graph_per_fact, default_graphs: ['urn:a']}\n"
    )
    done = run("config", "check", "--config", written("walled.yaml", text))
    assert (done.returncode, done.stdout) == (2, "")
    assert "line 2, endpoints[0].layout: the facts of the layout 'graph_per_fact' are in named" in done.stderr


def test_no_secret_is_in_a_traceback(written: Written, environment: dict[str, str], nlq: Nlq) -> None:
    file = written("wrong.yaml", CONFIG.replace("url: https", "dialect: ${KG_PASSWORD}\n    url: https"))
    written("key", f"{SECRET}\n")
    with pytest.raises(AssertionError) as caught:
        nlq("ask", "--config", file, "question", env={**environment, "KG_PASSWORD": SECRET, "NLQ_DEBUG": "1"})
    assert "ConfigurationError" in str(caught.value)
    assert SECRET not in str(caught.value)


def test_no_file_is_an_error_with_what_to_do(run: Run) -> None:
    done = run("config", "show")
    assert done.returncode == 2
    assert "--config FILE" in done.stderr


def test_the_schema_and_the_reference_are_printed(run: Run) -> None:
    assert json.loads(run("config", "schema").stdout)["$defs"]["AuthSettings"]
    assert "| `max_rows` |" in run("config", "reference").stdout


def test_a_driver_that_is_missing_is_told(
    run: Run, written: Written, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server would not start: a check that passes it is worth nothing."""
    file = written("nlq.yaml", CONFIG)
    written("key", "key")
    assert run("config", "check", "--config", file).returncode == 0
    monkeypatch.setitem(sys.modules, "psycopg", None)
    done = run("config", "check", "--config", file)
    assert done.returncode == 2
    assert "psycopg" in done.stderr
    assert "pip install '.[postgresql]'" in done.stderr
    errors = json.loads(run("config", "check", "--json", "--config", file).stdout)["errors"]
    assert [error["key"] for error in errors] == ["server.trace_store"]
