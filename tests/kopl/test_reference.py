"""The reference page says what the function table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilers.kopl.extent import COLUMNS, EXTENTS
from compilers.kopl.functions import FUNCTIONS, Type
from compilers.kopl.reference import reference
from nlq_gateway.edges.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "functions.md"


def test_the_page_is_written_from_the_table(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-goldens"):
        PAGE.write_text(reference(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == reference(), "write it anew with --update-goldens"


def test_every_row_has_its_cells() -> None:
    rows = [line for line in reference().splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == list(FUNCTIONS)
    assert {row.count(" | ") for row in rows} == {6}


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference", "functions"]) == 0
    assert capsys.readouterr().out == reference()


def test_every_function_says_what_it_works_on() -> None:
    assert set(EXTENTS) == set(FUNCTIONS)
    assert set(COLUMNS) == {name for name, function in FUNCTIONS.items() if function.output == Type.ROWS}


def test_two_inputs_have_an_order_unless_they_are_alike() -> None:
    """The meaning speaks of the first and the second, or of either, both or two."""
    for function in FUNCTIONS.values():
        if len(function.inputs) > 1:
            words = set(function.meaning.replace("'", " ").split())
            assert "second" in words or words & {"either", "both", "two"}, function.name
