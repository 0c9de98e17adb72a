"""Descriptions that graphs have of themselves, by vocabulary and by example: a graph, and its findings."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compilers.kopl.functions import Kind
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.index import BuildOptions, Index, LabelPreferences, build, make_plan
from nlq_gateway.index.introspect.units import unit_of_code, unit_of_names, without_unit
from tests.clock import little_work
from tests.index.described import GRAPH, shown

SPACE = "http://lab.example/"
EXPECTED = GRAPH.with_name("schema.json")


@pytest.fixture(scope="module")
def store() -> EmbeddedOxigraph:
    return EmbeddedOxigraph.in_memory([GRAPH])


@pytest.fixture(scope="module")
def index(store: EmbeddedOxigraph, tmp_path_factory: pytest.TempPathFactory) -> Index:
    folder = tmp_path_factory.mktemp("described")
    build(store, "direct", folder)
    return Index.open(folder, None)


def item(index: Index, kind: Kind, name: str) -> SchemaItem:
    found = index.item(kind, SPACE + name)
    assert found is not None
    return found


def test_the_schema_is_what_the_fixture_says(index: Index) -> None:
    expected: dict[str, Any] = json.loads(EXPECTED.read_text(encoding="utf-8"))
    assert shown(index) == expected


def test_a_class_without_members_lends_its_names_to_the_one_it_equals(index: Index) -> None:
    (sample,) = index.named(Kind.CONCEPT, "specimen")
    assert sample.iri == SPACE + "Sample"
    assert index.item(Kind.CONCEPT, SPACE + "Specimen") is None


def test_inverses_are_declared_or_found(index: Index) -> None:
    inverses = {name: item(index, Kind.RELATION, name).inverse for name in ("took", "memberOf", "knows")}
    assert inverses == {
        "took": (SPACE + "takenBy",),
        "memberOf": (SPACE + "hasMember",),
        "knows": (SPACE + "knows",),
    }
    assert item(index, Kind.RELATION, "about").inverse == ()


def test_declarations_stand_in_for_what_the_data_do_not_say(index: Index) -> None:
    """An inverse path gives the class of the subjects, which have none in the data."""
    assert item(index, Kind.RELATION, "holds").domains == ((SPACE + "Rack", 2),)


def test_declarations_that_the_data_contradict_are_said_and_not_used(index: Index) -> None:
    knows, member = item(index, Kind.RELATION, "knows"), item(index, Kind.RELATION, "memberOf")
    assert knows.domains == ((SPACE + "Person", 4),)
    assert not member.functional
    assert [warning.split(": ")[0] for warning in index.manifest.warnings] == [
        f"<{SPACE}memberOf>",
        f"<{SPACE}knows>",
    ]


def test_the_commonest_values_come_first_and_then_those_that_a_shape_lists(index: Index) -> None:
    assert item(index, Kind.ATTRIBUTE, "grade").examples == ("B", "C", "A")


def test_topics_are_entities_under_all_their_names(index: Index) -> None:
    for name in ("water", "Wasser", "aqua", "watr", "W.1"):
        assert [entity.iri for entity in index.entities_named(name)] == [SPACE + "water"]
    notation = index.item(Kind.ATTRIBUTE, "http://www.w3.org/2004/02/skos/core#notation")
    assert notation is not None
    assert notation.count == 1


def test_what_the_store_says_of_itself_is_no_content(index: Index) -> None:
    assert not any("void" in item.iri for item in index.schema)
    assert index.entities_named("the laboratory") == ()


def test_labels_in_another_order_of_languages(store: EmbeddedOxigraph, tmp_path: Path) -> None:
    build(store, "direct", tmp_path, BuildOptions(labels=LabelPreferences(languages=("de", "en"))))
    german = Index.open(tmp_path, None)
    assert item(german, Kind.CONCEPT, "Sample").label == "Probe"
    assert item(german, Kind.CONCEPT, "Team").label == "team"
    assert "took" in item(german, Kind.RELATION, "took").aliases


def test_the_plan_knows_the_vocabularies(store: EmbeddedOxigraph) -> None:
    plan = make_plan(store, "direct")
    assert plan.vocabularies == ("OWL", "SHACL", "SKOS")
    assert (plan.void.triples, plan.void.entities) == (180, 20)
    assert plan.void.classes == {SPACE + "Sample": 6, SPACE + "Person": 4}
    assert plan.void.properties == {SPACE + "takenBy": 6, SPACE + "took": 6}
    assert plan.warnings == ()


EXPRESSIONS = """
@prefix : <http://wine.example/> . @prefix owl: <http://www.w3.org/2002/07/owl#> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Wine a owl:Class ; rdfs:subClassOf [ a owl:Restriction ; owl:onProperty :maker ; owl:cardinality 1 ] .
:Grape a owl:Class . [] a owl:AllDisjointClasses ; owl:members ( :Wine :Grape ) .
:Red a owl:Class ; owl:equivalentClass [ a owl:Class ; owl:intersectionOf ( :Wine [ a owl:Restriction ] ) ] .
:made a owl:ObjectProperty ; rdfs:domain [ a owl:Class ; owl:unionOf ( :Wine :Grape ) ] .
:one a :Wine , [ a owl:Restriction ; owl:onProperty :maker ; owl:hasValue :here ] ; :made :g ; :price 9.5 .
:two a :Red , [ a owl:Class ; owl:unionOf ( :Wine :Grape ) ] ; :made :g .
:g a :Grape , [ a owl:Class ; owl:complementOf :Wine ] .
"""


def test_class_expressions_are_no_classes(tmp_path: Path) -> None:
    file, folder = tmp_path / "wines.ttl", tmp_path / "index"
    file.write_text(EXPRESSIONS, encoding="utf-8")
    build(EmbeddedOxigraph.in_memory([file]), "direct", folder)
    with Index.open(folder, None) as found:
        classes = {one.iri for one in found.schema if one.kind == Kind.CONCEPT}
        assert classes == {f"http://wine.example/{name}" for name in ("Wine", "Red", "Grape")}
        ends = {iri for one in found.schema for iri, _ in (*one.domains, *one.ranges)}
        assert ends == classes
        assert {one.concept for one in found.partitions(tuple(ends))} <= classes
        assert {one.target for one in found.partitions(tuple(ends))} <= {*classes, ""}
        assert sorted(one.label for one in found.sample(10)) == ["g", "one", "two"]


def test_what_a_named_graph_states_is_found(tmp_path: Path) -> None:
    file = tmp_path / "graph.trig"
    text = "@prefix void: <http://rdfs.org/ns/void#> . @prefix : <http://v.example/> . :a :knows :b , :c . "
    part = "void:propertyPartition [ void:property :knows ; void:triples 2 ]"
    stated = f"[] a void:Dataset ; void:triples 2 ; {part}"
    file.write_text(f"{text} :description {{ {stated} }}", encoding="utf-8")
    plan = make_plan(EmbeddedOxigraph.in_memory([file], union_default_graph=False), "direct")
    assert plan.void.properties == {"http://v.example/knows": 2}
    assert plan.graphs == ("http://v.example/description",)
    assert plan.warnings == ()


@pytest.mark.parametrize(
    ("local", "labels", "unit"),
    [
        ("height", ("height (m)",), "metre"),
        ("preis", ("Preis in EUR",), "euro"),
        ("weight_kg", (), "kilogram"),
        ("depth_in_km", (), "kilometre"),
        ("lengthInMeters", (), "metre"),
        ("areaInKm2", (), ""),
        ("area", ("Fläche [km²]",), "square kilometre"),
        ("share", ("share, percent",), "percent"),
        ("share", ("share (%)",), "percent"),
        ("speed", ("top speed",), ""),
        ("size_min", (), ""),
        ("plan_b", (), ""),
        ("kg", ("kg",), ""),
        ("born", ("born in London",), ""),
        ("height", ("height (cm)", "Höhe (m)"), ""),
        ("height_cm", ("height (centimetres)",), "centimetre"),
        ("price_usd", ("price",), "United States dollar"),
        ("grade", ("grade (v)",), "volt"),
        ("tank", ("capacity (m³)",), "cubic metre"),
        ("dauer", ("durée (heures)",), "hour"),
        ("left_foot", (), ""),
        ("size", ("size in megabytes",), "megabyte"),
        ("storage_gb", ("storage (GB)",), "gigabyte"),
        ("memory", ("memory (kB)", "memory in kilobytes"), "kilobyte"),
        ("fat_pct", (), "percent"),
        ("noticePeriodInWeeks", ("notice period in weeks",), "week"),
        ("age", ("age in years",), "year"),
        ("screen", ("screen size (inches)",), "inch"),
        ("yield", ("annual yield (MWh)",), "megawatt hour"),
        ("wine_bar", (), ""),
        ("born_year", ("born in year",), ""),
    ],
)
def test_units_are_said_by_names(local: str, labels: tuple[str, ...], unit: str) -> None:
    assert unit_of_names(SPACE + local, labels) == unit


@pytest.mark.parametrize(
    ("code", "unit"),
    [("KiloGM", "kilogram"), ("MTR", "metre"), ("MegaW-HR", "megawatt hour"), ("page", "page")],
)
def test_units_are_known_by_their_codes(code: str, unit: str) -> None:
    assert unit_of_code(code) == unit


@pytest.mark.parametrize(
    ("name", "bare"),
    [
        ("height (m)", ["height"]),
        ("depth m", ["depth"]),
        ("Preis in EUR", ["Preis"]),
        ("top speed", []),
        ("size in megabytes", ["size"]),
        ("number of pixels", []),
        ("kg", []),
    ],
)
def test_attributes_are_called_by_their_names_without_the_unit(name: str, bare: list[str]) -> None:
    assert list(without_unit([name])) == bare


@pytest.mark.parametrize("label", [f"({' ' * 20_000}", f"(m{' ' * 20_000}", f"(in{' ' * 20_000}x"])
def test_blanks_in_a_label_take_no_longer_than_letters(label: str) -> None:
    with little_work():
        assert unit_of_names(SPACE, [label]) == ""
        assert list(without_unit([label])) == []
