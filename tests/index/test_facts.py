"""The layouts in which facts have nodes: what belongs to the nodes stays out of the schema."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilers.kopl.functions import Kind, ValueType
from connectors.errors import EndpointRefusedQuery, EndpointTimeout, EndpointTooComplex
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.index import BuildLimits, BuildOptions, Index, Layout, build, detect_layout
from nlq_gateway.index.traits import find_traits
from tests.index.stores import Slow

SPACE = "http://n.example/"
HEAD = f"""
@prefix : <{SPACE}> .
@prefix rdf: <http://www.w3.org/1999/02/22-rdf-syntax-ns#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:ann a :Person ; rdfs:label "Ann" . :ben a :Person ; rdfs:label "Ben" . :x1 rdfs:label "the first fact" .
:x1 a :Claim ; :since 1999 , 2001 ; :source :ben ; rdfs:comment "doubtful" . :x2 a :Claim ; :since "always" .
"""
FACTS: dict[Layout, str] = {
    "reification": """
        :ann :knows :ben ; :age 30 .
        :x1 a rdf:Statement ; rdf:subject :ann ; rdf:predicate :knows ; rdf:object :ben .
        :x2 a rdf:Statement ; rdf:subject :ann ; rdf:predicate :age ; rdf:object 30 .""",
    "rdf12": ":ann :knows :ben ; :age 30 . :x1 rdf:reifies <<( :ann :knows :ben )>> ."
    " :x2 rdf:reifies <<( :ann :age 30 )>> .",
    "rdf_star": ":ann :knows :ben ; :age 30 . << :ann :knows :ben ~ :x1 >> :seen true ."
    " << :ann :age 30 ~ :x2 >> :seen true .",
    "singleton": ":ann :x1 :ben ; :x2 30 . :x1 rdf:singletonPropertyOf :knows ."
    " :x2 rdf:singletonPropertyOf :age .",
    "graph_per_fact": ":x1 { :ann :knows :ben } :x2 { :ann :age 30 }",
}


@pytest.fixture(scope="module", params=FACTS)
def layout(request: pytest.FixtureRequest) -> Layout:
    return request.param  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def store(layout: Layout, tmp_path_factory: pytest.TempPathFactory) -> EmbeddedOxigraph:
    file = tmp_path_factory.mktemp(layout) / "facts.trig"
    file.write_text(HEAD + FACTS[layout], encoding="utf-8")
    return EmbeddedOxigraph.in_memory([file])


@pytest.fixture
def index(layout: Layout, store: EmbeddedOxigraph, tmp_path: Path) -> Index:
    build(store, layout, tmp_path)
    return Index.open(tmp_path, None)


def test_nodes_of_facts_are_neither_schema_nor_entities(index: Index) -> None:
    schema = {(item.kind, item.label) for item in index.schema} - {(Kind.QUALIFIER, "seen")}
    assert schema == {
        (Kind.CONCEPT, "person"),
        (Kind.RELATION, "knows"),
        (Kind.ATTRIBUTE, "age"),
        (Kind.QUALIFIER, "since"),
        (Kind.QUALIFIER, "source"),
    }
    assert {one.label for name in ("Ann", "Ben", "the first fact") for one in index.entities_named(name)} == {
        "Ann",
        "Ben",
    }
    assert [index.entities_named(name)[0].degree for name in ("Ann", "Ben")] == [2, 1]


def test_qualifiers_have_what_their_literals_have(index: Index) -> None:
    since, source = (index.named(Kind.QUALIFIER, name)[0] for name in ("since", "source"))
    assert since.value_types == (ValueType.QUANTITY, ValueType.STRING)
    assert (since.count, set(since.examples), since.units) == (3, {"1999", "2001", "always"}, ())
    assert (source.count, source.value_types, source.examples) == (1, (), ())
    knows = index.named(Kind.RELATION, "knows")[0]
    assert set(knows.qualifiers) >= {SPACE + "since", SPACE + "source"}


def test_the_class_of_the_nodes_is_found(layout: Layout, store: EmbeddedOxigraph) -> None:
    assert find_traits(store, layout).fact_class == SPACE + "Claim"


def test_a_class_that_some_graphs_lack_does_not_tell_them_from_others(tmp_path: Path) -> None:
    file = tmp_path / "facts.trig"
    file.write_text(HEAD + FACTS["graph_per_fact"] + " :x3 { :ben :knows :ann } :x3 :since 2005 .")
    store = EmbeddedOxigraph.in_memory([file])
    assert detect_layout(store).layout == "graph_per_fact"
    assert find_traits(store, "graph_per_fact").fact_class == ""


def test_graphs_of_many_triples_are_no_facts(tmp_path: Path) -> None:
    file = tmp_path / "documents.trig"
    file.write_text(HEAD + ":x1 { :ann :knows :ben ; :age 30 } :x2 { :ben :age 40 ; :knows :ann }")
    assert detect_layout(EmbeddedOxigraph.in_memory([file])).layout == "direct"


def test_what_cannot_all_be_counted_is_sampled(
    layout: Layout, store: EmbeddedOxigraph, index: Index, tmp_path: Path
) -> None:
    slow = Slow(store, r"COUNT\((?!.*SELECT \*).*\?p\b.*GROUP BY", EndpointTimeout)
    build(slow, layout, tmp_path / "slow", BuildOptions(limits=BuildLimits(sample_facts=10)))
    sampled = Index.open(tmp_path / "slow", None)
    assert sampled.schema == index.schema
    for what in ("relation counts", "attribute counts", "qualifier counts", "qualifiers", "value types"):
        assert "from 10 facts" in sampled.manifest.sampled[what]


@pytest.mark.parametrize("error", [EndpointRefusedQuery, EndpointTimeout])
def test_a_store_that_does_not_know_quoted_triples_is_asked_for_other_signs(
    store: EmbeddedOxigraph, layout: Layout, error: type[Exception]
) -> None:
    found = detect_layout(Slow(store, "<<", error)).layout
    assert found == (layout if layout != "rdf_star" else "rdf12")


def test_listings_whose_filter_is_thought_too_dear_are_filtered_page_by_page(
    layout: Layout, store: EmbeddedOxigraph, index: Index, tmp_path: Path
) -> None:
    slow = Slow(store, r"^SELECT \?x \?\w+ WHERE \{ \?x <.*NOT EXISTS", EndpointTooComplex)
    build(slow, layout, tmp_path / "slow")
    filtered = Index.open(tmp_path / "slow", None)
    assert filtered.schema == index.schema
    assert filtered.manifest.counts == index.manifest.counts
    assert filtered.manifest.sampled == {}
