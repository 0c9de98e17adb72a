"""The Dockerfile: what it copies is there, it runs without rights, and its health check tells the truth."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.cli.serving import running

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "deploy" / "Dockerfile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def lines(instruction: str) -> list[str]:
    """The arguments of all instructions of a kind, continued lines joined."""
    joined = TEXT.replace("\\\n", " ")
    return re.findall(rf"^\s*{instruction} (.+)$", joined, re.MULTILINE)


def health_check(port: int) -> list[str]:
    [found] = [line.partition("CMD ")[2] for line in lines("HEALTHCHECK")]
    command: list[str] = json.loads(found.replace(":8080/", f":{port}/"))
    assert command[0] == "python"
    return [sys.executable, *command[1:]]


def test_what_is_copied_is_there_and_is_let_through() -> None:
    copied = [source for line in lines("COPY") if "--from" not in line for source in line.split()[:-1]]
    ignore = (ROOT / "deploy" / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()
    assert all((ROOT / source).exists() for source in copied)
    assert {line[1:] for line in ignore if line.startswith("!")} == set(copied)
    assert "*" in ignore


def test_the_package_is_copied_whole() -> None:
    wanted = {"readme": PROJECT["readme"], **{name: name for name in PROJECT["license-files"]}}
    copied = {source for line in lines("COPY") if "--from" not in line for source in line.split()[:-1]}
    assert {*wanted.values(), "compilers", "connectors", "nlq_gateway", "pyproject.toml"} <= copied


def test_the_extras_are_extras() -> None:
    named = {name for group in re.findall(r"'\.\[([\w,]+)\]'", TEXT) for name in group.split(",")}
    assert named == {"postgresql", "mcp", "telemetry", "models"} & set(PROJECT["optional-dependencies"])


def test_python_is_the_one_that_the_versions_are_for() -> None:
    [head] = re.findall(r"Python (3\.\d+)", (ROOT / "constraints.txt").read_text(encoding="utf-8"))
    images = [line.split()[0].partition("@")[0] for line in lines("FROM")]
    assert {image for image in images if ":" in image} == {f"python:{head}-slim-bookworm"}
    assert all(
        "--constraint constraints.txt" in line
        for line in lines("RUN")
        if "pip install" in line or "--python" in line
    )


def test_it_ends_as_a_user_without_rights_and_without_pip() -> None:
    assert {user for user in lines("USER") if user != "0:0"} == {"10001:10001"}
    last = TEXT[TEXT.index("AS gpu") :]
    assert last.rindex("USER 10001:10001") > last.index("USER 0:0")
    assert "pip uninstall --yes --quiet setuptools wheel pip" in TEXT


def test_the_health_check_tells_whether_the_server_answers() -> None:
    with running(dict(os.environ), "demo") as (_, address):
        port = int(address.rpartition(":")[2])
        assert subprocess.run(health_check(port), check=False).returncode == 0
    gone = subprocess.run(health_check(port), check=False, capture_output=True, text=True)
    assert gone.returncode != 0
    assert "refused" in gone.stderr


def test_the_command_is_one_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    from nlq_gateway.edges.cli.arguments import parse

    monkeypatch.delenv("NLQ_CONFIG", raising=False)
    assert json.loads(lines("ENTRYPOINT")[0]) == ["nlq"]
    options = parse(json.loads(lines("CMD")[-1]))
    assert (options.host, str(options.port)) == ("0.0.0.0", lines("EXPOSE")[0])
