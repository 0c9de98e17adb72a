"""The graph of the benchmark of scale."""

from __future__ import annotations

from pathlib import Path

from benchmarks.large_graph import write_graph
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import Index, build


def test_the_same_graph_is_made_again_and_has_what_is_said_of_it(tmp_path: Path) -> None:
    first, again = (write_graph(tmp_path / name, 1_000, 10_000) for name in ("one.nt", "two.nt"))
    text = (tmp_path / "one.nt").read_text()
    assert text == (tmp_path / "two.nt").read_text()
    assert first == again
    assert first.triples == len(text.splitlines()) == 10_000
    build(EmbeddedOxigraph.in_memory([tmp_path / "one.nt"]), "direct", tmp_path / "index")
    with Index.open(tmp_path / "index", None) as index:
        counts = index.manifest.counts
        assert counts["concepts"] == 200
        # Besides, what is labelled as a relation and has no facts in so small a graph.
        assert 1_000 <= counts["entities"] < 1_100
        assert counts["relations"] > 300
        assert counts["attributes"] > 200
        assert index.manifest.languages[0] == "en"
        iri, label = first.labels[7]
        assert iri in {item.iri for item in index.entities_named(label)}
