"""The graphs that the tests run programs over."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.oracle.graph import Graph, graph_from_kopl_json

FIXTURES = Path(__file__).parent / "fixtures"


@pytest.fixture(scope="session")
def tiny() -> Graph:
    """A graph of a dozen entities with the odd cases: homonyms, several units, years beside dates."""
    return graph_from_kopl_json(json.loads((FIXTURES / "tiny.json").read_text(encoding="utf-8")))
