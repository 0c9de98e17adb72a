"""Which layout a graph is written in, by what it contains."""

from __future__ import annotations

from compilers.layouts.vocabulary import PRED
from connectors.base import Connector
from nlq_gateway.index.manifest import Layout

_SIGNS = (PRED + "fact_h", PRED + "instance_of")


def detect_layout(connector: Connector) -> Layout:
    """`kqapro` where the graph uses that layout's own predicates, else `direct`; at most two ASKs."""
    found = any(connector.query(f"ASK {{ ?s <{sign}> ?o }}").boolean for sign in _SIGNS)
    return "kqapro" if found else "direct"
