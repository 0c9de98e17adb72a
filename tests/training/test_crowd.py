"""The large graph's names around the small one's."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

from connectors.oxigraph import EmbeddedOxigraph
from training.crowd import crowd

FACTS = [
    {"s": "Ann Lund", "p": "member of", "o": "The Owls", "kind": "rel", "q": []},
    {"s": "Ann Lund", "p": "member of", "o": "The Hens", "kind": "rel", "q": []},
    {"s": "Ben Holm", "p": "nickname", "o": "Benny", "kind": "attr", "q": []},
    {"s": "Known One", "p": "member of", "o": "The Owls", "kind": "rel", "q": []},
]


def test_the_others_come_with_names_and_relations(tmp_path: Path) -> None:
    graph, facts = tmp_path / "kb.ttl", tmp_path / "facts.jsonl.gz"
    graph.write_text('<http://kqapro.example/Q1> <pred:name> "Known One" .')
    facts.write_bytes(gzip.compress("\n".join(map(json.dumps, FACTS)).encode()))
    file = crowd(graph, facts, tmp_path / "crowd.nt")
    store = EmbeddedOxigraph.in_memory([file])
    members = (
        "SELECT ?name { ?who <pred:name> 'Ann Lund' ; <http://kqapro.example/member_of> / <pred:name> ?name }"
    )
    assert {row[0].value for row in store.query(members).rows if row[0]} == {"The Owls", "The Hens"}
    assert "Known One" not in file.read_text()
