"""Why a graph is taken for one layout, and what is said where the store or the graph is not of one mind."""

from __future__ import annotations

from pathlib import Path

import pytest

from connectors.errors import EndpointTimeout, EndpointTooComplex
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import LayoutFinding, detect_layout
from tests.index.stores import Slow

HEAD = """
@prefix : <http://m.example/> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
"""
STATEMENTS = "".join(
    f":s{n} a rdf:Statement ; rdf:subject :a{n} ; rdf:predicate :knows ; rdf:object :b{n} ." for n in range(3)
)
SINGLETON = ":a1 :x1 :b1 . :x1 rdf:singletonPropertyOf :knows ."


def holding(folder: Path, text: str, *, union: bool = True) -> EmbeddedOxigraph:
    file = folder / "graph.trig"
    file.write_text(HEAD + text, encoding="utf-8")
    return EmbeddedOxigraph.in_memory([file], union_default_graph=union)


def told(found: LayoutFinding) -> dict[str, bool | None]:
    return {one.sign: one.found for one in found.evidence}


def test_the_evidence_has_the_query_the_sample_and_the_count(tmp_path: Path) -> None:
    store = holding(tmp_path, STATEMENTS)
    found = detect_layout(store)
    assert (found.layout, found.by_graph, found.warnings) == ("reification", {}, ())
    (shown,) = (one for one in found.evidence if one.found)
    assert (shown.layout, shown.count) == ("reification", 3)
    assert shown.sample.startswith("<http://m.example/s")
    assert shown.words == f"3, such as {shown.sample}"
    assert len(store.query(shown.query).rows) == 1
    assert [one.words for one in found.evidence if not one.found] == ["none"] * 5


def test_a_graph_without_any_sign_is_asked_for_all_of_them(tmp_path: Path) -> None:
    found = detect_layout(holding(tmp_path, ":a :knows :b ."))
    assert found.layout == "direct"
    assert set(told(found).values()) == {False}
    assert len(found.evidence) == 8


def test_two_layouts_in_one_graph_are_said(tmp_path: Path) -> None:
    found = detect_layout(holding(tmp_path, STATEMENTS + SINGLETON))
    assert found.layout == "reification"
    (warning,) = found.warnings
    assert "without the facts in the layout singleton" in warning


def test_named_graphs_in_another_layout_are_said(tmp_path: Path) -> None:
    text = f"{STATEMENTS} :g1 {{ {SINGLETON} :a2 :x1 :b2 }} :g2 {{ :a :knows :b . :b :knows :c }}"
    store = holding(tmp_path, text, union=False)
    found = detect_layout(store)
    assert (found.layout, found.by_graph) == ("reification", {"http://m.example/g1": "singleton"})
    assert "http://m.example/g1 is in the layout singleton" in found.warnings[0]
    assert detect_layout(store, ["http://m.example/g2"]).by_graph == {}


@pytest.mark.parametrize("error", [EndpointTimeout, EndpointTooComplex])
def test_what_the_store_does_not_tell_is_no_absence(tmp_path: Path, error: type[Exception]) -> None:
    found = detect_layout(Slow(holding(tmp_path, STATEMENTS), "#subject", error))
    assert found.layout == "direct"
    assert told(found)["RDF statements"] is None
    (warning,) = found.warnings
    assert "gave no answer about RDF statements" in warning
    assert "layout: reification" in warning
