"""`docs/adapters.md`: its examples print what it says, and its tables say what there is."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from nlq_gateway.edges.http.adapters.markdown import SHOWN_ROWS
from nlq_gateway.edges.http.requests import MAX_BODY
from nlq_gateway.edges.mcp.working import PREPARE_SECONDS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "adapters.md").read_text(encoding="utf-8")
HERE = "http://127.0.0.1:8080"


def block(language: str) -> str:
    found = re.search(rf"```{language}\n(.*?)```", DOCUMENT, re.DOTALL)
    assert found
    return found[1]


def test_the_command_prints_what_is_documented(address: str) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    command = block("sh").replace(HERE, address)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == json.loads(block("text"))


def test_the_program_prints_the_answer(address: str) -> None:
    program = block("python").replace(HERE, address)
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.startswith("Quentin Tarantino\n")


def test_the_configuration_of_a_client_is_json() -> None:
    (server,) = json.loads(block("json"))["mcpServers"].values()
    assert server["args"][0] == "mcp"


def test_the_limits_are_documented() -> None:
    assert f"less than {MAX_BODY // 1024} KiB" in DOCUMENT
    assert f"up to {SHOWN_ROWS} rows" in DOCUMENT
    assert f"up to {PREPARE_SECONDS:.0f} seconds" in DOCUMENT


def test_the_tools_are_documented() -> None:
    from nlq_gateway.edges.mcp.tools import Tools

    tools = {name for name in vars(Tools) if not name.startswith("_")} - set(Tools.__slots__)
    assert (
        set(re.findall(r"^\| `(\w+)` \|", DOCUMENT.partition("| tool | gives |")[2], re.MULTILINE)) == tools
    )
