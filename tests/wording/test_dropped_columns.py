"""Columns that are left out of a table: what they say is not lost."""

from __future__ import annotations

from compilers.kopl.program import Program, Step
from nlq_gateway.language.wording import Wording


def test_a_column_that_leads_elsewhere_is_not_left_out_in_silence(sample: Wording) -> None:
    steps = (
        Step("Find", ("thing",)),
        Step("FilterNameContains", ("G",), (0,)),
        Step("Table", (), (0, 1)),
        Step("DropColumn", ("2",), (2,)),
    )
    assert all("G" in question for question in sample.questions(Program(steps), most=3))
