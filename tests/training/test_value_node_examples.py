"""Examples through nodes that hold a value: the drafter learns to ask for a thing's own attribute."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import NOTATIONS, read_program
from training.value_nodes import as_attributes

HELD = {"area": "value", "rated power": "number"}


@pytest.mark.parametrize(
    ("through", "stated"),
    [
        (
            "Find(Room 1)->Relate(area, forward)->QueryAttr(value)",
            "Find(Room 1)->QueryAttr(area)",
        ),
        (
            "FindAll()->FilterConcept(Room)->Relate(area, forward)->FilterNum(value, 20, >)"
            "->FilterNum(value, 50, <)->Relate(area, backward)->What()",
            "FindAll()->FilterConcept(Room)->FilterNum(area, 20, >)->FilterNum(area, 50, <)->What()",
        ),
        (
            "FindAll()->FilterConcept(Fan)->Relate(rated power, forward)->SelectTop(number, largest, 3)"
            "->Relate(rated power, backward)->Relate(located in, forward)->What()",
            "FindAll()->FilterConcept(Fan)->SelectTop(rated power, largest, 3)"
            "->Relate(located in, forward)->What()",
        ),
    ],
)
def test_ways_through_nodes_become_attributes(through: str, stated: str) -> None:
    assert NOTATIONS["chain"].write(as_attributes(read_program(through), HELD)) == stated


@pytest.mark.parametrize(
    "program",
    [
        # The unit is another attribute of the node, and other nodes than those of the table stay.
        "Find(Room 1)->Relate(area, forward)->QueryAttr(unit)",
        "Find(Room 1)->Relate(lease, forward)->QueryAttr(value)",
        # The nodes are the answer, or something else leads back.
        "FindAll()->FilterConcept(Room)->Relate(area, forward)->FilterNum(value, 20, >)->Count()",
        "FindAll()->FilterConcept(Room)->Relate(area, forward)->FilterNum(value, 20, >)"
        "->Relate(size, backward)->What()",
    ],
)
def test_other_programs_stay(program: str) -> None:
    assert as_attributes(read_program(program), HELD) == read_program(program)


def test_a_comparison_that_comes_back_from_the_nodes() -> None:
    through = """
        Step 1: FindAll()
        Step 2: FilterConcept(Room)
        Step 3: Relate(area, forward)
        Step 4: QueryAttr(value)
        Step 5: Average()
        Step 6: FilterCompare(>) <- 4, 5
        Step 7: Relate(area, backward)
        Step 8: What()
    """
    stated = """
        Step 1: FindAll()
        Step 2: FilterConcept(Room)
        Step 3: QueryAttr(area)
        Step 4: Average()
        Step 5: FilterCompare(>) <- 3, 4
        Step 6: What()
    """
    assert as_attributes(read_program(through), HELD) == read_program(stated)
