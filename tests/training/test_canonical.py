"""One order of steps for one meaning: what is written how, and that it means the same."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from training.canonical import canonical

# Each with its canonical form, in the notation of calls where a step is fed by the one before it.
CASES = {
    "class before filters": (
        "FindAll()->FilterStr(city, Bern)->FilterConcept(person)->Count()",
        "FindAll()->FilterConcept(person)->FilterStr(city, Bern)->Count()",
    ),
    "a class is stated once": (
        "FindAll()->FilterConcept(person)->FilterNum(age, 3, >)->FilterConcept(person)->Count()",
        "FindAll()->FilterConcept(person)->FilterNum(age, 3, >)->Count()",
    ),
    "classes in the order of the source": (
        "FindAll()->FilterConcept(person)->FilterConcept(painter)->Count()",
        "FindAll()->FilterConcept(person)->FilterConcept(painter)->Count()",
    ),
    "a filter keeps the conditions on its facts": (
        "FindAll()->FilterNum(size, 3, >)->QFilterYear(point in time, 2010, =)->FilterConcept(city)->Count()",
        "FindAll()->FilterConcept(city)->FilterNum(size, 3, >)->QFilterYear(point in time, 2010, =)->Count()",
    ),
    "more than none": (
        "FindAll()->FilterConcept(city)->Count()->VerifyNum(0, >)",
        "FindAll()->FilterConcept(city)->Exists()",
    ),
    "at least one": (
        "FindAll()->FilterConcept(city)->Count()->VerifyNum(1, >=)",
        "FindAll()->FilterConcept(city)->Exists()",
    ),
    "none is counted": (
        "FindAll()->FilterConcept(city)->Count()->VerifyNum(0, =)",
        "FindAll()->FilterConcept(city)->Count()->VerifyNum(0, =)",
    ),
    "an amount is compared": (
        "Find(Bern)->QueryAttr(size)->VerifyNum(0, >)",
        "Find(Bern)->QueryAttr(size)->VerifyNum(0, >)",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_set_is_written_in_one_order(name: str) -> None:
    source, wanted = map(read_program, CASES[name])
    assert canonical(source)[0] == wanted


def steps(*calls: tuple[str, list[str], list[int]]) -> list[dict[str, object]]:
    return [{"function": name, "inputs": inputs, "dependencies": fed} for name, inputs, fed in calls]


def test_the_first_edge_takes_the_place_of_everything() -> None:
    source = read_program(
        steps(
            ("FindAll", [], []),
            ("FilterConcept", ["film"], [0]),
            ("Find", ["Ann"], []),
            ("Relate", ["director", "backward"], [2]),
            ("And", [], [1, 3]),
            ("What", [], [4]),
        )
    )
    program, origins = canonical(source)
    assert [str(step) for step in program.steps] == [
        "Find(Ann)",
        "Relate(director, backward)",
        "FilterConcept(film)",
        "What()",
    ]
    assert origins == (2, 3, 1, 5)


def test_further_edges_come_last() -> None:
    source = read_program(
        steps(
            ("Find", ["Ann"], []),
            ("Relate", ["director", "backward"], [0]),
            ("Find", ["Bob"], []),
            ("Relate", ["actor", "backward"], [2]),
            ("And", [], [1, 3]),
            ("FilterYear", ["made", "2010", "="], [4]),
            ("What", [], [5]),
        )
    )
    program, origins = canonical(source)
    assert [step.function for step in program.steps] == [
        "Find",
        "Relate",
        "FilterYear",
        "Find",
        "Relate",
        "And",
        "What",
    ]
    assert program.steps[5].dependencies == (2, 4)
    assert origins[5] is None


def test_a_step_that_others_share_stays_one_step() -> None:
    """The columns of a table are of the same things: no step below a shared one is moved past it."""
    source = read_program(
        steps(
            ("FindAll", [], []),
            ("FilterConcept", ["person"], [0]),
            ("FilterNum", ["age", "3", ">"], [1]),
            ("QueryAttr", ["age"], [1]),
            ("QueryAttr", ["name"], [2]),
            ("Table", [], [4, 3]),
        )
    )
    program, _ = canonical(source)
    assert [str(step) for step in program.steps] == [
        "FindAll()",
        "FilterConcept(person)",
        "FilterNum(age, 3, >)",
        "QueryAttr(name)",
        "QueryAttr(age)",
        "Table()",
    ]
    assert [step.dependencies for step in program.steps] == [(), (0,), (1,), (2,), (1,), (3, 4)]


def test_the_second_operand_comes_after_the_whole_of_the_first() -> None:
    source = read_program(
        steps(
            ("FindAll", [], []),
            ("FilterConcept", ["person"], [0]),
            ("FindAll", [], []),
            ("FilterConcept", ["person"], [2]),
            ("QueryAttr", ["age"], [3]),
            ("Average", [], [4]),
            ("QueryAttr", ["age"], [1]),
            ("FilterCompare", [">"], [6, 5]),
            ("Count", [], [7]),
        )
    )
    program, origins = canonical(source)
    assert origins == (0, 1, 6, 2, 3, 4, 5, 7, 8)
    assert program.steps[7].dependencies == (2, 6)
