"""The classes that say most of some members, by how many of these are in each."""

from __future__ import annotations

import pytest

from nlq_gateway.index.hierarchy import Counts, Hierarchy

PARENTS = {
    "river": ("water",),
    "lake": ("water",),
    "water": ("place",),
    "country": ("place",),
    "land": ("country",),
}


@pytest.mark.parametrize(
    ("counts", "expected"),
    [
        ((("place", 9), ("country", 7), ("water", 2), ("river", 2)), {"country", "river"}),
        ((("place", 10), ("country", 7), ("river", 2)), {"place", "country", "river"}),
        # Those of a class below another one are counted once.
        ((("place", 9), ("country", 6), ("land", 6)), {"place", "land"}),
        ((("place", 3),), {"place"}),
        ((), set()),
    ],
)
def test_a_class_whose_members_are_all_below_it_is_left_out(counts: Counts, expected: set[str]) -> None:
    assert Hierarchy(PARENTS).covering(counts) == expected


def test_classes_of_a_cycle_stay() -> None:
    cycle = Hierarchy({"car": ("automobile",), "automobile": ("car",)})
    assert cycle.covering((("car", 2), ("automobile", 2))) == {"car", "automobile"}
