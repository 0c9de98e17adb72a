"""`docs/sparql_endpoint.md`: its commands print what it says, and its tables say what there is."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from connectors.guard import MAX_STRUCTURE, MAX_TOKENS
from nlq_gateway.edges.http.requests import MAX_BODY
from nlq_gateway.edges.http.sparql.formats import GRAPHS, NAMES, TABLES, TRUTHS
from nlq_gateway.edges.http.sparql.request import MOST_GRAPHS

DOCUMENT = (Path(__file__).parents[2] / "docs" / "sparql_endpoint.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```sh\n(.*?)```\n\n```text\n(.*?)```", DOCUMENT, re.DOTALL)


def test_the_commands_are_found() -> None:
    assert len(EXAMPLES) == DOCUMENT.count("```sh") == 5


@pytest.mark.parametrize(("command", "output"), EXAMPLES)
def test_a_command_prints_what_is_documented(gateway: str, command: str, output: str) -> None:
    if shutil.which("curl") is None:
        pytest.skip("curl is not installed")
    command = command.replace("http://127.0.0.1:8080", gateway)
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.strip("\n") == output.strip("\n")


def test_the_formats_are_documented() -> None:
    for offers in (TABLES, TRUTHS, GRAPHS):
        assert f"| {', '.join(f'`{offer}`' for offer in offers)} |" in DOCUMENT
    named = DOCUMENT.partition("and the names ")[2].partition(". A\n")[0]
    assert set(re.findall(r"`([\w-]+)`", named)) <= set(NAMES)


def test_the_limits_are_documented() -> None:
    for limit in (f"{MAX_STRUCTURE:,} words", f"{MAX_TOKENS:,} with names", f"up to {MOST_GRAPHS} times"):
        assert limit in DOCUMENT
    assert f"less than {MAX_BODY // 1024} KiB" in DOCUMENT
