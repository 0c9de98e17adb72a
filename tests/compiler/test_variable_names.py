"""Variables are called as things are, in letters that every store reads."""

from __future__ import annotations

import pytest

from compilers.naming import VariableNames, variable_name


@pytest.mark.parametrize(
    ("wish", "name"),
    [
        ("größe", "groesse"),
        ("Straße nach Österreich", "strasseNachOesterreich"),
        ("STRAẞE", "strasse"),
        ("Übersetzer", "uebersetzer"),
        ("U\u0308bersetzer", "uebersetzer"),
        ("année de sortie", "anneeDeSortie"),
        ("título", "titulo"),
        ("sœur", "soeur"),
        ("łódź", "lodz"),
        ("smørrebrød", "smorrebrod"),
        ("映画", "thing"),
    ],
)
def test_letters_that_are_not_in_ascii_are_written_by_those_that_are(wish: str, name: str) -> None:
    assert variable_name(wish) == name


def test_names_that_come_out_alike_are_numbered() -> None:
    names = VariableNames()
    assert [names.fresh(wish).name for wish in ("größe", "groesse", "grösse")] == [
        "groesse",
        "groesse2",
        "groesse3",
    ]
