"""Values in nodes of their own: the drafter asks for a floor's area, the program goes through the node."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from benchmarks.rooms import opened
from benchmarks.sure import data_of
from compilers.kopl.program import Step
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.types import Question
from nlq_gateway.drafts.drafter import Drafter
from nlq_gateway.drafts.drafter.value_nodes import ValueNode, value_nodes_of
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
        (Step("FilterHasAttr", ("area",)), None),
    ],
    ids=lambda value: getattr(value, "function", ""),
)
def test_a_program_goes_through_the_node(area: ValueNode, step: Step, chain: list[Step] | None) -> None:
    asked = Step(step.function, step.inputs, (1,))
    written = StatedProgram((ALL, FLOORS, asked), {(2, 0): (area.relation.iri,)}, {(2, 1): "over 50"}, {})
    found = area.through(written, 2)
    if chain is None:
        assert found is None
        return
    assert found is not None
    steps = [Step(one.function, one.inputs, (at,)) for at, one in enumerate(chain, 1)]
    assert found.steps == (ALL, FLOORS, *steps)
    led = [at for at, one in enumerate(found.steps) if one.function == "Relate"]
    assert [found.choices[at, 0] for at in led] == [(area.relation.iri,)] * len(led)
    assert found.choices[3, 0] == (area.value.iri,)
    assert found.mentions == {(3, 1): "over 50"}


def test_the_way_through_a_node_is_not_turned_round(building: Pipeline) -> None:
    index = building.endpoint(None).index
    reading = QuestionReading.of(Linker(index).link(Question("What is the area of Room 205?")), index)
    steps = [step for draft in Drafter(index).draft(reading) for step in draft.program.steps]
    ways = {step.inputs for step in steps if step.function == "Relate"}
    assert THERE in ways
    assert BACK not in ways
