"""The families of programs."""

from __future__ import annotations

import pytest

from compilers.kopl.functions import FUNCTIONS
from compilers.kopl.notations import read_program
from nlq_gateway.offline.evaluation.families import FAMILY_OF, families_of, hops_of

FILMS = "FindAll()->FilterConcept(film)"
TABLE = """Step 1: FindAll()
Step 2: FilterConcept(film)
Step 3: Relate(directed by, forward)
Step 4: Count() <- 2
Step 5: Table() <- {columns}"""


def test_every_function_has_one_family() -> None:
    assert set(FAMILY_OF) == set(FUNCTIONS)


@pytest.mark.parametrize(
    ("program", "families", "hops"),
    [
        ("Find(Pulp Fiction)->Relate(directed by, forward)->QueryName()", ("lookup",), "1 hop"),
        (f"{FILMS}->FilterYear(publication date, 1990, >)->Count()", ("count", "comparison"), "0 hops"),
        (
            "Find(A)->Relate(director, backward)->QFilterYear(point in time, 1990, =)"
            "->Relate(cast member, forward)->SelectAmong(height, largest)",
            ("superlative", "qualifier"),
            "2 hops",
        ),
        (f"{FILMS}->FilterHasRelation(author, forward)->Exists()", ("existence",), "1 hop"),
        (TABLE.format(columns="3, 4"), ("count", "grouping", "columns"), "1 hop"),
        (TABLE.format(columns="2, 3"), ("columns",), "1 hop"),
        (TABLE.format(columns="4"), ("count", "columns"), "0 hops"),
    ],
)
def test_families_and_hops(program: str, families: tuple[str, ...], hops: str) -> None:
    read = read_program(program)
    read = read.prefix(len(read) - 1)
    assert families_of(read) == families
    assert hops_of(read) == hops
