"""The columns of a table, told from the program alone."""

from __future__ import annotations

import pytest

from compilers.kopl.functions import Type
from compilers.kopl.notations import read_program
from compilers.kopl.program import Program, Step
from compilers.kopl.tables import columns_of

FILMS = (
    Step("FindAll"),
    Step("FilterConcept", ("film",), (0,)),
    Step("QueryAttr", ("title",), (1,)),
    Step("Count", (), (1,)),
)


def _program(*steps: Step) -> Program:
    return Program((*FILMS, Step("Table", (), (1, 2, 3)), *steps))


def _sources(program: Program, step: int = -1) -> list[int]:
    return [column.step for column in columns_of(program, step % len(program))]


def test_a_table_has_a_column_for_each_input() -> None:
    columns = columns_of(_program(), 4)
    assert [column.step for column in columns] == [1, 2, 3]
    assert [column.type for column in columns] == [Type.ENTITIES, Type.VALUES, Type.NUMBER]


@pytest.mark.parametrize(
    "step",
    [
        Step("FilterTable", ("2", "x", "="), (4,)),
        Step("SortTable", ("1", "ascending"), (4,)),
        Step("LimitTable", ("3",), (4,)),
        Step("DistinctTable", (), (4,)),
    ],
    ids=lambda step: step.function,
)
def test_what_works_on_rows_keeps_the_columns(step: Step) -> None:
    assert _sources(_program(step)) == [1, 2, 3]


def test_columns_are_dropped_one_after_the_other() -> None:
    once = _program(Step("DropColumn", ("1",), (4,)), Step("DropColumn", ("2",), (5,)))
    assert _sources(once, 5) == [2, 3]
    assert _sources(once, 6) == [2]


@pytest.mark.parametrize("number", ["0", "4", "-1", "one", "", "9" * 5000])
def test_a_column_that_is_not_there_is_not_dropped(number: str) -> None:
    assert _sources(_program(Step("DropColumn", (number,), (4,)))) == [1, 2, 3]


@pytest.mark.parametrize("function", ["AndTable", "OrTable", "ExceptTable"])
def test_a_table_made_of_two_has_the_columns_of_the_first(function: str) -> None:
    program = _program(
        Step("DropColumn", ("1",), (4,)), Step("Table", (), (3, 2)), Step(function, (), (5, 6))
    )
    assert _sources(program) == [2, 3]


@pytest.mark.parametrize("step", range(len(FILMS)))
def test_other_steps_have_no_columns(step: int) -> None:
    assert columns_of(_program(), step) == ()


def test_a_counted_table_has_no_columns() -> None:
    program = read_program("FindAll()->FilterConcept(film)->Table()->CountTable()")
    assert columns_of(program, 3) == ()
