"""Those that have or lack something are told from what they have, and from those that are something."""

from __future__ import annotations

import pytest

from nlq_gateway.answering import Pipeline
from nlq_gateway.settings import SAMPLE, Settings
from tests.judging.test_directions_and_denials import says_otherwise

LACKING = "\n".join(
    (
        "Step 1: FindAll()",
        "Step 2: FilterConcept(country)",
        "Step 3: FindAll()",
        "Step 4: {}",
        "Step 5: Except() <- 2, 4",
        "Step 6: What()",
    )
)
UNLED = "\n".join(
    (
        "Step 1: FindAll()",
        "Step 2: FilterConcept(country)",
        "Step 3: FilterHasRelation(capital, forward)",
        "Step 4: Except() <- 2, 3",
        "Step 5: What()",
    )
)


@pytest.fixture(scope="module")
def gateway() -> Pipeline:
    gateway = Pipeline(Settings.for_data([SAMPLE]))
    gateway.endpoint(None).prepare()
    return gateway


@pytest.mark.parametrize(
    ("question", "program", "otherwise"),
    [
        ("Which countries have no capital city?", LACKING.format("FilterConcept(capital city)"), True),
        ("Which cities are no capital city?", LACKING.format("FilterConcept(capital city)"), False),
        ("Which countries have no capital?", LACKING.format("Relate(capital, forward)"), True),
        ("Which countries have no capital?", UNLED, False),
    ],
)
def test_those_that_lack_it_are_asked_for(
    gateway: Pipeline, question: str, program: str, otherwise: bool
) -> None:
    assert says_otherwise(gateway, question, program) is otherwise
