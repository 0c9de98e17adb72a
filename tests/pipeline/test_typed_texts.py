"""Numbers and dates that a graph states as texts, from the index to the answer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from benchmarks.rooms import opened
from compilers.kopl.functions import Kind, ValueType
from compilers.kopl.notations import read_program
from nlq_gateway.answering import Ask, Pipeline
from nlq_gateway.core.types import SchemaItem
from nlq_gateway.drafts.generation.card import Blocks, whole
from nlq_gateway.index.introspect.typed_texts import are_dates, are_numbers, is_number

ROOMS = Path(__file__).parent / "fixtures" / "rooms.ttl"
SPACE = "http://rooms.example/"
NUMBER_TEXTS = {SPACE + "area_m2", SPACE + "seats"}
DATE_TEXTS = {SPACE + "opened", SPACE + "cleaned"}
SORTED = "Step 1: FindAll()\nStep 2: QueryAttr({})\nStep 3: Table() <- 1, 2\n"
FIRST = "Step 5: LimitTable(1)\nStep 6: DropColumn(2)"
PROGRAMS = (
    ("FindAll()->FilterNum(area, 120 square metre, >=)->What()", ["Cellar", "Hall", "Lab", "Loft"]),
    ("FindAll()->FilterNum(seats, 20, =)->What()", ["Loft"]),
    ("FindAll()->FilterNum(area, -5 square metre, !=)->Count()", ["10"]),
    ("FindAll()->SelectTop(area, largest, 2)->What()", ["Cellar", "Hall"]),
    ("FindAll()->SelectAmong(area, smallest)", ["Yard"]),
    ("FindAll()->QueryAttr(seats)->Sum()", ["167"]),
    ("FindAll()->QueryAttr(seats)->Average()", ["33.4"]),
    ("Find(Attic)->QueryAttr(area)", ["3.5 square metre"]),
    ("Find(Nook)->QueryAttr(area)", ["NaN"]),
    ("Find(Hall)->QueryAttr(area)->VerifyNum(1000 square metre, >)", ["yes"]),
    ("Find(Hall)->QueryAttr(area)->VerifyStr(1662)", ["yes"]),
    ("FindAll()->FilterStr(area, 3.5)->What()", ["Attic"]),
    ("FindAll()->FilterStr(area, NaN)->What()", ["Nook"]),
    ("FindAll()->FilterStr(area, unknown)->What()", ["Maze"]),
    ("Find(Maze)->QueryAttr(area)->Sum()", ["225 square metre"]),
    ("Find(Maze)->Find(Nook)->Or()->QueryAttr(area)->Minimum()", ["21 square metre"]),
    ("FindAll()->FilterStr(door, 007)->What()", ["Hall"]),
    ("FindAll()->FilterNum(area, 99.9 square metre, =)->What()", ["Yard"]),
    ("FindAll()->SelectNth(area, largest, 3)->What()", ["Lab"]),
    ("FindAll()->QueryAttr(area)->Maximum()", ["1662 square metre"]),
    (
        "Step 1: FindAll()\nStep 2: QueryAttr(seats)\nStep 3: Number(1)\nStep 4: Calculate(-) <- 2, 3\n"
        "Step 5: Table() <- 1, 2, 4\nStep 6: SortTable(2, descending)\nStep 7: LimitTable(2)",
        ["Cellar\t45\t44", "Hall\t90\t89"],
    ),
    (f"{SORTED.format('area')}Step 4: SortTable(2, descending)\n{FIRST}", ["Hall"]),
    (f"{SORTED.format('opened')}Step 4: SortTable(2, descending)\n{FIRST}", ["Loft"]),
    (f"{SORTED.format('cleaned')}Step 4: SortTable(2, descending)\n{FIRST}", ["Loft"]),
    # The rows stand in a subquery, which hands out what was made of an optional value.
    (
        "Step 1: FindAll()\nStep 2: FilterHasAttr(mark) <- 1\nStep 3: FilterHasAttr(area) <- 2\n"
        "Step 4: QueryAttr(seats) <- 3\nStep 5: And() <- 3, 1\nStep 6: OptionalTable() <- 5, 4",
        ["Attic\t8", "Cellar\t45", "Hall\t90", "Loft\t20"],
    ),
    ("FindAll()->FilterYear(opened, 1993, =)->What()", ["Attic", "Hall"]),
    ("FindAll()->FilterDate(opened, 1993-08-21, >)->What()", ["Attic", "Cellar", "Loft"]),
    ("FindAll()->FilterDate(opened, 1993-08-21, !=)->Count()", ["3"]),
    ("FindAll()->FilterStr(opened, 1993-08-21)->What()", ["Hall"]),
    ("FindAll()->FilterDate(cleaned, 2024-03-01, =)->What()", ["Attic", "Hall"]),
    ("FindAll()->FilterDate(cleaned, 2024-03-01T12:00:00, >)->What()", ["Attic", "Loft"]),
    ("FindAll()->SelectTop(opened, smallest, 2)->What()", ["Attic", "Hall"]),
    ("FindAll()->SelectAmong(cleaned, smallest)", ["Cellar"]),
    ("FindAll()->SelectNth(cleaned, largest, 2)->What()", ["Attic"]),
    ("Find(Hall)->QueryAttr(opened)", ["1993-08-21"]),
    ("Find(Hall)->QueryAttr(cleaned)", ["2024-03-01 05:22:10"]),
    ("Find(Hall)->QueryAttr(opened)->VerifyYear(1993, =)", ["yes"]),
    ("Find(Hall)->QueryAttr(cleaned)->VerifyDate(2024-03-01, <)", ["no"]),
    ("FindAll()->QueryAttr(opened)->Period(month)", ["1993-08", "1993-12", "2003-01", "2010-06"]),
)


@pytest.fixture(scope="module")
def rooms() -> Iterator[Pipeline]:
    with opened((ROOMS,)) as gateway:
        yield gateway


def test_the_index_knows_which_texts_are_numbers_or_dates(rooms: Pipeline) -> None:
    prepared = rooms.endpoint(None).prepared
    area = prepared.index.item(Kind.ATTRIBUTE, SPACE + "area_m2")
    assert area is not None
    assert area.value_types == (ValueType.QUANTITY, ValueType.STRING)
    assert area.units == ("square metre",)
    assert prepared.options.number_texts == NUMBER_TEXTS
    assert prepared.options.date_texts == DATE_TEXTS
    assert prepared.options.moments == {SPACE + "cleaned"}


def test_the_card_says_what_is_stored_as_text(rooms: Pipeline) -> None:
    card = whole(Blocks(rooms.endpoint(None).index), len, 10_000) or ""
    assert "area (number in square metre, stored as text:" in card
    assert "seats (number, stored as text:" in card
    assert "door (text:" in card
    assert "opened (date, stored as text:" in card


@pytest.mark.parametrize(("text", "expected"), PROGRAMS)
def test_programs(rooms: Pipeline, text: str, expected: list[str]) -> None:
    answer = rooms.run(read_program(text)).answer
    assert answer is not None
    assert sorted(answer.strings) == expected


def test_the_column_of_such_numbers_is_named_after_the_attribute(rooms: Pipeline) -> None:
    table = "Step 1: FindAll()\nStep 2: QueryAttr(seats)\nStep 3: Table() <- 1, 2"
    trace = rooms.run(read_program(table))
    assert trace.columns == ("entity", "seats")
    assert trace.text == "5 entities, the highest seats: Hall (90)"


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Which rooms have more than 40 seats?", {"Hall", "Cellar"}),
        ("Which room has the largest area?", {"Hall"}),
        ("What is the sum of the seats of all rooms?", {"167"}),
        ("Which rooms were opened after 2000?", {"Cellar", "Loft"}),
        ("Which room was opened last?", {"Loft"}),
    ],
)
def test_questions(rooms: Pipeline, question: str, expected: set[str]) -> None:
    answer = rooms.ask(Ask(question)).answer
    assert answer is not None
    assert set(answer.strings) == expected


@pytest.mark.parametrize(
    ("texts", "numbers"),
    [
        (("1662", "3.5", "-7"), True),
        (("1", "2"), False),
        (("1", "2", "10", "unknown"), False),
        (("unknown", *map(str, range(20))), True),
        (("007", *map(str, range(20))), False),
        (("+49 30 1234", *map(str, range(20))), False),
        (("1984", "1990", "2003"), False),
        (("19.84", "19.90", "20.03"), True),
        (("984", "990", "203"), True),
        (("1234567890123456", "1234567890123457", "1"), False),
        (("1e5", "NaN", "INF", "0x1F"), False),
        ((), False),
    ],
)
def test_codes_stay_texts(texts: tuple[str, ...], numbers: bool) -> None:
    assert are_numbers(texts) == numbers


@pytest.mark.parametrize(
    ("texts", "dates"),
    [
        (("1993-08-21", "1993-08-22", "1993-08-23"), True),
        (("1993-08-21 05:22:10", "1993-08-21T05:22:11Z", "1993-08-21"), True),
        (("1993-08-21", "1993-08-22"), False),
        (("1993-08-21", "1993-08-22", "unknown", "1993-08-24"), False),
        (("1993-13-21", "1993-08-22", "1993-08-23"), False),
        (("1993-08-21 (about)", "1993-08-22", "1993-08-23"), False),
        (("21.08.1993", "22.08.1993", "23.08.1993"), False),
        ((), False),
    ],
)
def test_dates_begin_with_a_day(texts: tuple[str, ...], dates: bool) -> None:
    assert are_dates(texts) == dates


@pytest.mark.parametrize(
    ("label", "texts", "numbers"),
    [
        ("open year", ("2008", "2010"), True),
        ("Baujahr", ("1984",), True),
        ("year", ("2008", "unknown"), False),
        ("year", (), False),
        ("postal code", ("1010", "1020", "1030"), False),
        ("yearling", ("2008", "2010", "2011"), False),
    ],
)
def test_what_is_called_a_year_is_a_number(label: str, texts: tuple[str, ...], numbers: bool) -> None:
    assert is_number(SchemaItem(Kind.ATTRIBUTE, SPACE + "x", label), texts) == numbers


@pytest.mark.parametrize(("texts", "numbers"), [(("1963",), True), (("1963", "unknown"), False), ((), False)])
def test_years_beside_numbers_are_numbers(texts: tuple[str, ...], numbers: bool) -> None:
    types = (ValueType.STRING, ValueType.QUANTITY)
    assert is_number(SchemaItem(Kind.ATTRIBUTE, SPACE + "x", "born", value_types=types), texts) == numbers
