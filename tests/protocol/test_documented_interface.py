"""`docs/http.md`: its commands print what it says, and its tables say what there is."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from nlq_gateway.edges.http.openapi.documents import EVENTS
from nlq_gateway.edges.http.openapi.operations import OPERATIONS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "http.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(.*?)```\n\n```text\n(.*?)```", DOCUMENT, re.DOTALL)


def test_the_commands_are_found() -> None:
    assert len(EXAMPLES) == DOCUMENT.count("```sh") == 8


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_a_command_prints_what_is_documented(gateway: str, command: str, output: str) -> None:
    for tool in re.findall(r"\b(curl|jq)\b", command):
        if shutil.which(tool) is None:
            pytest.skip(f"{tool} is not installed")
    command = command.replace("http://127.0.0.1:8080", gateway)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip("\n") == output.strip("\n")


def test_every_event_is_documented() -> None:
    assert re.findall(r"^\| `(\w+)` \|", DOCUMENT, re.MULTILINE) == list(EVENTS)


def test_every_address_is_documented() -> None:
    for operation in OPERATIONS:
        path = operation.path.replace("{code}", "CODE")
        assert re.sub(r"{\w+}", "ID", path) in DOCUMENT
