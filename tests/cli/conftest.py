from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

SECONDS = 120
Nlq = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of the commands; the cache is shared, so that the sample graph is indexed once."""
    cache = tmp_path_factory.getbasetemp() / "cache"
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NLQ_")}
    return {**kept, "NLQ_CACHE": str(cache)}


@pytest.fixture(scope="session")
def nlq(environment: dict[str, str]) -> Nlq:
    """Runs `nlq` with these arguments, and sees to it that no traceback is shown."""

    def run(*arguments: str, **options: Any) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "nlq_gateway", *arguments]
        settled = {"capture_output": True, "text": True, "timeout": SECONDS, "env": environment, "input": ""}
        done = subprocess.run(command, check=False, **{**settled, **options})
        assert "Traceback" not in done.stderr, done.stderr
        return done

    return run


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str, object], str]:
    """Writes a file: text as it is, a list of records as JSON Lines, anything else as JSON."""

    def write(name: str, content: object) -> str:
        text = content if isinstance(content, str) else json.dumps(content)
        if name.endswith(".jsonl") and isinstance(content, list):
            text = "".join(json.dumps(record) + "\n" for record in content)
        (tmp_path / name).write_text(text, encoding="utf-8")
        return str(tmp_path / name)

    return write
