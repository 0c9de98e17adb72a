"""The examples of one pass."""

from __future__ import annotations

from random import Random

import pytest

from compilers.kopl.notations import read_program
from training.drafter.examples import Example, shape_of
from training.drafter.mixes import FIRST, ONWARD, mixes, sampled

_SHAPES = {
    "FindAll()->FilterConcept(film)->Table()": "",
    "FindAll()->FilterConcept(film)->Relate(director, forward)->Table()": "table",
    "Find(Ann)->Relate(teacher, forward)->Relate(teacher, forward)->What()": "chain",
    "Find(Ann)->Relate(teacher, forward)->What()": "",
}


@pytest.mark.parametrize(("program", "shape"), _SHAPES.items())
def test_wide_tables_and_chains_are_told_apart(program: str, shape: str) -> None:
    assert shape_of(read_program(program)) == shape


def test_a_shape_has_a_share_of_its_own() -> None:
    shares = mixes()[ONWARD]
    assert shares["written"] < shares["written chain"] < shares["written table"] == 1
    every = [_example(number, shape) for shape in ("", "table") for number in range(200)]
    found = sampled(every, ONWARD, Random(1))
    assert [one for one in found if one.shape == "table"] == [one for one in every if one.shape == "table"]
    assert 10 < sum(not one.shape for one in found) < 50


def test_some_examples_are_there_twice() -> None:
    one = _example(1, "", source="official")
    assert sampled([one], FIRST, Random(1)) == [one, one]


def _example(number: int, shape: str, *, source: str = "written") -> Example:
    return Example(f"Question {number}?", (1,), (), "graph", source, shape)
