from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from compilers.compile import compile_program
from compilers.grounded import Binding
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.notations import read_program
from compilers.kopl.values import NO_UNIT, Date, Quantity, String, Year
from compilers.layouts import Options
from compilers.layouts.vocabulary import RDFS, WIKIBASE, WIKIDATA
from connectors.errors import EndpointTimeout
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.answering.grounding import Grounder
from nlq_gateway.index import BuildLimits, BuildOptions, Index, LabelPreferences, build, detect_layout
from nlq_gateway.index.traits import find_traits
from tests.compiler.rdf import answer
from tests.compiler.rdf_wikidata import as_wikidata
from tests.index.stores import Slow
from tests.oracle.graph import AttributeFact, Concept, Entity, Graph, RelationFact

BASE = "https://base.example/"
CLASSES = ("P5001", "P5002")
GRAPH = Graph(
    {key: Entity(name, ("C",)) for key, name in (("A", "Ada"), ("B", "Bo"), ("T", "Turin"))},
    {"C": Concept("thing", ("D",)), "D": Concept("being", ())},
    frozenset(
        {
            AttributeFact("A", "mass", Quantity(70, "kilogram")),
            AttributeFact("B", "mass", Quantity(80, "kilogram")),
            AttributeFact("B", "mass", Quantity(81500, "gram")),
            AttributeFact("A", "score", Quantity(4, NO_UNIT)),
            AttributeFact("A", "born", Date(1970, 3, 1)),
            AttributeFact("B", "born", Year(1971)),
            AttributeFact("B", "code", String("b-1"), frozenset({("source", String("list"))})),
        }
    ),
    frozenset({RelationFact("A", "friend", "B", frozenset({("since", Year(1999))}))}),
)


def property_of(store: ox.Store, label: str) -> str:
    (found,) = store.query(f'SELECT ?p {{ ?p <{RDFS}label> "{label}"@en ; <{WIKIBASE}claim> ?c }}')
    return str(found["p"].value)


def add(store: ox.Store, subject: str, predicate: str, object_: str) -> None:
    store.add(ox.Quad(ox.NamedNode(subject), ox.NamedNode(predicate), ox.NamedNode(object_)))


@pytest.fixture
def indexed(tmp_path: Path) -> Callable[[ox.Store], Index]:
    def index_of(store: ox.Store) -> Index:
        connector = EmbeddedOxigraph(lambda: store, address="memory")
        assert detect_layout(connector).layout == "wikidata"
        build(connector, "wikidata", tmp_path, BuildOptions(labels=LabelPreferences(languages=("en",))))
        return Index.open(tmp_path, None)

    return index_of


def test_units_and_types_come_by_commonness(indexed: Callable[[ox.Store], Index]) -> None:
    index = indexed(as_wikidata(GRAPH))
    found = {item.label: item for item in index.schema if item.kind == Kind.ATTRIBUTE}
    assert {name: item.units for name, item in found.items()} == {
        "mass": ("kilogram", "gram"),
        "score": (NO_UNIT,),
        "born": (),
        "code": (),
    }
    assert set(found["born"].value_types) == {ValueType.DATE, ValueType.YEAR}
    assert set(found["mass"].examples) == {"70 kilogram", "80 kilogram", "81500 gram"}
    assert set(found["born"].examples) == {"1970-03-01", "1971"}
    assert found["score"].examples == ("4",)
    assert found["code"].examples == ("b-1",)
    assert found["mass"].domains == ((index.named(Kind.CONCEPT, "thing")[0].iri, 3),)


def test_a_wikibase_has_classes_of_its_own(indexed: Callable[[ox.Store], Index]) -> None:
    store = as_wikidata(GRAPH, BASE, CLASSES)
    node, direct = f"{BASE}entity/{CLASSES[1]}", f"{BASE}prop/direct/{CLASSES[1]}"
    store.add(
        ox.Quad(ox.NamedNode(node), ox.NamedNode(RDFS + "label"), ox.Literal("subclass of", language="en"))
    )
    add(store, node, WIKIBASE + "directClaim", direct)
    traits = find_traits(EmbeddedOxigraph(lambda: store, address="memory"), "wikidata")
    assert (traits.membership, traits.hierarchy) == (f"{BASE}prop/direct/{CLASSES[0]}", direct)
    index = indexed(store)
    (being,) = index.named(Kind.CONCEPT, "being")
    assert index.descendants(being.iri) == (index.named(Kind.CONCEPT, "thing")[0].iri,)
    assert [item.label for item in index.schema if item.kind == Kind.RELATION] == ["friend"]
    assert [one.concepts for one in index.entities_named("Ada")] == [
        (index.named(Kind.CONCEPT, "thing")[0].iri,)
    ]


def test_the_type_of_a_property_decides_what_it_is(indexed: Callable[[ox.Store], Index]) -> None:
    store = as_wikidata(GRAPH)
    for label, kind in (("code", "ExternalId"), ("friend", "Url"), ("mass", "Quantity")):
        add(store, property_of(store, label), WIKIBASE + "propertyType", WIKIBASE + kind)
    page, leads = "http://pages.example/bo", property_of(store, "friend").replace("entity", "prop/statement")
    (statement,) = store.query(f"SELECT ?st {{ ?st <{leads}> ?o ; <{WIKIBASE}rank> <{WIKIBASE}NormalRank> }}")
    add(store, statement["st"].value, leads, page)
    index = indexed(store)
    assert index.entity(page) is None
    assert index.manifest.counts["entities"] == 3
    assert index.named(Kind.RELATION, "friend") == ()
    (friend,) = index.named(Kind.ATTRIBUTE, "friend")
    assert friend.value_types == (ValueType.STRING,)
    assert index.named(Kind.ATTRIBUTE, "code")[0].value_types == (ValueType.STRING,)


def test_qualifiers_may_be_items(indexed: Callable[[ox.Store], Index]) -> None:
    """The type of their values is unknown, and their ranges are concepts."""
    store = as_wikidata(GRAPH)
    source = property_of(store, "source").replace("entity", "prop/qualifier")
    (turin,) = store.query(f'SELECT ?t {{ ?t <{RDFS}label> ?l FILTER(STR(?l) = "Turin") }}')
    for old in list(store.quads_for_pattern(None, ox.NamedNode(source), None)):
        store.remove(old)
        store.add(ox.Quad(old.subject, old.predicate, turin["t"]))
    index = indexed(store)
    (item,) = index.named(Kind.QUALIFIER, "source")
    assert (item.value_types, item.examples, item.count) == ((), (), 1)
    assert item.ranges == ((index.named(Kind.CONCEPT, "thing")[0].iri, 1),)
    assert index.named(Kind.QUALIFIER, "since")[0].value_types == (ValueType.YEAR,)
    binding = Binding((item.iri,), "source", object="thing")
    program = read_program("Find(Bo)->QueryAttrQualifier(code, b-1, source)")
    grounding = Grounder(index).ground(program)
    assert grounding.grounded.bindings[1, 2] == binding
    assert answer(store, compile_program(grounding.grounded, "wikidata", Options())).strings == ("Turin",)


def test_what_cannot_all_be_counted_is_sampled(tmp_path: Path) -> None:
    store = EmbeddedOxigraph(lambda: as_wikidata(GRAPH), address="memory")
    schemas = []
    for pattern in ("$^", r"COUNT\((?!.*SELECT \*).*GROUP BY \?[po]"):
        folder = tmp_path / str(len(schemas))
        build(
            Slow(store, pattern, EndpointTimeout),
            "wikidata",
            folder,
            BuildOptions(limits=BuildLimits(sample_facts=10)),
        )
        index = Index.open(folder, None)
        schemas.append(index.schema)
    assert schemas[0] == schemas[1]
    for what in ("concept counts", "relation counts", "qualifiers", "units", "value types"):
        assert "from 10 facts" in index.manifest.sampled[what]


def test_deprecated_statements_are_not_counted(indexed: Callable[[ox.Store], Index]) -> None:
    """Every other fact has one with another value."""
    graph = replace(GRAPH, relations=frozenset())
    index = indexed(as_wikidata(graph))
    counts = {item.label: item.count for item in index.schema if item.kind == Kind.ATTRIBUTE}
    assert counts == {"mass": 3, "score": 1, "born": 2, "code": 1}
    assert {item.iri for item in index.schema if item.kind == Kind.ATTRIBUTE} == {
        f"{WIKIDATA}entity/P{number}" for number in (1001, 1002, 1003, 1004)
    }
