"""Repairs: a table of programs before and after, and what holds for every program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st

from compilers.kopl.check import check
from compilers.kopl.functions import FUNCTIONS, Kind, ValueType
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program, Step
from compilers.kopl.repair import Repair, TypesOf, repair
from compilers.kopl.rules import ProgramLimits

CASES = [
    json.loads(line)
    for line in (Path(__file__).parent / "fixtures" / "repairs.jsonl").read_text("utf-8").splitlines()
]


def types_of(case: dict[str, Any]) -> TypesOf | None:
    known = case.get("types")
    if known is None:
        return None
    return lambda kind, name: tuple(map(ValueType, known.get(kind, {}).get(name, ())))


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_program_is_repaired(case: dict[str, Any]) -> None:
    before = read_program(case["before"])
    found = repair(before, types_of(case))
    assert found.program == read_program(case["after"])
    assert (found.program == before) == (found.repairs == ())
    assert any(case.get("why", "") in one.why for one in found.repairs) or not found.repairs


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_a_repaired_program_is_not_repaired_again(case: dict[str, Any]) -> None:
    types = types_of(case)
    assert repair(repair(read_program(case["before"]), types).program, types).repairs == ()


def test_a_repair_says_what_was_there_and_what_is() -> None:
    found = repair(read_program("Find(a)->Relate(r)->FilterNum(h, 5, over)->Count()"))
    assert found.repairs == (
        Repair(1, 1, "", "forward", "the direction was missing; this one is a guess"),
        Repair(2, 2, "over", ">", "'over' is written > here"),
    )


def test_a_step_that_is_left_out_is_shown() -> None:
    found = repair(read_program("Find(a)->And()->What()"))
    assert found.repairs == (Repair(1, None, "And()", "", "And joins two sets, and has one"),)


def test_a_program_of_too_many_steps_is_not_looked_at() -> None:
    long = Program((Step("find", ("a",)),) * (ProgramLimits().steps + 1))
    assert repair(long).program is long


@given(st.data())
def test_a_sound_program_stays_as_it_is(data: st.DataObject) -> None:
    program = data.draw(strategies.programs(data.draw(strategies.graphs())))
    if not check(program):
        assert repair(program) == repair(program, lambda _kind, _name: ())
        assert repair(program).program == program


TEXTS = st.sampled_from(
    [
        *("a", "", " ", "5", "180 centimetre", "1,000", "1960", "1960-02-01", "May 1, 1990", "5 million"),
        *("forward", "backward", "inverse", "from", ">", ">=", "≥", "more than", "at most", "largest"),
        *("biggest", "less", "is", "max", "not", "abc", "one", "0", "-1", "٣", "\ud800", "> 5", "x" * 70),
    ]
)
NAMES = st.sampled_from(
    [*FUNCTIONS, "QueryName", "find", "FILTER_NUM", "Union", "Filter", "", "none", "Selectt", "x" * 50]
)
STEPS = st.builds(
    Step,
    NAMES,
    st.lists(TEXTS, max_size=4).map(tuple),
    st.lists(st.integers(-1, 7), max_size=3).map(tuple),
)
ALL_TYPES = st.lists(st.sampled_from(ValueType), max_size=2, unique=True).map(tuple)


@given(st.lists(STEPS, max_size=7), ALL_TYPES, ALL_TYPES)
def test_repairs_of_anything_end_and_are_on_record(
    steps: list[Step], attribute: tuple[ValueType, ...], qualifier: tuple[ValueType, ...]
) -> None:
    known = {Kind.ATTRIBUTE: attribute, Kind.QUALIFIER: qualifier}

    def types(kind: Kind, _name: str) -> tuple[ValueType, ...]:
        return known[kind]

    program = Program(tuple(steps))
    for given_types in (None, types):
        found = repair(program, given_types)
        assert (found.program == program) == (found.repairs == ())
        assert repair(found.program, given_types).repairs == ()
        assert all(one.before != one.after and one.why for one in found.repairs)
        assert all(0 <= one.step <= len(program) + len(found.repairs) for one in found.repairs)


@given(st.data())
def test_a_program_without_its_last_step_or_its_spelling_is_made_whole(data: st.DataObject) -> None:
    program = data.draw(strategies.programs(data.draw(strategies.graphs(hostile=False))))
    lower = tuple(Step(one.function.lower(), one.inputs, one.dependencies) for one in program.steps)
    assert repair(Program(lower)).program == repair(program).program
    if program.steps[-1] == Step("What", (), (len(program) - 2,)):
        assert repair(Program(program.steps[:-1])).program == program
