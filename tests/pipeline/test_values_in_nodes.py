"""Programs that are run: values in nodes of their own, which have their unit beside them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.errors import UnsupportedProgram
from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline
from nlq_gateway.answering.grounding import Pin, Resolver
from nlq_gateway.core.types import Links, Question

PARKS = """
@prefix : <http://wind.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .
:crew rdfs:label "Crew" .
"""
PARK = """
:p{n} a :Park ; rdfs:label "Park {n}" ; :keptBy :crew ; :turbines {n}2 ;
    :ratedPower [ qudt:numericValue {n}0.5 ; qudt:unit unit:MegaW ] ;
    :area [ qudt:numericValue {n} ; qudt:unit {area} ] ;
    :flow [ qudt:numericValue {n} ; qudt:unit :litresPerSecond ] ;
    :hub [ :heightAboveGround {n}00 ; :heightAboveSea {n}50 ; qudt:unit unit:M ] .
:litresPerSecond rdfs:label "litre per second" .
"""


@pytest.fixture(scope="module")
def parks(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "parks.ttl"
    areas = {1: "unit:HA", 2: "unit:HA", 3: "unit:KiloM2"}
    file.write_text(PARKS + "".join(PARK.format(n=n, area=area) for n, area in areas.items()), "utf-8")
    with opened((str(file),)) as gateway:
        yield gateway


ALL = "FindAll()->FilterConcept(park)"


@pytest.mark.parametrize(
    ("program", "answer"),
    [
        ("Find(Park 2)->QueryAttr(rated power)", "20.5 megawatts"),
        (f"{ALL}->FilterNum(rated power, 20 megawatt, >)->What()", "Park 2, Park 3"),
        (f"{ALL}->FilterNum(rated power, 20 MW, >)->What()", "Park 2, Park 3"),
        (f"{ALL}->FilterNum(rated power, 20000 kW, >)->What()", "Park 2, Park 3"),
        (f"{ALL}->FilterNum(rated power, 20, >)->What()", "Park 2, Park 3"),
        (f"{ALL}->SelectAmong(rated power, largest)", "Park 3"),
        (f"{ALL}->SelectShare(rated power, smallest, 34)->What()", "Park 1, Park 2"),
        (f"{ALL}->FilterHasAttr(rated power)->Count()", "3"),
        (f"{ALL}->QueryAttr(rated power)->Average()", "20.5 megawatts"),
        (f"{ALL}->FilterNum(rated power, 30, >)->QueryAttr(turbines)", "32"),
        ("Find(Park 1)->QueryAttr(flow)", "1 litre per second"),
    ],
)
def test_a_value_in_a_node_is_asked_for_as_the_things_own(parks: Pipeline, program: str, answer: str) -> None:
    trace = parks.run(read_program(program))
    assert trace.text == answer
    assert "value-in-node" in {one.code for one in trace.warnings}


def test_the_warning_says_the_way_through_the_node(parks: Pipeline) -> None:
    (warning,) = parks.run(read_program("Find(Park 2)->QueryAttr(rated power)")).warnings
    told = "step 2: 'rated power' leads to nodes, which have the value as 'numeric value'; took "
    assert warning.message == told + "Relate(rated power, forward)->QueryAttr(numeric value)"


def test_the_unit_goes_with_the_nodes_through_filters(parks: Pipeline) -> None:
    nodes = f"{ALL}->Relate(rated power, forward)->FilterNum(numeric value, 30, >)"
    assert parks.run(read_program(f"{nodes}->QueryAttr(numeric value)")).text == "30.5 megawatts"


def test_pins_stay_with_their_names(parks: Pipeline) -> None:
    program = read_program("FindAll()->FilterNum(rated power, 20, >)->FilterConcept(thing)->What()")
    trace = parks.run(program, pins=[Pin(2, 0, "http://wind.example/Park")])
    assert trace.text == "Park 2, Park 3"
    assert [one.step for one in trace.bindings if one.how == "pinned"] == [4]


def test_only_one_unit_beside_one_number_is_the_unit_of_a_relations_nodes(parks: Pipeline) -> None:
    items = parks.endpoint(None).index.schema
    found = {item.label: item.units for item in items if item.kind == Kind.RELATION and item.units}
    assert found == {"rated power": ("megawatt",), "flow": ("litre per second",)}


def test_an_error_says_the_whole_way_to_the_value(parks: Pipeline) -> None:
    steps = "Step 1: Find(Park 1)\nStep 2: Find(Park 2)\nStep 3: SelectBetween(rated power, greater) <- 1, 2"
    with pytest.raises(UnsupportedProgram) as caught:
        parks.run(read_program(steps))
    way = "use Relate(rated power, forward), then QueryAttr(numeric value)"
    assert caught.value.message.endswith(f"'rated power' is a relation: {way}")


def test_a_models_program_is_repaired_so(parks: Pipeline) -> None:
    program = read_program("Find(Park 1)->QueryAttr(rated power)")
    found = Resolver(parks.endpoint(None).index).resolve(program, Links(Question("How strong is Park 1?")))
    assert str(found.program) == str(
        read_program("Find(Park 1)->Relate(rated power, forward)->QueryAttr(numeric value)")
    )
    assert [(one.step, one.before) for one in found.repairs] == [(1, "QueryAttr(rated power)")]
