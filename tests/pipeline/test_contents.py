"""A thing without a name is told with what it holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Pipeline

SHOPS = """
@prefix : <http://shops.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:a a :Shop ; rdfs:label "Alder Cycles" ; :in :t ;
   :address [ a :Address ; :street "Mill Lane 4" ; :postcode "7100" ] .
:b a :Shop ; rdfs:label "Birch Bikes" ; :in :t ;
   :address [ a :Address ; :street "Quay 9" ; :postcode "7101" ] .
:c a :Shop ; rdfs:label "Cedar Wheels" ; :in :t ; :hours [ :opens "09:00" ; :closes "18:00" ] .
:d a :Shop ; rdfs:label "Damson Spokes" ; :in :t ; :hours [ :opens "10:00" ] .
:t a :Town ; rdfs:label "Tarn" .
"""


@pytest.fixture(scope="module")
def shops(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "shops.ttl"
    file.write_text(SHOPS, encoding="utf-8")
    with opened((str(file),)) as gateway:
        yield gateway


@pytest.mark.parametrize(
    ("program", "text"),
    [
        (
            "Find(Alder Cycles)->Relate(address, forward)->What()",
            "address of Alder Cycles: postcode 7100; street Mill Lane 4",
        ),
        (
            "Find(Cedar Wheels)->Relate(hours, forward)->What()",
            "hours of Cedar Wheels: opens 09:00; closes 18:00",
        ),
        ("Find(Damson Spokes)->Relate(hours, forward)->What()", "hours of Damson Spokes: opens 10:00"),
        ("Find(Alder Cycles)->Relate(in, forward)->What()", "Tarn"),
        ("Find(Alder Cycles)->Relate(address, forward)->QueryAttr(street)", "Mill Lane 4"),
    ],
    ids=["of a class", "of none", "without one value", "with a name", "a value"],
)
def test_one_thing_without_a_name_is_told_with_its_values(shops: Pipeline, program: str, text: str) -> None:
    assert shops.run(read_program(program)).text == text


def test_of_several_things_each_is_told_by_its_owner(shops: Pipeline) -> None:
    program = read_program("Find(Tarn)->Relate(in, backward)->Relate(address, forward)->What()")
    assert shops.run(program).text == "address of Alder Cycles, address of Birch Bikes"
