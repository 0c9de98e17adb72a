"""KQA Pro's small graph among the names and relations of the large one.

In a graph of few names hardly any other is like a name that it lacks. Training for honesty needs such, so
that the partial facts of the large graph are added, but for those of things that the small one knows.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pyoxigraph as ox

from connectors.rdf_files import load_files

BASE = "http://kqapro.example/"
NAME = ox.NamedNode("pred:name")


def crowd(graph: Path, facts: Path, target: Path) -> Path:
    """Write the other things with their names and relations as N-Triples; returns the file."""
    store = ox.Store()
    load_files(store, [graph])
    names = (quad.object for quad in store.quads_for_pattern(None, NAME, None, None))
    known = {name.value for name in names if isinstance(name, ox.Literal)}
    things: dict[str, ox.NamedNode] = {}
    with target.open("wb") as file:
        ox.serialize(_triples(facts, known, things), file, ox.RdfFormat.N_TRIPLES)
    return target


def _triples(facts: Path, known: set[str], things: dict[str, ox.NamedNode]) -> Iterator[ox.Triple]:
    with gzip.open(facts, "rt", encoding="utf-8") as lines:
        for fact in map(json.loads, lines):
            ends = fact["s"], fact["o"]
            if fact["kind"] != "rel" or known.intersection(ends):
                continue
            for name in ends:
                if name not in things:
                    things[name] = ox.NamedNode(f"{BASE}more{len(things)}")
                    yield ox.Triple(things[name], NAME, ox.Literal(name))
            relation = ox.NamedNode(BASE + quote(fact["p"].replace(" ", "_")))
            yield ox.Triple(things[fact["s"]], relation, things[fact["o"]])
