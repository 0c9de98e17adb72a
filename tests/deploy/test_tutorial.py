"""`docs/tutorial.md` is run from its first command to its last, in one shell, and prints what it says.

`pytest tests/deploy/test_tutorial.py --update-goldens` writes what is printed into the page.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ports import free_port

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "tutorial.md"
BLOCK = re.compile(r"```sh\n(?P<command>.*?)```(?:\n\n```text\n(?P<output>.*?)```)?", re.DOTALL)
MARK = "=== block"
# What differs from run to run: ids of traces, and times.
VARYING = ((r'(?<="trace":")[\w-]{16}(?=")', "…"), (r"\b\d+ ms\b", "… ms"))
SECONDS = 300


@pytest.fixture(scope="module")
def printed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The output of each block, with the varying parts replaced."""
    folder = tmp_path_factory.mktemp("tutorial")
    (folder / "docs").mkdir()
    shutil.copytree(ROOT / "docs" / "tutorial", folder / "docs" / "tutorial")
    (folder / "bin").mkdir()
    command = folder / "bin" / "nlq"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m nlq_gateway "$@"\n')
    command.chmod(0o755)
    environment = {
        **os.environ,
        "NLQ_CACHE": str(folder / "cache"),
        "NLQ_DATA": str(folder / "data"),
        "PATH": f"{folder}/bin:{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
    }
    environment.pop("NLQ_CONFIG", None)
    shell = subprocess.Popen(
        ["bash", "-e", "-c", script()],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        output, errors = shell.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(shell.pid, signal.SIGKILL)
        output, errors = shell.communicate()
    assert shell.returncode == 0, f"{output[-2000:]}{errors[-2000:]}ended by {shell.returncode}"
    found = output.split(f"{MARK}\n")[1:]
    for pattern, shown in VARYING:
        found = [re.sub(pattern, shown, text) for text in found]
    return found


def script() -> str:
    """All blocks, each announced, with a free port in place of the page's."""
    blocks = [match["command"] for match in BLOCK.finditer(PAGE.read_text(encoding="utf-8"))]
    text = "".join(f"echo '{MARK}'\n{block}" for block in blocks).replace("8080", str(free_port()))
    # A server that is left when a command fails would keep its output open.
    return f"trap 'kill %1 2>/dev/null || true' EXIT\n{text}"


def test_every_command_prints_what_the_page_says(printed: list[str], request: pytest.FixtureRequest) -> None:
    page = PAGE.read_text(encoding="utf-8")
    if request.config.getoption("--update-goldens"):
        texts = iter(printed)

        def with_output(match: re.Match[str]) -> str:
            text = next(texts)
            whole = match[0]
            return (
                whole if match["output"] is None else whole[: whole.index("```text")] + f"```text\n{text}```"
            )

        page = BLOCK.sub(with_output, page)
        PAGE.write_text(page, encoding="utf-8")
    wanted = [match["output"] for match in BLOCK.finditer(page)]
    shown = [None if output is None else text for output, text in zip(wanted, printed, strict=True)]
    assert shown == wanted


def test_the_page_names_the_stages_of_its_title() -> None:
    minutes = [
        int(minute) for minute in re.findall(r"^## .*\(minute (\d+)\)$", PAGE.read_text(), re.MULTILINE)
    ]
    assert minutes == sorted(minutes)
    assert minutes[-1] < 20
