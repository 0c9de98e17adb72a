"""One small graph in every layout: its schema, the programs over it and the answers are the same."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import pyoxigraph as ox
import pytest

from compilers.errors import UnsupportedProgram
from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from compilers.kopl.values import NO_UNIT, Quantity, Value
from compilers.layouts.vocabulary import OWL, RDF
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.answering.store_surroundings import StoreSurroundings
from nlq_gateway.index import BuildLimits, BuildOptions, Index, build, detect_layout
from nlq_gateway.settings import Settings
from tests.compiler.rdf import asks_for_qualifiers, facts_of, iri
from tests.compiler.rdf_wikidata import THING
from tests.compiler.shapes import SHAPES, Shape
from tests.oracle.calculation import commonest_units
from tests.oracle.graph import Graph, graph_from_kopl_json
from tests.oracle.interpret import interpret

TINY = Path(__file__).parents[1] / "kopl" / "fixtures" / "tiny.json"
OWN_UNITS = ("kqapro", "wikidata")
PROGRAMS = (
    "FindAll()->Count()",
    "Find(Dusk)->Relate(directed by, forward)->FilterConcept(artist)->What()",
    "Find(Alex Kim)->Relate(directed by, backward)->FilterConcept(film)->What()",
    "FindAll()->FilterConcept(person)->FilterNum(height, 100 centimetre, >)->What()",
    "FindAll()->FilterStr(nickname, Kim)->What()",
    "FindAll()->FilterYear(date of birth, 1960, =)->What()",
    "FindAll()->FilterConcept(place)->FilterNum(population, 900, >)->Count()",
    "Find(Riverton)->QueryAttr(elevation)",
    "Find(Dusk)->QueryAttr(publication date)",
    "Find(Dawn)->Find(Dusk)->QueryRelation()",
    "FindAll()->SelectAmong(population, largest)",
    "Find(Riverton)->QueryAttr(population)->VerifyNum(1100, <)",
    "Find(Alex Kim)->Find(Berta Díaz)->QueryRelationQualifier(spouse, start time)",
    "Find(Dusk)->QueryAttrUnderCondition(publication date, place, Rome)",
    "Find(Riverton)->QueryAttrQualifier(population, 1200, margin)",
    "FindAll()->FilterNum(population, 500, >)->QFilterYear(point in time, 2000, =)->What()",
    "Find(Alex Kim)->Relate(spouse, forward)->QFilterDate(end time, 1990-10-03, =)->What()",
    "Find(Dusk)->Relate(directed by, forward)->QFilterStr(award, Gold)->What()",
    "Find(Alex Kim)->Find(Dusk)->Or()->What()",
)
# A store that reads RDF-star by SPARQL 1.2 holds the facts as RDF 1.2 does.
DETECTED = {name: shape.layout for name, shape in SHAPES.items()} | {"rdf_star": "rdf12"}


@dataclass(frozen=True, slots=True)
class World:
    """The graph as one shape has it, and a gateway over the file that it is written to."""

    name: str
    graph: Graph
    gateway: Pipeline

    @property
    def shape(self) -> Shape:
        return SHAPES[self.name]

    @property
    def index(self) -> Index:
        return self.gateway.endpoint(None).index

    @property
    def surroundings(self) -> StoreSurroundings:
        prepared = self.gateway.endpoint(None).prepared
        return StoreSurroundings(prepared.connector, prepared.index, prepared.layout, prepared.traits)


@pytest.fixture(scope="module", params=SHAPES)
def world(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    shape = SHAPES[request.param]
    graph = shape.prepare(graph_from_kopl_json(json.loads(TINY.read_text(encoding="utf-8"))))
    file = tmp_path_factory.mktemp("world") / f"{request.param.replace(' ', '-')}.nq"
    store = shape.write(graph)
    if shape.layout not in OWN_UNITS:
        store.extend(unit_declarations(graph))
    store.dump(file, format=ox.RdfFormat.N_QUADS)
    gateway = Pipeline(Settings.for_data([file]).with_source(layout=shape.layout))
    gateway.endpoint(None).prepare()
    yield World(request.param, graph if shape.layout != "direct" else without_qualifiers(graph), gateway)
    gateway.close()


def without_qualifiers(graph: Graph) -> Graph:
    return replace(
        graph,
        attributes=frozenset(replace(fact, qualifiers=frozenset()) for fact in graph.attributes),
        relations=frozenset(replace(fact, qualifiers=frozenset()) for fact in graph.relations),
    )


def values_by_name(graph: Graph, kind: Kind) -> Mapping[str, list[Value]]:
    """The values of each attribute or qualifier."""
    found: dict[str, list[Value]] = defaultdict(list)
    for attribute in graph.attributes if kind == Kind.ATTRIBUTE else ():
        found[attribute.attribute].append(attribute.value)
    for fact in facts_of(graph) if kind == Kind.QUALIFIER else ():
        for key, value in fact.qualifiers:
            found[key].append(value)
    return found


def unit_declarations(graph: Graph) -> Iterator[ox.Quad]:
    """A plain number states no unit: the vocabulary does."""
    for kind in (Kind.ATTRIBUTE, Kind.QUALIFIER):
        for name, values in values_by_name(graph, kind).items():
            for unit in {value.unit for value in values if isinstance(value, Quantity)} - {NO_UNIT}:
                node = ox.NamedNode(iri(name))
                yield ox.Quad(node, ox.NamedNode(RDF + "type"), ox.NamedNode(OWL + "DatatypeProperty"))
                yield ox.Quad(node, ox.NamedNode("http://qudt.org/schema/qudt/hasUnit"), ox.Literal(unit))


def names_of(graph: Graph) -> Mapping[Kind, set[str]]:
    return {
        Kind.RELATION: {fact.relation for fact in graph.relations},
        Kind.ATTRIBUTE: {fact.attribute for fact in graph.attributes},
        Kind.QUALIFIER: {key for fact in facts_of(graph) for key, _ in fact.qualifiers},
    }


def test_the_schema_is_that_of_the_graph(world: World) -> None:
    for kind, names in names_of(world.graph).items():
        found = [item.label for item in world.index.schema if item.kind == kind]
        assert sorted(found) == sorted(names)
    concepts = Counter(item.label for item in world.index.schema if item.kind == Kind.CONCEPT)
    # What has no class at all is an instance of this one there.
    del concepts[THING if world.shape.layout == "wikidata" else ""]
    assert concepts == Counter(concept.name for concept in world.graph.concepts.values())


def test_entities_are_those_of_the_graph(world: World) -> None:
    iri_of = world.shape.iris(world.graph)
    assert world.index.manifest.counts["entities"] == len(world.graph.entities)
    assert {one.iri for one in world.index.entities_named("Alex Kim")} == {iri_of("P1"), iri_of("P2")}
    director = world.index.entity(iri_of("P1"))
    assert director is not None
    assert iri_of("C3") in director.concepts
    # Without a hierarchy every concept of an entity is its own.
    assert len(director.concepts) == 1 or world.shape.layout == "kqapro"


def test_values_have_their_types_units_and_counts(world: World) -> None:
    known = {Kind.ATTRIBUTE: world.graph.attribute_types, Kind.QUALIFIER: world.graph.qualifier_types}
    for kind, types in known.items():
        for name, values in values_by_name(world.graph, kind).items():
            (item,) = world.index.named(kind, name)
            assert set(item.value_types) == set(types[name])
            units = tuple(unit for unit in commonest_units(values) if unit != NO_UNIT)
            assert tuple(unit for unit in item.units if unit != NO_UNIT) == units
            assert item.count == len(values)
            assert item.examples


def test_qualifiers_are_known_by_what_they_stand_on(world: World) -> None:
    named: dict[tuple[Kind, str], set[str]] = defaultdict(set)
    for fact in world.graph.attributes:
        named[Kind.ATTRIBUTE, fact.attribute] |= {key for key, _ in fact.qualifiers}
    for other in world.graph.relations:
        named[Kind.RELATION, other.relation] |= {key for key, _ in other.qualifiers}
    for (kind, name), qualifiers in named.items():
        (item,) = world.index.named(kind, name)
        found = [world.index.item(Kind.QUALIFIER, one) for one in item.qualifiers]
        assert {one.label for one in found if one is not None} == qualifiers


@pytest.mark.parametrize("text", PROGRAMS)
def test_programs_by_names_answer_as_the_interpreter(world: World, text: str) -> None:
    program = read_program(text)
    if asks_for_qualifiers(program) and world.shape.layout == "direct":
        with pytest.raises(UnsupportedProgram):
            world.gateway.run(program)
        return
    trace = world.gateway.run(program)
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == sorted(interpret(program, world.graph).answers)


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which films are directed by Alex Kim?", {"Dawn", "Dusk"}),
        ("What is the elevation of Riverton?", {"-3.7 metre"}),
        ("Who has the nickname Kim?", {"Alex Kim"}),
    ],
)
def test_questions(world: World, question: str, expected: set[str]) -> None:
    answer = world.gateway.ask(Ask(question)).answer
    assert answer is not None
    assert set(answer.strings) == expected


def test_what_is_around_an_entity(world: World) -> None:
    items = {item.iri: item.label for item in world.index.schema if item.kind != Kind.CONCEPT}
    iri_of = world.shape.iris(world.graph)
    facts = {(f.attribute, f.entity, "forward") for f in world.graph.attributes}
    facts |= {(f.relation, f.source, "forward") for f in world.graph.relations}
    facts |= {(f.relation, f.target, "backward") for f in world.graph.relations}
    for entity in ("F2", "P3", "T1"):
        found = world.surroundings.around(iri_of(entity))
        seen = {(items[predicate], way) for predicate, way in found if predicate in items}
        assert seen == {(name, way) for name, node, way in facts if node == entity}


def _held_in(world: World) -> set[tuple[str, str]]:
    places = {("Rome", "place")} if "place" in names_of(world.graph)[Kind.QUALIFIER] else set()
    return {("Kim", "nickname"), *places}


def _labels(world: World) -> dict[str, str]:
    return {item.iri: item.label for item in world.index.schema if item.kind != Kind.CONCEPT}


def test_the_index_knows_who_holds_a_text(world: World) -> None:
    items, found = _labels(world), world.index.texts.equal_to(["KIM", "rome"])
    hits = [hit for text in found for hit in found[text]]
    assert {(hit.value, items[iri]) for hit in hits for iri in hit.predicates} == _held_in(world)
    assert world.surroundings.holders(["kim", "Rome"]) == ()


def test_the_store_is_asked_for_texts_that_the_index_has_no_room_for(world: World, tmp_path: Path) -> None:
    build(
        world.surroundings.connector,
        world.surroundings.layout,
        tmp_path,
        BuildOptions(limits=BuildLimits(texts=0)),
    )
    with Index.open(tmp_path, None) as small:
        assert "text values" in small.manifest.sampled
        items, surroundings = _labels(world), replace(world.surroundings, index=small, _around={})
        found = surroundings.holders(["kim", "rome"])
        assert {(value, items[iri]) for _, value, iri in found} == _held_in(world)
        assert {text for text, _, _ in found} <= {"kim", "rome"}


def test_auto_finds_the_layout(world: World) -> None:
    assert detect_layout(world.gateway.endpoint(None).connector).layout == DETECTED[world.name]


def test_the_graph_tells_how_it_is_compiled_for(world: World) -> None:
    options = world.gateway.endpoint(None).prepared.options
    assert options.plain_triples == world.shape.options.plain_triples
    assert options.fact_class == world.shape.options.fact_class


def test_a_small_graph_is_read_in_full(world: World) -> None:
    assert world.index.manifest.sampled == {}
    assert world.index.manifest.layout == world.shape.layout
