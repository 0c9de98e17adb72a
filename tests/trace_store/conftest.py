"""Every test of the store runs on SQLite, and on the PostgreSQL of `make stores`."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import quote

import psycopg
import pytest

from nlq_gateway.edges.trace_store import TraceStore
from nlq_gateway.edges.trace_store.databases import database_at

POSTGRESQL = Path(__file__).parents[2] / ".stores" / "postgresql" / "endpoint"
DATABASES = (
    pytest.param("sqlite"),
    pytest.param("postgresql", marks=(pytest.mark.stores, pytest.mark.postgresql)),
)

Opened = Callable[..., TraceStore]


def postgresql() -> str:
    """The address of the cluster; skips the test where none is up."""
    if not POSTGRESQL.exists():
        pytest.skip("PostgreSQL was not started (.stores/postgresql/endpoint is absent): make stores")
    address: str = json.loads(f"{{{POSTGRESQL.read_text(encoding='utf-8')}}}")["query"]
    try:
        psycopg.connect(address, connect_timeout=2).close()
    except psycopg.OperationalError as error:
        pytest.skip(f"PostgreSQL is not up ({error}): make stores")
    return address


@pytest.fixture
def schema() -> Iterator[str]:
    """The address of a fresh schema in PostgreSQL, which is dropped afterwards."""
    server, name = postgresql(), f"test_{secrets.token_hex(6)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
        yield f"{server}?options={quote(f'-csearch_path={name}')}"
        connection.execute(f"DROP SCHEMA {name} CASCADE")


@pytest.fixture(params=DATABASES)
def address(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A place for an empty store."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path}/folder/traces.sqlite"
    found: str = request.getfixturevalue("schema")
    return found


@pytest.fixture
def opened(address: str) -> Iterator[Opened]:
    """Opens stores at the address, which are closed in the end."""
    stores: list[TraceStore] = []

    def at_address(**bounds: object) -> TraceStore:
        stores.append(TraceStore(database_at(address), **bounds))  # type: ignore[arg-type]
        return stores[-1]

    yield at_address
    for store in stores:
        store.close()
