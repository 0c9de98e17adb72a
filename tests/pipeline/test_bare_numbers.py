"""Numbers without a unit, compared with attributes that state theirs in their names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.trace import Warning

PUMPS = """
@prefix : <http://pumps.example/> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:Pump rdfs:label "pump" . :power rdfs:label "power (kW)" . :price rdfs:label "price (EUR)" .
:a a :Pump ; rdfs:label "Atlas" ; :power 75.5 ; :price 900 .
:b a :Pump ; rdfs:label "Borealis" ; :power 110.0 ; :price 1500 .
:a :shelfNumber 2 . :b :shelfNumber 4 . :a :unitsSoldInMillions 12.5 . :b :unitsSoldInMillions 30 .
:a :partsInThousands 8.4 . :b :partsInThousands 820 . :c :partsInThousands 1350 .
:c a :Pump ; rdfs:label "Cascade" ; :power 150.0 ; :price 2400 .
"""
QUESTIONS = (
    ("Which pumps have a power over 100?", ["Borealis", "Cascade"]),
    ("Which pumps have a power over 80?", ["Borealis", "Cascade"]),
    ("Which pumps have a power over 100 kW?", ["Borealis", "Cascade"]),
    ("Which pumps cost more than 2000?", ["Cascade"]),
    ("Is the power of Borealis over 100?", ["yes"]),
)
TABLE = """
Step 1: FindAll()
Step 2: FilterConcept(pump)
Step 3: QueryAttr(power)
Step 4: Table() <- 2, 3
"""
SUMMED = """
Step 1: FindAll()
Step 2: FilterConcept(pump)
Step 3: QueryAttr(power)
Step 4: FilterAggregate(sum, 100, >) <- 2, 3
"""
SALES = """
@prefix : <http://sales.example/> . @prefix xsd: <http://www.w3.org/2001/XMLSchema#> .
@prefix qudt: <http://qudt.org/schema/qudt/> . @prefix unit: <http://qudt.org/vocab/unit/> .
@prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .
:pay qudt:unit unit:EUR .
:s1 a :Sale ; rdfs:label "S1" ; :day "2024-01-01"^^xsd:date ; :paid "2024-01-31"^^xsd:date .
:s2 a :Sale ; rdfs:label "S2" ; :day "2024-01-02"^^xsd:date ; :paid "2024-01-05"^^xsd:date .
:a a :Person ; rdfs:label "Ann" ; :worksFor :f {| :pay 100 |} . :f a :Firm ; rdfs:label "Fern" .
:b a :Person ; rdfs:label "Bob" ; :worksFor :f {| :pay 300 |} .
"""
WAITED = """
Step 1: FindAll()
Step 2: FilterConcept(sale)
Step 3: QueryAttr(paid)
Step 4: QueryAttr(day) <- 2
Step 5: Calculate(-) <- 3, 4
"""


@pytest.fixture(scope="module")
def pumps(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pipeline]:
    file: Path = tmp_path_factory.mktemp("data") / "pumps.ttl"
    file.write_text(PUMPS, encoding="utf-8")
    with opened((file,)) as gateway:
        yield gateway


@pytest.mark.parametrize(("question", "expected"), QUESTIONS)
def test_they_have_the_unit_of_the_attribute(pumps: Pipeline, question: str, expected: list[str]) -> None:
    trace = pumps.ask(Ask(question))
    assert trace.answer is not None
    assert (trace.status, sorted(trace.answer.strings)) == ("answered", expected)


@pytest.mark.parametrize(
    ("program", "step", "expected"),
    [
        ("FindAll()->FilterNum(power, 100, >)->What()", 2, ["Borealis", "Cascade"]),
        ("Find(Borealis)->QueryAttr(power)->VerifyNum(100, >)", 3, ["yes"]),
        ("FindAll()->QueryAttr(power)->Sum()->VerifyNum(100, >)", 4, ["yes"]),
        ("FindAll()->QueryAttr(power)->Minimum()->VerifyNum(100, >)", 4, ["no"]),
        ("FindAll()->FilterConcept(pump)->QueryAttr(power)->Maximum()->VerifyNum(100, >)", 5, ["yes"]),
        (SUMMED, 4, ["Borealis", "Cascade"]),
        (TABLE + "Step 5: FilterTable(2, 100, >)\nStep 6: DropColumn(2)", 5, ["Borealis", "Cascade"]),
        (TABLE + "Step 5: DropColumn(1)\nStep 6: FilterTable(1, 100, <)", 6, ["75.5 kilowatt"]),
    ],
)
def test_a_program_that_is_run_has_them_too_with_a_warning(
    pumps: Pipeline, program: str, step: int, expected: list[str]
) -> None:
    trace = pumps.run(read_program(program))
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == expected
    assert Warning("unit-added", f"step {step}: 100 has no unit; took 100 kilowatts") in trace.warnings
    assert trace.program is not None
    assert "100 kilowatt" in [text for step in trace.program.steps for text in step.inputs]
    assert "unit-added" not in {one.code for one in pumps.run(trace.program).warnings}


def test_a_number_is_in_the_scale_of_the_attribute(pumps: Pipeline) -> None:
    trace = pumps.run(read_program("FindAll()->FilterNum(units sold in millions, 20000000, >)->What()"))
    assert trace.answer is not None
    assert trace.answer.strings == ("Borealis",)
    message = "step 2: 20000000 is in another scale; took 20"
    assert Warning("unit-added", message) in trace.warnings


@pytest.mark.parametrize(
    ("program", "step"),
    [
        ("FindAll()->FilterNum(shelf number, 3 kilogram, <)->What()", 2),
        ("Find(Atlas)->QueryAttr(shelf number)->VerifyNum(2 kilogram, =)", 3),
    ],
)
def test_a_unit_of_an_attribute_without_one_has_a_warning(pumps: Pipeline, program: str, step: int) -> None:
    told = "the graph states no unit for “shelf number”, so “kilogram” was not compared"
    with_unit, bare = (pumps.run(read_program(one)) for one in (program, program.replace(" kilogram", "")))
    assert with_unit.warnings == (Warning("unit-ignored", f"step {step}: {told}"),)
    assert with_unit.answer is not None
    assert bare.answer is not None
    assert (with_unit.answer.strings, bare.warnings) == (bare.answer.strings, ())


def test_a_number_that_is_in_the_scale_of_the_attribute_stays(pumps: Pipeline) -> None:
    trace = pumps.run(read_program("FindAll()->FilterNum(parts in thousands, 1000, >)->What()"))
    assert trace.answer is not None
    assert trace.answer.strings == ("Cascade",)
    assert "unit-added" not in {one.code for one in trace.warnings}


def test_so_has_a_number_that_values_are_compared_with(pumps: Pipeline) -> None:
    program = """
    Step 1: FindAll()
    Step 2: QueryAttr(power)
    Step 3: Number(100)
    Step 4: FilterCompare(>) <- 2, 3
    Step 5: What()
    """
    trace = pumps.run(read_program(program))
    assert trace.answer is not None
    assert sorted(trace.answer.strings) == ["Borealis", "Cascade"]


def test_zero_is_zero_in_every_unit(pumps: Pipeline) -> None:
    program = """
    Step 1: Find(Borealis)
    Step 2: QueryAttr(power)
    Step 3: Find(Cascade)
    Step 4: QueryAttr(power) <- 3
    Step 5: Calculate(-) <- 2, 4
    Step 6: VerifyNum(0, <)
    """
    trace = pumps.run(read_program(program))
    assert trace.answer is not None
    assert trace.answer.strings == ("yes",)


@pytest.mark.parametrize(
    ("program", "expected"),
    [
        (f"{WAITED}Step 6: Maximum()\nStep 7: VerifyNum(10, >)", ["yes"]),
        (f"{WAITED}Step 6: Number(10)\nStep 7: FilterCompare(>) <- 5, 6\nStep 8: What()", ["S1"]),
        (f"{WAITED}Step 6: Table() <- 2, 5\nStep 7: FilterTable(2, 10, <)\nStep 8: DropColumn(2)", ["S2"]),
        ("Find(Ann)->Find(Fern)->QueryRelationQualifier(works for, pay)->VerifyNum(100, =)", ["yes"]),
    ],
)
def test_days_between_dates_and_values_on_facts_have_theirs(
    tmp_path: Path, program: str, expected: list[str]
) -> None:
    file = tmp_path / "sales.ttl"
    file.write_text(SALES, encoding="utf-8")
    with opened((file,)) as gateway:
        trace = gateway.run(read_program(program))
    assert trace.answer is not None
    assert list(trace.answer.strings) == expected
    assert [one.code for one in trace.warnings] == ["unit-added"]


def test_a_number_of_a_question_is_scaled_once(pumps: Pipeline) -> None:
    trace = pumps.ask(Ask("Which pumps have more than 1 million parts?"))
    assert trace.answer is not None
    assert trace.answer.strings == ("Cascade",)
