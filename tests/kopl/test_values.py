"""Literal values: reading, comparing, converting, printing, and choosing among them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from compilers.kopl.decide import Verdict, extremes, verdict
from compilers.kopl.functions import COMPARISONS, ValueType
from compilers.kopl.values import (
    Date,
    Quantity,
    String,
    Value,
    ValueSyntaxError,
    Year,
    by_commonness,
    compare,
    format_number,
    likely_value,
    number_in,
    parse_value,
    possible_values,
    type_of,
)

Q, Y, D, S = Quantity, Year, Date, String


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("180 centimetre", ValueType.QUANTITY, Q(180.0, "centimetre")),
        (" 3 square  kilometre ", ValueType.QUANTITY, Q(3.0, "square  kilometre")),
        ("-3.7", ValueType.QUANTITY, Q(-3.7)),
        (".5e3 metre", ValueType.QUANTITY, Q(500.0, "metre")),
        ("1960", ValueType.DATE, Y(1960)),
        ("-44", ValueType.YEAR, Y(-44)),
        ("1960-02-29", ValueType.YEAR, D(1960, 2, 29)),
        ("1960/2/1", ValueType.DATE, D(1960, 2, 1)),
        ("-44-03-15", ValueType.DATE, D(-44, 3, 15)),
        ("1960", ValueType.STRING, S("1960")),
    ],
)
def test_reading(text: str, kind: ValueType, value: Value) -> None:
    assert parse_value(text, kind) == value


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("1,000", ValueType.QUANTITY),
        ("nan", ValueType.QUANTITY),
        ("inf", ValueType.QUANTITY),
        ("1e999", ValueType.QUANTITY),
        ("metre", ValueType.QUANTITY),
        ("", ValueType.QUANTITY),
        ("1900-02-29", ValueType.DATE),
        ("1960-13-01", ValueType.DATE),
        ("1960-02", ValueType.DATE),
        ("", ValueType.YEAR),
        ("9" * 10_000, ValueType.YEAR),
    ],
)
def test_what_cannot_be_read_is_refused(text: str, kind: ValueType) -> None:
    with pytest.raises(ValueSyntaxError) as caught:
        parse_value(text, kind)
    assert caught.value.hint


def test_a_megabyte_of_digits_is_refused_at_once() -> None:
    began = time.perf_counter()
    with pytest.raises(ValueSyntaxError):
        parse_value("9" * 1_000_000 + "x", ValueType.QUANTITY)
    assert time.perf_counter() - began < 2


@given(text=st.text(max_size=20))
def test_every_text_can_at_least_be_a_string(text: str) -> None:
    assert possible_values(text)[-1] == String(text)


@pytest.mark.parametrize(
    ("counts", "order"),
    [
        ({ValueType.STRING: 1, ValueType.QUANTITY: 2}, [ValueType.QUANTITY, ValueType.STRING]),
        (
            {ValueType.QUANTITY: 3, ValueType.DATE: 2, ValueType.YEAR: 2},
            [ValueType.DATE, ValueType.YEAR, ValueType.QUANTITY],
        ),
        (
            {ValueType.STRING: 1, ValueType.QUANTITY: 1, ValueType.YEAR: 1, ValueType.DATE: 0},
            [ValueType.YEAR, ValueType.QUANTITY, ValueType.STRING],
        ),
        ({}, []),
    ],
)
def test_the_commonest_type_comes_first(counts: dict[ValueType, int], order: list[ValueType]) -> None:
    assert list(by_commonness(counts)) == order


@pytest.mark.parametrize(
    ("text", "types", "value"),
    [
        ("186", [ValueType.QUANTITY, ValueType.YEAR], Q(186.0)),
        ("186", [ValueType.YEAR, ValueType.QUANTITY], Y(186)),
        ("186", [ValueType.STRING, ValueType.QUANTITY], S("186")),
        ("1960-02-01", [ValueType.YEAR], D(1960, 2, 1)),
        ("5 metre", [ValueType.DATE, ValueType.QUANTITY], Q(5.0, "metre")),
        ("tall", [ValueType.QUANTITY], S("tall")),
    ],
)
def test_a_text_is_read_as_the_commonest_type(text: str, types: list[ValueType], value: Value) -> None:
    assert likely_value(text, types) == value


@pytest.mark.parametrize(
    ("value", "holds", "target"),
    [
        (S("a"), "=", S("a")),
        (S("a"), "!=", S("A")),
        (S("a"), "", Q(1.0)),
        (S("a"), "!=", S("b")),
        (Q(1.8, "metre"), "= <= >=", Q(180.0, "centimetre")),
        (Q(5.0, "foot"), "!= < <=", Q(2.0, "metre")),
        (Q(1.0, "dollar"), "", Q(1.0, "euro")),
        (Q(1.0), "", Q(1.0, "metre")),
        (Q(2.0, "person"), "!= > >=", Q(1.0, "person")),
        (D(1960, 2, 1), "= <= >=", Y(1960)),
        (D(1960, 2, 1), "!= > >=", Y(1959)),
        (Y(1960), "!= <= >=", D(1960, 2, 1)),
        (Y(1959), "!= < <=", D(1960, 2, 1)),
        (D(1960, 2, 1), "!= < <=", D(1960, 2, 2)),
        (D(-44, 3, 15), "!= < <=", D(44, 3, 15)),
        (Y(-44), "!= < <=", Y(1)),
        (Y(1960), "", S("1960")),
    ],
)
def test_comparing(value: Value, holds: str, target: Value) -> None:
    assert [sign for sign in COMPARISONS if compare(value, sign, target)] == holds.split()


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (5.0, "5"),
        (-3.7, "-3.7"),
        (-0.0, "0"),
        (0.1 + 0.2, "0.30000000000000004"),
        (4000000074573264.0, "4000000074573264"),
        (2.0**53 - 1, "9007199254740991"),
        (14756087.0, "14756087"),
        (1e15, "1000000000000000"),
        (1e21, "1" + "0" * 21),
        (1.5e-7, "0.00000015"),
        (-1e-20, "-0.00000000000000000001"),
    ],
)
def test_printing_numbers(number: float, text: str) -> None:
    assert format_number(number) == text


@given(number=st.floats(-1e20, 1e20, allow_nan=False))
def test_printed_numbers_read_back(number: float) -> None:
    read = parse_value(str(Quantity(number, "metre")), ValueType.QUANTITY)
    assert isinstance(read, Quantity)
    assert read.number == number


@given(
    value=st.one_of(
        st.builds(Year, st.integers(-99999, 99999)), st.dates().map(lambda d: Date(d.year, d.month, d.day))
    )
)
def test_printed_times_read_back(value: Value) -> None:
    assert parse_value(str(value), type_of(value)) == value


@pytest.mark.parametrize(
    ("quantity", "unit", "number"),
    [
        (Q(2.0, "kilometre"), "metre", 2000.0),
        (Q(1.1, "hour"), "minute", 66.0),
        (Q(3.0, "square kilometre"), "hectare", 300.0),
        (Q(36.0, "kilometre per hour"), "metre per second", 10.0),
        (Q(2.0, "dollar"), "dollar", 2.0),
        (Q(2.0, "dollar"), "euro", None),
        (Q(2.0), "metre", None),
        (Q(2.0, "metre"), "second", None),
    ],
)
def test_converting(quantity: Quantity, unit: str, number: float | None) -> None:
    assert number_in(quantity, unit) == number


@pytest.mark.parametrize(
    ("values", "smallest", "largest"),
    [
        ([], "", ""),
        ([S("a"), S("b")], "a", "b"),
        ([S("a"), S("b"), Y(1900)], "c", "c"),
        ([Q(1.0), Q(2.0), Q(1.0)], "ac", "b"),
        ([Q(1.0, "metre"), Q(50.0, "centimetre"), Q(2.0, "metre")], "b", "c"),
        ([Q(1.0, "metre"), Q(9.0, "euro"), Q(2.0, "metre")], "a", "c"),
        # As many euros as dollars: the alphabet decides for dollars.
        ([Q(1.0, "euro"), Q(5.0, "dollar"), Q(9.0, "euro"), Q(7.0, "dollar")], "b", "d"),
        ([Q(1.0), Y(1900), S("z")], "a", "a"),
        ([Y(1990), D(1990, 5, 5), D(1990, 5, 6), D(1991, 1, 1)], "ab", "d"),
        ([Y(1990), D(1990, 5, 5), D(1990, 5, 6)], "ab", "ac"),
        ([Y(-44), Y(-45)], "b", "a"),
    ],
)
def test_extremes(values: list[Value], smallest: str, largest: str) -> None:
    candidates = list(zip("abcdefgh", values, strict=False))
    assert extremes(candidates, largest=False) == set(smallest)
    assert extremes(candidates, largest=True) == set(largest)


times = st.one_of(
    st.builds(Year, st.integers(1, 4)),
    st.builds(Date, st.integers(1, 4), st.integers(1, 2), st.integers(1, 2)),
)


@given(values=st.lists(times, max_size=8))
def test_no_time_lies_beyond_an_extreme_one(values: list[Value]) -> None:
    for sign, largest in (("<", False), (">", True)):
        best = {value for value in values if not any(compare(other, sign, value) for other in values)}
        assert extremes(((value, value) for value in values), largest=largest) == best


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ([], Verdict.NO),
        ([Q(2.0)], Verdict.YES),
        ([Q(0.0)], Verdict.NO),
        ([Q(2.0), Q(0.0)], Verdict.NOT_SURE),
        ([S("2")], Verdict.NO),
    ],
)
def test_verdicts(values: list[Value], expected: Verdict) -> None:
    assert verdict(values, ">", Quantity(1.0)) == expected


@pytest.mark.parametrize(
    ("value", "comparison", "target", "expected"),
    [
        (Year(1768), "<", Quantity(1770), Verdict.YES),
        (Date(1771, 2, 3), "<", Quantity(1770), Verdict.NO),
        (Year(1768), "<", Quantity(1770.5), Verdict.NO),
        (Quantity(-3, "metre"), "<", Quantity(0), Verdict.YES),
        (Quantity(3, "metre"), ">", Quantity(2), Verdict.NO),
    ],
)
def test_a_bare_number_is_a_year_or_zero_in_any_unit(
    value: Value, comparison: str, target: Value, expected: Verdict
) -> None:
    assert verdict([value], comparison, target) == expected
