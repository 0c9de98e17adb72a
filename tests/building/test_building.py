"""A graph in which much stands behind blank nodes, and classes deep below one another."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilers.kopl.functions import Kind
from compilers.kopl.notations import read_program
from connectors.oxigraph import EmbeddedOxigraph
from nlq_gateway.answering import Pipeline
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.card import Blocks, whole
from nlq_gateway.index import Index
from tests.building.asked import AREAS, misstated, questions, run, wrong

SPACE = "https://hall.example/vocabulary#"


@pytest.fixture
def index(gateway: Pipeline) -> Index:
    return gateway.endpoint(None).index


def item(index: Index, kind: Kind, name: str) -> SchemaItem:
    found = index.item(kind, SPACE + name)
    assert found is not None
    return found


def test_gold_queries_find_the_gold_answers(building: Path) -> None:
    assert list(misstated(EmbeddedOxigraph.in_memory([building]))) == []


def test_gold_programs_find_the_gold_answers(gateway: Pipeline) -> None:
    assert len(questions()) == 20
    assert wrong(gateway) == {}


def test_what_a_relation_leads_to_has_attributes_of_its_own(index: Index) -> None:
    area, value = item(index, Kind.RELATION, "area"), item(index, Kind.ATTRIBUTE, "value")
    assert area.ranges == ((SPACE + "area", 38),)
    assert dict(value.domains)[SPACE + "area"] == 38
    assert (SPACE + "lastKnownValue", 194) in item(index, Kind.ATTRIBUTE, "timestamp").domains
    assert {one.iri: one.count for one in index.partitions((area.iri,)) if one.concept == area.iri} == {
        SPACE + "value": 38,
        SPACE + "hasUnit": 38,
    }


def test_blank_nodes_with_a_class_are_members_of_it(index: Index) -> None:
    assert item(index, Kind.RELATION, "hasReference").ranges == ((SPACE + "Timeseries_Reference", 194),)


def test_classes_count_what_is_below_them(index: Index) -> None:
    counts = {
        name: item(index, Kind.CONCEPT, name).count for name in ("Point", "Sensor", "Air_Handling_Unit")
    }
    assert counts == {"Point": 194, "Sensor": 122, "Air_Handling_Unit": 2}


@pytest.mark.parametrize("name", ["HVAC Zone", "HVAC zone", "hvac zone"])
def test_names_that_differ_in_case_are_one(gateway: Pipeline, index: Index, name: str) -> None:
    assert item(index, Kind.CONCEPT, "HVAC_Zone").aliases == ()
    found = run(gateway, f"FindAll()->FilterConcept({name})->Count()").answer
    assert found is not None
    assert found.strings == ("16",)


def test_iris_give_names_where_there_are_no_labels(index: Index) -> None:
    assert item(index, Kind.CONCEPT, "Zone_CO2_Level_Sensor").label == "zone CO2 level sensor"
    assert item(index, Kind.RELATION, "lastKnownValue").label == "last known value"


def test_a_blank_node_is_told_by_what_it_belongs_to(gateway: Pipeline) -> None:
    floors = {f"area of Floor {number}" for number in range(1, 5)}
    trace = run(gateway, f"{AREAS}->What()")
    assert trace.answer is not None
    assert set(trace.answer.strings) == floors
    assert {value.type for value in trace.answer.values} == {"literal"}
    assert {row[0] for row in trace.rows} == floors
    assert {step.function: step.count for step in trace.steps}["Relate"] == 4
    assert set(trace.steps[2].examples) == floors


def test_its_owner_has_a_label_that_the_iri_does_not_say(gateway: Pipeline) -> None:
    trace = run(gateway, "FindAll()->FilterNum(value, 4000, >)->What()")
    assert trace.answer is not None
    assert trace.answer.strings == ("area of North Hall",)


def test_blank_nodes_stand_in_columns_of_a_table(gateway: Pipeline) -> None:
    steps = (("FindAll", [], []), ("FilterConcept", [0], ["Floor"]), ("Relate", [1], ["area", "forward"]))
    both = (
        *steps,
        ("QueryAttr", [2], ["value"]),
        ("Table", [2, 3], []),
        ("SortTable", [4], ["2", "descending"]),
    )
    program = [{"function": name, "dependencies": on, "inputs": inputs} for name, on, inputs in both]
    trace = gateway.run(read_program(program))
    assert trace.rows[0] == ("area of Floor 1", "1662")
    assert len(trace.rows) == 4


def test_the_examples_of_a_step_before_the_answer_are_told_too(gateway: Pipeline) -> None:
    trace = run(gateway, f"{AREAS}->QueryAttr(value)->Maximum()")
    assert set(trace.steps[2].examples) == {f"area of Floor {number}" for number in range(1, 5)}
    assert trace.warnings == ()


def test_the_card_shows_them_with_what_they_have(index: Index) -> None:
    card = whole(Blocks(index), len, 100_000) or ""
    assert "area -> [what area leads to] (4); is part of -> building (4)" in card
    assert "\n  backward: area -> Location (38)" in card
    assert "[what area leads to] (38)\n  attributes: value (number: 27, 31, 35 …)" in card


def test_the_card_says_of_a_class_what_all_below_it_have(index: Index) -> None:
    card = whole(Blocks(index), len, 8_000) or ""
    points = "last known value -> [what last known value leads to] (194); has unit -> thing (194)"
    assert f"Point (194), a kind of entity\n  forward: {points}" in card
    assert "has point -> Point (168)" in card
    assert card.count("last known value -> [") == 1
