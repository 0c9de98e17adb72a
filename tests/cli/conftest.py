from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from tests.warm import run_nlq

SECONDS = 300
Done = CompletedProcess[str]
Nlq = Callable[..., Done]


@pytest.fixture(scope="session")
def environment(cache: Path) -> dict[str, str]:
    """The environment of the commands; the cache is shared, so that the sample graph is indexed once."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NLQ_")}
    return {**kept, "NLQ_CACHE": str(cache), "NLQ_DATA": os.environ["NLQ_DATA"]}


@pytest.fixture(scope="session")
def nlq(environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Nlq:
    """Runs `nlq` with these arguments, and sees to it that no traceback is shown."""
    folder = tmp_path_factory.mktemp("streams")

    def run(*arguments: str, env: Mapping[str, str] = environment, input: str = "") -> Done:
        done = run_nlq(arguments, env, input, folder, SECONDS)
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
