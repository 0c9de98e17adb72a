"""VoID that stands in one of an endpoint's named graphs."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index.introspect.void import NOTHING_STATED, read_void

TRIG = """
PREFIX void: <http://rdfs.org/ns/void#>
<urn:about> { <urn:set> a void:Dataset ; void:triples 7 ; void:entities 3 }
<urn:facts> { <urn:a> <urn:knows> <urn:b> }
"""


@pytest.mark.parametrize(
    ("graphs", "triples"), [(None, 7), (("urn:about", "urn:facts"), 7), (("urn:facts",), None), ((), None)]
)
def test_only_the_endpoints_graphs_are_looked_at(
    tmp_path: Path, graphs: tuple[str, ...] | None, triples: int | None
) -> None:
    (tmp_path / "graphs.trig").write_text(TRIG, encoding="utf-8")
    store = EmbeddedOxigraph.in_memory([tmp_path / "graphs.trig"], union_default_graph=False)
    stated = read_void(lambda _, text: store.query(text).rows, graphs)
    assert stated.triples == triples
    assert (stated == NOTHING_STATED) == (triples is None)
