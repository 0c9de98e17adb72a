from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from mcp import StdioServerParameters
from serving_mcp import serving

Over = Callable[..., StdioServerParameters]
CONFIG = """
endpoints:
- {id: sample, aliases: ['https://kg.example/'], data: ['builtin:sample']}
- {id: away, url: 'http://127.0.0.1:1/sparql', limits: {connect_ms: 500}}
"""


@pytest.fixture(scope="session")
def environment(cache: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NLQ_")}
    return {**kept, "NLQ_CACHE": str(cache), "NLQ_DATA": os.environ["NLQ_DATA"]}


@pytest.fixture(scope="session")
def config(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A graph that answers and one that is down."""
    file = tmp_path_factory.mktemp("config") / "nlq.yaml"
    file.write_text(CONFIG, encoding="utf-8")
    return str(file)


@pytest.fixture(scope="session")
def stdio(environment: dict[str, str], config: str) -> StdioServerParameters:
    """The command by which a client starts the server."""
    arguments = ["-m", "nlq_gateway", "mcp", "--config", config]
    return StdioServerParameters(command=sys.executable, args=arguments, env=environment)


@pytest.fixture(scope="session")
def http(environment: dict[str, str], config: str) -> Iterator[str]:
    """The address of an open server."""
    with serving(environment, config) as (address, _):
        yield address
