"""The reference page says what the function table says."""

from __future__ import annotations

from pathlib import Path

import pytest

from compilers.kopl.functions import FUNCTIONS
from compilers.kopl.reference import reference
from nlq_gateway.cli import main

PAGE = Path(__file__).parents[2] / "docs" / "functions.md"


def test_the_page_is_written_from_the_table(request: pytest.FixtureRequest) -> None:
    if request.config.getoption("--update-goldens"):
        PAGE.write_text(reference(), encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == reference(), "write it anew with --update-goldens"


def test_every_row_has_its_cells() -> None:
    rows = [line for line in reference().splitlines() if line.startswith("| `")]
    assert [row.split("`")[1] for row in rows] == list(FUNCTIONS)
    assert {row.count(" | ") for row in rows} == {5}


def test_the_command_prints_the_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["reference", "functions"]) == 0
    assert capsys.readouterr().out == reference()
