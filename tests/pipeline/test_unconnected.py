"""Tables whose columns share no step are told of."""

from __future__ import annotations

import pytest

from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

ALL = "Step 1: FindAll()\nStep 2: FilterConcept(river)\nStep 3: QueryAttr(length)\n"
OTHERS = "Step 4: FindAll()\nStep 5: FilterConcept(film)\nStep 6: QueryAttr(duration)\n"
PAIRED = "columns (1, 2) and (3) share no step: each row of one is paired with each of the other"


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (f"{ALL}{OTHERS}Step 7: Table() <- 2, 3, 6", f"step 7: {PAIRED}"),
        (f"{ALL}{OTHERS}Step 7: Table() <- 2, 3, 6\nStep 8: CountTable()", f"step 7: {PAIRED}"),
        (f"{ALL}Step 4: Relate(country, forward) <- 2\nStep 5: Table() <- 3, 4", None),
        (f"{ALL}{OTHERS}Step 7: Average()\nStep 8: Table() <- 2, 3, 7", None),
        (f"{ALL}Step 4: Find(Pulp Fiction)\nStep 5: QueryAttr(duration)\nStep 6: Table() <- 2, 3, 5", None),
        (f"{ALL}{OTHERS}Step 7: Calculate(/) <- 3, 6\nStep 8: Table() <- 2, 7, 5", None),
    ],
)
def test_columns_that_share_no_step_are_told_of(gateway: Pipeline, program: str, told: str | None) -> None:
    warnings = gateway.run(read_program(program), "sample").warnings
    assert [one.message for one in warnings if one.code == "unconnected-columns"] == ([told] if told else [])
