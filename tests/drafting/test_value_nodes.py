"""Values in nodes of their own: the drafter asks for a floor's area, the program goes through the node."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from benchmarks.sure import data_of
from compilers.kopl.program import Step
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.drafts.drafter import Drafter
from nlq_gateway.drafts.drafter.value_nodes import ValueNode, told_by_values, value_nodes_of
from nlq_gateway.drafts.drafter.values import StatedProgram
from nlq_gateway.question.linking import Linker
from nlq_gateway.question.reading.reading import QuestionReading

ALL, FLOORS = Step("FindAll"), Step("FilterConcept", ("Floor",), (0,))
THERE, BACK = ("area", "forward"), ("area", "backward")


@pytest.fixture(scope="module")
def building(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    """A building in which areas, powers and readings are nodes with a value and a unit."""
    with opened((data_of("building", tmp_path_factory.mktemp("building")),)) as gateway:
        yield gateway


@pytest.fixture(scope="module")
def area(building: Pipeline) -> ValueNode:
    found = value_nodes_of(building.endpoint(None).index)
    return next(one for one in found.values() if one.relation.label == "area")


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What is the area of Room 205?", ["67"]),
        ("Which floor is the largest?", ["Floor 1"]),
        ("Which two floors are the largest?", ["Floor 1", "Floor 2"]),
        ("Which laboratory has the largest area?", ["Room 405"]),
        ("What is the rated power of Chiller 1?", ["220"]),
    ],
)
def test_a_value_in_a_node_is_asked_for_as_a_things_own(
    building: Pipeline, question: str, answer: list[str]
) -> None:
    found = building.ask(Ask(question)).answer
    assert found is not None
    assert list(found.strings) == answer


def test_a_measure_is_an_attribute_of_what_leads_to_it(area: ValueNode) -> None:
    assert (area.item.iri, area.item.label, area.item.domains) == (
        area.relation.iri,
        "area",
        area.relation.domains,
    )
    assert area.item.value_types == area.value.value_types


@pytest.mark.parametrize(
    ("step", "chain"),
    [
        (Step("QueryAttr", ("area",)), [Step("Relate", THERE), Step("QueryAttr", ("value",))]),
        (
            Step("FilterNum", ("area", "50", ">")),
            [Step("Relate", THERE), Step("FilterNum", ("value", "50", ">")), Step("Relate", BACK)],
        ),
        (
            Step("SelectTop", ("area", "largest", "2")),
            [Step("Relate", THERE), Step("SelectTop", ("value", "largest", "2")), Step("Relate", BACK)],
        ),
        (
            Step("SelectAmong", ("area", "largest")),
            [
                Step("Relate", THERE),
                Step("SelectNth", ("value", "largest", "1")),
                Step("Relate", BACK),
                Step("What"),
            ],
        ),
        (Step("FilterHasAttr", ("area",)), [Step("FilterHasRelation", THERE)]),
        (Step("FilterContains", ("area", "50")), None),
    ],
    ids=lambda value: getattr(value, "function", ""),
)
def test_a_program_goes_through_the_node(area: ValueNode, step: Step, chain: list[Step] | None) -> None:
    asked = Step(step.function, step.inputs, (1,))
    said = {(2, 1): "over 50"} if len(step.inputs) > 1 else {}
    written = StatedProgram((ALL, FLOORS, asked), {(2, 0): (area.relation.iri,)}, said, {})
    found = area.through(written, 2)
    if chain is None:
        assert found is None
        return
    assert found is not None
    steps = [Step(one.function, one.inputs, (at,)) for at, one in enumerate(chain, 1)]
    assert found.steps == (ALL, FLOORS, *steps)
    led = [at for at, one in enumerate(found.steps) if one.inputs in (THERE, BACK)]
    assert [found.choices[at, 0] for at in led] == [(area.relation.iri,)] * len(led)
    assert len(found.steps) == 3 or found.choices[3, 0] == (area.value.iri,)
    assert found.mentions == {(3, argument): words for (_, argument), words in said.items()}


def test_a_comparison_of_values_in_nodes_keeps_the_things(area: ValueNode) -> None:
    own, others = Step("QueryAttr", ("area",), (1,)), Step("Average", (), (2,))
    steps = (ALL, FLOORS, own, others, Step("FilterCompare", (">",), (2, 3)), Step("What", (), (4,)))
    found = area.through(StatedProgram(steps, {(2, 0): (area.relation.iri,)}, {}, {}), 2)
    assert found is not None
    told = [step.inputs or step.function for step in found.steps[2:]]
    assert told == [THERE, ("value",), "Average", (">",), BACK, "What"]
    assert found.choices[6, 0] == (area.relation.iri,)


@pytest.mark.parametrize(
    ("after", "told"),
    [
        ([Step("What", (), (2,))], [THERE, ("value",)]),
        ([Step("Table", (), (1, 2))], [THERE, ("value",), "Table"]),
        (
            [Step("Table", (), (1, 2)), Step("SortTable", ("2", "descending"), (3,))],
            [THERE, ("value",), "Table", ("2", "descending")],
        ),
        ([Step("FilterNum", ("value", "9", ">"), (2,)), Step("What", (), (3,))], None),
        ([Step("Count", (), (2,)), Step("Table", (), (2, 3))], None),
    ],
    ids=["a thing's", "in a table", "in order", "of some nodes", "counted"],
)
def test_a_node_of_a_value_alone_is_shown_by_its_value(
    area: ValueNode, after: list[Step], told: list[object] | None
) -> None:
    """A node has no name to be shown by."""
    steps = (ALL, FLOORS, Step("Relate", THERE, (1,)), *after)
    written = StatedProgram(steps, {(2, 0): (area.relation.iri,)}, {}, {})
    found = told_by_values(written, {area.relation.iri: area})
    if told is None:
        assert found == written
        return
    assert [step.inputs or step.function for step in found.steps[2:]] == told
    assert found.choices[3, 0] == (area.value.iri,)
    assert found.steps[3].dependencies == (2,)


NODES = """
@prefix : <http://yard.example/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
"""
CRANE = """
:crane{n} a :Crane ; rdfs:label "Crane {n}" ; :rated_load :load{n} ; :hired_by :firm{n} .
:load{n} a :Quantity ; :amount {n}0 ; :unit "t" .
:firm{n} a :Firm ; :employees {n}00 ; :floors {n} ; :founded 199{n} ; :hall {n} ; :code "F{n}" .
"""


def test_a_node_with_a_class_of_its_own_holds_a_value_and_a_thing_without_a_name_does_not(
    tmp_path: Path,
) -> None:
    data = tmp_path / "yard.ttl"
    data.write_text(NODES + "".join(CRANE.format(n=number) for number in range(1, 6)), "utf-8")
    with opened((str(data),)) as gateway:
        found = value_nodes_of(gateway.endpoint(None).index)
        answer = gateway.ask(Ask("Which crane has the largest rated load?")).answer
    assert [(one.relation.label, one.value.label) for one in found.values()] == [("rated load", "amount")]
    assert answer is not None
    assert list(answer.strings) == ["Crane 5"]


def test_values_in_nodes_are_compared_with_their_average(building: Pipeline) -> None:
    found = building.ask(Ask("Which rooms have an area that is larger than the average value?")).answer
    assert found is not None
    numbers = (*range(106, 109), *range(205, 209), *range(305, 309), *range(404, 409))
    assert set(found.strings) == {"Plant Room", *(f"Room {number}" for number in numbers)}


def test_a_class_of_nodes_without_a_name_has_no_average_beside_it(building: Pipeline) -> None:
    """Nothing in the vocabulary is the class of powers, of which the reasoner would take the average."""
    trace = building.ask(Ask("Whose rated power exceeds the average value of all rated powers?"))
    assert trace.attempts


def test_the_way_through_a_node_is_not_turned_round(building: Pipeline) -> None:
    index = building.endpoint(None).index
    reading = QuestionReading.of(Linker(index).link(Question("What is the area of Room 205?")), index)
    steps = [step for draft in Drafter(index).draft(reading) for step in draft.program.steps]
    ways = {step.inputs for step in steps if step.function == "Relate"}
    assert THERE in ways
    assert BACK not in ways
